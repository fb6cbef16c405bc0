#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace recall {

// The `depth` best entries of a stream of (sign-code score, position): higher score first, then
// smaller position. The result depends on which entries are pushed, not on their order. Scores are
// small integers. Counting how often each score occurs gives the exact score of the worst kept
// entry after every push. A heap or a buffer would find it later and let many more entries in.
class Shortlist final {
 public:
  // Requires: depth >= 1; every score <= max_score. Scores below `least` are ignored.
  Shortlist(size_t depth, uint16_t max_score, uint16_t least = 0)
      : depth_(depth), counts_(size_t{max_score} + 1), least_(least) {}

  size_t depth() const { return depth_; }
  // A shortlist without entries that ignores the scores that this one would ignore.
  Shortlist EmptyCopy() const { return Shortlist(depth_, MaxScore(), least_); }

  // The lowest score that can still enter. After `depth` pushes it is the score of the worst kept
  // entry, because a new entry with that score may have a smaller position.
  uint16_t least() const { return least_; }
  // The number of entries kept: `depth`, or the number pushed if that is smaller.
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

  // The score of the rank-th best entry; 0 if fewer have been pushed. Requires: 1 <= rank <= depth.
  uint16_t ScoreOfRank(size_t rank) const {
    size_t seen = 0;
    for (size_t score = counts_.size(); score-- > least_;) {
      seen += counts_[score];
      if (seen >= rank) return static_cast<uint16_t>(score);
    }
    return 0;
  }

  // The positions of the kept entries with a score of `least` or more, ascending.
  std::vector<uint32_t> Positions(uint16_t least = 0) {
    Compact();
    std::vector<uint32_t> positions;
    positions.reserve(entries_.size());
    for (const Entry& entry : entries_) {
      if (entry.score >= least) positions.push_back(entry.position);
    }
    std::ranges::sort(positions);
    // Damaged IVF lists may contain a vector twice.
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
  }

 private:
  static constexpr size_t kSlack = 1024;
  static constexpr size_t kReserved = 16'384;

  uint16_t MaxScore() const { return static_cast<uint16_t>(counts_.size() - 1); }

  struct Entry {
    uint16_t score;
    uint32_t position;
  };

  // Leaves exactly the best entries: all above the worst score, and of those with the worst score
  // the ones with the smallest positions. The entries are divided without branches, which no CPU
  // could predict.
  void Compact() {
    ties_.resize(entries_.size());
    size_t above = 0;
    size_t ties = 0;
    for (const Entry entry : entries_) {
      entries_[above] = entry;
      above += entry.score > least_;
      ties_[ties] = entry;
      ties += entry.score == least_;
    }
    const size_t kept_ties = std::min(ties, depth_ - std::min(above, depth_));
    if (kept_ties < ties) {
      std::nth_element(ties_.begin(), ties_.begin() + static_cast<ptrdiff_t>(kept_ties),
                       ties_.begin() + static_cast<ptrdiff_t>(ties),
                       [](const Entry& a, const Entry& b) { return a.position < b.position; });
      counts_[least_] -= static_cast<uint32_t>(ties - kept_ties);
      kept_ -= ties - kept_ties;
    }
    entries_.resize(above);
    entries_.insert(entries_.end(), ties_.begin(),
                    ties_.begin() + static_cast<ptrdiff_t>(kept_ties));
  }

  size_t depth_;
  std::vector<uint32_t> counts_;  // number of entries by score; exact from least_ on
  uint16_t least_;
  size_t kept_ = 0;  // entries with a score of least_ or more
  std::vector<Entry> entries_;
  std::vector<Entry> ties_;  // scratch memory
};

}  // namespace recall
