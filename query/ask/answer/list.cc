// Lists documents by an RQL query, so that filters, snapshots, order and pages are those of
// queries.
//
// A path becomes three predicates: the document, those below the directory, and those in the
// archive of that name. The words of a command line are relative to the working directory, paths
// that were copied from an answer to the store; both are tried. To ignore case, each letter of a
// pattern becomes a class of two.

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

// The pattern with a class of both cases in place of each ASCII letter. Letters of classes, and
// after a backslash, stay.
std::string IgnoringCase(std::string_view pattern) {
  std::string ignoring;
  bool in_class = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    const char lower = static_cast<char>(c | 0x20);
    if (c == '\\' && i + 1 < pattern.size()) {
      ignoring += {c, pattern[++i]};
    } else if (!in_class && lower >= 'a' && lower <= 'z') {
      ignoring += {'[', lower, static_cast<char>(lower - 0x20), ']'};
    } else {
      in_class = in_class ? c != ']' : c == '[';
      ignoring += c;
    }
  }
  return ignoring;
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

void AddMeant(const std::string& word, const std::string& root, bool ignore_case,
              std::vector<FilterExpr>& meant) {
  const auto add_pattern = [&](const std::string& pattern) {
    meant.push_back(PathPredicate(FilterOp::kGlob, ignore_case ? IgnoringCase(pattern) : pattern));
  };
  if (IsPattern(word)) add_pattern(word.find('/') == word.npos ? "**/" + word : word);
  std::vector<std::string> paths = {NormalizeDocPath(word, root)};
  const std::string in_store = word.substr(0, word.find_last_not_of('/') + 1);
  if (paths[0] != in_store && IsNormalPath(in_store)) paths.push_back(in_store);
  for (const std::string& path : paths) {
    if (!ignore_case) meant.push_back(PathPredicate(FilterOp::kEqual, path));
    if (ignore_case) add_pattern(AsPattern(path));
    for (const char* below : {"/**", "!/**"}) add_pattern(AsPattern(path) + below);
  }
}

// The documents of all paths; nothing if all documents of the store are meant.
std::optional<FilterExpr> Meant(const std::vector<std::string>& paths, const std::string& root,
                                bool ignore_case) {
  std::vector<FilterExpr> meant;
  for (const std::string& word : paths) {
    if (NormalizeDocPath(word, root) == ".") return std::nullopt;
    AddMeant(word, root, ignore_case, meant);
  }
  if (meant.empty()) return std::nullopt;
  return Joined(FilterExpr::Kind::kOr, std::move(meant));
}

// Both; nothing if all documents of the store satisfy them.
Result<std::optional<FilterExpr>> AllOf(std::optional<FilterExpr> meant,
                                        const std::string& filter) {
  std::vector<FilterExpr> all;
  if (meant) all.push_back(std::move(*meant));
  if (!filter.empty()) {
    RECALL_ASSIGN(FilterExpr parsed, ParseFilter(filter));
    AddPart(FilterExpr::Kind::kAnd, std::move(parsed), all);
  }
  if (all.empty()) return std::nullopt;
  return Joined(FilterExpr::Kind::kAnd, std::move(all));
}

}  // namespace

Result<std::string> FilterWithPaths(const std::vector<std::string>& paths,
                                    const std::string& filter, const std::string& store_root,
                                    bool ignore_case) {
  if (paths.empty()) return filter;
  RECALL_ASSIGN(const std::optional<FilterExpr> all,
                AllOf(Meant(paths, store_root, ignore_case), filter));
  return all ? PrintFilter(*all) : std::string();
}

Result<QueryRequest> QueryOfList(const ListRequest& request, const std::string& store_root,
                                 bool ignore_case) {
  RqlQuery query;
  query.from = RqlTable::kDoc;
  RECALL_ASSIGN(query.filter,
                AllOf(Meant(request.paths, store_root, ignore_case), request.scope.filter));
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

Status NoDocumentAt(const std::string& path) {
  return Status::NotFound("the store has no document in '" + path + "'",
                          "`recall ls` lists all documents");
}

}  // namespace recall
