#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace recall {

// Memory for ranks. A thread keeps that of its last search: malloc returns so much memory to the
// system, which would clear it again page by page, at a tenth of the time of a search.
class RankBuffer final {
 public:
  RankBuffer();
  ~RankBuffer();
  RankBuffer(const RankBuffer& other);
  RankBuffer& operator=(const RankBuffer&) = delete;

  size_t size() const { return size_; }
  uint16_t* data() { return memory_.data(); }
  const uint16_t* data() const { return memory_.data(); }
  // Returns: room for `count` more, with any content.
  uint16_t* Append(size_t count);

 private:
  std::vector<uint16_t> memory_;
  size_t size_ = 0;  // used
};

// The sign-code scores of all vectors of a scan, from which the best are taken. Not thread-safe.
class SignCodeScores final {
 public:
  // Requires: every score <= max_score < 65535.
  explicit SignCodeScores(uint16_t max_score) : max_score_(max_score) {}

  // Returns: room for `count` times 32 scores plus 1, 0 for vectors that do not count
  // (RankSignCodeBlocks), of vectors at consecutive positions from `position` on. It must be filled
  // before the next call. Requires: positions ascend.
  uint16_t* Append(uint32_t position, size_t count);
  // Appends scores of greater positions.
  void Merge(const SignCodeScores& other);

  // Takes the `rank` best vectors, and those with the same score as the last of them, but no more
  // than `most`. Of equal scores the smaller positions are better. Vectors that are taken do not
  // count any more. Returns: their positions, ascending. Requires: 1 <= rank <= most.
  std::vector<uint32_t> TakeBest(size_t rank, size_t most);
  // Takes the best vectors with a score of `least` or more, at most `most`, in the same way.
  std::vector<uint32_t> TakeReaching(uint16_t least, size_t most);

 private:
  uint16_t BoundOfRank(size_t rank) const;
  std::vector<uint32_t> Collect(uint16_t least) const;
  std::vector<uint32_t> Take(std::vector<uint32_t> places, size_t rank, size_t most);

  uint16_t max_score_;
  RankBuffer ranks_;                 // score + 1; 0: none
  std::vector<uint32_t> positions_;  // of the first vector of each block
};

}  // namespace recall
