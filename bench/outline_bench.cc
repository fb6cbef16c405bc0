// How fast source code becomes an outline, on one core, without the process that does it:
// outline_bench [--small] [--repeats N] DIRECTORY... A row for each language. For trusted files:
// they are parsed without a sandbox. --small: a made file of C++.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "bench/bench_util.h"
#include "index/source/code/code_grammar.h"
#include "index/source/code/outline_parser.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

using Texts = std::vector<std::string>;

std::string ReadSource(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

std::string MadeUpSource() {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += "// Adds.\nint Add" + std::to_string(i) + "(int a, int b) {\n  return a + b;\n}\n";
  }
  return text;
}

void Measure(const std::string& grammar, const Texts& texts, int repeats) {
  uint64_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  std::vector<double> times;
  size_t definitions = 0;
  size_t outlines = 0;
  for (int run = 0; run < repeats; ++run) {
    const double start = ProcessorTime();
    definitions = outlines = 0;
    for (const std::string& text : texts) {
      const auto outline = ParseOutline(grammar, text);
      if (!outline) continue;
      ++outlines;
      definitions += outline->definitions.size();
    }
    times.push_back(ProcessorTime() - start);
  }
  const double megabytes = static_cast<double>(bytes) / 1e6;
  std::printf("| %s | %zu | %.1f | %zu | %zu | %.1f |\n", grammar.c_str(), texts.size(), megabytes,
              outlines, definitions, megabytes / Median(times));
}

int Main(int argc, char** argv) {
  const BenchArgs args = ParseBenchArgs(argc, argv);
  std::map<std::string, Texts> by_grammar;
  const auto add = [&](const std::string& path, std::string text) {
    const std::string grammar = GrammarFor(path, text);
    if (!grammar.empty()) by_grammar[grammar].push_back(std::move(text));
  };
  if (args.small) add("made.cc", MadeUpSource());
  for (const std::string& directory : args.rest) {
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
      if (entry.is_regular_file()) add(entry.path(), ReadSource(entry.path()));
    }
  }
  if (by_grammar.empty() && !args.small) Die("no source code: outline_bench DIRECTORY...");
  std::printf(
      "| grammar | files | MB | outlines | definitions | MB/s |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: |\n");
  for (const auto& [grammar, texts] : by_grammar) Measure(grammar, texts, args.repeats);
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::Main(argc, argv); }
