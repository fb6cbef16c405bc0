#pragma once

// The words of a question where they are in a text.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/show/browse/screen_rows.h"
#include "query/types/search_types.h"

namespace recall {

// The words of a question, and those for which a hit was found in the forms that its text has. The
// longest first.
std::vector<std::string> MatchedWords(std::string_view question, const SearchHit& hit);

// Appends a text to a row, where `words` in it are painted as matches. Case of ASCII does not
// matter; words of it must be whole.
void AppendWithMatches(ScreenRow& row, std::string_view text, Paint paint,
                       std::span<const std::string> words);

// Appends the line of a snippet that has most marked characters, from shortly before the first of
// them on; nothing if none has any.
void AppendExcerpt(ScreenRow& row, const Snippet& snippet, bool utf8);

}  // namespace recall
