#include "query/memory/git/git_program.h"

#include <chrono>

#include "index/base/program/child_program.h"

namespace recall {
namespace {

constexpr std::chrono::seconds kLocalTime{60};
constexpr std::chrono::seconds kRemoteTime{600};

// With these git tells a hook which repository it belongs to. Settings that the user passes in
// variables (GIT_CONFIG_COUNT, GIT_CONFIG_PARAMETERS) stay: they may permit the directory.
const std::vector<std::string>& VariablesOfHooks() {
  static const std::vector<std::string> names = {
      "GIT_DIR",
      "GIT_WORK_TREE",
      "GIT_IMPLICIT_WORK_TREE",
      "GIT_COMMON_DIR",
      "GIT_INDEX_FILE",
      "GIT_PREFIX",
      "GIT_OBJECT_DIRECTORY",
      "GIT_ALTERNATE_OBJECT_DIRECTORIES",
      "GIT_QUARANTINE_PATH",
      "GIT_GRAFT_FILE",
      "GIT_SHALLOW_FILE",
      "GIT_NAMESPACE",
      "GIT_NO_REPLACE_OBJECTS",
      "GIT_REPLACE_REF_BASE",
      "GIT_CONFIG",
      "GIT_NOTES_REF",
      "GIT_NOTES_DISPLAY_REF",
      "GIT_EXTERNAL_DIFF",
      "GIT_LITERAL_PATHSPECS",
      "GIT_REFLOG_ACTION",
  };
  return names;
}

std::vector<std::string> CommandLineOf(const GitRun& run) {
  std::vector<std::string> argv = {"git",
                                   "-C",
                                   run.directory,
                                   "--no-optional-locks",
                                   "--no-pager",
                                   "-c",
                                   "core.quotePath=false",
                                   "-c",
                                   "i18n.logOutputEncoding=UTF-8",
                                   "-c",
                                   "log.showSignature=false",
                                   "-c",
                                   "gc.auto=0",
                                   "-c",
                                   "maintenance.auto=false"};
  argv.insert(argv.end(), run.arguments.begin(), run.arguments.end());
  return argv;
}

// The line that says why git failed. Others that follow it only advise.
std::string ReasonOf(std::string_view text) {
  for (const std::string_view start : {"fatal: ", "error: ", "ERROR: "}) {
    for (size_t at = 0; (at = text.find(start, at)) != text.npos; ++at) {
      if (at > 0 && text[at - 1] != '\n') continue;
      const std::string_view line = text.substr(at + start.size());
      return std::string(line.substr(0, line.find('\n')));
    }
  }
  return "";
}

}  // namespace

Result<GitOutput> StreamGit(const GitRun& run,
                            const std::function<Status(std::string_view)>& take) {
  ChildSurroundings surroundings;
  surroundings.set = {"LC_ALL=C", "GIT_TERMINAL_PROMPT=0"};
  surroundings.set.insert(surroundings.set.end(), run.variables.begin(), run.variables.end());
  surroundings.unset = VariablesOfHooks();
  surroundings.without_terminal = true;
  RECALL_ASSIGN(const std::unique_ptr<ChildProgram> git,
                ChildProgram::Start(CommandLineOf(run), surroundings));
  const auto deadline =
      std::chrono::steady_clock::now() + (run.is_remote ? kRemoteTime : kLocalTime);
  std::string_view input = run.input;
  if (input.empty()) git->CloseInput();
  std::string piece;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    RECALL_ASSIGN(const ChildProgram::Event event, git->Exchange(&input, &piece, left));
    if (!piece.empty()) RECALL_TRY(take(piece));
    piece.clear();
    if (input.empty()) git->CloseInput();
    if (event == ChildProgram::Event::kEnded) break;
    if (event == ChildProgram::Event::kTimeout || left.count() <= 0) {
      git->Kill();
      return Fail(Status::IoError("git did not end in time: git " + run.arguments.front(),
                                  "try it by hand in " + run.directory));
    }
  }
  GitOutput output;
  output.succeeded = git->Succeeded();
  output.error = ReasonOf(git->ErrorText());
  if (output.error.empty()) output.error = git->LastErrorLine();
  return output;
}

Result<GitOutput> RunGit(const GitRun& run) {
  std::string text;
  RECALL_ASSIGN(GitOutput output, StreamGit(run, [&text](std::string_view piece) {
                  text += piece;
                  return Status::Ok();
                }));
  output.text = std::move(text);
  return output;
}

}  // namespace recall
