#pragma once

// A session as the terminal view shows it: a conversation, turn by turn.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/show/browse/hit_text.h"
#include "query/memory/sessions/session_view.h"

namespace recall {

// "claude-code  main  2026-02-25": the agent, the branch and the day of a session.
std::string SessionLabel(const SessionMeta& meta);

// What is known of a session, in a few rows of at most so many columns; the last one is the command
// that goes on with it.
std::vector<ScreenRow> SessionCardRows(const DocView& doc, size_t columns);

struct TurnRows {
  std::vector<ScreenRow> rows;
  std::vector<uint64_t> bytes;  // where the line of each row begins in the document
  size_t best = 0;              // index of the row with most marked characters
  size_t turn = 0;              // index of the first row of the hit's turn, or of the first one
};

// The text around a hit of a session: each turn below a row with its role, number and time, which
// is `chosen` for the turn of the hit; a row for each use of a tool.
TurnRows RowsOfTurns(const MarkedText& marked, const ChunkView& chunk, size_t columns, bool utf8);

}  // namespace recall
