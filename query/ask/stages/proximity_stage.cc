// Term proximity: chunks in which neighbouring words of the query are close together rank higher.
//
// A pair is two stems, in any order, at most kReach positions apart. The query asks for the pairs
// of its adjacent stems, stop words removed; in a text every pair within reach counts:
//
//   query "rotate the api key"     ->  {rotate, api}  {api, key}
//   text  "... api key rotation"   ->  both pairs match: distances 1 and 2
//
// The pairs are scored like terms by BM25 (k1 = 1.2, b = 0.75) as unordered windows in the
// sequential dependence model (Metzler and Croft, 2005). The hits of the window serve as the
// collection: no index contains the document frequencies of pairs, and among the hits these
// frequencies show which pairs distinguish them. The sum, as a share of the greatest, is added to
// the scores with `weight` (AddEvidence).
//
// Cost: O(kReach * stems * log(pairs)) per hit.

#include <algorithm>
#include <map>

#include "index/base/math/natural_log.h"
#include "query/ask/stages/stage.h"

namespace recall {
namespace {

constexpr StageParameter kProximityParameters[] = {
    {"weight", StageParameter::Kind::kNumber, 0.05, 0, 1},
};

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;
constexpr size_t kReach = 3;

using Pair = std::pair<std::string_view, std::string_view>;

Pair PairOf(std::string_view a, std::string_view b) { return a < b ? Pair(a, b) : Pair(b, a); }

class ProximityStage final : public RankStage {
 public:
  explicit ProximityStage(double weight) : weight_(weight) {}

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    // The pairs of the query. Each has an index and the number of its occurrences in the query.
    std::map<Pair, std::pair<size_t, double>> wanted;
    const std::vector<std::string>& question = context.question_stems();
    for (size_t i = 0; i + 1 < question.size(); ++i) {
      if (question[i] == question[i + 1]) continue;
      wanted.try_emplace(PairOf(question[i], question[i + 1]), wanted.size(), 0)
          .first->second.second += 1;
    }
    context.note = std::to_string(wanted.size()) + (wanted.size() == 1 ? " pair" : " pairs");
    if (wanted.empty()) return Status::Ok();

    std::vector<std::vector<double>> counts;  // by hit, then by pair
    std::vector<double> lengths;
    double all_lengths = 0;
    for (const StagedHit& hit : hits) {
      RECALL_ASSIGN(const StageChunk* chunk, context.Read(hit.fused.candidate.chunk));
      std::vector<double>& own = counts.emplace_back(wanted.size(), 0);
      const std::vector<std::string>& stems = chunk->stems;
      for (size_t i = 0; i < stems.size(); ++i) {
        for (size_t j = i + 1; j < stems.size() && j <= i + kReach; ++j) {
          const auto found = wanted.find(PairOf(stems[i], stems[j]));
          if (found != wanted.end()) own[found->second.first] += 1;
        }
      }
      lengths.push_back(static_cast<double>(stems.size()));
      all_lengths += lengths.back();
    }
    Score(wanted, counts, lengths, all_lengths / static_cast<double>(hits.size()), hits);
    return Status::Ok();
  }

 private:
  void Score(const std::map<Pair, std::pair<size_t, double>>& wanted,
             const std::vector<std::vector<double>>& counts, const std::vector<double>& lengths,
             double average_length, std::vector<StagedHit>& hits) const {
    std::vector<double> evidence(hits.size(), 0);
    for (const auto& [pair, what] : wanted) {
      const auto& [number, asked] = what;
      double holders = 0;
      for (const std::vector<double>& own : counts) holders += own[number] > 0 ? 1 : 0;
      const double all = static_cast<double>(hits.size());
      const double idf = NaturalLog(1 + (all - holders + 0.5) / (holders + 0.5));
      for (size_t i = 0; i < hits.size(); ++i) {
        const double count = counts[i][number];
        const double norm = kK1 * (1 - kB + kB * lengths[i] / average_length);
        if (count > 0) evidence[i] += asked * idf * count * (kK1 + 1) / (count + norm);
      }
    }
    const double most = std::ranges::max(evidence);
    for (size_t i = 0; i < hits.size(); ++i) {
      size_t held = 0;
      for (const double count : counts[i]) held += count > 0 ? 1 : 0;
      evidence[i] = ShareOf(evidence[i], most);
      if (held > 0) {
        hits[i].note = std::to_string(held) + " of " + std::to_string(wanted.size()) + " pairs";
      }
    }
    if (most > 0) AddEvidence(hits, evidence, weight_);
  }

  const double weight_;
};

std::unique_ptr<RankStage> MakeProximityStage(std::span<const StageValue> values) {
  return std::make_unique<ProximityStage>(values[0].number);
}

}  // namespace

const StageInfo kProximityStage = {"proximity", kProximityParameters, MakeProximityStage};

}  // namespace recall
