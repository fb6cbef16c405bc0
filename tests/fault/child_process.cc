#include "tests/fault/child_process.h"

#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <exception>

#include "tests/test_util.h"

namespace recall {
namespace {

void WriteAll(int fd, const std::string& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ::_exit(120);
    done += static_cast<size_t>(count);
  }
}

}  // namespace

ChildOutcome RunInChild(const std::function<std::string()>& work) {
  ChildOutcome outcome;
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  const pid_t child = ::fork();
  if (child < 0) std::abort();
  if (child == 0) {
    ::close(ends[0]);
    // The memory is not returned before the process exits, because returning it piece by piece
    // takes longer than the work itself.
    ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    try {
      WriteAll(ends[1], work());
      ::_exit(0);
    } catch (const std::exception& surprise) {
      WriteAll(ends[1], surprise.what());
    }
    ::_exit(121);
  }
  ::close(ends[1]);
  char buffer[65536];
  for (;;) {
    const ssize_t count = ::read(ends[0], buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    outcome.output.append(buffer, static_cast<size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

void LimitMemory(uint64_t bytes) {
  if (kUnderSanitizer) return;
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_DATA, &limit);
}

std::string Describe(const ChildOutcome& outcome) {
  return outcome.signal != 0 ? "signal " + std::to_string(outcome.signal)
                             : "exit code " + std::to_string(outcome.exit_code);
}

}  // namespace recall
