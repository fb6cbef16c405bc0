// Makes sessions of the transcripts of coding agents.
//
//   places, paths --FindTranscripts--> sources
//     unchanged since they were read (table `captured`): nothing more is done
//     rounds of about 64 MiB:
//       threads    ReadAndRedact: turns without secrets, and the compressed transcript
//       here       those of this project; united with the version in the store; facts of git
//       threads    IngestDocuments: chunks, terms, vectors        -> one or more commits
//       here       rows of `captured` and `transcript`            -> one commit
//
// Problem. A transcript grows while it is read, is rewritten or swept by its agent, and may repeat
// what another one says. Capture must cost nothing if nothing is new, and must never lose a turn.
//
// Idea. A transcript that has changed is read whole: that is fast, and what is read cannot depend
// on what was read before. What is in the store already is united with it (UniteTurns), so a turn
// that vanished from the transcript stays, and a session in several transcripts becomes one. The
// rows of `captured` are written after the documents: if the process dies in between, the same
// transcripts are read once more, and nothing is new in them.
//
// Invariants. No secret reaches the store: texts, paths and transcripts come redacted from the
// threads. The store depends on the transcripts, the repository and the request, not on the number
// of threads. A commit contains a session whole or not at all. If nothing is new, nothing is
// written.
//
// Cost: a look at each transcript's size and time; for those that changed, reading, redaction and
// the ingest of their sessions. Memory: a round, or its one larger transcript, several times.

#include "query/memory/sessions/capture.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/base/paths/source_files.h"
#include "query/memory/sessions/session_documents.h"
#include "query/memory/sessions/session_writer_lock.h"
#include "query/memory/sessions/transcript_reading.h"
#include "storage/base/bytes.h"
#include "storage/base/coding.h"
#include "storage/base/ids.h"
#include "storage/base/ordered_pipeline.h"
#include "storage/documents/document_store.h"
#include "storage/sessions/captured_table.h"
#include "storage/sessions/forgotten_table.h"

namespace recall {
namespace {

constexpr int64_t kRoundBytes = int64_t{64} << 20;
constexpr int64_t kSecretsKept = -1;  // CapturedSource::rules

// The version of the rules for secrets; with rules of the user's own, a number that changes with
// them, so that transcripts are read again by the new ones.
int64_t VersionOf(const SecretSettings& settings) {
  if (settings.rules.empty() && settings.allow.empty()) return Redactor::RulesVersion();
  Sha256Stream hash;
  const auto add = [&](std::string_view text) {
    hash.Add(AsBytes(std::to_string(text.size()) + ":"));
    hash.Add(AsBytes(text));
  };
  add(std::to_string(Redactor::RulesVersion()));
  for (const SecretRule& rule : settings.rules) {
    add(rule.id);
    add(rule.pattern);
    add(std::to_string(rule.keywords.size()));
    for (const std::string& keyword : rule.keywords) add(keyword);
    add(std::to_string(rule.entropy));
  }
  for (const std::string& allowed : settings.allow) add(allowed);
  const Digest digest = hash.Finish();
  // Above all version numbers, and positive.
  constexpr uint64_t kOwnRules = uint64_t{1} << 62;
  return static_cast<int64_t>((LoadLittle<uint64_t>(digest.data()) >> 2) | kOwnRules);
}

// The state of one thread that reads transcripts: none.
struct TranscriptWorker {
  const ReadingOptions* options;
  ReadTranscriptSource operator()(const TranscriptSource& source) const {
    return ReadAndRedact(source, *options);
  }
};
using TranscriptPipeline =
    OrderedPipeline<TranscriptSource, ReadTranscriptSource, TranscriptWorker>;

class CaptureRun final {
 public:
  CaptureRun(const SessionDependencies& deps, const CaptureRequest& request,
             const CaptureProgressFn& progress)
      : deps_(deps), request_(request), progress_(progress) {}

  Result<CaptureReport> Run() {
    RECALL_TRY(Prepare());
    if (request_.rewritten) {
      RECALL_TRY(FollowRewrittenCommits());
      return std::move(report_);
    }
    RECALL_ASSIGN(std::vector<TranscriptSource> sources, FindSources());
    report_.found = static_cast<int64_t>(sources.size());
    std::erase_if(sources, [&](const TranscriptSource& source) { return IsKnown(source); });
    shown_.transcripts_total = static_cast<int64_t>(sources.size());
    for (const TranscriptSource& source : sources) shown_.bytes_total += source.size;
    Show();
    for (size_t begin = 0; begin < sources.size() && !Cancelled();) {
      size_t end = begin + 1;
      int64_t bytes = sources[begin].size;
      while (end < sources.size() && bytes + sources[end].size <= kRoundBytes) {
        bytes += sources[end++].size;
      }
      const Status done = CaptureRound(std::span(sources).subspan(begin, end - begin));
      if (done.code() == StatusCode::kCancelled) break;
      RECALL_TRY(done);
      begin = end;
    }
    report_.cancelled = Cancelled();
    const bool links = request_.commit && !report_.cancelled && !request_.dry_run;
    if (links) RECALL_TRY(LinkToCommit());
    return std::move(report_);
  }

 private:
  bool Cancelled() const { return deps_.cancel->load(std::memory_order_relaxed); }
  UnixNanos now() const { return now_; }
  bool redacts() const { return request_.secrets != SecretPolicy::kKeep; }
  int64_t rules() const { return redacts() ? VersionOf(request_.secret_settings) : kSecretsKept; }

  void Show() const {
    if (progress_) progress_(shown_);
  }

  Status Prepare() {
    RECALL_ASSIGN(auto redactor,
                  Redactor::Make(request_.secret_settings.rules, request_.secret_settings.allow));
    redactor_.emplace(std::move(redactor));
    now_ = request_.at.value_or(WallClockNanos());
    project_ = repositories_.Find(request_.project);
    if (request_.commit) {
      if (project_ == nullptr) {
        return Status::NotFound("--commit needs a git repository, and " +
                                    PrintablePath(request_.project) + " is in none",
                                "run it in the work tree that the commit is from");
      }
      RECALL_ASSIGN(commit_, ReadCommit(*project_, *request_.commit));
      // A session that went on after the commit before this one may have led to it.
      const auto parent = ReadCommit(*project_, commit_.sha + "~1");
      if (parent) commit_since_ = parent->at;
    }
    RECALL_ASSIGN(const auto present, deps_.store->BeginRead());
    RECALL_ASSIGN(captured_, ReadCaptured(present->connection()));
    RECALL_ASSIGN(forgotten_, ReadForgotten(present->connection()));
    return Status::Ok();
  }

  Result<std::vector<TranscriptSource>> FindSources() {
    if (request_.paths.empty()) return FindTranscripts(request_.places, request_.agents);
    if (request_.agents.size() > 1) {
      return Fail(Status::InvalidArgument("transcripts that are named have one agent",
                                          "specify --from once"));
    }
    const std::string agent = request_.agents.empty() ? "" : request_.agents.front();
    std::vector<TranscriptSource> sources;
    std::set<std::string> seen;
    int64_t unknown = 0;
    for (const std::string& path : request_.paths) {
      auto found = FindTranscriptsBelow(path, agent, &unknown);
      if (!found) {
        if (request_.paths.size() == 1) return found;
        report_.failed.push_back({PrintablePath(path), std::string(found.error().message())});
        continue;
      }
      for (TranscriptSource& source : *found) {
        if (seen.insert(source.path).second) sources.push_back(std::move(source));
      }
    }
    if (unknown > 0) {
      report_.warnings.push_back(std::to_string(unknown) + " .jsonl " +
                                 (unknown == 1 ? "file is" : "files are") +
                                 " of no known agent; --from AGENT names the agent");
    }
    return sources;
  }

  std::string NameOf(const TranscriptSource& source) const {
    return redacts() ? redactor_->Redact(source.path, nullptr) : source.path;
  }

  // Whether reading a transcript could say nothing new.
  bool IsKnown(const TranscriptSource& source) const {
    if (request_.again) return false;
    const auto known = captured_.find(NameOf(source));
    if (known == captured_.end()) return false;
    const CapturedSource& row = known->second;
    const bool same = row.agent == source.agent && row.size == source.size &&
                      row.mtime == source.mtime && row.rules == rules();
    // Sessions that were left out may be wanted now.
    return same && std::ranges::none_of(row.outside, [&](const std::string& directory) {
             return !checks_project() || IsInProject(directory);
           });
  }

  bool checks_project() const { return request_.paths.empty() && !request_.all; }

  bool IsInProject(const std::string& directory) const {
    if (directory.empty()) return false;
    const auto contains = [&](const std::string& root) { return IsAtOrBelow(directory, root); };
    if (project_ == nullptr) return contains(request_.project);
    return std::ranges::any_of(project_->worktrees, contains) || contains(project_->root);
  }

  Status CaptureRound(std::span<const TranscriptSource> sources) {
    const bool keeps = request_.keep_transcripts && !request_.dry_run;
    const ReadingOptions options{
        .redactor = redacts() ? &*redactor_ : nullptr,
        .keep_transcript = keeps,
        .limits = {.cancel = deps_.cancel, .projects = request_.places.projects}};
    std::vector<Written> written;
    {
      TranscriptPipeline pipeline(std::min(deps_.threads, sources.size()),
                                  [&] { return TranscriptWorker{&options}; });
      for (const TranscriptSource& source : sources) pipeline.Submit(source);
      for (const TranscriptSource& source : sources) {
        ReadTranscriptSource read = pipeline.Take();
        if (Cancelled()) return Status::Cancelled("interrupted");
        RECALL_TRY(Take(source, std::move(read), &written));
        shown_.transcripts_done += 1;
        shown_.bytes_done += source.size;
        Show();
      }
    }
    RECALL_TRY(WriteDocuments());
    if (Cancelled()) return Status::Cancelled("interrupted");
    return request_.dry_run ? Status::Ok() : WriteSources(written);
  }

  // A transcript that was read, and what is to be recorded of it.
  struct Written {
    std::string name;
    CapturedSource row;
    std::vector<TranscriptBlock> blocks;
    bool replaces_blocks = false;
  };

  Status Take(const TranscriptSource& source, ReadTranscriptSource read,
              std::vector<Written>* written) {
    for (const auto& [kind, count] : read.unknown) report_.unknown[kind] += count;
    if (!read.status.ok()) {
      if (read.status.code() == StatusCode::kCancelled) return read.status;
      report_.failed.push_back({PrintablePath(read.name), std::string(read.status.message())});
      return Status::Ok();
    }
    report_.read += 1;
    report_.bytes += source.size;
    report_.torn += read.torn ? 1 : 0;
    std::set<std::string> outside;
    bool any_wanted = false;
    bool any_forgotten = false;
    bool any_refused = false;
    for (const ReadSession& session : read.sessions) {
      if (checks_project() && !IsInProject(session.session.cwd)) {
        // "." stands for a directory that is not known: --all may want its sessions later.
        outside.insert(session.session.cwd.empty() ? "." : session.session.cwd);
        report_.outside += 1;
        continue;
      }
      if (forgotten_.contains(SessionPath(session.session.agent, session.session.id))) {
        any_forgotten = true;
        report_.forgotten += 1;
        continue;
      }
      if (request_.secrets == SecretPolicy::kSkip && !session.redacted.empty()) {
        report_.with_secrets += 1;
        any_refused = true;
        continue;
      }
      RECALL_ASSIGN(const bool is_known, IsPromptsOfKnown(source, read.name, session.session));
      if (is_known) continue;
      any_wanted = true;
      RECALL_TRY(TakeSession(source, read.name, session));
    }
    // It is read again, because another policy may take what was refused.
    if (any_refused) return Status::Ok();
    // A transcript with a session that is not wanted, or must not come back, is not kept.
    const bool keeps = any_wanted && outside.empty() && !any_forgotten && !read.blocks.empty() &&
                       request_.secrets != SecretPolicy::kSkip;
    written->push_back({std::move(read.name),
                        {.agent = source.agent,
                         .size = source.size,
                         .mtime = source.mtime,
                         .rules = rules(),
                         .outside = {outside.begin(), outside.end()}},
                        keeps ? std::move(read.blocks) : std::vector<TranscriptBlock>(),
                        keeps || !request_.keep_transcripts});
    return Status::Ok();
  }

  // Whether a session of the history of prompts is known by its own transcript, which says more and
  // has other times.
  Result<bool> IsPromptsOfKnown(const TranscriptSource& source, const std::string& name,
                                const AgentSession& session) const {
    if (!IsPromptHistory(source)) return false;
    const std::string path = SessionPath(session.agent, session.id);
    if (round_.contains(path)) return true;
    RECALL_ASSIGN(const auto stored, ReadStored(path));
    return stored && stored->meta.transcript != name;
  }

  Status TakeSession(const TranscriptSource& source, const std::string& name,
                     const ReadSession& read) {
    const std::string path = SessionPath(read.session.agent, read.session.id);
    for (const auto& [kind, count] : read.redacted) report_.redacted[kind] += count;
    auto [entry, is_new] = round_.try_emplace(path);
    if (is_new) {
      order_.push_back(path);
      RECALL_ASSIGN(entry->second.version, ReadStored(path));
      if (entry->second.version) {
        entry->second.turns_before = entry->second.version->meta.turns;
        const bool by_these_rules =
            WasReadByTheseRules(name) && !entry->second.version->meta.keeps_secrets;
        if (redacts() && !by_these_rules) RedactTurns(&entry->second.version->turns);
      }
    }
    const GitRepository* repository = repositories_.Find(read.session.cwd);
    SessionVersion version = UpdatedSession(
        entry->second.version, {.session = &read.session,
                                .redacted = &read.redacted,
                                .transcript = name,
                                .transcript_time = source.mtime,
                                .repository = repository,
                                .keeps_secrets = request_.secrets == SecretPolicy::kKeep});
    if (repository != nullptr) {
      RECALL_ASSIGN(
          const SessionCommits commits,
          repositories_.FindCommits(*repository,
                                    {.id = version.meta.id,
                                     .branch = version.meta.branch,
                                     .from = version.meta.started_at.value_or(source.mtime),
                                     .to = now(),
                                     .files = version.meta.files},
                                    {}));
      AddCommits(commits, &version.meta);
    }
    RedactFactsOfGit(&version.meta);
    entry->second.version = std::move(version);
    return Status::Ok();
  }

  // Whether secrets were looked for by the rules of now when a transcript was last read.
  bool WasReadByTheseRules(const std::string& name) const {
    const auto known = captured_.find(name);
    return known != captured_.end() && known->second.rules == rules();
  }

  // Turns that are no longer in the transcript were redacted by older rules, or not at all.
  void RedactTurns(SessionTurns* turns) const {
    for (Turn& turn : turns->turns) turn.text = redactor_->Redact(turn.text, nullptr);
    for (ToolCall& call : turns->tool_calls) {
      call.path = redactor_->Redact(call.path, nullptr);
      call.command = redactor_->Redact(call.command, nullptr);
    }
  }

  // What does not come from the transcript.
  void RedactFactsOfGit(SessionMeta* meta) const {
    if (meta->keeps_secrets) return;
    for (std::string* text : {&meta->author, &meta->branch})
      *text = redactor_->Redact(*text, nullptr);
    for (std::string& file : meta->commit_files) file = redactor_->Redact(file, nullptr);
  }

  Result<std::optional<SessionVersion>> ReadStored(const std::string& path) const {
    RECALL_ASSIGN(const auto stored, ReadStoredSession(deps_, path));
    if (!stored) return std::nullopt;
    return ReadSessionVersion(stored->text, stored->meta);
  }

  Status WriteDocuments() {
    std::vector<ProvidedDocument> documents;
    documents.reserve(order_.size());
    for (const std::string& path : order_) {
      const RoundSession& session = round_.at(path);
      const SessionMeta& meta = session.version->meta;
      if (meta.turns > session.turns_before) {
        report_.turns += meta.turns - session.turns_before;
        if (request_.commit && IsInProject(meta.cwd)) changed_.push_back({path, IsOpen(meta)});
      }
      documents.push_back(SessionDocument(path, *session.version));
    }
    round_.clear();
    order_.clear();
    RECALL_ASSIGN(const IngestCounts counts, Write(std::move(documents)));
    report_.captured += counts.added;
    report_.grown += counts.updated;
    report_.refreshed += counts.refreshed;
    report_.unchanged += counts.unchanged;
    return Status::Ok();
  }

  Result<IngestCounts> Write(std::vector<ProvidedDocument> documents) {
    RECALL_ASSIGN(IngestCounts counts,
                  WriteSessions(deps_, std::move(documents), request_.dry_run));
    for (const DocumentFault& fault : counts.failures) {
      report_.failed.push_back({fault.path, fault.reason});
    }
    return counts;
  }

  // ---- Commits

  Status FollowRewrittenCommits() {
    const auto& rewritten = *request_.rewritten;
    std::vector<std::pair<std::string, SessionMeta>> changed;
    {
      RECALL_ASSIGN(const auto present, deps_.store->BeginRead());
      RECALL_ASSIGN(const auto docs, FindLiveDocsUnder(*present, "sessions"));
      for (const DocRow& doc : docs) {
        if (doc.parser != kSessionParser) continue;
        SessionMeta meta = ReadSessionMeta(doc.meta.value_or(""));
        std::map<std::string, std::string> commits;
        for (const auto& [sha, grade] : meta.commits) {
          const auto found = rewritten.find(sha);
          commits.emplace(found == rewritten.end() ? sha : found->second, grade);
        }
        if (commits == meta.commits) continue;
        meta.commits = std::move(commits);
        if (const auto found = rewritten.find(meta.commit); found != rewritten.end()) {
          meta.commit = found->second;
        }
        changed.emplace_back(doc.path, std::move(meta));
      }
    }
    std::vector<ProvidedDocument> documents;
    for (auto& [path, meta] : changed) {
      RECALL_ASSIGN(auto version, ReadStored(path));
      if (!version) continue;
      version->meta = std::move(meta);
      documents.push_back(SessionDocument(path, *version));
    }
    RECALL_ASSIGN(const IngestCounts counts, Write(std::move(documents)));
    report_.linked = counts.refreshed;
    return Status::Ok();
  }

  // Whether a session was held when the commit was made, or since the one before it.
  bool IsOpen(const SessionMeta& meta) const {
    constexpr UnixNanos kSecond = 1'000'000'000;  // times of commits are whole seconds
    return meta.captured_at && *meta.captured_at >= commit_since_ &&
           meta.started_at.value_or(*meta.captured_at) < commit_.at + kSecond;
  }

  // Links the commit to the sessions of this project that were open when it was made; if none was,
  // to those that this run has found something new in.
  Status LinkToCommit() {
    std::set<std::string> linked;
    for (const ChangedSession& session : changed_) {
      if (session.open) linked.insert(session.path);
    }
    {
      RECALL_ASSIGN(const auto present, deps_.store->BeginRead());
      RECALL_ASSIGN(const auto docs, FindLiveDocsUnder(*present, "sessions"));
      for (const DocRow& doc : docs) {
        const bool may = doc.parser == kSessionParser && doc.mtime && *doc.mtime >= commit_since_;
        if (!may) continue;
        const SessionMeta meta = ReadSessionMeta(doc.meta.value_or(""));
        if (IsInProject(meta.cwd) && IsOpen(meta)) linked.insert(doc.path);
      }
    }
    if (linked.empty()) {
      for (const ChangedSession& session : changed_) linked.insert(session.path);
    }
    const SessionCommits commits{.commits = {{commit_.sha, CommitGrade::kExplicit}},
                                 .commit = commit_.sha,
                                 .files = commit_.files};
    std::vector<ProvidedDocument> documents;
    for (const std::string& path : linked) {
      RECALL_ASSIGN(auto version, ReadStored(path));
      if (!version) continue;
      AddCommits(commits, &version->meta);
      RedactFactsOfGit(&version->meta);
      documents.push_back(SessionDocument(path, *version));
    }
    RECALL_ASSIGN(const IngestCounts counts, Write(std::move(documents)));
    report_.linked = counts.refreshed;
    return Status::Ok();
  }

  Status WriteSources(const std::vector<Written>& sources) {
    if (sources.empty()) return Status::Ok();
    RECALL_ASSIGN(const auto transaction, deps_.store->BeginWrite());
    for (const Written& source : sources) {
      RECALL_TRY(WriteCaptured(transaction->connection(), source.name, source.row));
      if (source.replaces_blocks) {
        RECALL_TRY(WriteTranscriptBlocks(transaction->connection(), source.name, source.blocks));
      }
    }
    return transaction->Commit();
  }

  const SessionDependencies& deps_;
  const CaptureRequest& request_;
  const CaptureProgressFn& progress_;
  std::optional<Redactor> redactor_;
  UnixNanos now_ = 0;
  SessionRepositories repositories_;
  const GitRepository* project_ = nullptr;
  GitCommit commit_;                                                // that of the request
  UnixNanos commit_since_ = std::numeric_limits<UnixNanos>::min();  // the one before it
  // Sessions of the project with new turns.
  struct ChangedSession {
    std::string path;
    bool open;
  };
  std::vector<ChangedSession> changed_;
  std::map<std::string, CapturedSource> captured_;
  std::set<std::string> forgotten_;
  // The sessions of this round, by path, and their paths in the order in which they were read.
  struct RoundSession {
    std::optional<SessionVersion> version;
    int64_t turns_before = 0;
  };
  std::map<std::string, RoundSession> round_;
  std::vector<std::string> order_;
  CaptureProgress shown_;
  CaptureReport report_;
};

}  // namespace

Result<CaptureReport> RunCapture(const SessionDependencies& deps, const CaptureRequest& request,
                                 const CaptureProgressFn& progress) {
  const SessionWriterLock lock(deps.root, *deps.cancel);
  return CaptureRun(deps, request, progress).Run();
}

}  // namespace recall
