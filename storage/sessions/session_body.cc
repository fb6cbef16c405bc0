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
//
// A frame of notes has no lines of sessions. Its zstd frame is a skippable one, which decoders pass
// over, so programs that know only sessions read it as a frame without lines, and keep it when they
// append. It contains:
//
//   "NOTE"  size of the lines u32  zstd frame
//
// Skippable frames with other letters are frames without lines here, too.

namespace recall {
namespace {

constexpr std::string_view kFrameLetters = "RBFR";
constexpr size_t kSizesBytes = 8;
constexpr size_t kFrameHeadBytes = 4 + kSizesBytes + 32;
constexpr int kFrameLevel = 9;
constexpr std::string_view kAnyHeader = "recall.body ";
constexpr std::string_view kNoteLetters = "NOTE";
constexpr size_t kSkippableMagic = ZSTD_MAGIC_SKIPPABLE_START + 0xE;
constexpr size_t kSkippableHeadBytes = 8;  // magic u32, size u32
constexpr size_t kNoteHeadBytes = kSkippableHeadBytes + 4 + 4;

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

std::optional<std::string> Unpacked(std::string_view data, size_t expected) {
  const auto size = ZSTD_getFrameContentSize(data.data(), data.size());
  if (size != static_cast<unsigned long long>(expected)) return std::nullopt;
  std::string lines(expected, '\0');
  const size_t got = ZSTD_decompress(lines.data(), lines.size(), data.data(), data.size());
  if (ZSTD_isError(got) || got != lines.size()) return std::nullopt;
  return lines;
}

// The lines of notes of a frame; "" if it is none of notes, nothing if they are damaged.
std::optional<std::string> NotesOfFrame(const FoundFrame& frame) {
  const std::string_view data = frame.data;
  const bool is_of_notes = frame.size == 0 && data.size() >= kNoteHeadBytes &&
                           U32At(data, 0) == kSkippableMagic &&
                           data.substr(kSkippableHeadBytes).starts_with(kNoteLetters);
  if (!is_of_notes) return std::string();
  const size_t size = U32At(data, kSkippableHeadBytes + kNoteLetters.size());
  const bool is_whole = U32At(data, 4) == data.size() - kSkippableHeadBytes;
  if (!is_whole || size > kMostFrameBytes) return std::nullopt;
  return Unpacked(data.substr(kNoteHeadBytes), size);
}

std::string Packed(std::string_view lines) {
  std::string data(ZSTD_compressBound(lines.size()), '\0');
  const size_t size =
      ZSTD_compress(data.data(), data.size(), lines.data(), lines.size(), kFrameLevel);
  if (ZSTD_isError(size)) throw std::bad_alloc();  // the only error of a valid call
  data.resize(size);
  return data;
}

void AppendFrame(std::string_view data, size_t size, std::string* body) {
  std::string sizes;
  AppendU32(data.size(), &sizes);
  AppendU32(size, &sizes);
  *body += kFrameLetters;
  *body += sizes;
  *body += ChecksumOf(sizes, data);
  *body += data;
}

}  // namespace

void AppendSessionFrame(std::string_view lines, std::string* body) {
  AppendFrame(Packed(lines), lines.size(), body);
}

void AppendNoteFrame(std::string_view lines, std::string* body) {
  std::string content(kNoteLetters);
  AppendU32(lines.size(), &content);
  content += Packed(lines);
  std::string data;
  AppendU32(kSkippableMagic, &data);
  AppendU32(content.size(), &data);
  AppendFrame(data + content, 0, body);
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
    result.lines = Unpacked(frame->data, frame->size);
    std::optional<std::string> notes = NotesOfFrame(*frame);
    if (!notes) result.lines.reset();
    if (notes) result.notes = *std::move(notes);
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
