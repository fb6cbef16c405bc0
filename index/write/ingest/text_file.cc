#include "index/write/ingest/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "index/base/text/utf8.h"
#include "index/source/archive/archive_names.h"
#include "index/source/archive/compressed_file.h"

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

std::string RemarkOn(const UnpackedFile& unpacked) {
  if (unpacked.ignored_bytes == 0) return {};
  return "ignored " + std::to_string(unpacked.ignored_bytes) +
         (unpacked.ignored_bytes == 1 ? " byte" : " bytes") + " after the compressed text";
}

Result<std::string> ReadCompressedText(const OpenFile& file, uint64_t max_bytes,
                                       std::string* remark) {
  // Most files that are not text are recognised before all of them is unpacked.
  RECALL_ASSIGN(UnpackedFile unpacked, Unpack(file.fd(), max_bytes, [](std::string_view head) {
                  return CheckIsText(head, true);
                }));
  RECALL_TRY(CheckIsText(unpacked.text, false));
  if (remark != nullptr) *remark = RemarkOn(unpacked);
  return std::move(unpacked.text);
}

// Reads what follows the head of a file in `text`. If `stops_early`, a file that is not text is
// refused before all of it is read.
Status ReadRest(const OpenFile& file, size_t size, uint64_t max_bytes, bool stops_early,
                std::string* text) {
  const bool complete = text->size() < kHeadBytes;
  if (stops_early) RECALL_TRY(CheckIsText(*text, !complete));
  // The size is only an estimate: a file may grow or shrink while it is read, and files of /proc
  // report a size of 0. Reading one byte more than expected detects the end without another call.
  for (size_t goal = size + 1; !complete; goal = text->size() * 2) {
    goal = std::max(goal, text->size() + 1);
    RECALL_TRY(ReadUpTo(file, goal, text));
    if (text->size() > max_bytes) return TooLarge(text->size(), max_bytes);
    if (text->size() < goal) break;
  }
  if (text->size() > max_bytes) return TooLarge(text->size(), max_bytes);
  return Status::Ok();
}

}  // namespace

Status CheckText(std::string_view text) { return CheckIsText(text, false); }

Status CompleteContent(std::string_view path, const ContentReaders& readers, FileContent* content) {
  // The name of what is compressed: "report.pdf" of "report.pdf.gz".
  if (IsCompressedName(path)) path = path.substr(0, path.rfind('.'));
  if (readers.extractors != nullptr) {
    content->extractor = readers.extractors->Choose(path, content->bytes);
    if (content->extractor) return Status::Ok();
  }
  RECALL_ASSIGN(auto decoded, DecodeTextBytes(content->bytes, readers.encoding));
  if (!decoded) return Status::Ok();
  content->original = {std::move(decoded->charset), decoded->is_given, decoded->replaced,
                       Sha256(content->bytes), static_cast<int64_t>(content->bytes.size())};
  content->bytes = std::move(decoded->text);
  return Status::Ok();
}

Result<FileContent> ReadDocumentFile(const std::string& path, const ContentReaders& readers,
                                     uint64_t max_text_bytes, uint64_t max_document_bytes) {
  const OpenFile file(path);
  RECALL_ASSIGN(const size_t size, RegularFileSize(file));
  const ExtractorPool* const extractors = readers.extractors;
  if (extractors == nullptr) max_document_bytes = max_text_bytes;
  const uint64_t most_bytes = std::max(max_text_bytes, max_document_bytes);
  if (size > most_bytes) return Fail(TooLarge(size, most_bytes));
  const auto may_choose = [&](std::string_view name, std::string_view head) {
    return extractors != nullptr && extractors->MayChoose(name, head);
  };
  // The user says that it is text.
  const auto check_head = [&](std::string_view head) {
    return readers.encoding.empty() ? MayBeTextHead(head) : Status::Ok();
  };
  FileContent content;
  RECALL_TRY(ReadUpTo(file, kHeadBytes, &content.bytes));
  if (IsCompressed(path, content.bytes)) {
    const std::string_view inner = std::string_view(path).substr(0, path.rfind('.'));
    RECALL_ASSIGN(UnpackedFile unpacked, Unpack(file.fd(), most_bytes, [&](std::string_view head) {
                    return may_choose(inner, head) ? Status::Ok() : check_head(head);
                  }));
    content.bytes = std::move(unpacked.text);
    content.remark = RemarkOn(unpacked);
  } else {
    const bool may_be_document = may_choose(path, content.bytes);
    const uint64_t most = may_be_document ? most_bytes : max_text_bytes;
    if (size > most) return Fail(TooLarge(size, most));
    // All of a short file is checked below.
    if (!may_be_document && size > kHeadBytes) RECALL_TRY(check_head(content.bytes));
    RECALL_TRY(ReadRest(file, size, most, false, &content.bytes));
    if (!may_be_document) {
      RECALL_TRY(CompleteContent(path, {nullptr, readers.encoding}, &content));
      return content;
    }
  }
  RECALL_TRY(CompleteContent(path, readers, &content));
  const uint64_t limit = content.extractor ? max_document_bytes : max_text_bytes;
  if (content.bytes.size() > limit) return Fail(TooLarge(content.bytes.size(), limit));
  return content;
}

Result<std::string> ReadFileBytes(const std::string& path, uint64_t max_bytes) {
  const OpenFile file(path);
  RECALL_ASSIGN(const size_t size, RegularFileSize(file));
  if (size > max_bytes) return Fail(TooLarge(size, max_bytes));
  std::string bytes;
  RECALL_TRY(ReadUpTo(file, kHeadBytes, &bytes));
  if (!IsCompressed(path, bytes)) {
    RECALL_TRY(ReadRest(file, size, max_bytes, false, &bytes));
    return bytes;
  }
  RECALL_ASSIGN(UnpackedFile unpacked,
                Unpack(file.fd(), max_bytes, [](std::string_view) { return Status::Ok(); }));
  return std::move(unpacked.text);
}

Result<std::string> ReadTextFile(const std::string& path, uint64_t max_bytes, std::string* remark) {
  const OpenFile file(path);
  RECALL_ASSIGN(const size_t size, RegularFileSize(file));
  if (size > max_bytes) return Fail(TooLarge(size, max_bytes));

  std::string text;
  RECALL_TRY(ReadUpTo(file, kHeadBytes, &text));
  if (IsCompressed(path, text)) return ReadCompressedText(file, max_bytes, remark);
  RECALL_TRY(ReadRest(file, size, max_bytes, true, &text));
  RECALL_TRY(CheckIsText(text, false));
  return text;
}

}  // namespace recall
