#include "storage/stream/input_lines.h"

#include <cstring>
#include <utility>

namespace recall {
namespace {

constexpr size_t kBufferBytes = 256 << 10;

}  // namespace

InputLines::InputLines(std::unique_ptr<InputFile> file, uint64_t max_line_bytes)
    : file_(std::move(file)), max_line_bytes_(max_line_bytes), buffer_(kBufferBytes) {}

Result<bool> InputLines::Next(std::string* line) {
  line->clear();
  ++line_number_;
  for (;;) {
    if (begin_ == end_) {
      begin_ = 0;
      RECALL_ASSIGN(end_, file_->Read(buffer_));
      if (end_ == 0) {
        if (line->empty()) --line_number_;
        return !line->empty();
      }
    }
    const char* const first = buffer_.data() + begin_;
    const void* const newline = std::memchr(first, '\n', end_ - begin_);
    const size_t count =
        newline ? static_cast<size_t>(static_cast<const char*>(newline) - first) : end_ - begin_;
    if (line->size() + count > max_line_bytes_) return Fail(TooLong());
    line->append(first, count);
    begin_ += count;
    if (newline) {
      ++begin_;
      return true;
    }
  }
}

Status InputLines::TooLong() const {
  return Status::LimitExceeded(file_->name() + ": the line has more than " +
                               std::to_string(max_line_bytes_) + " bytes")
      .WithPosition({line_number_, 0, {}});
}

}  // namespace recall
