// Finds what a branch lacks of the notes of a store.
//
// Problem. The branch should get each edit once, and each removal, although a note that was removed
// is no longer in the store, and other machines write the branch, too.
//
// Idea. The text of a note is compared with the heads of its versions. What the store knows of a
// note (SharedNote) tells a removal, of which it knows versions, from a note that has not come yet.
// A new version replaces the heads that the store knows, and no others: an edit of another machine
// that was not pulled stays a head, and the next pull unites both.
//
// Invariants. A note that is as its only head is not written. A note is never removed from the
// branch while the branch has a version of it that the store does not know.
//
// Cost: one reading of the notes of the store.

#include "query/memory/sharing/note_push.h"

#include <algorithm>
#include <set>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/write/local/local_note_records.h"
#include "query/memory/git/git_branches.h"
#include "query/memory/sharing/shared_text.h"
#include "storage/documents/document_store.h"
#include "storage/notes/note_card.h"

namespace recall {
namespace {

// A frame ends with the line that reaches this size.
constexpr size_t kNoteFrameBytes = size_t{1} << 20;

class NotePlan final {
 public:
  explicit NotePlan(const NotePushInput& input) : input_(input) {}

  Result<PlannedNotes> Run() {
    RECALL_ASSIGN(known_, ReadSharedNotes(input_.transaction.connection()));
    RECALL_ASSIGN(const std::vector<DocRow> docs, ListNotes());
    RECALL_TRY(ReadTracked(docs));
    for (const DocRow& doc : docs) {
      if (input_.cancelled.load(std::memory_order_relaxed)) {
        return Fail(Status::Cancelled("interrupted"));
      }
      RECALL_TRY(TakeNote(doc));
    }
    if (input_.request.filter.empty()) RECALL_TRY(TakeRemovals());
    return std::move(plan_);
  }

 private:
  // The notes that may be carried, by path.
  Result<std::vector<DocRow>> ListNotes() const {
    std::vector<int64_t> rows;
    RECALL_TRY(LocalNoteRecords(input_.transaction).ScanFacts(0, [&](const NoteFacts& facts) {
      const bool is_wanted =
          !input_.wanted || input_.wanted->Contains(static_cast<uint32_t>(facts.doc_row));
      if (facts.is_note && is_wanted) rows.push_back(facts.doc_row);
    }));
    std::vector<DocRow> docs;
    for (const int64_t row : rows) {
      RECALL_ASSIGN(DocRow doc, ReadDoc(input_.transaction, row));
      if (IsSharedNotePath(doc.path)) docs.push_back(std::move(doc));
    }
    std::ranges::sort(docs, {}, &DocRow::path);
    return docs;
  }

  Status ReadTracked(const std::vector<DocRow>& docs) {
    const bool any =
        std::ranges::any_of(docs, [](const DocRow& doc) { return doc.origin == kFileOrigin; });
    if (!any) return {};
    RECALL_ASSIGN(const auto files, TrackedFiles(input_.repository));
    tracked_.insert(files.begin(), files.end());
    return {};
  }

  bool IsTracked(const DocRow& doc) const {
    if (doc.origin != kFileOrigin || tracked_.empty()) return false;
    const auto name = PathInRepository(input_.repository, FilePathOf(doc.path, input_.root));
    return name && tracked_.contains(*name);
  }

  Status TakeNote(const DocRow& doc) {
    if (IsPrivateCard(doc.meta.value_or("")) && !input_.request.include_private) {
      plan_.counts.kept_private += 1;
      return {};
    }
    if (IsTracked(doc)) {
      plan_.counts.kept_by_git += 1;
      return {};
    }
    if (static_cast<uint64_t>(doc.size) > kMostSharedNoteBytes) {
      plan_.warnings.push_back(doc.path + " is not pushed: it is larger than 16 MiB");
      return {};
    }
    plan_.counts.present += 1;
    RECALL_ASSIGN(const std::string text,
                  ReadText(input_.transaction, doc, 0, static_cast<uint64_t>(doc.size)));
    std::map<std::string, int64_t> redacted;
    TakeText(doc, SharedNoteText(input_.redactor, text, &redacted));
    for (const auto& [kind, count] : redacted) plan_.redacted[kind] += count;
    return {};
  }

  void TakeText(const DocRow& doc, std::string text) {
    const std::vector<NoteVersions::Head> heads = HeadsOf(doc.path);
    const SharedNote& known = KnownOf(doc.path);
    const Digest hash = Sha256(text);
    const auto same = std::ranges::find_if(heads, [&](const NoteVersions::Head& head) {
      return !head.version->is_removal && head.version->hash == hash;
    });
    if (same != heads.end() && heads.size() == 1) {
      Know(doc.path, same->id);
      if (input_.request.force) Append(*same->version);
      return;
    }
    // Of several heads, the next pull makes one.
    if (same != heads.end() && !KnowsAll(heads, known)) return;
    std::vector<Digest> replaces;
    for (const NoteVersions::Head& head : heads) {
      if (known.Knows(head.id)) replaces.push_back(head.id);
    }
    const SharedNoteVersion version =
        NoteVersion(doc.path, std::move(text), doc.mtime, std::move(replaces));
    Know(doc.path, version.Id());
    Append(version);
  }

  Status TakeRemovals() {
    for (const auto& [path, known] : known_) {
      const std::vector<NoteVersions::Head> heads = HeadsOf(path);
      if (heads.empty()) continue;
      RECALL_ASSIGN(const auto live, FindLiveDoc(input_.transaction, path));
      if (live) continue;
      const bool is_removed = std::ranges::all_of(
          heads, [](const NoteVersions::Head& head) { return head.version->is_removal; });
      if (is_removed && input_.request.force) AppendLine(WriteNoteLine(*heads[0].version));
      if (is_removed || !KnowsAll(heads, known)) continue;
      std::vector<Digest> replaces;
      for (const NoteVersions::Head& head : heads) replaces.push_back(head.id);
      const SharedNoteVersion removal = NoteRemoval(path, std::move(replaces));
      Know(path, removal.Id());
      AppendLine(WriteNoteLine(removal));
      plan_.counts.removed += 1;
    }
    return {};
  }

  std::vector<NoteVersions::Head> HeadsOf(const std::string& path) const {
    const auto history = input_.histories.find(path);
    if (history == input_.histories.end()) return {};
    return history->second.Heads();
  }

  const SharedNote& KnownOf(const std::string& path) const {
    static const SharedNote kNothing;
    const auto found = known_.find(path);
    return found == known_.end() ? kNothing : found->second;
  }

  static bool KnowsAll(const std::vector<NoteVersions::Head>& heads, const SharedNote& known) {
    return std::ranges::all_of(
        heads, [&](const NoteVersions::Head& head) { return known.Knows(head.id); });
  }

  void Know(const std::string& path, const Digest& version) {
    SharedNote known = KnownOf(path);
    if (known.Knows(version)) return;
    known.Write(version);
    plan_.known[path] = std::move(known);
  }

  void Append(const SharedNoteVersion& version) {
    plan_.counts.written += 1;
    AppendLine(WriteNoteLine(version));
  }

  void AppendLine(const std::string& line) {
    std::vector<std::string>& frames = plan_.frames;
    const bool is_full = frames.empty() || frames.back().size() + line.size() > kNoteFrameBytes;
    if (is_full) frames.emplace_back();
    frames.back() += line;
  }

  const NotePushInput& input_;
  std::map<std::string, SharedNote> known_;
  std::set<std::string> tracked_;  // files of the work tree that git has
  PlannedNotes plan_;
};

}  // namespace

Result<PlannedNotes> PlanNotes(const NotePushInput& input) { return NotePlan(input).Run(); }

}  // namespace recall
