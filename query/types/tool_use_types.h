#pragma once

// Uses of tools in sessions, as a search asks for and shows them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace recall {

// Conditions on the sessions that are searched. They do not change how sessions are ranked.
struct ToolUseConditions {
  // A part of a command that was run, in any case, within the part of it that a session keeps; "":
  // any.
  std::string ran;
  // Words, separated by spaces, in any case of ASCII: the output of one use of a tool has all of
  // them. "": any.
  std::string outputs;
  // Transcripts are read until they have this many bytes together, those of the newest sessions
  // first.
  uint64_t most_bytes = uint64_t{512} << 20;

  bool any() const { return !ran.empty() || !outputs.empty(); }
};

// Of each session the first uses are shown.
inline constexpr size_t kMostToolUses = 3;

struct CommandRun {
  uint32_t turn = 0;
  std::string tool;
  std::string command;
};

struct ToolOutput {
  std::optional<uint32_t> turn;  // the last one before it, if lines of the transcript are known
  int64_t line = 0;              // of the transcript, from 1
  std::string text;              // around the first word, at most 240 bytes
};

}  // namespace recall
