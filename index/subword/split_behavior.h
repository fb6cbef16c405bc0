#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "index/subword/json_fields.h"
#include "storage/base/result.h"

namespace recall {

// What becomes of the matches that a text is split at.
enum class SplitBehavior { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };

// The field "behavior". Errors: Corruption; Unsupported.
Result<SplitBehavior> ReadSplitBehavior(const Json& part, SplitBehavior fallback);

// A stretch of a text: a match, or what lies between two.
struct Stretch {
  size_t begin;
  size_t end;
  bool match;
};

// Turns stretches, which cover a text in order, into the pieces that the behaviour leaves.
void ApplySplitBehavior(SplitBehavior behavior, std::vector<Stretch>* stretches);

}  // namespace recall
