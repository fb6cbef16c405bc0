#pragma once

// What is asked and answered when a store is looked after: examined, repaired, copied.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Says what is done now. Called from the calling thread, at most about ten times a second.
using UpkeepProgressFn = std::function<void(std::string_view doing)>;

// ---- Doctor -----------------------------------------------------------------------------------

struct DoctorRequest {
  std::string path;  // of the store; may be one that Open refuses
  bool fix = false;  // remake what is made of other data
  int busy_timeout_ms = 10'000;
  uint32_t threads = 0;  // 0: one per core
};

// All findings of one code.
struct DoctorFinding {
  struct Example {
    std::string where;  // "chunk row 17", "segment 3, page 2"
    std::string what;
  };
  std::string code;      // stable; docs/json.md lists them all
  std::string severity;  // "error", "warning", "note"
  std::string meaning;   // a sentence without its full stop
  int64_t count = 0;
  std::vector<Example> examples;  // the first ten, in the order of the check
  bool fixable = false;           // `fix` remakes it
  bool fixed = false;             // and has; the rest is of the state before
  std::string obstacle;           // why it does not, where one might think so
  std::string advice;             // what else to do; may be empty
};

struct DoctorReport {
  std::vector<DoctorFinding> findings;  // in the order of the codes' table
  int64_t errors = 0;                   // codes found that are not fixed, by severity
  int64_t warnings = 0;
  int64_t notes = 0;
  int64_t fixed = 0;  // codes
  // What was examined.
  int64_t format_version = 0;
  int64_t page_size = 0;
  int64_t pages = 0;
  int64_t free_pages = 0;
  int64_t wal_bytes = 0;
  int64_t docs = 0;  // live
  int64_t removed_docs = 0;
  int64_t chunks = 0;
  int64_t removed_chunks = 0;
  int64_t segments = 0;  // those whose header can be read
};

// ---- Backup -----------------------------------------------------------------------------------

struct BackupRequest {
  std::string path;    // of the store
  std::string to;      // the copy
  bool force = false;  // replace a file of that name
  int busy_timeout_ms = 10'000;
};

struct BackupReport {
  std::string to;
  int64_t bytes = 0;
  std::string snapshot;  // the commit that was copied; empty when a damaged store does not tell
};

}  // namespace recall
