#include "index/search/filter/predicate_printer.h"
#include "query/rql/rql.h"

namespace recall {
namespace {

// AND binds tighter than OR, and NOT tighter than both.
bool NeedsParentheses(FilterExpr::Kind parent, FilterExpr::Kind child) {
  using Kind = FilterExpr::Kind;
  if (parent == Kind::kNot) return child == Kind::kAnd || child == Kind::kOr;
  return parent == Kind::kAnd ? child == Kind::kOr : false;
}

void PrintTo(const FilterExpr& expr, std::string* out) {
  using Kind = FilterExpr::Kind;
  if (expr.kind == Kind::kPredicate) return AppendPredicate(expr.predicate, out);
  if (expr.kind == Kind::kNot) *out += "NOT ";
  for (size_t i = 0; i < expr.children.size(); ++i) {
    if (i > 0) *out += expr.kind == Kind::kAnd ? " AND " : " OR ";
    const bool parentheses = NeedsParentheses(expr.kind, expr.children[i].kind);
    if (parentheses) *out += '(';
    PrintTo(expr.children[i], out);
    if (parentheses) *out += ')';
  }
}

void PrintUsing(const RqlQuery& query, std::string* out) {
  if (!query.ranked()) return;
  *out += " USING ";
  if (query.semantic) {
    *out += "semantic(";
    AppendString(*query.semantic, out);
    *out += query.lexical ? "), " : ")";
  }
  if (query.lexical) {
    *out += "lexical(";
    AppendString(*query.lexical, out);
    *out += ')';
  }
}

void PrintOrder(const std::vector<OrderKey>& keys, std::string* out) {
  for (size_t i = 0; i < keys.size(); ++i) {
    *out += i == 0 ? " ORDER BY " : ", ";
    *out += keys[i].is_score ? "score" : FieldName(keys[i].field);
    if (keys[i].direction_given) *out += keys[i].ascending ? " ASC" : " DESC";
  }
}

std::string SelectText(const SelectItem& item) {
  switch (item.kind) {
    case SelectItem::Kind::kAll:
      return "*";
    case SelectItem::Kind::kAllDoc:
      return "doc.*";
    case SelectItem::Kind::kAllChunk:
      return "chunk.*";
    case SelectItem::Kind::kScore:
      return "score";
    case SelectItem::Kind::kField:
      return FieldName(item.field);
    case SelectItem::Kind::kUnknown:
      return item.name;
  }
  return item.name;
}

}  // namespace

std::string PrintFilter(const FilterExpr& filter) {
  std::string text;
  PrintTo(filter, &text);
  return text;
}

std::string PrintRql(const RqlQuery& query) {
  std::string text = query.from == RqlTable::kDoc ? "FROM doc" : "FROM chunk";
  if (query.view) {
    text += " VIEW ";
    AppendString(query.view->name, &text);
  }
  PrintUsing(query, &text);
  if (query.filter) {
    text += " FILTER ";
    PrintTo(*query.filter, &text);
  }
  PrintOrder(query.order_by, &text);
  if (query.limit) text += " LIMIT " + std::to_string(*query.limit);
  if (query.offset) text += " OFFSET " + std::to_string(*query.offset);
  for (size_t i = 0; i < query.select.size(); ++i) {
    text += i == 0 ? " SELECT " : ", ";
    text += SelectText(query.select[i]);
  }
  return text;
}

}  // namespace recall
