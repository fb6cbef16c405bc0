// Both forms of what systems do differently with processes, their descriptors and their signals.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "storage/base/child_descriptors.h"
#include "storage/base/own_process.h"
#include "storage/base/pending_signal.h"
#include "storage/base/processor.h"
#include "storage/base/socket_peer.h"
#include "storage/base/sockets.h"
#include "storage/file_io/file_descriptor.h"
#include "tests/storage/base/both_forms.h"
#include "tests/test_util.h"

extern char** environ;

namespace recall {
namespace {

int StatusOf(pid_t child) {
  int status = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool IsClosedOnExec(int descriptor) { return (::fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0; }
bool Waits(int descriptor) { return (::fcntl(descriptor, F_GETFL) & O_NONBLOCK) == 0; }

// ---- Sockets ----------------------------------------------------------------------------------

struct SocketForm {
  const char* name;
  decltype(&posix_form::OpenSocket) open;
  decltype(&posix_form::OpenSocketPair) pair;
  decltype(&posix_form::OpenPipe) pipe;
  decltype(&posix_form::AcceptConnection) accept;
  decltype(&posix_form::SendBytes) send;
  decltype(&posix_form::SendMessage) send_message;
  decltype(&posix_form::ReceiveMessage) receive_message;
};
#define RECALL_SOCKET_FORM(form, name)                                                        \
  SocketForm {                                                                                \
    name, &form::OpenSocket, &form::OpenSocketPair, &form::OpenPipe, &form::AcceptConnection, \
        &form::SendBytes, &form::SendMessage, &form::ReceiveMessage                           \
  }

class SocketsTest : public ::testing::TestWithParam<SocketForm> {};
RECALL_TEST_FORMS(SocketsTest, RECALL_SOCKET_FORM);

TEST_P(SocketsTest, OtherProgramsInheritNone) {
  for (const auto make : {GetParam().pair, GetParam().pipe}) {
    int ends[2];
    ASSERT_EQ(make(ends), 0);
    for (const int end : ends) {
      EXPECT_TRUE(IsClosedOnExec(end));
      EXPECT_TRUE(Waits(end));
      ::close(end);
    }
  }
  for (const bool waits : {true, false}) {
    const FileDescriptor socket(GetParam().open(AF_UNIX, waits));
    ASSERT_GE(socket.get(), 0);
    EXPECT_TRUE(IsClosedOnExec(socket.get()));
    EXPECT_EQ(Waits(socket.get()), waits);
  }
}

TEST_P(SocketsTest, AConnectionIsAcceptedAndItsProcessKnown) {
  const TempDir dir;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  (dir / "socket").copy(address.sun_path, sizeof(address.sun_path) - 1);
  const auto* const any = reinterpret_cast<const sockaddr*>(&address);
  const FileDescriptor listener(GetParam().open(AF_UNIX, false));
  ASSERT_EQ(::bind(listener.get(), any, sizeof(address)), 0);
  ASSERT_EQ(::listen(listener.get(), 1), 0);
  EXPECT_EQ(GetParam().accept(listener.get()), -1);
  EXPECT_TRUE(errno == EAGAIN || errno == EWOULDBLOCK);
  const FileDescriptor client(GetParam().open(AF_UNIX, true));
  ASSERT_EQ(::connect(client.get(), any, sizeof(address)), 0);
  const FileDescriptor accepted(GetParam().accept(listener.get()));
  ASSERT_GE(accepted.get(), 0);
  EXPECT_TRUE(IsClosedOnExec(accepted.get()));
  EXPECT_FALSE(Waits(accepted.get()));
  const auto peer = PeerOfSocket(accepted.get());
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->user, ::geteuid());
  EXPECT_EQ(peer->group, ::getegid());
  EXPECT_TRUE(peer->process == ::getpid() || peer->process == 0);
}

TEST_P(SocketsTest, AWriteToAClosedEndIsAnErrorAndNoSignal) {
  int ends[2];
  ASSERT_EQ(GetParam().pair(ends), 0);
  ::close(ends[0]);
  EXPECT_EQ(GetParam().send(ends[1], "a", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  ::close(ends[1]);
}

TEST_P(SocketsTest, APassedDescriptorIsNotInheritedEither) {
  int ends[2];
  ASSERT_EQ(GetParam().pair(ends), 0);
  char text[] = "with";
  iovec part{text, 4};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &ends[0], sizeof(int));
  ASSERT_EQ(GetParam().send_message(ends[0], &message), 4);

  std::memset(text, 0, sizeof(text));
  message.msg_controllen = sizeof(control);
  ASSERT_EQ(GetParam().receive_message(ends[1], &message), 4);
  EXPECT_STREQ(text, "with");
  int passed = -1;
  const cmsghdr* const received = CMSG_FIRSTHDR(&message);
  ASSERT_NE(received, nullptr);
  std::memcpy(&passed, CMSG_DATA(received), sizeof(passed));
  EXPECT_NE(passed, ends[0]);
  EXPECT_TRUE(IsClosedOnExec(passed));
  for (const int descriptor : {passed, ends[0], ends[1]}) ::close(descriptor);
}

// ---- Descriptors of children ------------------------------------------------------------------

struct ChildForm {
  const char* name;
  decltype(&posix_form::CloseDescriptors) close;
  decltype(&posix_form::CloseInChild) close_in_child;
};
#define RECALL_CHILD_FORM(form, name) \
  ChildForm { name, &form::CloseDescriptors, &form::CloseInChild }

class ChildDescriptorsTest : public ::testing::TestWithParam<ChildForm> {};
RECALL_TEST_FORMS(ChildDescriptorsTest, RECALL_CHILD_FORM);

TEST_P(ChildDescriptorsTest, AProgramGetsNoneOfThose) {
  const FileDescriptor kept(::open("/dev/null", O_RDONLY));
  ASSERT_GE(kept.get(), 3);
  const std::string script = "test -e /dev/fd/" + std::to_string(kept.get());
  for (const bool closed : {false, true}) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (closed) GetParam().close_in_child(&actions, 3);
    const char* const arguments[] = {"sh", "-c", script.c_str(), nullptr};
    pid_t child = -1;
    ASSERT_EQ(::posix_spawn(&child, "/bin/sh", &actions, nullptr,
                            const_cast<char* const*>(arguments), environ),
              0);
    posix_spawn_file_actions_destroy(&actions);
    EXPECT_EQ(StatusOf(child) != 0, closed);
  }
}

TEST_P(ChildDescriptorsTest, ARangeIsClosed) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const int null = ::open("/dev/null", O_RDONLY);
    for (const int descriptor : {20, 21, 22}) ::dup2(null, descriptor);
    GetParam().close(21, 21);
    const bool middle =
        ::fcntl(20, F_GETFD) == 0 && ::fcntl(21, F_GETFD) < 0 && ::fcntl(22, F_GETFD) == 0;
    GetParam().close(20, INT_MAX);
    ::_exit(middle && ::fcntl(20, F_GETFD) < 0 && ::fcntl(22, F_GETFD) < 0 ? 0 : 1);
  }
  EXPECT_EQ(StatusOf(child), 0);
}

// ---- Processes --------------------------------------------------------------------------------

struct ProcessForm {
  const char* name;
  decltype(&posix_form::RememberProgram) remember;
  decltype(&posix_form::PathOfProgram) path;
  decltype(&posix_form::FileOfProgram) file;
  decltype(&posix_form::StatOfProgram) stat;
  decltype(&posix_form::FileOfDescriptor) file_of_descriptor;
  decltype(&posix_form::BootIdentity) boot;
  decltype(&posix_form::MemoryOfProcess) memory;
  decltype(&posix_form::PeakMemoryBytes) peak;
  decltype(&posix_form::IsRunning) is_running;
};
#define RECALL_PROCESS_FORM(form, name)                                       \
  ProcessForm {                                                               \
    name, &form::RememberProgram, &form::PathOfProgram, &form::FileOfProgram, \
        &form::StatOfProgram, &form::FileOfDescriptor, &form::BootIdentity,   \
        &form::MemoryOfProcess, &form::PeakMemoryBytes, &form::IsRunning      \
  }

class OwnProcessTest : public ::testing::TestWithParam<ProcessForm> {};
RECALL_TEST_FORMS(OwnProcessTest, RECALL_PROCESS_FORM);

TEST_P(OwnProcessTest, TheProgramIsFound) {
  const std::string word = ::testing::internal::GetArgvs()[0];
  const std::string file = std::filesystem::canonical(word).string();
  GetParam().remember(word.c_str());
  EXPECT_EQ(GetParam().file(), file);
  EXPECT_EQ(std::filesystem::canonical(GetParam().path()).string(), file);
}

// On its own, because under qemu the system runs another program.
class ProgramFileTest : public ::testing::TestWithParam<ProcessForm> {};
RECALL_TEST_FORMS(ProgramFileTest, RECALL_PROCESS_FORM);

TEST_P(ProgramFileTest, IsTheSameFile) {
  const std::string word = ::testing::internal::GetArgvs()[0];
  GetParam().remember(word.c_str());
  struct stat found;
  struct stat expected;
  ASSERT_EQ(::stat(word.c_str(), &expected), 0);
  ASSERT_TRUE(GetParam().stat(&found));
  EXPECT_EQ(found.st_ino, expected.st_ino);
}

TEST_P(OwnProcessTest, MemoryIsCountedInBytes) {
  rusage usage = {};
  ASSERT_EQ(::getrusage(RUSAGE_SELF, &usage), 0);
  const int64_t peak = GetParam().peak(usage);
  EXPECT_GT(peak, int64_t{1} << 20);
  EXPECT_LT(peak, int64_t{1} << 36);
  EXPECT_GT(GetParam().memory().resident, int64_t{1} << 20);
}

TEST_P(OwnProcessTest, AProcessRunsUntilItHasEnded) {
  EXPECT_TRUE(GetParam().is_running(::getpid()));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(0);
  StatusOf(child);
  EXPECT_FALSE(GetParam().is_running(child));
}

TEST_P(OwnProcessTest, NothingIsMadeUp) {
  const TempDir dir;
  const FileDescriptor file(::open((dir / "file").c_str(), O_RDWR | O_CREAT, 0600));
  const std::string found = GetParam().file_of_descriptor(file.get());
  EXPECT_TRUE(found.empty() || std::filesystem::equivalent(found, dir / "file")) << found;
  EXPECT_EQ(GetParam().boot(), GetParam().boot());
}

TEST(OwnProcessPosixTest, AWordWithoutADirectoryIsLookedForAsAShellDoes) {
  const char* const before = std::getenv("PATH");
  const std::string path = before == nullptr ? "" : before;
  ::setenv("PATH", "/nowhere:/bin", 1);
  posix_form::RememberProgram("sh");
  EXPECT_EQ(posix_form::PathOfProgram(), std::filesystem::canonical("/bin/sh").string());
  posix_form::RememberProgram("no such program");
  EXPECT_EQ(posix_form::PathOfProgram(), "");
  struct stat info;
  EXPECT_FALSE(posix_form::StatOfProgram(&info));
  ::setenv("PATH", path.c_str(), 1);
}

// ---- Signals and processors -------------------------------------------------------------------

struct SignalForm {
  const char* name;
  decltype(&posix_form::TakePendingSignal) take;
};
#define RECALL_SIGNAL_FORM(form, name) \
  SignalForm { name, &form::TakePendingSignal }

class PendingSignalTest : public ::testing::TestWithParam<SignalForm> {};
RECALL_TEST_FORMS(PendingSignalTest, RECALL_SIGNAL_FORM);

TEST_P(PendingSignalTest, ASignalThatWasTakenHasNoEffect) {
  sigset_t usr2;
  sigset_t before;
  sigemptyset(&usr2);
  sigaddset(&usr2, SIGUSR2);  // whose default is the end of the process
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &usr2, &before), 0);
  GetParam().take(SIGUSR2);  // none is pending: it does not wait
  ::pthread_kill(::pthread_self(), SIGUSR2);
  GetParam().take(SIGUSR2);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGUSR2), 0);
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
}

struct ProcessorForm {
  const char* name;
  decltype(&posix_form::UsableProcessors) usable;
  decltype(&posix_form::HasCrcInstruction) has_crc;
};
#define RECALL_PROCESSOR_FORM(form, name) \
  ProcessorForm { name, &form::UsableProcessors, &form::HasCrcInstruction }

class ProcessorTest : public ::testing::TestWithParam<ProcessorForm> {};
RECALL_TEST_FORMS(ProcessorTest, RECALL_PROCESSOR_FORM);

TEST_P(ProcessorTest, TheFormInUseClaimsNoLessThanTheOther) {
  EXPECT_GE(GetParam().usable(), 1u);
  EXPECT_GE(posix_form::UsableProcessors(), GetParam().usable());
  if (posix_form::HasCrcInstruction()) {
    EXPECT_TRUE(GetParam().has_crc());
  }
}

}  // namespace
}  // namespace recall
