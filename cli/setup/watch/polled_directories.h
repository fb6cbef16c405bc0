#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "storage/base/clock.h"

namespace recall {

// Finds what changed in directories by listing them: for file systems that report no events, and
// where the system allows no further watch. Entries are compared by inode, size and times. An entry
// that was changed within the last seconds before it was looked at counts as changed once more,
// because another change may have left the same time. Not thread-safe.
class PolledDirectories final {
 public:
  // Remembers what is in a directory now.
  void Watch(const std::string& directory);
  void Forget(const std::string& directory) { listings_.erase(directory); }
  bool Contains(const std::string& directory) const { return listings_.contains(directory); }
  std::vector<std::string> PolledBelow(const std::string& path) const;

  // The paths of entries that appeared, changed or disappeared since the last call, or since Watch.
  // A directory that cannot be listed is returned itself.
  std::vector<std::string> FindChanges();

  size_t size() const { return listings_.size(); }

 private:
  struct Entry {
    bool is_directory = false;
    bool recent = false;  // it changed just before it was looked at
    uint64_t inode = 0;
    uint32_t mode = 0;
    // Of files only: a directory changes with its entries, and is listed itself.
    int64_t bytes = 0;
    UnixNanos modified = 0;
    UnixNanos changed = 0;

    bool operator==(const Entry&) const = default;
  };
  struct Listing {
    int error = 0;  // errno
    std::map<std::string, Entry> entries;
  };
  static Listing List(const std::string& directory);
  static void Compare(const std::string& directory, const Listing& before, const Listing& now,
                      std::vector<std::string>* changes);

  std::map<std::string, Listing> listings_;
};

}  // namespace recall
