#include "storage/overflow/file_mapping.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace recall {
namespace {

namespace bip = boost::interprocess;

using FileKey = std::pair<dev_t, ino_t>;

constexpr uint64_t kGib = uint64_t{1} << 30;
constexpr uint64_t kWindows[] = {1024 * kGib, 64 * kGib};

FileKey KeyOf(const struct stat& info) { return {info.st_dev, info.st_ino}; }

Status Failed(const std::string& doing, const std::string& path, int error) {
  const std::string message = "cannot " + doing + " " + path + ": " + std::strerror(error);
  if (error == ENOMEM) return Status::NotEnoughMemory("cannot " + doing + " " + path + ": ");
  return error == ENOENT ? Status::NotFound(message) : Status::IoError(message);
}

struct Registry {
  std::mutex mutex;
  std::map<FileKey, FileMapping*> mappings;
};

// Leaked on purpose: a destructor at exit would close the descriptors.
Registry& TheRegistry() {
  static Registry& registry = *new Registry;
  return registry;
}

}  // namespace

struct FileMapping::State {
  FileKey key;
  std::string path;
  bip::file_mapping file;
  std::mutex mutex;
  std::vector<bip::mapped_region> regions;  // the last one is the largest

  int descriptor() const { return file.get_mapping_handle().handle; }

  // Opens the file for writing if possible, because only then the descriptor can take the locks of
  // WriterQueue. The mapping is read-only in any case.
  void Open() {
    try {
      file = bip::file_mapping(path.c_str(), bip::read_write);
    } catch (const bip::interprocess_exception&) {
      file = bip::file_mapping(path.c_str(), bip::read_only);
    }
  }

  // Returns: 0, or the errno of the failure.
  int Map(uint64_t size) {
    try {
      regions.emplace_back(file, bip::read_only, 0, size);
      // Pages that are needed are prefetched explicitly; a page fault must not read megabytes
      // around it.
      regions.back().advise(bip::mapped_region::advice_random);
      return 0;
    } catch (const bip::interprocess_exception& error) {
      return error.get_native_error();
    } catch (const std::bad_alloc&) {
      return ENOMEM;
    }
  }

  void MapWindow() {
    for (const uint64_t size : kWindows) {
      if (Map(size) == 0) return;
    }
  }
};

FileMapping::FileMapping(std::unique_ptr<State> state) : state_(std::move(state)) {}
FileMapping::~FileMapping() = default;

Result<FileMapping*> FileMapping::ForFile(const std::string& path) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return Fail(Failed("open", path, errno));
  if (!S_ISREG(info.st_mode)) return Fail(Status::InvalidArgument(path + " is not a regular file"));
  const auto known = registry.mappings.find(KeyOf(info));
  if (known != registry.mappings.end()) return known->second;

  auto state = std::make_unique<State>();
  state->path = path;
  try {
    state->Open();
  } catch (const bip::interprocess_exception& error) {
    return Fail(Failed("open", path, error.get_native_error()));
  }
  if (fstat(state->descriptor(), &info) != 0) {
    const int error = errno;
    new FileMapping(std::move(state));  // leaked, because its descriptor must not be closed
    return Fail(Failed("read the size of", path, error));
  }
  fcntl(state->descriptor(), F_SETFD, FD_CLOEXEC);
  state->key = KeyOf(info);
  state->MapWindow();
  auto* mapping = new FileMapping(std::move(state));
  // Between stat and open another file, which is already registered, may have been moved to `path`.
  // The new mapping is then leaked, because its descriptor must stay open, too.
  return registry.mappings.emplace(KeyOf(info), mapping).first->second;
}

Result<ByteSpan> FileMapping::Bytes() {
  const std::lock_guard lock(state_->mutex);
  struct stat info;
  if (fstat(state_->descriptor(), &info) != 0) {
    return Fail(Failed("read the size of", state_->path, errno));
  }
  const auto size = static_cast<uint64_t>(info.st_size);
  if (size == 0) return ByteSpan();
  std::vector<bip::mapped_region>& regions = state_->regions;
  if (regions.empty() || regions.back().get_size() < size) {
    const int error = state_->Map(size);
    if (error != 0) return Fail(Failed("map", state_->path, error));
  }
  return ByteSpan(static_cast<const uint8_t*>(regions.back().get_address()), size);
}

int FileMapping::descriptor() const { return state_->descriptor(); }

int FileMapping::DescriptorOf(const std::string& path) {
  const auto mapping = ForFile(path);
  return mapping ? (*mapping)->descriptor() : -1;
}

bool FileMapping::IsAt(const std::string& path) const {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && KeyOf(info) == state_->key;
}

}  // namespace recall
