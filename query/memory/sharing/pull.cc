// Fetches the branches of a remote, and unites their sessions and notes with those of the store.
// Sessions are taken from all branches, notes from the own one: nobody else changes them.
//
// Invariants. Only lengths, checksums and hashes are believed: a damaged frame, and a line that is
// not what it says, are skipped and counted. Frames may come in any order and more than once
// (UniteVersions). Forgotten sessions do not come back. A commit of the store contains a session
// whole or not at all. If nothing is new, nothing is written.
//
// Cost: one reading of each branch. A session that the store has already, to the byte, costs its
// hash. Memory: one file, and a round of sessions.

#include "query/memory/sharing/pull.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "query/memory/git/git_branches.h"
#include "query/memory/sessions/session_writer_lock.h"
#include "query/memory/sharing/session_branch.h"
#include "query/memory/sharing/session_line.h"
#include "storage/sessions/forgotten_table.h"
#include "storage/sessions/session_body.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

constexpr size_t kPullRoundBytes = size_t{64} << 20;

class PullRun final {
 public:
  PullRun(const SessionDependencies& deps, const PullRequest& request, const NotePuller& notes)
      : deps_(deps), request_(request), pull_notes_(notes) {}

  Result<PullReport> Run() {
    report_.remote = request_.remote;
    RECALL_ASSIGN(repository_, RepositoryForSharing(request_.directory));
    RECALL_ASSIGN(const std::string prefix, PrefixOfPulled(repository_, request_.remote));
    RECALL_TRY(FetchRefs(repository_, request_.remote, "+refs/heads/recall/*:" + prefix + "*"));
    {
      RECALL_ASSIGN(const auto present, deps_.store->BeginRead());
      RECALL_ASSIGN(forgotten_.paths, ReadForgotten(present->connection()));
    }
    own_.branch = OwnBranch(repository_).value_or("");  // only push needs one
    RECALL_ASSIGN(const std::vector<GitRef> refs, ListRefs(repository_, {prefix}));
    for (const GitRef& ref : refs) {
      PulledBranch branch{"recall/" + ref.name.substr(prefix.size()), ref.sha};
      RECALL_TRY(TakeBranch(&branch));
      report_.branches.push_back(std::move(branch));
    }
    RECALL_TRY(WriteRound());
    RECALL_TRY(TakeNotes());
    report_.cancelled = Cancelled();
    if (!request_.dry_run && !report_.cancelled) RECALL_TRY(FollowOwnBranch(prefix, refs));
    return std::move(report_);
  }

 private:
  bool Cancelled() const { return deps_.cancel->load(std::memory_order_relaxed); }

  Status TakeBranch(PulledBranch* branch) {
    const Result<std::string> body = ReadFileOfCommit(
        repository_, branch->commit, std::string(kSessionBodyName), kMostBodyBytes);
    if (!body && body.error().code() == StatusCode::kIoError) return body.error();
    const Status problem = body ? TakeBody(*body, branch) : body.error();
    const bool fatal = problem.code() == StatusCode::kIoError ||
                       (body && problem.code() != StatusCode::kCorruption &&
                        problem.code() != StatusCode::kUnsupported);
    if (!problem.ok() && fatal) return problem;
    if (!problem.ok()) branch->problem = problem.message();
    return {};
  }

  Status TakeBody(std::string_view body, PulledBranch* branch) {
    Result<SessionBodyReader> reader = SessionBodyReader::Open(body);
    if (!reader) return reader.error();
    uint64_t unpacked = 0;
    while (!Cancelled()) {
      const auto frame = reader->Next();
      if (!frame) break;
      branch->frames += 1;
      unpacked += frame->lines ? frame->lines->size() + frame->notes.size() : 0;
      if (branch->frames > kMostBodyFrames || unpacked > kMostUnpackedBytes) {
        return Status::Corruption(
            "recall.body has more than 100,000 frames, or unpacks to more than 16 GiB",
            "whoever owns the branch can push again with --force");
      }
      if (!frame->lines) {
        branch->damaged.push_back(frame->number);
        continue;
      }
      const std::string place = branch->name + " frame " + std::to_string(frame->number);
      RECALL_TRY(TakeLines(*frame->lines, place, branch));
      if (branch->name != own_.branch) continue;
      const NoteLineCounts notes = AddNoteVersions({place, 0, frame->notes}, &own_.histories);
      branch->note_versions += notes.versions;
      report_.notes.refused += notes.refused;
    }
    return {};
  }

  Status TakeLines(std::string_view lines, const std::string& place, PulledBranch* branch) {
    int64_t number = 0;
    for (std::string_view rest = lines; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      const auto session = ReadSessionLine({place, ++number, line});
      if (!session) {
        report_.refused += 1;
        continue;
      }
      branch->versions += 1;
      RECALL_TRY(TakeSession(*session, branch->name));
    }
    return {};
  }

  Status TakeNotes() {
    if (own_.histories.empty() || Cancelled()) return {};
    const int64_t refused = report_.notes.refused;
    auto pulled = pull_notes_(own_.histories);
    if (!pulled && pulled.error().code() == StatusCode::kCancelled) return {};
    RECALL_ASSIGN(report_.notes, std::move(pulled));
    report_.notes.refused = refused;
    return {};
  }

  struct Arrival {
    std::optional<StoredSession> stored = {};
    std::string branch = {};  // the first one that has it
    std::optional<SessionVersion> version = {};
  };

  Status TakeSession(const SharedSession& session, const std::string& branch) {
    if (forgotten_.paths.contains(session.path)) {
      if (forgotten_.met.insert(session.path).second) report_.forgotten += 1;
      return {};
    }
    const auto [place, is_new] = round_.try_emplace(session.path);
    Arrival& arrival = place->second;
    if (is_new) {
      arrival.branch = branch;
      RECALL_ASSIGN(arrival.stored, ReadStoredSession(deps_, session.path));
      if (arrival.stored) round_bytes_ += arrival.stored->text.size();
    }
    const auto& stored = arrival.stored;
    if (stored && session.text == stored->text && session.meta == stored->meta) return {};
    const SessionVersion arrived = ReadSessionVersion(session.text, session.meta);
    arrival.version = arrival.version ? UniteVersions(*arrival.version, arrived) : arrived;
    round_bytes_ += session.text.size();
    return round_bytes_ < kPullRoundBytes ? Status::Ok() : WriteRound();
  }

  Status WriteRound() {
    std::vector<ProvidedDocument> captured;
    std::vector<ProvidedDocument> pulled;
    for (auto& [path, arrival] : round_) {
      if (!arrival.version) {
        report_.unchanged += 1;
        continue;
      }
      const auto& stored = arrival.stored;
      const SessionVersion united =
          stored ? UniteVersions(ReadSessionVersion(stored->text, stored->meta), *arrival.version)
                 : *arrival.version;
      ProvidedDocument document = SessionDocument(path, united);
      const bool is_own = stored && stored->origin == kCaptureOrigin;
      document.origin = is_own ? kCaptureOrigin : kImportOrigin;
      if (!stored) document.source.emplace("git:" + arrival.branch);
      (is_own ? captured : pulled).push_back(std::move(document));
    }
    round_.clear();
    round_bytes_ = 0;
    RECALL_TRY(Write(std::move(captured)));
    return Write(std::move(pulled));
  }

  Status Write(std::vector<ProvidedDocument> documents) {
    if (documents.empty() || Cancelled()) return {};
    RECALL_ASSIGN(const IngestCounts counts,
                  WriteSessions(deps_, std::move(documents), request_.dry_run));
    report_.added += counts.added;
    report_.grown += counts.updated;
    report_.refreshed += counts.refreshed;
    report_.unchanged += counts.unchanged;
    for (const DocumentFault& fault : counts.failures) {
      report_.warnings.push_back(fault.path + ": " + fault.reason);
    }
    return {};
  }

  // All that the own branch of the remote says is in the store now, so the branch here may go on
  // from there. One that is ahead stays.
  Status FollowOwnBranch(const std::string& prefix, const std::vector<GitRef>& refs) {
    if (own_.branch.empty()) return {};
    const std::string name = prefix + own_.branch.substr(std::string("recall/").size());
    const auto remote = std::ranges::find(refs, name, &GitRef::name);
    if (remote == refs.end()) return {};
    const std::string local = "refs/heads/" + own_.branch;
    RECALL_ASSIGN(const auto here, ListRefs(repository_, {local}));
    if (here.empty() || here[0].name != local || here[0].sha == remote->sha) return {};
    RECALL_ASSIGN(const bool ahead, IsAncestor(repository_, remote->sha, here[0].sha));
    return ahead ? Status::Ok() : UpdateRef(repository_, local, remote->sha, here[0].sha);
  }

  const SessionDependencies& deps_;
  const PullRequest& request_;
  const NotePuller& pull_notes_;
  GitRepository repository_;
  struct {
    std::string branch;     // "": git knows no address
    BranchNotes histories;  // of its notes
  } own_;
  struct {
    std::set<std::string> paths;
    std::set<std::string> met;  // on the branches
  } forgotten_;                 // sessions
  std::map<std::string, Arrival> round_;
  size_t round_bytes_ = 0;
  PullReport report_;
};

}  // namespace

Result<PullReport> RunPull(const SessionDependencies& deps, const PullRequest& request,
                           const NotePuller& notes) {
  const SessionWriterLock lock(deps.root, *deps.cancel);
  return PullRun(deps, request, notes).Run();
}

}  // namespace recall
