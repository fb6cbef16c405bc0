#include "query/memory/notes/note_writing.h"

#include <sys/stat.h>

#include <filesystem>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/write/ingest/document_builder.h"
#include "index/write/ingest/text_file.h"
#include "storage/base/file_times.h"
#include "storage/notes/note_card.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

constexpr uint64_t kMostFileBytes = uint64_t{1} << 30;

BuildOptions OptionsOf(const NoteDependencies& deps, SecretPolicy secrets,
                       std::shared_ptr<const Redactor> redactor) {
  const StoreSettings& settings = deps.store->settings();
  BuildOptions options;
  options.store_root = deps.root;
  options.parser = Parser::kNote;
  options.chunking = {settings.chunk_tokens, settings.overlap_tokens};
  options.secrets = secrets;
  options.redactor = std::move(redactor);
  options.embedders = deps.embedders;
  return options;
}

UnixNanos TimeOfNoteFile(const struct stat& file) { return ModifiedNanos(file); }

// The file of a document, and what it says.
struct NoteFile {
  std::string path;
  struct stat file = {};
  Result<std::string> text;

  // The size also tells a compressed file from the text in it.
  bool Is(int64_t size, const Digest& hash) const {
    return text && file.st_size == size && Sha256(*text) == hash;
  }
};

std::optional<NoteFile> FindNoteFile(const NoteDependencies& deps, const DocRow& live) {
  if (live.origin != kFileOrigin) return std::nullopt;
  const std::string path = FilePathOf(live.path, deps.root);
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0) return std::nullopt;
  return NoteFile{path, file, ReadTextFile(path, kMostFileBytes)};
}

Status HasChanged(const std::string& path) {
  return Status::InvalidArgument(path + " has changed since it was added",
                                 "run `recall add " + path + "` first");
}

// Writes the file of a note that has none yet. If the process dies before the commit, the next
// `add` takes the note from it.
Result<std::optional<UnixNanos>> CreateNoteFile(const NoteDependencies& deps, NoteBatch& batch,
                                                const std::string& path, std::string_view text) {
  const std::string name = FilePathOf(path, deps.root);
  struct stat file = {};
  if (HasNoteFile(deps, path)) {
    // The file of a call that was killed before it committed.
    const auto present = ReadTextFile(name, kMostFileBytes);
    const bool is_same = present && *present == text && ::stat(name.c_str(), &file) == 0;
    if (is_same) return TimeOfNoteFile(file);
    return Fail(Status::NoteExists("there is a file " + path + " with another text",
                                   "`recall add " + path + "` adds it"));
  }
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(name).parent_path(), error);
  RECALL_TRY(batch.WriteFile(name, text, std::nullopt));
  if (::stat(name.c_str(), &file) != 0) return std::nullopt;
  return TimeOfNoteFile(file);
}

}  // namespace

Result<PreparedDocument> PrepareNote(const NoteDependencies& deps, const NoteBatch& batch,
                                     const std::optional<DocRow>& live, NewNoteText note) {
  TermBuilder terms(deps.space, deps.store->settings().tokenizer_version,
                    deps.space->NewQueryEmbedder(batch->view().models()));
  ProvidedDocument given;
  given.path = std::move(note.path);
  given.text = std::move(note.text);
  given.origin = note.origin;
  given.mtime = note.mtime;
  PreparedDocument prepared = PrepareDocument(
      std::move(given), live, OptionsOf(deps, note.secrets, std::move(note.redactor)), terms);
  RECALL_TRY(prepared.embedding);
  if (prepared.outcome == PreparedDocument::Outcome::kSkipped) {
    return Fail(Status::InvalidArgument("the note was not saved: " + prepared.fault.reason,
                                        "remove the credential, or use --secrets redact"));
  }
  return prepared;
}

Result<std::string> NotesFolder(const NoteDependencies& deps,
                                const std::optional<std::string>& given) {
  const std::string& root = deps.root;
  const std::string& notes_dir = given ? *given : deps.store->settings().notes_dir;
  if (notes_dir.empty()) return std::string();
  std::string folder = FolderBelow(notes_dir, root);
  std::error_code error;
  const auto real_root = std::filesystem::weakly_canonical(root, error);
  const auto real = std::filesystem::weakly_canonical(FilePathOf(folder, root), error);
  const auto inside = real.lexically_relative(real_root);
  if (!folder.empty() && !error && !inside.empty() && *inside.begin() != "..") return folder;
  return Fail(Status::InvalidArgument(
      "notes_dir: '" + notes_dir + "' is not below the directory of the store, " + root,
      "name a directory there, as in notes_dir = \"notes\""));
}

bool StaysOutOfFolder(std::string_view meta, const std::optional<std::string>& given_notes_dir) {
  return !given_notes_dir && IsPrivateCard(meta);
}

bool HasNoteFile(const NoteDependencies& deps, const std::string& path) {
  struct stat info = {};
  return ::lstat(FilePathOf(path, deps.root).c_str(), &info) == 0;
}

Result<std::optional<UnixNanos>> RewriteNoteFile(const NoteDependencies& deps, NoteBatch& batch,
                                                 const DocRow& live, std::string_view text) {
  std::optional<NoteFile> present = FindNoteFile(deps, live);
  if (!present) return std::nullopt;
  if (!present->Is(static_cast<int64_t>(text.size()), Sha256(text))) {
    if (!present->Is(live.size, live.hash)) return Fail(HasChanged(live.path));
    RECALL_TRY(batch.WriteFile(present->path, text, *std::move(present->text)));
    if (::stat(present->path.c_str(), &present->file) != 0) return std::nullopt;
  }
  return TimeOfNoteFile(present->file);
}

Result<std::optional<UnixNanos>> WriteNoteFile(const NoteDependencies& deps, NoteBatch& batch,
                                               const std::optional<DocRow>& live,
                                               const std::string& path, std::string_view text) {
  std::optional<UnixNanos> time;
  if (live) {
    RECALL_ASSIGN(time, RewriteNoteFile(deps, batch, *live, text));
  }
  if (time) return time;
  return CreateNoteFile(deps, batch, path, text);
}

Status RemoveNoteFile(const NoteDependencies& deps, NoteBatch& batch, const DocRow& live) {
  std::optional<NoteFile> present = FindNoteFile(deps, live);
  if (!present) return Status::Ok();
  if (!present->Is(live.size, live.hash)) return HasChanged(live.path);
  return batch.RemoveFile(present->path, *std::move(present->text));
}

}  // namespace recall
