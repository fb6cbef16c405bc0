// The command `log`, which only another name of the program has: the commits that sessions led to,
// as `git log` prints commits.

#include <algorithm>
#include <map>

#include "cli/commands/commands.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "query/memory/sessions/session_view.h"

namespace recall {
namespace {

// A commit, as its sessions know it.
struct LoggedCommit {
  std::string commit;
  std::optional<UnixNanos> at;  // of the last turn of its latest session
  std::string branch;           // of that session
  std::string author;
  int64_t sessions = 0;
};

std::string DateOf(const LoggedCommit& logged) {
  return logged.at ? FormatRfc3339(*logged.at) : "";
}

// The commits of all sessions, the latest first; equal times by commit.
std::vector<LoggedCommit> CommitsOf(const std::vector<QueryRow>& sessions) {
  std::map<std::string, LoggedCommit> commits;
  for (const QueryRow& row : sessions) {
    const SessionMeta meta = SessionMetaOf(row.doc);
    for (const auto& [commit, grade] : meta.commits) {
      LoggedCommit& logged = commits[commit];
      if (logged.sessions++ == 0 || logged.at < meta.captured_at) {
        logged.at = meta.captured_at;
        logged.branch = meta.branch;
        logged.author = meta.author;
      }
      logged.commit = commit;
    }
  }
  std::vector<LoggedCommit> sorted;
  for (auto& [commit, logged] : commits) sorted.push_back(std::move(logged));
  std::ranges::stable_sort(sorted, std::ranges::greater(), &LoggedCommit::at);
  return sorted;
}

std::string CommitText(const LoggedCommit& logged) {
  return "checkpoint " + EscapeLine(logged.commit) + "\nDate:     " + DateOf(logged) +
         "\nCommit:   " + EscapeLine(logged.commit) + "\nBranch:   " + EscapeLine(logged.branch) +
         "\nAuthor:   " + EscapeLine(logged.author) +
         "\nSessions: " + std::to_string(logged.sessions) + "\n\n";
}

class LogCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Number("-n,--limit", &limit_, 1, INT32_MAX, "commits (default: 20)");
    flags.AlsoSpelled("-k,--k");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    ListRequest request;
    request.scope.filter = "doc.kind = 'session'";
    RECALL_ASSIGN(const QueryResponse sessions, context.database->List(request));
    std::vector<LoggedCommit> commits = CommitsOf(sessions.rows);
    const auto total = static_cast<int64_t>(commits.size());
    commits.resize(static_cast<size_t>(std::min(limit_, total)));
    std::vector<std::string> warnings;
    if (commits.empty()) {
      warnings.emplace_back("no session led to a commit; `recall capture` finds their commits");
    }
    if (!context.json()) {
      context.PrintWarnings(warnings);
      for (const LoggedCommit& logged : commits) context.out->Write(CommitText(logged));
      return ExitCode::kDone;
    }
    JsonResponse response;
    response.warnings = std::move(warnings);
    response.own_key = "log";
    response.own = [&](JsonWriter& json) {
      json.Field("total", total);
      json.Objects("commits", commits, [&](const LoggedCommit& logged) {
        json.Field("commit", logged.commit);
        json.FieldOrNull("date", DateOf(logged));
        json.FieldOrNull("branch", logged.branch);
        json.FieldOrNull("author", logged.author);
        json.Field("sessions", logged.sessions);
      });
    };
    context.Send(std::move(response));
    return ExitCode::kDone;
  }

 private:
  int64_t limit_ = 20;
};

}  // namespace

const CommandInfo kLogCommand = {"log",
                                 "[OPTIONS]",
                                 "the commits that sessions led to, the latest first",
                                 "  log --limit 5\n",
                                 "The date is that of the last turn of the latest session.\n",
                                 [] { return std::unique_ptr<Command>(new LogCommand); }};

}  // namespace recall
