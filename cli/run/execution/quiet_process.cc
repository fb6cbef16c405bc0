#include "cli/run/execution/quiet_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "storage/base/child_descriptors.h"

extern char** environ;

namespace recall {
namespace {

class QuietSettings final {
 public:
  explicit QuietSettings(QuietProcess kind) {
    posix_spawn_file_actions_init(&actions);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    }
    CloseInChild(&actions, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setpgroup(&attributes, 0);
    int own = POSIX_SPAWN_SETPGROUP;
#ifdef POSIX_SPAWN_SETSID
    if (kind == QuietProcess::kOwnSession) own = POSIX_SPAWN_SETSID;
#else
    (void)kind;  // a group of its own is what this system has
#endif
    posix_spawnattr_setflags(
        &attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | own));
  }
  ~QuietSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  QuietSettings(const QuietSettings&) = delete;
  QuietSettings& operator=(const QuietSettings&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

}  // namespace

std::optional<pid_t> SpawnQuietly(const std::string& program, std::vector<std::string> words,
                                  QuietProcess kind) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const QuietSettings settings(kind);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, program.c_str(), &settings.actions, &settings.attributes,
                                   argv.data(), ::environ);
  return error == 0 ? std::optional(pid) : std::nullopt;
}

}  // namespace recall
