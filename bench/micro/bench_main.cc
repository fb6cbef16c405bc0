// The benchmarks within one process (bench/README.md). Each source of this folder is an area, and
// the names of its benchmarks begin with its name: recall_bench --benchmark_filter=^bm25/

#include <charconv>
#include <cstdio>

#include "bench/micro/micro.h"
#include "storage/base/heap.h"

namespace recall {
namespace {

MicroOptions given;  // set before any benchmark runs

uint32_t Number(std::string_view option, std::string_view digits) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
  if (error != std::errc() || end != digits.end() || number == 0) {
    Die(std::string(option) + std::string(digits) + ": want a number above 0");
  }
  return number;
}

bool Take(std::string_view argument) {
  const auto value = [&](std::string_view option, std::string_view* rest) {
    if (!argument.starts_with(option)) return false;
    *rest = argument.substr(option.size());
    return true;
  };
  std::string_view rest;
  if (argument == "--small") {
    given.small = true;
    given.chunks = 2'000;
    given.vectors = 30'000;
  } else if (argument == "--large") {
    given.chunks = 1'000'000;
    given.vectors = 1'000'000;
  } else if (value("--chunks=", &rest)) {
    given.chunks = Number("--chunks=", rest);
  } else if (value("--vectors=", &rest)) {
    given.vectors = Number("--vectors=", rest);
  } else if (value("--files=", &rest)) {
    given.file_roots.emplace_back(rest);
  } else {
    return false;
  }
  return true;
}

int Main(int argc, char** argv) {
  TakeMicroOptions(&argc, argv);
  if (!given.file_roots.empty()) RegisterGivenLanguages();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  KeepFreedMemory();  // as the processes do that read documents
  const std::string missing = KernelCounts::Prepare();
  if (!missing.empty()) benchmark::AddCustomContext("no counters of", missing);
  benchmark::AddCustomContext("sizes", std::to_string(given.chunks) + " chunks, " +
                                           std::to_string(given.vectors) + " vectors");
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace

const MicroOptions& Options() { return given; }

void TakeMicroOptions(int* argc, char** argv) {
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    if (!Take(argv[i])) argv[kept++] = argv[i];
  }
  *argc = kept;
}

}  // namespace recall

int main(int argc, char** argv) { return recall::Main(argc, argv); }
