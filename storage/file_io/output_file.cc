#include "storage/file_io/output_file.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <utility>
#include <vector>

#include "storage/base/check.h"
#include "storage/base/unnamed_file.h"
#include "storage/file_io/file_claim.h"
#include "storage/file_io/new_file.h"
#include "storage/file_io/unfinished_file.h"

namespace recall {
namespace {

constexpr size_t kWriteBufferBytes = 256 << 10;
constexpr int kFileZstdLevel = 3;
constexpr int kReaderPollMillis = 50;

bool IsOutOfSpace(int error) { return error == ENOSPC || error == EDQUOT; }

std::string ParentOf(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

// Resolves symbolic links. A path that does not exist yet is returned unchanged.
std::string ResolveLinks(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

bool IsDatabase(const std::string& path) {
  constexpr std::string_view kMagic{"SQLite format 3", 16};
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::array<char, kMagic.size()> head{};
  return std::ifstream(path, std::ios::binary).read(head.data(), head.size()) &&
         std::ranges::equal(head, kMagic);
}

// Whether a file is a SQLite database, or has the name of a file that SQLite keeps beside one.
bool IsOfDatabase(const std::string& path) {
  return std::ranges::any_of(
      std::array<std::string_view, 4>{"", "-wal", "-shm", "-journal"}, [&](auto suffix) {
        return path.ends_with(suffix) && IsDatabase(path.substr(0, path.size() - suffix.size()));
      });
}

// Gives a new file the permissions of another one, and its owner where the system allows it.
void BecomeLike(const struct stat& model, int fd) {
  struct stat own {};
  const bool known = ::fstat(fd, &own) == 0;
  const bool differs = own.st_uid != model.st_uid || own.st_gid != model.st_gid;
  // Others than root may not give a file away, but perhaps to another group.
  if (known && differs && ::fchown(fd, model.st_uid, model.st_gid) != 0 &&
      ::fchown(fd, static_cast<uid_t>(-1), model.st_gid) != 0) {
    // It stays the file of this user, as with every program that replaces files.
  }
  ::fchmod(fd, model.st_mode & 07777);
}

}  // namespace

// One zstd frame with a checksum of its content.
class OutputFile::Compressor final {
 public:
  Compressor() : context_(ZSTD_createCCtx()), buffer_(ZSTD_CStreamOutSize()) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, kFileZstdLevel);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1);
  }
  ~Compressor() { ZSTD_freeCCtx(context_); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  Status Write(OutputFile& file, std::string_view bytes, bool last) {
    ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
    for (;;) {
      ZSTD_outBuffer out = {buffer_.data(), buffer_.size(), 0};
      const size_t left =
          ZSTD_compressStream2(context_, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) throw std::bad_alloc();  // the only error of a valid call
      RECALL_TRY(file.WriteRaw({buffer_.data(), out.pos}));
      if (last ? left == 0 : in.pos == in.size) return Status::Ok();
    }
  }

 private:
  ZSTD_CCtx* context_;
  std::vector<char> buffer_;
};

OutputFile::OutputFile(std::string path, const std::atomic<bool>* cancel)
    : cancel_(cancel), path_(std::move(path)), real_path_(ResolveLinks(path_)) {}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<std::unique_ptr<OutputFile>> OutputFile::Create(const std::string& path,
                                                       const std::atomic<bool>* cancel,
                                                       const std::string& like) {
  std::unique_ptr<OutputFile> file(new OutputFile(path, cancel));
  struct stat info;
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    return Fail(Status::InvalidArgument(path + " is a directory", "specify a file"));
  }
  file->in_place_ = exists && !S_ISREG(info.st_mode);
  if (!file->in_place_ && IsOfDatabase(file->real_path_)) {
    return Fail(Status::InvalidArgument(path + " is, or belongs to, a database",
                                        "write to another file, or remove the database first"));
  }
  RECALL_TRY(file->in_place_ ? file->OpenInPlace() : file->OpenBeside());
  const bool has_model = exists || (!like.empty() && ::stat(like.c_str(), &info) == 0);
  if (has_model && !file->in_place_) BecomeLike(info, file->fd_);
  if (path.ends_with(".zst")) file->compressor_ = std::make_unique<Compressor>();
  return file;
}

Status OutputFile::OpenInPlace() {
  struct stat info;
  const bool is_pipe = ::stat(path_.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
  for (;;) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd_ >= 0) return Status::Ok();
    // ENXIO: nobody reads the pipe. No call waits for a reader and for the flag.
    if (errno == EINTR) continue;
    if (errno != ENXIO || !is_pipe) return CannotWrite(errno);
    RECALL_TRY(WaitForReader());
  }
}

// Waits until a pipe takes more, or for a moment while there is no pipe yet.
Status OutputFile::WaitForReader() const {
  if (cancel_->load(std::memory_order_relaxed)) {
    return Status::Cancelled(path_ + ": interrupted while waiting for its reader");
  }
  pollfd polled = {fd_, POLLOUT, 0};  // poll ignores a negative descriptor
  ::poll(&polled, 1, kReaderPollMillis);
  return Status::Ok();
}

// If the system and the file system support it, the file has no name until it is complete, so that
// a killed process leaves nothing behind. A process killed between the two calls of TakeName, or on
// another file system, leaves a file with a temporary name, which the next one removes. The claim
// tells that file from one that a live process writes.
Status OutputFile::OpenBeside() {
  RemoveAbandonedFiles(real_path_, UnfinishedContent::kAny);
  const std::string directory = ParentOf(real_path_);
  fd_ = OpenUnnamedFile(directory, O_WRONLY, 0666);
  if (fd_ < 0) {
    if (errno == EACCES || errno == ENOENT || errno == ENOTDIR) return CannotWrite(errno);
    temporary_ = NameBeside(real_path_);
    fd_ = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  }
  if (fd_ < 0) {
    temporary_.clear();
    return CannotWrite(errno);
  }
  // Another process took the name for abandoned before the claim: rename would fail.
  return ClaimFile(fd_) == ClaimOutcome::kTaken ? CannotWrite(EBUSY) : Status::Ok();
}

Status OutputFile::Write(std::string_view bytes) {
  if (compressor_) return compressor_->Write(*this, bytes, false);
  if (buffer_.size() + bytes.size() > kWriteBufferBytes) {
    RECALL_TRY(WriteRaw(buffer_));
    buffer_.clear();
    if (bytes.size() >= kWriteBufferBytes) return WriteRaw(bytes);
  }
  buffer_ += bytes;
  return Status::Ok();
}

Status OutputFile::WriteRaw(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      RECALL_TRY(WaitForReader());
      continue;
    }
    if (count < 0) return CannotWrite(errno);
    bytes.remove_prefix(static_cast<size_t>(count));
    bytes_written_ += count;
  }
  return Status::Ok();
}

Status OutputFile::Finish() {
  if (compressor_) RECALL_TRY(compressor_->Write(*this, {}, true));
  RECALL_TRY(WriteRaw(buffer_));
  buffer_.clear();
  if (in_place_) {
    const int fd = std::exchange(fd_, -1);
    return ::close(fd) == 0 ? Status::Ok() : CannotWrite(errno);
  }
  if (::fsync(fd_) != 0) return CannotWrite(errno);
  return TakeName();
}

Status OutputFile::TakeName() {
  if (temporary_.empty()) {
    // A nameless file cannot take the place of another one at once, but a named one can by rename.
    const std::string name = NameBeside(real_path_);
    if (NameFile(fd_, name) != 0) return CannotWrite(errno);
    temporary_ = name;
  }
  if (::rename(temporary_.c_str(), real_path_.c_str()) != 0) return CannotWrite(errno);
  temporary_.clear();
  SyncDirectoryOf(real_path_);
  return Status::Ok();
}

Status OutputFile::CannotWrite(int error) const {
  const std::string what = path_ + ": cannot write it: ";
  if (IsOutOfSpace(error)) {
    return Status::IoError(what + "the disk is full", "free some space and try again");
  }
  if (error == EFBIG) {
    return Status::IoError(what + "it exceeds the limit on the size of files",
                           "raise the limit (ulimit -f) and try again");
  }
  return Status::IoError(what + std::strerror(error),
                         "check that the directory exists and that you may write to it");
}

}  // namespace recall
