#pragma once

// A session: one conversation of a person with a coding agent, as its transcript has it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"

namespace recall {

enum class TurnRole : uint8_t { kHuman, kAssistant };

std::string_view TurnRoleName(TurnRole role);  // "human", "assistant"
std::optional<TurnRole> TurnRoleFromName(std::string_view name);

// What one of the two said at once. Its number is its place in the session, from 0.
struct Turn {
  TurnRole role = TurnRole::kHuman;
  std::optional<UnixNanos> at = {};
  int64_t line = 0;  // of the transcript, from 1, where it begins; 0: the transcript has no lines
  // Valid UTF-8, not empty; without newlines at its beginning and white space at its end.
  std::string text;

  bool operator==(const Turn&) const = default;
};

// A use of a tool by the agent. In what a transcript says the texts are whole; in a document each
// is on one line, and the command is cut to its first 100 characters once its secrets are taken
// out.
struct ToolCall {
  uint32_t turn = 0;    // number of the turn it belongs to: the last one before it, or 0
  std::string tool;     // "Edit", as the agent calls it
  std::string path;     // the file it is about, as the agent gave it; "" if it is about none
  std::string command;  // "" if it is none

  bool operator==(const ToolCall&) const = default;
};

struct AgentSession {
  std::string agent = {};     // "claude-code"
  std::string id = {};        // of the session, given by the agent
  std::string parent = {};    // the id of the session that it belongs to or goes on with; "": none
  bool is_automatic = false;  // of a sub-agent or a run without a person: its actor is `agent`
  std::string cwd = {};       // the directory that the agent ran in; "": unknown
  std::string branch = {};    // of git, as the transcript has it; "": unknown
  std::string commit = {};    // of git, as the transcript has it; "": unknown
  std::string model = {};     // the last one that answered; "": unknown
  std::string title = {};     // as the agent gave it; "": none
  std::optional<UnixNanos> started = {};  // of the first event with a time
  std::vector<Turn> turns = {};
  std::vector<ToolCall> tool_calls = {};  // in order, so their turns ascend
  // Documents that hints of this program cited, and whether the agent opened them afterwards.
  std::map<std::string, bool> hints = {};

  bool operator==(const AgentSession&) const = default;
};

}  // namespace recall
