#include "cli/setup/install/git_hooks.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "cli/setup/install/marked_block.h"
#include "cli/setup/install/settings_file.h"

// The problem: a hook of the user must go on as before, whatever recall does, and a commit must
// neither fail nor wait.
//
// The lines stand directly behind the line "#!", because a hook may end anywhere with `exit`. They
// start a subshell in the background with no open standard stream, so git and programs that read
// its output do not wait for it. It ends after 30 seconds, or 10 minutes where files are added: by
// `timeout` (coreutils, busybox), or by perl where that is missing (macOS). Without either, recall
// is not started. What the lines leave behind in the shell of the hook are variables named
// recall_*; the standard input of the hook, which post-rewrite needs, is read and provided again.
//
// A rebase checks out the commit on which it builds, and then says by post-rewrite what became of
// the commits: the files are added only then, and not each time that it stops between. One that has
// no commits to rewrite only checks out, forwards; then the files are added at once.

namespace recall {
namespace {

constexpr std::array<std::string_view, 5> kHookNames = {"post-commit", "post-rewrite",
                                                        "post-checkout", "post-merge", "pre-push"};
constexpr std::string_view kCaptureSeconds = "30";
constexpr std::string_view kFilesSeconds = "600";  // a branch may bring thousands of files
// Git starts these hooks in the top directory of the work tree.
constexpr std::string_view kFilesCommand = "add --quiet --known .";
constexpr std::string_view kShebangOfOurs = "#!/bin/sh\n";
constexpr std::string_view kExcludeName = "exclude";

std::string RecallCommand(const GitInstallRequest& request, std::string_view arguments) {
  std::string command = QuotedForShell(request.program);
  if (request.name_store) command += " --store " + QuotedForShell(request.store);
  return command + " " + std::string(arguments);
}

// Runs `command` in the background, for `seconds` at most. `feed`: what is written to its standard
// input.
std::string InBackground(const std::string& command, const std::string& feed,
                         std::string_view seconds) {
  const std::string most(seconds);
  const std::string pipe = feed.empty() ? "" : feed + " | ";
  return "  (\n"
         "    set +eu\n"
         "    set -- " +
         command +
         "\n"
         "    command -v \"$1\" || exit 0\n"
         "    if command -v timeout; then\n"
         "      " +
         pipe + "timeout " + most +
         " \"$@\"\n"
         "    else\n"
         "      " +
         pipe + "perl -e 'alarm shift; exec @ARGV' " + most +
         " \"$@\"\n"
         "    fi\n"
         "  ) </dev/null >/dev/null 2>&1 &\n";
}

constexpr std::string_view kAboutHook =
    "# Calls recall in the background; `recall uninstall git` removes these lines.\n";
constexpr std::string_view kFindGit = "recall_git=$(git rev-parse --git-dir 2>/dev/null) || :\n";
constexpr std::string_view kNoRebase =
    "[ ! -d \"$recall_git/rebase-merge\" ] &&\n   [ ! -d \"$recall_git/rebase-apply\" ]";

std::string PostCommitLines(const GitInstallRequest& request) {
  // While commits are rebased, post-rewrite says at the end which they have become.
  return std::string(kFindGit) +
         "recall_commit=$(git rev-parse -q --verify HEAD 2>/dev/null) || :\n"
         "if [ -n \"$recall_commit\" ] && " +
         std::string(kNoRebase) + "; then\n" +
         InBackground(RecallCommand(request, "capture --quiet --commit \"$recall_commit\""), "",
                      kCaptureSeconds) +
         "fi\n";
}

std::string PostRewriteLines(const GitInstallRequest& request) {
  return "recall_rewritten=$(cat) || :\n"
         "if [ -n \"$recall_rewritten\" ]; then\n" +
         InBackground(RecallCommand(request, "capture --quiet --rewritten"),
                      "printf '%s\\n' \"$recall_rewritten\"", kCaptureSeconds) +
         "  exec <<RECALL_REWRITTEN\n"
         "$recall_rewritten\n"
         "RECALL_REWRITTEN\n"
         "fi\n"
         "if [ \"${1:-}\" = rebase ]; then\n" +
         InBackground(RecallCommand(request, kFilesCommand), "", kFilesSeconds) + "fi\n";
}

std::string PostCheckoutLines(const GitInstallRequest& request) {
  // The third argument is 1 if a branch was checked out, and not single files.
  return std::string(kFindGit) + "if [ \"${3:-}\" = 1 ] &&\n   { { " + std::string(kNoRebase) +
         "; } ||\n"
         "     git merge-base --is-ancestor \"$1\" \"$2\" >/dev/null 2>&1; }; then\n" +
         InBackground(RecallCommand(request, kFilesCommand), "", kFilesSeconds) + "fi\n";
}

std::string PostMergeLines(const GitInstallRequest& request) {
  return std::string(kFindGit) + "if " + std::string(kNoRebase) + "; then\n" +
         InBackground(RecallCommand(request, kFilesCommand), "", kFilesSeconds) + "fi\n";
}

std::string PrePushLines(const GitInstallRequest& request) {
  // RECALL_PUSH is set where recall itself pushes.
  return "if [ -z \"${RECALL_PUSH:-}\" ]; then\n" +
         InBackground(RecallCommand(request, "push --quiet --remote \"${1:-origin}\""), "",
                      kCaptureSeconds) +
         "fi\n";
}

std::string LinesOfHook(std::string_view name, const GitInstallRequest& request) {
  const auto lines = name == "post-commit"     ? PostCommitLines
                     : name == "post-rewrite"  ? PostRewriteLines
                     : name == "post-checkout" ? PostCheckoutLines
                     : name == "post-merge"    ? PostMergeLines
                                               : PrePushLines;
  return std::string(kAboutHook) + lines(request);
}

// --- which hooks are shell scripts ---

std::string_view NextWordOf(std::string_view* line) {
  const size_t begin = std::min(line->find_first_not_of(" \t"), line->size());
  line->remove_prefix(begin);
  const std::string_view word = line->substr(0, line->find_first_of(" \t"));
  line->remove_prefix(word.size());
  return word;
}

bool IsShell(std::string_view name) {
  constexpr std::array<std::string_view, 7> kShells = {"sh",  "bash", "dash", "ash",
                                                       "ksh", "mksh", "zsh"};
  return std::find(kShells.begin(), kShells.end(), name) != kShells.end();
}

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// `line` begins behind "#!".
bool StartsShell(std::string_view line) {
  std::string_view name = BaseName(NextWordOf(&line));
  if (name == "env") {
    do {
      name = BaseName(NextWordOf(&line));
    } while (name.starts_with('-') || name.find('=') != name.npos);
  }
  if (name == "busybox") name = BaseName(NextWordOf(&line));
  return IsShell(name);
}

// Where our lines begin in the hook. Errors: Unsupported.
Result<size_t> OffsetInHook(const std::string& file, std::string_view text) {
  const auto refused = [&](const std::string& why) {
    return Fail(Status::Unsupported(file + ": the hook " + why + ", so no lines are put into it",
                                    "call recall in it yourself, as docs/cli/install.md shows"));
  };
  if (text.find('\0') != text.npos) return refused("is a program");
  // Git gives a text without "#!" to the shell.
  if (!text.starts_with("#!")) return 0;
  const size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!StartsShell(line.substr(2))) {
    return refused("is no shell script (" + std::string(line.substr(0, 80)) + ")");
  }
  return std::min(end + 1, text.size());
}

// Errors: Unsupported if `file` is a link, or git does not run it.
Status CheckHookFile(const std::string& file) {
  struct stat info {};
  if (::lstat(file.c_str(), &info) != 0) return {};
  if (S_ISLNK(info.st_mode)) {
    return Status::Unsupported(
        file + ": the hook is a link, so no lines are put into it",
        "call recall in the file that it leads to, as docs/cli/install.md shows");
  }
  if (S_ISREG(info.st_mode) && (info.st_mode & 0111) == 0) {
    return Status::Unsupported(file + ": the hook is not executable, so git does not run it",
                               "make it executable, or remove it");
  }
  return {};
}

// --- edits ---

// Puts `lines` into the file. `offset_of`: where, in its text without our lines.
template <typename OffsetOf>
Result<GitFileEdit> PlanLines(std::string_view name, const std::string& file,
                              std::string_view lines, std::string_view first_line,
                              OffsetOf offset_of) {
  GitFileEdit edit;
  edit.name = name;
  edit.file = file;
  RECALL_ASSIGN(edit.before, ReadSettings(file));
  const std::string text = edit.before.value_or("");
  Result<std::optional<BlockRemoval>> removal = WithoutBlock(text);
  if (!removal) return Fail(removal.error().WithContext(file));
  edit.installed = removal->has_value();
  const bool made_file = edit.installed ? (*removal)->made_file : !edit.before.has_value();
  std::string base = edit.installed ? (*removal)->text : text;
  if (!edit.before) base = first_line;
  RECALL_ASSIGN(const size_t offset, offset_of(base));
  edit.after = WithBlock(base, offset, MarkedBlock(lines, made_file));
  if (edit.after == edit.before) return edit;
  edit.action = edit.installed ? InstallAction::kReplace : InstallAction::kAdd;
  return edit;
}

Result<GitFileEdit> PlanRemoval(std::string_view name, const std::string& file) {
  GitFileEdit edit;
  edit.name = name;
  edit.file = file;
  RECALL_ASSIGN(edit.before, ReadSettings(file));
  edit.after = edit.before;
  if (!edit.before) return edit;
  Result<std::optional<BlockRemoval>> removal = WithoutBlock(*edit.before);
  if (!removal) return Fail(removal.error().WithContext(file));
  if (!*removal) return edit;
  edit.installed = true;
  edit.action = InstallAction::kRemove;
  edit.after = (*removal)->text;
  const bool holds_nothing = edit.after->empty() || *edit.after == kShebangOfOurs;
  if ((*removal)->made_file && holds_nothing) edit.after.reset();
  return edit;
}

// A line of an ignore file that means this path only.
std::string IgnoreLineOf(std::string_view path) {
  std::string line = "/";
  for (const char c : path) {
    if (c == '\\' || c == '*' || c == '?' || c == '[' || c == ' ') line += '\\';
    line += c;
  }
  return line + "\n";
}

Result<GitInstallPlan> PlanFor(const std::string& directory) {
  GitInstallPlan plan;
  RECALL_ASSIGN(std::optional<GitRepository> repository, FindRepository(directory));
  if (!repository) {
    return Fail(Status::NotFound(
        directory + " is in no git repository",
        "run `git init` there; if there is one, check that git is installed and trusts it"));
  }
  if (repository->root.empty()) {
    return Fail(Status::NotFound(repository->git_dir + " has no work tree, so nothing is committed",
                                 "run this in a clone of the repository"));
  }
  plan.repository = std::move(*repository);
  RECALL_ASSIGN(plan.hooks_directory, GitPath(plan.repository, "hooks"));
  return plan;
}

// Where the directory of hooks really is: core.hooksPath may name any, and .git/hooks may be a
// link.
void WarnOfSharedHooks(GitInstallPlan* plan) {
  std::error_code missing;
  const std::filesystem::path real =
      std::filesystem::weakly_canonical(plan->hooks_directory, missing);
  const std::string hooks = missing ? plan->hooks_directory : real.string();
  const std::filesystem::path common =
      std::filesystem::weakly_canonical(plan->repository.common_dir, missing);
  if (PathInRepository(plan->repository, hooks) || hooks.starts_with(common.string() + "/")) return;
  const bool is_link = plan->hooks_directory.starts_with(plan->repository.common_dir + "/");
  plan->warnings.push_back(hooks +
                           (is_link ? " (" + plan->hooks_directory + " is a link to it)"
                                    : std::string(" (core.hooksPath)")) +
                           " may serve other repositories, too");
}

}  // namespace

std::string QuotedForShell(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

Result<GitInstallPlan> PlanGitInstall(const GitInstallRequest& request) {
  RECALL_ASSIGN(GitInstallPlan plan, PlanFor(request.directory));
  for (const std::string_view name : kHookNames) {
    if (name == "pre-push" && !request.push) continue;
    const std::string file = plan.hooks_directory + "/" + std::string(name);
    RECALL_TRY(CheckHookFile(file));
    const auto offset_of = [&](std::string_view text) { return OffsetInHook(file, text); };
    RECALL_ASSIGN(GitFileEdit edit,
                  PlanLines(name, file, LinesOfHook(name, request), kShebangOfOurs, offset_of));
    plan.edits.push_back(std::move(edit));
  }
  const std::optional<std::string> store = PathInRepository(plan.repository, request.store);
  if (store && store->find('\n') != store->npos) {
    plan.warnings.push_back("the name of the store has a newline: exclude it from git yourself");
  } else if (store) {
    RECALL_ASSIGN(const std::string file, GitPath(plan.repository, "info/exclude"));
    std::string lines;
    for (const char* suffix : {"", "-wal", "-shm"}) lines += IgnoreLineOf(*store + suffix);
    const auto at_end = [](std::string_view text) -> Result<size_t> { return text.size(); };
    RECALL_ASSIGN(GitFileEdit edit, PlanLines(kExcludeName, file, lines, "", at_end));
    plan.edits.push_back(std::move(edit));
  }
  WarnOfSharedHooks(&plan);
  return plan;
}

Result<GitInstallPlan> PlanGitUninstall(const std::string& directory) {
  RECALL_ASSIGN(GitInstallPlan plan, PlanFor(directory));
  // core.hooksPath may have been set since.
  std::vector<std::string> directories = {plan.hooks_directory};
  const std::string own = plan.repository.common_dir + "/hooks";
  if (own != plan.hooks_directory) directories.push_back(own);
  for (const std::string& hooks : directories) {
    for (const std::string_view name : kHookNames) {
      const std::string file = hooks + "/" + std::string(name);
      std::error_code ignored;
      const bool is_file = std::filesystem::is_regular_file(file, ignored) &&
                           !std::filesystem::is_symlink(file, ignored);
      if (!is_file) continue;
      RECALL_ASSIGN(GitFileEdit edit, PlanRemoval(name, file));
      if (edit.installed) plan.edits.push_back(std::move(edit));
    }
  }
  RECALL_ASSIGN(const std::string exclude, GitPath(plan.repository, "info/exclude"));
  RECALL_ASSIGN(GitFileEdit edit, PlanRemoval(kExcludeName, exclude));
  if (edit.installed) plan.edits.push_back(std::move(edit));
  return plan;
}

Status CarryOut(const GitInstallPlan& plan) {
  for (const GitFileEdit& edit : plan.edits) {
    if (edit.action == InstallAction::kNone) continue;
    RECALL_ASSIGN(const std::optional<std::string> now, ReadSettings(edit.file));
    if (now != edit.before) {
      return Status::Busy(edit.file + ": another program has just changed the file",
                          "run the command again");
    }
    if (!edit.after) {
      RECALL_TRY(RemoveSettings(edit.file));
      continue;
    }
    RECALL_TRY(MakeDirectories(std::filesystem::path(edit.file).parent_path().string()));
    RECALL_TRY(WriteSettings(edit.file, *edit.after, ""));
    if (edit.before || edit.name == kExcludeName) continue;
    // Git runs a hook that is executable, for those who may read it.
    struct stat info {};
    const bool made =
        ::stat(edit.file.c_str(), &info) == 0 &&
        ::chmod(edit.file.c_str(), (info.st_mode & 0777) | ((info.st_mode & 0444) >> 2)) == 0;
    if (!made) {
      return Status::IoError(edit.file + ": cannot make it executable: " + SystemErrorText(errno),
                             "run chmod +x on it");
    }
  }
  return {};
}

}  // namespace recall
