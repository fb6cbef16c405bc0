#pragma once

// Requests and responses of `context`: passages within a budget of tokens.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/types/explanations.h"
#include "query/types/row_views.h"
#include "query/types/search_types.h"

namespace recall {

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
  // file of this path (docs/cli/context.md, "Token counters").
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
  // Where it is in the file that its text was extracted from, for people; "" if it was not.
  std::string place = {};
  // Of a note that is no longer valid: "obsolete" or "expired"; else "".
  std::string note_state = {};
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

}  // namespace recall
