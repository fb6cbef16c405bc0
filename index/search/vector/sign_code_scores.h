#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace recall {

// A growing array of 16-bit values. A thread keeps the memory of its last search for the next one:
// otherwise malloc would return it to the system, and the page faults of fresh memory would take a
// tenth of the time of a search.
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

  // Returns memory for the values of `count` blocks of 32 vectors, which are at consecutive
  // positions from `position` on. The caller fills it before the next call, as RankSignCodeBlocks
  // does: with the score plus 1 of each vector, or 0 if it does not pass the filter. Requires:
  // positions ascend from call to call.
  uint16_t* Append(uint32_t position, size_t count);
  // Appends scores of greater positions.
  void Merge(const SignCodeScores& other);

  // Takes the `rank` best vectors, and those with the same score as the last of them, but no more
  // than `most`. Of equal scores the smaller positions are better. Vectors that are taken do not
  // count any more. Returns: their positions, ascending. Requires: 1 <= rank <= most.
  std::vector<uint32_t> TakeBest(size_t rank, size_t most);
  // Takes the vectors with a score of `least` or more; if these are more than `most`, the best of
  // them. Otherwise as TakeBest.
  std::vector<uint32_t> TakeReaching(uint16_t least, size_t most);

 private:
  uint16_t BoundOfRank(size_t rank) const;
  std::vector<uint32_t> Collect(uint16_t least) const;
  std::vector<uint32_t> Take(std::vector<uint32_t> places, size_t rank, size_t most);

  uint16_t max_score_;
  RankBuffer ranks_;                 // score + 1; 0: filtered out, or taken already
  std::vector<uint32_t> positions_;  // of the first vector of each block
};

}  // namespace recall
