#pragma once

// Reads what coding agents keep of their conversations: one function for the formats of all agents.
//
// A turn is what a person or the agent said. Not turns are: thoughts, results of tools, side
// chains, lines of the system, and what the agent itself puts into the mouth of the person (the
// output of local commands, reminders, the description of the environment).

#include <atomic>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/session/agent_session.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"

namespace recall {

// Where one or more sessions lie: a file. If it is a SQLite database, size and mtime are also of
// its "-wal"; if a session of an old OpenCode, also of the files of its messages and their parts.
// So size and mtime change when there may be something new to read.
struct TranscriptSource {
  std::string agent;  // one of TranscriptAgents()
  std::string path;
  int64_t size = 0;
  UnixNanos mtime = 0;

  bool operator==(const TranscriptSource&) const = default;
};

struct TranscriptLimits {
  // A longer line, or a longer record of a database, is left out and counted ("too long").
  uint64_t max_line_bytes = uint64_t{256} << 20;
  // A file that is one JSON document, or a database, is refused if it is larger.
  uint64_t max_file_bytes = uint64_t{8} << 30;
  // A compressed file is refused if it unpacks to more, and its lines have a quarter at most: 300
  // KB may unpack to gigabytes.
  uint64_t max_unpacked_bytes = uint64_t{512} << 20;
  // Ends the reading soon after it becomes true; may be null.
  const std::atomic<bool>* cancel = nullptr;
  // Directories, absolute. A transcript that has only the hash of its directory (of an older
  // Gemini) is of one of these, or of one above them, or of an unknown one.
  std::vector<std::string> projects = {};
};

struct TranscriptRead {
  std::vector<AgentSession> sessions;  // by id, which is unique; those without turns are left out
  // Lines or records that say nothing to this program, by what they are: "type:foo", "not JSON",
  // "too long".
  std::map<std::string, int64_t> unknown;
  // The last line was not complete. It was left for the next time.
  bool torn = false;

  bool operator==(const TranscriptRead&) const = default;
};

// Reads a source whole. What is wrong within it is counted in `unknown`, never an error. Sessions
// of the same id in several sources (an agent copies what was said when it goes on with a session)
// are for the caller to unite. Memory: a line, and what was said; a database is copied to a private
// temporary directory first, so that nothing is written beside it. Thread-safe.
// Errors: NotFound, InvalidArgument (an agent or a kind of file that is none), IoError,
// LimitExceeded, Corruption (a database that cannot be read), Cancelled.
Result<TranscriptRead> ReadTranscript(const TranscriptSource& source,
                                      const TranscriptLimits& limits = {});

// "aider", "claude-code", "codex", "copilot", "cursor", "gemini", "jsonl", "opencode".
std::span<const std::string_view> TranscriptAgents();

// The agent that wrote a file, by its name and its first bytes (some thousand; a whole first line
// is best); "" if it cannot be told.
std::string_view GuessAgent(std::string_view path, std::string_view head);

// Whether a source has only what persons typed (the histories of Claude Code and Codex): its
// sessions are of use where nothing else is known of a session, neither in another source nor from
// before.
bool IsPromptHistory(const TranscriptSource& source);

// The command, of the shell, that goes on with a session in its agent; "" if the agent has none.
std::string ResumeCommand(std::string_view agent, std::string_view session_id);

}  // namespace recall
