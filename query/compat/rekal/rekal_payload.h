#pragma once

// What the frames of rekal.body say.

#include <cstdint>
#include <string_view>
#include <vector>

#include "query/compat/rekal/rekal_body.h"
#include "query/compat/rekal/rekal_records.h"
#include "query/compat/rekal/rekal_strings.h"
#include "storage/base/result.h"

namespace recall {

struct RekalFrameContents {
  std::vector<RekalSession> sessions;
  std::vector<RekalCheckpoint> checkpoints;
  int64_t unknown = 0;          // parts of types that are not known
  int64_t damaged = 0;          // parts of a batch that could not be read
  int64_t counts_repaired = 0;  // sessions whose number of turns or tool calls had wrapped around
};

// Decodes a payload, which may be any bytes: lengths and string numbers are checked. A string that
// is not in the table is "". Errors: Corruption for what is damaged; Unsupported for a later
// version of the format.
Result<RekalFrameContents> ReadRekalPayload(RekalFrameType type, std::string_view payload,
                                            const RekalStrings& strings);

}  // namespace recall
