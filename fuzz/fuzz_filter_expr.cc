// PrintFilter and PrintRql: every possible filter and query, of any depth and with any texts, is
// unchanged by printing and parsing. Input: the choices that build it, four bytes each.

#include "fuzz/fuzz_target.h"
#include "fuzz/query_builder.h"
#include "query/rql/rql.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  ByteReader reader(input);
  QueryBuilder builder([&](uint32_t n) { return reader.Read<uint32_t>() % n; });

  const FilterExpr filter = builder.Filter();
  const std::string filter_text = PrintFilter(filter);
  const Result<FilterExpr> same_filter = ParseFilter(filter_text);
  RECALL_CHECK(same_filter && *same_filter == filter);
  RECALL_CHECK(PrintFilter(*same_filter) == filter_text);

  const RqlQuery query = builder.Query();
  const std::string text = PrintRql(query);
  const Result<RqlQuery> same_query = ParseRql(text, nullptr);
  RECALL_CHECK(same_query && *same_query == query);
  RECALL_CHECK(PrintRql(*same_query) == text);
}

}  // namespace recall
