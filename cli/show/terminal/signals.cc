#include "cli/show/terminal/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include "cli/show/terminal/exit_code.h"

namespace recall {
namespace {

std::atomic<Database*> interrupted_database = nullptr;
std::atomic<std::atomic<bool>*> interrupted_flag = nullptr;
std::atomic<int> interrupted_descriptor = -1;
std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<Database*>::is_always_lock_free, "signal handlers need it");

void HandleInterrupt(int) {
  was_interrupted = true;
  const int error = errno;
  if (const int descriptor = interrupted_descriptor.exchange(-1); descriptor >= 0) {
    [[maybe_unused]] const ssize_t written = ::write(descriptor, "w", 1);
  }
  errno = error;
  Database* const database = interrupted_database.exchange(nullptr);
  std::atomic<bool>* const flag = interrupted_flag.exchange(nullptr);
  if (database != nullptr) database->Cancel();
  if (flag != nullptr) flag->store(true);
  if (database == nullptr && flag == nullptr) ::_exit(static_cast<int>(ExitCode::kInterrupted));
}

bool pager_takes_interrupts = false;

void SetHandler(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  if (!pager_takes_interrupts) ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptScope::InterruptScope() { SetHandler(HandleInterrupt); }

void InterruptScope::Stop(Database* database) { interrupted_database = database; }

InterruptScope::~InterruptScope() {
  SetHandler(SIG_DFL);
  interrupted_database = nullptr;
}

void LeaveInterruptsToPager() {
  pager_takes_interrupts = true;
  std::signal(SIGINT, SIG_IGN);
}

bool WasInterrupted() { return was_interrupted; }

InterruptFlag::InterruptFlag() { interrupted_flag = &flag_; }
InterruptFlag::~InterruptFlag() { interrupted_flag = nullptr; }

InterruptDatabase::InterruptDatabase(Database* database) {
  interrupted_database = database;
  if (was_interrupted) database->Cancel();
}
InterruptDatabase::~InterruptDatabase() { interrupted_database = nullptr; }

InterruptWake::InterruptWake(int descriptor) { interrupted_descriptor = descriptor; }
InterruptWake::~InterruptWake() { interrupted_descriptor = -1; }

void PrepareStreams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) == -1) {
      // open returns the lowest free descriptor, which is `fd`. If it fails, later writes fail.
      [[maybe_unused]] const int opened =
          ::open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
    }
  }
}

}  // namespace recall
