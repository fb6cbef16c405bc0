#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace recall {

// The title of a document by which it is found, as its path is: "title" of its metadata, a JSON
// object, or "subject" if there is no title, as of a message. Of a list, its first text. Empty if
// there is none, and for notes and sessions: the title of a note is in its text, that of a session
// is what somebody said.
//
// The tokens of all chunks of a version depend on it, so a document with another title is a new
// version. Thread-safe.
std::string IndexedTitle(std::string_view parser, const std::optional<std::string>& meta);

}  // namespace recall
