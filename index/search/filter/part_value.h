#pragma once

// Values of the fields of a chunk that may be several: the definitions of source code that are in
// it (chunk.symbol, chunk.kind), and the places of the original file that its text is from
// (chunk.page, chunk.slide, chunk.sheet, chunk.cell). Filters, ORDER BY and SELECT all take them
// from here. A chunk has the places of all spans that share a byte with it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/search/filter/sort_value.h"
#include "index/source/extract/types/extraction.h"
#include "storage/tables/symbol_table.h"

namespace recall {

// The spans that share a byte with start..end (exclusive). `spans` ascend and do not overlap.
std::span<const LocatorSpan> SpansWithin(std::span<const LocatorSpan> spans, uint64_t start,
                                         uint64_t end);

// The value that a field of places of this kind has in one place; nothing if the place is of
// another kind, or has no number.
std::optional<SortValue> ValueOfPlace(LocatorKind kind, const Locator& place);

SortValue ValueOfSymbol(SymbolText text, const Symbol& symbol);

// Sorts values, each once.
void SortValues(std::vector<SortValue>* values);

}  // namespace recall
