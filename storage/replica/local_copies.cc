#include "storage/replica/local_copies.h"

#include <algorithm>

namespace recall {

std::shared_ptr<const LocalCopies::Pages> LocalCopies::ChangedBetween(size_t other,
                                                                      const PageEpoch& theirs,
                                                                      const PageEpoch& ours,
                                                                      const ChangesFn& changes) {
  if (theirs == ours) return std::make_shared<Pages>();
  const std::lock_guard<std::mutex> lock(mutex_);
  Known& known = known_[other];
  if (known.theirs == theirs && known.ours == ours) return known.changed;
  known = {theirs, ours, nullptr};
  const auto changed = changes(theirs, ours.number);
  if (changed) known.changed = std::make_shared<Pages>(changed->begin(), changed->end());
  return known.changed;
}

std::vector<uint32_t> LocalCopies::Copy(std::vector<uint32_t> numbers, ReplicaFiles& replica,
                                        const ChangesFn& changes) {
  std::vector<uint8_t> page(PageSource::kPageBytes);
  const PageEpoch ours = replica.epoch();
  for (size_t i = 0; i < others_.size(); ++i) {
    const ReplicaFiles& other = *others_[i];
    const PageEpoch theirs = other.epoch();
    const auto there = [&](uint32_t number) { return other.IsPresent(number); };
    if (theirs.number == 0 || theirs.number > ours.number || std::ranges::none_of(numbers, there)) {
      continue;
    }
    const auto changed = ChangedBetween(i, theirs, ours, changes);
    if (!changed) continue;
    std::erase_if(numbers, [&](uint32_t number) {
      if (changed->contains(number) || !other.ReadPageOf(theirs, number, page) ||
          !replica.WritePage(number, page)) {
        return false;
      }
      replica.SetPresent(number, true);
      return true;
    });
  }
  return numbers;
}

}  // namespace recall
