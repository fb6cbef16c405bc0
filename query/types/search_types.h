#pragma once

// Requests and responses of searches. query/database.h contains the functions.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/embed/embedder/embedder.h"
#include "index/search/filter/fields.h"
#include "index/source/secrets/redactor.h"
#include "index/source/session/agent_session.h"
#include "query/types/extract_settings.h"
#include "query/types/part_evidence.h"
#include "query/types/ranking_options.h"
#include "query/types/score_parts.h"
#include "storage/base/clock.h"

namespace recall {

// ---- Chunks and documents in answers ------------------------------------------------------------

// The value of a computed field (docs/rql.md, "Computed fields").
struct ComputedValue {
  FieldRef field;
  std::string json;  // a number, a text, an array of paths or null
};

struct DocView {
  std::string id;  // 64 hexadecimal digits
  std::string path;
  std::string mtime;  // RFC 3339; "" if unknown
  std::string hash;   // SHA-256 of the text
  std::optional<std::string> tag;
  std::optional<std::string> source;
  std::optional<std::string> meta_json;
  std::string parser;
  int64_t size = 0;
  int64_t tokens = 0;
  int64_t chunks = 0;
  std::string origin;                        // "file", "line", "member" or "import"
  std::vector<ComputedValue> computed = {};  // those that were asked for
};

// Where in its original file a text is from (docs/formats.md).
struct LocatorView {
  std::string kind;  // "page", "sheet", ...
  std::string from;  // as in `get path@FROM`: "p12", "Costs!B4:F9"
  std::string to;
  std::string text;  // for people: "pp. 12-13"
};

struct ChunkView {
  std::string id;
  std::string doc_id;
  uint64_t offset = 0;  // index of its first white-space token in the document
  uint64_t tokens = 0;
  uint64_t start_byte = 0;
  uint64_t end_byte = 0;
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  std::string heading;
  std::string text;  // the bytes start_byte..end_byte of the document
  // SHA-256 of the whole lines start_line..end_line, without the newline that ends them, as exact
  // citations have it; "" unless citations were requested.
  std::string lines_hash = {};
  std::optional<LocatorView> locator = {};  // of a text that was extracted from another format
  // Values of fields that may be several (docs/rql.md, "Definitions and places"): those that were
  // asked for.
  std::vector<ComputedValue> parts = {};
};

// The bytes start .. end-1.
struct ByteRange {
  uint64_t start = 0;
  uint64_t end = 0;

  bool operator==(const ByteRange&) const = default;
};

// The part of a chunk that best shows why the chunk matches.
struct Snippet {
  std::string text;  // the bytes start_byte..end_byte of the document; whole characters
  uint64_t start_byte = 0;
  uint64_t end_byte = 0;
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  std::vector<ByteRange> highlights;  // matches of the query in `text`: ascending, disjoint
};

// Facts about the store in the commit that was searched.
struct StoreSummary {
  int64_t docs = 0;
  int64_t chunks = 0;
  int64_t tokens = 0;
  int64_t bytes = 0;
  int64_t db_size_bytes = 0;
  std::string snapshot;  // token that identifies this store and commit
};

// ---- Search -----------------------------------------------------------------------------------

enum class SearchMode { kHybrid, kLexical, kSemantic };

enum class LexicalMode {
  kQuery,    // terms, "phrases", +must, -not, prefix*, OR
  kLiteral,  // no operators: all characters are text
};

// The weights of the retrievers in a hybrid score; only their ratio matters.
struct FusionWeights {
  double lexical = 0.8;
  double semantic = 0.2;
};

// The weights that ranked best for an embedder in measurements (docs/RETRIEVAL.md). Vectors of the
// hash embedder add little to lexical search. Weighted fusion has the weights of recall 0.1.
inline FusionWeights DefaultWeights(std::string_view embedder,
                                    FusionMethod fusion = FusionMethod::kDefault) {
  if (fusion == FusionMethod::kWeighted) return {0.5, 0.5};
  return embedder == kHashEmbedder ? FusionWeights{0.98, 0.02} : FusionWeights{};
}

// The documents that a query applies to. Filters are exact and apply inside both retrievers.
struct Scope {
  std::string filter;  // a filter expression (docs/rql.md); empty: all documents
  // An RFC 3339 time: only documents with an mtime up to it. Or the token of a commit from
  // StoreSummary::snapshot: the store in the state of this commit; Expired if compaction has
  // deleted it. Empty: the newest commit.
  std::string snapshot;
  // Reference time for relative dates in filters ("-7d", "today"); unset: the current time.
  std::optional<UnixNanos> as_of;
};

// A word of a query that no chunk contains, and the words that were searched for instead.
struct WordExpansion {
  std::string word;                // folded
  std::vector<std::string> terms;  // as a chunk contains them, folded; the most similar first

  bool operator==(const WordExpansion&) const = default;
};

// The options of ranking that search, similar, query and context share.
struct RankingOptions {
  LexicalMode lexical_mode = LexicalMode::kQuery;
  std::optional<FusionWeights> weights;  // unset: DefaultWeights of the fusion and the embedder
  RankingChoice ranking;
  uint32_t threads = 1;      // the answer is the same for any number
  bool exact = false;        // semantic retriever: score every vector
  bool explain = false;      // fill the explanations of the answer and of its hits
  bool expand_words = true;  // search for similar words instead of words that no chunk contains
  bool cite = false;         // fill ChunkView::lines_hash
  bool evidence = false;     // fill SearchHit::found_by and matched_terms
  size_t snippet_bytes = 0;  // the maximum length of a snippet; 0: no snippets
  // Fill DocView::computed and ChunkView::parts with these.
  std::vector<FieldRef> computed_fields;
};

// What becomes of chunks that have the same text as a better one, to the byte.
enum class IdenticalChunks {
  kFold,  // one result, which says how many others there are
  kList,  // one result, which lists the others
  kKeep,  // a result each
};

struct SearchRequest : RankingOptions {
  std::string text;
  std::optional<std::string> semantic_text;  // the text for the semantic retriever, if different
  Scope scope;
  size_t k = 8;
  size_t offset = 0;
  IdenticalChunks identical = IdenticalChunks::kFold;
  SearchMode mode = SearchMode::kHybrid;
  // Instead of ranking by a text: the newest documents that satisfy the filter, each with its first
  // chunk that does and the score 0. Text and ranking are ignored.
  bool newest = false;
  // A retriever gets a thread of its own only in a store of at least this number of chunks.
  int64_t chunks_per_retriever = 65'536;
};

struct HitExplain {
  std::optional<double> lexical;   // BM25
  std::optional<double> semantic;  // cosine
  std::optional<double> ngrams;    // BM25 of character n-grams; unset if not reranked
  // What words of the document's path add to `lexical`; unset if they add nothing.
  std::optional<double> path;
  // The parts of `lexical` that words in each field of a note and in other text ("body") add, as
  // far as they add anything; empty without field weights.
  std::vector<std::pair<std::string_view, double>> fields;
  // Ranks, from 1, among the candidates of each retriever; unset if the retriever did not propose
  // the chunk. They do not depend on the requested page.
  std::optional<int64_t> lexical_rank;
  std::optional<int64_t> semantic_rank;
  // The rank before reranking, from 1; unset if the chunk was not reranked.
  std::optional<int64_t> first_stage_rank;
  bool feedback = false;  // the query vector was moved towards this chunk (relevance feedback)
  ScoreParts parts;
  std::optional<PartEvidence> evidence;  // set by the fusion `parts`
  // The effects of the requested stages, in order; empty if the chunk was not among their input.
  std::vector<StageEffect> stages;
};

struct SearchHit {
  double score = 0;  // in [0, 1]; see docs/RETRIEVAL.md
  DocView doc;
  ChunkView chunk;
  std::optional<Snippet> snippet;
  // The number of further chunks with the same text among the results read, at least the first
  // hundred.
  int64_t identical = 0;
  std::vector<StandsFor> identical_chunks;  // these chunks, best first; set by kList
  std::vector<StandsFor> stands_for;        // set by the stage near-duplicates
  std::optional<HitExplain> explain;
  // Set if the request asks for evidence: the retrievers that propose the chunk, and the terms of
  // the query that its text has, in the order of the query.
  SearchMode found_by = SearchMode::kHybrid;
  std::vector<std::string> matched_terms;
};

struct StageTiming {
  std::string
      name;  // "open", "embed", "lexical", "semantic", "fuse", "rerank", "stages", "assemble"
  int64_t micros = 0;
};

// The stages of answering a question that a listener is told of. The names are a contract.
inline constexpr std::string_view kParseStage = "query.parse";
inline constexpr std::string_view kLexicalStage = "bm25.search";
inline constexpr std::string_view kSemanticStage = "vector.search";
inline constexpr std::string_view kFusionStage = "rrf.fuse";
inline constexpr std::string_view kHopsEvent = "hops.expand";          // the stage `hops`
inline constexpr std::string_view kStalenessEvent = "staleness.rank";  // the stage `freshness`

// A stage begins or ends. Stages that run at the same time overlap; a stage runs again if a search
// widens its question.
struct StageEvent {
  std::string_view stage;
  bool ended = false;
  int64_t micros = 0;  // since it began; 0 for the beginning
  int64_t count = 0;   // of terms, matches, vectors or hits that it found; 0 for the beginning
};

// Called on the thread that asks. Must be quick, and must not use the database.
using StageListener = std::function<void(const StageEvent&)>;

// How a filter was executed.
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
  std::string semantic_method;  // "signatures", "exact", "none"
  int64_t lexical_candidates = 0;
  int64_t semantic_candidates = 0;
  int64_t combined_candidates = 0;
  // Documents whose triggers fit the question; set by the fusion `parts`.
  std::optional<int64_t> trigger_candidates;
  FusionMethod fusion = FusionMethod::kDefault;
  PartWeights parts;               // of the fusion `parts`
  FusionWeights weights;           // the weights that were used
  double calibration = 0;          // score = sum of the parts * calibration, at most 1
  double semantic_confidence = 1;  // the factor by which the semantic weight was multiplied
  int64_t feedback_chunks = 0;     // number of chunks used for relevance feedback
  struct Term {
    std::string text;
    std::string occur;  // "should", "must", "must_not"
    int64_t matches = 0;
    double idf = 0;
  };
  std::vector<Term> terms;
  int64_t vectors_scanned = 0;
  int64_t vectors_reranked = 0;
  std::vector<StageSummary> stages;  // in order of application
  int64_t below_floor = 0;           // chunks that were left out because of the minimum score
};

// A document that a link of a hit leads to, and that is no hit of the answer itself.
struct RelatedDoc {
  double score = 0;  // that of the hit, times the decay of the stage and the weight of the link
  DocView doc;
  std::string via;       // the path of the hit's document
  std::string relation;  // of the link
  double weight = 1;
};

// What was missing in the store, and was made before it answered.
struct RebuiltParts {
  int64_t vectors = 0;  // of chunks
  bool model = false;   // the model of the LSA embedder, and the vectors with it
};

// The part of an answer that all queries share: everything but the rows.
struct AnswerFacts {
  int64_t total_hits = 0;  // rows of the whole result, regardless of LIMIT and OFFSET
  bool total_hits_is_lower_bound = false;
  std::optional<int64_t> next_offset;              // offset of the next page, if there is one
  std::string filter;                              // canonical text of the filter; "" without one
  std::optional<UnixNanos> as_of;                  // set if the answer depends on it
  std::vector<WordExpansion> expansions;           // of words of the query that no chunk contains
  std::optional<std::vector<RelatedDoc>> related;  // set by the stage `hops`, best first
  std::optional<SearchExplain> explain;
  std::optional<RebuiltParts> rebuilt;
  // The number of chunks without the vector that the ranking needs; then words alone rank.
  int64_t chunks_without_vector = 0;
  std::vector<StageTiming> timings;
  std::vector<std::string> warnings;
  StoreSummary store;
};

struct SearchResponse : AnswerFacts {
  std::vector<SearchHit> hits;
};

// ---- Similar ----------------------------------------------------------------------------------

struct SimilarRequest {
  // As in GetRequest: a chunk, a document, or lines of a document. It must exist in the snapshot of
  // the scope, but need not satisfy the filter.
  std::string target;
  SearchRequest search;  // text and lexical_mode are ignored
};

// The chunks similar to a chunk or to lines; for a document, the similar documents, each once with
// its most similar chunk. The target itself is excluded, for lines the chunks that contain them. An
// equal text has the score 1.
struct SimilarResponse : SearchResponse {
  DocView doc;
  ChunkView chunk;  // the target; contents as in GetResponse
  bool whole_doc = false;
  std::string words;  // the salient terms of the synthesised query; "" if there are none
};

// ---- Query ------------------------------------------------------------------------------------

// A query without USING ranks nothing: stages, minimum score and embedding of `ranking` must then
// be unset. Snippets are cut if the rows are ranked and chunk.text is selected.
struct QueryRequest : RankingOptions {
  std::string rql;
  std::string snapshot;  // as in Scope
  std::optional<UnixNanos> as_of;
  size_t default_limit = 1000;  // rows when the query has no LIMIT
  bool with_text = false;       // read the texts of chunks even if chunk.text is not selected
};

// One column of SELECT, after `*` is expanded and repetitions are removed.
struct QueryColumn {
  bool is_score = false;
  FieldRef field;    // unless is_score
  std::string name;  // "score", "doc.path", "doc.meta.author"

  bool operator==(const QueryColumn&) const = default;
};

struct QueryRow {
  double score = 0;                // 0 without USING
  DocView doc;                     // always complete; `columns` contains the selected fields
  std::optional<ChunkView> chunk;  // set for FROM chunk; for FROM doc USING, the best chunk
  std::optional<Snippet> snippet;
  std::optional<HitExplain> explain;
};

struct QueryResponse : AnswerFacts {
  std::string rql;  // canonical text
  bool from_docs = false;
  std::optional<SearchMode> mode;  // unset without USING
  std::string text;                // the text of USING: lexical, else semantic; "" without USING
  size_t limit = 0;
  size_t offset = 0;
  std::vector<QueryColumn> columns;
  std::vector<QueryRow> rows;
};

// ---- List -------------------------------------------------------------------------------------

struct ListRequest {
  // Documents, directories and archives, relative to the working directory or to the store, and
  // patterns: with one of *?[{ in them. A pattern without '/' matches names at any depth. Empty:
  // all documents.
  std::vector<std::string> paths;
  Scope scope;
  std::optional<size_t> limit;  // unset: all
  size_t offset = 0;
};

// ---- Symbols ----------------------------------------------------------------------------------

struct SymbolsRequest {
  // The name of definitions of source code, or a pattern with * (any characters) and ? (any one).
  // A qualified name, "Store::Commit", "Store.Commit" or "Store > Commit", names a definition in a
  // scope that ends with these names; each may be a pattern.
  std::string name;
  std::optional<std::string> kind = {};  // SymbolKindName; unset: any
  Scope scope = {};
  std::optional<size_t> limit = {};  // unset: all
  size_t offset = 0;
};

// A definition, in the chunk that it begins in.
struct SymbolRow {
  DocView doc;
  std::string chunk_id;
  std::string name;
  std::string kind;
  std::string scope;  // "db > Store"; "" if there is none
  uint32_t start_line = 0;
  uint32_t end_line = 0;
};

struct SymbolsResponse : AnswerFacts {
  // Those with exactly the name first; then by path, line and scope.
  std::vector<SymbolRow> rows;
};

// ---- Context ----------------------------------------------------------------------------------

enum class ContextPieces {
  kPassages,  // the most relevant sentences and lines of the best chunks
  kChunks,    // whole chunks in ranking order
};

// The format of citations in the text.
enum class ContextForm {
  kText,      // a line before each piece
  kMarkdown,  // a heading, a line with bytes and hash, and the piece between fences
};

// More chunks than these would not fit into the context of a model.
inline constexpr size_t kContextChunks = 200;

// The counters of budgets that need no file.
inline constexpr std::string_view kEstimateCounter = "estimate";  // EstimateTokens
inline constexpr std::string_view kWordsCounter = "words";        // separated by white space

struct ContextRequest {
  SearchRequest search;                 // k and offset are ignored
  size_t most_chunks = kContextChunks;  // of these best chunks as many are packed as fit
  int64_t budget_tokens = 1200;
  std::optional<int64_t> diversity;  // maximum number of pieces of one document
  ContextPieces pieces = ContextPieces::kPassages;
  ContextForm form = ContextForm::kText;
  bool citations = true;  // print the source of each piece
  // The number of neighbours (sentences and lines, or chunks) packed on either side of each
  // selected one, as far as they fit and satisfy the filter. At most kMostNeighbours.
  int64_t expand = 0;
  // What the budget counts: kEstimateCounter, kWordsCounter, or the tokens of the vocabulary in the
  // file of this path (docs/cli.md, "Token counters").
  std::string token_counter = std::string(kEstimateCounter);
};
inline constexpr int64_t kMostNeighbours = 16;

// One piece of context: a byte range of one document, from one or more chunks.
struct ContextPiece {
  ChunkView chunk;  // the id of its best chunk; range, heading and text of the whole piece
  std::vector<std::string> chunk_ids;  // all chunks that it contains bytes of, best first
  DocView doc;
  double score = 0;                   // the score of its best chunk
  ByteRange in_text;                  // its bytes in ContextResponse::text
  bool truncated = false;             // cut to fit the budget
  std::optional<HitExplain> explain;  // the explanation of its best chunk
  // Where it begins in the file that its text was extracted from, for people; "" if it was not.
  std::string place = {};
};

struct ContextResponse {
  std::string text;  // the text for the model: pieces and citations
  ContextForm form = ContextForm::kText;
  int64_t budget_tokens = 0;
  int64_t used_tokens = 0;      // tokens of all of `text`; at most the budget
  std::string token_counter;    // TokenCounter::name()
  std::string vocabulary_hash;  // SHA-256 of its file; "" without a vocabulary
  std::vector<ContextPiece> pieces;
  SearchResponse search;  // without hits
};

// ---- Get --------------------------------------------------------------------------------------

struct GetRequest {
  // A path, lines or an exact citation as by ReadingsOf (query/ask/answer/text_reference.h); or the
  // id of a document or chunk: at least 12 digits of it, or "id:" and at least 4.
  std::string target;
  bool verify = false;                         // compare with the source file
  SecretSettings secret_settings = {};         // for texts that `add --secrets redact` stored
  bool cite = false;                           // fill ChunkView::lines_hash
  std::string snapshot = {};                   // the token of the commit to read; "": the newest
  std::vector<FieldRef> computed_fields = {};  // fill DocView::computed with these, as of now
  // Turns of a session: of those that one of the two said, if `role` is set, so many from `offset`
  // on. The target must be a session.
  struct Turns {
    int64_t offset = 0;
    int64_t count = 0;
    std::optional<TurnRole> role = {};
  };
  std::optional<Turns> turns = {};
  bool transcript = false;  // of a session: the transcript that it was captured from
  bool original = false;    // the bytes of the source file
  // With `verify`: extracts the text of a file again that is another one than before.
  ExtractSettings extract = {};
};

// The turns of a session that a request asks for.
struct TurnsView {
  int64_t total = 0;  // of the role that was asked for
  int64_t offset = 0;
  int64_t limit = 0;
  bool has_more = false;
  std::vector<std::pair<uint32_t, Turn>> turns;  // with their numbers
  std::vector<ToolCall> tool_calls;              // that belong to these turns
};

enum class VerifyOutcome {
  kNotAsked,
  kSame,
  kSameText,  // the file of another format has changed, but its text is the same
  kChanged,
  kMissing,
  kNoFile,  // there is no file, and the document did not come from one
};

// What became of the text of an exact citation.
enum class CitationOutcome {
  kNone,      // the target is not an exact citation
  kSame,      // the text is where the citation says
  kMoved,     // it is elsewhere now
  kReplaced,  // the document has another version, or none; the text is that of an older version
};

struct GetResponse {
  DocView doc;
  // The requested range; id is empty unless the target is a chunk.
  ChunkView chunk;
  bool whole_doc = false;                           // the range is the whole document
  VerifyOutcome verify = VerifyOutcome::kNotAsked;  // of the source file and the live document
  CitationOutcome citation = CitationOutcome::kNone;
  // The exact citation of the place where the cited text is now; "" if it has not moved, or is in
  // no live document.
  std::string now;
  std::optional<TurnsView> turns = {};
  std::optional<std::string> transcript = {};  // as bytes, lines of JSON for most agents
  std::optional<std::string> original = {};    // the bytes of the source file
};

}  // namespace recall
