#pragma once

// What is asked of a store, and what it answers. query/database.h is where to ask.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/embed/interface/embedder.h"
#include "index/filter/fields.h"
#include "query/ranking/score_parts.h"
#include "query/types/ranking_options.h"
#include "storage/base/clock.h"

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

// Bytes start .. end-1.
struct ByteRange {
  uint64_t start = 0;
  uint64_t end = 0;

  bool operator==(const ByteRange&) const = default;
};

// The part of a chunk that shows best why it was found.
struct Snippet {
  std::string text;  // exactly the document's bytes start_byte..end_byte, whole characters
  uint64_t start_byte = 0;
  uint64_t end_byte = 0;
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  std::vector<ByteRange> highlights;  // of `text`: the question's words, ascending, apart
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

// ---- Search -----------------------------------------------------------------------------------

enum class SearchMode { kHybrid, kLexical, kSemantic };

enum class LexicalMode {
  kQuery,    // words, "phrases", +must, -not, prefix*, OR
  kLiteral,  // every character is text
};

// The retrievers' shares of a hybrid score; only their ratio matters.
struct FusionWeights {
  double lexical = 0.8;
  double semantic = 0.2;
};

// What was measured to rank best with vectors of an embedder (docs/RETRIEVAL.md): those of the hash
// embedder say little that the words do not. Weighted fusion has the weights it was published with.
inline FusionWeights DefaultWeights(std::string_view embedder,
                                    FusionMethod fusion = FusionMethod::kDefault) {
  if (fusion == FusionMethod::kWeighted) return {0.5, 0.5};
  return embedder == kHashEmbedder ? FusionWeights{0.98, 0.02} : FusionWeights{};
}

// Which documents a question is about. Filters are exact and apply inside both retrievers.
struct Scope {
  std::string filter;  // a filter expression (docs/rql.md); empty: everything
  // An RFC 3339 time: only documents whose mtime is not later. Or the token of a commit, as
  // StoreSummary::snapshot tells it: the store as that left it, Expired when compaction has dropped
  // it. Empty: the present.
  std::string snapshot;
  // What relative dates in filters ("-7d", "today") count from; unset: the clock.
  std::optional<UnixNanos> as_of;
};

// How a question is ranked, whichever way it is asked.
struct RankingOptions {
  LexicalMode lexical_mode = LexicalMode::kQuery;
  std::optional<FusionWeights> weights;  // unset: DefaultWeights of the fusion and the embedder
  RankingChoice ranking;
  uint32_t threads = 1;      // the answer is the same for any number
  bool exact = false;        // semantic retriever: score every vector
  bool explain = false;      // fill the explanations of the answer and of its hits
  size_t snippet_bytes = 0;  // fill the snippets of hits with at most so many bytes; 0: do not
};

struct SearchRequest : RankingOptions {
  std::string text;
  std::optional<std::string> semantic_text;  // for the semantic retriever, where it differs
  Scope scope;
  size_t k = 8;
  size_t offset = 0;
  SearchMode mode = SearchMode::kHybrid;
  // A retriever only gets a thread of its own in a store of so many chunks or more.
  int64_t chunks_per_retriever = 65'536;
};

struct HitExplain {
  std::optional<double> lexical;   // BM25
  std::optional<double> semantic;  // cosine
  std::optional<double> ngrams;    // BM25 of character n-grams, among the best hundred
  // Places, from 1, in what each retriever proposed; unset when it did not propose the chunk. Facts
  // of the question and the store: which page shows the hit does not matter.
  std::optional<int64_t> lexical_rank;
  std::optional<int64_t> semantic_rank;
  // Its place, from 1, when the second stage began; unset when that did not rank it.
  std::optional<int64_t> first_stage_rank;
  bool feedback = false;  // it is one of those that the query's vector was moved towards
  ScoreParts parts;
  // What the stages asked for made of it, in their order; empty when they did not see it.
  std::vector<StageEffect> stages;
};

struct SearchHit {
  double score = 0;  // in [0, 1]; docs/RETRIEVAL.md says what it means
  DocView doc;
  ChunkView chunk;
  std::optional<Snippet> snippet;
  std::vector<StandsFor> stands_for;  // of the stage near-duplicates
  std::optional<HitExplain> explain;
};

struct StageTiming {
  std::string
      name;  // "open", "embed", "lexical", "semantic", "fuse", "rerank", "stages", "assemble"
  int64_t micros = 0;
};

// How a filter was carried out.
struct FilterExplain {
  std::string filter;  // canonical text
  struct Step {
    std::string predicate;
    std::string method;  // "index on tag", "scan of paths", ...
    int64_t matches = 0;
    int64_t micros = 0;
  };
  std::vector<Step> steps;
  int64_t matches = 0;  // chunks (documents) that satisfy the whole filter
};

struct SearchExplain {
  std::optional<FilterExplain> filter;
  std::string semantic_method;  // "sign codes", "exact", "none"
  int64_t lexical_candidates = 0;
  int64_t semantic_candidates = 0;
  int64_t combined_candidates = 0;
  FusionMethod fusion = FusionMethod::kDefault;
  FusionWeights weights;           // as they were used
  double calibration = 0;          // score = fused * calibration
  double semantic_confidence = 1;  // by which the semantic weight was multiplied
  int64_t feedback_chunks = 0;     // that moved the query's vector
  struct Term {
    std::string text;
    std::string occur;  // "should", "must", "must_not"
    int64_t matches = 0;
    double idf = 0;
  };
  std::vector<Term> terms;
  int64_t vectors_scanned = 0;
  int64_t vectors_reranked = 0;
  std::vector<StageSummary> stages;  // in the order applied
};

// What every answer to a question tells besides its rows.
struct AnswerFacts {
  int64_t total_hits = 0;  // rows of the whole result, whatever LIMIT and OFFSET are
  bool total_hits_is_lower_bound = false;
  std::optional<int64_t> next_offset;  // of the next page, when there is one
  std::string filter;                  // canonical text of the filter, "" when there is none
  std::optional<UnixNanos> as_of;      // set when the filter or a stage depends on it
  std::optional<SearchExplain> explain;
  std::vector<StageTiming> timings;
  std::vector<std::string> warnings;
  StoreSummary store;
};

struct SearchResponse : AnswerFacts {
  std::vector<SearchHit> hits;
};

// ---- Similar ----------------------------------------------------------------------------------

struct SimilarRequest {
  // As in GetRequest: a chunk, a document, or lines of one. It must be there at the scope's
  // snapshot, whether it satisfies the filter or not.
  std::string target;
  SearchRequest search;  // text and lexical_mode are ignored
};

// Chunks near a chunk or near lines; for a document, the documents near it, each once with its
// nearest chunk. A chunk or document is not near itself, nor are lines near the chunks they are
// from. A score of 1 is that of a text that is the same.
struct SimilarResponse : SearchResponse {
  DocView doc;
  ChunkView chunk;  // what was named, as in GetResponse
  bool whole_doc = false;
  std::string words;  // those that were looked for; "" when it has none that tell anything
};

// ---- Query ------------------------------------------------------------------------------------

// `ranking` must be unset where nothing is ranked, but for defaults. Snippets are cut where
// chunk.text is selected and rows are ranked.
struct QueryRequest : RankingOptions {
  std::string rql;
  std::string snapshot;  // as in Scope
  std::optional<UnixNanos> as_of;
  size_t default_limit = 1000;  // rows when the query has no LIMIT
};

// One column of SELECT, with `*` spelled out and repetitions left out.
struct QueryColumn {
  bool is_score = false;
  FieldRef field;    // unless is_score
  std::string name;  // "score", "doc.path", "doc.meta.author"

  bool operator==(const QueryColumn&) const = default;
};

struct QueryRow {
  double score = 0;                // 0 without USING
  DocView doc;                     // always whole; `columns` says what was asked for
  std::optional<ChunkView> chunk;  // FROM chunk; FROM doc USING: the document's best chunk
  std::optional<Snippet> snippet;
  std::optional<HitExplain> explain;
};

struct QueryResponse : AnswerFacts {
  std::string rql;  // canonical text
  bool from_docs = false;
  std::optional<SearchMode> mode;  // unset without USING
  std::string text;                // of USING: lexical, else semantic; "" without
  size_t limit = 0;
  size_t offset = 0;
  std::vector<QueryColumn> columns;
  std::vector<QueryRow> rows;
};

// ---- Context ----------------------------------------------------------------------------------

enum class ContextPieces {
  kPassages,  // sentences and lines of the best chunks, by what they say about the question
  kChunks,    // whole chunks by rank
};

// How the text handed out says where each piece is from.
enum class ContextForm {
  kText,      // a line before it
  kMarkdown,  // a heading before it, bytes and hash below that, the piece between fences
};

struct ContextRequest {
  SearchRequest search;  // k and offset are ignored: packing takes as many as fit
  int64_t budget_tokens = 1200;
  std::optional<int64_t> diversity;  // most pieces from one document
  ContextPieces pieces = ContextPieces::kPassages;
  ContextForm form = ContextForm::kText;
  bool citations = true;  // say where each piece is from
  // How many neighbours to either side are packed with what is packed, as far as they fit and
  // satisfy the filter: sentences or lines of passages, chunks. At most kMostNeighbours.
  int64_t expand = 0;
  // The path of the vocabulary whose tokens the budget counts (docs/cli.md, "Token counters");
  // empty: words between white space.
  std::string token_vocabulary;
};
inline constexpr int64_t kMostNeighbours = 16;

// One piece of context: a byte range of one document, of one or several chunks.
struct ContextPiece {
  ChunkView chunk;  // id of its best chunk; range, heading and text of the whole piece
  std::vector<std::string> chunk_ids;  // all chunks it holds bytes of, best first
  DocView doc;
  double score = 0;                   // of its best chunk
  bool truncated = false;             // cut amid what it is made of, to fit the budget
  std::optional<HitExplain> explain;  // of its best chunk
};

struct ContextResponse {
  std::string text;  // what to hand to a model: pieces and citations
  ContextForm form = ContextForm::kText;
  int64_t budget_tokens = 0;
  int64_t used_tokens = 0;                   // of all of `text`; never over the budget
  std::string token_counter = "whitespace";  // what counted, else the kind of vocabulary
  std::string vocabulary_hash;               // SHA-256 of its file; "" when there is none
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

}  // namespace recall
