// Writes the sessions and notes of the store to the branch of this person, and the branch to a
// remote.
//
// Problem. Several people, and several machines of one, share sessions through a server that knows
// nothing of them, and a branch should not grow by what it has already.
//
// Idea. The branch has one file. What the store has and the file lacks is appended in frames; the
// file is never otherwise changed, so that git stores and sends the difference. Which version of a
// session the file has is read from the file itself, so there is no state that could be wrong.
// Sessions that were pulled are not pushed again, unless they were captured here, too. Of notes
// (note_push.cc) the store has to know which versions are its own; it records them before the
// branch is written, so a push that fails or is killed can be made again.
//
// Invariants. If nothing is new, no commit is made. Nothing but the branch and objects is written
// to the repository. What was captured with its secrets is not read unless it is asked for.
//
// Cost: one reading of the file and of the store's sessions. Memory: the file.

#include "query/memory/sharing/push.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "query/ask/rows/scope.h"
#include "query/memory/git/git_branches.h"
#include "query/memory/sessions/session_documents.h"
#include "query/memory/sessions/session_writer_lock.h"
#include "query/memory/sharing/note_push.h"
#include "query/memory/sharing/session_branch.h"
#include "query/memory/sharing/session_line.h"
#include "storage/base/ids.h"
#include "storage/documents/document_store.h"
#include "storage/sessions/session_body.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

// A frame ends with the line that reaches this size.
constexpr size_t kFrameBytes = size_t{1} << 20;

class PushPlan final {
 public:
  PushPlan(const PushSource& source, const std::atomic<bool>& cancelled, const PushRequest& request)
      : transaction_(source.transaction),
        source_(source),
        cancelled_(cancelled),
        request_(request) {}

  Result<PlannedPush> Run() {
    RECALL_ASSIGN(repository_, RepositoryForSharing(request_.directory));
    RECALL_ASSIGN(report_.branch, OwnBranch(repository_));
    report_.remote = request_.remote;
    RECALL_ASSIGN(auto redactor,
                  Redactor::Make(request_.secret_settings.rules, request_.secret_settings.allow));
    redactor_.emplace(std::move(redactor));
    RECALL_ASSIGN(const BranchTip tip, FindTip());
    std::string before;
    if (!tip.base.empty()) {
      RECALL_ASSIGN(before, ReadFileOfCommit(repository_, tip.base, std::string(kSessionBodyName),
                                             kMostBodyBytes));
      RECALL_TRY(ReadVersions(before));
    }
    PlannedPush plan{.local_tip = tip.local, .base = tip.base};
    plan.body = request_.force || before.empty() ? std::string(kSessionBodyHeader) : before;
    RECALL_ASSIGN(const ResolvedScope wanted, ResolveWanted());
    RECALL_TRY(AppendSessions(wanted, &plan.body));
    plan.body_without_notes = plan.body.size();
    RECALL_TRY(AppendNotes(wanted, &plan));
    if (plan.body.size() > kMostBodyBytes) {
      return Fail(Status::LimitExceeded("the branch would be larger than 2 GiB",
                                        "push --force leaves out old versions; --filter leaves "
                                        "out sessions and notes"));
    }
    if (report_.sessions + report_.notes.present == 0 && tip.base.empty()) return NothingToPush();
    plan.first_size = before.empty() || request_.force ? 0 : static_cast<int64_t>(before.size());
    plan.differs = plan.body != before;
    plan.repository = std::move(repository_);
    plan.report = std::move(report_);
    return plan;
  }

 private:
  struct BranchTip {
    std::string local;  // the commit of refs/heads/...; "": none
    std::string base;   // the commit that the file is taken from; "": none
  };

  Result<PlannedPush> NothingToPush() const {
    if (report_.kept_back > 0) {
      return Fail(Status::NotFound("all sessions were captured with their secrets",
                                   "--include-unredacted pushes them nevertheless"));
    }
    if (report_.notes.kept_private > 0) {
      return Fail(
          Status::NotFound("all notes are private", "--include-private pushes them nevertheless"));
    }
    return Fail(Status::NotFound("the store has no sessions and no notes to push",
                                 "`recall capture` makes sessions of transcripts, `recall save` "
                                 "writes notes"));
  }

  Result<ResolvedScope> ResolveWanted() {
    Scope scope;
    scope.filter = request_.filter;
    RECALL_ASSIGN(ResolvedScope wanted,
                  ResolveScope(source_.filters, scope, source_.snapshot, FilterDomain::kDocs));
    report_.warnings = wanted.warnings;
    return wanted;
  }

  // The branch of this repository, unless the remote has gone on with it; on a new machine there
  // is only that of the remote.
  Result<BranchTip> FindTip() {
    const std::string local = "refs/heads/" + report_.branch;
    RECALL_ASSIGN(const std::string prefix, PrefixOfPulled(repository_, request_.remote));
    const std::string pulled = prefix + report_.branch.substr(std::string("recall/").size());
    RECALL_ASSIGN(const auto refs, ListRefs(repository_, {local, pulled}));
    BranchTip tip;
    std::string remote;
    for (const GitRef& ref : refs) {
      if (ref.name == local) tip.local = ref.sha;
      if (ref.name == pulled) remote = ref.sha;
    }
    tip.base = tip.local;
    if (remote.empty() || remote == tip.local) return tip;
    bool goes_on = tip.local.empty();
    if (!goes_on) {
      RECALL_ASSIGN(goes_on, IsAncestor(repository_, tip.local, remote));
    }
    if (goes_on) tip.base = remote;
    return tip;
  }

  // Notes the newest version of each session of the file, and the versions of notes. A file that is
  // written anew has no sessions yet, and may be damaged.
  Status ReadVersions(std::string_view body) {
    Result<SessionBodyReader> reader = SessionBodyReader::Open(body);
    if (!reader && request_.force) return {};
    if (!reader) return reader.error();
    while (const auto frame = reader->Next()) {
      if (!frame->lines) continue;  // its sessions and notes are appended again
      if (!request_.force) {
        ForEachLine(*frame->lines, [&](std::string_view line) {
          const auto session = ReadSessionLine({"recall.body", frame->number, line});
          if (session) versions_[session->path] = Sha256(line);
        });
      }
      AddNoteVersions({"recall.body", frame->number, frame->notes}, &histories_);
    }
    return {};
  }

  // Captured here, or on another machine that writes the same branch.
  bool IsOwn(const DocRow& doc) const {
    return doc.parser == kSessionParser &&
           (doc.origin == kCaptureOrigin || doc.source == "git:" + report_.branch);
  }

  Status AppendSessions(const ResolvedScope& wanted, std::string* body) {
    RECALL_ASSIGN(const auto docs, FindLiveDocsUnder(transaction_, "sessions"));
    std::string lines;
    for (const DocRow& doc : docs) {
      if (cancelled_.load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
      if (!IsOwn(doc) || (wanted.set && !wanted.set->Contains(static_cast<uint32_t>(doc.row)))) {
        continue;
      }
      RECALL_ASSIGN(const std::string line, LineOf(doc));
      if (line.empty()) continue;
      report_.sessions += 1;
      const auto known = versions_.find(doc.path);
      if (known != versions_.end() && known->second == Sha256(line)) continue;
      report_.written += 1;
      if (!lines.empty() && lines.size() + line.size() > kFrameBytes) {
        AppendSessionFrame(lines, body);
        lines.clear();
      }
      lines += line;
    }
    if (!lines.empty()) AppendSessionFrame(lines, body);
    return {};
  }

  Status AppendNotes(const ResolvedScope& wanted, PlannedPush* plan) {
    RECALL_ASSIGN(PlannedNotes notes, PlanNotes({.transaction = transaction_,
                                                 .wanted = wanted.allowed(),
                                                 .repository = repository_,
                                                 .root = source_.root,
                                                 .redactor = *redactor_,
                                                 .request = request_,
                                                 .histories = histories_,
                                                 .cancelled = cancelled_}));
    for (const std::string& lines : notes.frames) AppendNoteFrame(lines, &plan->body);
    for (const auto& [kind, count] : notes.redacted) report_.redacted[kind] += count;
    std::ranges::move(notes.warnings, std::back_inserter(report_.warnings));
    report_.notes = notes.counts;
    plan->known = std::move(notes.known);
    return {};
  }

  // The line of a session; "" if it is not to be pushed.
  Result<std::string> LineOf(const DocRow& doc) {
    const std::string meta = doc.meta.value_or("{}");
    const bool keeps_secrets = ReadSessionMeta(meta).keeps_secrets;
    if (keeps_secrets && !request_.include_unredacted) {
      report_.kept_back += 1;
      return std::string();
    }
    RECALL_ASSIGN(std::string text,
                  ReadText(transaction_, doc, 0, static_cast<uint64_t>(doc.size)));
    SharedSession session{doc.path, std::move(text), meta};
    if (!keeps_secrets) {
      session.text = redactor_->Redact(session.text, &report_.redacted);
      session.meta = redactor_->RedactJsonLine(session.meta, &report_.redacted);
    }
    std::string line = WriteSessionLine(session);
    if (line.size() <= kMostFrameBytes) return line;
    report_.warnings.push_back(doc.path + " is not pushed: it is larger than 256 MiB");
    return std::string();
  }

  const ReadTransaction& transaction_;
  const PushSource& source_;
  const std::atomic<bool>& cancelled_;
  const PushRequest& request_;
  GitRepository repository_;
  std::optional<Redactor> redactor_;
  std::unordered_map<std::string, Digest> versions_;  // the newest line of each path in the file
  BranchNotes histories_;                             // of the file
  PushReport report_;
};

// "2 sessions, 1 note".
std::string MessageOf(const PushReport& report) {
  const auto part = [](int64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
  };
  const int64_t notes = report.notes.written + report.notes.removed;
  if (notes == 0) return part(report.written, "session");
  return (report.written > 0 ? part(report.written, "session") + ", " : "") + part(notes, "note");
}

Status WriteBranch(const PushRequest& request, PlannedPush* plan) {
  PushReport& report = plan->report;
  if (report.new_commit) {
    RECALL_ASSIGN(report.commit,
                  MakeCommit(plan->repository, {.file = std::string(kSessionBodyName),
                                                .content = plan->body,
                                                .parent = request.force ? "" : plan->base,
                                                .message = MessageOf(report),
                                                .email = plan->repository.email}));
  }
  if (report.commit == plan->local_tip) return {};
  return UpdateRef(plan->repository, "refs/heads/" + report.branch, report.commit, plan->local_tip);
}

Status WriteKnown(Store& store, const std::map<std::string, SharedNote>& known) {
  RECALL_ASSIGN(const auto transaction, store.BeginWrite());
  for (const auto& [path, note] : known) {
    RECALL_TRY(WriteSharedNote(transaction->connection(), path, note));
  }
  return transaction->Commit();
}

}  // namespace

Result<PlannedPush> PlanPush(const PushSource& source, const std::atomic<bool>& cancelled,
                             const PushRequest& request) {
  return PushPlan(source, cancelled, request).Run();
}

namespace {

void RecordPush(Store& store, PlannedPush* plan) {
  if (plan->known.empty()) return;
  const Status written = WriteKnown(store, plan->known);
  if (written.ok()) return;
  PushReport& report = plan->report;
  report.warnings.push_back("notes are not pushed, because the store cannot be written: " +
                            std::string(written.message()));
  plan->body.resize(plan->body_without_notes);
  plan->differs = static_cast<int64_t>(plan->body.size()) != plan->first_size;
  report.notes.written = 0;
  report.notes.removed = 0;
}

Result<PushReport> FinishPush(const PushRequest& request, PlannedPush plan) {
  PushReport& report = plan.report;
  const bool is_new = report.written + report.notes.written + report.notes.removed > 0;
  report.commit = plan.base;
  report.new_commit = request.force ? plan.differs : is_new;
  report.body_bytes = static_cast<int64_t>(plan.body.size());
  report.bytes = report.new_commit ? report.body_bytes - plan.first_size : 0;
  // Without a branch there is nothing to push: RecordPush has left out the notes.
  if (request.dry_run || (plan.base.empty() && !report.new_commit)) return std::move(report);
  RECALL_TRY(WriteBranch(request, &plan));
  const Status pushed = PushBranch(plan.repository, request.remote, report.branch, request.force);
  RECALL_TRY(pushed);
  return std::move(report);
}

}  // namespace

Result<PushReport> RunPush(Store& store, const std::string& root,
                           const std::atomic<bool>& cancelled, const PushRequest& request,
                           const std::function<Result<PlannedPush>()>& plan) {
  std::optional<PlannedPush> planned;
  {
    // A pull must not record what it has read before.
    const SessionWriterLock lock(root, cancelled);
    RECALL_ASSIGN(planned, plan());
    if (!request.dry_run) RecordPush(store, &*planned);
  }
  return FinishPush(request, *std::move(planned));
}

}  // namespace recall
