#include "query/rql/query_ast.h"

namespace recall {

bool OrderKey::operator==(const OrderKey& other) const {
  return is_score == other.is_score && (is_score || field == other.field) &&
         ascending == other.ascending && direction_given == other.direction_given;
}

bool SelectItem::operator==(const SelectItem& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::kField) return field == other.field;
  return kind != Kind::kUnknown || name == other.name;
}

}  // namespace recall
