#pragma once

#include "index/filter/filter.h"

namespace recall {

// From a filter to the set of chunks or documents that satisfy it, at one commit.
class FilterSets {
 public:
  virtual ~FilterSets() = default;
  // Exactly the live chunks (documents) that satisfy the filter. Errors: Corruption when the
  // store's rows are damaged, LimitExceeded when document rows exceed 32 bits, and those of the
  // connection to the store.
  virtual Result<FilterOutcome> Evaluate(const CompiledFilter& filter,
                                         FilterDomain domain) const = 0;
};

}  // namespace recall
