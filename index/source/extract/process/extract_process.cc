#include "index/source/extract/process/extract_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "index/base/program/child_program.h"
#include "index/source/extract/pdf/pdf_child_messages.h"
#include "index/source/extract/worker/extract_worker.h"
#include "storage/base/coding.h"
#include "storage/base/signal_name.h"
#include "storage/base/sockets.h"
#include "storage/base/unnamed_file.h"

extern char** environ;

namespace recall {
namespace {

// The problem: files may crash, hang or take over what reads them, and the program must neither
// wait for ever, nor die, nor trust the answers.
//
//   program                                   worker (worker/sandbox.h)
//     bytes --> sealed memory ---descriptor-->  maps it
//               request       ----socket----->  extracts
//     checks    answer        <---socket------
//
//   PDF:        sealed memory --stdin--> pdftotext (sandbox of a helper) --pipe--> worker
//                             ---------------------descriptor------------------>
//
// Rules that follow:
// - The file goes over as sealed memory: neither side can change it, and the worker needs no path.
// - One poll() waits for the answer and for the messages of pdftotext, at most until the deadline.
// - An answer is read up to the size that the limits allow, and then checked (worker_protocol.h).
// - Both processes die with this one where the system sees to it (EndWithParent), and a worker ends
//   when its socket closes.
//
// Cost: a worker takes some 15 ms to start, so it is kept for many files.

constexpr int kPollMillis = 100;  // between two looks at `cancel`
// A worker is replaced after 200 documents, after 4,000 outlines of source code, or when it has
// used half of its memory, because libraries leak.
constexpr int kMostWear = 4000;
constexpr int kWearOfDocument = 20;
constexpr int kWearOfOutline = 1;
constexpr size_t kMostMessageBytes = 4096;
constexpr std::chrono::seconds kOutlineTimeout(30);

void CloseDescriptor(int* descriptor) {
  if (*descriptor >= 0) ::close(*descriptor);
  *descriptor = -1;
}

// The environment of a worker, without variables that could change a text.
std::vector<std::string> WorkerEnvironment() {
  std::vector<std::string> environment = {"LC_ALL=C", "TZ=UTC0", "PATH=/usr/bin:/bin"};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    for (const std::string_view kept :
         {"LD_LIBRARY_PATH=", "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "TSAN_OPTIONS="}) {
      if (text.starts_with(kept)) environment.emplace_back(text);
    }
  }
  return environment;
}

// Starts this program with these arguments. `descriptors[i]` becomes its descriptor i, unless it is
// -1.
Result<pid_t> StartSelf(const std::string& path, std::vector<std::string> arguments,
                        const std::array<int, 4>& descriptors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 4; ++i) {
    if (descriptors[static_cast<size_t>(i)] < 0) {
      posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
    } else {
      posix_spawn_file_actions_adddup2(&actions, descriptors[static_cast<size_t>(i)], i);
    }
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  // A group of its own: Ctrl-C is for the program, which ends its workers itself.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> environment = WorkerEnvironment();
  std::vector<char*> argv, envp;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  for (std::string& entry : environment) envp.push_back(entry.data());
  envp.push_back(nullptr);
  pid_t pid = -1;
  const int error =
      ::posix_spawn(&pid, path.c_str(), &actions, &attributes, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    return Fail(Status::IoError("cannot start an extraction worker: " + SystemErrorText(error)));
  }
  return pid;
}

// Moves a descriptor above those that StartSelf assigns, which would otherwise overwrite it.
int MovedUp(int descriptor) {
  if (descriptor < 0 || descriptor > 3) return descriptor;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 4);
  ::close(descriptor);
  return moved;
}

// Waits for the end of a child that is about to end. Returns its status.
int Reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

Extraction Unable(std::string reason) {
  return FailedExtraction(ExtractOutcome::kCrashed, std::move(reason));
}

}  // namespace

// A running pdftotext, and its messages.
struct ExtractProcess::Helper {
  pid_t pid = -1;
  int messages = -1;
  std::string text;  // the messages so far

  ~Helper() {
    CloseDescriptor(&messages);
    if (pid > 0) {
      ::kill(pid, SIGKILL);
      Reap(pid);
    }
  }

  // Reads the messages that have arrived, and keeps the beginning of all messages.
  void ReadMessages() {
    char buffer[4096];
    const ssize_t count = ::read(messages, buffer, sizeof(buffer));
    if (count > 0) {
      const size_t room = kMostMessageBytes - std::min(kMostMessageBytes, text.size());
      text.append(buffer, std::min(static_cast<size_t>(count), room));
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      CloseDescriptor(&messages);
    }
  }

  // Waits for its end and reads the rest of its messages.
  int Finish() {
    while (messages >= 0) ReadMessages();
    const int status = Reap(pid);
    pid = -1;
    return status;
  }
};

std::vector<std::string> ExtractProcess::Arguments(std::string_view mode) const {
  std::vector<std::string> arguments = {"recall", std::string(kExtractWorkerCommand)};
  if (!mode.empty()) arguments.emplace_back(mode);
  for (std::string& argument :
       WorkerArguments({.unsafe = program_->unsafe, .memory_bytes = program_->memory_bytes})) {
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

Status ExtractProcess::Start() {
  int ends[2];
  if (OpenSocketPair(ends) != 0) {
    return Status::IoError("cannot make a socket: " + SystemErrorText(errno));
  }
  for (int& end : ends) end = MovedUp(end);
  auto pid = StartSelf(program_->path, Arguments(""), {-1, -1, -1, ends[1]});
  ::close(ends[1]);
  if (!pid) {
    ::close(ends[0]);
    return pid.error();
  }
  pid_ = *pid;
  socket_ = ends[0];
  wear_ = 0;
  return Status::Ok();
}

void ExtractProcess::End() {
  CloseDescriptor(&socket_);
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    Reap(pid_);
  }
  pid_ = -1;
}

Status ExtractProcess::Send(std::array<char, kRequestBytes> bytes, std::span<const int> files) {
  iovec part{bytes.data(), bytes.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(kRequestFiles * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = CMSG_SPACE(files.size_bytes());
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(files.size_bytes());
  std::memcpy(CMSG_DATA(header), files.data(), files.size_bytes());
  ssize_t sent = 0;
  do {
    sent = SendMessage(socket_, &message);
  } while (sent < 0 && errno == EINTR);
  if (sent == static_cast<ssize_t>(bytes.size())) return Status::Ok();
  return Status::IoError("the worker does not listen: " + SystemErrorText(errno));
}

Extraction ExtractProcess::DescribeCrash() {
  CloseDescriptor(&socket_);
  ::kill(pid_, SIGKILL);  // it may have closed only its socket and still run
  const int status = Reap(std::exchange(pid_, -1));
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
    return Unable("the extractor tried a forbidden system call, and was stopped");
  }
  if (WIFSIGNALED(status)) {
    return Unable("the extractor was ended by the signal " + SignalName(WTERMSIG(status)));
  }
  return Unable("the extractor exited with code " + std::to_string(WEXITSTATUS(status)));
}

Extraction ExtractProcess::RefuseAnswer() {
  End();
  return Unable("the extractor gave an answer that is none");
}

std::optional<Extraction> ExtractProcess::Receive(uint64_t most, std::chrono::milliseconds timeout,
                                                  Helper* helper, const std::atomic<bool>& cancel,
                                                  std::string* received) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + timeout;
  constexpr size_t kSizeBytes = sizeof(uint64_t);
  std::string& answer = *received;
  uint64_t goal = kSizeBytes;
  char buffer[1 << 16];
  while (answer.size() < goal) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0 || cancel.load(std::memory_order_relaxed)) {
      End();
      return FailedExtraction(
          ExtractOutcome::kTimedOut,
          "it took longer than " + std::to_string(timeout.count() / 1000) + " s");
    }
    pollfd waits[2] = {{socket_, POLLIN, 0}, {helper ? helper->messages : -1, POLLIN, 0}};
    const int wait = static_cast<int>(std::min<int64_t>(left.count(), kPollMillis));
    if (::poll(waits, 2, wait) < 0 && errno != EINTR) return DescribeCrash();
    if (waits[1].revents != 0) helper->ReadMessages();
    if (waits[0].revents == 0) continue;
    const ssize_t count = ::recv(socket_, buffer, sizeof(buffer), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return DescribeCrash();
    answer.append(buffer, static_cast<size_t>(count));
    if (goal == kSizeBytes && answer.size() >= kSizeBytes) {
      const uint64_t size = LoadLittle<uint64_t>(reinterpret_cast<const uint8_t*>(answer.data()));
      if (size > most) return RefuseAnswer();
      goal += size;
    }
  }
  if (answer.size() != goal) return RefuseAnswer();
  answer.erase(0, kSizeBytes);
  return std::nullopt;
}

Extraction ExtractProcess::Await(const ExtractRequest& request, Helper* helper,
                                 const std::atomic<bool>& cancel) {
  std::string answer;
  auto failure =
      Receive(MostAnswerBytes(request.limits), program_->timeout, helper, cancel, &answer);
  if (failure) return std::move(*failure);
  auto decoded = DecodeExtractAnswer(answer, request.limits);
  if (!decoded) return RefuseAnswer();
  if (decoded->peak_kib > MostKib()) wear_ = kMostWear;
  return std::move(decoded->extraction);
}

Extraction ExtractProcess::ExtractPdf(const ExtractRequest& request, int file,
                                      const std::atomic<bool>& cancel) {
  int words[2] = {-1, -1};
  int messages[2] = {-1, -1};
  if (OpenPipe(words) != 0 || OpenPipe(messages) != 0) {
    for (int* end : {&words[0], &words[1]}) CloseDescriptor(end);
    return Unable("cannot make a pipe: " + SystemErrorText(errno));
  }
  for (int* end : {&words[0], &words[1], &messages[0], &messages[1]}) *end = MovedUp(*end);
  Helper helper;
  helper.messages = std::exchange(messages[0], -1);
  auto pid = StartSelf(program_->path, Arguments("--pdf"), {file, words[1], messages[1], -1});
  CloseDescriptor(&words[1]);
  CloseDescriptor(&messages[1]);
  if (!pid) {
    CloseDescriptor(&words[0]);
    return Unable(std::string(pid.error().message()));
  }
  helper.pid = *pid;
  const Status sent = Send(EncodeExtractRequest(request), std::array{words[0], file});
  CloseDescriptor(&words[0]);
  if (!sent.ok()) return DescribeCrash();
  Extraction extraction = Await(request, &helper, cancel);
  if (extraction.outcome == ExtractOutcome::kTimedOut ||
      extraction.outcome == ExtractOutcome::kCrashed) {
    return extraction;
  }
  const int status = helper.Finish();
  if (WIFEXITED(status) && WEXITSTATUS(status) == kHelperNotInstalled) {
    return FailedExtraction(ExtractOutcome::kUnsupported,
                            "the package poppler-utils is not installed");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoSandbox) {
    return FailedExtraction(ExtractOutcome::kUnsupported,
                            "pdftotext could not be started in a sandbox");
  }
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)) {
    return FailedExtraction(ExtractOutcome::kTimedOut, "reading its pages took too long");
  }
  if (!WIFEXITED(status) && (helper.text.find("Out of memory") != std::string::npos ||
                             helper.text.find("bad_alloc") != std::string::npos)) {
    return FailedExtraction(
        ExtractOutcome::kTooLarge,
        "pdftotext needs more than " + WorkerMemoryText(program_->memory_bytes) + " of memory");
  }
  if (!WIFEXITED(status)) {
    return FailedExtraction(ExtractOutcome::kDamaged, "pdftotext crashed when it read the file");
  }
  PdfChildResult read = ReadPdfChildMessages(helper.text, WEXITSTATUS(status));
  if (read.outcome != ExtractOutcome::kText) {
    return FailedExtraction(read.outcome, std::move(read.reason));
  }
  if (read.has_errors) {
    extraction.warnings.emplace_back("damaged_parts");
    std::sort(extraction.warnings.begin(), extraction.warnings.end());
  }
  return extraction;
}

Status ExtractProcess::Prepare(int wear) {
  if (wear_ >= kMostWear) End();
  if (pid_ < 0) RECALL_TRY(Start());
  wear_ += wear;
  return Status::Ok();
}

Extraction ExtractProcess::Extract(const ExtractRequest& request, std::string_view bytes,
                                   const std::atomic<bool>& cancel) {
  const Status prepared = Prepare(kWearOfDocument);
  if (!prepared.ok()) return Unable(std::string(prepared.message()));
  int file = MovedUp(SealedMemory(bytes));
  if (file < 0) return Unable("there is no memory for the file: " + SystemErrorText(errno));
  Extraction extraction;
  if (request.format == DocumentFormat::kPdf) {
    extraction = ExtractPdf(request, file, cancel);
  } else {
    const Status sent = Send(EncodeExtractRequest(request), std::array{file});
    extraction = sent.ok() ? Await(request, nullptr, cancel) : DescribeCrash();
  }
  CloseDescriptor(&file);
  return extraction;
}

Extraction ExtractProcess::DecryptPdf(std::string_view bytes,
                                      const std::vector<std::string>& passwords,
                                      const ExtractLimits& limits, const std::atomic<bool>& cancel,
                                      std::string* decrypted) {
  const Status prepared = Prepare(kWearOfDocument);
  if (!prepared.ok()) return Unable(std::string(prepared.message()));
  std::string lines;
  for (const std::string& password : passwords) lines += password + "\n";
  int file = MovedUp(SealedMemory(bytes)), secret = MovedUp(SealedMemory(lines));
  Extraction extraction = Unable("there is no memory for the file");
  if (file >= 0 && secret >= 0) {
    const ExtractRequest request{DocumentFormat::kPdf, false, limits, true};
    const Status sent = Send(EncodeExtractRequest(request), std::array{file, secret});
    extraction = sent.ok() ? Await(request, nullptr, cancel) : DescribeCrash();
  }
  CloseDescriptor(&file);
  CloseDescriptor(&secret);
  if (extraction.files.size() == 1) {
    *decrypted = std::move(extraction.files[0].bytes);
    return {};
  }
  return extraction;
}

OutlineAnswer ExtractProcess::Outline(std::string_view grammar, std::string_view text,
                                      const std::atomic<bool>& cancel) {
  if (!Prepare(kWearOfOutline).ok()) return {};
  int file = MovedUp(SealedMemory(text));
  if (file < 0) return {};
  const Status sent = Send(EncodeOutlineRequest(grammar), std::array{file});
  CloseDescriptor(&file);
  if (!sent.ok()) {
    DescribeCrash();
    return {};
  }
  std::string answer;
  const auto timeout = std::min<std::chrono::milliseconds>(program_->timeout, kOutlineTimeout);
  if (Receive(MostOutlineAnswerBytes(text.size()), timeout, nullptr, cancel, &answer)) return {};
  auto decoded = DecodeOutlineAnswer(answer, grammar, text.size());
  if (!decoded) {
    RefuseAnswer();
    return {};
  }
  if (decoded->peak_kib > MostKib()) wear_ = kMostWear;
  return std::move(*decoded);
}

std::string PdfProgramVersion() {
  auto program = ChildProgram::Start({"/usr/bin/pdftotext", "-v"});
  if (!program) return {};
  std::string_view input;
  std::string output;
  (*program)->CloseInput();
  (*program)->Exchange(&input, &output, std::chrono::seconds(10)).has_value();
  (*program)->Succeeded();
  // "pdftotext version 22.12.0"
  constexpr std::string_view kBefore = "version ";
  const std::string_view text = (*program)->ErrorText();
  const size_t begin = text.find(kBefore);
  if (begin == text.npos) return {};
  const std::string_view rest = text.substr(begin + kBefore.size());
  return "poppler-" + std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

}  // namespace recall
