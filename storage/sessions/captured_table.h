#pragma once

// The tables `captured` and `transcript` (docs/format/store.md, "Sessions"): what was read of the
// transcripts of this machine, and the transcripts themselves.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/sessions/transcript_blocks.h"

namespace recall {

class Connection;

// Whether the store has these tables, and that of forgotten.h; stores of formats before 14 do not.
Result<bool> HasSessionTables(Connection& connection);

// What was recorded of a transcript when it was last read.
struct CapturedSource {
  std::string agent;
  int64_t size = 0;
  UnixNanos mtime = 0;
  // The version of the rules by which secrets were redacted; with rules of the user's own, a number
  // that identifies all rules; -1: secrets were kept.
  int64_t rules = 0;
  // The directories of sessions in it that were not wanted; sorted.
  std::vector<std::string> outside;

  bool operator==(const CapturedSource&) const = default;
};

// All of them, by the path of the transcript; none in a store without the table.
Result<std::map<std::string, CapturedSource>> ReadCaptured(Connection& connection);
// Requires: a write transaction.
Status WriteCaptured(Connection& connection, std::string_view source, const CapturedSource& row);

// Replaces the transcript of a source. Requires: a write transaction.
Status WriteTranscriptBlocks(Connection& connection, std::string_view source,
                             const std::vector<TranscriptBlock>& blocks);
// The pieces of a transcript, in order; none if it was not kept.
Result<std::vector<TranscriptBlock>> ReadTranscriptBlocks(Connection& connection,
                                                          std::string_view source);
// The sources of all transcripts that are kept.
Result<std::vector<std::string>> ListTranscripts(Connection& connection);
// Requires: a write transaction.
Status DeleteTranscript(Connection& connection, std::string_view source);

}  // namespace recall
