#pragma once

// Writes a note in an editor. The text is in a file of its own until the note is saved, so nothing
// is lost if the editor fails, the text has a mistake or the store cannot be written.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cli/show/browse/note_form.h"

namespace recall {

struct NoteEditing {
  std::string drafts_directory;  // "": there is none
  std::string store_directory;
  SaveRequest like;  // as of SavingOf
  // Shows a line of a file, and waits for the end of the editor. Returns: its exit status.
  std::function<Result<int>(const std::string& file, uint32_t line)> edit;
  std::function<Result<SaveReport>(const SaveRequest&)> save;
};

struct NoteOutcome {
  std::optional<SaveReport> saved;  // unset, and no failure: there was nothing to save
  Status failure;
  std::string kept;  // the file that still has the text; "" if there is none
};

// Edits a note and saves it. A text that was kept before, of the same version, is edited on.
NoteOutcome EditNote(const EditedNote& note, const NoteEditing& with);

}  // namespace recall
