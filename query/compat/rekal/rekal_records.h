#pragma once

// The records of the program rekal: sessions, and checkpoints. A checkpoint names a commit and the
// sessions that led to it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/source/session/agent_session.h"
#include "storage/base/clock.h"

namespace recall {

struct RekalTurn {
  TurnRole role = TurnRole::kHuman;
  bool is_summary = false;           // the agent's, of what was said before: no turn here
  uint64_t seconds = 0;              // since the turn before it; 0 may also mean unknown
  std::optional<UnixNanos> at = {};  // known only from `rekal query`
  std::string text;                  // any bytes

  bool operator==(const RekalTurn&) const = default;
};

struct RekalCall {
  std::string tool;
  std::string path;     // "": none
  std::string command;  // "": none

  bool operator==(const RekalCall&) const = default;
};

// One recording of a session. rekal records a session that goes on again, often under a new id.
struct RekalSession {
  std::string id;
  std::string parent;       // the id of another session; "": none
  std::string author;       // e-mail address
  std::string branch;       // "": unknown
  std::string description;  // of a sub-agent's session
  bool is_agent = false;
  std::optional<UnixNanos> parsed_at = {};  // when rekal read the transcript
  std::vector<RekalTurn> turns;
  std::vector<RekalCall> calls;

  bool operator==(const RekalSession&) const = default;
};

struct RekalCheckpoint {
  std::string sha;  // of a commit, perhaps its beginning; "": none
  std::optional<UnixNanos> at = {};
  std::vector<std::string> sessions;  // ids
  std::vector<std::string> files;     // that the commit changes

  bool operator==(const RekalCheckpoint&) const = default;
};

}  // namespace recall
