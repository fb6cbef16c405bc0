#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

enum class HookEventKind : uint8_t {
  kSessionStart,
  kPrompt,   // a person has written something
  kPreEdit,  // a file will be changed
  kFailure,  // a tool has ended; HookEvent::output says whether a command failed
  kCompact,  // the conversation will be replaced by a summary
  kEnd,      // the session, or a turn of it, has ended
  kOther,
};

// The names of the kinds that are asked for on the command line, "session-start" and so on.
HookEventKind HookEventNamed(std::string_view name);

// The form of the answer that the assistant reads.
enum class HookAnswerForm : uint8_t {
  kNone,         // it reads none
  kOfEvent,      // {"hookSpecificOutput": {"hookEventName", "additionalContext"}}
  kContext,      // {"additional_context"}
  kContextOrGo,  // the same, with "continue": true, for an event that could be stopped
};

// What an assistant tells its hooks. What the event does not have is "".
struct HookEvent {
  HookEventKind kind = HookEventKind::kOther;
  std::string name = {};  // as the assistant calls it, for the answer
  HookAnswerForm form = HookAnswerForm::kNone;
  std::string session_id = {};
  std::string transcript = {};  // the file of the conversation
  std::string told = {};        // what hooks have said in it, from an assistant that knows
  std::string directory = {};   // absolute: where the assistant works
  std::string prompt = {};
  std::string file = {};    // absolute: that a tool will change
  std::string output = {};  // of a command that failed
};

// Reads an event: JSON as Claude Code, Codex, Cursor, Gemini CLI and our plugin for opencode write
// it. `kind`: what it is, unless the event itself has to say so (kOther). Errors: InvalidArgument
// if it is no JSON object.
Result<HookEvent> ReadHookEvent(std::string_view json, HookEventKind kind);

}  // namespace recall
