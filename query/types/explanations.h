#pragma once

// How an answer and its hits came about, for requests that ask for it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/types/part_evidence.h"
#include "query/types/ranking_choice.h"
#include "query/types/ranking_options.h"
#include "query/types/score_parts.h"

namespace recall {

// A cue of a hit (docs/RETRIEVAL.md, "Cues").
struct CueEffect {
  std::string cue;        // "definition", "filename", "imports", or a role of the file: "tests"
  std::string note;       // the name that is defined, the heading or the path
  double definition = 0;  // what it adds to the share of the best score
  double factor = 1;      // by which it multiplies the score
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
  std::vector<CueEffect> cues;
  // The effect of all cues together; unset without cues. Its `was` is 0 for a definition that was
  // behind the places that cues look at.
  std::optional<StageEffect> cued;
  // The effects of the requested stages, in order; empty if the chunk was not among their input.
  std::vector<StageEffect> stages;
};

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
    struct Related {
      std::string word;
      double similarity = 0;
      int64_t matches = 0;
    };
    std::vector<Related> related = {};  // words that mean nearly the same, the nearest first
  };
  std::vector<Term> terms;
  int64_t vectors_scanned = 0;
  int64_t vectors_reranked = 0;
  std::vector<StageSummary> stages;  // in order of application
  int64_t below_floor = 0;           // chunks that were left out because of the minimum score
};

}  // namespace recall
