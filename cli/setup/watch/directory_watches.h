#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cli/setup/watch/directory_events.h"

namespace recall {

// What an event says: look at this path.
struct WatchedChange {
  std::string path;        // absolute, by the path that its directory was watched with
  bool unmounted = false;  // the file system of the watched directory `path` is gone
};

// The watches of directories, one each, by path. Not thread-safe.
class DirectoryWatches final {
 public:
  explicit DirectoryWatches(std::unique_ptr<DirectoryEvents> events) : events_(std::move(events)) {}

  enum class Outcome {
    kWatched,
    kGone,     // it is not a directory (any more)
    kLimit,    // the system allows no further watch
    kRefused,  // it cannot be read, or its file system has no events
  };
  // Watches a directory, or whatever directory is at its path now.
  Outcome Watch(const std::string& directory);
  // Ends the watches of a directory and of all below it.
  void ForgetBelow(const std::string& directory);
  bool Contains(const std::string& directory) const { return watch_of_.contains(directory); }
  // The watched directories at or below a path.
  std::vector<std::string> WatchedBelow(const std::string& path) const;
  void Forget(const std::string& directory);

  struct Events {
    std::vector<WatchedChange> changes;
    bool lost = false;  // the system's queue has overflowed: anything may have changed
  };
  // The pending events. A directory that was moved away, or deleted, is forgotten with all below
  // it: its new place is a change of its own.
  Events Read();

  int descriptor() const { return events_->descriptor(); }
  // Why there are no events, if the descriptor is -1.
  std::string_view missing() const { return events_->missing(); }
  size_t size() const { return watch_of_.size(); }

 private:
  void Interpret(const DirectoryEvent& event, Events* events);

  std::unique_ptr<DirectoryEvents> events_;
  std::map<std::string, int> watch_of_;  // by path
  // The paths of a watch: the system has one for a directory, whichever path it is reached by. A
  // directory that was renamed has its old path until the event is read.
  std::unordered_map<int, std::vector<std::string>> paths_of_;
};

}  // namespace recall
