#include "storage/file_io/input_file.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include "storage/base/hosted.h"
#include "storage/file_io/user_file.h"

namespace recall {
namespace {

constexpr std::string_view kZstdMagic("\x28\xB5\x2F\xFD", 4);  // RFC 8878, section 3.1.1
constexpr int kPollMillis = 200;

Status CannotRead(const std::string& name, int error) {
  return Status::IoError(name + ": cannot read it: " + std::strerror(error),
                         "check that the file exists and that you may read it");
}

}  // namespace

// Decompresses the zstd frames of the file.
class InputFile::Decompressor final {
 public:
  Decompressor() : context_(ZSTD_createDCtx()), buffer_(ZSTD_DStreamInSize()) {
    if (context_ == nullptr) throw std::bad_alloc();
  }
  ~Decompressor() { ZSTD_freeDCtx(context_); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  Result<size_t> Read(InputFile& file, std::span<char> to) {
    ZSTD_outBuffer out = {to.data(), to.size(), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size) {
        RECALL_ASSIGN(const size_t count, file.ReadBuffered(buffer_));
        in_ = {buffer_.data(), count, 0};
        if (count == 0) return frame_open_ ? Fail(Truncated(file)) : Result<size_t>(0);
      }
      // 0 means that a frame is complete; bytes that follow begin the next one.
      const size_t left = ZSTD_decompressStream(context_, &out, &in_);
      if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      if (ZSTD_isError(left)) return Fail(NotZstd(file, ZSTD_getErrorName(left)));
      frame_open_ = left != 0;
    }
    return out.pos;
  }

 private:
  static Status Truncated(const InputFile& file) {
    return Status::Corruption(file.name() + ": the compressed data is truncated",
                              "the file is incomplete; create it again");
  }
  static Status NotZstd(const InputFile& file, std::string_view reason) {
    return Status::Corruption(file.name() + ": cannot decompress it: " + std::string(reason),
                              "a file whose name ends in .zst must be compressed with zstd");
  }

  ZSTD_DCtx* context_;
  std::vector<char> buffer_;
  ZSTD_inBuffer in_ = {nullptr, 0, 0};
  bool frame_open_ = true;  // a compressed file has at least one frame
};

InputFile::InputFile(int fd, std::string name, const std::atomic<bool>* cancel)
    : fd_(fd), name_(std::move(name)), cancel_(cancel) {}

InputFile::InputFile(std::string_view text, std::string name)
    : fd_(-1), name_(std::move(name)), cancel_(nullptr), text_(text) {
  bytes_total_ = static_cast<int64_t>(text.size());
}

std::unique_ptr<InputFile> InputFile::OfText(std::string_view text, std::string name) {
  return std::unique_ptr<InputFile>(new InputFile(text, std::move(name)));
}

InputFile::~InputFile() {
  if (fd_ > STDIN_FILENO) ::close(fd_);
}

Result<std::unique_ptr<InputFile>> InputFile::Open(const std::string& path,
                                                   const std::atomic<bool>* cancel) {
  const bool standard = path == "-";
  if (standard && IsHosted()) {
    return Fail(Status::InvalidArgument("standard input is not read within another program",
                                        "name a file"));
  }
  const std::string name = standard ? "standard input" : path;
  int fd = STDIN_FILENO;
  if (standard) {
    RECALL_TRY(CheckFileKind(fd, name, FileKind::kStream));
  } else {
    RECALL_ASSIGN(FileDescriptor opened, OpenUserFile(path, FileKind::kStream));
    fd = opened.Release();
  }
  std::unique_ptr<InputFile> file(new InputFile(fd, name, cancel));
  RECALL_TRY(file->Start(path.ends_with(".zst")));
  return file;
}

Result<std::string> ReadAll(InputFile& file, uint64_t max_bytes) {
  std::string text;
  std::vector<char> piece(size_t{64} << 10);
  for (;;) {
    RECALL_ASSIGN(const size_t count, file.Read(piece));
    if (count == 0) return text;
    text.append(piece.data(), count);
    if (text.size() <= max_bytes) continue;
    return Fail(Status::LimitExceeded(file.name() + " has more than " + std::to_string(max_bytes) +
                                      " bytes"));
  }
}

Status InputFile::Start(bool compressed_by_name) {
  struct stat info;
  if (::fstat(fd_, &info) != 0) return CannotRead(name_, errno);
  waits_ = !S_ISREG(info.st_mode);
  if (!waits_) bytes_total_ = info.st_size;
  std::array<char, kZstdMagic.size()> head;
  while (head_.size() < head.size()) {
    RECALL_ASSIGN(const size_t count, ReadRaw(std::span(head).first(head.size() - head_.size())));
    if (count == 0) break;
    head_.append(head.data(), count);
  }
  if (compressed_by_name || head_ == kZstdMagic) decompressor_ = std::make_unique<Decompressor>();
  return Status::Ok();
}

Result<size_t> InputFile::Read(std::span<char> to) {
  return decompressor_ ? decompressor_->Read(*this, to) : ReadBuffered(to);
}

Result<size_t> InputFile::ReadBuffered(std::span<char> to) {
  if (head_.empty()) return ReadRaw(to);
  const size_t count = std::min(head_.size(), to.size());
  std::copy_n(head_.begin(), count, to.begin());
  head_.erase(0, count);
  return count;
}

// Returns when input is available, at the end of the file, or when read() will report an error.
Status InputFile::WaitForInput() const {
  while (waits_) {
    if (cancel_->load(std::memory_order_relaxed)) {
      return Status::Cancelled(name_ + ": interrupted while waiting for input");
    }
    pollfd polled = {fd_, POLLIN, 0};
    if (::poll(&polled, 1, kPollMillis) > 0) break;
  }
  return Status::Ok();
}

Result<size_t> InputFile::ReadRaw(std::span<char> to) {
  if (fd_ < 0) {
    const size_t count = text_.copy(to.data(), to.size());
    text_.remove_prefix(count);
    bytes_read_ += static_cast<int64_t>(count);
    return count;
  }
  for (;;) {
    RECALL_TRY(WaitForInput());
    const ssize_t count = ::read(fd_, to.data(), to.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return Fail(CannotRead(name_, errno));
    bytes_read_ += count;
    return static_cast<size_t>(count);
  }
}

}  // namespace recall
