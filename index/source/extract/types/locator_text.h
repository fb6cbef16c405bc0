#pragma once

// Two jobs: the names of outcomes and kinds of places, which JSON and stores contain; and the texts
// of locators, for people ("p. 12") and in references ("path@p12").

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/source/extract/types/extraction.h"

namespace recall {

// "text", "no_text", "encrypted", "too_large", "unsupported", "damaged", "timed_out", "crashed".
std::string_view OutcomeName(ExtractOutcome outcome);

// "page", "paragraph", "slide", "sheet", "chapter", "element", "message", "cell".
std::string_view LocatorKindName(LocatorKind kind);

// A place for people, from its first to its last locator, which may be equal:
//
//   page       p. 12              pp. 12-13
//   paragraph  para. 88           paras. 88-91
//   slide      slide 7, notes     slides 7-8
//   sheet      Costs!B4:F9        Costs!B4:F9 to Sums!A1:B2
//   chapter    ch. 3 #s2          ch. 3 #s2 to ch. 4
//   element    #install           #install to #usage
//   message    part 1.2           parts 1.1-1.2
//   cell       cell 5, output 1   cells 5-7
std::string LocatorText(const Locator& first, const Locator& last);

// Returns the name of a place as a reference "path@NAME" has it: p12, para88, slide7, Costs!B4:F9,
// ch3, #install, part1.2, cell5.
std::string LocatorName(const Locator& locator);

// Returns start and end of the bytes from the first to the last span that a name denotes. The name
// of a sheet without a range denotes all its cells, and a range also the spans that share a cell
// with it. Nothing if there is no such span.
std::optional<std::pair<uint64_t, uint64_t>> FindLocator(const std::vector<LocatorSpan>& spans,
                                                         std::string_view name);

// Returns the first and the last locator whose span shares a byte with start .. end; nothing if
// there is none.
std::optional<std::pair<Locator, Locator>> LocatorsOf(const std::vector<LocatorSpan>& spans,
                                                      uint64_t start, uint64_t end);

// The cells of a range: columns and rows from 1.
struct CellRange {
  uint32_t first_column = 0;
  uint32_t first_row = 0;
  uint32_t last_column = 0;
  uint32_t last_row = 0;
};
// Reads "B4:F9" or "B4".
std::optional<CellRange> ParseCellRange(std::string_view text);

}  // namespace recall
