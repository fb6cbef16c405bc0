// Pseudo-relevance feedback by query expansion (RM3; Lavrenko and Croft, 2001, "Relevance-Based
// Language Models"; Abdul-Jaleel et al., 2004, "UMass at TREC 2004").
//
// The best hits are assumed to be relevant, and their frequent terms expand the query:
//
//   1. For the best `docs` hits, estimate P(term) = sum over hits of score * tf / length.
//   2. Keep the `terms` most likely stems among those that occur in at least two hits of the
//      window. A stem of a single hit cannot raise any other hit.
//   3. Score the window by BM25 for the expanded query, with the term statistics of the whole
//      store.
//   4. Add this as evidence, as a share of the greatest, to the existing scores with `weight`
//      (AddEvidence). This interpolation with the original query is the "3" of RM3.
//
// Clause weights are integers, so the probabilities are scaled to 1 .. kHeaviest. Only hits of the
// window are scored; the expansion finds no new chunks.
//
// Cost: one analysis of each hit of the window (shared with the other stages), and one BM25 search
// of `terms` terms restricted to the window.

#include <algorithm>
#include <cmath>
#include <map>

#include "query/ask/stages/stage.h"

namespace recall {
namespace {

constexpr StageParameter kRm3Parameters[] = {
    {"docs", StageParameter::Kind::kWhole, 5, 1, 50},
    {"terms", StageParameter::Kind::kWhole, 20, 1, 100},
    {"weight", StageParameter::Kind::kNumber, 0.3, 0, 1},
};

// The weight of the most likely term. Weights of clauses are integers.
constexpr double kHeaviest = 1000;
// The number of terms that the explanation lists.
constexpr size_t kNamed = 8;

class Rm3Stage final : public RankStage {
 public:
  Rm3Stage(size_t chunks, size_t terms, double weight)
      : chunks_(chunks), terms_(terms), weight_(weight) {}

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    LexicalQuery expanded;
    RECALL_TRY(Expand(context, hits, &expanded));
    if (expanded.Empty()) return Status::Ok();
    Bitmap head;
    for (const StagedHit& hit : hits) head.Add(hit.fused.candidate.chunk);
    RECALL_ASSIGN(const auto scores,
                  context.indexes().SearchLexical(expanded, {&head, context.question().removed}));
    std::vector<uint32_t> chunks;
    for (const StagedHit& hit : hits) chunks.push_back(hit.fused.candidate.chunk);
    RECALL_ASSIGN(std::vector<double> evidence, scores->Score(chunks));
    const double most = std::max(std::ranges::max(evidence), 0.0);
    for (size_t i = 0; i < hits.size(); ++i) {
      evidence[i] = ShareOf(evidence[i], most);
      hits[i].note = TwoDigits(evidence[i]) + " by the words";
    }
    AddEvidence(hits, evidence, weight_);
    return Status::Ok();
  }

 private:
  // Makes the expanded query from the most likely stems of the best hits.
  Status Expand(StageContext& context, const std::vector<StagedHit>& hits,
                LexicalQuery* expanded) const {
    std::map<std::string_view, double> likely;
    std::map<std::string_view, size_t> holders;
    for (size_t i = 0; i < hits.size(); ++i) {
      RECALL_ASSIGN(const StageChunk* chunk, context.Read(hits[i].fused.candidate.chunk));
      std::map<std::string_view, double> counts;
      for (const std::string& stem : chunk->stems) counts[stem] += 1;
      const double length = static_cast<double>(chunk->stems.size());
      for (const auto& [stem, count] : counts) {
        ++holders[stem];
        if (i < chunks_) likely[stem] += hits[i].fused.score * count / length;
      }
    }
    std::vector<std::pair<std::string_view, double>> best;
    for (const auto& [stem, share] : likely) {
      if (holders[stem] >= 2) best.emplace_back(stem, share);
    }
    std::ranges::stable_sort(best, std::greater(), &std::pair<std::string_view, double>::second);
    best.resize(std::min(best.size(), terms_));
    for (const auto& [stem, share] : best) {
      LexicalClause& clause = expanded->clauses.emplace_back();
      clause.any_of.push_back({{std::string(stem)}, false});
      clause.count = static_cast<uint32_t>(std::ceil(kHeaviest * share / best.front().second));
      clause.text = stem;
      if (expanded->clauses.size() > kNamed) continue;
      context.note += (context.note.empty() ? "" : " ") + std::string(stem);
    }
    return Status::Ok();
  }

  const size_t chunks_;
  const size_t terms_;
  const double weight_;
};

std::unique_ptr<RankStage> MakeRm3Stage(std::span<const StageValue> values) {
  return std::make_unique<Rm3Stage>(static_cast<size_t>(values[0].number),
                                    static_cast<size_t>(values[1].number), values[2].number);
}

}  // namespace

const StageInfo kRm3Stage = {"rm3", kRm3Parameters, MakeRm3Stage};

}  // namespace recall
