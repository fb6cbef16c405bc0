#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "index/source/secrets/redactor.h"
#include "index/source/transcript/transcript.h"
#include "storage/sessions/transcript_blocks.h"

namespace recall {

struct ReadingOptions {
  const Redactor* redactor = nullptr;  // null: secrets are neither looked for nor replaced
  bool keep_transcript = false;
  TranscriptLimits limits = {};
};

// A session of a transcript, with the number of secrets that were replaced in it, by kind.
struct ReadSession {
  AgentSession session;
  std::map<std::string, int64_t> redacted;
};

// A transcript as it may be stored: no secret is in any part of it.
struct ReadTranscriptSource {
  Status status;  // why it could not be read
  std::vector<ReadSession> sessions;
  std::map<std::string, int64_t> unknown;
  bool torn = false;
  std::string name;                     // its path
  std::vector<TranscriptBlock> blocks;  // of its text, if it is to be kept and is text
};

// Replaces the secrets in all texts of a session, and shortens what is not stored whole. Adds the
// numbers of secrets to *counts, by kind. `redactor` null: they are kept.
void RedactAndShorten(const Redactor* redactor, AgentSession* session,
                      std::map<std::string, int64_t>* counts);

// Reads one transcript. Thread-safe.
ReadTranscriptSource ReadAndRedact(const TranscriptSource& source, const ReadingOptions& options);

}  // namespace recall
