#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace recall {

// Keeps the k best of a stream of (score, id): higher score first, then smaller id. The result
// depends only on the set pushed, never on the order, so partitions may be merged. Appends to a
// buffer of 2k and cuts it back with nth_element: amortised constant time per push.
template <typename Score>
class TopK final {
 public:
  struct Entry {
    Score score;
    uint32_t id;
    // "Better than": a strict total order when ids are distinct.
    bool operator<(const Entry& other) const {
      return score != other.score ? score > other.score : id < other.id;
    }
  };

  explicit TopK(size_t k) : k_(k) { entries_.reserve(2 * k); }

  size_t k() const { return k_; }

  // A push of a lower score changes nothing. Meaningful once full().
  Score threshold() const { return threshold_; }
  bool full() const { return full_; }

  void Push(Score score, uint32_t id) {
    if (k_ == 0 || (full_ && score < threshold_)) return;
    entries_.push_back({score, id});
    if (entries_.size() == 2 * k_) Shrink();
  }

  void Merge(const TopK& other) {
    for (const Entry& entry : other.entries_) Push(entry.score, entry.id);
  }

  // The score of the rank-th best. Requires: 1 <= rank <= k, and at least `rank` entries pushed.
  Score ScoreOfRank(size_t rank) const {
    std::vector<Entry> entries = entries_;
    const auto place = entries.begin() + static_cast<ptrdiff_t>(rank - 1);
    std::nth_element(entries.begin(), place, entries.end());
    return place->score;
  }

  // Returns the best in unspecified order. Leaves the TopK empty.
  std::vector<Entry> TakeUnordered() {
    if (entries_.size() > k_) Shrink();
    full_ = false;
    return std::move(entries_);
  }

  // Returns the best in order. Leaves the TopK empty.
  std::vector<Entry> Take() {
    const size_t kept = std::min(k_, entries_.size());
    std::partial_sort(entries_.begin(), entries_.begin() + static_cast<ptrdiff_t>(kept),
                      entries_.end());
    entries_.resize(kept);
    full_ = false;
    return std::move(entries_);
  }

 private:
  void Shrink() {
    const auto last = entries_.begin() + static_cast<ptrdiff_t>(k_ - 1);
    std::nth_element(entries_.begin(), last, entries_.end());
    threshold_ = last->score;
    full_ = true;
    entries_.resize(k_);
  }

  size_t k_;
  std::vector<Entry> entries_;
  Score threshold_{};
  bool full_ = false;
};

}  // namespace recall
