// Temporary: until index/filter is there.
#include "index/filter/filter.h"
#include "query/rql/rql.h"

namespace recall {
#define WEAK __attribute__((weak))
struct CompiledFilter::Node {};
WEAK CompiledFilter::CompiledFilter(CompiledFilter&&) noexcept = default;
WEAK CompiledFilter::~CompiledFilter() {}
WEAK bool CompiledFilter::depends_on_now() const { return false; }
WEAK const std::vector<std::string>& CompiledFilter::warnings() const { return warnings_; }
WEAK tl::expected<CompiledFilter, FilterError> CompiledFilter::Compile(const FilterExpr&, UnixNanos) {
  return tl::unexpected(FilterError{});
}
WEAK Result<FilterOutcome> CompiledFilter::Evaluate(const ReadTransaction&, FilterDomain) const {
  return Fail(Status::Unsupported("filter"));
}
}  // namespace recall
