#pragma once

// Shared by the end-to-end benchmarks: clocks, the median, the command line, a scratch directory.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

namespace recall {

inline double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Processor time of all threads of this process, in seconds. Another program that keeps the machine
// busy affects it only through the shared caches.
inline double ProcessorTime() {
  timespec now;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

inline double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

[[noreturn]] inline void Die(const std::string& message) {
  std::fprintf(stderr, "bench: %s\n", message.c_str());
  std::exit(1);
}

struct BenchArgs {
  bool small = false;  // a run of a few seconds; a test checks with it that the benchmark works
  int repeats = 3;
  uint32_t threads = 2;
  std::vector<std::string> rest;
};

inline BenchArgs ParseBenchArgs(int argc, char** argv) {
  BenchArgs args;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const bool has_value = i + 1 < argc;
    if (arg == "--small") {
      args.small = true;
      args.repeats = 1;
    } else if (arg == "--repeats" && has_value) {
      args.repeats = std::max(1, std::atoi(argv[++i]));
    } else if (arg == "--threads" && has_value) {
      args.threads = static_cast<uint32_t>(std::atoi(argv[++i]));
    } else {
      args.rest.push_back(arg);
    }
  }
  return args;
}

class ScratchDir final {
 public:
  ScratchDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "recall-bench-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) Die("cannot make " + pattern);
    path_ = pattern;
  }
  ~ScratchDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace recall
