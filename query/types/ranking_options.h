#pragma once

// What a ranking may be made of beside the defaults, and what is told of it. docs/RETRIEVAL.md has
// the formulas.

#include <cstdint>
#include <string>
#include <vector>

namespace recall {

// How the two retrievers of a hybrid search become one ranking.
enum class FusionMethod {
  kDefault,         // by shares of their maxima, then the second stage
  kWeighted,        // the weighted mean of BM25 / ceiling and cosine
  kReciprocalRank,  // the sum of 1 / (60 + rank)
};

// All unset: the defaults.
struct RankingChoice {
  FusionMethod fusion = FusionMethod::kDefault;
  // Stages applied one after the other to the best hundred, with their parameters:
  // "mmr,recency:half-life=30d". Empty: none.
  std::string stages;
  // Rules of the stage `keywords`: "WORDS => FILTER" or "WORDS => FILTER => WEIGHT", one a line.
  std::string keywords;
  // Results with a lower score are left out. From 0 to 1.
  double min_score = 0;
  // The question as a vector, of a store that is given its vectors; its length does not matter.
  // Empty: there is none, and only words rank.
  std::vector<float> embedding;

  bool operator==(const RankingChoice&) const = default;
};

// What one stage made of one hit.
struct StageEffect {
  std::string stage;
  int64_t was = 0;  // places from 1, before the stage and after it
  int64_t rank = 0;
  double score_before = 0;
  double score = 0;
  std::string note;  // why, in words: "30.0 days old"
};

// One stage as it was applied.
struct StageSummary {
  std::string stage;
  std::string parameters;  // all of them, as they may be written: "docs=5:terms=20:weight=0.3"
  int64_t ranked = 0;      // hits that it was given
  int64_t left_out = 0;    // chunks that it took out of the result
  std::string note;        // what it found in the question, "" when there is nothing to tell
};

// A chunk that a hit stands for, which is left out because it says the same.
struct StandsFor {
  std::string chunk_id;
  std::string path;
  uint32_t start_line = 0;
  uint32_t end_line = 0;
};

}  // namespace recall
