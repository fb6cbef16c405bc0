// Writes the sessions of the store to the branch of this person, and the branch to a remote.
//
// Problem. Several people, and several machines of one, share sessions through a server that knows
// nothing of them, and a branch should not grow by what it has already.
//
// Idea. The branch has one file. What the store has and the file lacks is appended in frames; the
// file is never otherwise changed, so that git stores and sends the difference. Which version of a
// session the file has is read from the file itself, so there is no state that could be wrong.
// Sessions that were pulled are not pushed again, unless they were captured here, too.
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

struct BranchTip {
  std::string local;  // the commit of refs/heads/...; "": none
  std::string base;   // the commit that the file is taken from; "": none
};

class PushRun final {
 public:
  PushRun(const ReadTransaction& transaction, const FilterSets& filters,
          const std::string& snapshot, const std::atomic<bool>& cancelled,
          const PushRequest& request)
      : transaction_(transaction),
        filters_(filters),
        snapshot_(snapshot),
        cancelled_(cancelled),
        request_(request) {}

  Result<PushReport> Run() {
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
      if (!request_.force) RECALL_TRY(ReadVersions(before));
    }
    std::string body = request_.force || before.empty() ? std::string(kSessionBodyHeader) : before;
    const size_t first_size = before.empty() || request_.force ? 0 : body.size();
    RECALL_TRY(AppendSessions(&body));
    report_.bytes = static_cast<int64_t>(body.size() - first_size);
    report_.body_bytes = static_cast<int64_t>(body.size());
    report_.commit = tip.base;
    report_.new_commit = request_.force ? body != before : report_.written > 0;
    if (!report_.new_commit) report_.bytes = 0;
    if (report_.sessions == 0 && tip.base.empty()) {
      return Fail(Status::NotFound(
          report_.kept_back > 0 ? "all sessions were captured with their secrets"
                                : "the store has no sessions to push",
          report_.kept_back > 0 ? "--include-unredacted pushes them nevertheless"
                                : "`recall capture` makes sessions of transcripts"));
    }
    if (request_.dry_run) return std::move(report_);
    RECALL_TRY(WriteBranch(tip, body));
    const Status pushed = PushBranch(repository_, request_.remote, report_.branch, request_.force);
    RECALL_TRY(pushed);
    return std::move(report_);
  }

 private:
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

  // Notes the newest version of each session of the file.
  Status ReadVersions(std::string_view body) {
    RECALL_ASSIGN(SessionBodyReader reader, SessionBodyReader::Open(body));
    while (const auto frame = reader.Next()) {
      if (!frame->lines) continue;  // its sessions are appended again
      for (std::string_view rest = *frame->lines; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n') + 1);
        if (line.empty()) break;
        rest.remove_prefix(line.size());
        const auto session = ReadSessionLine({"recall.body", frame->number, line});
        if (session) versions_[session->path] = Sha256(line);
      }
    }
    return {};
  }

  // Captured here, or on another machine that writes the same branch.
  bool IsOwn(const DocRow& doc) const {
    return doc.parser == kSessionParser &&
           (doc.origin == kCaptureOrigin || doc.source == "git:" + report_.branch);
  }

  Status AppendSessions(std::string* body) {
    Scope scope;
    scope.filter = request_.filter;
    RECALL_ASSIGN(const ResolvedScope wanted,
                  ResolveScope(filters_, scope, snapshot_, FilterDomain::kDocs));
    report_.warnings = wanted.warnings;
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
    if (body->size() <= kMostBodyBytes) return {};
    return Status::LimitExceeded("the branch would be larger than 2 GiB",
                                 "push --force leaves out old versions; --filter leaves out "
                                 "sessions");
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

  Status WriteBranch(const BranchTip& tip, const std::string& body) {
    if (report_.new_commit) {
      const std::string count = std::to_string(report_.written);
      RECALL_ASSIGN(
          report_.commit,
          MakeCommit(repository_,
                     {.file = std::string(kSessionBodyName),
                      .content = body,
                      .parent = request_.force ? "" : tip.base,
                      .message = count + (report_.written == 1 ? " session" : " sessions"),
                      .email = repository_.email}));
    }
    if (report_.commit == tip.local) return {};
    return UpdateRef(repository_, "refs/heads/" + report_.branch, report_.commit, tip.local);
  }

  const ReadTransaction& transaction_;
  const FilterSets& filters_;
  const std::string& snapshot_;
  const std::atomic<bool>& cancelled_;
  const PushRequest& request_;
  GitRepository repository_;
  std::optional<Redactor> redactor_;
  std::unordered_map<std::string, Digest> versions_;  // the newest line of each path in the file
  PushReport report_;
};

}  // namespace

Result<PushReport> RunPush(const ReadTransaction& transaction, const FilterSets& filters,
                           const std::string& snapshot, const std::atomic<bool>& cancelled,
                           const PushRequest& request) {
  return PushRun(transaction, filters, snapshot, cancelled, request).Run();
}

}  // namespace recall
