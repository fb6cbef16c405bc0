#pragma once

#include <vector>

#include "storage/base/status.h"
#include "storage/fts5/posting.h"

struct sqlite3;

namespace recall {

// The SQL function recall_collect(lexicon, sink), an auxiliary function of FTS5. Called once in a
// MATCH query, it reads the postings of every phrase of the expression and appends them to the
// sink, a pointer of type kPostingSinkType to a PostingSink.
struct PostingSink {
  std::vector<PostingList> lists;  // one per phrase of the expression, in its order
};
inline constexpr const char* kPostingSinkType = "recall-posting-sink";

// Registers recall_collect on a connection.
Status RegisterFtsCollector(sqlite3* connection);

}  // namespace recall
