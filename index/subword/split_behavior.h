#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "index/subword/json_fields.h"
#include "storage/base/result.h"

namespace recall {

// The treatment of the matches at which a text is split.
enum class SplitBehavior { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };

// Reads the field "behavior". Errors: Corruption; Unsupported.
Result<SplitBehavior> ReadSplitBehavior(const Json& part, SplitBehavior fallback);

// A part of a text: a match, or the text between two matches.
struct Stretch {
  size_t begin;
  size_t end;
  bool match;
};

// Replaces the parts of a text, which cover it in order, by the pieces that the behaviour defines.
void ApplySplitBehavior(SplitBehavior behavior, std::vector<Stretch>* stretches);

}  // namespace recall
