// What is left of the sandbox on systems for which the program has none (sandbox.h).

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "index/source/extract/worker/sandbox.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr uint64_t kManyBytes = uint64_t{64} << 30;

TEST(PosixSandboxTest, ItSaysThatThereIsNone) {
  EXPECT_FALSE(posix_form::HasSandbox());
  EXPECT_FALSE(posix_form::FindSandboxSupport().seccomp);
  EXPECT_EQ(posix_form::FindSandboxSupport().landlock_version, 0);
}

// In a child, because the limits stay.
TEST(PosixSandboxTest, AWorkerKeepsItsSocketAndWritesNoFile) {
  const TempDir dir;
  const std::string path = dir / "file";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    int ends[2];
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
    if (file < 0 || ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) ::_exit(2);
    if (!posix_form::EnterWorkerSandbox(ends[0], kManyBytes, false).ok()) ::_exit(3);
    if (::fcntl(ends[0], F_GETFD) < 0 || ::fcntl(ends[1], F_GETFD) >= 0) ::_exit(4);
    if (::fcntl(file, F_GETFD) >= 0) ::_exit(5);
    const int again = ::open(path.c_str(), O_WRONLY);
    ::_exit(again >= 0 && ::write(again, "x", 1) < 0 && errno == EFBIG ? 0 : 6);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace recall
