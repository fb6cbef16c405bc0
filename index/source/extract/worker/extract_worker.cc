#include "index/source/extract/worker/extract_worker.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <new>
#include <string>

#include "index/source/code/linked_grammars.h"
#include "index/source/code/tree_sitter_library.h"
#include "index/source/extract/pdf/pdf_encryption.h"
#include "index/source/extract/pdf/pdf_mark_reader.h"
#include "index/source/extract/pdf/pdf_text.h"
#include "index/source/extract/registry/extractors.h"
#include "index/source/extract/types/password_source.h"
#include "index/source/extract/worker/outline_protocol.h"
#include "index/source/extract/worker/sandbox.h"
#include "index/source/extract/worker/worker_protocol.h"
#include "storage/base/coding.h"
#include "storage/base/heap.h"
#include "storage/base/own_process.h"
#include "storage/base/sockets.h"

namespace recall {
namespace {

constexpr std::string_view kUnsafeFlag = "--unsafe";
constexpr std::string_view kMemoryFlag = "--memory";
constexpr std::string_view kPdfFlag = "--pdf";
constexpr int kHelperCpuSeconds = 120;

// Maps a file that the program has passed as sealed memory.
class PassedFile final {
 public:
  explicit PassedFile(int descriptor) : descriptor_(descriptor) {}
  ~PassedFile() {
    if (map_ != nullptr) ::munmap(map_, size_);
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  PassedFile(const PassedFile&) = delete;
  PassedFile& operator=(const PassedFile&) = delete;

  // Returns false if the file cannot be mapped.
  bool Load() {
    struct stat info;
    if (::fstat(descriptor_, &info) != 0) return false;
    size_ = static_cast<size_t>(info.st_size);
    if (size_ == 0) return true;
    void* const map = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (map == MAP_FAILED) return false;
    map_ = map;
    return true;
  }
  std::string_view bytes() const { return {static_cast<const char*>(map_), size_}; }

 private:
  int descriptor_;
  void* map_ = nullptr;
  size_t size_ = 0;
};

// Receives a request and the descriptors that come with it; those that are missing stay as they
// are. Returns the size of the request; 0 if the program has closed its end.
size_t ReceiveRequest(int socket, char* request, std::array<int, kRequestFiles>* descriptors) {
  iovec part{request, kRequestBytes};
  alignas(cmsghdr) char control[CMSG_SPACE(kRequestFiles * sizeof(int))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  ssize_t received = 0;
  do {
    received = ReceiveMessage(socket, &message);
  } while (received < 0 && errno == EINTR);
  if (received <= 0) return 0;
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len <= CMSG_LEN(kRequestFiles * sizeof(int))) {
    std::memcpy(descriptors->data(), CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  }
  return static_cast<size_t>(received);
}

bool SendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = SendBytes(socket, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

int64_t PeakKib() {
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? PeakMemoryBytes(usage) / 1024 : 0;
}

bool SendSized(int socket, std::string_view answer) {
  uint8_t size[sizeof(uint64_t)];
  StoreLittle(size, static_cast<uint64_t>(answer.size()));
  return SendAll(socket, {reinterpret_cast<const char*>(size), sizeof(size)}) &&
         SendAll(socket, answer);
}

bool SendAnswer(int socket, Extraction extraction) {
  return SendSized(socket, EncodeExtractAnswer({std::move(extraction), PeakKib()}));
}

bool IsPipe(int descriptor) {
  struct stat info;
  return ::fstat(descriptor, &info) == 0 && S_ISFIFO(info.st_mode);
}

// The marks of a PDF file. They are extras: without memory for them there is still the text.
PdfMarks MarksOf(PassedFile* file, const ExtractLimits& limits) {
  PdfMarks none;
  none.complete = false;
  try {
    return file->Load() ? ReadPdfMarks(file->bytes(), limits) : none;
  } catch (const std::bad_alloc&) {
    return none;
  }
}

// The file without its encryption, as the only file of an extraction without text.
Extraction Decrypted(PassedFile* file, PassedFile* passwords, const ExtractLimits& limits) {
  if (!file->Load() || !passwords->Load()) throw std::bad_alloc();
  DecryptedPdf pdf = DecryptPdf(file->bytes(), PasswordLines(passwords->bytes()), limits);
  if (pdf.outcome != ExtractOutcome::kText) return FailedExtraction(pdf.outcome, pdf.reason);
  Extraction extraction = FailedExtraction(ExtractOutcome::kNoText, "it was decrypted");
  extraction.files.push_back({"", std::move(pdf.bytes)});
  return extraction;
}

// Reads the output of pdftotext while it is written, so that only one page is in memory; then the
// marks of `file`, which is the file that pdftotext reads.
Extraction ExtractPages(int descriptor, PassedFile* file, const ExtractLimits& limits) {
  PdfTextReader reader(limits);
  std::string buffer(256 << 10, '\0');
  for (bool wants = true;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    // Reads the rest all the same: pdftotext would fail if its pipe were closed.
    if (wants) wants = reader.Feed({buffer.data(), static_cast<size_t>(count)});
  }
  ::close(descriptor);
  return Presentable(reader.Finish(MarksOf(file, limits)));
}

Extraction Answer(const ExtractRequest& request, std::array<int, kRequestFiles> descriptors,
                  ExtractFunction extract, uint64_t memory_bytes) {
  PassedFile other(descriptors[1]);
  try {
    if (request.format == DocumentFormat::kPdf && IsPipe(descriptors[0])) {
      return ExtractPages(descriptors[0], &other, request.limits);
    }
    PassedFile file(descriptors[0]);
    if (request.decrypt) return Decrypted(&file, &other, request.limits);
    if (!file.Load()) {
      return FailedExtraction(ExtractOutcome::kTooLarge,
                              "the file does not fit into the memory of an extraction, " +
                                  WorkerMemoryText(memory_bytes));
    }
    return extract(request.format, request.all_html, file.bytes(), request.limits);
  } catch (const std::bad_alloc&) {
    return FailedExtraction(
        ExtractOutcome::kTooLarge,
        "extracting its text takes more than " + WorkerMemoryText(memory_bytes) + " of memory");
  }
}

// Parses the source code in a descriptor.
OutlineAnswer AnswerOutline(const std::string& grammar, int descriptor, OutlineFunction outline) {
  OutlineAnswer answer;
  try {
    PassedFile file(descriptor);
    auto parsed = file.Load() ? outline(grammar, file.bytes()) : std::nullopt;
    if (parsed) answer = {OutlineOutcome::kOutline, std::move(*parsed), 0};
  } catch (const std::bad_alloc&) {
    answer = {};
  }
  return answer;
}

}  // namespace

std::vector<std::string> WorkerArguments(const WorkerOptions& options) {
  std::vector<std::string> arguments;
  if (options.unsafe) arguments.emplace_back(kUnsafeFlag);
  if (options.memory_bytes != kMostWorkerMemory) {
    arguments.emplace_back(kMemoryFlag);
    arguments.push_back(std::to_string(options.memory_bytes));
  }
  return arguments;
}

WorkerOptions ReadWorkerArguments(const std::vector<std::string_view>& arguments) {
  WorkerOptions options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == kUnsafeFlag) options.unsafe = true;
    if (arguments[i] != kMemoryFlag || i + 1 == arguments.size()) continue;
    const std::string_view text = arguments[i + 1];
    uint64_t bytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    if (error == std::errc() && end == text.data() + text.size()) {
      options.memory_bytes = std::min(bytes, kMostWorkerMemory);
    }
  }
  return options;
}

std::string WorkerMemoryText(uint64_t bytes) {
  constexpr uint64_t kGib = uint64_t{1} << 30;
  return bytes % kGib == 0 ? std::to_string(bytes / kGib) + " GiB"
                           : std::to_string(bytes >> 20) + " MiB";
}

int RunExtractWorkerCommand(const std::vector<std::string_view>& arguments) {
  constexpr int kSocket = 3;
  const WorkerOptions options = ReadWorkerArguments(arguments);
  struct stat info;
  if (std::ranges::find(arguments, kPdfFlag) != arguments.end()) return RunPdfHelper(options);
  // A person who types this command has not opened a socket as its descriptor 3.
  if (::fstat(kSocket, &info) != 0 || !S_ISSOCK(info.st_mode)) return kNoSandbox;
  return RunExtractWorker(kSocket, options);
}

int RunExtractWorker(int socket, const WorkerOptions& options, ExtractFunction extract,
                     OutlineFunction outline) {
  KeepFreedMemory();
  LoadExtractorLibraries();
  // Libraries are loaded now, because the sandbox cannot open files.
  const bool has_parser = LinkedGrammars().empty() || TreeSitterLibrary::Get() != nullptr;
  const Status safe = EnterWorkerSandbox(socket, options.memory_bytes, options.unsafe);
  for (;;) {
    char bytes[kRequestBytes];
    std::array<int, kRequestFiles> descriptors = {-1, -1};
    const int& descriptor = descriptors[0];
    const size_t size = ReceiveRequest(socket, bytes, &descriptors);
    if (size == 0) return 0;
    if (const auto grammar = DecodeOutlineRequest({bytes, size})) {
      if (descriptor < 0) return 1;
      OutlineAnswer answer;
      if (!safe.ok() || !has_parser) {
        ::close(descriptor);
        answer.outcome = safe.ok() ? OutlineOutcome::kNoLibrary : OutlineOutcome::kUnconfined;
      } else {
        answer = AnswerOutline(*grammar, descriptor, outline);
      }
      answer.peak_kib = PeakKib();
      if (!SendSized(socket, EncodeOutlineAnswer(answer))) return 1;
      if (!safe.ok()) return kNoSandbox;
      continue;
    }
    const auto request = DecodeExtractRequest({bytes, size});
    if (!request || descriptor < 0) return 1;
    if (!safe.ok()) {
      SendAnswer(socket,
                 FailedExtraction(ExtractOutcome::kUnsupported, std::string(safe.message())));
      return kNoSandbox;
    }
    if (!SendAnswer(socket, Answer(*request, descriptors, extract, options.memory_bytes))) {
      return 1;
    }
  }
}

int RunPdfHelper(const WorkerOptions& options) {
  if (!EnterHelperSandbox(options.memory_bytes, kHelperCpuSeconds, options.unsafe).ok())
    return kNoSandbox;
  const char* const program = "/usr/bin/pdftotext";
  // Neither the locale nor the user's own settings may change the text.
  const char* const arguments[] = {program, "-bbox-layout", "-enc", "UTF-8", "-", "-", nullptr};
  const char* const environment[] = {"LC_ALL=C", "TZ=UTC0", "PATH=/usr/bin", nullptr};
  ::execve(program, const_cast<char* const*>(arguments), const_cast<char* const*>(environment));
  return errno == ENOENT ? kHelperNotInstalled : kNoSandbox;
}

}  // namespace recall
