#include "storage/sessions/session_body.h"

#include <zstd.h>

#include <algorithm>
#include <new>

#include "storage/base/bytes.h"
#include "storage/base/ids.h"

// A frame:
//
//   "RBFR"  compressed size u32  size u32  SHA-256 of the sizes and the zstd frame  zstd frame
//
// Numbers are little-endian. After damage the next frame is found by its four letters and its
// checksum; a damaged size therefore loses one frame, not all that follow.

namespace recall {
namespace {

constexpr std::string_view kFrameLetters = "RBFR";
constexpr size_t kSizesBytes = 8;
constexpr size_t kFrameHeadBytes = 4 + kSizesBytes + 32;
constexpr int kFrameLevel = 9;
constexpr std::string_view kAnyHeader = "recall.body ";

void AppendU32(size_t value, std::string* out) {
  for (int shift = 0; shift < 32; shift += 8) *out += static_cast<char>((value >> shift) & 0xFF);
}

size_t U32At(std::string_view text, size_t at) {
  size_t value = 0;
  for (size_t i = 0; i < 4; ++i) value |= size_t{static_cast<uint8_t>(text[at + i])} << (8 * i);
  return value;
}

std::string ChecksumOf(std::string_view sizes, std::string_view data) {
  Sha256Stream sum;
  sum.Add(AsBytes(sizes));
  sum.Add(AsBytes(data));
  const Digest digest = sum.Finish();
  return {digest.begin(), digest.end()};
}

struct FoundFrame {
  size_t bytes = 0;
  std::string_view data;
  size_t size = 0;  // of the lines
};

// The frame at the beginning of `text`, if its checksum is right.
std::optional<FoundFrame> FrameAt(std::string_view text) {
  if (text.size() < kFrameHeadBytes || !text.starts_with(kFrameLetters)) return std::nullopt;
  const std::string_view sizes = text.substr(kFrameLetters.size(), kSizesBytes);
  FoundFrame frame;
  const size_t compressed = U32At(sizes, 0);
  frame.size = U32At(sizes, 4);
  if (compressed > text.size() - kFrameHeadBytes || frame.size > kMostFrameBytes) {
    return std::nullopt;
  }
  frame.data = text.substr(kFrameHeadBytes, compressed);
  frame.bytes = kFrameHeadBytes + compressed;
  const std::string_view sum = text.substr(kFrameLetters.size() + kSizesBytes, 32);
  if (ChecksumOf(sizes, frame.data) != sum) return std::nullopt;
  return frame;
}

std::optional<std::string> LinesOfFrame(const FoundFrame& frame) {
  const auto size = ZSTD_getFrameContentSize(frame.data.data(), frame.data.size());
  if (size != static_cast<unsigned long long>(frame.size)) return std::nullopt;
  std::string lines(frame.size, '\0');
  const size_t got =
      ZSTD_decompress(lines.data(), lines.size(), frame.data.data(), frame.data.size());
  if (ZSTD_isError(got) || got != lines.size()) return std::nullopt;
  return lines;
}

}  // namespace

void AppendSessionFrame(std::string_view lines, std::string* body) {
  std::string data(ZSTD_compressBound(lines.size()), '\0');
  const size_t size =
      ZSTD_compress(data.data(), data.size(), lines.data(), lines.size(), kFrameLevel);
  if (ZSTD_isError(size)) throw std::bad_alloc();  // the only error of a valid call
  data.resize(size);
  std::string sizes;
  AppendU32(data.size(), &sizes);
  AppendU32(lines.size(), &sizes);
  *body += std::string(kFrameLetters) + sizes + ChecksumOf(sizes, data) + data;
}

Result<SessionBodyReader> SessionBodyReader::Open(std::string_view body) {
  if (body.starts_with(kSessionBodyHeader)) {
    return SessionBodyReader(body.substr(kSessionBodyHeader.size()));
  }
  if (body.starts_with(kAnyHeader)) {
    return Fail(Status::Unsupported("recall.body was written by a newer version of recall",
                                    "use a newer version of recall"));
  }
  return Fail(Status::Corruption("recall.body does not begin with \"recall.body 1\"",
                                 "whoever owns the branch can push again with --force"));
}

std::optional<SessionBodyReader::Frame> SessionBodyReader::Next() {
  if (rest_.empty()) return std::nullopt;
  Frame result;
  result.number = ++number_;
  if (const std::optional<FoundFrame> frame = FrameAt(rest_)) {
    rest_.remove_prefix(frame->bytes);
    result.lines = LinesOfFrame(*frame);
    return result;
  }
  for (size_t at = 1;; ++at) {
    at = rest_.find(kFrameLetters, at);
    if (at == rest_.npos || searches_left_-- <= 0) break;
    if (FrameAt(rest_.substr(at))) {
      rest_.remove_prefix(at);
      return result;
    }
  }
  rest_ = {};
  return result;
}

}  // namespace recall
