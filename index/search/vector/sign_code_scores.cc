#include "index/search/vector/sign_code_scores.h"

#include <algorithm>
#include <array>
#include <utility>

#include "simd/kernels.h"

namespace recall {
namespace {

// Selection from all scores at once, instead of a shortlist that is kept up to date.
//
// Problem. A shortlist must keep four times as many candidates as are scored at first, because it
// is not known during the scan how many will be (decision 0021). While its threshold rises, a sixth
// of 100,000 vectors enter it, each by a mispredicted branch.
//
// Idea. Two bytes a vector are written instead, and the best are found afterwards:
//
//   ranks of all vectors  ->  maxima of groups of 32 ranks  ->  the k-th greatest: a lower bound
//   ranks of all vectors  ->  places of what reaches the bound, little more than k  ->  the k best
//
// The second selection, when the cosines of the first candidates are known, reads the ranks again
// and no sign code.
//
// Invariants: the vectors taken are a prefix of the order by (score descending, position
// ascending), as with Shortlist; places ascend with positions.
//
// Cost: two passes over 2 bytes a vector, and a histogram of the groups.

constexpr size_t kBlocksAtOnce = 64;
constexpr size_t kMostKept = size_t{1} << 20;  // ranks that a thread keeps memory for

thread_local std::vector<uint16_t> kept_memory;

// The greatest value that `rank` or more of the counted ones reach; `least` if fewer are.
uint16_t ValueOfRank(std::span<const uint32_t> counts, size_t rank, uint16_t least) {
  size_t seen = 0;
  for (size_t value = counts.size(); value-- > least;) {
    seen += counts[value];
    if (seen >= rank) return static_cast<uint16_t>(value);
  }
  return least;
}

}  // namespace

RankBuffer::RankBuffer() : memory_(std::move(kept_memory)) {}

RankBuffer::RankBuffer(const RankBuffer& other)
    : memory_(other.data(), other.data() + other.size()), size_(other.size()) {}

RankBuffer::~RankBuffer() {
  if (memory_.size() > kept_memory.size() && memory_.size() <= kMostKept) {
    kept_memory = std::move(memory_);
  }
}

uint16_t* RankBuffer::Append(size_t count) {
  size_ += count;
  if (memory_.size() < size_) memory_.resize(std::max(size_, 2 * memory_.size()));
  return memory_.data() + size_ - count;
}

uint16_t* SignCodeScores::Append(uint32_t position, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    positions_.push_back(position + static_cast<uint32_t>(i * kSignCodeBlock));
  }
  return ranks_.Append(count * kSignCodeBlock);
}

void SignCodeScores::Merge(const SignCodeScores& other) {
  std::copy_n(other.ranks_.data(), other.ranks_.size(), ranks_.Append(other.ranks_.size()));
  positions_.insert(positions_.end(), other.positions_.begin(), other.positions_.end());
}

std::vector<uint32_t> SignCodeScores::TakeBest(size_t rank, size_t most) {
  return Take(Collect(BoundOfRank(rank)), rank, most);
}

std::vector<uint32_t> SignCodeScores::TakeReaching(uint16_t least, size_t most) {
  if (most == 0 || least > max_score_) return {};
  return Take(Collect(static_cast<uint16_t>(least + 1)), most, most);
}

// A rank that `rank` or more vectors reach, if there are so many; at least 1.
uint16_t SignCodeScores::BoundOfRank(size_t rank) const {
  const size_t blocks = positions_.size();
  if (blocks <= rank) return 1;
  const size_t groups = (blocks + kMaximumBlocks - 1) / kMaximumBlocks;
  std::vector<uint16_t> maxima(groups * kSignCodeBlock);
  MaximaOfScores(ranks_.data(), blocks, maxima.data());
  std::vector<uint32_t> counts(size_t{max_score_} + 2);
  for (const uint16_t maximum : maxima) ++counts[maximum];
  return ValueOfRank(counts, rank, 1);
}

std::vector<uint32_t> SignCodeScores::Collect(uint16_t least) const {
  std::vector<uint32_t> collected;
  std::array<uint32_t, kBlocksAtOnce * kSignCodeBlock> places;
  for (size_t block = 0; block < positions_.size(); block += kBlocksAtOnce) {
    const size_t first = block * kSignCodeBlock;
    const size_t blocks = std::min(kBlocksAtOnce, positions_.size() - block);
    const size_t count = PlacesOfScores(ranks_.data() + first, blocks, least, places.data());
    for (size_t i = 0; i < count; ++i) places[i] += static_cast<uint32_t>(first);
    collected.insert(collected.end(), places.begin(),
                     places.begin() + static_cast<ptrdiff_t>(count));
  }
  return collected;
}

// Takes the `rank` best of these places, and those with the same score, at most `most`.
std::vector<uint32_t> SignCodeScores::Take(std::vector<uint32_t> places, size_t rank, size_t most) {
  uint16_t* const ranks = ranks_.data();
  std::vector<uint32_t> counts(size_t{max_score_} + 2);
  for (const uint32_t place : places) ++counts[ranks[place]];
  const uint16_t last = ValueOfRank(counts, rank, 1);
  const size_t above = [&] {
    size_t sum = 0;
    for (size_t value = size_t{last} + 1; value < counts.size(); ++value) sum += counts[value];
    return sum;
  }();
  size_t ties = most - std::min(most, above);
  size_t taken = 0;
  for (const uint32_t place : places) {
    uint16_t& value = ranks[place];
    const bool tie = value == last;
    if (value < last || (tie && ties == 0)) continue;
    ties -= tie;
    value = 0;
    places[taken++] = positions_[place / kSignCodeBlock] + place % kSignCodeBlock;
  }
  places.resize(taken);
  return places;
}

}  // namespace recall
