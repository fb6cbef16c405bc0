#pragma once

// Requests and reports of maintenance: doctor, backup and inspect.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Receives a description of the current step. Called on the calling thread, at most about ten times
// a second.
using UpkeepProgressFn = std::function<void(std::string_view doing)>;

// ---- Doctor -----------------------------------------------------------------------------------

// In the order in which they begin. A repair is followed by another examination.
enum class DoctorStage : uint8_t {
  kFile,       // pages and tables
  kDocuments,  // rows of documents and chunks, small tables
  kSegments,   // vector segments
  kTexts,      // texts, chunks and vectors; counts chunks
  kIndex,      // the rest: full-text index, posting lists, SQLite's own check
  kCopy,       // the store is copied before it is changed
  kRepair,     // tables are repaired
  kRebuild,    // indexes are rebuilt; counts chunks
};

struct DoctorProgress {
  DoctorStage stage = DoctorStage::kFile;
  int64_t done = 0;
  int64_t total = 0;  // 0: unknown
};
// Called on the calling thread, when a stage begins and then at most about ten times a second.
using DoctorProgressFn = std::function<void(const DoctorProgress&)>;

struct DoctorRequest {
  std::string path;           // the store; it may be one that Open refuses
  bool fix = false;           // rebuild damaged derived data
  bool keep_copy = true;      // with `fix`: copy the store before it is changed
  bool accept_pages = false;  // with `fix`: give pages that do not match their checksums new ones,
                              // if nothing else is wrong
  int busy_timeout_ms = 10'000;
  // Called when the wait for another writing process has lasted for a second.
  std::function<void()> on_long_wait = {};
  uint32_t threads = 0;  // 0: one per core
};

// All findings of one code.
struct DoctorFinding {
  struct Example {
    std::string where;  // "chunk rowid 17", "segment 3, page 2"
    std::string what;
  };
  std::string code;      // stable; docs/json.md lists all codes
  std::string severity;  // "error", "warning", "note"
  std::string meaning;   // a sentence without a full stop
  int64_t count = 0;
  std::vector<Example> examples;  // the first ten, in the order of the check
  bool fixable = false;           // `fix` can repair it
  bool fixed = false;             // it was repaired; the other fields describe the state before
  std::string obstacle;           // why a repair that exists is not possible here; may be empty
  std::string advice;             // what the user can do; may be empty
};

struct DoctorReport {
  std::vector<DoctorFinding> findings;  // in the order of the table of codes
  int64_t errors = 0;                   // number of codes that are not fixed, by severity
  int64_t warnings = 0;
  int64_t notes = 0;
  int64_t fixed = 0;       // number of codes that were fixed
  bool retrained = false;  // the repair trained a model again: rankings may differ from before
  std::string kept_copy;   // the store as it was before the repair; empty if nothing was changed
  std::string kept_wal;    // its WAL; empty if there was none
  // The examined store.
  int64_t format_version = 0;
  int64_t page_size = 0;
  int64_t pages = 0;
  int64_t free_pages = 0;
  int64_t wal_bytes = 0;
  int64_t docs = 0;  // live documents
  int64_t removed_docs = 0;
  int64_t chunks = 0;
  int64_t removed_chunks = 0;
  int64_t segments = 0;  // segments with a readable header
};

// ---- Backup -----------------------------------------------------------------------------------

struct BackupRequest {
  std::string path;    // the store
  std::string to;      // the copy
  bool force = false;  // replace an existing file
  int busy_timeout_ms = 10'000;
};

struct BackupReport {
  std::string to;
  int64_t bytes = 0;
  std::string snapshot;  // the copied commit; empty if a damaged store does not contain it
};

// ---- Inspect ----------------------------------------------------------------------------------

struct InspectRequest {
  std::string path;  // the store
  int busy_timeout_ms = 10'000;
};

// What the pages of a store are for. The last one owns the pages that belong to no table.
inline constexpr std::array<std::string_view, 9> kPageOwners = {
    "texts",  "full-text index", "documents and chunks", "vectors", "forward index",
    "models", "history",         "settings and SQLite",  "free"};

// The structure of the file (docs/format). Fields that a damaged store does not provide are empty.
struct InspectReport {
  // An SQLite table or index.
  struct Tree {
    std::string name;
    std::string kind;             // "table", "index"
    std::optional<int64_t> rows;  // set for tables
    std::optional<int64_t> pages;
  };
  // Consecutive pages of the file with the same owner.
  struct PageRun {
    int64_t first = 0;  // from 1
    int64_t pages = 0;
    size_t owner = 0;  // index in kPageOwners
  };
  // The sorted runs of one level of the full-text index; levels count from 0.
  struct LexiconLevel {
    int64_t runs = 0;
    int64_t pages = 0;  // FTS5's pages, of about four kilobytes
  };
  struct Section {
    std::string name;
    int64_t items = 0;
    int64_t item_bytes = 0;
    int64_t first_page = 0;  // index in the page chain of the segment
    int64_t pages = 0;
    int64_t offset = 0;  // offset of its first page in the data of the segment
    int64_t bytes = 0;
    std::optional<uint32_t> checksum;  // CRC-32C of its items; unset when a page is damaged
  };
  // A vector space.
  struct Space {
    int64_t id = 0;
    std::string embedder;
    std::string version;
    int64_t dim = 0;
    int64_t model = 0;             // 0: it needs no model
    std::optional<int64_t> since;  // the commit that activated it; unset while it is being filled
    bool in_force = false;         // it is the active space of the newest commit
    int64_t segments = 0;
    int64_t vectors = 0;  // in segments and delta
    int64_t delta_vectors = 0;
    int64_t bytes = 0;  // size of both
  };
  struct Segment {
    int64_t id = 0;
    int64_t space = 0;  // 0: the store is older than vector spaces
    std::string fault;  // why the other fields are missing
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
  std::string snapshot;         // the newest commit
  std::string oldest_snapshot;  // the oldest commit that can be read
  std::vector<Tree> trees;      // by name
  std::vector<PageRun> map;     // the whole file; empty if SQLite cannot report it
  std::vector<LexiconLevel> lexicon;
  std::string lexicon_fault;
  std::vector<Space> spaces;      // by id; empty if the store is older than vector spaces
  std::string spaces_fault;       // why spaces are missing
  std::vector<Segment> segments;  // segments of all spaces, by smallest chunk rowid
  int64_t delta_vectors = 0;
};

}  // namespace recall
