// Second-stage ranking of a window of up to 300 candidates by all evidence.
//
// Problem. The first stage uses two scores of each chunk. The window is small enough for more
// evidence: character n-grams, which match inflected forms, compounds and misspellings, and the
// similarity of the candidates to each other.
//
// Idea, in three steps.
// 1. H = weighted sum of BM25, n-gram and semantic evidence, each divided by its maximum over the
//    window.
// 2. Pseudo-relevance feedback (Rocchio: Relevance feedback in information retrieval, 1971): the
//    query's vector moves towards the vectors of the five best items, weighted by H. The cosines
//    and H are computed again with the moved vector.
// 3. Score regularisation (Diaz: Regularizing ad hoc retrieval scores, CIKM 2005): relevant texts
//    resemble each other, so a share of each score is the mean of H over the five nearest items,
//    weighted by their cosines. All means are computed from the H of step 2.
// Then the sums are calibrated as in fusion.cc, with n-grams as a third kind of evidence.
//
// Invariants. Feedback changes the order of items but removes none: at least 1 % of an item's
// original cosine remains. The order of the input does not matter, except for rounding. The result
// is the same on every CPU: floating-point operations (+ - * / sqrt) run in a fixed order.
//
// Cost: O(n d) for n items of d components. neighbours.cc finds the nearest items.

#include "query/ask/ranking/rerank.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace recall {
namespace {

constexpr size_t kFeedbackItems = 5;
constexpr size_t kSumsAtOnce = 8;
// The share of an item's original cosine that remains at least after feedback.
constexpr double kLeastCosine = 0.01;

class Reranker final {
 public:
  Reranker(std::span<const RerankItem> items, const VectorQuery& query, RerankOptions options,
           const Neighbours& neighbours)
      : items_(items),
        query_(query),
        options_(options),
        neighbours_(neighbours),
        fused_(items.size()) {
    const double total = options.lexical_weight + options.ngram_weight + options.semantic_weight;
    options_.lexical_weight /= total;
    options_.ngram_weight /= total;
    options_.semantic_weight /= total;
  }

  Reranking Run() {
    for (size_t i = 0; i < items_.size(); ++i) fused_[i].candidate = items_[i].candidate;
    Fuse();
    if (options_.semantic_weight > 0 && options_.feedback > 0) MoveQuery();
    if (options_.smoothing > 0) Smooth();
    Calibrate();
    return std::move(result_);
  }

 private:
  void Fuse() {
    double lexical = 0;
    double ngrams = 0;
    double semantic = 0;
    for (size_t i = 0; i < items_.size(); ++i) {
      lexical = std::max(lexical, items_[i].candidate.lexical);
      ngrams = std::max(ngrams, items_[i].ngrams.value_or(0));
      semantic = std::max(semantic, fused_[i].candidate.semantic);
    }
    for (size_t i = 0; i < items_.size(); ++i) {
      ScoredChunk& fused = fused_[i];
      fused.ngrams = items_[i].ngrams;
      fused.parts.lexical = options_.lexical_weight * ShareOf(fused.candidate.lexical, lexical);
      fused.parts.ngrams = options_.ngram_weight * ShareOf(items_[i].ngrams.value_or(0), ngrams);
      fused.parts.semantic = options_.semantic_weight * ShareOf(fused.candidate.semantic, semantic);
    }
  }

  std::vector<size_t> BestFirst() const {
    std::vector<size_t> order(items_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, [&](size_t a, size_t b) {
      const double left = fused_[a].parts.Sum();
      const double right = fused_[b].parts.Sum();
      return left != right ? left > right : items_[a].candidate.chunk < items_[b].candidate.chunk;
    });
    return order;
  }

  void MoveQuery() {
    if (query_.zero) return;
    const size_t dim = query_.values.size();
    std::vector<double> moved(dim);
    for (const size_t i : BestFirst()) {
      if (result_.feedback.size() == kFeedbackItems) break;
      const double share = fused_[i].parts.Sum() * items_[i].vector_scale;
      if (share <= 0 || items_[i].vector.size() != dim) continue;
      result_.feedback.push_back(items_[i].candidate.chunk);
      for (size_t k = 0; k < dim; ++k) moved[k] += share * items_[i].vector[k];
    }
    if (!ScaleTo(moved, options_.feedback)) return;
    for (size_t k = 0; k < dim; ++k) moved[k] += double{query_.scale} * query_.values[k];
    if (!ScaleTo(moved, 1)) return;
    std::vector<size_t> with_vector;
    for (size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].vector.size() == dim) with_vector.push_back(i);
    }
    for (size_t at = 0; at < with_vector.size(); at += kSumsAtOnce) {
      const size_t count = std::min(kSumsAtOnce, with_vector.size() - at);
      SetCosines(moved, std::span(with_vector).subspan(at, count));
    }
    Fuse();
  }

  // Sets the cosines of some items with the moved query. The sum of each item adds its products one
  // after another, and each addition waits for the one before; so several sums proceed side by
  // side. Requires: at most kSumsAtOnce items.
  void SetCosines(const std::vector<double>& moved, std::span<const size_t> items) {
    std::array<const int8_t*, kSumsAtOnce> vectors;
    for (size_t n = 0; n < kSumsAtOnce; ++n) {
      vectors[n] = items_[items[std::min(n, items.size() - 1)]].vector.data();
    }
    std::array<double, kSumsAtOnce> products{};
    for (size_t k = 0; k < moved.size(); ++k) {
      for (size_t n = 0; n < kSumsAtOnce; ++n) products[n] += moved[k] * vectors[n][k];
    }
    for (size_t n = 0; n < items.size(); ++n) {
      const RerankItem& item = items_[items[n]];
      fused_[items[n]].candidate.semantic =
          std::max(products[n] * item.vector_scale, kLeastCosine * item.candidate.semantic);
    }
  }

  // Returns: false if the vector is zero.
  static bool ScaleTo(std::vector<double>& vector, double length) {
    double square = 0;
    for (const double value : vector) square += value * value;
    if (!(square > 0)) return false;
    const double factor = length / std::sqrt(square);
    for (double& value : vector) value *= factor;
    return true;
  }

  void Smooth() {
    const size_t count = items_.size();
    std::vector<double> scores(count);
    for (size_t i = 0; i < count; ++i) scores[i] = fused_[i].parts.Sum();
    for (size_t i = 0; i < count; ++i) {
      double weights = 0;
      double sum = 0;
      for (const Neighbours::Neighbour& near : neighbours_.Of(i)) {
        weights += near.cosine;
        sum += near.cosine * scores[near.item];
      }
      ScoredChunk& fused = fused_[i];
      const double keep = 1 - options_.smoothing;
      fused.parts.lexical *= keep;
      fused.parts.ngrams *= keep;
      fused.parts.semantic *= keep;
      fused.parts.neighbours = weights > 0 ? options_.smoothing * (sum / weights) : 0;
    }
  }

  void Calibrate() {
    double sum_max = 0;
    double evidence_max = 0;
    for (size_t i = 0; i < items_.size(); ++i) {
      sum_max = std::max(sum_max, fused_[i].parts.Sum());
      const double evidence = options_.lexical_weight * ShareOf(items_[i].candidate.lexical,
                                                                options_.lexical_upper_bound) +
                              options_.ngram_weight * ShareOf(items_[i].ngrams.value_or(0),
                                                              options_.ngram_upper_bound) +
                              options_.semantic_weight * ShareOf(items_[i].candidate.semantic, 1);
      evidence_max = std::max(evidence_max, evidence);
    }
    result_.calibration = sum_max > 0 ? evidence_max / sum_max : 0;
    for (const size_t i : BestFirst()) {
      ScoredChunk fused = fused_[i];
      // --explain shows the cosine with the original query's vector.
      fused.candidate.semantic = items_[i].candidate.semantic;
      fused.score = ShareOf(fused.parts.Sum() * result_.calibration, 1);
      if (fused.score > 0) result_.ranking.push_back(fused);
    }
  }

  std::span<const RerankItem> items_;
  const VectorQuery& query_;
  RerankOptions options_;
  const Neighbours& neighbours_;
  std::vector<ScoredChunk> fused_;
  Reranking result_;
};

}  // namespace

Reranking Rerank(std::span<const RerankItem> items, const VectorQuery& query,
                 const RerankOptions& options, const Neighbours& neighbours) {
  return Reranker(items, query, options, neighbours).Run();
}

}  // namespace recall
