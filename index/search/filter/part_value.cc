#include "index/search/filter/part_value.h"

#include <algorithm>

namespace recall {
std::span<const LocatorSpan> SpansWithin(std::span<const LocatorSpan> spans, uint64_t start,
                                         uint64_t end) {
  const auto first = std::ranges::upper_bound(spans, start, {}, &LocatorSpan::end);
  const auto last = std::ranges::lower_bound(first, spans.end(), end, {}, &LocatorSpan::start);
  return {first, last};
}

std::optional<SortValue> ValueOfPlace(LocatorKind kind, const Locator& place) {
  if (place.kind != kind) return std::nullopt;
  if (kind == LocatorKind::kSheet) return SortValue::Text(place.name);
  if (place.number == 0) return std::nullopt;  // it is not counted
  return SortValue::Integer(place.number);
}

SortValue ValueOfSymbol(SymbolText text, const Symbol& symbol) {
  return SortValue::Text(text == SymbolText::kName ? symbol.name : symbol.kind);
}

void SortValues(std::vector<SortValue>* values) {
  std::ranges::sort(*values, [](const SortValue& a, const SortValue& b) { return a < b; });
  const auto repeated = std::ranges::unique(*values);
  values->erase(repeated.begin(), repeated.end());
}

}  // namespace recall
