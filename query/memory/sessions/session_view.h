#pragma once

// What a session document and its chunks say, for those who print them. ReadSessionLine, TurnAfter
// and TurnBefore of the text of a session are among it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/source/session/session_meta.h"
#include "index/source/session/session_text.h"
#include "query/types/get_types.h"

namespace recall {

// The turn that a chunk is of.
struct TurnLabel {
  uint32_t turn = 0;
  std::string role;  // "human", "assistant"
  std::string at;    // RFC 3339; "": unknown
};

// Reads the heading of a chunk; nothing if it is not that of a turn.
std::optional<TurnLabel> TurnOfHeading(std::string_view heading);

bool IsSession(const DocView& doc);
// The metadata of a session; empty for other documents.
SessionMeta SessionMetaOf(const DocView& doc);
// The command, of a shell, that goes on with a session in its agent; "" if the agent has none.
std::string ResumeCommandOf(const DocView& doc);

// The turns of an answer as text: each under its heading, with the uses of tools that follow it.
std::string FormatTurns(const TurnsView& view);
// What stands below all turns of a session: a line "[file] PATH" for each file that its tools
// named, and "[resume] COMMAND"; "" if there is neither.
std::string FormatFilesAndResume(const DocView& doc);

// The part of a text around the first word of a query that is in it, in any case of ASCII: at most
// `most` bytes, whole characters.
std::string ExcerptAround(std::string_view text, std::string_view query, size_t most);

}  // namespace recall
