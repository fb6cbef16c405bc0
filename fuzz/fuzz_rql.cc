// ParseRql and ParseFilter: any text is parsed, or rejected with a position and a hint. The printed
// form of a parsed text parses to the same query.

#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"
#include "query/rql/rql.h"

namespace recall {
namespace {

void CheckError(const Status& error, std::string_view text) {
  RECALL_CHECK(error.code() == StatusCode::kInvalidArgument ||
               error.code() == StatusCode::kLimitExceeded);
  RECALL_CHECK(!error.message().empty() && !error.hint().empty());
  RECALL_CHECK(error.message().find('\n') == std::string_view::npos);
  const TextPosition* place = error.position();
  RECALL_CHECK(place != nullptr);
  RECALL_CHECK(place->line >= 1 && place->column >= 1);
  RECALL_CHECK(static_cast<size_t>(place->line + place->column) <= text.size() + 2);
  // The excerpt is one line of the text and a line with a caret.
  const std::string_view excerpt = place->excerpt;
  const size_t end = excerpt.find('\n');
  RECALL_CHECK(end < excerpt.size() && excerpt.back() == '^');
  RECALL_CHECK(excerpt.find_first_not_of(' ', end + 1) == excerpt.size() - 1);
  RECALL_CHECK(excerpt.size() < 2000 && IsValidUtf8(excerpt) && IsValidUtf8(error.message()));
}

void CheckQuery(std::string_view text) {
  std::vector<std::string> warnings;
  const Result<RqlQuery> query = ParseRql(text, &warnings);
  if (!query) return CheckError(query.error(), text);
  const std::string printed = PrintRql(*query);
  std::vector<std::string> warnings_again;
  const Result<RqlQuery> again = ParseRql(printed, &warnings_again);
  RECALL_CHECK(again && *again == *query);
  RECALL_CHECK(PrintRql(*again) == printed);
  RECALL_CHECK(warnings_again == warnings);
}

void CheckFilter(std::string_view text) {
  const Result<FilterExpr> filter = ParseFilter(text);
  if (!filter) return CheckError(filter.error(), text);
  const std::string printed = PrintFilter(*filter);
  const Result<FilterExpr> again = ParseFilter(printed);
  RECALL_CHECK(again && *again == *filter);
  RECALL_CHECK(PrintFilter(*again) == printed);
  // The printed filter means the same inside a query.
  const Result<RqlQuery> query = ParseRql("FROM doc SELECT * FILTER " + printed, nullptr);
  RECALL_CHECK(query && query->filter == *filter);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  CheckQuery(AsText(input));
  CheckFilter(AsText(input));
}

}  // namespace recall
