#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "query/ask/retrieval/fused_ranking.h"
#include "query/ask/retrieval/staged_ranking.h"

namespace recall {

// The ranking of one query with stages and minimum score, from which answers read their pages.
// Immutable: which places are read, and in which order, changes nothing.
class Ranking final {
 public:
  // All arguments but `cut` must outlive the result.
  static Result<Ranking> Make(FusedRanking fused, const QueryDependencies& deps,
                              const SearchRequest& request, const RankingCut& cut);

  // As FusedRanking::Best.
  Result<std::vector<ScoredChunk>> Best(size_t count) const;
  Result<Bitmap> Members() const;
  Result<bool> IsMember(uint32_t chunk) const;
  // The number of members. It is a lower bound if the semantic retriever was cut off and a chunk
  // beyond the cut could be a member.
  int64_t total_hits() const { return total_hits_; }
  bool total_is_lower_bound() const { return total_is_lower_bound_; }
  // The number of chunks that are no members because of the minimum score.
  int64_t below_floor() const { return below_floor_; }
  // As PartsRanking::without_vector.
  int64_t chunks_without_vector() const { return fused_.parts ? fused_.parts->without_vector : 0; }
  // The parsed lexical query.
  const LexicalQuery& query() const { return fused_.plan->query; }
  // The chunks that a stage omitted as near-duplicates of this one.
  std::vector<uint32_t> RepresentedBy(uint32_t chunk) const;
  // The reference time, set if a stage depends on it.
  std::optional<UnixNanos> as_of() const;
  const std::vector<std::string>& warnings() const { return fused_.plan->warnings; }
  // The neighbours of hits; unset without the stage `hops`.
  const std::optional<std::vector<RelatedRow>>& related() const { return related_; }
  // The times of all steps, in order.
  std::vector<StageTiming> timings() const;

  // The values that the ranking was computed from, for explanations.
  const FusedRanking& fused() const { return fused_; }
  const std::optional<StagedRanking>& staged() const { return staged_; }

 private:
  explicit Ranking(FusedRanking fused) : fused_(std::move(fused)) {}
  Result<std::vector<ScoredChunk>> BestOfAll(size_t count) const;

  FusedRanking fused_;
  std::optional<StagedRanking> staged_;  // unset without stages
  std::optional<std::vector<ScoredChunk>>
      kept_;  // the whole ranking down to the minimum score, if there is one
  std::optional<std::vector<RelatedRow>> related_;
  int64_t total_hits_ = 0;
  bool total_is_lower_bound_ = false;
  int64_t below_floor_ = 0;
  std::vector<StageTiming> stage_timings_;
};

// Ranks the chunks for a request. Arguments as in MakeFusedRanking. Errors: InvalidArgument for
// invalid stages or an invalid minimum score; those of MakeFusedRanking.
Result<Ranking> Rank(const Snapshot& snapshot, const QueryDependencies& deps,
                     const SearchRequest& request, const Bitmap* allowed);

// InvalidArgument unless 0 <= min_score <= 1.
Status CheckMinScore(const SearchRequest& request);

}  // namespace recall
