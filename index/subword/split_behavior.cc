#include "index/subword/split_behavior.h"

#include <algorithm>

namespace recall {
namespace {

// Joins a match with the part before it, unless that part ends with a match. `join` extends
// its first argument by its second.
template <typename Iterator, typename Join>
size_t MergeMatches(Iterator begin, Iterator end, Join join) {
  Iterator last = begin;
  bool any = false;
  bool previous_match = false;
  for (Iterator it = begin; it != end; ++it) {
    const bool match = it->match;
    if (any && match && !previous_match) {
      join(&*last, *it);
    } else {
      if (any) ++last;
      *last = *it;
      any = true;
    }
    previous_match = match;
  }
  return any ? static_cast<size_t>(last - begin) + 1 : 0;
}

void MergeAlike(std::vector<Stretch>* stretches) {
  size_t kept = 0;
  for (const Stretch& stretch : *stretches) {
    if (kept > 0 && (*stretches)[kept - 1].match == stretch.match) {
      (*stretches)[kept - 1].end = stretch.end;
    } else {
      (*stretches)[kept++] = stretch;
    }
  }
  stretches->resize(kept);
}

}  // namespace

Result<SplitBehavior> ReadSplitBehavior(const Json& part, SplitBehavior fallback) {
  if (FindField(part, "behavior") == nullptr) return fallback;
  RECALL_ASSIGN(const std::string name, ReadText(part, "behavior", ""));
  if (name == "Removed") return SplitBehavior::kRemoved;
  if (name == "Isolated") return SplitBehavior::kIsolated;
  if (name == "MergedWithPrevious") return SplitBehavior::kMergedWithPrevious;
  if (name == "MergedWithNext") return SplitBehavior::kMergedWithNext;
  if (name == "Contiguous") return SplitBehavior::kContiguous;
  return Fail(UnknownTokenizerKind("behavior", name));
}

void ApplySplitBehavior(SplitBehavior behavior, std::vector<Stretch>* stretches) {
  switch (behavior) {
    case SplitBehavior::kRemoved:
      std::erase_if(*stretches, [](const Stretch& stretch) { return stretch.match; });
      return;
    case SplitBehavior::kIsolated:
      return;
    case SplitBehavior::kContiguous:
      return MergeAlike(stretches);
    case SplitBehavior::kMergedWithPrevious:
      stretches->resize(
          MergeMatches(stretches->begin(), stretches->end(),
                       [](Stretch* into, const Stretch& match) { into->end = match.end; }));
      return;
    case SplitBehavior::kMergedWithNext: {
      const size_t kept =
          MergeMatches(stretches->rbegin(), stretches->rend(),
                       [](Stretch* into, const Stretch& match) { into->begin = match.begin; });
      stretches->erase(stretches->begin(), stretches->end() - static_cast<ptrdiff_t>(kept));
      return;
    }
  }
}

}  // namespace recall
