#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "query/ask/retrieval/fused_ranking.h"
#include "query/ask/stages/stage_list.h"

namespace recall {

// How a fused ranking is changed and cut.
struct RankingCut {
  StageList stages;
  std::optional<uint32_t> without;  // hidden from the stages, then removed
  double min_score = 0;             // chunks with a lower score are not members
};

// The best hits of a ranking, a hundred or as many as a stage asks for, after the stages of a
// request.
struct StagedRanking {
  StageList::Outcome outcome;
  size_t taken = 0;         // number of leading places of the fused ranking that `outcome` replaces
  double below_factor = 1;  // multiplies the scores of the chunks that follow

  // A chunk of the fused ranking that follows these places, with its score scaled below them.
  ScoredChunk Below(ScoredChunk scored) const;
};

// Applies the stages to the best hits. Scores below the minimum score are exact only if a later
// stage needs them. Returns: nothing if there are no stages. Errors: those of the stages.
Result<std::optional<StagedRanking>> ApplyStages(const FusedRanking& fused,
                                                 const QueryDependencies& deps,
                                                 const SearchRequest& request,
                                                 const RankingCut& cut);

// The first places of the ranking with the stages applied; `count` as in FusedRanking::Best.
Result<std::vector<ScoredChunk>> BestStaged(const FusedRanking& fused, const StagedRanking& staged,
                                            size_t count);
// All places of it with at least this score, which is above 0.
Result<std::vector<ScoredChunk>> StagedDownTo(const FusedRanking& fused,
                                              const StagedRanking& staged, double least);

}  // namespace recall
