// The last step of a search: stages, minimum score, totals.
//
// Problem. The total must be true for every page, but ranking everything to count it is too slow.
//
// Idea. Without a minimum score nothing is ranked before a page is requested: the total follows
// from the counts of the retrievers, the chunks that joined the window and the chunks that stages
// removed. With a minimum score the ranking becomes a list. Scores never increase along the
// ranking, so the list ends in the window or in what stages ordered, or else the first stage ranks
// down to the score that leads to the minimum. The total is then the length of the list.
//
// Invariants. The total is a lower bound only if the semantic list was cut off and, with a minimum
// score, if the best chunk beyond the cut could still reach the minimum. A Ranking is immutable:
// Best(count) returns the same places whatever was requested before.
//
// Cost: O(members) for the set operations after stages; with a minimum score, that of ranking all
// chunks that reach it.

#include "query/ask/retrieval/ranking.h"

#include <algorithm>
#include <utility>

#include "query/types/stage_clock.h"

namespace recall {
Status CheckMinScore(const SearchRequest& request) {
  const double least = request.ranking.min_score;
  if (least >= 0 && least <= 1) return Status::Ok();
  return Status::InvalidArgument("the minimum score must be a number from 0 to 1",
                                 "scores are between 0 and 1; 0 omits nothing");
}

Result<Ranking> Ranking::Make(FusedRanking fused, const QueryDependencies& deps,
                              const SearchRequest& request, const RankingCut& cut) {
  Ranking ranking(std::move(fused));
  const FusedRanking& all = ranking.fused_;
  ranking.total_hits_ = all.member_count();
  ranking.total_is_lower_bound_ = all.hits.semantic_cut;
  StageClock clock;
  RECALL_ASSIGN(ranking.staged_, ApplyStages(all, deps, request, cut));
  if (ranking.staged_) {
    // Most stages leave out nothing, and the members of a frequent word are many.
    if (const Bitmap& left_out = ranking.staged_->outcome.left_out; !left_out.Empty()) {
      RECALL_ASSIGN(const Bitmap members, all.Members());
      ranking.total_hits_ -= static_cast<int64_t>(left_out.And(members).Count());
    }
    if (ranking.staged_->outcome.most_related) {
      ranking.related_ = SelectRelated(ranking.staged_->outcome, cut.min_score);
    }
    clock.Finish("stages", ranking.stage_timings_);
  }
  const double least = cut.min_score;
  if (!(least > 0)) return ranking;
  RECALL_ASSIGN(std::vector<ScoredChunk> kept,
                ranking.staged_ ? StagedDownTo(all, *ranking.staged_, least) : all.DownTo(least));
  const ScoredChunk unproposed = all.BestUnproposed();
  const double most = ranking.staged_ ? ranking.staged_->Below(unproposed).score : unproposed.score;
  // `without` is no result, so it is not left out either; stages have removed it already.
  const bool drops_without =
      cut.without && !ranking.staged_ && std::ranges::none_of(kept, [&](const ScoredChunk& scored) {
        return scored.candidate.chunk == *cut.without;
      });
  ranking.below_floor_ =
      ranking.total_hits_ - static_cast<int64_t>(kept.size()) - (drops_without ? 1 : 0);
  ranking.total_hits_ = static_cast<int64_t>(kept.size());
  ranking.total_is_lower_bound_ = all.hits.semantic_cut && most >= least;
  ranking.kept_ = std::move(kept);
  return ranking;
}

Result<std::vector<ScoredChunk>> Ranking::BestOfAll(size_t count) const {
  return staged_ ? BestStaged(fused_, *staged_, count) : fused_.Best(count);
}

Result<std::vector<ScoredChunk>> Ranking::Best(size_t count) const {
  if (kept_) return FirstOf(*kept_, count);
  return BestOfAll(count);
}

Result<Bitmap> Ranking::Members() const {
  if (kept_) {
    Bitmap members;
    for (const ScoredChunk& scored : *kept_) members.Add(scored.candidate.chunk);
    return members;
  }
  RECALL_ASSIGN(Bitmap members, fused_.Members());
  return staged_ ? members.AndNot(staged_->outcome.left_out) : std::move(members);
}

Result<bool> Ranking::IsMember(uint32_t chunk) const {
  if (kept_) {
    return std::ranges::any_of(
        *kept_, [chunk](const ScoredChunk& scored) { return scored.candidate.chunk == chunk; });
  }
  if (staged_ && staged_->outcome.left_out.Contains(chunk)) return false;
  return fused_.IsMember(chunk);
}

std::vector<uint32_t> Ranking::RepresentedBy(uint32_t chunk) const {
  if (!staged_) return {};
  const auto found = staged_->outcome.stands_for.find(chunk);
  return found == staged_->outcome.stands_for.end() ? std::vector<uint32_t>() : found->second;
}

std::optional<UnixNanos> Ranking::as_of() const {
  return staged_ ? staged_->outcome.as_of : std::nullopt;
}

std::vector<StageTiming> Ranking::timings() const {
  std::vector<StageTiming> all = fused_.plan->timings;
  for (const auto* timings : {&fused_.hits.timings, &fused_.timings, &stage_timings_}) {
    all.insert(all.end(), timings->begin(), timings->end());
  }
  return all;
}

Result<Ranking> Rank(const Snapshot& snapshot, const QueryDependencies& deps,
                     const SearchRequest& request, const Bitmap* allowed) {
  RECALL_TRY(CheckMinScore(request));
  RankingCut cut;
  RECALL_ASSIGN(cut.stages, StageList::Parse(request.ranking.stages));
  cut.min_score = request.ranking.min_score;
  RECALL_ASSIGN(FusedRanking fused, MakeFusedRanking(snapshot, deps, request, allowed));
  return Ranking::Make(std::move(fused), deps, request, cut);
}

}  // namespace recall
