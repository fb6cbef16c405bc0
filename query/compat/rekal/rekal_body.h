#pragma once

// rekal.body, the file of a branch that `rekal push` writes: a header, and frames that are only
// appended. A frame has a type, and is compressed with zstd and a dictionary that is not on the
// branch.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"
#include "storage/file_io/zstd_frames.h"

namespace recall {

inline constexpr std::string_view kRekalBodyName = "rekal.body";
inline constexpr std::string_view kRekalBodyMagic = "RKLBODY";
// A frame that holds more counts as damaged.
inline constexpr size_t kMostRekalFrameBytes = size_t{256} << 20;

// Of the dictionary that the program rekal contains.
inline constexpr size_t kRekalDictionaryBytes = 16384;

enum class RekalFrameType : uint8_t {
  kSession = 1,
  kCheckpoint = 2,
  kMeta = 3,
  kSession2 = 4,
  kCheckpoint2 = 5,
  kBatch = 6,
};

// Reads the frames of a body, which may be any bytes. Not thread-safe.
class RekalBodyReader final {
 public:
  // `body` and `dictionaries` must outlive the reader. Errors: Corruption if it has no header;
  // Unsupported for a later version.
  static Result<RekalBodyReader> Open(std::string_view body, ZstdDictionaries* dictionaries);

  struct Frame {
    int64_t number = 0;  // from 1; what cannot be read up to the next frame counts as one
    RekalFrameType type = RekalFrameType::kMeta;  // may be none of the above
    std::optional<std::string> payload;           // nothing if the frame is damaged
    unsigned missing_dictionary = 0;  // its number, if there is no payload for want of one
  };
  // The next frame; nothing at the end.
  std::optional<Frame> Next();

 private:
  RekalBodyReader(std::string_view rest, ZstdDictionaries* dictionaries)
      : rest_(rest), dictionaries_(dictionaries) {}

  std::string_view rest_;
  ZstdDictionaries* dictionaries_;
  int64_t number_ = 0;
  int searches_left_ = 1000;  // bounds the work on a body that was damaged on purpose
};

}  // namespace recall
