#pragma once

#include <string>
#include <string_view>

#include "query/memory/hints/hint_text.h"
#include "query/types/row_views.h"
#include "query/types/search_types.h"

namespace recall {

// The value of a key of the card of a document, if it is a text; else "".
std::string CardText(const DocView& doc, std::string_view key);

// What is said of a note: its type and title, then its summary, else the beginning of `text`, which
// is that of its first chunk.
Hint HintOfNote(const DocView& doc, std::string_view text);

// What is said of a result: of a note as above, of another document its heading and the snippet.
// Requires: the hit has a snippet.
Hint HintOfHit(const SearchHit& hit);

// Whether the document is the session with this id of the agent. "" is no session.
bool IsThisSession(const DocView& doc, std::string_view session_id);

}  // namespace recall
