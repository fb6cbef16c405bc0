#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/chunk/code_outline.h"
#include "index/source/extract/worker/extract_worker.h"
#include "index/source/extract/worker/outline_protocol.h"
#include "index/source/extract/worker/worker_protocol.h"
#include "storage/base/result.h"

namespace recall {

// How extraction processes are started: this program, as `recall extract-worker`.
struct ExtractProgram {
  std::string path;     // path of the program; "": unknown, so nothing can be extracted
  bool unsafe = false;  // extract even if seccomp is missing
  std::chrono::milliseconds timeout = std::chrono::seconds(60);  // for each file
  // Limit on the address space of each process: the worker, and the pdftotext that it reads.
  uint64_t memory_bytes = kMostWorkerMemory;
};

// A process in which files are extracted, one after the other (worker/extract_worker.h). It is
// started by the first request. The destructor ends it. Not thread-safe.
class ExtractProcess final {
 public:
  // The argument must outlive the process.
  explicit ExtractProcess(const ExtractProgram* program) : program_(program) {}
  ~ExtractProcess() { End(); }
  ExtractProcess(const ExtractProcess&) = delete;
  ExtractProcess& operator=(const ExtractProcess&) = delete;

  // Extracts the text of a file. Whatever the file does to the process, the result is an outcome:
  // kTimedOut and kCrashed end the process, and the next request starts another one. `cancel` ends
  // the wait within a tenth of a second; the result is then of no use.
  Extraction Extract(const ExtractRequest& request, std::string_view bytes,
                     const std::atomic<bool>& cancel);

  // Decrypts a PDF file with the first of the passwords that fits, into *decrypted. Returns kText,
  // or the reason why there is none. No password gets into an argument, a file or a message.
  Extraction DecryptPdf(std::string_view bytes, const std::vector<std::string>& passwords,
                        const ExtractLimits& limits, const std::atomic<bool>& cancel,
                        std::string* decrypted);

  // Parses source code with a grammar of this program, as ParseOutline does. Every failure is
  // kNone, also a crash, and a parse of more than 30 s. `cancel`: as for Extract.
  OutlineAnswer Outline(std::string_view grammar, std::string_view text,
                        const std::atomic<bool>& cancel);

 private:
  struct Helper;  // pdftotext, whose output the process reads

  std::vector<std::string> Arguments(std::string_view mode) const;
  int64_t MostKib() const { return static_cast<int64_t>(program_->memory_bytes >> 11); }
  Status Start();
  // Starts the process if it does not run, and replaces one that has worked long enough.
  Status Prepare(int wear);
  Status Send(std::array<char, kRequestBytes> request, std::span<const int> files);
  // Receives an answer of at most `most` bytes. Returns a failure, or nothing if the answer is
  // complete.
  std::optional<Extraction> Receive(uint64_t most, std::chrono::milliseconds timeout,
                                    Helper* helper, const std::atomic<bool>& cancel,
                                    std::string* answer);
  Extraction Await(const ExtractRequest& request, Helper* helper, const std::atomic<bool>& cancel);
  Extraction RefuseAnswer();
  Extraction ExtractPdf(const ExtractRequest& request, int file, const std::atomic<bool>& cancel);
  Extraction DescribeCrash();
  void End();

  const ExtractProgram* program_;
  pid_t pid_ = -1;
  int socket_ = -1;
  int wear_ = 0;  // what it was given so far, in units of which kMostWear ends it
};

// "poppler-22.12.0", the version of the program that reads PDF files; "" if it is not installed.
std::string PdfProgramVersion();

}  // namespace recall
