#pragma once

// What the screens show of a document: its card and its text.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/show/browse/screen_rows.h"
#include "query/types/note_types.h"

namespace recall {

// "  lesson, stale": the type and the state of a note; "" if there is neither. A fresh note is what
// one expects, so that state is not mentioned.
std::string NoteText(std::string_view type, const std::optional<Lifecycle>& state);

// The card of a document: title; type, state and tags; the beginning of its summary. No rows for a
// document without one.
std::vector<ScreenRow> CardRows(const DocView& doc, const std::optional<Lifecycle>& state,
                                size_t columns);

// The text of a document behind its card, in rows of at most so many columns. A long text ends
// after kMostShownBytes, which the last row says.
inline constexpr size_t kMostShownBytes = 262'144;
std::vector<ScreenRow> DocumentRows(std::string_view text, size_t columns);

}  // namespace recall
