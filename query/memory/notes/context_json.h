#pragma once

#include <string_view>

#include "index/source/note/note_draft.h"
#include "storage/base/result.h"

namespace recall {

// Reads the context of a note from a JSON object with the members of NoteContext. Texts are strings
// (a list of strings becomes lines), lists are lists of strings (a string becomes one item).
// Errors: InvalidArgument for other JSON, other members and other types.
Result<NoteContext> ParseNoteContext(std::string_view json);

}  // namespace recall
