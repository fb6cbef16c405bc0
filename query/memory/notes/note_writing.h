#pragma once

// How a note gets into the store and into its file.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "index/search/snapshot/prepared_document.h"
#include "index/source/secrets/redactor.h"
#include "query/memory/notes/note_dependencies.h"
#include "storage/base/clock.h"

namespace recall {

struct NewNoteText {
  std::string path;
  std::string text;
  std::string_view origin;
  std::optional<UnixNanos> mtime;
  SecretPolicy secrets = SecretPolicy::kKeep;
  std::shared_ptr<const Redactor> redactor = nullptr;  // not null with kRedact and kSkip
};

// A text, prepared and compared with the live version at its path. Errors: InvalidArgument if the
// policy leaves it out for its credentials; those of the embedder.
Result<PreparedDocument> PrepareNote(const NoteDependencies& deps, const NoteBatch& batch,
                                     const std::optional<DocRow>& live, NewNoteText note);

// The folder of `notes_dir` in the names of documents; "" if it is not set. `given`: by the
// configuration; unset: that which the store records counts. Errors: InvalidArgument if it is not
// below the directory of the store, or a link in it leads elsewhere.
Result<std::string> NotesFolder(const NoteDependencies& deps,
                                const std::optional<std::string>& given);

// Whether the card of a note keeps it out of a folder that the user has not asked for: a private
// note must not get into what is copied or committed with other files.
bool StaysOutOfFolder(std::string_view meta, const std::optional<std::string>& given_notes_dir);

// Whether there is a file, or anything else, where the file of this document belongs.
bool HasNoteFile(const NoteDependencies& deps, const std::string& path);

// Writes the new text of a document to its file. Returns: the time of the file; nothing if the
// document has no file. Errors: InvalidArgument if the file has another text than the store:
// somebody has edited it since, or it is another file.
Result<std::optional<UnixNanos>> RewriteNoteFile(const NoteDependencies& deps, NoteBatch& batch,
                                                 const DocRow& live, std::string_view text);
// As above; a document without a file gets one. Errors: also NoteExists if there is one of another
// document.
Result<std::optional<UnixNanos>> WriteNoteFile(const NoteDependencies& deps, NoteBatch& batch,
                                               const std::optional<DocRow>& live,
                                               const std::string& path, std::string_view text);
// Removes the file of a document, if it has one. Errors: as of RewriteNoteFile.
Status RemoveNoteFile(const NoteDependencies& deps, NoteBatch& batch, const DocRow& live);

}  // namespace recall
