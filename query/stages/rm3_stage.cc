// Relevance feedback by words (RM3; Lavrenko and Croft 2001, Abdul-Jaleel et al. 2004): what the
// best hits say most often, each weighted by its score, is asked for as well. The words' BM25, with
// the counts of the whole store, is evidence beside the score of what was typed.

#include <algorithm>
#include <cmath>
#include <map>

#include "query/stages/stage.h"

namespace recall {
namespace {

constexpr StageParameter kRm3Parameters[] = {
    {"docs", StageParameter::Kind::kWhole, 5, 1, 50},
    {"terms", StageParameter::Kind::kWhole, 20, 1, 100},
    {"weight", StageParameter::Kind::kNumber, 0.3, 0, 1},
};

// What the most likely word's weight becomes: those of a question are whole numbers.
constexpr double kHeaviest = 1000;
// How many words are named in what is explained.
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
  // The likeliest stems of the best hits, of those that at least two hits of the head have: what
  // one text alone says finds no other.
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

std::unique_ptr<RankStage> MakeRm3Stage(std::span<const double> values) {
  return std::make_unique<Rm3Stage>(static_cast<size_t>(values[0]), static_cast<size_t>(values[1]),
                                    values[2]);
}

}  // namespace

const StageInfo kRm3Stage = {"rm3", kRm3Parameters, MakeRm3Stage};

}  // namespace recall
