#include "storage/file_io/input_lines.h"

#include <cstring>
#include <utility>

namespace recall {
namespace {

constexpr size_t kReadBufferBytes = 256 << 10;

}  // namespace

InputLines::InputLines(std::unique_ptr<InputFile> file, uint64_t max_line_bytes, char newline)
    : file_(std::move(file)),
      max_line_bytes_(max_line_bytes),
      newline_(newline),
      buffer_(kReadBufferBytes) {}

Result<bool> InputLines::Next(std::string* line) {
  line->clear();
  ++line_number_;
  for (;;) {
    RECALL_ASSIGN(const bool more, Refill());
    if (!more) {
      if (line->empty()) --line_number_;
      return !line->empty();
    }
    bool has_newline = false;
    const size_t count = Ahead(&has_newline);
    if (line->size() + count > max_line_bytes_) return Fail(TooLong());
    line->append(buffer_.data() + begin_, count);
    begin_ += count + (has_newline ? 1 : 0);
    if (has_newline) return true;
  }
}

Status InputLines::SkipLine() {
  for (bool has_newline = false; !has_newline;) {
    RECALL_ASSIGN(const bool more, Refill());
    if (!more) break;
    const size_t count = Ahead(&has_newline);
    begin_ += count + (has_newline ? 1 : 0);
  }
  return Status::Ok();
}

// False at the end of the file.
Result<bool> InputLines::Refill() {
  if (begin_ < end_) return true;
  begin_ = 0;
  end_ = 0;
  RECALL_ASSIGN(end_, file_->Read(buffer_));
  return end_ > 0;
}

size_t InputLines::Ahead(bool* has_newline) const {
  const char* const first = buffer_.data() + begin_;
  const void* const found = std::memchr(first, newline_, end_ - begin_);
  *has_newline = found != nullptr;
  return found ? static_cast<size_t>(static_cast<const char*>(found) - first) : end_ - begin_;
}

Status InputLines::TooLong() const {
  return Status::LimitExceeded(file_->name() + ": the line has more than " +
                               std::to_string(max_line_bytes_) + " bytes")
      .WithPosition({line_number_, 0, {}});
}

}  // namespace recall
