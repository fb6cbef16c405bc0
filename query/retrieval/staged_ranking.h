#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "query/retrieval/fused_ranking.h"
#include "query/stages/stage_list.h"

namespace recall {

// What the stages of a request made of the best hundred of a ranking.
struct StagedRanking {
  StageList::Outcome outcome;
  size_t taken = 0;         // places of the fused ranking that `outcome` replaces
  double below_factor = 1;  // of the scores of what follows

  // A chunk of the fused ranking behind these places, with the score that it gets there.
  ScoredChunk Below(ScoredChunk scored) const;
};

// Applies the stages to the best hundred without the chunk `without`, which is no member from then
// on. None when there are no stages.
Result<std::optional<StagedRanking>> ApplyStages(const FusedRanking& fused, const QueryTools& tools,
                                                 const SearchRequest& request,
                                                 const StageList& stages,
                                                 std::optional<uint32_t> without);

// The ranking with the stages applied, as FusedRanking::Best.
Result<std::vector<ScoredChunk>> BestStaged(const FusedRanking& fused, const StagedRanking& staged,
                                            size_t count);

}  // namespace recall
