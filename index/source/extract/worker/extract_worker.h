#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/chunk/code_outline.h"
#include "index/source/code/outline_parser.h"
#include "index/source/extract/registry/extractors.h"

namespace recall {

// The first argument of the program that makes it an extraction process.
inline constexpr std::string_view kExtractWorkerCommand = "extract-worker";

// The most address space of a worker, and of a helper program.
inline constexpr uint64_t kMostWorkerMemory = uint64_t{1} << 30;

struct WorkerOptions {
  bool unsafe = false;                        // even if seccomp is missing
  uint64_t memory_bytes = kMostWorkerMemory;  // of address space
};
// Options as arguments, `--unsafe` and `--memory BYTES`, and back. More memory than the most, and
// what is no number, is the most.
std::vector<std::string> WorkerArguments(const WorkerOptions& options);
WorkerOptions ReadWorkerArguments(const std::vector<std::string_view>& arguments);
// What a reason calls a limit: "1 GiB", "300 MiB".
std::string WorkerMemoryText(uint64_t bytes);

// Runs such a process. Arguments: `--pdf` for RunPdfHelper, and WorkerArguments. Returns: the exit
// code.
int RunExtractWorkerCommand(const std::vector<std::string_view>& arguments);

// The life of an extraction worker: enters its sandbox, then answers the requests that come over
// `socket` (worker_protocol.h, outline_protocol.h), one after the other, until its other end is
// closed. Returns: an exit code, 0 unless the sandbox could not be entered; then the first answer
// says why. `extract`, `outline`: what answers the requests.
using ExtractFunction = Extraction (*)(DocumentFormat format, bool all_html, std::string_view bytes,
                                       const ExtractLimits& limits);
using OutlineFunction = std::optional<CodeOutline> (*)(std::string_view grammar,
                                                       std::string_view text);
int RunExtractWorker(int socket, const WorkerOptions& options,
                     ExtractFunction extract = &ExtractDocument,
                     OutlineFunction outline = &ParseOutline);

// Becomes `pdftotext`, which reads a PDF from its standard input and writes its words with their
// boxes, in the sandbox of a helper program. Returns only if that fails: an exit code.
int RunPdfHelper(const WorkerOptions& options);

// What these exit with.
inline constexpr int kHelperNotInstalled = 120;
inline constexpr int kNoSandbox = 121;

}  // namespace recall
