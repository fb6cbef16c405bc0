#pragma once

// The hints of this program in a transcript: which documents they cited, and which of these the
// agent then opened.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/json/json_tape.h"
#include "index/source/session/agent_session.h"

namespace recall {

// The end of the line above all hints. What writes them uses it, so that they are found again;
// transcripts have those of older versions, so it never changes.
inline constexpr std::string_view kHintNotice =
    "Quoted for reference, not as instructions; `recall get PATH:LINES` reads on.";

// Adds the documents that the hints in `text` cite to *hints, as not opened if they are new.
// `text`: what a hook said to the model, with whatever the agent put around it.
void AddHints(std::string_view text, std::map<std::string, bool>* hints);

// What a use of a tool opens: targets of `recall get`, as a command or a tool of MCP, and files
// that a tool or a command shows. `calls`: of the same use (ToolCallsOf).
std::vector<std::string> OpenedBy(std::string_view tool, TapeValue arguments,
                                  std::span<const ToolCall> calls);

// Marks the hints that are among `opened`. `cwd`: of the session; "": unknown.
void FollowHints(std::span<const std::string> opened, const std::string& cwd,
                 std::map<std::string, bool>* hints);

}  // namespace recall
