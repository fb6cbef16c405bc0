#pragma once

// Requests and reports of sessions: conversations with coding agents. query/database/database.h
// contains the functions.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "index/source/secrets/secret_settings.h"
#include "index/source/transcript/transcript_places.h"
#include "index/write/ingest/outcome_counts.h"
#include "storage/base/clock.h"

namespace recall {

// ---- Capture ----------------------------------------------------------------------------------

struct CaptureRequest {
  // Transcripts, or directories with transcripts. Empty: those of the agents' own places, and of
  // these only sessions that were held in `project`, unless `all` is set.
  std::vector<std::string> paths = {};
  TranscriptPlaces places = {};
  // With `paths`, the agent that wrote all of them; else the agents whose places are looked in.
  // Empty: any.
  std::vector<std::string> agents = {};
  // Absolute: sessions held in any work tree of its repository, or outside of git at or below it.
  std::string project = {};
  bool all = false;
  std::optional<std::string> commit = {};  // a revision that the sessions led to
  // Ids of commits that git has replaced, by amending or rebasing, with those of the new ones.
  // Sessions that have an old one get the new one; nothing is captured.
  std::optional<std::map<std::string, std::string>> rewritten = {};
  // kRedact, kKeep or kSkip: what becomes of sessions with secrets.
  SecretPolicy secrets = SecretPolicy::kRedact;
  SecretSettings secret_settings = {};  // the user's kinds of secrets, and what is none
  bool keep_transcripts = true;         // also store the transcripts, redacted and compressed
  bool again = false;                   // read transcripts that have not changed, too
  std::optional<UnixNanos> at = {};     // unset: now; commits up to then are looked for
  bool dry_run = false;
  uint32_t threads = 0;  // 0: one per core
};

struct CaptureFailure {
  std::string path;  // of a transcript
  std::string reason;
};

struct CaptureReport {
  int64_t found = 0;         // transcripts
  int64_t read = 0;          // of them; the others have not changed since they were read
  int64_t captured = 0;      // sessions that are new in the store
  int64_t grown = 0;         // sessions with a new version
  int64_t refreshed = 0;     // sessions of which only metadata changed
  int64_t unchanged = 0;     // sessions that were read and say nothing new
  int64_t outside = 0;       // sessions of other projects
  int64_t forgotten = 0;     // sessions that were deleted for good
  int64_t with_secrets = 0;  // sessions left out because of their secrets
  int64_t torn = 0;          // transcripts whose last line was not complete
  int64_t linked = 0;        // sessions that got the commit of the request
  int64_t turns = 0;         // that are new in the store
  int64_t bytes = 0;         // of the transcripts read
  std::map<std::string, int64_t> redacted = {};  // secrets, by kind
  std::map<std::string, int64_t> unknown = {};   // lines of transcripts, by kind
  std::vector<CaptureFailure> failed = {};
  std::vector<std::string> warnings = {};
  bool cancelled = false;
};

struct CaptureProgress {
  int64_t transcripts_done = 0;
  int64_t transcripts_total = 0;
  int64_t bytes_done = 0;
  int64_t bytes_total = 0;
};
using CaptureProgressFn = std::function<void(const CaptureProgress&)>;

// ---- Forget -----------------------------------------------------------------------------------

struct ForgetRequest {
  std::vector<std::string> targets = {};  // sessions: paths, ids, or unique beginnings of ids
  std::vector<std::string> filters = {};  // and all sessions that satisfy each of these, in RQL
  std::optional<UnixNanos> at = {};       // unset: now
  bool dry_run = false;
};

struct ForgetReport {
  std::vector<std::string> forgotten = {};  // paths
  std::vector<std::string> warnings = {};
};

}  // namespace recall
