#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "index/source/extract/pdf/pdf_page_layout.h"

namespace recall {

// Returns for each page, and each of its margin rows, whether the row is a running head, a foot or
// a page number that must be left out. Rows whose letters have at least `heading_height` are
// headings, and stay. `is_known` returns whether a word, in lower case and without punctuation, is
// in the rest of the text. Of equal rows with an unknown word the first one stays.
std::vector<std::vector<bool>> FindRunningHeads(
    const std::vector<const std::vector<PdfMarginRow>*>& pages, float heading_height,
    const std::function<bool(std::string_view word)>& is_known);

}  // namespace recall
