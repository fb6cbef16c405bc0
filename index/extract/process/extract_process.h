#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "index/extract/worker/worker_protocol.h"
#include "storage/base/result.h"

namespace recall {

// How extraction processes are started: this program, as `recall extract-worker`.
struct ExtractProgram {
  std::string path;     // of the program; "": none, so nothing can be extracted
  bool unsafe = false;  // even without seccomp
  std::chrono::milliseconds timeout = std::chrono::seconds(60);  // for each file
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

 private:
  struct Helper;  // pdftotext, whose output the process reads

  Status Start();
  Status Send(const ExtractRequest& request, int descriptor);
  Extraction Await(const ExtractRequest& request, Helper* helper, const std::atomic<bool>& cancel);
  Extraction ExtractPdf(const ExtractRequest& request, int file, const std::atomic<bool>& cancel);
  Extraction DescribeCrash();
  void End();

  const ExtractProgram* program_;
  pid_t pid_ = -1;
  int socket_ = -1;
  int files_ = 0;  // that it was given
};

// "poppler-22.12.0", the version of the program that reads PDF files; "" if it is not installed.
std::string PdfProgramVersion();

}  // namespace recall
