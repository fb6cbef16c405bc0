#pragma once

// Requests and reports of operations that change or move a store: open, add, remove, compact,
// embed, export, import, merge, migrate and stats.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/embed/factory/embedder_config.h"
#include "index/search/ranker/ranker_config.h"
#include "index/source/chunk/chunker.h"
#include "index/source/extract/types/user_extractor.h"
#include "index/source/secrets/redactor.h"
#include "index/write/ingest/outcome_counts.h"
#include "index/write/training/training_progress.h"
#include "query/types/extract_settings.h"
#include "query/types/search_types.h"
#include "storage/base/page_verification.h"
#include "storage/base/result.h"

namespace recall {

// ---- Opening ----------------------------------------------------------------------------------

// Whether `store` is the address of a store on a server, postgres://..., and not a path. Wherever a
// store is named by its path, such an address may stand.
bool IsServerAddress(std::string_view store);

// Settings that a new store records permanently.
struct CreateOptions {
  std::string embedder = "lsa";  // or "hash"
  uint32_t dim = 256;
  uint32_t chunk_tokens = 256;
  uint32_t overlap_tokens = 32;
  uint64_t ann_seed = 42;
  // Not recorded: as in OpenOptions, for the returned Database.
  std::vector<RankerConfig> rankers = {};
};

struct OpenOptions {
  bool read_only = false;
  // A filter (docs/rql.md): documents that do not satisfy it do not exist for this Database, for
  // reading and for Remove. Empty: all documents.
  std::string scope = {};
  // Notes with `sensitivity: private` do not exist for this Database either.
  bool hide_private = false;
  int busy_timeout_ms = 10'000;
  // Called once, when the wait for another process has lasted for a second.
  std::function<void()> on_long_wait = {};
  bool enable_mapping = true;
  // When pages that a search reads are compared with their checksums.
  PageVerification verify_pages = PageVerification::kFirstUse;
  uint32_t flush_vectors = 4096;  // the delta becomes a segment when it has this many vectors
  // External embedders. A store that uses one of them needs it only to add documents and for
  // semantic queries.
  std::vector<EmbedderConfig> embedders = {};
  std::vector<RankerConfig> rankers = {};  // programs that the stage `ranker` may start
  // Programs that Add, and Get with `verify`, may start for files with their suffixes.
  std::vector<UserExtractor> extractors = {};
  StageListener on_stage = {};  // told of the stages of each question
};

// ---- Add --------------------------------------------------------------------------------------

struct AddRequest {
  std::vector<std::string> paths;  // files or directories
  // A file with more paths, one per line or each terminated by NUL; "-" is standard input. A path
  // in it that does not exist counts as failed, like an unreadable file.
  std::string files_from;
  bool null_names = false;
  // Instead of all paths: a file of documents, one JSON object per line (docs/cli.md); "-" is
  // standard input.
  std::string jsonl;
  std::vector<std::string> globs;
  std::vector<std::string> ignores;
  std::optional<std::string> tag;
  std::optional<std::string> source;
  Parser parser = Parser::kAuto;
  std::string notes_dir;  // as in SaveRequest: Markdown files there are notes if `parser` is kAuto
  bool extract_meta = false;
  bool mtime_only = false;   // trust an unchanged mtime, do not read the file
  bool rechunk = false;      // cut source code anew that was cut with another grammar, or none
  bool ignore_files = true;  // honour .recallignore, and .gitignore inside a git repository
  bool hidden = false;       // also add hidden files found in directories
  bool archives = false;     // also open archives found in directories, not only those in `paths`
  bool sync = false;         // remove documents whose files would be found but no longer exist
  bool dry_run = false;      // report the changes without making them
  int64_t max_errors = 0;    // stop after this number of failed documents; 0: never
  uint32_t threads = 0;      // 0: one per core
  // The approximate memory limit, at least 320 MiB; files that would not fit are skipped.
  // Unset: 512 MiB, and more for a larger file.
  std::optional<uint64_t> memory_bytes;
  uint64_t max_file_bytes = 512ull << 20;    // limit for a file, a line, or a file in an archive
  uint64_t max_archive_bytes = 16ull << 30;  // limit for the unpacked contents of an archive
  ExtractSettings extract = {};
  SecretPolicy secrets = SecretPolicy::kWarn;
  SecretSettings secret_settings = {};  // for SecretPolicy::kRedact and kSkip
  // Documents are named relative to this directory, which contains all paths, instead of the
  // store's. The store records it.
  std::optional<std::string> root;
  // Documents are named below this prefix, by their paths below `root` or else below the one path
  // of the request.
  std::optional<std::string> prefix;
  // If set, only what lies at or below one of these paths is examined: files there are added, and
  // with `sync` documents of files that no longer exist there are removed, exactly as by the same
  // request without them. Absolute, without "." and ".."; they need not exist.
  std::optional<std::vector<std::string>> only;
  // Called with the absolute path of each directory before it is listed, on the calling thread.
  std::function<void(const std::string& directory)> on_directory;
};

struct AddFailure {
  std::string path;  // the path of the document, if it is known
  int64_t line = 0;  // the line in the file of documents, from 1
  std::string reason;
};

struct AddSkip {
  std::string reason;  // "not_text", "too_large", "secrets" or "other"
  std::string text;    // the document and the reason, as a sentence
};

// The number of documents that were skipped for one reason.
struct AddSkipCount {
  std::string reason;
  std::string suffix;  // of their names, in lower case: ".png"; "" if there is none
  int64_t count = 0;
};

// A document without text, although its format has text.
struct AddWithoutText {
  std::string path;
  std::string outcome;  // "no_text", "encrypted", ...
  std::string reason;
};

// A credential in a text that was added, redacted or skipped.
struct AddSecret {
  std::string path;
  int64_t line = 0;
  std::string kind;  // "aws-access-key-id"
};

// Of the files that passed globs and ignore files, or of the lines.
struct AddReport : OutcomeCounts {
  int64_t removed = 0;                     // documents whose files no longer exist
  int64_t chunks = 0;                      // chunks written
  int64_t bytes = 0;                       // bytes of text written
  std::vector<AddFailure> failures;        // the first 10,000
  std::vector<std::string> removed_paths;  // the first 10,000
  std::vector<AddSkip> skips;              // the first 10,000
  std::vector<AddSkipCount> skipped_by;    // of all skipped documents, most frequent first
  std::vector<AddSecret> secrets;          // the first 10,000
  int64_t secrets_found = 0;
  // The number of documents written whose text was extracted, by outcome: "text", "no_text", ...;
  // and those without text (the first 10,000).
  std::map<std::string, int64_t> extracted;
  std::vector<AddWithoutText> without_text;
  // The documents that were skipped because of credentials and that stay in the store as they were
  // added before: the first 10,000 paths.
  std::vector<std::string> secrets_in_store;
  LeftOutCounts left_out;             // not among the outcomes
  std::vector<std::string> warnings;  // but not of skips
  bool cancelled = false;             // ended by Cancel; committed documents are kept
  bool gave_up = false;  // ended after max_errors failures; committed documents are kept
  Status fault;          // why the file of documents could not be read to its end
};

// The outcomes are those of Add; written documents count when they are committed.
struct AddProgress : OutcomeCounts {
  int64_t files_done = 0;
  int64_t files_total = 0;  // 0: unknown
  int64_t bytes_done = 0;
  int64_t bytes_total = 0;
  int64_t removed = 0;
  bool finished = false;  // Add: this is the last report about documents
  // After the last document: the progress of computing derived data.
  std::optional<DerivedDataProgress> catch_up = {};
};

// Called on the calling thread, about ten times a second at most.
using AddProgressFn = std::function<void(const AddProgress&)>;

// ---- Remove -----------------------------------------------------------------------------------

struct RemoveRequest {
  // Paths, directories, document ids, or unique prefixes of ids (at least 4 digits).
  std::vector<std::string> targets;
  bool purge = false;  // also delete the data of all removed documents and rewrite the file
  bool dry_run = false;
  // Instead of targets: all documents that satisfy this filter (with as_of for its dates).
  Scope scope;
};

struct RemoveReport {
  struct Item {
    std::string id;
    std::string path;
  };
  std::vector<Item> removed;
  std::vector<std::string> not_found;  // targets that matched nothing
  std::string filter;                  // canonical text; "" without a filter
  std::optional<UnixNanos> as_of;      // set if the filter depends on it
  std::vector<std::string> warnings;
  int64_t purged_docs = 0;
  int64_t purged_chunks = 0;
};

// ---- Compact ----------------------------------------------------------------------------------

struct CompactRequest {
  // Commits that were the newest one at some moment within this time remain readable by token.
  int64_t keep_nanos = 86'400'000'000'000;
  // Keep no older state, and train models again from the remaining documents, because a model
  // contains terms of the purged ones.
  bool forget = false;
  // In addition, fail unless no byte of purged data is left in the file and its write-ahead log.
  bool secure = false;
};

struct CompactProgress {
  std::string_view doing;  // the stage, as "deleting documents"
  int64_t done = 0;        // of `total` chunks
  int64_t total = 0;       // 0: unknown
  // Set while derived data is computed.
  std::optional<DerivedDataProgress> derived = {};
};
// Called when a stage begins and after each of its steps.
using CompactProgressFn = std::function<void(const CompactProgress&)>;

struct CompactReport {
  int64_t expired_snapshots = 0;  // commits that were readable before and are not any more
  std::string oldest_snapshot;    // token of the oldest readable commit
  int64_t purged_docs = 0;
  int64_t purged_chunks = 0;
  int64_t segments_before = 0;
  int64_t segments_after = 0;
  int64_t bytes_before = 0;  // size of the file
  int64_t bytes_after = 0;
  StoreSummary store;
};

// ---- Embed ------------------------------------------------------------------------------------

struct EmbedRequest {
  std::string embedder;  // "lsa", "hash", or the name of one of OpenOptions::embedders
  bool again = false;    // even if the store already has vectors of this embedder
  uint32_t threads = 0;  // 0: one per core
};

// The number of chunks with a new vector, and of all chunks; both 0 during training.
using EmbedProgressFn = std::function<void(int64_t done, int64_t chunks)>;

struct EmbedReport {
  std::string embedder;
  std::string version;
  uint32_t dim = 0;
  int64_t chunks = 0;    // chunks that got a vector in this call
  int64_t resumed = 0;   // chunks that got a vector in an interrupted call
  bool already = false;  // the store already had these vectors
};

// ---- Export, import, migrate --------------------------------------------------------------------

enum class ExportLayout {
  kRecall,    // docs/format/export.md: lossless
  kRecall01,  // the format of recall 0.1: documents, then chunks with embeddings
  kNotes,     // notes as Markdown files, which vaults of other programs can take
  kMemory,    // notes as the JSON Lines of Anthropic's memory server
};

struct ExportRequest {
  ExportLayout layout = ExportLayout::kRecall;
  // The file, which is written under a temporary name and renamed when it is complete. The
  // extension ".zst" compresses it. Empty: the lines are passed to the sink. kNotes: the directory.
  std::string out_path;
  bool force = false;  // kNotes: also replace files that no export wrote, or that were edited
  Scope scope;         // the documents; a filter on chunk fields selects whole documents
};

// Receives the next part of the output.
using ExportSink = std::function<Status(std::string_view)>;

struct ExportReport {
  int64_t docs = 0;
  int64_t chunks = 0;
  int64_t lines = 0;
  int64_t bytes = 0;                        // bytes written, after compression
  int64_t files_written = 0;                // kNotes; other files were as they should be
  std::map<std::string, int64_t> left_out;  // kMemory: what has no place there; notes by key
  std::string filter;                       // canonical text of the scope's filter; "" without one
  std::optional<UnixNanos> as_of;           // set if the filter depends on it
  std::vector<std::string> warnings;
  StoreSummary store;
};

// Whose files are imported.
enum class ImportFormat : uint8_t {
  kRecall,       // the output of `recall export`, also of recall 0.1
  kRekall,       // a database of Rekall, or its export as JSON
  kBastra,       // a vault of bastra-recall, or the output of `recall export --format notes`
  kMemory,       // the JSON Lines of Anthropic's memory server
  kBasicMemory,  // a project of Basic Memory
  kRekal,        // the sessions of rekal: a repository, a rekal.body, the output of `rekal query`
};

struct ImportRequest {
  std::string path;  // a file (".zst" is decompressed; "-" is standard input), or a directory
  ImportFormat format = ImportFormat::kRecall;
  // 0: one transaction, all or nothing. Else the approximate number of documents per commit:
  // committed documents are kept, and the same import continues from there.
  int64_t batch_docs = 0;
  bool dry_run = false;  // read and check everything, change nothing
  // The maximum size of the lines of one document with its chunks; it bounds the memory.
  uint64_t max_document_bytes = uint64_t{1} << 30;
  // kRekal: a file that is or contains the dictionary of zstd that frames name.
  std::optional<std::string> dictionary = {};
  SecretSettings secret_settings = {};  // kRekal: the user's kinds of secrets, and what is none
};

// No document of an import is skipped or fails: a fault ends the import. Only files of a vault that
// are no notes do not end it.
struct ImportReport : OutcomeCounts {
  int64_t chunks = 0;           // chunks written
  int64_t vectors_taken = 0;    // vectors from the file
  int64_t vectors_rebuilt = 0;  // vectors computed by this store's embedder
  int64_t lines = 0;
  std::vector<std::string> warnings;
  bool cancelled = false;

  // Of the memory of another program:
  int64_t links = 0;  // written
  int64_t uses = 0;
  int64_t reviews = 0;
  std::map<std::string, int64_t> kept;     // keys of cards without a meaning here; notes by key
  std::map<std::string, int64_t> dropped;  // what was not imported; its number by a description
  struct Fault {
    std::string file;
    int64_t line = 0;  // from 1; 0: the file as a whole
    std::string reason;
  };
  std::vector<Fault> faults;  // files that were not imported

  // Of sessions of rekal:
  int64_t recordings = 0;                   // of sessions; several may be of one
  int64_t repaired = 0;                     // of them, those whose counts had wrapped around
  int64_t forgotten = 0;                    // sessions that must not come back
  std::map<std::string, int64_t> redacted;  // secrets, by kind
};

struct MergeRequest {
  std::vector<std::string> paths;  // the files of the other stores, which are only read
  bool dry_run = false;            // read and check everything, change nothing
  int64_t batch_docs = 10'000;     // approximate number of documents per commit
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
  std::string from;  // a recall.db of recall 0.1; it is only read
  std::string to;    // the new store; must not exist, unless it is `from`
  std::string keep;  // if `to` is `from`: the new name of the old store
  // The settings of the new store. If both stores use the "hash" embedder and `dim` is not set
  // here, it is that of the old store.
  CreateOptions settings;
  bool keep_dim = true;
};

struct MigrateReport {
  std::string generation;  // a description of the old store
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
  int64_t schema_version = 0;  // the format of the file, which may be older than the program's
  int64_t wal_bytes = 0;
};

// The bytes that the parts of a store take in its file, without the structure around them.
struct StoreSizes {
  int64_t text = 0;     // compressed
  int64_t lexical = 0;  // the full-text index, posting lists and the words of chunks
  int64_t vectors = 0;  // vectors of all spaces and the models that compute them
};

}  // namespace recall
