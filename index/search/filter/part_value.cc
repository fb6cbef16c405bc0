#include "index/search/filter/part_value.h"

#include <algorithm>

namespace recall {
namespace {

LocatorKind KindOfPlaces(Field field) {
  switch (field) {
    case Field::kChunkPage:
      return LocatorKind::kPage;
    case Field::kChunkSlide:
      return LocatorKind::kSlide;
    case Field::kChunkSheet:
      return LocatorKind::kSheet;
    default:
      return LocatorKind::kCell;
  }
}

}  // namespace

std::span<const LocatorSpan> SpansWithin(std::span<const LocatorSpan> spans, uint64_t start,
                                         uint64_t end) {
  const auto first = std::ranges::upper_bound(spans, start, {}, &LocatorSpan::end);
  const auto last = std::ranges::lower_bound(first, spans.end(), end, {}, &LocatorSpan::start);
  return {first, last};
}

std::optional<SortValue> ValueOfPlace(Field field, const Locator& place) {
  if (place.kind != KindOfPlaces(field)) return std::nullopt;
  if (field == Field::kChunkSheet) return SortValue::Text(place.name);
  if (place.number == 0) return std::nullopt;  // it is not counted
  return SortValue::Integer(place.number);
}

SymbolText TextOfSymbols(Field field) {
  return field == Field::kChunkSymbol ? SymbolText::kName : SymbolText::kKind;
}

SortValue ValueOfSymbol(Field field, const Symbol& symbol) {
  return SortValue::Text(TextOfSymbols(field) == SymbolText::kName ? symbol.name : symbol.kind);
}

void SortValues(std::vector<SortValue>* values) {
  std::ranges::sort(*values, [](const SortValue& a, const SortValue& b) { return a < b; });
  const auto repeated = std::ranges::unique(*values);
  values->erase(repeated.begin(), repeated.end());
}

}  // namespace recall
