#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "query/retrieval/fused_ranking.h"
#include "query/retrieval/staged_ranking.h"

namespace recall {

// What is done to a fused ranking.
struct RankingCut {
  StageList stages;
  std::optional<uint32_t> without;  // a chunk that stages do not see; no member once they ran
  double min_score = 0;             // chunks with a lower score are no members
};

// The ranking of one question, with stages and minimum score: what answers and pages are made of.
// Immutable, so which places are asked for, and in which order, makes no difference.
class Ranking final {
 public:
  // All arguments but `cut` must outlive the result.
  static Result<Ranking> Make(FusedRanking fused, const QueryTools& tools,
                              const SearchRequest& request, const RankingCut& cut);

  // At least the first `count` places, exactly, and more where the last of them ties with the next.
  // By ComesBefore. Fewer only when the ranking has no more.
  Result<std::vector<ScoredChunk>> Best(size_t count) const;
  Result<Bitmap> Members() const;
  // The number of members. A lower bound when the semantic retriever may have more than it
  // proposes.
  int64_t total_hits() const { return total_hits_; }
  bool total_is_lower_bound() const { return total_is_lower_bound_; }
  // The lexical query as understood.
  const LexicalQuery& query() const { return fused_.plan->query; }
  // Chunks that a stage left out because this one says the same.
  std::vector<uint32_t> RepresentedBy(uint32_t chunk) const;
  // The time that a stage's answer depends on.
  std::optional<UnixNanos> as_of() const;
  const std::vector<std::string>& warnings() const { return fused_.plan->warnings; }
  // Of all steps, in their order.
  std::vector<StageTiming> timings() const;

  // The values that the ranking is made of, for explain.
  const FusedRanking& fused() const { return fused_; }
  const std::optional<StagedRanking>& staged() const { return staged_; }

 private:
  explicit Ranking(FusedRanking fused) : fused_(std::move(fused)) {}
  Result<std::vector<ScoredChunk>> BestOfAll(size_t count) const;

  FusedRanking fused_;
  std::optional<StagedRanking> staged_;  // none: no stages
  std::optional<std::vector<ScoredChunk>>
      kept_;  // all that reach the minimum score, if there is one
  int64_t total_hits_ = 0;
  bool total_is_lower_bound_ = false;
  std::vector<StageTiming> stage_timings_;
};

// Ranks a request, with its stages and its minimum score. Arguments as in MakeFusedRanking.
Result<Ranking> Rank(const Snapshot& snapshot, const QueryTools& tools,
                     const SearchRequest& request, const Bitmap* allowed);

// InvalidArgument unless the minimum score of the request lies between 0 and 1.
Status CheckMinScore(const SearchRequest& request);

}  // namespace recall
