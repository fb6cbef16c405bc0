#pragma once

// What all requests that rank have in common: search, similar, query and context.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "index/search/filter/fields.h"
#include "query/types/ranking_choice.h"
#include "query/types/source_check.h"

namespace recall {

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
FusionWeights DefaultWeights(std::string_view embedder,
                             FusionMethod fusion = FusionMethod::kDefault);

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
  SourceCheck check = {};    // fill DocView::source_state of the results
  size_t snippet_bytes = 0;  // the maximum length of a snippet; 0: no snippets
  // Fill DocView::computed and ChunkView::parts with these.
  std::vector<FieldRef> computed_fields;
};

}  // namespace recall
