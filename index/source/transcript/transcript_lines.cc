#include "index/source/transcript/transcript_lines.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace recall {
namespace {

constexpr size_t kPieceBytes = size_t{256} << 10;
const std::atomic<bool> kNeverCancelled = false;

const std::atomic<bool>* CancelOf(const TranscriptLimits& limits) {
  return limits.cancel ? limits.cancel : &kNeverCancelled;
}

}  // namespace

Result<TranscriptLines> TranscriptLines::Open(const std::string& path,
                                              const TranscriptLimits& limits) {
  RECALL_ASSIGN(auto file, InputFile::Open(path, CancelOf(limits)));
  if (!file->is_compressed()) {
    return TranscriptLines(std::move(file), limits.max_line_bytes, UINT64_MAX);
  }
  return TranscriptLines(std::move(file),
                         std::min(limits.max_line_bytes, limits.max_unpacked_bytes / 4),
                         limits.max_unpacked_bytes);
}

Result<std::optional<TranscriptLines::Line>> TranscriptLines::Next() {
  bool too_long = false;
  size_t searched = 0;  // unread bytes that contain no line end
  for (;;) {
    const char* const first = buffer_.data() + begin_;
    const size_t unread = end_ - begin_;
    const void* const found =
        unread > searched ? std::memchr(first + searched, '\n', unread - searched) : nullptr;
    size_t size = unread;
    if (found) {
      size = static_cast<size_t>(static_cast<const char*>(found) - first);
    } else {
      searched = unread;
      if (searched > max_line_bytes_) {
        too_long = true;
        begin_ = end_ = searched = 0;
      }
      RECALL_ASSIGN(const bool more, ReadMore());
      if (more) continue;
      if (size == 0 && !too_long) return std::optional<Line>();
      size = end_ - begin_;
    }
    too_long = too_long || size > max_line_bytes_;
    const std::string_view text(buffer_.data() + begin_, too_long ? 0 : size);
    begin_ += size + (found ? 1 : 0);
    return std::optional(Line{text, ++number_, found != nullptr, too_long});
  }
}

Result<bool> TranscriptLines::ReadMore() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  // A long line doubles the buffer, so that it is copied once on average; beyond the limit it is
  // not kept.
  if (buffer_.size() - end_ < kPieceBytes) {
    const uint64_t doubled = std::min<uint64_t>(2 * buffer_.size(), max_line_bytes_ + kPieceBytes);
    buffer_.resize(std::max<uint64_t>(doubled, end_ + kPieceBytes));
  }
  RECALL_ASSIGN(const size_t count, file_->Read({buffer_.data() + end_, buffer_.size() - end_}));
  end_ += count;
  read_bytes_ += count;
  if (read_bytes_ > max_bytes_) {
    return Fail(Status::LimitExceeded(
        file_->name() + " unpacks to more than " + std::to_string(max_bytes_) + " bytes",
        "unpack it, and capture what is needed of it"));
  }
  return count > 0;
}

Result<std::string> ReadWholeTranscript(const std::string& path, const TranscriptLimits& limits) {
  RECALL_ASSIGN(const auto file, InputFile::Open(path, CancelOf(limits)));
  // The tape counts bytes in 32 bits.
  const uint64_t most = file->is_compressed() ? limits.max_unpacked_bytes : limits.max_file_bytes;
  return ReadAll(*file, std::min<uint64_t>(most, UINT32_MAX - 1));
}

}  // namespace recall
