#include "index/base/program/child_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "index/base/program/without_sigpipe.h"
#include "storage/base/sockets.h"

extern char** environ;

namespace recall {
namespace {

// The problem: an external program must be driven over pipes by a library that may be
// embedded in any process. The program may read ahead, write early, stop reading, hang, fork, or
// die, and none of this may block or kill the calling process, or leave a process behind.
//
//   Recall                         program (own process group)
//     input_   --- O_NONBLOCK -->  stdin
//     output_  <-- O_NONBLOCK ---  stdout
//     errors_  <-- O_NONBLOCK ---  stderr    (the last 4 KiB are kept for messages)
//
// Rules that follow:
// - One poll() waits for all three pipes. Writing and reading alternate as the pipes permit, so
//   neither side can wait for the other with full pipes.
// - A write to a closed pipe returns EPIPE; SIGPIPE is blocked for the write (without_sigpipe.h).
// - posix_spawn starts the program: it is safe in a process with threads. Signal mask and SIGPIPE
//   are reset, and the pipe ends have FD_CLOEXEC, so other children do not inherit them.
// - The program leads a new process group. End() closes its input, waits a second, and kills the
//   group. waitid(WNOWAIT) leaves the zombie in place until then, so the group id cannot be reused
//   between the check and the kill.
//
// Error: a program that is not found is NotFound. If it ends or stays silent, the caller gets an
// event and reports it with DescribeEnd().

constexpr size_t kMaxErrorBytes = 4096;
constexpr int kGraceMillis = 1000;
constexpr int kGraceStepMillis = 5;
// How often a wait looks at its flag: a signal that another thread receives does not end poll().
constexpr int kCancelPollMillis = 100;

void CloseFd(int* fd) {
  if (*fd >= 0) ::close(*fd);
  *fd = -1;
}

// A pipe with close-on-exec ends: the program inherits only the ends that are passed to it
// explicitly. No end is descriptor 0, 1 or 2, even if those are closed in this process, because
// posix_spawn's dup2 actions would overwrite it.
struct Pipe {
  int read = -1;
  int write = -1;

  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    CloseFd(&read);
    CloseFd(&write);
  }
  bool Open() {
    int ends[2];
    if (OpenPipe(ends) != 0) return false;
    read = ends[0];
    write = ends[1];
    return LiftFd(&read) && LiftFd(&write);
  }

 private:
  static bool LiftFd(int* fd) {
    if (*fd > STDERR_FILENO) return true;
    const int lifted = ::fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (lifted < 0) return false;
    ::close(*fd);
    *fd = lifted;
    return true;
  }
};

// The settings of posix_spawn: pipes in place of 0, 1 and 2, no blocked signals, default actions
// of SIGPIPE and SIGXFSZ, and a new process group, so that the children of the program are killed
// with it.
class SpawnSettings final {
 public:
  explicit SpawnSettings(bool without_terminal) {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    int group = POSIX_SPAWN_SETPGROUP;
#ifdef POSIX_SPAWN_SETSID
    // A new session has no terminal. Its leader leads a process group, too.
    if (without_terminal) group = POSIX_SPAWN_SETSID;
#else
    (void)without_terminal;
#endif
    posix_spawnattr_setflags(
        &attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

// The variables of this process with the changes that `surroundings` asks for.
std::vector<std::string> EnvironmentFor(const ChildSurroundings& surroundings) {
  const auto name_of = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  std::vector<std::string> entries = surroundings.set;
  for (char* const* entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view name = name_of(*entry);
    const bool replaced =
        std::any_of(surroundings.set.begin(), surroundings.set.end(),
                    [&](const std::string& other) { return name_of(other) == name; }) ||
        std::find(surroundings.unset.begin(), surroundings.unset.end(), name) !=
            surroundings.unset.end();
    if (!replaced) entries.emplace_back(*entry);
  }
  return entries;
}

std::vector<char*> PointersTo(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

Status SystemFailure(const std::string& what, int error) {
  return Status::IoError("cannot " + what + ": " + std::strerror(error));
}

}  // namespace

Result<std::unique_ptr<ChildProgram>> ChildProgram::Start(const std::vector<std::string>& argv,
                                                          const ChildSurroundings& surroundings) {
  if (argv.empty() || argv[0].empty()) {
    return Fail(Status::InvalidArgument("the command is empty"));
  }
  std::unique_ptr<ChildProgram> program(new ChildProgram());
  RECALL_TRY(program->Spawn(argv, surroundings));
  return program;
}

Status ChildProgram::Spawn(const std::vector<std::string>& argv,
                           const ChildSurroundings& surroundings) {
  Pipe in, out, err;
  if (!in.Open() || !out.Open() || !err.Open()) return SystemFailure("create a pipe", errno);
  SpawnSettings settings(surroundings.without_terminal);
  posix_spawn_file_actions_adddup2(&settings.actions, in.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, out.write, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, err.write, STDERR_FILENO);
  const std::vector<char*> arguments = PointersTo(argv);
  const std::vector<std::string> environment = EnvironmentFor(surroundings);
  const int error = posix_spawnp(&pid_, arguments[0], &settings.actions, &settings.attributes,
                                 arguments.data(), PointersTo(environment).data());
  if (error != 0) {
    pid_ = -1;
    if (error == ENOENT) return Status::NotFound("no such program: \"" + argv[0] + "\"");
    return SystemFailure("start \"" + argv[0] + "\"", error);
  }
  input_ = std::exchange(in.write, -1);
  output_ = std::exchange(out.read, -1);
  errors_ = std::exchange(err.read, -1);
  for (const int fd : {input_, output_, errors_}) {
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  }
  return Status::Ok();
}

ChildProgram::~ChildProgram() { End(); }

Result<ChildProgram::Event> ChildProgram::Exchange(std::string_view* input, std::string* output,
                                                   std::chrono::milliseconds timeout,
                                                   const std::atomic<bool>* cancel) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) return Event::kCancelled;
    if (output_ < 0 || (input_ < 0 && !input->empty())) return Event::kEnded;
    // poll() ignores a negative descriptor.
    pollfd polled[] = {
        {output_, POLLIN, 0}, {errors_, POLLIN, 0}, {input->empty() ? -1 : input_, POLLOUT, 0}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    const int wait = static_cast<int>(std::clamp<int64_t>(left.count(), 0, kCancelPollMillis));
    const int ready = ::poll(polled, std::size(polled), wait);
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return Fail(SystemFailure("wait for the command", errno));
    if (ready == 0 && left.count() > kCancelPollMillis) continue;
    if (ready == 0) return Event::kTimeout;
    if (polled[1].revents != 0) ReadErrors();
    bool moved = false;
    if (polled[0].revents != 0) {
      RECALL_ASSIGN(moved, ReadSome(&output_, output));
    }
    if (polled[2].revents != 0) {
      RECALL_ASSIGN(const bool written, WriteSome(input));
      moved = moved || written;
    }
    if (moved) return Event::kMoved;
  }
}

// Returns whether bytes were written. If the program has closed its input, the pipe is closed.
Result<bool> ChildProgram::WriteSome(std::string_view* input) {
  ssize_t count = 0;
  int error = 0;
  {
    const WithoutSigpipe guard;
    count = ::write(input_, input->data(), input->size());
    error = errno;
  }
  if (count >= 0) {
    input->remove_prefix(static_cast<size_t>(count));
    return true;
  }
  if (error == EAGAIN || error == EINTR) return false;
  if (error != EPIPE) return Fail(SystemFailure("write to the command", error));
  CloseFd(&input_);
  return false;
}

Result<bool> ChildProgram::ReadSome(int* fd, std::string* output) {
  char buffer[65536];
  const ssize_t count = ::read(*fd, buffer, sizeof(buffer));
  if (count > 0) {
    output->append(buffer, static_cast<size_t>(count));
    return true;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (count < 0) return Fail(SystemFailure("read from the command", errno));
  CloseFd(fd);
  return false;
}

void ChildProgram::ReadErrors() {
  const Result<bool> read = ReadSome(&errors_, &error_text_);
  if (!read) CloseFd(&errors_);  // only used for messages
  if (error_text_.size() > kMaxErrorBytes)
    error_text_.erase(0, error_text_.size() - kMaxErrorBytes);
}

bool ChildProgram::LeavesByItself() {
  for (int waited = 0; waited < kGraceMillis; waited += kGraceStepMillis) {
    // Drain its output: a full pipe would keep it from exiting.
    std::string ignored;
    if (output_ >= 0 && !ReadSome(&output_, &ignored)) CloseFd(&output_);
    if (errors_ >= 0) ReadErrors();
    siginfo_t info = {};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == pid_) {
      return true;
    }
    pollfd polled = {output_, POLLIN, 0};
    ::poll(&polled, 1, kGraceStepMillis);
  }
  return false;
}

void ChildProgram::CloseInput() { CloseFd(&input_); }

// It is not reaped yet, so the id of its process group cannot have been reused.
void ChildProgram::Kill() {
  if (pid_ > 0) ::kill(-pid_, SIGKILL);
}

void ChildProgram::End() {
  CloseFd(&input_);
  if (pid_ > 0) {
    killed_ = !LeavesByItself();
    Kill();
    while (::waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) continue;
    pid_ = -1;
  }
  if (errors_ >= 0) ReadErrors();
  CloseFd(&output_);
  CloseFd(&errors_);
}

std::string ChildProgram::LastErrorLine() {
  if (errors_ >= 0) ReadErrors();
  std::string_view text = error_text_;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  const size_t line = text.rfind('\n');
  return std::string(line == text.npos ? text : text.substr(line + 1));
}

bool ChildProgram::Succeeded() {
  End();
  return !killed_ && WIFEXITED(wait_status_) && WEXITSTATUS(wait_status_) == 0;
}

std::string ChildProgram::DescribeEnd() {
  End();
  std::string end;
  if (killed_) {
    end = "did not exit when its input ended";
  } else if (WIFEXITED(wait_status_)) {
    end = "exited with code " + std::to_string(WEXITSTATUS(wait_status_));
  } else {
    end = "was ended by signal " + std::to_string(WTERMSIG(wait_status_));
  }
  const std::string line = LastErrorLine();
  return line.empty() ? end : end + ": " + line;
}

}  // namespace recall
