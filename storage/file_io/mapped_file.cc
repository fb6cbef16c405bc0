#include "storage/file_io/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "storage/base/file_times.h"
#include "storage/file_io/user_file.h"

namespace recall {

Result<std::unique_ptr<MappedFile>> MappedFile::Open(const std::string& path) {
  RECALL_ASSIGN(FileDescriptor opened, OpenUserFile(path, FileKind::kRegular));
  const int fd = opened.Release();
  std::unique_ptr<MappedFile> file(new MappedFile(fd, path));
  struct stat info;
  if (::fstat(fd, &info) != 0) {
    return Fail(Status::IoError(path + ": cannot read its size: " + std::strerror(errno)));
  }
  file->modified_ = ModifiedTime(info);
  if (info.st_size == 0) return file;
  const auto size = static_cast<size_t>(info.st_size);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (address == MAP_FAILED) {
    const std::string what = path + ": cannot map it into memory: ";
    return Fail(errno == ENOMEM ? Status::NotEnoughMemory(what)
                                : Status::IoError(what + std::strerror(errno)));
  }
  file->bytes_ = ByteSpan(static_cast<const uint8_t*>(address), size);
  return file;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
  ::close(fd_);
}

Status MappedFile::CheckUnchanged() const {
  struct stat info;
  if (::fstat(fd_, &info) == 0 && static_cast<uint64_t>(info.st_size) == bytes_.size() &&
      ModifiedNanos(info) == NanosOfTime(modified_)) {
    return Status::Ok();
  }
  return Status::IoError(path_ + " was changed while it was in use",
                         "run the command again; replace such files by renaming");
}

}  // namespace recall
