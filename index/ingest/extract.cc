#include "index/ingest/extract.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "index/archive/compressed_file.h"
#include "index/text/utf8.h"

namespace recall {
namespace {

constexpr size_t kHeadBytes = 8 << 10;  // enough to recognise most binary files

class OpenFile final {
 public:
  explicit OpenFile(const std::string& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int fd() const { return fd_; }

 private:
  int fd_;
};

Status TooLarge(uint64_t size, uint64_t max_bytes) {
  return Status::LimitExceeded(
      "its " + std::to_string(size) + " bytes exceed the limit of " + std::to_string(max_bytes),
      "raise the limit, or exclude the file with --ignore");
}

// Reads until `text` has `size` bytes or the file ends; shrinks `text` to the bytes read.
Status ReadUpTo(const OpenFile& file, size_t size, std::string* text) {
  size_t filled = text->size();
  text->resize(size);
  while (filled < size) {
    const ssize_t count = ::read(file.fd(), text->data() + filled, size - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Status::IoError(SystemErrorText(errno));
    if (count == 0) break;
    filled += static_cast<size_t>(count);
  }
  text->resize(filled);
  return Status::Ok();
}

// Checks that `bytes` is text. If `is_head`, the last character may be incomplete.
Status CheckIsText(std::string_view bytes, bool is_head) {
  constexpr size_t kLongestCharacter = 4;
  const size_t nul = bytes.find('\0');
  size_t bad = 0;
  if (!IsValidUtf8(bytes.substr(0, nul), &bad)) {
    if (is_head && nul == std::string_view::npos && bytes.size() - bad < kLongestCharacter) {
      return Status::Ok();
    }
    const bool utf16 = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
    return Status::InvalidArgument(
        "it is not text: invalid UTF-8 at byte " + std::to_string(bad),
        utf16 ? "it looks like UTF-16; convert it to UTF-8" : "convert it to UTF-8");
  }
  if (nul == std::string_view::npos) return Status::Ok();
  return Status::InvalidArgument("it is not text: it has a NUL at byte " + std::to_string(nul));
}

Result<size_t> RegularFileSize(const OpenFile& file) {
  struct stat info;
  if (file.fd() < 0 || ::fstat(file.fd(), &info) != 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    const std::string message = SystemErrorText(errno);
    return Fail(missing ? Status::NotFound(message) : Status::IoError(message));
  }
  if (!S_ISREG(info.st_mode)) {
    return Fail(Status::InvalidArgument("it is not a regular file"));
  }
  return static_cast<size_t>(info.st_size);
}

Result<std::string> ReadCompressedText(const OpenFile& file, uint64_t max_bytes,
                                       std::string* remark) {
  // Most files that are not text are recognised before all of them is unpacked.
  RECALL_ASSIGN(UnpackedFile unpacked, Unpack(file.fd(), max_bytes, [](std::string_view head) {
                  return CheckIsText(head, true);
                }));
  RECALL_TRY(CheckIsText(unpacked.text, false));
  if (remark != nullptr && unpacked.ignored_bytes > 0) {
    *remark = "ignored " + std::to_string(unpacked.ignored_bytes) +
              (unpacked.ignored_bytes == 1 ? " byte" : " bytes") + " after the compressed text";
  }
  return std::move(unpacked.text);
}

}  // namespace

Status CheckText(std::string_view text) { return CheckIsText(text, false); }

Result<std::string> ReadTextFile(const std::string& path, uint64_t max_bytes, std::string* remark) {
  const OpenFile file(path);
  RECALL_ASSIGN(const size_t size, RegularFileSize(file));
  if (size > max_bytes) return Fail(TooLarge(size, max_bytes));

  std::string text;
  RECALL_TRY(ReadUpTo(file, kHeadBytes, &text));
  if (IsCompressed(path, text)) return ReadCompressedText(file, max_bytes, remark);
  const bool complete = text.size() < kHeadBytes;
  RECALL_TRY(CheckIsText(text, !complete));
  // The size is only an estimate: a file may grow or shrink while it is read, and files of /proc
  // report a size of 0. Reading one byte more than expected detects the end without another call.
  for (size_t goal = size + 1; !complete; goal = text.size() * 2) {
    goal = std::max(goal, text.size() + 1);
    RECALL_TRY(ReadUpTo(file, goal, &text));
    if (text.size() > max_bytes) return Fail(TooLarge(text.size(), max_bytes));
    if (text.size() < goal) break;
  }
  if (text.size() > max_bytes) return Fail(TooLarge(text.size(), max_bytes));
  if (!complete) RECALL_TRY(CheckIsText(text, false));
  return text;
}

}  // namespace recall
