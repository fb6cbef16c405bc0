// Lists documents by an RQL query, so that filters, snapshots, order and pages are those of
// queries.
//
// A path becomes three predicates: the document, those below the directory, and those in the
// archive of that name. The words of a command line are relative to the working directory, paths
// that were copied from an answer to the store; both are tried.

#include "query/ask/answer/list.h"

#include <algorithm>
#include <utility>

#include "index/base/glob/path_glob.h"
#include "index/base/paths/doc_path.h"
#include "query/rql/rql.h"

namespace recall {
namespace {

constexpr Field kListed[] = {Field::kDocPath,  Field::kDocSize, Field::kDocChunks,
                             Field::kDocMtime, Field::kDocTag,  Field::kDocOrigin};

// A word that is no valid pattern, such as "[", can still be the name of a document.
bool IsPattern(std::string_view word) {
  return word.find_first_of("*?[{") != word.npos && CheckGlob(word).ok();
}

FilterExpr PathPredicate(FilterOp op, std::string operand) {
  FilterExpr expr;
  expr.predicate.field = {Field::kDocPath, {}};
  expr.predicate.op = op;
  expr.predicate.operands.emplace_back().text = std::move(operand);
  return expr;
}

// The path as a pattern that matches nothing else.
std::string AsPattern(std::string_view path) {
  std::string pattern;
  for (const char c : path) {
    if (std::string_view("\\*?[]{}").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// Adds `expr`, or its children if it is of this kind.
void AddPart(FilterExpr::Kind kind, FilterExpr expr, std::vector<FilterExpr>& parts) {
  if (expr.kind != kind) return parts.push_back(std::move(expr));
  for (FilterExpr& child : expr.children) parts.push_back(std::move(child));
}

FilterExpr Joined(FilterExpr::Kind kind, std::vector<FilterExpr> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  FilterExpr joined;
  joined.kind = kind;
  joined.children = std::move(parts);
  return joined;
}

void AddMeant(const std::string& word, const std::string& root, std::vector<FilterExpr>& meant) {
  if (IsPattern(word)) {
    const bool of_names = word.find('/') == word.npos;
    meant.push_back(PathPredicate(FilterOp::kGlob, of_names ? "**/" + word : word));
  }
  std::vector<std::string> paths = {NormalizeDocPath(word, root)};
  const std::string in_store = word.substr(0, word.find_last_not_of('/') + 1);
  if (paths[0] != in_store && IsNormalPath(in_store)) paths.push_back(in_store);
  for (const std::string& path : paths) {
    meant.push_back(PathPredicate(FilterOp::kEqual, path));
    for (const char* below : {"/**", "!/**"}) {
      meant.push_back(PathPredicate(FilterOp::kGlob, AsPattern(path) + below));
    }
  }
}

// The documents of all paths; nothing if all documents of the store are meant.
std::optional<FilterExpr> Meant(const std::vector<std::string>& paths, const std::string& root) {
  std::vector<FilterExpr> meant;
  for (const std::string& word : paths) {
    if (NormalizeDocPath(word, root) == ".") return std::nullopt;
    AddMeant(word, root, meant);
  }
  if (meant.empty()) return std::nullopt;
  return Joined(FilterExpr::Kind::kOr, std::move(meant));
}

}  // namespace

Result<QueryRequest> QueryOfList(const ListRequest& request, const std::string& store_root) {
  RqlQuery query;
  query.from = RqlTable::kDoc;
  std::vector<FilterExpr> all;
  if (std::optional<FilterExpr> meant = Meant(request.paths, store_root)) {
    all.push_back(std::move(*meant));
  }
  if (!request.scope.filter.empty()) {
    RECALL_ASSIGN(FilterExpr filter, ParseFilter(request.scope.filter));
    AddPart(FilterExpr::Kind::kAnd, std::move(filter), all);
  }
  if (!all.empty()) query.filter = Joined(FilterExpr::Kind::kAnd, std::move(all));
  OrderKey& by_path = query.order_by.emplace_back();
  by_path.field = {Field::kDocPath, {}};
  by_path.ascending = by_path.direction_given = true;
  if (request.limit) query.limit = static_cast<int64_t>(*request.limit);
  if (request.offset > 0) query.offset = static_cast<int64_t>(request.offset);
  for (const Field field : kListed) {
    SelectItem& item = query.select.emplace_back();
    item.kind = SelectItem::Kind::kField;
    item.field = {field, {}};
  }
  QueryRequest listing;
  listing.rql = PrintRql(query);
  listing.snapshot = request.scope.snapshot;
  listing.as_of = request.scope.as_of;
  listing.default_limit = INT32_MAX;
  return listing;
}

bool NamesDocuments(const ListRequest& request) {
  return request.scope.filter.empty() && !std::ranges::all_of(request.paths, IsPattern);
}

}  // namespace recall
