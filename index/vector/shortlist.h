#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace recall {

// The `depth` best of a stream of (sign code score, position): higher score first, then smaller
// position. They depend on what is pushed, not on its order.
// Scores are small numbers: counting how often each occurs gives the exact score of the worst after
// every push, where a heap or a buffer would learn of it late and let many more in.
class Shortlist final {
 public:
  // Requires: depth >= 1; every score <= max_score. Scores below `least` do not count.
  Shortlist(size_t depth, uint16_t max_score, uint16_t least = 0)
      : depth_(depth), counts_(size_t{max_score} + 1), least_(least) {}

  // The lowest score that is worth a push: once `depth` have arrived that of the worst of them, of
  // which another one may have a smaller position.
  uint16_t least() const { return least_; }
  // How many are kept: `depth`, or as many as arrived.
  size_t size() const { return std::min(kept_, depth_); }

  void Push(uint16_t score, uint32_t position) {
    if (score < least_) return;
    if (entries_.empty()) entries_.reserve(std::min(2 * depth_ + kSlack, kReserved));
    entries_.push_back({score, position});
    ++counts_[score];
    ++kept_;
    while (kept_ - counts_[least_] >= depth_) kept_ -= counts_[least_++];
    if (entries_.size() >= 2 * depth_ + kSlack) Compact();
  }

  void Merge(const Shortlist& other) {
    for (const Entry& entry : other.entries_) Push(entry.score, entry.position);
  }

  // The score of the rank-th best; 0 when fewer have arrived. Requires: 1 <= rank <= depth.
  uint16_t ScoreOfRank(size_t rank) const {
    size_t seen = 0;
    for (size_t score = counts_.size(); score-- > least_;) {
      seen += counts_[score];
      if (seen >= rank) return static_cast<uint16_t>(score);
    }
    return 0;
  }

  // The positions of those of the best whose score is `least` or more, ascending.
  std::vector<uint32_t> Positions(uint16_t least = 0) {
    Compact();
    std::vector<uint32_t> positions;
    positions.reserve(entries_.size());
    for (const Entry& entry : entries_) {
      if (entry.score >= least) positions.push_back(entry.position);
    }
    std::ranges::sort(positions);
    // Damaged lists may name a vector twice.
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
  }

 private:
  static constexpr size_t kSlack = 1024;
  static constexpr size_t kReserved = 16'384;

  struct Entry {
    uint16_t score;
    uint32_t position;
  };

  // Leaves exactly the best: all above the worst's score, and of those that have it the earliest.
  void Compact() {
    std::erase_if(entries_, [&](const Entry& entry) { return entry.score < least_; });
    if (kept_ <= depth_) return;
    const auto ties = std::partition(entries_.begin(), entries_.end(),
                                     [&](const Entry& entry) { return entry.score > least_; });
    const auto end = entries_.begin() + static_cast<ptrdiff_t>(depth_);
    std::nth_element(ties, end, entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.position < b.position; });
    entries_.erase(end, entries_.end());
    counts_[least_] -= static_cast<uint32_t>(kept_ - depth_);
    kept_ = depth_;
  }

  size_t depth_;
  std::vector<uint32_t> counts_;  // of entries by score; right from least_ on
  uint16_t least_;
  size_t kept_ = 0;  // entries of least_ or more
  std::vector<Entry> entries_;
};

}  // namespace recall
