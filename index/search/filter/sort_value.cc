#include "index/search/filter/sort_value.h"

#include <utility>

#include "storage/base/number.h"

namespace recall {
namespace {

using ValueKind = SortValue::Kind;

bool IsNumber(ValueKind kind) { return kind == ValueKind::kInteger || kind == ValueKind::kReal; }

Number NumberOf(const SortValue& value) {
  return value.kind == ValueKind::kInteger ? Number::Integer(value.integer)
                                           : Number::Real(value.real);
}

}  // namespace

SortValue SortValue::Integer(int64_t value) { return {ValueKind::kInteger, value, 0, {}}; }
SortValue SortValue::Real(double value) { return {ValueKind::kReal, 0, value, {}}; }
SortValue SortValue::Text(std::string value) { return {ValueKind::kText, 0, 0, std::move(value)}; }

std::strong_ordering SortValue::operator<=>(const SortValue& other) const {
  if (IsNumber(kind) && IsNumber(other.kind)) {
    const std::weak_ordering order = CompareNumbers(NumberOf(*this), NumberOf(other));
    return order < 0   ? std::strong_ordering::less
           : order > 0 ? std::strong_ordering::greater
                       : std::strong_ordering::equal;
  }
  if (kind != other.kind) return kind <=> other.kind;
  if (kind == ValueKind::kBoolean) return integer <=> other.integer;
  return text <=> other.text;
}

}  // namespace recall
