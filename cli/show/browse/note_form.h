#pragma once

// What an editor gets of a note, and what is saved of what it gives back.

#include <optional>
#include <string>
#include <string_view>

#include "query/types/get_types.h"
#include "query/types/note_types.h"
#include "storage/base/result.h"

namespace recall {

// A new note is written as a form with the keys of a card that one fills in by hand; of a note that
// there is, the whole text is edited, with its card.
struct EditedNote {
  std::string begun = {};  // the text that the editor gets
  uint32_t line = 1;       // at which it begins
  std::string path = {};   // of the note; "": it is new
  std::string hash = {};   // DocView::hash of its version
};
EditedNote NewNote();
EditedNote NoteToEdit(const GetResponse& note);

// The name of a file for the text, without directories. Another store, note or version has another
// one.
std::string DraftName(const EditedNote& note, std::string_view store_directory);

// Reads a form that was filled in. Errors: InvalidArgument, with the line.
Result<NoteDraft> ReadNoteForm(std::string_view form);

// The request that saves `text`. `like`: the parts of it that the settings decide. Returns: nothing
// if the text is the one that was begun, or a new note says nothing. Errors: those of ReadNoteForm.
Result<std::optional<SaveRequest>> SavingOf(const EditedNote& note, std::string_view text,
                                            SaveRequest like);

}  // namespace recall
