#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace recall {

// The times of a file, which macOS gives other names than POSIX. `Stat` is struct stat; a template,
// so that only the names that it has are looked for.

template <typename Stat>
const timespec& ModifiedTime(const Stat& info) {
  if constexpr (requires { info.st_mtimespec; }) {
    return info.st_mtimespec;
  } else {
    return info.st_mtim;
  }
}

template <typename Stat>
const timespec& ChangedTime(const Stat& info) {
  if constexpr (requires { info.st_ctimespec; }) {
    return info.st_ctimespec;
  } else {
    return info.st_ctim;
  }
}

constexpr int64_t NanosOfTime(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Nanoseconds since 1970.
template <typename Stat>
int64_t ModifiedNanos(const Stat& info) {
  return NanosOfTime(ModifiedTime(info));
}

template <typename Stat>
int64_t ChangedNanos(const Stat& info) {
  return NanosOfTime(ChangedTime(info));
}

}  // namespace recall
