// What the portable program has of its own in place of functions that glibc got after 2.27.
//
// The program is compiled against the glibc of Debian 12 and linked against an older one
// (cmake/RecallPortable.cmake). The linker then finds most functions in their older versions. The
// functions below are missing there, or would bind the program to a later version; each does what
// its manual page says, with older functions. They are hidden, so that libraries that the program
// loads later use those of glibc. A newer function that no one has defined here fails to link.

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/platform/x86.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>

// Begins the definition of recall_NAME, which is NAME for the linker. (The headers of glibc declare
// NAME visible.)
#define RECALL_REPLACE(type, name, parameters)                                               \
  extern "C" __attribute__((visibility("hidden"))) type recall_##name parameters asm(#name); \
  extern "C" type recall_##name parameters

// The versions that functions had when glibc was ported to the processor.
#if defined(__x86_64__)
#define RECALL_FIRST_GLIBC "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define RECALL_FIRST_GLIBC "GLIBC_2.17"
#else
#error "the portable program is made for x86-64 and 64-bit ARM"
#endif

// 2.29: the old versions only report errors in another way. SQLite has them for its functions of
// SQL; nothing that Recall computes uses them (tests/aarch64/exact_arithmetic.sh).
extern "C" double recall_old_exp(double);
extern "C" double recall_old_log(double);
extern "C" double recall_old_pow(double, double);
asm(".symver recall_old_exp, exp@" RECALL_FIRST_GLIBC);
asm(".symver recall_old_log, log@" RECALL_FIRST_GLIBC);
asm(".symver recall_old_pow, pow@" RECALL_FIRST_GLIBC);
RECALL_REPLACE(double, exp, (double x)) { return recall_old_exp(x); }
RECALL_REPLACE(double, log, (double x)) { return recall_old_log(x); }
RECALL_REPLACE(double, pow, (double x, double y)) { return recall_old_pow(x, y); }

// 2.28: offsets have 64 bits on these processors anyway.
extern "C" int recall_old_fcntl(int, int, ...);
asm(".symver recall_old_fcntl, fcntl@" RECALL_FIRST_GLIBC);
RECALL_REPLACE(int, fcntl64, (int descriptor, int command, ...)) {
  va_list arguments;
  va_start(arguments, command);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  return recall_old_fcntl(descriptor, command, argument);
}

// 2.28.
RECALL_REPLACE(int, renameat2,
               (int from_directory, const char* from, int to_directory, const char* to,
                unsigned flags)) {
  return static_cast<int>(::syscall(SYS_renameat2, from_directory, from, to_directory, to, flags));
}

// 2.30. Without it a wait for a monotonic time follows the clock of the day, as in programs that
// were built for these versions.
RECALL_REPLACE(int, pthread_cond_clockwait,
               (pthread_cond_t * condition, pthread_mutex_t* mutex, clockid_t clock,
                const timespec* until)) {
  using ClockWait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
  static const auto clock_wait =
      reinterpret_cast<ClockWait>(::dlsym(RTLD_DEFAULT, "pthread_cond_clockwait"));
  if (clock_wait != nullptr) return clock_wait(condition, mutex, clock, until);
  constexpr int64_t kSecond = 1'000'000'000;
  const auto nanoseconds = [](const timespec& time) {
    return int64_t{time.tv_sec} * kSecond + time.tv_nsec;
  };
  timespec now{};
  timespec day{};
  ::clock_gettime(clock, &now);
  ::clock_gettime(CLOCK_REALTIME, &day);
  int64_t sum = 0;
  if (__builtin_add_overflow(nanoseconds(day), nanoseconds(*until) - nanoseconds(now), &sum)) {
    sum = INT64_MAX;
  }
  const timespec then = {sum / kSecond, sum % kSecond};
  return ::pthread_cond_timedwait(condition, mutex, &then);
}

// 2.32: only tells that locks can be left out.
extern "C"
    __attribute__((visibility("hidden"))) char recall_single_threaded asm("__libc_single_threaded");
char recall_single_threaded = 0;

// 2.32: for messages.
RECALL_REPLACE(const char*, sigabbrev_np, (int signal)) {
  switch (signal) {
#define RECALL_SIGNAL(name) \
  case SIG##name:           \
    return #name
    RECALL_SIGNAL(HUP);
    RECALL_SIGNAL(INT);
    RECALL_SIGNAL(QUIT);
    RECALL_SIGNAL(ILL);
    RECALL_SIGNAL(TRAP);
    RECALL_SIGNAL(ABRT);
    RECALL_SIGNAL(BUS);
    RECALL_SIGNAL(FPE);
    RECALL_SIGNAL(KILL);
    RECALL_SIGNAL(USR1);
    RECALL_SIGNAL(SEGV);
    RECALL_SIGNAL(USR2);
    RECALL_SIGNAL(PIPE);
    RECALL_SIGNAL(ALRM);
    RECALL_SIGNAL(TERM);
    RECALL_SIGNAL(STKFLT);
    RECALL_SIGNAL(CHLD);
    RECALL_SIGNAL(CONT);
    RECALL_SIGNAL(STOP);
    RECALL_SIGNAL(TSTP);
    RECALL_SIGNAL(TTIN);
    RECALL_SIGNAL(TTOU);
    RECALL_SIGNAL(URG);
    RECALL_SIGNAL(XCPU);
    RECALL_SIGNAL(XFSZ);
    RECALL_SIGNAL(VTALRM);
    RECALL_SIGNAL(PROF);
    RECALL_SIGNAL(WINCH);
    RECALL_SIGNAL(POLL);
    RECALL_SIGNAL(PWR);
    RECALL_SIGNAL(SYS);
#undef RECALL_SIGNAL
    default:
      return nullptr;
  }
}

namespace {

// Calls act(descriptor) for each open descriptor from `first` to `last`, except its own.
template <typename Act>
void ForOpenDescriptors(unsigned first, unsigned last, Act act) {
  DIR* const directory = ::opendir("/proc/self/fd");
  if (directory == nullptr) {
    // Without /proc: those that a program can have unless its limit was raised.
    for (unsigned descriptor = first; descriptor <= last && descriptor < 1024; ++descriptor) {
      act(static_cast<int>(descriptor));
    }
    return;
  }
  while (const dirent* const entry = ::readdir(directory)) {
    char* end = nullptr;
    const unsigned long descriptor = std::strtoul(entry->d_name, &end, 10);
    const bool number = end != entry->d_name && *end == '\0';
    if (!number || descriptor < first || descriptor > last) continue;
    if (static_cast<int>(descriptor) != ::dirfd(directory)) act(static_cast<int>(descriptor));
  }
  ::closedir(directory);
}

}  // namespace

// 2.34. Linux has the call since 5.9.
RECALL_REPLACE(int, close_range, (unsigned first, unsigned last, int flags)) {
  constexpr long kCloseRange = 436;
  if (::syscall(kCloseRange, first, last, flags) == 0) return 0;
  if (errno != ENOSYS || flags != 0) return -1;
  ForOpenDescriptors(first, last, [](int descriptor) { ::close(descriptor); });
  return 0;
}

// 2.34. Descriptors that another thread opens until the program starts are passed on, unless they
// have O_CLOEXEC, which all of ours have.
RECALL_REPLACE(int, posix_spawn_file_actions_addclosefrom_np,
               (posix_spawn_file_actions_t * actions, int from)) {
  int error = 0;
  ForOpenDescriptors(static_cast<unsigned>(from), INT32_MAX, [&](int descriptor) {
    if (error == 0) error = ::posix_spawn_file_actions_addclose(actions, descriptor);
  });
  return error;
}

// 2.36. Kernels since 3.17 give random bytes, which cannot fail once the machine has started.
RECALL_REPLACE(void, arc4random_buf, (void* bytes, size_t size)) {
  auto* to = static_cast<unsigned char*>(bytes);
  while (size > 0) {
    const ssize_t got = ::getrandom(to, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) std::abort();
    to += got;
    size -= static_cast<size_t>(got);
  }
}

RECALL_REPLACE(uint32_t, arc4random, ()) {
  uint32_t number = 0;
  recall_arc4random_buf(&number, sizeof(number));
  return number;
}

namespace {

struct FoundObject {
  uintptr_t address;
  dl_find_object* result;
};

// Fills in the object that has the address. Returns: 1 if this one has, which ends the search.
int FindInObject(dl_phdr_info* object, size_t, void* context) {
  const auto* const found = static_cast<const FoundObject*>(context);
  uintptr_t first = UINTPTR_MAX;
  uintptr_t last = 0;
  bool within = false;
  void* frames = nullptr;
  void* table [[maybe_unused]] = nullptr;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    const uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_GNU_EH_FRAME) frames = reinterpret_cast<void*>(begin);
    if (part.p_type != PT_LOAD) continue;
    const uintptr_t end = begin + part.p_memsz;
    within = within || (found->address >= begin && found->address < end);
    if (begin < first) first = begin;
    if (end > last) last = end;
  }
  if (!within) return 0;
  if (frames == nullptr) return 0;
  *found->result = {};
  found->result->dlfo_map_start = reinterpret_cast<void*>(first);
  found->result->dlfo_map_end = reinterpret_cast<void*>(last);
  found->result->dlfo_eh_frame = frames;
  return 1;
}

}  // namespace

// 2.35: finds the tables for an exception. libgcc uses the tables and the start alone.
RECALL_REPLACE(int, _dl_find_object, (void* address, dl_find_object* result)) {
  FoundObject found = {reinterpret_cast<uintptr_t>(address), result};
  return ::dl_iterate_phdr(FindInObject, &found) == 1 ? 0 : -1;
}

#if defined(__x86_64__)
namespace {

uint64_t SavedRegisters() {
  uint32_t low = 0;
  uint32_t high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t{high} << 32) | low;
}

// The features of a CPU in the leaves 1, 7 and 0x80000001, which simd/cpu_targets.cc asks for. A
// feature is active here if the operating system saves its registers.
struct CpuFeatures {
  cpuid_feature leaves[3] = {};

  CpuFeatures() {
    constexpr unsigned kNumbers[] = {1, 7, 0x80000001};
    for (int i = 0; i < 3; ++i) {
      unsigned* const parts = leaves[i].cpuid_array;
      __get_cpuid_count(kNumbers[i], 0, &parts[0], &parts[1], &parts[2], &parts[3]);
      std::memcpy(leaves[i].active_array, parts, sizeof(leaves[i].active_array));
    }
    const bool asks = (leaves[0].cpuid_array[2] & bit_OSXSAVE) != 0;
    const uint64_t saved = asks ? SavedRegisters() : 0;
    constexpr uint64_t kYmm = 0x6;
    constexpr uint64_t kZmm = 0xe6;
    if ((saved & kYmm) != kYmm) {
      leaves[0].active_array[2] &= ~unsigned{bit_AVX | bit_FMA | bit_F16C};
      leaves[1].active_array[1] &= ~unsigned{bit_AVX2};
    }
    if ((saved & kZmm) != kZmm) {
      leaves[1].active_array[1] &=
          ~unsigned{bit_AVX512F | bit_AVX512VL | bit_AVX512DQ | bit_AVX512BW | bit_AVX512CD};
    }
  }
};

}  // namespace

// 2.33. The other leaves have no features here.
RECALL_REPLACE(const cpuid_feature*, __x86_get_cpuid_feature_leaf, (unsigned leaf)) {
  static const CpuFeatures features;
  static constexpr cpuid_feature kNone = {};
  static_assert(CPUID_INDEX_1 == 0 && CPUID_INDEX_7 == 1 && CPUID_INDEX_80000001 == 2);
  return leaf < 3 ? &features.leaves[leaf] : &kNone;
}
#endif
