#include "cli/show/terminal/pager.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "cli/show/terminal/signals.h"
#include "cli/show/terminal/terminal.h"
#include "storage/base/sockets.h"

namespace recall {
namespace {

std::string Variable(const char* name, const std::string& otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

// Returns: the size of the escape sequence at the start of a text: "ESC [ ... letter" (colours) or
// "ESC ] ... ESC \" (links); 0 if there is none.
size_t EscapeSequence(std::string_view text) {
  if (text.size() < 2 || text[0] != '\x1b') return 0;
  if (text[1] == '[') {
    const size_t end = text.find_first_not_of("0123456789;", 2);
    return end == text.npos ? text.size() : end + 1;
  }
  if (text[1] != ']') return 0;
  const size_t end = text.find("\x1b\\", 2);
  return end == text.npos ? text.size() : end + 2;
}

std::string WithoutEscapes(std::string_view line) {
  std::string plain;
  while (!line.empty()) {
    const size_t escape = EscapeSequence(line);
    if (escape == 0) plain += line[0];
    line.remove_prefix(escape == 0 ? 1 : escape);
  }
  return plain;
}

// The process that shows the text of `read_end`; -1 if it cannot be started.
pid_t Spawn(const std::string& command, int read_end, int write_end) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, read_end, STDIN_FILENO);
  ::posix_spawn_file_actions_addclose(&actions, read_end);
  ::posix_spawn_file_actions_addclose(&actions, write_end);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t defaults;
  ::sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) ::sigaddset(&defaults, signal);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  // As git has it: quit if one screen is enough, colours as they are, no clearing.
  ::setenv("LESS", "FRX", 0);
  std::string words[] = {"sh", "-c", command};
  char* const argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = -1;
  const int failed = ::posix_spawn(&child, "/bin/sh", &actions, &attributes, argv, environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : -1;
}

// Whether `sh -c` will find the program of a command.
bool Exists(const std::string& command) {
  const std::string program = command.substr(0, command.find_first_of(" \t"));
  if (program.find('/') != program.npos) return ::access(program.c_str(), X_OK) == 0;
  const std::string path = Variable("PATH", "/usr/bin:/bin");
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    if (::access((path.substr(begin, end - begin) + "/" + program).c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::string Pager::Command() {
  const std::string terminal = Variable("TERM", "dumb");
  if (terminal.empty() || terminal == "dumb") return "";
  const std::string command = Variable("RECALL_PAGER", Variable("PAGER", "less"));
  return command == "cat" || !Exists(command) ? "" : command;
}

std::unique_ptr<Pager> Pager::Start(const std::string& command) {
  int ends[2];
  if (OpenPipe(ends) != 0) return nullptr;
  std::unique_ptr<Pager> pager(new Pager);
  pager->child_ = Spawn(command, ends[0], ends[1]);
  ::close(ends[0]);
  if (pager->child_ > 0) {
    pager->saved_out_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    ::dup2(ends[1], STDOUT_FILENO);
    if (IsTerminal(STDERR_FILENO)) {
      std::fflush(stderr);
      pager->saved_error_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
      ::dup2(ends[1], STDERR_FILENO);
    }
    LeaveInterruptsToPager();
  }
  ::close(ends[1]);
  return pager->child_ > 0 ? std::move(pager) : nullptr;
}

Pager::~Pager() {
  if (child_ <= 0) return;
  std::fflush(stderr);
  ::dup2(saved_out_, STDOUT_FILENO);
  ::close(saved_out_);
  if (saved_error_ >= 0) {
    ::dup2(saved_error_, STDERR_FILENO);
    ::close(saved_error_);
  }
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

size_t RowsOf(std::string_view text, size_t columns) {
  size_t rows = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const size_t width = DisplayColumns(WithoutEscapes(text.substr(0, end)));
    rows += columns == 0 || width == 0 ? 1 : (width + columns - 1) / columns;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return rows;
}

}  // namespace recall
