#pragma once

// What is asked and answered when a store is looked after: examined, repaired, copied, laid
// open.

#include <cstdint>
#include <functional>
#include <optional>
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
  // Called when a wait for another process that writes has lasted for a second.
  std::function<void()> on_long_wait = {};
  uint32_t threads = 0;  // 0: one per core
};

// All findings of one code.
struct DoctorFinding {
  struct Example {
    std::string where;  // "chunk rowid 17", "segment 3, page 2"
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

// ---- Inspect ----------------------------------------------------------------------------------

struct InspectRequest {
  std::string path;  // of the store
  int busy_timeout_ms = 10'000;
};

// How the file is built (docs/format). What a damaged store does not tell is empty.
struct InspectReport {
  // A table or an index of SQLite's.
  struct Tree {
    std::string name;
    std::string kind;             // "table", "index"
    std::optional<int64_t> rows;  // of tables
    std::optional<int64_t> pages;
  };
  // Sorted runs of the lexical index, from level 0 on.
  struct LexiconLevel {
    int64_t runs = 0;
    int64_t pages = 0;  // FTS5's, of about four kilobytes
  };
  struct Section {
    std::string name;
    int64_t items = 0;
    int64_t item_bytes = 0;
    int64_t first_page = 0;  // in the segment's chain
    int64_t pages = 0;
    int64_t offset = 0;  // of its first page in the segment's data
    int64_t bytes = 0;
    std::optional<uint32_t> checksum;  // CRC-32C of its items; nothing when a page is damaged
  };
  // Vectors that may be compared with each other.
  struct Space {
    int64_t id = 0;
    std::string embedder;
    std::string version;
    int64_t dim = 0;
    int64_t model = 0;             // 0: it needs none
    std::optional<int64_t> since;  // the commit it came into force with; none: being filled
    bool in_force = false;         // searches of the present use it
    int64_t segments = 0;
    int64_t vectors = 0;  // in segments and tail
    int64_t delta_vectors = 0;
    int64_t bytes = 0;  // of both
  };
  struct Segment {
    int64_t id = 0;
    int64_t space = 0;  // 0: in a store from before spaces
    std::string fault;  // why the rest is missing
    int level = 0;      // 0: small, 1: half full or more, 2: full
    int64_t vectors = 0;
    int64_t removed = 0;
    int64_t min_chunk = 0;
    int64_t max_chunk = 0;
    int64_t dim = 0;
    int64_t pages = 0;
    int64_t bytes = 0;
    uint32_t header_checksum = 0;
    std::vector<Section> sections;
  };

  int64_t bytes = 0;
  int64_t format_version = 0;
  int64_t page_size = 0;
  int64_t pages = 0;
  int64_t free_pages = 0;
  std::string journal;
  int64_t wal_bytes = 0;
  std::string snapshot;         // the present commit
  std::string oldest_snapshot;  // that can be read
  std::vector<Tree> trees;      // by name
  std::vector<LexiconLevel> lexicon;
  std::string lexicon_fault;
  std::vector<Space> spaces;      // by id; none in a store from before spaces
  std::string spaces_fault;       // why they are missing
  std::vector<Segment> segments;  // of all spaces, by smallest chunk rowid
  int64_t delta_vectors = 0;
};

}  // namespace recall
