#include "query/memory/git/git_branches.h"

#include <algorithm>

#include "query/memory/git/git_program.h"

namespace recall {
namespace {

const std::string& DirectoryOf(const GitRepository& repository) {
  return repository.root.empty() ? repository.git_dir : repository.root;
}

Status GitFailure(const std::string& what, const GitOutput& output) {
  return Status::IoError(what + ": git: " + (output.error.empty() ? "failed" : output.error),
                         "try it with git itself to see more");
}

std::string LineOf(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// A hook that calls recall for each push must not do so for this one.
GitRun RemoteRun(const GitRepository& repository, std::vector<std::string> arguments) {
  return {.directory = DirectoryOf(repository),
          .arguments = std::move(arguments),
          .variables = {"RECALL_PUSH=1"},
          .is_remote = true};
}

Status CheckRemote(const std::string& remote) {
  if (!remote.empty() && remote[0] != '-') return {};
  return Status::InvalidArgument("'" + remote + "' is no name of a remote",
                                 "`git remote` lists them");
}

}  // namespace

Result<std::vector<GitRef>> ListRefs(const GitRepository& repository,
                                     const std::vector<std::string>& patterns) {
  std::vector<std::string> arguments = {"for-each-ref", "--format=%(objectname) %(refname)"};
  arguments.insert(arguments.end(), patterns.begin(), patterns.end());
  RECALL_ASSIGN(const GitOutput output, RunGit({DirectoryOf(repository), std::move(arguments)}));
  if (!output.succeeded) return Fail(GitFailure("cannot list the branches", output));
  std::vector<GitRef> refs;
  for (std::string_view rest = output.text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const size_t space = line.find(' ');
    if (space == line.npos) continue;
    refs.push_back({std::string(line.substr(space + 1)), std::string(line.substr(0, space))});
  }
  std::sort(refs.begin(), refs.end(),
            [](const GitRef& a, const GitRef& b) { return a.name < b.name; });
  return refs;
}

Result<bool> IsAncestor(const GitRepository& repository, const std::string& older,
                        const std::string& newer) {
  RECALL_ASSIGN(const GitOutput output,
                RunGit({DirectoryOf(repository), {"merge-base", "--is-ancestor", older, newer}}));
  return output.succeeded;
}

Result<std::string> ReadFileOfCommit(const GitRepository& repository, const std::string& commit,
                                     const std::string& name, size_t most) {
  std::string content;
  RECALL_ASSIGN(const GitOutput output,
                StreamGit({DirectoryOf(repository), {"cat-file", "blob", commit + ":" + name}},
                          [&](std::string_view piece) {
                            content += piece;
                            if (content.size() <= most) return Status::Ok();
                            return Status::LimitExceeded(name + " of " + commit +
                                                         " is larger than " + std::to_string(most) +
                                                         " bytes");
                          }));
  if (!output.succeeded) {
    return Fail(Status::NotFound("the commit " + commit + " has no file " + name));
  }
  return content;
}

Result<std::string> MakeCommit(const GitRepository& repository, const NewGitCommit& commit) {
  const std::string& directory = DirectoryOf(repository);
  const auto run = [&](std::vector<std::string> arguments, std::string_view input,
                       std::vector<std::string> variables) -> Result<std::string> {
    RECALL_ASSIGN(GitOutput output,
                  RunGit({directory, std::move(arguments), input, std::move(variables)}));
    if (!output.succeeded) return Fail(GitFailure("cannot write the commit", output));
    return LineOf(std::move(output.text));
  };
  RECALL_ASSIGN(const std::string blob,
                run({"hash-object", "-w", "--no-filters", "--stdin"}, commit.content, {}));
  const std::string entry = "100644 blob " + blob + "\t" + commit.file + std::string(1, '\0');
  RECALL_ASSIGN(const std::string tree, run({"mktree", "-z"}, entry, {}));
  std::vector<std::string> arguments = {"commit-tree", tree, "-m", commit.message};
  if (!commit.parent.empty()) arguments.insert(arguments.end(), {"-p", commit.parent});
  return run(std::move(arguments), "",
             {"GIT_AUTHOR_NAME=recall", "GIT_COMMITTER_NAME=recall",
              "GIT_AUTHOR_EMAIL=" + commit.email, "GIT_COMMITTER_EMAIL=" + commit.email});
}

Status UpdateRef(const GitRepository& repository, const std::string& ref, const std::string& sha,
                 const std::string& before) {
  const std::string expected = before.empty() ? std::string(sha.size(), '0') : before;
  RECALL_ASSIGN(
      const GitOutput output,
      RunGit({DirectoryOf(repository), {"update-ref", "-m", "recall", ref, sha, expected}}));
  if (output.succeeded) return {};
  return Status::Busy("another program has just changed " + ref + ": git: " + output.error,
                      "run the command again");
}

Status PushBranch(const GitRepository& repository, const std::string& remote,
                  const std::string& branch, bool force) {
  RECALL_TRY(CheckRemote(remote));
  const std::string ref = "refs/heads/" + branch;
  std::vector<std::string> arguments = {"push", "--porcelain", "--no-follow-tags",
                                        "--recurse-submodules=no"};
  if (force) arguments.emplace_back("--force");
  arguments.insert(arguments.end(), {"--", remote, ref + ":" + ref});
  RECALL_ASSIGN(const GitOutput output, RunGit(RemoteRun(repository, std::move(arguments))));
  if (output.succeeded) return {};
  // A line of the reference: "!" TAB from:to TAB "[rejected] (fetch first)".
  const bool behind = output.text.find("(fetch first)") != std::string::npos ||
                      output.text.find("(non-fast-forward)") != std::string::npos;
  if (behind) {
    return Status::AlreadyExists(
        remote + " has sessions on " + branch + " that this repository lacks",
        "run `recall pull` and push again; --force replaces what is there");
  }
  return GitFailure("cannot push to " + remote, output);
}

Status FetchRefs(const GitRepository& repository, const std::string& remote,
                 const std::string& refspec) {
  RECALL_TRY(CheckRemote(remote));
  RECALL_ASSIGN(
      const GitOutput output,
      RunGit(RemoteRun(repository, {"fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
                                    "--no-recurse-submodules", "--prune", "--", remote, refspec})));
  if (output.succeeded) return {};
  return GitFailure("cannot fetch from " + remote, output);
}

Result<std::vector<std::string>> TrackedFiles(const GitRepository& repository) {
  std::vector<std::string> files;
  if (repository.root.empty()) return files;
  RECALL_ASSIGN(const GitOutput output, RunGit({repository.root, {"ls-files", "-z"}}));
  if (!output.succeeded) return Fail(GitFailure("cannot list the files of the work tree", output));
  for (std::string_view rest = output.text; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    files.emplace_back(name);
  }
  return files;
}

Result<bool> IsRemoteName(const GitRepository& repository, const std::string& remote) {
  RECALL_TRY(CheckRemote(remote));
  RECALL_ASSIGN(const GitOutput output, RunGit({DirectoryOf(repository), {"remote"}}));
  return ("\n" + output.text).find("\n" + remote + "\n") != std::string::npos;
}

}  // namespace recall
