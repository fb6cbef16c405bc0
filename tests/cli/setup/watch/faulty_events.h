#pragma once

#include <cerrno>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/setup/watch/directory_events.h"

namespace recall {

// Events with limits of the test.
struct EventFaults {
  uint32_t lose_one_in = 0;  // of the reads that have events: all of them are lost
  size_t most_watches = SIZE_MAX;
};

class FaultyEvents final : public DirectoryEvents {
 public:
  explicit FaultyEvents(const EventFaults& faults,
                        std::unique_ptr<DirectoryEvents> real = OpenDirectoryEvents())
      : faults_(faults), real_(std::move(real)) {}

  int descriptor() const override { return real_->descriptor(); }
  std::string_view missing() const override { return real_->missing(); }
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
  std::vector<DirectoryEvent> Read() override {
    std::vector<DirectoryEvent> events = real_->Read();
    if (events.empty() || faults_.lose_one_in == 0 || random_() % faults_.lose_one_in != 0) {
      return events;
    }
    return {{.watch = -1, .name = {}, .lost = true}};
  }

 private:
  EventFaults faults_;
  std::unique_ptr<DirectoryEvents> real_;
  std::set<int> watches_;
  std::mt19937 random_{11};
};

}  // namespace recall
