#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "index/source/extract/pdf/pdf_page_layout.h"

namespace recall {

// For each page and each of its margin rows: whether it is a running head, a foot, or a page
// number, so that it is to be left out. `is_known` says whether a word, in lower case and without
// punctuation, is in the rest of the text: the first row of several with a word that is not stays.
std::vector<std::vector<bool>> FindRunningHeads(
    const std::vector<const std::vector<PdfMarginRow>*>& pages,
    const std::function<bool(std::string_view word)>& is_known);

}  // namespace recall
