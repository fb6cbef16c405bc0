#include "cli/show/browse/editor.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "storage/base/unnamed_file.h"
#include "storage/base/write_whole.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

// The name of the program that a command begins with.
std::string_view ProgramOf(std::string_view command) {
  command = command.substr(0, command.find_first_of(" \t"));
  return command.substr(command.rfind('/') + 1);
}

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool IsLikeCode(std::string_view program) {
  return IsOneOf(program, {"code", "code-insiders", "codium", "cursor", "windsurf"});
}

// Whether a place is "FILE:LINE".
bool TakesPlaces(std::string_view program) {
  return IsOneOf(program, {"hx", "helix", "subl", "zed", "zeditor"});
}

// While it exists, signals of the terminal are those of the program that uses it.
class LeftToChild final {
 public:
  LeftToChild() {
    struct sigaction action = {};
    ::sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_IGN;
    ::sigaction(SIGINT, &action, &interrupt_);
    ::sigaction(SIGQUIT, &action, &quit_);
    action.sa_handler = SIG_DFL;
    ::sigaction(SIGTSTP, &action, &stop_);
  }
  ~LeftToChild() {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGQUIT, &quit_, nullptr);
    ::sigaction(SIGTSTP, &stop_, nullptr);
  }
  LeftToChild(const LeftToChild&) = delete;
  LeftToChild& operator=(const LeftToChild&) = delete;

 private:
  struct sigaction interrupt_ = {};
  struct sigaction quit_ = {};
  struct sigaction stop_ = {};
};

}  // namespace

std::string EditorCommand() {
  for (const char* name : {"VISUAL", "EDITOR"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return "";
}

std::vector<std::string> EditorArguments(std::string_view command, const std::string& file,
                                         uint32_t line) {
  return EditorArguments(command, {FilePlace{file, line}});
}

std::vector<std::string> EditorArguments(std::string_view command,
                                         const std::vector<FilePlace>& places) {
  const std::string_view program = ProgramOf(command);
  std::vector<std::string> arguments;
  if (IsLikeCode(program) || TakesPlaces(program)) {
    if (IsLikeCode(program)) arguments.emplace_back("--goto");
    for (const FilePlace& place : places) {
      arguments.push_back(place.file + ":" + std::to_string(place.line));
    }
    return arguments;
  }
  const bool each = IsOneOf(program, {"nano", "emacs", "emacsclient", "jed", "joe", "micro"});
  for (const FilePlace& place : places) {
    if (each || arguments.empty()) arguments.push_back("+" + std::to_string(place.line));
    arguments.push_back(place.file);
  }
  return arguments;
}

std::vector<std::string> WaitingEditorArguments(std::string_view command, const std::string& file,
                                                uint32_t line) {
  std::vector<std::string> arguments = EditorArguments(command, file, line);
  const std::string_view program = ProgramOf(command);
  if (IsLikeCode(program) || IsOneOf(program, {"subl", "zed", "zeditor"})) {
    arguments.insert(arguments.begin(), "--wait");
  } else if (IsOneOf(program, {"gvim", "mvim"})) {
    arguments.insert(arguments.begin(), "-f");
  }
  return arguments;
}

std::vector<std::string> PagerArguments(std::string_view command, uint32_t line) {
  if (!IsOneOf(ProgramOf(command), {"less", "more"})) return {};
  return {"+" + std::to_string(line)};
}

Result<int> RunOnTerminal(const std::string& command, const std::vector<std::string>& arguments,
                          int input, int terminal) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, terminal, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, terminal, STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t defaults;
  ::sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGPIPE, SIGXFSZ}) {
    ::sigaddset(&defaults, signal);
  }
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> words = {"sh", "-c", command + " \"$@\"", "sh"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const LeftToChild signals;
  pid_t child = -1;
  const int failed = ::posix_spawn(&child, "/bin/sh", &files, &attributes, argv.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  if (failed != 0) {
    return Fail(Status::IoError("cannot start '" + command + "': " + std::strerror(failed)));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

Result<int> TextDescriptor(std::string_view text) {
  FileDescriptor file(MemoryFile());
  if (file.get() < 0 || !WriteWhole(file.get(), text) || ::lseek(file.get(), 0, SEEK_SET) != 0) {
    return Fail(Status::IoError("cannot pass the text on: " + std::string(std::strerror(errno))));
  }
  return file.Release();
}

}  // namespace recall
