#include "index/search/filter/predicate_printer.h"

#include <array>

namespace recall {
namespace {

std::string_view OperatorText(FilterOp op) {
  constexpr std::array<std::string_view, 13> kTexts = {
      "=", "!=", "<", "<=", ">", ">=", "LIKE", "ILIKE", "GLOB", "REGEXP", "IN", "BETWEEN", "NULL"};
  return kTexts[static_cast<size_t>(op)];
}

void PrintLiteral(const Literal& literal, std::string* out) {
  switch (literal.kind) {
    case Literal::Kind::kString:
      AppendString(literal.text, out);
      break;
    case Literal::Kind::kNumber:
      *out += literal.text;
      break;
    case Literal::Kind::kBoolean:
      *out += literal.boolean ? "TRUE" : "FALSE";
      break;
  }
}

}  // namespace

void AppendString(std::string_view text, std::string* out) {
  *out += '\'';
  for (const char c : text) {
    if (c == '\'' || c == '\\') *out += c;
    *out += c;
  }
  *out += '\'';
}

void AppendPredicate(const Predicate& predicate, std::string* out) {
  *out += FieldName(predicate.field);
  if (predicate.op == FilterOp::kIsNull) {
    *out += predicate.negated ? " IS NOT NULL" : " IS NULL";
    return;
  }
  *out += predicate.negated ? " NOT " : " ";
  *out += OperatorText(predicate.op);
  const bool is_list = predicate.op == FilterOp::kIn;
  *out += is_list ? " (" : " ";
  for (size_t i = 0; i < predicate.operands.size(); ++i) {
    if (i > 0) *out += is_list ? ", " : " AND ";
    PrintLiteral(predicate.operands[i], out);
  }
  if (is_list) *out += ')';
}

std::string PrintPredicate(const Predicate& predicate) {
  std::string text;
  AppendPredicate(predicate, &text);
  return text;
}

}  // namespace recall
