#include "cli/setup/watch/inotify.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>

#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

// Everything after which a file or a directory may have to be read again. IN_MODIFY is needed for
// files that stay open (logs), IN_CLOSE_WRITE for those written through a memory mapping, IN_ATTRIB
// for permissions and times. Files that are deleted but still open report nothing.
constexpr uint32_t kWatchedEvents = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB |
                                    IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF |
                                    IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

class SystemInotify final : public Inotify {
 public:
  SystemInotify() : fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

  int descriptor() const override { return fd_.get(); }
  int Add(const std::string& directory) override {
    const int watch = ::inotify_add_watch(fd_.get(), directory.c_str(), kWatchedEvents);
    return watch < 0 ? -errno : watch;
  }
  void Remove(int watch) override { ::inotify_rm_watch(fd_.get(), watch); }
  int64_t Read(char* buffer, size_t bytes) override {
    for (;;) {
      const ssize_t count = ::read(fd_.get(), buffer, bytes);
      if (count >= 0 || errno != EINTR) return count < 0 ? 0 : count;
    }
  }

 private:
  FileDescriptor fd_;
};

}  // namespace

std::unique_ptr<Inotify> OpenInotify() { return std::make_unique<SystemInotify>(); }

}  // namespace recall
