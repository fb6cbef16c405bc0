// How fast OpenDocument files and e-books are read, and what is read:
//   ebook_bench [--runs N] FILE...   one line for each file: outcome, sizes, median time, rates
//   ebook_bench --text FILE          the text
//   ebook_bench --facts FILE         outcome, metadata and warnings, and the places
// The name decides the format: .odt .odp .ods .fodt .fodp .fods and their templates, .epub.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/epub/epub_document.h"
#include "index/source/extract/odf/odf_document.h"
#include "index/source/extract/worker/extract_worker.h"
#include "storage/base/heap.h"

namespace {

std::string ReadWholeFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

recall::Extraction ExtractNamed(const std::string& path, const std::string& bytes) {
  const recall::ExtractLimits limits;
  return path.ends_with(".epub") ? recall::ExtractEpub(bytes, limits)
                                 : recall::ExtractOdt(bytes, limits);
}

const char* OutcomeName(recall::ExtractOutcome outcome) {
  constexpr const char* kNames[] = {"text",        "no_text", "encrypted", "too_large",
                                    "unsupported", "damaged", "timed_out", "crashed"};
  return kNames[static_cast<size_t>(outcome)];
}

void PrintFacts(const recall::Extraction& extraction) {
  std::printf("outcome %s %s\n", OutcomeName(extraction.outcome), extraction.reason.c_str());
  for (const auto& [key, values] : extraction.meta) {
    for (const std::string& value : values)
      std::printf("meta %s: %s\n", key.c_str(), value.c_str());
  }
  for (const std::string& warning : extraction.warnings)
    std::printf("warning %s\n", warning.c_str());
  for (const recall::LocatorSpan& span : extraction.spans) {
    const std::string text =
        extraction.text.substr(span.start, std::min<uint64_t>(60, span.end - span.start));
    std::printf("%lld|%s|%s| %s\n", static_cast<long long>(span.locator.number),
                span.locator.name.c_str(), span.locator.range.c_str(),
                text.substr(0, text.find('\n')).c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  recall::KeepFreedMemory();  // as the extraction processes do
  int runs = 9;
  std::string_view mode;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--text" || argument == "--facts") {
      mode = argument;
    } else if (argument == "--runs" && i + 1 < argc) {
      runs = std::max(1, std::atoi(argv[++i]));
    } else {
      paths.emplace_back(argument);
    }
  }
  for (const std::string& path : paths) {
    const std::string bytes = ReadWholeFile(path);
    std::vector<double> seconds;
    recall::Extraction extraction;
    for (int run = 0; run < (mode.empty() ? runs : 1); ++run) {
      const auto begin = std::chrono::steady_clock::now();
      extraction = ExtractNamed(path, bytes);
      seconds.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    if (mode == "--text") {
      std::fwrite(extraction.text.data(), 1, extraction.text.size(), stdout);
      continue;
    }
    if (mode == "--facts") {
      PrintFacts(extraction);
      continue;
    }
    std::ranges::sort(seconds);
    const double median = seconds[seconds.size() / 2];
    std::printf("%s %s file %zu text %zu spans %zu, %.3f ms, %.0f files/s, %.1f MB/s of text\n",
                path.c_str(), OutcomeName(extraction.outcome), bytes.size(), extraction.text.size(),
                extraction.spans.size(), median * 1e3, 1 / median,
                static_cast<double>(extraction.text.size()) / median / 1e6);
  }
}
