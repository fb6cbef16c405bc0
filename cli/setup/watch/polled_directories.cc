#include "cli/setup/watch/polled_directories.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "cli/setup/watch/watched_paths.h"
#include "storage/base/file_times.h"

namespace recall {
namespace {

// The coarsest times of file systems in use: FAT has two seconds.
constexpr int64_t kTimeStepNanos = 2'000'000'000;

struct CloseListing {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

}  // namespace

void PolledDirectories::Watch(const std::string& directory) {
  listings_[directory] = List(directory);
}

std::vector<std::string> PolledDirectories::PolledBelow(const std::string& path) const {
  std::vector<std::string> found;
  for (const auto& [directory, listing] : listings_) {
    if (IsWithin(directory, path)) found.push_back(directory);
  }
  return found;
}

std::vector<std::string> PolledDirectories::FindChanges() {
  std::vector<std::string> changes;
  for (auto& [directory, before] : listings_) {
    Listing now = List(directory);
    Compare(directory, before, now, &changes);
    before = std::move(now);
  }
  return changes;
}

void PolledDirectories::Compare(const std::string& directory, const Listing& before,
                                const Listing& now, std::vector<std::string>* changes) {
  if (now.error != 0 || before.error != 0) {
    // Also when it can be listed again: nobody knows since when.
    changes->push_back(directory);
    return;
  }
  const std::string below = WithSlash(directory);
  for (const auto& [name, entry] : before.entries) {
    const auto found = now.entries.find(name);
    Entry expected = entry;
    if (found != now.entries.end()) expected.recent = found->second.recent;
    if (found == now.entries.end() || entry.recent || expected != found->second) {
      changes->push_back(below + name);
    }
  }
  for (const auto& [name, entry] : now.entries) {
    if (!before.entries.contains(name)) changes->push_back(below + name);
  }
}

PolledDirectories::Listing PolledDirectories::List(const std::string& directory) {
  Listing listing;
  const UnixNanos now = WallClockNanos();
  const std::unique_ptr<DIR, CloseListing> handle(::opendir(directory.c_str()));
  if (!handle) {
    listing.error = errno;
    return listing;
  }
  errno = 0;
  while (const dirent* found = ::readdir(handle.get())) {
    const std::string name = found->d_name;
    struct stat info;
    if (name == "." || name == ".." ||
        ::fstatat(::dirfd(handle.get()), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      errno = 0;
      continue;
    }
    Entry& entry = listing.entries[name];
    entry.is_directory = S_ISDIR(info.st_mode);
    entry.inode = info.st_ino;
    entry.mode = info.st_mode;
    errno = 0;
    if (entry.is_directory) continue;
    entry.bytes = info.st_size;
    entry.modified = ModifiedNanos(info);
    entry.changed = ChangedNanos(info);
    entry.recent = std::max(entry.modified, entry.changed) > now - kTimeStepNanos;
  }
  listing.error = errno;
  return listing;
}

}  // namespace recall
