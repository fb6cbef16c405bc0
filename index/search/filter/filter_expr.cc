#include "index/search/filter/filter_expr.h"

namespace recall {

bool Literal::operator==(const Literal& other) const {
  return kind == other.kind && text == other.text && number == other.number &&
         is_integer == other.is_integer && integer == other.integer && boolean == other.boolean;
}

bool Predicate::operator==(const Predicate& other) const {
  return field == other.field && op == other.op && negated == other.negated &&
         operands == other.operands;
}

bool FilterExpr::operator==(const FilterExpr& other) const {
  if (kind != other.kind) return false;
  return kind == Kind::kPredicate ? predicate == other.predicate : children == other.children;
}

}  // namespace recall
