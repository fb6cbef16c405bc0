#pragma once

// Requests and responses of RQL queries.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "index/search/filter/fields.h"
#include "query/types/answer_facts.h"
#include "query/types/explanations.h"
#include "query/types/ranking_options.h"
#include "query/types/row_views.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"

namespace recall {

// What VIEW stands for. Its ranking is that of the request, and its limit the default one.
struct RqlView {
  std::string name;
  std::string filter;  // must hold, too; "": all
};

// A query without USING ranks nothing: stages, minimum score and embedding of `ranking` must then
// be unset. Snippets are cut if the rows are ranked and chunk.text is selected.
struct QueryRequest : RankingOptions {
  std::string rql;
  std::string snapshot;  // as in Scope
  std::optional<UnixNanos> as_of;
  size_t default_limit = 1000;  // rows when the query has no LIMIT
  std::optional<RqlView> view;  // that the query names; it is an error if it names another one
  bool with_text = false;       // read the texts of chunks even if chunk.text is not selected
};

// One column of SELECT, after `*` is expanded and repetitions are removed.
struct QueryColumn {
  bool is_score = false;
  FieldRef field;    // unless is_score
  std::string name;  // "score", "doc.path", "doc.meta.author"

  bool operator==(const QueryColumn&) const = default;
};

struct QueryRow {
  double score = 0;                // 0 without USING
  DocView doc;                     // always complete; `columns` contains the selected fields
  std::optional<ChunkView> chunk;  // set for FROM chunk; for FROM doc USING, the best chunk
  std::optional<Snippet> snippet;
  std::optional<HitExplain> explain;
};

struct QueryResponse : AnswerFacts {
  std::string rql;  // canonical text
  bool from_docs = false;
  std::optional<SearchMode> mode;  // unset without USING
  std::string text;                // the text of USING: lexical, else semantic; "" without USING
  size_t limit = 0;
  size_t offset = 0;
  std::vector<QueryColumn> columns;
  std::vector<QueryRow> rows;
};

// The rows of an answer, of which one at a time is in memory.
class QueryRows {
 public:
  virtual ~QueryRows() = default;

  virtual size_t count() const = 0;
  // Calls visit(row) for each row, in order. The row is valid until `visit` returns, may be moved
  // from, and an error of it ends the reading. May be called again. Errors: Corruption, Cancelled.
  virtual Status Read(const std::function<Status(QueryRow& row)>& visit) = 0;
};

// Receives an answer: `found` without rows, and these. Both are valid until it returns.
using QueryReader = std::function<Status(const QueryResponse& found, QueryRows& rows)>;

}  // namespace recall
