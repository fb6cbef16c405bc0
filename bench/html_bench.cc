// Reads pages of HTML: how fast, and how much of it gumbo's tree costs.
//
//   html_bench [--repeats N] DIRECTORY...     throughput of one core over all *.html below
//   html_bench --small                        made-up pages, for the test
//   html_bench --texts main|all < PATHS       the texts, for html_content/measure_content.mjs
//
// Throughput is bytes of the files for a second of processor time, the median of N runs; the files
// are read before. `--texts` writes for each path U+001E, a line with the warnings, and the text.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "bench/bench_util.h"
#include "index/source/extract/html/html_extractor.h"
#include "index/source/extract/worker/extract_worker.h"
#include "storage/base/heap.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

std::string ReadPage(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

int WriteTexts(HtmlContent content) {
  for (std::string path; std::getline(std::cin, path);) {
    const Extraction extraction = ExtractHtml(ReadPage(path), {}, content);
    const auto score = extraction.meta.find("extraction_score");
    std::cout << '\x1e' << (score == extraction.meta.end() ? "-" : score->second.front());
    for (const std::string& warning : extraction.warnings) std::cout << ' ' << warning;
    std::cout << '\n' << extraction.text;
  }
  return 0;
}

std::vector<std::string> MadeUpPages() {
  std::string page = "<html><body><nav><a href='/'>Home</a></nav><main>";
  for (int i = 0; i < 2000; ++i) {
    page +=
        "<h2 id=s" + std::to_string(i) + ">Section</h2><p>Some text, with <b>bold</b> words.</p>";
  }
  return {page + "</main></body></html>"};
}

void Measure(const std::vector<std::string>& pages, HtmlContent content, int repeats) {
  uint64_t bytes = 0;
  for (const std::string& page : pages) bytes += page.size();
  std::vector<double> times;
  uint64_t text_bytes = 0;
  for (int run = 0; run < repeats; ++run) {
    const double start = ProcessorTime();
    text_bytes = 0;
    for (const std::string& page : pages) text_bytes += ExtractHtml(page, {}, content).text.size();
    times.push_back(ProcessorTime() - start);
  }
  const double megabytes = static_cast<double>(bytes) / 1e6;
  std::printf("%s: %zu pages, %.1f MB, text %.1f MB: %.1f MB/s on one core\n",
              content == HtmlContent::kMain ? "main" : "all", pages.size(), megabytes,
              static_cast<double>(text_bytes) / 1e6, megabytes / Median(times));
}

int Main(int argc, char** argv) {
  const BenchArgs args = ParseBenchArgs(argc, argv);
  if (args.rest.size() == 2 && args.rest[0] == "--texts") {
    return WriteTexts(args.rest[1] == "main" ? HtmlContent::kMain : HtmlContent::kAll);
  }
  std::vector<std::string> pages;
  if (args.small) pages = MadeUpPages();
  for (const std::string& directory : args.rest) {
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
      const std::string extension = entry.path().extension();
      if (entry.is_regular_file() && (extension == ".html" || extension == ".htm")) {
        pages.push_back(ReadPage(entry.path()));
      }
    }
  }
  if (pages.empty()) Die("no pages: html_bench DIRECTORY...");
  Measure(pages, HtmlContent::kMain, args.repeats);
  Measure(pages, HtmlContent::kAll, args.repeats);
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  recall::KeepFreedMemory();  // as the extraction processes do
  return recall::Main(argc, argv);
}
