#pragma once

// Questions and answers in sessions: which turn a chunk is of, and what was answered to it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "index/search/snapshot/snapshot.h"
#include "query/ask/rows/views.h"
#include "query/types/row_views.h"

namespace recall {

// The roles of who asks and who answers.
inline constexpr std::string_view kAskingRole = "human";
inline constexpr std::string_view kAnsweringRole = "assistant";

// The role of the turn of a session that a chunk is of, "human" or "assistant"; "" for other
// chunks. Valid as long as the heading of the chunk.
std::string_view RoleOfTurn(const RowReader::Located& row);

// The chunks behind that of a question, up to the end of what the assistant says next. They end at
// the first one that is not in `allowed` (null: none is left out). None for a chunk that is no
// question, and without an answer within the next eight chunks. Errors: Corruption.
Result<std::vector<RowReader::Located>> ChunksToAnswer(const RowReader::Located& question,
                                                       RowReader& rows, const Bitmap* allowed);

// Finds the beginnings of answers. Not thread-safe.
class ReplyReader final {
 public:
  // Both must outlive the object.
  ReplyReader(const Snapshot& snapshot, RowReader& rows) : snapshot_(snapshot), rows_(rows) {}

  // The beginning of what the assistant says next behind a question: at most `most_bytes`, whole
  // characters, without white space at its end. It need not satisfy the filter of the question, but
  // what may not be read at all is not read. Nothing as for ChunksToAnswer. Errors: Corruption.
  Result<std::optional<TurnReply>> Read(const RowReader::Located& question, size_t most_bytes);

 private:
  const Snapshot& snapshot_;
  RowReader& rows_;
  bool knows_visible_ = false;
  std::optional<Bitmap> visible_;  // unset: everything
};

}  // namespace recall
