// What a retrieval tells of itself.

#include <algorithm>
#include <numeric>

#include "query/retrieval/retrieval.h"

namespace recall {
namespace {

// To order all takes as long as to count the better ones of so many.
constexpr size_t kWorthOrdering = 20;

const char* OccurName(LexicalClause::Occur occur) {
  if (occur == LexicalClause::Occur::kMust) return "must";
  return occur == LexicalClause::Occur::kMustNot ? "must_not" : "should";
}

}  // namespace

std::optional<int64_t> Retrieval::LexicalRank(uint32_t chunk) {
  const LexicalHit hit{chunk, lexical_.Score(chunk)};
  if (hit.score <= 0) return std::nullopt;
  if (lexical_ranking_.empty()) {
    if (counted_ranks_++ < kWorthOrdering) return static_cast<int64_t>(lexical_.Rank(hit));
    lexical_ranking_ = lexical_.Top(lexical_.matches());
  }
  const auto place = std::ranges::lower_bound(lexical_ranking_, hit, IsBetter);
  return place - lexical_ranking_.begin() + 1;
}

std::optional<int64_t> Retrieval::SemanticRank(uint32_t chunk) {
  const Proposal* const found = FindProposal(chunk);
  if (found == nullptr) return std::nullopt;
  if (semantic_places_.empty()) {
    if (counted_semantic_ranks_++ < kWorthOrdering) {
      return 1 + std::ranges::count_if(
                     semantic_, [&](const Proposal& other) { return IsNearer(other, *found); });
    }
    std::vector<uint32_t> order(semantic_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, IsNearer, [&](uint32_t i) { return semantic_[i]; });
    semantic_places_.resize(order.size());
    for (uint32_t place = 0; place < order.size(); ++place) {
      semantic_places_[order[place]] = place + 1;
    }
  }
  return semantic_places_[static_cast<size_t>(found - semantic_.data())];
}

std::vector<uint32_t> Retrieval::SaidBy(uint32_t chunk) const {
  if (!staged_) return {};
  const auto found = staged_->stands_for.find(chunk);
  return found == staged_->stands_for.end() ? std::vector<uint32_t>() : found->second;
}

HitExplain Retrieval::ExplainHit(const FusedCandidate& fused) {
  HitExplain explain;
  explain.lexical_rank = LexicalRank(fused.candidate.chunk);
  explain.semantic_rank = SemanticRank(fused.candidate.chunk);
  if (UsesLexical()) explain.lexical = fused.candidate.lexical;
  if (UsesSemantic()) explain.semantic = fused.candidate.semantic;
  const auto place = std::ranges::find(first_stage_order_, fused.candidate.chunk);
  if (place != first_stage_order_.end())
    explain.first_stage_rank = place - first_stage_order_.begin() + 1;
  explain.feedback = head_ && std::ranges::count(head_->feedback, fused.candidate.chunk) > 0;
  explain.ngrams = fused.ngrams;
  explain.lexical_part = fused.lexical_part;
  explain.ngram_part = fused.ngram_part;
  explain.neighbour_part = fused.neighbour_part;
  explain.semantic_part = fused.semantic_part;
  if (staged_) {
    const auto effects = staged_->effects.find(fused.candidate.chunk);
    if (effects != staged_->effects.end()) explain.stages = effects->second;
  }
  return explain;
}

SearchExplain Retrieval::Explain() const {
  SearchExplain explain;
  explain.lexical_candidates = static_cast<int64_t>(lexical_.matches());
  explain.semantic_candidates = static_cast<int64_t>(semantic_.size());
  explain.combined_candidates = proposed_;
  explain.fusion = fusion();
  explain.weights = weights_;
  explain.calibration = calibration();
  explain.semantic_confidence = semantic_confidence_;
  if (head_) explain.feedback_chunks = static_cast<int64_t>(head_->feedback.size());
  for (const LexicalTerm& term : lexical_.terms()) {
    explain.terms.push_back(
        {term.text, OccurName(term.occur), static_cast<int64_t>(term.matches), term.idf});
  }
  if (staged_) explain.stages = staged_->summaries;
  explain.semantic_method = !UsesSemantic() ? "none" : vector_stats_.exact ? "exact" : "signatures";
  explain.vectors_scanned = static_cast<int64_t>(vector_stats_.scanned);
  explain.vectors_reranked = static_cast<int64_t>(vector_stats_.reranked);
  return explain;
}

}  // namespace recall
