#pragma once

// Real git repositories for tests, without the settings of the user who runs them.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/test_util.h"

namespace recall {

inline std::string QuotedWord(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Runs a program and returns its standard output without the last newline. The test fails if it
// fails.
inline std::string OutputOf(const std::string& shell_command) {
  std::string output;
  FILE* const pipe = ::popen(shell_command.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << "cannot run " << shell_command;
    return output;
  }
  std::array<char, 4096> buffer;
  for (size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.append(buffer.data(), n);
  }
  const int status = ::pclose(pipe);
  EXPECT_EQ(status, 0) << shell_command;
  if (output.ends_with('\n')) output.pop_back();
  return output;
}

// Variables for every git of a test: no settings of the machine, and an author.
inline const std::vector<std::pair<std::string, std::string>>& GitSandboxVariables() {
  static const std::vector<std::pair<std::string, std::string>> variables = {
      {"GIT_CONFIG_GLOBAL", "/dev/null"},
      {"GIT_CONFIG_NOSYSTEM", "1"},
      {"GIT_AUTHOR_NAME", "Ada"},
      {"GIT_COMMITTER_NAME", "Ada"},
      {"GIT_COMMITTER_EMAIL", "ada@example.com"},
  };
  return variables;
}

// Runs git in a directory; `variables`: "NAME=value" for this run.
inline std::string GitIn(const std::string& directory, const std::vector<std::string>& arguments,
                         const std::vector<std::string>& variables = {}) {
  std::string command = "env";
  for (const auto& [name, value] : GitSandboxVariables()) {
    command += " " + QuotedWord(name + "=" + value);
  }
  for (const std::string& variable : variables) command += " " + QuotedWord(variable);
  command += " git -C " + QuotedWord(directory);
  for (const std::string& argument : arguments) command += " " + QuotedWord(argument);
  return OutputOf(command + " 2>&1");
}

// A repository in a new directory, with user.email ada@example.com and the branch main.
inline void MakeGitRepository(const std::string& directory, const std::string& format = "sha1") {
  std::filesystem::create_directories(directory);
  GitIn(directory, {"init", "-q", "-b", "main", "--object-format=" + format});
  GitIn(directory, {"config", "user.email", "ada@example.com"});
  GitIn(directory, {"config", "user.name", "Ada"});
}

inline void WriteFileIn(const std::string& directory, const std::string& name,
                        const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(directory) / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// Commits all files at a time "2026-02-25T10:00:00Z", and returns the id.
inline std::string CommitAll(const std::string& directory, const std::string& message,
                             const std::string& time,
                             const std::string& author = "ada@example.com") {
  GitIn(directory, {"add", "-A"});
  GitIn(directory, {"commit", "-q", "--allow-empty", "-m", message},
        {"GIT_AUTHOR_DATE=" + time, "GIT_COMMITTER_DATE=" + time, "GIT_AUTHOR_EMAIL=" + author});
  return GitIn(directory, {"rev-parse", "HEAD"});
}

}  // namespace recall
