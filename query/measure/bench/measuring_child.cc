// Runs a measurement in a forked process, and starts several at the same moment.
//
// A process of its own gives each measurement a defined state: no open store, no mapped pages, no
// filled caches, its own peak memory (ru_maxrss). It also allows pages to be dropped from the page
// cache, because pages that a process has mapped cannot be dropped.
//
//   parent                              child
//   pipe, fork ------------------------> work()
//   Finish(): read until end of file <-- code, message, hint, position, bytes
//   wait4(): exit state, peak memory     _exit
//
// The gate is a barrier made of two pipes. Each child writes a byte to `ready` and then reads from
// `open`, on which nothing is ever written. When the parent has read one byte per child, it closes
// its write end of `open`; each child has closed its own copy, so all reads return end of file at
// the same moment. A child that ends early opens the gate as well, so that the others do not wait
// forever; its error is reported by Finish().
//
// Invariants: a child never outlives its parent (EndWithParent, and a check of getppid() for the
// time before it takes effect; not in the POSIX form) or its object (SIGTERM, a second later
// SIGKILL, and waitpid in the destructor: a child that gets SIGTERM can end the embedding command
// it has started). It leaves by _exit, so no buffer of the parent is flushed twice and no
// destructor runs twice.

#include "query/measure/bench/measuring_child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "query/measure/bench/wire.h"
#include "storage/base/own_process.h"
#include "storage/base/sockets.h"

namespace recall {
namespace {

// The interval in which a wait checks for cancellation.
constexpr int kWaitMillis = 100;
// How long a child may take to end by itself.
constexpr int kGraceMillis = 1000;
constexpr int kGraceStepMillis = 5;

Status SystemFault(const char* what) {
  return Status::IoError(std::string(what) + ": " + std::strerror(errno));
}

void Close(int* descriptor) {
  if (*descriptor >= 0) ::close(*descriptor);
  *descriptor = -1;
}

// True when data is available or the end of the file is reached.
bool IsReadable(int descriptor, int timeout_millis) {
  pollfd wanted = {descriptor, POLLIN, 0};
  return ::poll(&wanted, 1, timeout_millis) > 0;
}

bool WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

std::string Pack(const Result<std::string>& outcome) {
  WireWriter out;
  const Status status = outcome ? Status() : outcome.error();
  out.Put(static_cast<int64_t>(status.code()));
  out.PutText(status.message());
  out.PutText(status.hint());
  const TextPosition* position = status.position();
  out.Put(position != nullptr ? position->line : 0);
  out.Put(position != nullptr ? position->column : 0);
  out.PutText(position != nullptr ? std::string_view(position->excerpt) : "");
  out.PutText(outcome ? std::string_view(*outcome) : "");
  return out.Take();
}

// An exception must not reach the code of the parent, of which the child has a copy.
Result<std::string> OutcomeOf(const MeasuringChild::Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Fail(Status::NotEnoughMemory());
  }
}

Result<std::string> Unpack(std::string_view packed) {
  WireReader in(packed);
  const auto code = static_cast<StatusCode>(in.Next());
  std::string message = in.NextText();
  std::string hint = in.NextText();
  TextPosition position;
  position.line = in.Next();
  position.column = in.Next();
  position.excerpt = in.NextText();
  std::string bytes = in.NextText();
  if (!in.ok())
    return Fail(Status::Internal("a measuring process ended before it sent its result"));
  if (code == StatusCode::kOk) return bytes;
  Status status(code, std::move(message), std::move(hint));
  return Fail(position.line > 0 ? status.WithPosition(std::move(position)) : status);
}

}  // namespace

Result<std::unique_ptr<StartGate>> StartGate::Create() {
  std::unique_ptr<StartGate> gate(new StartGate);
  if (OpenPipe(gate->ready_) != 0 || OpenPipe(gate->open_) != 0) {
    return Fail(SystemFault("cannot create a pipe"));
  }
  return gate;
}

StartGate::~StartGate() {
  for (int* ends : {ready_, open_}) {
    Close(&ends[0]);
    Close(&ends[1]);
  }
}

void StartGate::Pass() {
  if (!WriteAll(ready_[1], "r")) return;
  char byte = 0;
  while (::read(open_[0], &byte, 1) < 0 && errno == EINTR) {
  }
}

Result<std::unique_ptr<MeasuringChild>> MeasuringChild::Start(const Work& work, StartGate* gate) {
  int ends[2];
  if (OpenPipe(ends) != 0) return Fail(SystemFault("cannot create a pipe"));
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    const Status fault = SystemFault("cannot start a process");
    ::close(ends[0]);
    ::close(ends[1]);
    return Fail(fault);
  }
  if (pid > 0) {
    ::close(ends[1]);
    return std::unique_ptr<MeasuringChild>(new MeasuringChild(pid, ends[0]));
  }
  // Kill the child when the parent exits, however that happens.
  EndWithParent();
  if (::getppid() != parent) ::_exit(1);
  ::close(ends[0]);
  // The gate opens when the last write end of the pipe is closed.
  if (gate != nullptr) Close(&gate->open_[1]);
  const bool told = WriteAll(ends[1], Pack(OutcomeOf(work)));
  // _exit flushes no buffers and runs no destructors, which belong to the parent.
  ::_exit(told ? 0 : 1);
}

MeasuringChild::~MeasuringChild() {
  Close(&from_);
  if (pid_ < 0) return;
  ::kill(pid_, SIGTERM);
  for (int waited = 0; waited < kGraceMillis && !HasEnded(); waited += kGraceStepMillis) {
    ::poll(nullptr, 0, kGraceStepMillis);
  }
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool MeasuringChild::HasEnded() const {
  siginfo_t info = {};
  const int flags = WEXITED | WNOHANG | WNOWAIT;
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, flags) == 0 && info.si_pid == pid_;
}

Status MeasuringChild::OpenGate(StartGate* gate,
                                const std::vector<std::unique_ptr<MeasuringChild>>& children,
                                const std::atomic<bool>& cancel) {
  bool ended = false;
  for (size_t ready = 0; ready < children.size() && !ended;) {
    if (cancel.load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
    if (IsReadable(gate->ready_[0], kWaitMillis)) {
      char byte = 0;
      if (::read(gate->ready_[0], &byte, 1) == 1) ++ready;
      continue;
    }
    for (const auto& child : children) ended |= child->HasEnded();
  }
  Close(&gate->open_[1]);
  return Status::Ok();
}

Result<MeasuringChild::Outcome> MeasuringChild::Finish(const std::atomic<bool>& cancel) {
  std::string packed;
  std::vector<char> buffer(64 << 10);
  for (;;) {
    if (cancel.load(std::memory_order_relaxed)) return Fail(Status::Cancelled("interrupted"));
    if (!IsReadable(from_, kWaitMillis)) continue;
    const ssize_t count = ::read(from_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    packed.append(buffer.data(), static_cast<size_t>(count));
  }
  int state = 0;
  rusage usage = {};
  while (::wait4(pid_, &state, 0, &usage) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (cancel.load(std::memory_order_relaxed)) return Fail(Status::Cancelled("interrupted"));
  if (WIFSIGNALED(state)) {
    return Fail(Status::Internal("a measuring process was ended by signal " +
                                 std::to_string(WTERMSIG(state))));
  }
  Outcome outcome;
  RECALL_ASSIGN(outcome.bytes, Unpack(packed));
  outcome.peak_memory_bytes = PeakMemoryBytes(usage);
  return outcome;
}

Result<MeasuringChild::Outcome> MeasuringChild::Run(const Work& work,
                                                    const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(const auto child, Start(work));
  return child->Finish(cancel);
}

}  // namespace recall
