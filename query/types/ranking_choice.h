#pragma once

// How results are ranked, and the explanations of stages. docs/RETRIEVAL.md contains the formulas.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "query/types/part_evidence.h"

namespace recall {

// How the rankings of the two retrievers of a hybrid search are fused.
enum class FusionMethod {
  kDefault,           // each score as a share of its maximum; then reranking
  kWeighted,          // the weighted mean of BM25 / upper bound and cosine
  kReciprocalRank,    // the sum of 1 / (60 + rank)
  kWithoutReranking,  // as kDefault, without reranking
  kParts,             // the weighted mean of words, meaning and triggers; also without vectors
  kGrouped,           // documents, by the words of their best chunks and by their own vectors
};

// How results are ranked. The default is an object with all fields unset.
struct RankingChoice {
  FusionMethod fusion = FusionMethod::kDefault;
  PartWeights parts;  // of kParts and kGrouped
  // Stages with their parameters, applied one after the other to the best hundred results:
  // "mmr,recency:half-life=30d". Empty: none.
  std::string stages;
  // Rules of the stage `keywords`, one per line: "WORDS => FILTER" or "WORDS => FILTER => WEIGHT".
  std::string keywords;
  // Groups of synonyms, one per line: "car, automobile", or "pto => paid time off" (AddSynonyms).
  std::string synonyms;
  // How much words count by the field of a note they are in: "trigger=5:title=4:body=1"
  // (ParseFieldWeights). Empty: every occurrence counts once.
  std::string field_weights;
  // How much definitions, imports and roles of files count: "tests=0.5:definition=0"
  // (ParseCueWeights). Empty: the defaults.
  std::string cues;
  // Results with a lower score are omitted. From 0 to 1.
  double min_score = 0;
  // With kReciprocalRank: documents are ranked, each by its best chunk, and only this many first
  // ones of each retriever count. 0: all chunks are ranked.
  size_t leg_depth = 0;
  // The query vector, for a store with user-supplied embeddings. It has the dimensions of the
  // store's vectors; its length does not matter. Empty: only the lexical retriever ranks.
  std::vector<float> embedding;

  bool operator==(const RankingChoice&) const = default;
};

// Whether a method ranks everything itself, by weighted parts, with or without vectors.
inline bool FusesParts(FusionMethod method) {
  return method == FusionMethod::kParts || method == FusionMethod::kGrouped;
}

// The effect of one stage on one hit.
struct StageEffect {
  std::string stage;
  int64_t was = 0;  // rank before the stage, from 1; `rank` is the rank after it
  int64_t rank = 0;
  double score_before = 0;
  double score = 0;
  std::string note;  // the reason in words: "30.0 days old"
};

// One applied stage.
struct StageSummary {
  std::string stage;
  std::string
      parameters;        // all parameters, in the syntax of --stages: "docs=5:terms=20:weight=0.3"
  int64_t ranked = 0;    // number of hits it was applied to
  int64_t left_out = 0;  // number of chunks it removed from the result
  std::string note;      // its explanation about the query; may be empty
};

// A chunk that was omitted as a near-duplicate of a hit.
struct StandsFor {
  std::string chunk_id;
  std::string path;
  uint32_t start_line = 0;
  uint32_t end_line = 0;
};

}  // namespace recall
