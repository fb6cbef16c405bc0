#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace recall {

// The `depth` best of a stream of (signature score, position): higher score first, then smaller
// position. Positions arrive ascending, so that a tie with the worst kept never displaces it.
// Scores are small numbers: counting how often each occurs gives the exact threshold after every
// push, where a heap or a buffer would learn of it late and let many more in.
class Shortlist final {
 public:
  // Requires: depth >= 1; every score <= max_score. Scores below `least` do not count.
  Shortlist(size_t depth, uint16_t max_score, uint16_t least = 0)
      : depth_(depth),
        counts_(size_t{max_score} + 1),
        threshold_(least == 0 ? 0 : static_cast<uint16_t>(least - 1)),
        full_(least > 0) {}

  // Whether `depth` have arrived, or only scores of `least` count: from then on only those above
  // threshold() are worth a push.
  bool full() const { return full_; }
  uint16_t threshold() const { return threshold_; }

  // Requires: positions ascend.
  void Push(uint16_t score, uint32_t position) {
    if (full_ && score <= threshold_) return;
    entries_.push_back({score, position});
    ++counts_[score];
    if (++above_ >= depth_) Raise();
    if (entries_.size() >= 2 * depth_ + kSlack) Compact();
  }

  // Takes over what another one kept of later positions.
  void Merge(const Shortlist& later) {
    for (const Entry& entry : later.entries_) Push(entry.score, entry.position);
  }

  // The score of the rank-th best; 0 when fewer have arrived. Requires: 1 <= rank <= depth.
  uint16_t ScoreOfRank(size_t rank) const {
    size_t seen = 0;
    for (size_t score = counts_.size() - 1; score > threshold_; --score) {
      seen += counts_[score];
      if (seen >= rank) return static_cast<uint16_t>(score);
    }
    return threshold_;
  }

  // The positions of those of the best whose score is `least` or more, ascending.
  std::vector<uint32_t> Positions(uint16_t least = 0) {
    if (full_) Compact();
    std::vector<uint32_t> positions;
    positions.reserve(entries_.size());
    for (const Entry& entry : entries_) {
      if (entry.score >= least) positions.push_back(entry.position);
    }
    return positions;
  }

 private:
  static constexpr size_t kSlack = 1024;

  struct Entry {
    uint16_t score;
    uint32_t position;
  };

  // The threshold becomes the score of the worst of the best: fewer than `depth` lie above it.
  void Raise() {
    uint32_t threshold = full_ ? threshold_ + 1u : 0;
    while (above_ - counts_[threshold] >= depth_) above_ -= counts_[threshold++];
    above_ -= counts_[threshold];
    threshold_ = static_cast<uint16_t>(threshold);
    full_ = true;
  }

  // Leaves exactly the best: all above the threshold, and of those at it the earliest.
  void Compact() {
    size_t ties = depth_ - above_;
    std::erase_if(entries_, [&](const Entry& entry) {
      if (entry.score != threshold_) return entry.score < threshold_;
      if (ties == 0) return true;
      --ties;
      return false;
    });
  }

  size_t depth_;
  std::vector<uint32_t> counts_;  // of entries by score; right above the threshold
  size_t above_ = 0;              // entries above the threshold; below depth once full
  uint16_t threshold_ = 0;
  bool full_ = false;
  std::vector<Entry> entries_;  // by position
};

}  // namespace recall
