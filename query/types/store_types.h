#pragma once

// What is done to a store besides asking: making, filling, removing, moving, counting.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/chunk/chunker.h"
#include "index/embed/factory/embedder_config.h"
#include "index/training/training_progress.h"
#include "query/types/search_types.h"
#include "storage/base/result.h"

namespace recall {

// ---- Opening ----------------------------------------------------------------------------------

// Recorded in a new store for good.
struct CreateOptions {
  std::string embedder = "lsa";  // or "hash"
  uint32_t dim = 256;
  uint32_t chunk_tokens = 256;
  uint32_t overlap_tokens = 32;
  uint64_t ann_seed = 42;
};

struct OpenOptions {
  bool read_only = false;
  int busy_timeout_ms = 10'000;
  // Called once, when a wait for another process has lasted for a second.
  std::function<void()> on_long_wait = {};
  bool enable_mapping = true;
  uint32_t flush_vectors = 4096;  // vectors of a new segment, see StoreOptions
  // Those that are not this program's own. A store that has one of them needs it for adding and
  // for semantic questions alone.
  std::vector<EmbedderConfig> embedders = {};
};

// ---- Add --------------------------------------------------------------------------------------

struct AddRequest {
  std::vector<std::string> paths;  // files or directories
  // A file of more paths, one a line or each ended by NUL; "-" is standard input. Of these, one
  // that does not exist has failed like a file that cannot be read.
  std::string files_from;
  bool null_names = false;
  // Instead of all these a file of documents, one JSON object a line (docs/cli.md); "-" is standard
  // input.
  std::string jsonl;
  std::vector<std::string> globs;
  std::vector<std::string> ignores;
  std::optional<std::string> tag;
  std::optional<std::string> source;
  Parser parser = Parser::kAuto;
  bool extract_meta = false;
  bool mtime_only = false;   // trust an unchanged mtime, do not read the file
  bool ignore_files = true;  // honour .gitignore and .recallignore
  bool archives = false;     // open archives found in directories, too, not only those in `paths`
  bool sync = false;         // remove documents whose files would have been found, but are gone
  bool dry_run = false;      // report what would happen, change nothing
  int64_t max_errors = 0;    // end when so many documents have failed; 0: never
  uint32_t threads = 0;      // 0: one per core
  // About what this may take of memory, at least 320 MiB; files that would not fit are skipped.
  // Unset: 512 MiB, and more for a larger file.
  std::optional<uint64_t> memory_bytes;
  uint64_t max_file_bytes = 512ull << 20;    // of a file, a line, or a file in an archive
  uint64_t max_archive_bytes = 16ull << 30;  // of all that an archive holds
};

struct AddFailure {
  std::string path;  // of the document, as far as it is known
  int64_t line = 0;  // of the file of documents, from 1
  std::string reason;
};

struct AddReport {
  int64_t found = 0;      // files that passed globs and ignores, or lines: the sum of the next six
  int64_t added = 0;      // new documents
  int64_t updated = 0;    // documents whose text changed
  int64_t refreshed = 0;  // same text, new mtime or tag or source or meta
  int64_t unchanged = 0;
  int64_t skipped = 0;                     // not text, too large
  int64_t failed = 0;                      // could not be read
  int64_t removed = 0;                     // documents whose files are gone
  int64_t chunks = 0;                      // chunks written
  int64_t bytes = 0;                       // bytes of text written
  std::vector<AddFailure> failures;        // the first 10,000
  std::vector<std::string> removed_paths;  // the first 10,000
  std::vector<std::string> warnings;
  bool cancelled = false;  // what was committed before stays; so for the next two
  bool gave_up = false;    // after max_errors failures
  Status fault;            // why the file of documents could not be read to its end
};

struct AddProgress {
  int64_t files_done = 0;
  int64_t files_total = 0;  // 0: nobody knows
  int64_t bytes_done = 0;
  int64_t bytes_total = 0;
  // Add: what became of them, of what is written only what is committed.
  int64_t added = 0;
  int64_t updated = 0;
  int64_t refreshed = 0;
  int64_t unchanged = 0;
  int64_t skipped = 0;
  int64_t failed = 0;
  int64_t removed = 0;
  bool finished = false;  // Add: nothing more will come
  // Behind the last document: what is made of all of them, and how far that is.
  std::optional<DerivedDataProgress> catch_up = {};
};

// Called from the calling thread, at most about ten times a second.
using AddProgressFn = std::function<void(const AddProgress&)>;

// ---- Remove -----------------------------------------------------------------------------------

struct RemoveRequest {
  // A path, a directory, a document id, or a unique prefix of one (at least 4 digits).
  std::vector<std::string> targets;
  bool purge =
      false;  // also delete what was removed, now or before, and rewrite the file without it
  bool dry_run = false;
  // Instead of targets: every document that satisfies this filter (with as_of for its dates).
  Scope scope;
};

struct RemoveReport {
  struct Item {
    std::string id;
    std::string path;
  };
  std::vector<Item> removed;
  std::vector<std::string> not_found;  // targets that matched nothing
  std::string filter;                  // canonical text, "" when there is none
  std::optional<UnixNanos> as_of;      // set when the filter depends on it
  std::vector<std::string> warnings;
  int64_t purged_docs = 0;
  int64_t purged_chunks = 0;
};

// ---- Compact ----------------------------------------------------------------------------------

struct CompactRequest {
  // Every state that was the newest one within this time can still be read by its token.
  int64_t keep_nanos = 86'400'000'000'000;
  // Keep no older state, learn anew of what is left, for a model knows the words of what was
  // purged, and...
  bool forget = false;
  // ...fail unless no byte of what was purged is left in the file or its write-ahead log.
  bool secure = false;
};

// Called when a stage begins and after each of its steps, with what it does in words.
using CompactProgressFn = std::function<void(std::string_view doing)>;

struct CompactReport {
  int64_t expired_snapshots = 0;  // commits that could be read before and cannot any more
  std::string oldest_snapshot;    // token of the oldest that still can
  int64_t purged_docs = 0;
  int64_t purged_chunks = 0;
  int64_t segments_before = 0;
  int64_t segments_after = 0;
  int64_t bytes_before = 0;  // of the file
  int64_t bytes_after = 0;
  StoreSummary store;
};

// ---- Embed ------------------------------------------------------------------------------------

struct EmbedRequest {
  std::string embedder;  // "lsa", "hash", or the name of one of OpenOptions::embedders
  bool again = false;    // also when the store has its vectors already
  uint32_t threads = 0;  // 0: one per core
};

// Chunks with a vector, of all, so far; 0 of 0 while texts are learnt from.
using EmbedProgressFn = std::function<void(int64_t done, int64_t chunks)>;

struct EmbedReport {
  std::string embedder;
  std::string version;
  uint32_t dim = 0;
  int64_t chunks = 0;    // that got a vector now
  int64_t resumed = 0;   // that an interrupted call had given one
  bool already = false;  // nothing was to be done
};

// ---- Export, import, migrate --------------------------------------------------------------------

enum class ExportLayout {
  kRecall,     // docs/format/export.md: loses nothing
  kPublished,  // what recall 0.1 wrote and reads: documents, then chunks with embeddings
};

struct ExportRequest {
  ExportLayout layout = ExportLayout::kRecall;
  // A file, written beside it and renamed when complete; ".zst" at its end compresses. Empty: the
  // lines go to the sink.
  std::string out_path;
  Scope scope;  // which documents; a filter on chunk fields picks whole documents
};

// Takes the next piece of the lines.
using ExportSink = std::function<Status(std::string_view)>;

struct ExportReport {
  int64_t docs = 0;
  int64_t chunks = 0;
  int64_t lines = 0;
  int64_t bytes = 0;               // written, after compression
  std::string filter;              // canonical text of the scope's filter, "" when there is none
  std::optional<UnixNanos> as_of;  // set when the filter depends on it
  std::vector<std::string> warnings;
  StoreSummary store;
};

struct ImportRequest {
  std::string path;  // a file of either layout; ".zst" is decompressed; "-" is standard input
  // 0: one transaction, all or nothing. Else commit after about so many documents: what is
  // committed stays, and the same import goes on from there.
  int64_t batch_docs = 0;
  bool dry_run = false;  // read and check everything, change nothing
  // Most bytes of one document with its chunks, as the file spells them; memory is bounded by it.
  uint64_t max_document_bytes = uint64_t{1} << 30;
};

struct ImportReport {
  int64_t added = 0;
  int64_t updated = 0;    // replaced a document of the same path
  int64_t refreshed = 0;  // same text, other mtime, tag, source or metadata
  int64_t unchanged = 0;
  int64_t chunks = 0;           // written
  int64_t vectors_taken = 0;    // from the file
  int64_t vectors_rebuilt = 0;  // by this store's embedder
  int64_t lines = 0;
  std::vector<std::string> warnings;
  bool cancelled = false;
};

struct MergeRequest {
  std::vector<std::string> paths;  // of other stores' files, which are only read
  bool dry_run = false;            // read and check everything, change nothing
  int64_t batch_docs = 10'000;     // commit after about so many documents
};

struct MergeReport {
  struct Store {
    std::string path;
    int64_t docs = 0;
    int64_t chunks = 0;
  };
  std::vector<Store> stores;
  ImportReport import;
};

struct MigrateRequest {
  std::string from;  // a recall.db of an earlier implementation; it is only read
  std::string to;    // the new store; must not exist, unless it is `from`:
  std::string keep;  // then the name the old store gets once the new one is complete
  // Of the new store. `dim` stays that of the old one where both embed by "hash", unless it is
  // set here.
  CreateOptions settings;
  bool keep_dim = true;
};

struct MigrateReport {
  std::string generation;  // what the old store is, in words
  ImportReport import;
  StoreSummary store;
};

// ---- Stats ------------------------------------------------------------------------------------

struct StatsReport {
  StoreSummary store;
  std::string path;
  std::string uuid;
  std::string embedder;
  int64_t dim = 0;
  int64_t chunk_tokens = 0;
  int64_t overlap_tokens = 0;
  int64_t ann_bits = 0;
  uint64_t ann_seed = 0;
  int64_t removed_docs = 0;
  int64_t removed_chunks = 0;
  int64_t segments = 0;
  int64_t segment_vectors = 0;
  int64_t mapped_segments = 0;
  int64_t delta_vectors = 0;
  int64_t schema_version = 0;
  int64_t wal_bytes = 0;
};

}  // namespace recall
