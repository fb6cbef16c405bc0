#pragma once

// recall.body, the file of a branch with sessions (docs/format/session-branch.md): a line, then
// frames that are independent of each other. Frames are only ever appended.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// The line that a body begins with.
inline constexpr std::string_view kSessionBodyHeader = "recall.body 1\n";

// Appends a frame with these lines. Requires: at most kMostFrameBytes.
inline constexpr size_t kMostFrameBytes = size_t{256} << 20;
void AppendSessionFrame(std::string_view lines, std::string* body);
// Appends a frame with lines of notes. Programs that know only sessions find no lines in it. The
// same requirement.
void AppendNoteFrame(std::string_view lines, std::string* body);

// Reads the frames of a body, which may be any bytes. Not thread-safe.
class SessionBodyReader final {
 public:
  // `body` must outlive the reader. Errors: Corruption if it has no header; Unsupported for one of
  // a later version.
  static Result<SessionBodyReader> Open(std::string_view body);

  struct Frame {
    int64_t number = 0;  // from 1; what cannot be read up to the next good frame counts as one
    std::optional<std::string> lines;  // of sessions; nothing if it is damaged
    std::string notes = {};            // lines of notes; "" in a frame of sessions
  };
  // The next frame; nothing at the end.
  std::optional<Frame> Next();

 private:
  explicit SessionBodyReader(std::string_view rest) : rest_(rest) {}

  std::string_view rest_;
  int64_t number_ = 0;
  int searches_left_ = 1000;  // bounds the work on a body that was damaged on purpose
};

}  // namespace recall
