// The command `related`: which files change together with a file.

#include <cstdio>

#include "cli/commands/commands.h"
#include "cli/commands/common_answer.h"
#include "cli/commands/scope_flags.h"
#include "cli/show/output/cell_table.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

constexpr size_t kShortCommitId = 10;

std::string ScoreText(double score) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f", score);
  return text;
}

// The newest sessions and commits in which both changed, on one line.
std::string EvidenceText(const RelatedFile& file) {
  std::string text;
  for (const std::string& path : file.session_paths) {
    text += (text.empty() ? "" : " ") + EscapeLine(path);
  }
  for (const std::string& id : file.commit_ids) {
    text += (text.empty() ? "" : " ") + EscapeLine(id.substr(0, kShortCommitId));
  }
  return text;
}

void WriteRelatedFile(const RelatedFile& file, JsonWriter& json) {
  json.Field("path", file.path);
  json.Field("score", file.score);
  json.Field("together", file.sessions + file.commits);
  json.Field("share", file.share);
  json.Object("sessions", [&] {
    json.Field("count", file.sessions);
    json.Field("newest", file.session_paths);
  });
  json.Object("commits", [&] {
    json.Field("count", file.commits);
    json.Field("newest", file.commit_ids);
  });
}

class RelatedCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("FILE", &files_, 1, 1, "a file; it need not be in the store");
    flags.Number("-n,--limit", &limit_, 1, INT32_MAX, "files (default: 10)");
    flags.AlsoSpelled("-k,--k");
    flags.Number("--newest", &request_.newest, 1, INT32_MAX,
                 "newest sessions, and newest commits, that count (default: 30)");
    flags.Switch("--no-git", &no_git_, "count sessions alone");
    scope_.DeclareFilter(flags);
    scope_.DeclareSnapshot(flags);
  }

  Status Check(const GlobalFlags&) override { return scope_.Read(); }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    request_.file = files_[0];
    request_.scope = scope_.scope();
    request_.git = !no_git_;
    request_.limit = static_cast<size_t>(limit_);
    RECALL_ASSIGN(const RelatedResponse found, context.database->Related(request_));
    return SendOrPrint(
        context, start, [&](int64_t micros) { return SendJson(context, found, micros); },
        [&] { PrintText(context, found); });
  }

 private:
  Status SendJson(CommandContext& context, const RelatedResponse& found, int64_t micros) const {
    Question question;
    question.text = files_[0];
    question.limit = limit_;
    question.snapshot = scope_.scope().snapshot;
    RECALL_ASSIGN(JsonResponse response, BeginAnswer(context, question, found, false, micros));
    response.results = {found.files.size(), [&](size_t row, JsonWriter& json) {
                          WriteRelatedFile(found.files[row], json);
                        }};
    response.own_key = "changes";
    response.own = [&](JsonWriter& json) {
      json.Field("path", found.path);
      json.Field("sessions", found.sessions);
      json.Field("commits", found.commits);
      json.Field("too_large", found.too_large);
    };
    context.Send(std::move(response));
    return {};
  }

  static void PrintText(CommandContext& context, const RelatedResponse& found) {
    context.PrintWarnings(found.warnings);
    const TextStyle& style = context.out_style;
    const std::string sets = std::to_string(found.sessions + found.commits);
    std::vector<std::vector<TableCell>> rows;
    for (const RelatedFile& file : found.files) {
      const std::string together = std::to_string(file.sessions + file.commits);
      if (style.escape) {
        rows.push_back({{ScoreText(file.score)},
                        {together + " of " + sets},
                        {EscapeLine(file.path)},
                        {EvidenceText(file)}});
      } else {
        context.out->Write(EscapeLine(file.path) + "\t" + ScoreText(file.score) + "\t" + together +
                           "/" + sets + "\t" + EvidenceText(file) + "\n");
      }
    }
    if (rows.empty()) return;
    context.out->Write(FormatCellTable(
        {{"score", true}, {"changed", true}, {"with", false, true}, {"in, the newest"}}, rows,
        style));
    const auto shown = static_cast<int64_t>(found.files.size());
    if (shown < found.total_hits) {
      context.Remark(std::to_string(shown) + " of " + Plural(found.total_hits, "file") +
                     "; --limit shows more");
    }
  }

  std::vector<std::string> files_;
  int64_t limit_ = 10;
  bool no_git_ = false;
  ScopeFlags scope_;
  RelatedRequest request_;
};

}  // namespace

const CommandInfo kRelatedCommand = {
    "related",
    "[OPTIONS] FILE",
    "show the files that change together with a file",
    "  recall related src/auth.go\n"
    "  recall related src/auth.go --no-git --filter \"doc.session.author = 'ada@example.com'\"\n"
    "  recall related src/auth.go --json | jq -r '.results[].path'\n",
    "Sessions with coding agents, and the commits of the git repository, tell what changed at "
    "once.\n"
    "Each of them gives every other one of its n files 1 / (n - 1); those of more than 50 files "
    "do\n"
    "not count. Paths are from the root of the repository. Without results the exit code is 0.\n",
    [] { return std::unique_ptr<Command>(new RelatedCommand); }};

}  // namespace recall
