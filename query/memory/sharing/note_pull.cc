// Brings the notes of a branch into the store. What becomes of each note is decided by DecideNote;
// here it is written: documents, files and what the store knows, all in one batch.
//
// If the process dies between a file and the commit, the next pull finds the file with the text
// that it is about to write, and goes on.
//
// Cost: a look-up for each note of the branch; the texts of those that are new. Memory: the newest
// texts of the branch.

#include "query/memory/sharing/note_pull.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "index/write/ingest/text_file.h"
#include "query/memory/notes/note_writing.h"
#include "query/memory/sharing/shared_text.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

class NotePullRun final {
 public:
  NotePullRun(const NoteDependencies& deps, const PullRequest& request, Redactor redactor)
      : deps_(deps),
        request_(request),
        redactor_(std::move(redactor)),
        store_(deps.store, deps.space) {}

  Result<PulledNotes> Run(const BranchNotes& histories) {
    RECALL_ASSIGN(folder_, NotesFolder(deps_, request_.notes_dir));
    {
      RECALL_ASSIGN(const auto present, deps_.store->BeginRead());
      RECALL_ASSIGN(known_, ReadSharedNotes(present->connection()));
    }
    RECALL_ASSIGN(batch_, NoteBatch::Begin(store_, deps_));
    for (const auto& [path, history] : histories) {
      if (deps_.cancel->load(std::memory_order_relaxed)) {
        return Fail(Status::Cancelled("interrupted"));
      }
      RECALL_TRY(TakePath(path, history));
    }
    if (writes_ && !request_.dry_run) RECALL_TRY(batch_->Commit());
    return std::move(report_);
  }

 private:
  const TextsAndFacts& texts() const { return (*batch_)->view().texts(); }

  Status TakePath(const std::string& path, const NoteVersions& history) {
    const SharedNote& known = known_[path];
    const bool is_known = std::ranges::all_of(
        history.Heads(), [&](const NoteVersions::Head& head) { return known.Knows(head.id); });
    if (is_known) {
      report_.unchanged += 1;
      return {};
    }
    RECALL_ASSIGN(const auto live, texts().FindDoc(path));
    if (live && live->parser != kNoteParser) {
      report_.left.push_back({path, "the document is no note here"});
      return {};
    }
    std::string text;
    std::optional<LocalNote> local;
    if (live) {
      RECALL_ASSIGN(text, texts().ReadText(*live, 0, static_cast<uint64_t>(live->size)));
      local = LocalNote{Sha256(SharedNoteText(redactor_, text, nullptr)),
                        LastChangeOf(live->meta.value_or(""), live->mtime)};
    }
    // Asked for rarely, and read by all removed versions of the store.
    Result<std::vector<DocRow>> older;
    const auto had_text = [&](const Digest& hash) {
      if (older && older->empty()) older = texts().FindRemovedVersions(path);
      return older && std::ranges::find(*older, hash, &DocRow::hash) != older->end();
    };
    const NoteDecision decision = DecideNote(history, local, known, had_text);
    if (!older) return older.error();
    const Status written = Follow(path, live, decision);
    if (IsOfFile(written)) {
      report_.left.push_back({path, std::string(written.message())});
      return {};
    }
    RECALL_TRY(written);
    RECALL_TRY(KeepOthers(path, live, local, text, decision));
    if (decision.edit_beats_removal) report_.kept.push_back(path);
    if (!decision.known) return {};
    writes_ = true;
    return (*batch_)->PutSharedNote(path, *decision.known);
  }

  // Whether an error says that a file is in the way, which concerns no other note.
  static bool IsOfFile(const Status& status) {
    return status.code() == StatusCode::kInvalidArgument ||
           status.code() == StatusCode::kNoteExists;
  }

  Status Follow(const std::string& path, const std::optional<DocRow>& live,
                const NoteDecision& decision) {
    switch (decision.kind) {
      case NoteDecision::Kind::kKeep:
        report_.unchanged += 1;
        return {};
      case NoteDecision::Kind::kRemove:
        if (!request_.dry_run) RECALL_TRY(RemoveNoteFile(deps_, *batch_, *live));
        RECALL_TRY((*batch_)->Remove(*live));
        report_.removed += 1;
        return {};
      case NoteDecision::Kind::kTake:
        break;
    }
    const SharedNoteVersion& version = *decision.taken;
    RECALL_TRY(Put(live, {path, version.text, {}, version.mtime}));
    (live ? report_.updated : report_.added) += 1;
    return {};
  }

  // Gives the note at a path this text, in its file as well.
  Status Put(const std::optional<DocRow>& live, NewNoteText note) {
    const bool in_folder =
        !folder_.empty() && note.path.starts_with(folder_ + "/") &&
        !StaysOutOfFolder(ExtractMetadata(note.text).object.value_or(""), request_.notes_dir);
    const bool is_file =
        in_folder || (live && live->origin == kFileOrigin && HasNoteFile(deps_, note.path));
    note.origin = is_file ? kFileOrigin : kSavedOrigin;
    std::optional<UnixNanos> file_time;
    if (is_file && !request_.dry_run) {
      RECALL_ASSIGN(file_time, WriteNoteFile(deps_, *batch_, live, note.path, note.text));
    }
    if (file_time) note.mtime = file_time;
    RECALL_ASSIGN(const PreparedDocument prepared,
                  PrepareNote(deps_, *batch_, live, std::move(note)));
    if (prepared.outcome == PreparedDocument::Outcome::kUnchanged) return {};
    writes_ = true;
    return (*batch_)->Put(prepared);
  }

  // Keeps the texts that do not stand as notes of their own.
  Status KeepOthers(const std::string& path, const std::optional<DocRow>& live,
                    const std::optional<LocalNote>& local, const std::string& text,
                    const NoteDecision& decision) {
    const bool local_stands = decision.kind == NoteDecision::Kind::kKeep;
    for (const SharedNoteVersion* const other : decision.copies) {
      RECALL_TRY(KeepCopy(path, other->hash, other->text, other->mtime, local_stands));
    }
    if (!decision.copies_local) return {};
    return KeepCopy(path, local->hash, text, live->mtime, local_stands);
  }

  Status KeepCopy(const std::string& path, const Digest& hash, const std::string& text,
                  std::optional<UnixNanos> mtime, bool local_stands) {
    const std::string copy = ConflictPathOf(path, hash);
    report_.conflicts.push_back({path, copy, local_stands});
    RECALL_ASSIGN(const auto live, texts().FindDoc(copy));
    if (live) return {};  // it was kept before
    NewNoteText note{copy, ConflictTextOf(path, text), {}, mtime};
    const Status made = Put(std::nullopt, note);
    if (!IsOfFile(made)) return made;
    // A file is in the way: the note is kept in the store alone.
    note.origin = kSavedOrigin;
    RECALL_ASSIGN(const PreparedDocument prepared,
                  PrepareNote(deps_, *batch_, std::nullopt, std::move(note)));
    return (*batch_)->Put(prepared);
  }

  const NoteDependencies& deps_;
  const PullRequest& request_;
  const Redactor redactor_;
  LocalStore store_;
  std::unique_ptr<NoteBatch> batch_;
  std::string folder_;  // of notes_dir; "": notes are in the store alone
  std::map<std::string, SharedNote> known_;
  bool writes_ = false;
  PulledNotes report_;
};

}  // namespace

Result<PulledNotes> PullNotes(const NoteDependencies& deps, const PullRequest& request,
                              const BranchNotes& histories) {
  RECALL_ASSIGN(Redactor redactor,
                Redactor::Make(request.secret_settings.rules, request.secret_settings.allow));
  return NotePullRun(deps, request, std::move(redactor)).Run(histories);
}

}  // namespace recall
