#pragma once

// What `rekal query` prints: the rows of its tables, an object a line (with --json), and sessions
// (`rekal query --session ID --full --json`), an object of several lines. Outputs may follow each
// other in one text.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "query/compat/rekal/rekal_records.h"

namespace recall {

struct RekalRows {
  std::vector<RekalSession> sessions;  // by id
  std::vector<RekalCheckpoint> checkpoints;
  int64_t objects = 0;
  int64_t unknown = 0;           // objects that say nothing about sessions
  std::vector<int64_t> damaged;  // lines, from 1, with what is no JSON object
};

RekalRows ReadRekalRows(std::string_view text);

}  // namespace recall
