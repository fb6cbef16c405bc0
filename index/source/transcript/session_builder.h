#pragma once

// How readers put sessions together: one builder a session, in the order of the transcript.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "index/base/json/json_tape.h"
#include "index/source/session/agent_session.h"
#include "index/source/transcript/transcript.h"

namespace recall {

class SessionBuilder final {
 public:
  SessionBuilder(std::string_view agent, std::string id);

  AgentSession& session() { return session_; }
  const AgentSession& session() const { return session_; }
  bool has_turns() const { return !session_.turns.empty(); }

  // An event with a time: the first one is when the session began.
  void SeeTime(const std::optional<UnixNanos>& at);
  // Adds a turn, unless nothing is said. A message that comes in several pieces (`message` is its
  // id, not "") is one turn as long as no other one comes between.
  void Say(TurnRole role, std::string_view message, const std::optional<UnixNanos>& at,
           int64_t line, std::string_view text);
  // Adds the uses of a tool that these arguments are about (tool_calls.h), after the last turn, and
  // follows the hints that they open.
  void UseTool(std::string_view tool, TapeValue arguments);
  void UseTool(ToolCall call);
  // Adds the documents that hints in this text cite (hint_trail.h): what a hook said to the model.
  void SeeHints(std::string_view text);

 private:
  AgentSession session_;
  std::string last_message_;  // the id of the message that the last turn is of
};

// The text of a turn: valid UTF-8, newlines are "\n", no newline at its beginning and no white
// space at its end.
std::string TurnText(std::string_view text);

// The sessions of one source, by id.
class SessionSet final {
 public:
  explicit SessionSet(std::string_view agent) : agent_(agent) {}

  SessionBuilder& Get(const std::string& id);
  void CountUnknown(std::string what) { ++read_.unknown[std::move(what)]; }
  // "type:foo"; a name that is long or no name is "type:?".
  void CountUnknown(std::string_view label, TapeValue name);
  void set_torn() { read_.torn = true; }

  // Moves out the sessions that were read.
  TranscriptRead Finish();

 private:
  std::string agent_;
  std::map<std::string, SessionBuilder> builders_;
  TranscriptRead read_;
};

// The names that lines and records are counted by.
inline constexpr std::string_view kNotJson = "not JSON";
inline constexpr std::string_view kTooLong = "too long";

}  // namespace recall
