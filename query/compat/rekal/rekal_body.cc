// A body: "RKLBODY", version u8, flags u8, and frames:
//
//   type u8 | compressed size u24 | size u16 | zstd frame
//
// Numbers are little-endian. The second size wraps around or saturates above 64 KiB and is not
// looked at. There is no mark between frames: what is not a whole zstd frame of the size given is
// damage, and the next place where one is goes on with the frames. So a damaged size loses one
// frame, not all that follow.

#include "query/compat/rekal/rekal_body.h"

#include <utility>

#include "storage/base/byte_cursor.h"

namespace recall {
namespace {

constexpr size_t kEnvelopeBytes = 6;

// The zstd frame of the frame of a body that begins here; nothing if there is none.
std::optional<std::string_view> ZstdFrameAt(std::string_view rest) {
  ByteCursor cursor(rest);
  cursor.Byte();
  const uint64_t size = cursor.Fixed(3);
  cursor.Fixed(2);
  const std::string_view data = cursor.Text(size);
  if (cursor.broken() || !IsZstdFrame(data)) return std::nullopt;
  return data;
}

}  // namespace

Result<RekalBodyReader> RekalBodyReader::Open(std::string_view body,
                                              ZstdDictionaries* dictionaries) {
  ByteCursor cursor(body);
  const bool known = cursor.Text(kRekalBodyMagic.size()) == kRekalBodyMagic;
  const uint8_t version = cursor.Byte();
  cursor.Byte();  // flags
  if (!known || cursor.broken()) {
    return Fail(Status::Corruption("rekal.body does not begin with \"RKLBODY\"",
                                   "the owner of the branch can push it again"));
  }
  if (version != 1) {
    return Fail(Status::Unsupported(
        "rekal.body has version " + std::to_string(version) + " of its format, which is not known",
        "use a newer version of recall"));
  }
  return RekalBodyReader(body.substr(body.size() - cursor.left()), dictionaries);
}

std::optional<RekalBodyReader::Frame> RekalBodyReader::Next() {
  if (rest_.empty()) return std::nullopt;
  Frame frame;
  frame.number = ++number_;
  if (const auto data = ZstdFrameAt(rest_)) {
    frame.type = static_cast<RekalFrameType>(rest_[0]);
    UnpackedZstdFrame unpacked = UnpackZstdFrame(*data, dictionaries_, kMostRekalFrameBytes);
    frame.payload = std::move(unpacked.bytes);
    frame.missing_dictionary = unpacked.missing_dictionary;
    rest_.remove_prefix(kEnvelopeBytes + data->size());
    return frame;
  }
  for (size_t at = kEnvelopeBytes + 1; searches_left_-- > 0; ++at) {
    at = rest_.find(kZstdFrameMagic, at);
    if (at == rest_.npos) break;
    if (ZstdFrameAt(rest_.substr(at - kEnvelopeBytes))) {
      rest_.remove_prefix(at - kEnvelopeBytes);
      return frame;
    }
  }
  rest_ = {};
  return frame;
}

}  // namespace recall
