// Imports the sessions that rekal recorded.
//
//   branches, file   --RekalBodyReader--> frames --ReadRekalPayload--+
//   rekal query      --ReadRekalRows---------------------------------+--> recordings, checkpoints
//   recordings       --RekalConversations--> conversations --Redactor--> sessions
//   sessions         --UniteVersions with the store--> WriteSessions
//
// Invariants. The input is untrusted: a damaged frame is skipped with its number and counted.
// No secret reaches the store. Forgotten sessions do not come back. A session is that of the first
// id under which it was recorded, so a branch that has grown makes the same sessions grow. If
// nothing is new, nothing is written.
//
// Memory: one body, one frame, and at most kMostRekalBytes of conversations.

#include "query/compat/rekal/rekal_import.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/source/session/session_version.h"
#include "index/source/transcript/injected_text.h"
#include "index/source/transcript/session_builder.h"
#include "query/add/records/transfer_dependencies.h"
#include "query/compat/rekal/rekal_body.h"
#include "query/compat/rekal/rekal_conversations.h"
#include "query/compat/rekal/rekal_payload.h"
#include "query/compat/rekal/rekal_rows.h"
#include "query/compat/rekal/rekal_strings.h"
#include "query/memory/git/git_branches.h"
#include "query/memory/sessions/session_documents.h"
#include "query/memory/sessions/session_writer_lock.h"
#include "query/memory/sessions/transcript_reading.h"
#include "query/memory/sharing/session_branch.h"
#include "storage/file_io/input_file.h"
#include "storage/sessions/forgotten_table.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRekalAgent = "rekal";
constexpr size_t kMostRekalBytes = size_t{1} << 30;
constexpr size_t kMostDictionaryFileBytes = size_t{1} << 30;
constexpr size_t kImportRoundBytes = size_t{64} << 20;
constexpr size_t kMostFaults = 100;  // that are listed; all are counted
constexpr std::string_view kDuckDbMagic = "DUCK";
constexpr size_t kDuckDbMagicAt = 8;

constexpr const char* kUnknownFrames = "frames of types that are not known";
constexpr const char* kUnknownRows = "rows that are not about sessions";
constexpr const char* kWithoutTurns = "recordings without turns";
constexpr const char* kSummaries = "summaries of what was said before";

Status IsDuckDb(const std::string& path) {
  return Status::InvalidArgument(
      PrintablePath(path) + " is a database of DuckDB, which is not read",
      "run `rekal push`, which writes its sessions to a branch of the repository, and import that");
}

// Whether a session begins with all turns of another one. Their times may differ: later recordings
// tell them better.
bool BeginsWith(const SessionTurns& session, const SessionTurns& beginning) {
  const std::vector<Turn>& turns = beginning.turns;
  return turns.size() <= session.turns.size() &&
         std::equal(
             turns.begin(), turns.end(), session.turns.begin(),
             [](const Turn& a, const Turn& b) { return a.role == b.role && a.text == b.text; });
}

// Of two versions of which one begins with the other, the turns and times of the longer one; else
// the union of both. A version that arrives again changes nothing.
SessionVersion WithStored(SessionVersion stored, SessionVersion arrived) {
  const bool grows = BeginsWith(arrived.turns, stored.turns);
  if (!grows && !BeginsWith(stored.turns, arrived.turns)) return UniteVersions(stored, arrived);
  SessionVersion& longer = grows ? arrived : stored;
  SessionVersion& shorter = grows ? stored : arrived;
  shorter.turns = longer.turns;
  SessionVersion united = UniteVersions(stored, arrived);
  united.meta.started_at = longer.meta.started_at;
  united.meta.captured_at = longer.meta.captured_at;
  return united;
}

class RekalImporter final {
 public:
  RekalImporter(const SessionDependencies& deps, const ImportRequest& request, Redactor redactor)
      : deps_(deps),
        request_(request),
        redactor_(std::move(redactor)),
        dictionaries_("", kRekalDictionaryBytes) {}

  Result<ImportReport> Run() {
    if (request_.dictionary) {
      RECALL_ASSIGN(std::string file, ReadFile(*request_.dictionary, kMostDictionaryFileBytes));
      dictionaries_ = ZstdDictionaries(std::move(file), kRekalDictionaryBytes);
    }
    RECALL_TRY(ReadSource());
    RECALL_TRY(CheckDictionary());
    report_.recordings = conversations_.recordings();
    Drop(kWithoutTurns, conversations_.without_turns());
    RECALL_TRY(ReadForgottenPaths());
    for (RekalConversation& conversation : conversations_.Finish()) {
      if (Cancelled()) break;
      // Ids become paths, so they must not be secrets either.
      for (std::string& id : conversation.ids) id = redactor_.Redact(TurnText(id), nullptr);
      RECALL_TRY(Take(conversation));
    }
    if (!Cancelled()) RECALL_TRY(WriteRound());
    report_.cancelled = Cancelled();
    return std::move(report_);
  }

 private:
  bool Cancelled() const { return deps_.cancel->load(std::memory_order_relaxed); }

  void Drop(const char* what, int64_t count) {
    if (count > 0) report_.dropped[what] += count;
  }

  void Fault(const std::string& file, int64_t line, std::string reason) {
    ++report_.failed;
    if (report_.faults.size() < kMostFaults) {
      report_.faults.push_back({file, line, std::move(reason)});
    }
  }

  // ---- Sources

  Result<std::string> ReadFile(const std::string& path, size_t most) const {
    RECALL_ASSIGN(const auto file, InputFile::Open(path, deps_.cancel));
    return ReadAll(*file, most);
  }

  Status ReadSource() {
    std::error_code error;
    if (request_.path != "-" && fs::is_directory(request_.path, error)) return ReadRepository();
    return ReadNamedFile();
  }

  Status ReadNamedFile() {
    RECALL_ASSIGN(const auto file, InputFile::Open(request_.path, deps_.cancel));
    // A database may be large: its beginning is enough.
    std::string text;
    for (std::string piece(4096, '\0'); text.size() < piece.size();) {
      RECALL_ASSIGN(const size_t size, file->Read(piece));
      if (size == 0) break;
      text.append(piece, 0, size);
    }
    if (text.substr(std::min(kDuckDbMagicAt, text.size())).starts_with(kDuckDbMagic)) {
      return IsDuckDb(request_.path);
    }
    RECALL_ASSIGN(const std::string rest, ReadAll(*file, kMostRekalBytes));
    text += rest;
    if (text.starts_with(kRekalBodyMagic)) return ReadBodyFile(text);
    return TakeRows(text);
  }

  // The strings are in dict.bin beside it.
  Status ReadBodyFile(std::string_view body) {
    const std::string name = PrintablePath(request_.path);
    if (request_.path == "-") {
      return Status::InvalidArgument("rekal.body cannot be read from standard input",
                                     "specify the file; dict.bin must be beside it");
    }
    const fs::path beside = fs::path(request_.path).replace_filename(kRekalStringsName);
    const auto strings = ReadFile(beside.string(), kMostRekalStringBytes);
    if (!strings && strings.error().code() == StatusCode::kNotFound) {
      return Status::NotFound("there is no dict.bin beside " + name,
                              "it has the strings that rekal.body refers to");
    }
    if (!strings) return strings.error();
    return TakeBody(name, body, *strings);
  }

  Status ReadRepository() {
    const std::string directory = AbsoluteLexicalPath(request_.path);
    RECALL_ASSIGN(const auto repository, FindRepository(directory));
    std::vector<GitRef> branches;
    if (repository) {
      RECALL_ASSIGN(branches, ListRefs(*repository, {"refs/heads/rekal/", "refs/remotes/"}));
      std::erase_if(branches, [](const GitRef& ref) { return BranchName(ref).empty(); });
    }
    if (branches.empty()) return NoBranches(directory, repository.has_value());
    std::set<std::string> seen;
    Status problem;  // the last one
    int64_t readable = 0;
    for (const GitRef& branch : branches) {
      if (Cancelled()) return {};
      if (!seen.insert(branch.sha).second) continue;
      const Status read = ReadBranch(*repository, branch);
      if (read.code() == StatusCode::kIoError || read.code() == StatusCode::kLimitExceeded) {
        return read;
      }
      readable += read.ok() ? 1 : 0;
      if (!read.ok()) problem = read;
      if (!read.ok()) Fault(BranchName(branch), 0, std::string(read.message()));
    }
    return readable > 0 ? Status::Ok() : problem;
  }

  // "rekal/ada@example.com" of a branch here or of a remote; "" for any other.
  static std::string BranchName(const GitRef& ref) {
    std::string_view name = ref.name;
    constexpr std::string_view kHeads = "refs/heads/";
    constexpr std::string_view kRemotes = "refs/remotes/";
    if (name.starts_with(kHeads)) {
      name.remove_prefix(kHeads.size());
    } else if (name.starts_with(kRemotes)) {
      name.remove_prefix(kRemotes.size());
      name.remove_prefix(std::min(name.find('/') + 1, name.size()));
    }
    return name.starts_with("rekal/") ? std::string(name) : std::string();
  }

  Status NoBranches(const std::string& directory, bool has_repository) const {
    std::error_code error;
    const std::string name = PrintablePath(directory);
    for (const fs::path& file :
         {fs::path(directory) / ".rekal" / "data.db", fs::path(directory) / "data.db"}) {
      if (fs::exists(file, error)) return IsDuckDb(file.string());
    }
    if (!has_repository) {
      return Status::NotFound(name + " is in no git repository",
                              "specify a repository, a rekal.body, or what `rekal query` printed");
    }
    return Status::NotFound("the repository of " + name + " has no branch rekal/ADDRESS",
                            "`rekal push` makes it; `git fetch` gets those of others");
  }

  Status ReadBranch(const GitRepository& repository, const GitRef& branch) {
    RECALL_ASSIGN(
        const std::string body,
        ReadFileOfCommit(repository, branch.sha, std::string(kRekalBodyName), kMostBodyBytes));
    RECALL_ASSIGN(const std::string strings,
                  ReadFileOfCommit(repository, branch.sha, std::string(kRekalStringsName),
                                   kMostRekalStringBytes));
    branch_ = BranchName(branch);
    return TakeBody(branch_, body, strings);
  }

  // ---- Recordings

  Status TakeBody(const std::string& name, std::string_view body, std::string_view strings) {
    RECALL_ASSIGN(const RekalStrings table, ReadRekalStrings(strings));
    RECALL_ASSIGN(auto reader, RekalBodyReader::Open(body, &dictionaries_));
    while (!Cancelled()) {
      const auto frame = reader.Next();
      if (!frame) break;
      ++report_.lines;
      RECALL_TRY(TakeFrame(name, *frame, table));
    }
    return {};
  }

  Status TakeFrame(const std::string& name, const RekalBodyReader::Frame& frame,
                   const RekalStrings& strings) {
    const std::string frame_name = "frame " + std::to_string(frame.number) + " ";
    if (frame.missing_dictionary != 0) {
      missing_dictionary_ = frame.missing_dictionary;
      Fault(name, 0, frame_name + "needs another dictionary");
      return {};
    }
    if (!frame.payload) {
      Fault(name, 0, frame_name + "is damaged");
      return {};
    }
    ++unpacked_;
    auto contents = ReadRekalPayload(frame.type, *frame.payload, strings);
    if (!contents) {
      Fault(name, 0, frame_name + std::string(contents.error().message()));
      return {};
    }
    for (int64_t i = 0; i < contents->damaged; ++i) {
      Fault(name, 0, frame_name + "has a part that is damaged");
    }
    Drop(kUnknownFrames, contents->unknown);
    report_.repaired += contents->counts_repaired;
    for (RekalSession& session : contents->sessions) {
      if (!branch_.empty()) branch_of_.try_emplace(session.id, branch_);
      conversations_.Add(std::move(session));
    }
    for (RekalCheckpoint& checkpoint : contents->checkpoints) {
      conversations_.Add(std::move(checkpoint));
    }
    return CheckSize();
  }

  Status TakeRows(std::string_view text) {
    const std::string name = request_.path == "-" ? "standard input" : PrintablePath(request_.path);
    RekalRows rows = ReadRekalRows(text);
    if (rows.objects == rows.unknown) {
      return Status::InvalidArgument(
          name + " has no sessions of rekal",
          "specify a repository with a branch rekal/ADDRESS, its rekal.body, or what "
          "`rekal query --json` printed");
    }
    report_.lines += rows.objects;
    Drop(kUnknownRows, rows.unknown);
    for (const int64_t line : rows.damaged) Fault(name, line, "this is no JSON object");
    for (RekalSession& session : rows.sessions) conversations_.Add(std::move(session));
    for (RekalCheckpoint& checkpoint : rows.checkpoints) conversations_.Add(std::move(checkpoint));
    return CheckSize();
  }

  Status CheckSize() const {
    if (conversations_.bytes() <= kMostRekalBytes) return {};
    return Status::LimitExceeded("the sessions have more than 1 GiB together",
                                 "import the branches one after the other, as files");
  }

  Status CheckDictionary() const {
    if (missing_dictionary_ == 0 || unpacked_ > 0) return {};
    const std::string name =
        "zstd dictionary with the number " + std::to_string(missing_dictionary_);
    return Status::InvalidArgument(
        request_.dictionary
            ? PrintablePath(*request_.dictionary) + " contains no " + name
            : "the frames are compressed with a " + name + ", which is not on the branch",
        "specify it with --dictionary FILE: the file preset.dict of the source of rekal, or the "
        "program rekal itself, which contains it");
  }

  // ---- Sessions

  Status ReadForgottenPaths() {
    RECALL_ASSIGN(const auto present, deps_.store->BeginRead());
    RECALL_ASSIGN(forgotten_, ReadForgotten(present->connection()));
    return {};
  }

  struct Arrival {
    std::optional<StoredSession> stored = {};
    std::optional<SessionVersion> version = {};
    std::string branch = {};  // "": it is from no branch
  };

  // The path of a conversation: where it is in the store under one of its ids, else that of the
  // first one.
  Result<std::string> PathOf(const RekalConversation& conversation) const {
    for (const std::string& id : conversation.ids) {
      std::string path = SessionPath(kRekalAgent, id);
      if (round_.contains(path)) return path;
      RECALL_ASSIGN(const auto stored, ReadStoredSession(deps_, path));
      if (stored) return path;
    }
    return SessionPath(kRekalAgent, conversation.ids.front());
  }

  bool IsForgotten(const RekalConversation& conversation) const {
    return std::ranges::any_of(conversation.ids, [&](const std::string& id) {
      return forgotten_.contains(SessionPath(kRekalAgent, id));
    });
  }

  Status Take(const RekalConversation& conversation) {
    if (IsForgotten(conversation)) {
      ++report_.forgotten;
      return {};
    }
    SessionVersion version = VersionOf(conversation);
    if (version.turns.turns.empty()) {
      Drop(kWithoutTurns, 1);
      return {};
    }
    RECALL_ASSIGN(const std::string path, PathOf(conversation));
    const auto [place, is_new] = round_.try_emplace(path);
    Arrival& arrival = place->second;
    if (is_new) {
      RECALL_ASSIGN(arrival.stored, ReadStoredSession(deps_, path));
      const auto branch = branch_of_.find(conversation.ids.front());
      if (branch != branch_of_.end()) arrival.branch = branch->second;
    }
    // The id of the document is that of its path.
    version.meta.id = path.substr(path.rfind('/') + 1);
    for (const Turn& turn : version.turns.turns) round_bytes_ += turn.text.size();
    arrival.version =
        arrival.version ? UniteVersions(*arrival.version, version) : std::move(version);
    return round_bytes_ < kImportRoundBytes ? Status::Ok() : WriteRound();
  }

  SessionVersion VersionOf(const RekalConversation& conversation) {
    const RekalSession& recorded = conversation.longest;
    AgentSession session;
    session.agent = kRekalAgent;
    session.id = conversation.ids.front();
    session.parent = recorded.parent;
    session.is_automatic = recorded.is_agent;
    session.branch = TurnText(recorded.branch);
    session.title = TurnText(recorded.description);
    AddTurns(conversation, &session);
    AddCalls(recorded, &session);
    std::map<std::string, int64_t> redacted;
    RedactAndShorten(&redactor_, &session, &redacted);
    std::vector<std::string> commit_files = conversation.commit_files;
    std::vector<std::string> files = NamedFiles(conversation);
    for (std::vector<std::string>* list : {&files, &commit_files}) {
      for (std::string& file : *list) file = redactor_.Redact(TurnText(file), nullptr);
      std::ranges::sort(*list);
      const auto repeated = std::ranges::unique(*list);
      list->erase(repeated.begin(), repeated.end());
    }
    for (const auto& [kind, count] : redacted) report_.redacted[kind] += count;
    const std::optional<UnixNanos> end = EndOf(conversation);
    SessionReading reading;
    reading.session = &session;
    reading.redacted = &redacted;
    reading.transcript_time = end.value_or(0);
    SessionVersion version = UpdatedSession({}, reading);
    version.meta.author = redactor_.Redact(TurnText(recorded.author), nullptr);
    if (!end && version.meta.captured_at == UnixNanos{0}) version.meta.captured_at.reset();
    version.meta.imported_captured_at = recorded.parsed_at;
    version.meta.files = std::move(files);
    version.meta.changed_files.clear();  // their paths have no root; commit_files have
    SessionCommits commits;
    commits.commit = conversation.last_commit;
    commits.files = std::move(commit_files);
    for (const auto& [sha, at] : conversation.commits) {
      commits.commits.push_back({sha, CommitGrade::kExplicit});
    }
    AddCommits(commits, &version.meta);
    return version;
  }

  void AddTurns(const RekalConversation& conversation, AgentSession* session) {
    const std::vector<std::optional<UnixNanos>> times = TurnTimes(conversation);
    for (size_t i = 0; i < times.size(); ++i) {
      const RekalTurn& recorded = conversation.longest.turns[i];
      if (recorded.is_summary) {
        Drop(kSummaries, 1);
        continue;
      }
      Turn turn{.role = recorded.role, .at = times[i], .text = TurnText(recorded.text)};
      if (turn.role == TurnRole::kHuman) turn.text = TurnText(SaidByPerson(turn.text));
      if (!turn.text.empty()) session->turns.push_back(std::move(turn));
    }
  }

  // rekal does not say which turn a call belongs to; they stand behind the last one.
  static void AddCalls(const RekalSession& recorded, AgentSession* session) {
    const size_t turns = session->turns.size();
    for (const RekalCall& call : recorded.calls) {
      session->tool_calls.push_back({.turn = static_cast<uint32_t>(turns == 0 ? 0 : turns - 1),
                                     .tool = TurnText(call.tool),
                                     .path = TurnText(call.path),
                                     .command = TurnText(call.command)});
    }
  }

  Status WriteRound() {
    std::vector<ProvidedDocument> documents;
    for (auto& [path, arrival] : round_) {
      const auto& stored = arrival.stored;
      const SessionVersion united =
          stored ? WithStored(ReadSessionVersion(stored->text, stored->meta), *arrival.version)
                 : *arrival.version;
      ProvidedDocument document = SessionDocument(path, united);
      document.origin = kImportOrigin;
      if (!stored && !arrival.branch.empty()) document.source.emplace("git:" + arrival.branch);
      documents.push_back(std::move(document));
    }
    round_.clear();
    round_bytes_ = 0;
    RECALL_ASSIGN(const IngestCounts counts,
                  WriteSessions(deps_, std::move(documents), request_.dry_run));
    report_.added += counts.added;
    report_.updated += counts.updated;
    report_.refreshed += counts.refreshed;
    report_.unchanged += counts.unchanged;
    report_.chunks += counts.chunks;
    report_.vectors_rebuilt += counts.chunks;
    for (const DocumentFault& fault : counts.failures) Fault(fault.path, 0, fault.reason);
    return {};
  }

  const SessionDependencies& deps_;
  const ImportRequest& request_;
  Redactor redactor_;
  ZstdDictionaries dictionaries_;
  unsigned missing_dictionary_ = 0;
  int64_t unpacked_ = 0;  // frames
  RekalConversations conversations_;
  std::string branch_;                            // that is being read; "": none
  std::map<std::string, std::string> branch_of_;  // the first one that an id is on
  std::set<std::string> forgotten_;
  std::map<std::string, Arrival> round_;
  size_t round_bytes_ = 0;
  ImportReport report_;
};

}  // namespace

Result<ImportReport> RunRekalImport(const SessionDependencies& deps, const ImportRequest& request) {
  if (request.path != "-" && IsFileOfStore(request.path, deps.store->path())) {
    return Fail(Status::InvalidArgument(request.path + " is the store itself",
                                        "specify a repository, or what rekal wrote"));
  }
  RECALL_ASSIGN(Redactor redactor,
                Redactor::Make(request.secret_settings.rules, request.secret_settings.allow));
  std::optional<SessionWriterLock> lock;
  if (!request.dry_run) lock.emplace(deps.root, *deps.cancel);
  return RekalImporter(deps, request, std::move(redactor)).Run();
}

}  // namespace recall
