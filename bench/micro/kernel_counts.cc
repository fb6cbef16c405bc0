#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>

#include "bench/micro/micro.h"

namespace recall {
namespace {

constexpr std::array<const char*, 9> kNames = {"instructions",  "cycles",   "cache_misses",
                                               "branch_misses", "syscalls", "page_faults",
                                               "major_faults",  "reads",    "bytes_read"};
enum Place : size_t { kSyscalls = 4, kMinorFaults, kMajorFaults, kReads, kBytesRead };

// Returns: a file descriptor, or -1. Threads that start later are counted too.
int OpenEvent(uint32_t type, uint64_t config) {
  perf_event_attr event{};
  event.size = sizeof(event);
  event.type = type;
  event.config = config;
  event.inherit = 1;
  event.exclude_kernel = type == PERF_TYPE_HARDWARE;
  event.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

class Sources final {
 public:
  Sources() {
    constexpr uint64_t kEvents[] = {PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
                                    PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_BRANCH_MISSES};
    for (size_t i = 0; i < std::size(kEvents); ++i) {
      events_[i] = OpenEvent(PERF_TYPE_HARDWARE, kEvents[i]);
    }
    uint64_t tracepoint = 0;
    std::ifstream id("/sys/kernel/tracing/events/raw_syscalls/sys_enter/id");
    events_[kSyscalls] = id >> tracepoint ? OpenEvent(PERF_TYPE_TRACEPOINT, tracepoint) : -1;
    for (const int event : events_) opened_ += event >= 0;
    io_ = ::open("/proc/self/io", O_RDONLY | O_CLOEXEC);
  }

  std::string Missing() const {
    std::string names;
    for (size_t i = 0; i < kNames.size(); ++i) {
      if (i <= kSyscalls ? events_[i] < 0 : i >= kReads && io_ < 0) {
        names.append(names.empty() ? "" : ", ").append(kNames[i]);
      }
    }
    return names;
  }

  // What counting itself adds between the two calls is left out: system calls of this class are
  // made before the first and after the second value of each counter, or subtracted.
  std::vector<double> Begin() const {
    std::vector<double> counts(kNames.size(), 0);
    ReadUsage(&counts);
    const double size = ReadIo(&counts);
    counts[kReads] += 1 + opened_;
    counts[kBytesRead] += size + kEventBytes * opened_;
    for (size_t i = 0; i <= kSyscalls; ++i) counts[i] = ReadEvent(i);
    return counts;
  }

  std::vector<double> End() const {
    std::vector<double> counts(kNames.size(), 0);
    for (size_t i = kSyscalls + 1; i-- > 0;) counts[i] = ReadEvent(i);
    ReadIo(&counts);
    counts[kReads] -= opened_;
    counts[kBytesRead] -= kEventBytes * opened_;
    ReadUsage(&counts);
    return counts;
  }

 private:
  static constexpr double kEventBytes = sizeof(uint64_t);

  double ReadEvent(size_t i) const {
    uint64_t count = 0;
    if (events_[i] < 0 || ::read(events_[i], &count, sizeof(count)) != sizeof(count)) return 0;
    return static_cast<double>(count);
  }

  static void ReadUsage(std::vector<double>* counts) {
    rusage usage;
    if (::getrusage(RUSAGE_SELF, &usage) != 0) return;
    (*counts)[kMinorFaults] = static_cast<double>(usage.ru_minflt);
    (*counts)[kMajorFaults] = static_cast<double>(usage.ru_majflt);
  }

  // Returns: the number of bytes that this call itself read. The counts do not include them.
  double ReadIo(std::vector<double>* counts) const {
    char text[512];
    const ssize_t size = ::pread(io_, text, sizeof(text) - 1, 0);
    if (size <= 0) return 0;
    text[size] = '\0';
    const auto field = [&](const char* name) {
      const char* found = std::strstr(text, name);
      return found ? std::strtod(found + std::strlen(name), nullptr) : 0.0;
    };
    (*counts)[kBytesRead] = field("rchar:");
    (*counts)[kReads] = field("syscr:");
    return static_cast<double>(size);
  }

  std::array<int, kSyscalls + 1> events_;
  double opened_ = 0;  // events
  int io_;
};

const Sources& OpenedSources() {
  static const Sources sources;
  return sources;
}

}  // namespace

std::string KernelCounts::Prepare() { return OpenedSources().Missing(); }

KernelCounts::KernelCounts(benchmark::State& state)
    : state_(state), begin_(OpenedSources().Begin()) {}

KernelCounts::~KernelCounts() {
  const std::vector<double> end = OpenedSources().End();
  for (size_t i = 0; i < kNames.size(); ++i) {
    const double count = end[i] - begin_[i];
    if (count > 0) state_.counters[kNames[i]] = PerIteration(count);
  }
}

}  // namespace recall
