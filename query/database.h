#pragma once

// The front door: everything a program can do with a recall.db. The CLI is a thin layer over
// this header; nothing here knows of terminals, flags or JSON.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/chunk/chunker.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"

namespace recall {

// ---- What a chunk or document looks like from outside ------------------------------------------

struct DocView {
  std::string id;  // 64 hexadecimal digits
  std::string path;
  std::string mtime;  // RFC 3339, "" when unknown
  std::string hash;   // SHA-256 of the text
  std::optional<std::string> tag;
  std::optional<std::string> source;
  std::optional<std::string> meta_json;
  std::string parser;
  int64_t size = 0;
  int64_t tokens = 0;
  int64_t chunks = 0;
};

struct ChunkView {
  std::string id;
  std::string doc_id;
  uint64_t offset = 0;  // index of the first whitespace token in the document
  uint64_t tokens = 0;
  uint64_t start_byte = 0;
  uint64_t end_byte = 0;
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  std::string heading;
  std::string text;  // exactly the document's bytes start_byte..end_byte
};

// ---- Opening ----------------------------------------------------------------------------------

// Recorded in a new store for good.
struct CreateOptions {
  std::string embedder = "hash";
  uint32_t dim = 256;
  uint32_t chunk_tokens = 256;
  uint32_t overlap_tokens = 32;
  uint64_t ann_seed = 42;
};

struct OpenOptions {
  bool read_only = false;
  int busy_timeout_ms = 10'000;
  bool enable_mapping = true;
};

// ---- Add --------------------------------------------------------------------------------------

struct AddRequest {
  std::vector<std::string> paths;  // files or directories
  std::vector<std::string> globs;
  std::vector<std::string> ignores;
  std::optional<std::string> tag;
  std::optional<std::string> source;
  Parser parser = Parser::kAuto;
  bool extract_meta = false;
  bool mtime_only = false;   // trust an unchanged mtime, do not read the file
  bool ignore_files = true;  // honour .gitignore and .recallignore
  bool dry_run = false;      // report what would happen, change nothing
  uint32_t threads = 0;      // 0: one per core
  uint64_t max_file_bytes = 512ull << 20;
};

struct AddReport {
  int64_t found = 0;      // files that passed globs and ignores
  int64_t added = 0;      // new documents
  int64_t updated = 0;    // documents whose text changed
  int64_t refreshed = 0;  // same text, new mtime or tag or source or meta
  int64_t unchanged = 0;
  int64_t skipped = 0;  // not text, too large
  int64_t failed = 0;   // could not be read
  int64_t chunks = 0;   // chunks written
  int64_t bytes = 0;    // bytes of text written
  std::vector<std::string> warnings;
  bool cancelled = false;  // what was committed before stays
};

struct AddProgress {
  int64_t files_done = 0;
  int64_t files_total = 0;
  int64_t bytes_done = 0;
  int64_t bytes_total = 0;
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
};

struct RemoveReport {
  struct Item {
    std::string id;
    std::string path;
  };
  std::vector<Item> removed;
  std::vector<std::string> not_found;  // targets that matched nothing
  int64_t purged_docs = 0;
  int64_t purged_chunks = 0;
};

// ---- Search -----------------------------------------------------------------------------------

enum class SearchMode { kHybrid, kLexical, kSemantic };

enum class LexicalMode {
  kQuery,    // words, "phrases", +must, -not, prefix*, OR
  kLiteral,  // every character is text
};

struct FusionWeights {
  double lexical = 0.98;
  double semantic = 0.02;
};

struct SearchRequest {
  std::string text;
  size_t k = 8;
  size_t offset = 0;
  SearchMode mode = SearchMode::kHybrid;
  LexicalMode lexical_mode = LexicalMode::kQuery;
  FusionWeights weights;
  uint32_t threads = 1;
  bool exact = false;    // semantic leg: score every vector
  bool explain = false;  // fill SearchHit::explain and SearchResponse::explain
};

struct HitExplain {
  std::optional<double> lexical;   // BM25
  std::optional<double> semantic;  // cosine
  double lexical_part = 0;         // weighted shares of the fused score before calibration
  double semantic_part = 0;
};

struct SearchHit {
  double score = 0;  // in [0, 1]; docs/RETRIEVAL.md says what it means
  DocView doc;
  ChunkView chunk;
  std::optional<HitExplain> explain;
};

struct StageTiming {
  std::string name;  // "open", "lexical", "semantic", "fuse", "assemble"
  int64_t micros = 0;
};

struct SearchExplain {
  int64_t lexical_candidates = 0;
  int64_t semantic_candidates = 0;
  int64_t combined_candidates = 0;
  double calibration = 0;  // score = fused * calibration
  struct Term {
    std::string text;
    std::string occur;  // "should", "must", "must_not"
    int64_t matches = 0;
    double idf = 0;
  };
  std::vector<Term> terms;
  int64_t vectors_scanned = 0;
  int64_t vectors_reranked = 0;
};

// Facts of the store at the moment of the answer.
struct StoreSummary {
  int64_t docs = 0;
  int64_t chunks = 0;
  int64_t tokens = 0;
  int64_t bytes = 0;
  int64_t db_size_bytes = 0;
  std::string snapshot;  // names this store and commit
};

struct SearchResponse {
  std::vector<SearchHit> hits;
  int64_t total_hits = 0;  // chunks that matched
  bool total_hits_is_lower_bound = false;
  std::optional<int64_t> next_offset;
  std::optional<SearchExplain> explain;
  std::vector<StageTiming> timings;
  std::vector<std::string> warnings;
  StoreSummary store;
};

// ---- Context ----------------------------------------------------------------------------------

struct ContextRequest {
  SearchRequest search;  // k and offset are ignored: packing takes as many as fit
  int64_t budget_tokens = 1200;
  std::optional<int64_t> diversity;  // most pieces from one document
  bool citations = true;             // a line before each piece that says where it is from
};

// One piece of context: a byte range of one document, perhaps several chunks merged.
struct ContextPiece {
  ChunkView chunk;  // id of the best chunk in it; range, heading and text of the whole piece
  std::vector<std::string> chunk_ids;  // all chunks it holds bytes of
  DocView doc;
  double score = 0;        // of its best chunk
  bool truncated = false;  // cut to fit the budget
};

struct ContextResponse {
  std::string text;  // what to hand to a model: pieces and citations
  int64_t budget_tokens = 0;
  int64_t used_tokens = 0;  // of all of `text`; never over the budget
  std::vector<ContextPiece> pieces;
  SearchResponse search;  // hits are left out
};

// ---- Get --------------------------------------------------------------------------------------

struct GetRequest {
  // A document or chunk id, a unique prefix of one, a path, or path:from:count (lines from 1).
  std::string target;
  bool verify = false;  // compare with the source file
};

enum class VerifyOutcome { kNotAsked, kSame, kChanged, kMissing };

struct GetResponse {
  DocView doc;
  ChunkView chunk;         // the range asked for; id is empty unless a chunk was named
  bool whole_doc = false;  // the range is the document
  VerifyOutcome verify = VerifyOutcome::kNotAsked;
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
  int64_t removed_docs = 0;
  int64_t removed_chunks = 0;
  int64_t segments = 0;
  int64_t segment_vectors = 0;
  int64_t mapped_segments = 0;
  int64_t tail_vectors = 0;
  int64_t schema_version = 0;
  int64_t wal_bytes = 0;
};

// ---- The database -----------------------------------------------------------------------------

// An open recall.db. Not thread-safe, except Cancel: open one per thread. All answers are from
// one read transaction each.
class Database final {
 public:
  static Result<std::unique_ptr<Database>> Create(const std::string& path,
                                                  const CreateOptions& options);
  static Result<std::unique_ptr<Database>> Open(const std::string& path,
                                                const OpenOptions& options = {});
  ~Database();

  // Paths are made relative to the directory of recall.db. Commits in batches: what is committed
  // stays when a later batch fails. NotFound when a path does not exist (nothing is added then).
  Result<AddReport> Add(const AddRequest& request, const AddProgressFn& progress = {});
  Result<RemoveReport> Remove(const RemoveRequest& request);
  Result<SearchResponse> Search(const SearchRequest& request);
  Result<ContextResponse> Context(const ContextRequest& request);
  Result<GetResponse> Get(const GetRequest& request);
  Result<StatsReport> Stats();

  // Makes the call in progress end soon: Add with cancelled = true, others with Cancelled.
  // Thread-safe and async-signal-safe.
  void Cancel();

  const std::string& path() const;

 private:
  class Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Whether there is a store file at `path` (not whether it is sound).
bool StoreExists(const std::string& path);

}  // namespace recall
