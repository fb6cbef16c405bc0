// A ranker of the user's own: a program scores each hit (docs/embedders.md, "Rankers").
//
//   mix   = (1 - weight) * score / best + weight * E
//   score = best * (kFloor + (1 - kFloor) * mix)
//
// E is the program's score if all scores of the hits lie in [0, 1]; otherwise their place between
// the lowest, 0, and the highest, 1, because a logit or a distance has no scale of its own:
//
//   scores  0.9  0.2  0.4   ->  E  0.9  0.2   0.4
//   scores  7.5 -4.5  1.5   ->  E  1    0     0.5      (all equal: 1)
//
// Both keep the order of the program, which with weight 1, the default, is the order of the hits.
// The floor keeps it for shares of evidence near 0, too, which sigmoids have: without it, the list
// of stages would raise them to the least share of their scores before. Hits of equal mixes keep
// their order: each gets the next smaller double. No score exceeds the best one before.
//
// The stage decides only the order: it adds no hit, so filters stay strict, and removes none. A
// program that fails is an error of the query, because the user asked for its order and would get
// another one.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "index/search/ranker/ranker.h"
#include "query/ask/stages/stage.h"

namespace recall {
namespace {

constexpr StageParameter kRankerParameters[] = {
    {"name", StageParameter::Kind::kName, 0, 0, 0},
    {"weight", StageParameter::Kind::kNumber, 1, 0, 1},
};

// Twice the least share of a score that the list of stages leaves.
constexpr double kFloor = 2e-6;

std::string Shortest(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, std::end(buffer), value).ptr};
}

class RankerStage final : public RankStage {
 public:
  RankerStage(std::string name, double weight) : name_(std::move(name)), weight_(weight) {}

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    std::vector<std::string> ids;
    std::vector<RankedText> texts;
    ids.reserve(hits.size());  // `texts` refers to its elements
    for (const StagedHit& hit : hits) {
      RECALL_ASSIGN(const StageChunk* chunk, context.Read(hit.fused.candidate.chunk));
      ids.push_back(MakeChunkView(*chunk->row.doc, chunk->row.chunk).id);
      texts.push_back({ids.back(), chunk->row.doc->path, chunk->row.chunk.heading, chunk->text});
    }
    auto scores = context.rankers().Score(name_, context.question().query->wanted, texts);
    if (!scores) return scores.error();
    const auto [least, most] = std::ranges::minmax(*scores);
    const bool shares = least >= 0 && most <= 1;
    context.note =
        name_ + " scored " + std::to_string(hits.size()) + (hits.size() == 1 ? " text" : " texts");
    if (!shares) context.note += " from " + Shortest(least) + " to " + Shortest(most);
    const double best = hits.front().fused.score;
    std::vector<double> mixes;
    for (size_t i = 0; i < hits.size(); ++i) {
      const double own = (*scores)[i];
      const double scaled = most > least ? (own - least) / (most - least) : 1;
      mixes.push_back((1 - weight_) * ShareOf(hits[i].fused.score, best) +
                      weight_ * (shares ? own : scaled));
      hits[i].note = "scored " + Shortest(own);
    }
    SetScores(mixes, best, hits);
    return Status::Ok();
  }

 private:
  static void SetScores(const std::vector<double>& mixes, double best,
                        std::vector<StagedHit>& hits) {
    std::vector<size_t> order(hits.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return mixes[i]; });
    double above = std::numeric_limits<double>::infinity();
    for (const size_t i : order) {
      const double score = best * (kFloor + (1 - kFloor) * mixes[i]);
      above = std::min(score, std::nextafter(above, 0.0));
      hits[i].fused.score = above;
    }
  }

  const std::string name_;
  const double weight_;
};

std::unique_ptr<RankStage> MakeRankerStage(std::span<const StageValue> values) {
  return std::make_unique<RankerStage>(values[0].text, values[1].number);
}

}  // namespace

const StageInfo kRankerStage = {"ranker", kRankerParameters, MakeRankerStage};

}  // namespace recall
