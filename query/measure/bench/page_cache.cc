// Drops a store from the page cache, and measures what stayed there.
//
// DropCached (storage/base/file_hints.h) drops clean pages that no process has mapped; dirty pages
// are written first. CountCached tells which pages of a mapping are in memory.

#include "query/measure/bench/page_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

#include "storage/base/file_hints.h"

namespace recall {
namespace {

class Descriptor final {
 public:
  explicit Descriptor(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// The files whose pages are read by queries: the store and its write-ahead log. SQLite creates the
// "-shm" file again each time.
std::vector<std::string> FilesOf(const std::string& store_path) {
  return {store_path, store_path + "-wal"};
}

Status DropFile(const std::string& path, bool must_exist) {
  const Descriptor file(path);
  if (file.get() < 0) {
    if (errno == ENOENT && !must_exist) return Status::Ok();
    return Status::IoError("cannot open " + path + ": " + std::strerror(errno));
  }
  // Dirty pages cannot be dropped, so write them first. Files that are not on a disk or are
  // read-only report an error, which is ignored.
  if (SyncData(file.get()) != 0 && errno != EINVAL && errno != EROFS) {
    return Status::IoError("cannot write " + path + " to the disk: " + std::strerror(errno));
  }
  const int fault = DropCached(file.get());
  if (fault == 0 || fault == EINVAL) return Status::Ok();
  return Status::IoError("cannot drop the pages of " + path + ": " + std::strerror(fault));
}

struct PageCount {
  uint64_t all = 0;
  uint64_t in_memory = 0;
};

bool CountPages(const std::string& path, PageCount* count) {
  const Descriptor file(path);
  struct stat facts = {};
  if (file.get() < 0) return errno == ENOENT;
  if (::fstat(file.get(), &facts) != 0) return false;
  // For users who may not write the file, mincore(2) reports all pages as resident.
  if (facts.st_uid != ::geteuid() && ::access(path.c_str(), W_OK) != 0) return false;
  const auto bytes = static_cast<size_t>(facts.st_size);
  if (bytes == 0) return true;
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.get(), 0);
  if (mapped == MAP_FAILED) return false;
  const bool told = CountCached(mapped, bytes, &count->all, &count->in_memory);
  ::munmap(mapped, bytes);
  return told;
}

}  // namespace

Status DropFromPageCache(const std::string& store_path) {
  for (const std::string& path : FilesOf(store_path)) {
    const Status dropped = DropFile(path, path == store_path);
    if (!dropped.ok()) return dropped;
  }
  return Status::Ok();
}

std::optional<double> ShareInPageCache(const std::string& store_path) {
  PageCount count;
  for (const std::string& path : FilesOf(store_path)) {
    if (!CountPages(path, &count)) return std::nullopt;
  }
  if (count.all == 0) return std::nullopt;
  return static_cast<double>(count.in_memory) / static_cast<double>(count.all);
}

}  // namespace recall
