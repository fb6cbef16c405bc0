#include "cli/show/browse/note_editing.h"

#include <unistd.h>

#include <utility>

#include "cli/show/browse/private_file.h"

namespace recall {
namespace {

// The saved note; nothing if there was nothing to save.
Result<std::optional<SaveReport>> EditAndSave(const EditedNote& note, const NoteEditing& with,
                                              const std::string& file) {
  if (!ReadPrivateFile(file)) RECALL_TRY(WritePrivateFile(file, note.begun));
  RECALL_ASSIGN(const int exit, with.edit(file, note.line));
  if (exit != 0) {
    return Fail(Status::Cancelled("the editor ended with status " + std::to_string(exit) +
                                  "; nothing was saved"));
  }
  RECALL_ASSIGN(const std::string text, ReadPrivateFile(file));
  RECALL_ASSIGN(const auto request, SavingOf(note, text, with.like));
  if (!request) return std::nullopt;
  RECALL_ASSIGN(SaveReport report, with.save(*request));
  return std::optional(std::move(report));
}

}  // namespace

NoteOutcome EditNote(const EditedNote& note, const NoteEditing& with) {
  NoteOutcome outcome;
  if (with.drafts_directory.empty()) {
    outcome.failure = Status::IoError("there is no place for the text while it is edited",
                                      "set HOME or XDG_STATE_HOME");
    return outcome;
  }
  const std::string file = with.drafts_directory + "/" + DraftName(note, with.store_directory);
  Result<std::optional<SaveReport>> saved = EditAndSave(note, with, file);
  if (!saved) outcome.failure = saved.error();
  const Result<std::string> left = ReadPrivateFile(file);
  if (!saved && left && *left != note.begun) {
    outcome.kept = file;
  } else if (left) {
    ::unlink(file.c_str());
  }
  if (saved) outcome.saved = *std::move(saved);
  return outcome;
}

}  // namespace recall
