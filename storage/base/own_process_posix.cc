#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <utmpx.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "storage/base/hosted.h"
#include "storage/base/own_process.h"

namespace recall::posix_form {
namespace {

struct Program {
  std::string file;
  struct stat info = {};
};

// Set once, before other threads exist.
Program& TheProgram() {
  static Program& program = *new Program;
  return program;
}

std::string Resolved(const std::string& path) {
  char* const real = ::realpath(path.c_str(), nullptr);
  std::string resolved = real == nullptr ? "" : real;
  ::free(real);
  return resolved;
}

// The file that a shell starts by this word.
std::string FileOfWord(std::string_view word) {
  if (word.find('/') != word.npos) return Resolved(std::string(word));
  const char* const path = ::getenv("PATH");
  std::string_view left = path == nullptr ? "" : path;
  while (!left.empty()) {
    const size_t end = std::min(left.find(':'), left.size());
    std::string file(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
    file.append("/").append(word);
    if (::access(file.c_str(), X_OK) == 0) return Resolved(file);
  }
  return "";
}

}  // namespace

void RememberProgram(const char* word) {
  Program& program = TheProgram();
  program.file = FileOfWord(word == nullptr ? "" : word);
  if (::stat(program.file.c_str(), &program.info) != 0) program.file.clear();
}

std::string PathOfProgram() { return IsHosted() ? "" : TheProgram().file; }

std::string FileOfProgram() {
  const std::string& file = TheProgram().file;
  return ::access(file.c_str(), F_OK) == 0 ? file : "";
}

bool StatOfProgram(struct stat* info) {
  *info = TheProgram().info;
  return !TheProgram().file.empty();
}

// Opening /dev/fd/N may only duplicate the descriptor, with its place in the file.
std::string PathToReopen(int) { return ""; }

std::string FileOfDescriptor([[maybe_unused]] int descriptor) {
#ifdef F_GETPATH
  char path[PATH_MAX] = "";
  if (::fcntl(descriptor, F_GETPATH, path) == 0) return path;
#endif
  return "";
}

std::optional<std::array<uint64_t, 2>> NamespaceOfFiles() { return std::array<uint64_t, 2>{}; }

// The time of the last start, from the database of users. Not every machine writes it.
std::string BootIdentity() {
  std::string identity;
  ::setutxent();
  while (const utmpx* const entry = ::getutxent()) {
    if (entry->ut_type == BOOT_TIME) identity = std::to_string(entry->ut_tv.tv_sec);
  }
  ::endutxent();
  return identity;
}

ProcessMemory MemoryOfProcess() {
  rusage usage = {};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return {};
  return {PeakMemoryBytes(usage), 0};
}

// POSIX does not say the unit.
int64_t PeakMemoryBytes(const rusage& usage) {
#ifdef __APPLE__
  return usage.ru_maxrss;
#else
  return int64_t{usage.ru_maxrss} * 1024;
#endif
}

bool IsRunning(pid_t process) { return ::kill(process, 0) == 0 || errno == EPERM; }

void EndWithParent() {}

}  // namespace recall::posix_form
