#include "cli/setup/hooks/background_capture.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "storage/base/own_process.h"
#include "storage/base/status.h"

namespace recall {
namespace {

// In the child: only functions that are safe after fork.
[[noreturn]] void RunCapture(const char* program, char* const* args, unsigned seconds) {
  ::setsid();
  const int null = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, stream);
  if (null > STDERR_FILENO) ::close(null);
  // The alarm outlives exec, and ends a program that does not expect it.
  ::alarm(seconds);
  ::execv(program, args);
  ::_exit(127);
}

}  // namespace

Status StartCapture(const BackgroundCapture& capture) {
  std::vector<std::string> words = {"recall",        "capture",     "--quiet",
                                    "--store",       capture.store, "--project",
                                    capture.project, "--",          capture.transcript};
  std::vector<char*> args;
  for (std::string& word : words) args.push_back(word.data());
  args.push_back(nullptr);
  const std::string program = PathOfProgram();
  const pid_t child = ::fork();
  if (child < 0) return Status::IoError("cannot start a process: " + SystemErrorText(errno));
  const auto seconds = static_cast<unsigned>(capture.most.count());
  if (child == 0) RunCapture(program.c_str(), args.data(), seconds);
  if (!capture.wait) return {};
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  return {};
}

}  // namespace recall
