#pragma once

// The text of a session document: its turns as Markdown.
//
//   ## 0 human 2026-02-25T10:00:00Z line 3
//
//   Why does the login fail?
//
//   ## 1 assistant 2026-02-25T10:00:08.5Z line 5
//
//   The token has expired. I shall renew it.
//
//   [tool] Edit src/auth.go
//   [tool] Bash $ go test ./...
//
// A turn has its number, its role, its time ("-" if unknown), the line of the transcript, what was
// said, and the uses of tools that follow it. The text says everything that is known of the turns,
// so that it can be read back; a line of what was said that could be taken for a heading or for a
// use of a tool begins with a backslash, which is removed when it is read. Each turn is a chunk of
// its own, or several windows if it is long; headings and uses of tools are in no chunk.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/turn_heading.h"
#include "index/source/session/agent_session.h"

namespace recall {

// The line of a use of a tool, without its newline.
std::string FormatToolCall(const ToolCall& call);

// Requires: turns and calls as AgentSession says.
std::string WriteSessionText(std::span<const Turn> turns, std::span<const ToolCall> calls);

struct SessionTurns {
  std::vector<Turn> turns;
  std::vector<ToolCall> tool_calls;

  bool operator==(const SessionTurns&) const = default;
};

// The inverse, of any text: what stands before the first heading is ignored, and a heading out of
// order is a part of the text before it.
SessionTurns ReadSessionText(std::string_view text);

// Where the turns of such a text lie. Calls `visit` with the heading without "## " and " line N",
// and the bytes of what was said, without white space around it.
struct TurnPlace {
  std::string_view heading;  // "1 assistant 2026-02-25T10:00:08.5Z"
  size_t begin = 0;          // of what was said
  size_t end = 0;
};
void ScanTurns(std::string_view text, const std::function<void(const TurnPlace&)>& visit);

// What a line of such a text is, taken by itself: for those who show a part of it.
struct SessionLine {
  enum class Kind { kSaid, kTurn, kTool };
  Kind kind = Kind::kSaid;
  TurnHeading turn = {};  // of kTurn; within the line
  std::string_view text;  // of the others, within the line: without "[tool] " or the backslash
};
// `line`: without its newline.
SessionLine ReadSessionLine(std::string_view line);
// Where the heading of a turn begins: the first one behind byte `at`, the last one before it.
std::optional<size_t> TurnAfter(std::string_view text, size_t at);
std::optional<size_t> TurnBefore(std::string_view text, size_t at);

}  // namespace recall
