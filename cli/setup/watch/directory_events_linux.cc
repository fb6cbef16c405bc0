#include <sys/inotify.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/setup/watch/directory_events.h"
#include "storage/file_io/file_descriptor.h"

namespace recall::linux_form {
namespace {

// Everything after which a file or a directory may have to be read again. IN_MODIFY is needed for
// files that stay open (logs), IN_CLOSE_WRITE for those written through a memory mapping, IN_ATTRIB
// for permissions and times. Files that are deleted but still open report nothing.
constexpr uint32_t kWatchedEvents = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB |
                                    IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF |
                                    IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

// Room for many events: a read returns as many as fit.
constexpr size_t kBufferBytes = 64 << 10;

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

// The directory itself, or a directory in it.
bool IsOfDirectoryThatLeft(uint32_t mask, bool is_self) {
  return (is_self && (mask & (IN_MOVE_SELF | IN_DELETE_SELF)) != 0) ||
         ((mask & IN_ISDIR) != 0 && (mask & (IN_MOVED_FROM | IN_DELETE)) != 0);
}

DirectoryEvent EventOf(const inotify_event& event, std::string name) {
  const bool is_self = name.empty();
  return {.watch = event.wd,
          .name = std::move(name),
          .lost = (event.mask & IN_Q_OVERFLOW) != 0,
          .left = IsOfDirectoryThatLeft(event.mask, is_self),
          .watch_ended = (event.mask & IN_IGNORED) != 0,
          .unmounted = (event.mask & IN_UNMOUNT) != 0};
}

class Inotify final : public DirectoryEvents {
 public:
  Inotify() : fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

  int descriptor() const override { return fd_.get(); }
  int Add(const std::string& directory) override {
    const int watch = ::inotify_add_watch(fd_.get(), directory.c_str(), kWatchedEvents);
    return watch < 0 ? -errno : watch;
  }
  void Remove(int watch) override { ::inotify_rm_watch(fd_.get(), watch); }
  std::vector<DirectoryEvent> Read() override {
    std::vector<DirectoryEvent> events;
    alignas(inotify_event) char buffer[kBufferBytes];
    for (;;) {
      const ssize_t bytes = ::read(fd_.get(), buffer, sizeof(buffer));
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes <= 0) return events;
      for (ssize_t at = 0; at < bytes;) {
        inotify_event event;
        std::memcpy(&event, buffer + at, sizeof(event));
        // The name is padded with zeros.
        events.push_back(EventOf(event, event.len > 0 ? buffer + at + sizeof(event) : ""));
        at += static_cast<ssize_t>(sizeof(event) + event.len);
      }
    }
  }
  std::string_view missing() const override {
    return "the system allows no further inotify instance; fs.inotify.max_user_instances is its "
           "limit";
  }

 private:
  FileDescriptor fd_;
};

}  // namespace

std::unique_ptr<DirectoryEvents> OpenDirectoryEvents() { return std::make_unique<Inotify>(); }

bool ChangesWithoutEvents(const std::string& directory) {
  struct statfs info;
  if (::statfs(directory.c_str(), &info) != 0) return false;
  return std::ranges::count(kWithoutEvents, static_cast<uint32_t>(info.f_type)) > 0;
}

int64_t DefaultPollMicros() { return 60'000'000; }

}  // namespace recall::linux_form
