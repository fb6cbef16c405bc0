// Saves and retires notes.
//
// A note is one commit: the document, the links that its text and the request make, and the
// appointment of its first review. The id is chosen under the write lock, so two processes never
// save different notes under one id.
//
//   request -> PlanNote (checks, triggers, summary) -> nearest notes -> batch:
//     id -> text -> PrepareDocument -> Put, PutLink, PutReview -> Commit
//
// With `notes_dir`, a new note becomes a file there, too, before it is committed.
//
// A note that came from a file is written to that file first, whole or not at all; otherwise the
// next `add` would bring the old text back. If the commit fails, the file gets its old text back;
// if the process dies between the two, the same request or the next `add` takes the new text from
// the file. A file that was edited since it was added is never overwritten.

#include "query/memory/notes/save.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/base/text/utf8.h"
#include "index/source/chunk/front_matter.h"
#include "index/source/note/card_edit.h"
#include "index/source/note/text_links.h"
#include "index/source/note/triggers.h"
#include "index/source/secrets/redactor.h"
#include "index/write/ingest/document_builder.h"
#include "index/write/ingest/text_file.h"
#include "index/write/local/local_store.h"
#include "query/ask/rows/views.h"
#include "query/memory/notes/note_writing.h"
#include "storage/metadata/metadata_values.h"
#include "storage/notes/note_card.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

constexpr size_t kMostTitleBytes = 500;
constexpr size_t kMostIdBytes = 200;
constexpr size_t kMostNoteBytes = 16 << 20;

Status CheckLine(std::string_view name, std::string_view text, size_t most) {
  if (text.find_first_not_of(" \t") == std::string_view::npos) {
    return Status::InvalidArgument("the " + std::string(name) + " of the note is empty",
                                   "specify a " + std::string(name));
  }
  const bool one_line = std::ranges::none_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (!one_line || !IsValidUtf8(text)) {
    return Status::InvalidArgument("the " + std::string(name) +
                                   " of the note is not one line of UTF-8 text");
  }
  if (text.size() > most) {
    return Status::InvalidArgument("the " + std::string(name) + " of the note has more than " +
                                   std::to_string(most) + " bytes");
  }
  return Status::Ok();
}

Status CheckId(std::string_view id) {
  RECALL_TRY(CheckLine("id", id, kMostIdBytes));
  if (id.find('/') == std::string_view::npos && id.front() != '.') return Status::Ok();
  return Status::InvalidArgument("'" + std::string(id) + "' is not the id of a note",
                                 "an id has no '/' and does not begin with '.'");
}

Status CheckMarkdown(std::string_view text) {
  if (text.size() > kMostNoteBytes) return Status::LimitExceeded("the note has more than 16 MiB");
  if (!IsValidUtf8(text)) return Status::InvalidArgument("the note is not UTF-8 text");
  return Status::Ok();
}

Status CheckDraft(const NoteDraft& note) {
  RECALL_TRY(CheckLine("type", note.type, kMostTitleBytes));
  RECALL_TRY(CheckLine("title", note.title, kMostTitleBytes));
  if (note.confidence && !(*note.confidence >= 0 && *note.confidence <= 1)) {
    return Status::InvalidArgument("the confidence of a note is a number from 0 to 1");
  }
  if (note.context && note.context->trigger_keywords.empty()) {
    return Status::InvalidArgument("the context of the note has no trigger_keywords",
                                   "list the words in which the note is wanted");
  }
  return CheckMarkdown(note.text);
}

Status NotANote(const std::string& path) {
  return Status::InvalidArgument(path + " is not a note",
                                 "only notes have a card; see `recall help notes`");
}

std::string WithNewline(std::string text) {
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

// The text of a note with other Markdown behind its card.
std::string WithBody(std::string_view note, std::string_view body) {
  const auto card = FindFrontMatter(note);
  std::string text(note.substr(0, card ? card->end : 0));
  if (card && !text.ends_with('\n')) text += '\n';
  if (card && !body.empty()) text += '\n';
  text += body;
  return WithNewline(std::move(text));
}

// Gives a live document another text, in its file as well.
Status Rewrite(const NoteDependencies& deps, NoteBatch& batch, const DocRow& live, std::string text,
               UnixNanos at) {
  RECALL_ASSIGN(const auto file_time, RewriteNoteFile(deps, batch, live, text));
  RECALL_ASSIGN(const PreparedDocument prepared, PrepareNote(deps, batch, live,
                                                             {.path = live.path,
                                                              .text = std::move(text),
                                                              .origin = live.origin,
                                                              .mtime = file_time.value_or(at)}));
  if (prepared.outcome == PreparedDocument::Outcome::kUnchanged) return Status::Ok();
  return batch->Put(prepared);
}

struct Retired {
  std::optional<LinkRecord> link;
  bool unchanged = true;
};

// Marks a note as obsolete and links its successor to it. `successor`: a path, or "".
Result<Retired> Retire(const NoteDependencies& deps, NoteBatch& batch, const DocRow& live,
                       const std::string& successor, UnixNanos at) {
  if (live.parser != kNoteParser) {
    return Fail(NotANote(live.path));
  }
  if (successor == live.path) {
    return Fail(Status::InvalidArgument(live.path + " cannot supersede itself"));
  }
  Retired retired;
  const NoteCard card = ReadNoteCard(live.meta.value_or(""), live.mtime);
  if (!card.obsolete || card.status != "obsolete") {
    RECALL_ASSIGN(std::string text,
                  batch->view().texts().ReadText(live, 0, static_cast<uint64_t>(live.size)));
    text = WithCardValue(text, "status", "obsolete");
    text = WithCardValue(text, "updated", FormatRfc3339(at));
    RECALL_TRY(Rewrite(deps, batch, live, std::move(text), at));
    retired.unchanged = false;
  }
  if (successor.empty()) return retired;
  LinkRecord link{.source = successor, .target = live.path, .relation = "supersedes", .at = at};
  RECALL_ASSIGN(const bool made, batch->PutLink(link));
  if (made) {
    retired.link = std::move(link);
    retired.unchanged = false;
  }
  return retired;
}

class SaveRun final {
 public:
  SaveRun(const NoteDependencies& deps, const SaveRequest& request, PlannedNote plan)
      : deps_(deps),
        request_(request),
        redactor_(plan.redactor),
        plan_(std::move(plan)),
        store_(deps.store, deps.space) {}

  Result<SaveReport> Run(NearAnswer near) {
    RECALL_ASSIGN(folder_, NotesFolder(deps_, request_.notes_dir));
    report_.summary_cut = plan_.summary_cut;
    report_.extracted_triggers = std::move(plan_.extracted_triggers);
    RECALL_ASSIGN(batch_, NoteBatch::Begin(store_, deps_));
    RECALL_TRY(ChoosePath());
    const auto is_this_note = [&](const auto& other) { return other.doc.path == path_; };
    report_.near = std::move(near.near);
    std::erase_if(report_.near, is_this_note);
    report_.contradicts = std::move(near.contradicts);
    std::erase_if(report_.contradicts, is_this_note);
    RECALL_TRY(CheckNearness());
    RECALL_TRY(Write());
    if (!request_.dry_run && !report_.unchanged) RECALL_TRY(batch_->Commit());
    return std::move(report_);
  }

 private:
  std::string PathOf(const std::string& id) const {
    return folder_.empty() ? NotePathOf(id) : folder_ + "/" + id + ".md";
  }

  // Whether there is a document with this path, or a file that the store does not know.
  Result<bool> IsTaken(const std::string& path) const {
    // Of all documents: a hidden one must not be replaced either.
    RECALL_ASSIGN(const auto doc, (*batch_)->view().texts().FindDoc(path));
    return doc.has_value() || (!folder_.empty() && HasNoteFile(deps_, path));
  }

  // The id of the request, or that of the title. Lower case would hide a secret in either from
  // those who look at the path.
  std::string GivenId() const {
    const Redactor* const redactor =
        request_.secrets == SecretPolicy::kRedact ? redactor_.get() : nullptr;
    const RedactedText title(redactor, plan_.draft.title, nullptr);
    if (!request_.id) return NoteIdOf(title.view());
    const RedactedText id(redactor, *request_.id, nullptr);
    return id.view() == *request_.id ? *request_.id : NoteIdOf(id.view());
  }

  Status ChoosePath() {
    if (request_.rewrite) return FindRewritten();
    std::string id = GivenId();
    if (!request_.id && !request_.replace) {
      const std::string base = id;
      for (int64_t number = 2;; ++number) {
        RECALL_ASSIGN(const bool taken, IsTaken(PathOf(id)));
        if (!taken) break;
        id = base + "-" + std::to_string(number);
      }
    }
    path_ = PathOf(id);
    report_.id = std::move(id);
    RECALL_ASSIGN(live_, batch_->visible().texts().FindDoc(path_));
    if (!live_ && request_.replace && !folder_.empty()) RECALL_TRY(FindElsewhere());
    RECALL_ASSIGN(const bool taken, IsTaken(path_));
    report_.replaced = live_.has_value();
    if (!taken || (request_.replace && live_)) return Status::Ok();
    RECALL_ASSIGN(const auto known, (*batch_)->view().texts().FindDoc(path_));
    if (!known) {
      return Status::NoteExists("there is a file " + path_ + " that the store does not know",
                                "`recall add " + path_ + "` adds it");
    }
    return Status::NoteExists("there is a note with the id " + report_.id,
                              "use another --id, or --replace to write a new version");
  }

  // A note that was saved before notes_dir was set stays where it is.
  Status FindElsewhere() {
    const std::string path = NotePathOf(report_.id);
    RECALL_ASSIGN(live_, batch_->visible().texts().FindDoc(path));
    if (live_) path_ = path;
    return Status::Ok();
  }

  Status FindRewritten() {
    RECALL_ASSIGN(live_, FindTarget(batch_->visible().texts(), *request_.rewrite, deps_.root));
    if (live_->parser != kNoteParser) return NotANote(live_->path);
    if (request_.based_on && *request_.based_on != ToHex(live_->hash)) {
      return Status::NoteExists(live_->path + " was changed meanwhile; the new text was not saved",
                                "read the note as it is now, and change that");
    }
    path_ = live_->path;
    const std::string_view stem = std::string_view(path_).substr(path_.rfind('/') + 1);
    report_.id = stem.substr(0, stem.rfind('.'));
    if (NotePathOf(report_.id) != path_) report_.id = path_;
    report_.replaced = true;
    return Status::Ok();
  }

  // The whole text to be written.
  Result<std::string> Text() {
    if (!request_.rewrite) return PrintDraft();
    RECALL_ASSIGN(const std::string present, (*batch_)->view().texts().ReadText(
                                                 *live_, 0, static_cast<uint64_t>(live_->size)));
    std::string text = request_.rewrites_card ? WithNewline(plan_.draft.text)
                                              : WithBody(present, plan_.draft.text);
    if (text == present) return text;
    return WithCardValue(text, "updated", FormatRfc3339(plan_.at));
  }

  Status CheckNearness() const {
    if (!request_.unless_near) return Status::Ok();
    const double least = *request_.unless_near;
    const auto same = std::ranges::find_if(report_.near, [&](const NearDocument& near) {
      return near.score >= least && near.likeness >= std::min(least, kLeastSameLikeness);
    });
    if (same == report_.near.end()) return Status::Ok();
    char score[32];
    std::snprintf(score, sizeof(score), "%.2f", same->score);
    return Status::NearDuplicate(same->doc.path + " is as near as " + score,
                                 "read it, and change it with --replace if it says the same");
  }

  // The card and the text of the draft. A new version keeps the time of creation. Only another time
  // of the change would not make a new version, so that a request can be made again.
  std::string PrintDraft() {
    NoteDraft& note = plan_.draft;
    if (live_) {
      const NoteCard card = ReadNoteCard(live_->meta.value_or(""), live_->mtime);
      if (!note.created) note.created = card.created;
      if (!note.updated) {
        for (const auto& before : {std::optional<UnixNanos>(), card.touched}) {
          note.updated = before;
          std::string text = PrintNote(note);
          if (Sha256(text) == live_->hash) return text;
        }
        note.updated = plan_.at;
      }
    }
    if (!note.created) note.created = plan_.at;
    return PrintNote(note);
  }

  // Whether the note is to be a file, too: because new ones are, or because it is one.
  bool IsFile(std::string_view text) const {
    const bool in_folder = !folder_.empty() && path_.starts_with(folder_ + "/");
    if (in_folder &&
        !StaysOutOfFolder(ExtractMetadata(text).object.value_or(""), request_.notes_dir)) {
      return true;
    }
    return live_ && live_->origin == kFileOrigin && HasNoteFile(deps_, path_);
  }

  // Writes the file of the note: what the store gets. Returns: its time.
  Result<std::optional<UnixNanos>> WriteFile(const std::string& text) const {
    const bool redact = request_.secrets == SecretPolicy::kRedact;
    return WriteNoteFile(deps_, *batch_, live_, path_,
                         redact ? redactor_->Redact(text, nullptr) : text);
  }

  Status Write() {
    RECALL_ASSIGN(const std::string text, Text());
    const bool same = live_ && Sha256(text) == live_->hash;
    const bool is_file = IsFile(text);
    RECALL_ASSIGN(PreparedDocument prepared,
                  PrepareNote(deps_, *batch_, live_,
                              {.path = path_,
                               .text = text,
                               .origin = is_file ? kFileOrigin : kSavedOrigin,
                               .mtime = same ? live_->mtime.value_or(plan_.at) : plan_.at,
                               .secrets = request_.secrets,
                               .redactor = redactor_}));
    report_.unchanged = prepared.outcome == PreparedDocument::Outcome::kUnchanged;
    if (is_file && !report_.unchanged && !request_.dry_run) {
      RECALL_ASSIGN(const auto file_time, WriteFile(text));
      if (file_time) prepared.doc.mtime = *file_time;
    }
    for (const std::string_view kind : plan_.kinds_in_summary) {
      report_.warnings.push_back("the summary of the note contains a credential (" +
                                 std::string(kind) + ")");
    }
    for (const DocumentSecret& secret : prepared.secrets) {
      report_.warnings.push_back("line " + std::to_string(secret.line) +
                                 " of the note contains a credential (" + secret.kind + ")");
    }
    DocRow described = prepared.doc;
    described.chunk_count = static_cast<uint32_t>(prepared.spans.size());
    for (const ChunkSpan& span : prepared.spans) described.tokens += span.tokens;
    report_.doc = MakeDocView(described);
    if (!report_.unchanged) RECALL_TRY((*batch_)->Put(prepared));
    RECALL_TRY(MakeLinks());
    RECALL_TRY(Schedule());
    report_.unchanged &= report_.links.empty() && !retired_ && !report_.due;
    return Status::Ok();
  }

  Status MakeLinks() {
    for (const auto& [relation, target] : request_.links) {
      if (!IsRelationName(relation)) {
        return Status::InvalidArgument("'" + relation + "' is not the name of a relation",
                                       "a relation has letters, digits and '_'");
      }
      RECALL_ASSIGN(const DocRow doc, FindTarget(batch_->visible().texts(), target, deps_.root));
      if (doc.path == path_) {
        return Status::InvalidArgument("a note cannot be linked to itself: " + target);
      }
      LinkRecord link{.source = path_, .target = doc.path, .relation = relation, .at = plan_.at};
      RECALL_ASSIGN(const bool made, (*batch_)->PutLink(link));
      if (made) report_.links.push_back(std::move(link));
    }
    if (!request_.supersedes) return Status::Ok();
    RECALL_ASSIGN(const DocRow old,
                  FindTarget(batch_->visible().texts(), *request_.supersedes, deps_.root));
    std::erase_if(report_.contradicts, [&](const auto& of) { return of.doc.path == old.path; });
    if (request_.dry_run) return Status::Ok();
    RECALL_ASSIGN(Retired retired, Retire(deps_, *batch_, old, path_, plan_.at));
    if (retired.link) report_.links.push_back(*std::move(retired.link));
    retired_ = !retired.unchanged;
    return Status::Ok();
  }

  // The first review is on the next day.
  Status Schedule() {
    RECALL_ASSIGN(const auto doc, (*batch_)->view().texts().FindDoc(path_));
    if (!doc) return Status::Ok();
    RECALL_ASSIGN(const auto facts, (*batch_)->view().notes().FindFacts(
                                        doc->row, std::numeric_limits<UnixNanos>::max()));
    if (facts && facts->activity.due) return Status::Ok();
    ReviewRow first;
    first.at = plan_.at;
    first.interval_days = 1;
    first.due = AddTime(plan_.at, kNanosPerDay);
    report_.due = first.due;
    RECALL_TRY((*batch_)->PutReview(path_, first));
    return Status::Ok();
  }

  const NoteDependencies& deps_;
  const SaveRequest& request_;
  const std::shared_ptr<const Redactor> redactor_;
  PlannedNote plan_;
  LocalStore store_;
  std::unique_ptr<NoteBatch> batch_;
  std::string folder_;  // of notes_dir; "": notes are in the store alone
  std::string path_;
  std::optional<DocRow> live_;
  bool retired_ = false;  // another note
  SaveReport report_;
};

}  // namespace

namespace {

// Cuts the summary of a note to its length. Errors: InvalidArgument if it has a secret, and the
// policy is to leave such notes out.
Status PlanSummary(const SaveRequest& request, PlannedNote* plan) {
  std::string& whole = *plan->draft.summary;
  const bool redacts = request.secrets == SecretPolicy::kRedact;
  const RedactedText summary(redacts ? plan->redactor.get() : nullptr, whole, nullptr);
  std::string cut = CutSummary(summary);
  if (cut.size() == summary.view().size()) return {};  // the note is redacted as a whole
  std::vector<SecretSpan> secrets;
  if (plan->redactor) {
    secrets = plan->redactor->Find(whole);
  } else if (request.secrets == SecretPolicy::kWarn) {
    secrets = FindSecrets(whole);
  }
  if (!secrets.empty() && request.secrets == SecretPolicy::kSkip) {
    return Status::InvalidArgument("the note was not saved: its summary contains a credential (" +
                                       std::string(secrets.front().kind) + ")",
                                   "remove the credential, or use --secrets redact");
  }
  for (const SecretSpan& secret : secrets) plan->kinds_in_summary.push_back(secret.kind);
  plan->summary_cut = true;
  whole = std::move(cut);
  return {};
}

// The part of a written note that is compared with others. Errors: InvalidArgument if it has no
// card with a type and a title.
Result<ComparedNote> ReadWrittenNote(const std::string& text) {
  const auto card = FindFrontMatter(text);
  if (!card) {
    return Fail(Status::InvalidArgument("the note has no card",
                                        "it begins with lines of YAML between two lines ---"));
  }
  const std::string meta = ExtractMetadata(text).object.value_or("");
  const auto value = [&](const std::string& key) {
    const auto scalars = MetadataAt(meta, {&key, 1});
    const bool is_text = scalars && !scalars->empty() && !scalars->front().text.empty();
    return is_text ? scalars->front().text : std::string();
  };
  const std::string title = value("title");
  RECALL_TRY(CheckLine("type", value("type"), kMostTitleBytes));
  RECALL_TRY(CheckLine("title", title, kMostTitleBytes));
  ComparedNote compared = ComparedPartOf(title, value("summary"), text);
  compared.scope = value("scope");
  return compared;
}

}  // namespace

Result<PlannedNote> PlanNote(const SaveRequest& request) {
  PlannedNote plan;
  RECALL_ASSIGN(plan.redactor, RedactorFor(request.secrets, request.secret_settings));
  plan.draft = request.note;
  plan.at = request.at.value_or(WallClockNanos());
  NoteDraft& note = plan.draft;
  if (request.rewrite) {
    RECALL_TRY(CheckMarkdown(note.text));
    if (request.rewrites_card) {
      RECALL_ASSIGN(plan.compared, ReadWrittenNote(note.text));
    } else {
      plan.compared = ComparedPartOf("", "", note.text);
    }
    return plan;
  }
  RECALL_TRY(CheckDraft(note));
  if (request.id) RECALL_TRY(CheckId(*request.id));
  if (note.summary) RECALL_TRY(PlanSummary(request, &plan));
  if (note.context) {
    for (const std::string& keyword : note.context->trigger_keywords) {
      if (std::ranges::find(note.recall_when, keyword) == note.recall_when.end()) {
        note.recall_when.push_back(keyword);
      }
    }
  }
  if (note.recall_when.empty() && request.extract_triggers) {
    const Redactor* const redactor =
        request.secrets == SecretPolicy::kRedact ? plan.redactor.get() : nullptr;
    plan.extracted_triggers = ExtractTriggers(RedactedText(redactor, note.title, nullptr),
                                              RedactedText(redactor, note.text, nullptr));
    note.recall_when = plan.extracted_triggers;
  }
  const std::string text = PrintNote(note);
  if (!IsValidUtf8(text)) {
    return Fail(Status::InvalidArgument("the note is not UTF-8 text"));
  }
  plan.compared = ComparedPartOf(note.title, note.summary.value_or(""), text);
  plan.compared.scope = note.scope.value_or("");
  return plan;
}

Result<SaveReport> RunSave(const NoteDependencies& deps, const SaveRequest& request,
                           PlannedNote plan, NearAnswer near) {
  return SaveRun(deps, request, std::move(plan)).Run(std::move(near));
}

Result<RetireReport> RunRetire(const NoteDependencies& deps, const RetireRequest& request) {
  LocalStore store(deps.store, deps.space);
  RECALL_ASSIGN(const auto batch, NoteBatch::Begin(store, deps));
  const TextsAndFacts& texts = batch->visible().texts();
  RECALL_ASSIGN(const DocRow doc, FindTarget(texts, request.target, deps.root));
  std::string successor;
  if (request.by) {
    RECALL_ASSIGN(const DocRow by, FindTarget(texts, *request.by, deps.root));
    successor = by.path;
  }
  RetireReport report;
  if (request.dry_run) {
    report.doc = MakeDocView(doc);
    report.unchanged = ReadNoteCard(doc.meta.value_or(""), doc.mtime).obsolete;
    return report;
  }
  const UnixNanos at = request.at.value_or(WallClockNanos());
  RECALL_ASSIGN(Retired retired, Retire(deps, *batch, doc, successor, at));
  report.link = std::move(retired.link);
  report.unchanged = retired.unchanged;
  RECALL_ASSIGN(const auto now, (*batch)->view().texts().FindDoc(doc.path));
  report.doc = MakeDocView(now.value_or(doc));
  if (!report.unchanged) RECALL_TRY(batch->Commit());
  return report;
}

}  // namespace recall
