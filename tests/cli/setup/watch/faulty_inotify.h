#pragma once

#include <sys/inotify.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "cli/setup/watch/inotify.h"

namespace recall {

// The system's inotify with limits of the test.
struct InotifyFaults {
  uint32_t lose_one_in = 0;  // of the reads that have events: all are replaced by an overflow
  size_t most_watches = SIZE_MAX;
};

class FaultyInotify final : public Inotify {
 public:
  explicit FaultyInotify(const InotifyFaults& faults) : faults_(faults), real_(OpenInotify()) {}

  int descriptor() const override { return real_->descriptor(); }
  int Add(const std::string& directory) override {
    const int watch = real_->Add(directory);
    if (watch < 0 || watches_.contains(watch)) return watch;
    if (watches_.size() >= faults_.most_watches) {
      real_->Remove(watch);
      return -ENOSPC;
    }
    watches_.insert(watch);
    return watch;
  }
  void Remove(int watch) override {
    watches_.erase(watch);
    real_->Remove(watch);
  }
  int64_t Read(char* buffer, size_t bytes) override {
    const int64_t count = real_->Read(buffer, bytes);
    if (count <= 0 || faults_.lose_one_in == 0 || random_() % faults_.lose_one_in != 0) {
      return count;
    }
    inotify_event overflow = {};
    overflow.wd = -1;
    overflow.mask = IN_Q_OVERFLOW;
    std::memcpy(buffer, &overflow, sizeof(overflow));
    return sizeof(overflow);
  }

 private:
  InotifyFaults faults_;
  std::unique_ptr<Inotify> real_;
  std::set<int> watches_;
  std::mt19937 random_{11};
};

}  // namespace recall
