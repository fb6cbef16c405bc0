#pragma once

#include <string>

#include "index/source/transcript/database_copy.h"
#include "index/source/transcript/transcript.h"

namespace recall {

// Reads the chat of Cursor's command line in a database with the tables `meta` and `blobs`. `path`:
// of the original. Errors: Corruption, Cancelled.
Result<TranscriptRead> ReadCursorChat(DatabaseCopy* copy, const std::string& path,
                                      const TranscriptLimits& limits);

}  // namespace recall
