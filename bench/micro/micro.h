#pragma once

// What the sources of recall_bench share: the options of the program, checks, and counters of page
// faults, bytes read and hardware events in the loop of a benchmark.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/bench_util.h"
#include "storage/base/result.h"

namespace recall {

// The sizes of what is measured. Fixtures are made of them when a benchmark first needs one, once
// in a process, and are the same in every run.
struct MicroOptions {
  bool small = false;                   // --small: for the test, which only needs the checks
  uint32_t chunks = 20'000;             // --chunks=N: of stores of text and of filters
  uint32_t vectors = 200'000;           // --vectors=N: of stores of vectors
  std::vector<std::string> file_roots;  // --files=DIR: instead of made-up texts and documents
};

const MicroOptions& Options();

// Takes the options of MicroOptions out of the command line. Dies of a value that is none.
void TakeMicroOptions(int* argc, char** argv);

// Adds the outlines of the languages that only `--files` have.
void RegisterGivenLanguages();

// Ends the program if what is measured gives a wrong result.
inline void Check(bool right, const std::string& message) {
  if (!right) Die(message);
}

inline void Must(const Status& status) {
  if (!status.ok()) Die(status.ToString());
}

template <typename T>
T Get(Result<T> result) {
  if (!result) Die(result.error().ToString());
  return std::move(*result);
}

// Counts from its construction to its end, and gives the sums per iteration to user counters:
// `instructions`, `cycles`, `cache_misses`, `branch_misses` (user space alone), `syscalls`,
// `page_faults` (served from memory), `major_faults` (read from a device), `reads` (calls of read
// and the like) and `bytes_read` by them. Counters that are 0, or that the system does not give,
// are absent. Counts all threads that this process has or starts. Make it just before the loop.
class KernelCounts final {
 public:
  explicit KernelCounts(benchmark::State& state);
  ~KernelCounts();
  KernelCounts(const KernelCounts&) = delete;
  KernelCounts& operator=(const KernelCounts&) = delete;

  // Starts counting for the benchmarks that follow. Returns: the counters that the system does not
  // give, by commas. Call it before the process has threads.
  static std::string Prepare();

 private:
  benchmark::State& state_;
  std::vector<double> begin_;
};

// An average of one call among the iterations of a loop.
inline benchmark::Counter PerIteration(double sum) {
  return {sum, benchmark::Counter::kAvgIterations};
}

}  // namespace recall
