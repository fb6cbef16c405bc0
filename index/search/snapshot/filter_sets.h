#pragma once

#include "index/search/filter/filter.h"

namespace recall {

// Evaluates filters to the sets of chunks or documents that satisfy them, at one commit.
class FilterSets {
 public:
  virtual ~FilterSets() = default;
  // Computes the exact set of live chunks (or documents) that satisfy the filter. `visible`: as in
  // CompiledFilter::Evaluate. Errors: Corruption if rows of the store are damaged, LimitExceeded if
  // document rows exceed 32 bits, and those of the connection to the store.
  virtual Result<FilterOutcome> Evaluate(const CompiledFilter& filter, FilterDomain domain,
                                         const VisibleRows* visible = nullptr) const = 0;
  // Whether some documents may not be read: nothing that is said may then tell of them.
  virtual bool IsScoped() const { return false; }
  // The live chunks (documents) that may be read at all; unset: every one. Errors: as Evaluate.
  virtual Result<std::optional<Bitmap>> Visible(FilterDomain) const { return std::nullopt; }
};

}  // namespace recall
