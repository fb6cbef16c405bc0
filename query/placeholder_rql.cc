// Temporary: until query/rql and index/filter are there.
#include "index/filter/filter.h"
#include "query/rql/rql.h"

namespace recall {
#define WEAK __attribute__((weak))
WEAK Result<RqlQuery> ParseRql(std::string_view, std::vector<std::string>*) {
  return Fail(Status::Unsupported("rql"));
}
WEAK Result<FilterExpr> ParseFilter(std::string_view) { return Fail(Status::Unsupported("fel")); }
WEAK std::string PrintRql(const RqlQuery&) { return {}; }
WEAK std::string PrintFilter(const FilterExpr&) { return {}; }
WEAK Status ErrorAt(std::string_view, const FilterError& error) {
  return Status::InvalidArgument(error.message);
}
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
