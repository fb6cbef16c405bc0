#pragma once

#include <cstdint>

#include "index/source/secrets/redacted_text.h"
#include "index/source/session/agent_session.h"

namespace recall {

// The use of a tool as a session document has it: each field on one line, and of the command its
// first 100 characters, and the rest of a mark "[redacted: KIND]" that begins in them.
ToolCall ShortCall(uint32_t turn, const RedactedText& tool, const RedactedText& path,
                   const RedactedText& command);

}  // namespace recall
