#pragma once

// Requests and responses of `search` and `similar`. query/database/database.h contains the
// functions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/types/answer_facts.h"
#include "query/types/document_scope.h"
#include "query/types/explanations.h"
#include "query/types/ranking_choice.h"
#include "query/types/ranking_options.h"
#include "query/types/row_views.h"
#include "query/types/tool_use_types.h"

namespace recall {

// What becomes of chunks that have the same text as a better one, to the byte; where each result
// stands for a document, of sessions that are copies of a better one.
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
  // Whether one result stands for all places of a file of source code. Without it, and with
  // identical = kKeep, each place is a result.
  bool fold_places = true;
  SearchMode mode = SearchMode::kHybrid;
  ToolUseConditions tool_uses;
  // Instead of ranking by a text: the newest documents that satisfy the filter, each with its first
  // chunk that does and the score 0. Text and ranking are ignored.
  bool newest = false;
  // The answer is made of several places of a file, as a context is: the cue `support`, which is
  // for answers that show a file once, is 0 unless `cues` names it.
  bool of_places = false;
  // A retriever gets a thread of its own only in a store of at least this number of chunks.
  int64_t chunks_per_retriever = 65'536;
};

inline constexpr size_t kMostReplyBytes = 240;

struct SearchHit {
  double score = 0;  // in [0, 1]; see docs/RETRIEVAL.md
  DocView doc;
  ChunkView chunk;
  std::optional<Snippet> snippet;
  // Of a question in a session, in an answer with snippets: the beginning of what the assistant
  // said next, at most kMostReplyBytes.
  std::optional<TurnReply> reply;
  // Of a session, if the request has conditions on uses of tools: the first that satisfy them.
  std::vector<CommandRun> ran;
  std::vector<ToolOutput> outputs;
  // The number of further chunks with the same text among the results read, at least the first
  // hundred.
  int64_t identical = 0;
  std::vector<StandsFor> identical_chunks;  // these chunks, best first; set by kList
  // Whether `identical` counts sessions with the same turns, and the path of the longest of them if
  // it has more turns than this one; else "".
  bool identical_sessions = false;
  std::string continued_by;
  // The number of further chunks of the same file of code among the results read, and the best of
  // them, at most five.
  int64_t more_places = 0;
  std::vector<StandsFor> best_places;
  std::vector<StandsFor> stands_for;  // set by the stage near-duplicates
  std::optional<HitExplain> explain;
  // Set if the request asks for evidence: the retrievers that propose the chunk, and the terms of
  // the query that its text has, in the order of the query.
  SearchMode found_by = SearchMode::kHybrid;
  std::vector<std::string> matched_terms;
};

struct SearchResponse : AnswerFacts {
  std::vector<SearchHit> hits;
};

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

}  // namespace recall
