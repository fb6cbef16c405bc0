// The second stage of a retrieval: which chunks are the head, and how they are ranked.

#include <algorithm>

#include "query/retrieval/rerank_features.h"
#include "query/retrieval/retrieval.h"
#include "storage/documents/live_scan.h"

namespace recall {
namespace {

// What smoothing takes at the semantic weight that it was measured with, and in proportion below.
constexpr double kSmoothing = 0.2;
constexpr double kSmoothingWeight = 0.2;
// Some n-gram or other is in every text: the share of what they can say that makes a chunk a
// member.
constexpr double kLeastNgrams = 0.03;

}  // namespace

Status Retrieval::RerankWindow() {
  RECALL_ASSIGN(std::vector<FusedCandidate> head, FirstStageBest(kWindowSize));
  head.resize(std::min(head.size(), kWindowSize));
  for (const FusedCandidate& fused : head) first_stage_order_.push_back(fused.candidate.chunk);
  if (transaction_.counts().chunks <= static_cast<int64_t>(kWindowSize))
    RECALL_TRY(AddOthers(head));
  if (head.empty()) return Status::Ok();
  window_size_ = head.size();
  RECALL_ASSIGN(RerankFeatures evidence,
                ReadRerankFeatures(transaction_, *columns_, query_.wanted, head, request_.threads));
  DropOthersUnlike(evidence);
  const double lexical = weights_.lexical;
  const double semantic = weights_.semantic * semantic_confidence_;
  RerankOptions options;
  options.ngram_weight = evidence.ngram_upper_bound ? lexical * (1 - kWordShare) : 0;
  options.lexical_weight = lexical - options.ngram_weight;
  options.semantic_weight = semantic;
  options.lexical_upper_bound = lexical_.score_upper_bound();
  options.ngram_upper_bound = evidence.ngram_upper_bound.value_or(0);
  options.smoothing =
      kSmoothing * std::min(semantic / (lexical + semantic) / kSmoothingWeight, 1.0);
  head_ = Rerank(evidence.items, vector_query_, options);
  if (!head_->ranking.empty() && head.back().Sum() > 0) {
    below_window_factor_ = kBelowWindow * head_->ranking.back().Sum() / head.back().Sum();
  }
  return Status::Ok();
}

// In a store so small that the second stage can look at all of it, no retriever needs to propose a
// chunk.
Status Retrieval::AddOthers(std::vector<FusedCandidate>& head) const {
  const auto is_other = [&](uint32_t chunk) {
    return filter_.Passes(chunk) && std::ranges::count(first_stage_order_, chunk) == 0;
  };
  std::vector<LexicalHit> others;
  RECALL_TRY(ScanLiveDocs(transaction_, RowUnit::kChunks, [&](RowSpan rows) {
    for (uint32_t i = 0; i < rows.count; ++i) {
      if (is_other(rows.first + i)) others.push_back({rows.first + i, 0});
    }
  }));
  RECALL_ASSIGN(const std::vector<Candidate> pool, Pool(others));
  for (const Candidate& candidate : pool) {
    if (is_other(candidate.chunk)) head.push_back(scale_.Fuse(candidate));
  }
  return Status::Ok();
}

// Of those that no retriever proposed only chunks with n-grams of the question stay.
void Retrieval::DropOthersUnlike(RerankFeatures& evidence) {
  const double least = kLeastNgrams * evidence.ngram_upper_bound.value_or(0);
  std::erase_if(evidence.items, [&](const RerankItem& item) {
    const uint32_t chunk = item.candidate.chunk;
    if (std::ranges::count(first_stage_order_, chunk) > 0) return false;
    if (item.ngrams.value_or(0) <= least) return true;
    others_.Add(chunk);
    return false;
  });
  total_hits_ += static_cast<int64_t>(others_.Count());
}

}  // namespace recall
