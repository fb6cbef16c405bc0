#include "cli/setup/watch/polled_directories.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "cli/setup/watch/watched_paths.h"

namespace recall {
namespace {

// The coarsest times of file systems in use: FAT has two seconds.
constexpr int64_t kTimeStepNanos = 2'000'000'000;

// Magic numbers of statfs(2). An event there reports only what this machine does, if anything.
constexpr uint32_t kWithoutEvents[] = {
    0x6969,      // NFS
    0x517B,      // SMB
    0xFF534D42,  // CIFS
    0xFE534D42,  // SMB2
    0x65735546,  // FUSE
    0x01021997,  // 9p
    0x5346414F,  // AFS
    0x6B414653,  // kAFS
    0x73757245,  // Coda
    0x00C36400,  // Ceph
    0x0BD00BD0,  // Lustre
    0x786F4256,  // VirtualBox
    0xBACBACBC,  // VMware
};

struct CloseListing {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

UnixNanos NanosOf(const struct timespec& time) {
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

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
    entry.modified = NanosOf(info.st_mtim);
    entry.changed = NanosOf(info.st_ctim);
    entry.recent = std::max(entry.modified, entry.changed) > now - kTimeStepNanos;
  }
  listing.error = errno;
  return listing;
}

bool ChangesWithoutEvents(const std::string& directory) {
  struct statfs info;
  if (::statfs(directory.c_str(), &info) != 0) return false;
  return std::ranges::count(kWithoutEvents, static_cast<uint32_t>(info.f_type)) > 0;
}

}  // namespace recall
