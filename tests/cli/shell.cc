#include "tests/cli/shell.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/test_paths.h"

namespace recall {

std::string ShellQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

ShellResult RunShell(const std::string& script, const std::string& directory) {
  const char* const other = std::getenv("RECALL_TEST_BIN");
  const std::string bin = other ? other : std::filesystem::path(RecallBinary()).parent_path();
  std::string command = "cd " + ShellQuoted(directory) +
                        " && exec env -i HOME=" + ShellQuoted(directory) +
                        " RECALL_JSON=pretty PATH=" + ShellQuoted(bin + ":/usr/bin:/bin");
  for (const char* name :
       {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "LD_LIBRARY_PATH"}) {
    if (const char* value = std::getenv(name)) {
      command += " " + std::string(name) + "=" + ShellQuoted(value);
    }
  }
  command += " bash -c " + ShellQuoted(script) + " 2>&1 </dev/null";
  FILE* pipe = ::popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  ShellResult result;
  char buffer[1 << 16];
  for (size_t count; (count = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;) {
    result.out.append(buffer, count);
  }
  const int status = ::pclose(pipe);
  result.exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace recall
