#pragma once

// The list of hits, a row each, below headings if it has any.

#include <cstddef>
#include <string>
#include <vector>

#include "cli/show/browse/browse_state.h"
#include "cli/show/browse/screen_rows.h"

namespace recall {

// What kind of document it is, in a word of at most 7 columns: "note", "session", "code", "text",
// or the format of its file, such as "pdf".
std::string KindOf(const DocView& doc);

// "path:first-last"; the path of a whole document.
std::string ShownPlace(const SearchHit& hit, const TextStyle& style);

// The number of rows of the whole list, with its headings.
size_t ListLength(const BrowseState& state);

// The rows that are in view, at most so many; the chosen one is among them. A low place has no
// headings, a narrow one no scores.
std::vector<ScreenRow> ListRows(const BrowseState& state, size_t rows, size_t columns,
                                const TextStyle& style, ListView* view);

}  // namespace recall
