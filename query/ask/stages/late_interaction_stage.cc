// Late interaction (ColBERT; Khattab and Zaharia, 2020) with static term vectors.
//
// A single vector per chunk averages all its topics, so a chunk in which one sentence answers the
// query may be far from it. Late interaction compares terms instead. Each term of the query is
// matched with the most similar term of the text (MaxSim), and the similarities are averaged:
//
//   evidence(text) = sum over query terms q of  w(q) * max over terms t of text  cos(q, t)
//                    ----------------------------------------------------------------------
//                                            sum of w(q)
//
// ColBERT computes contextual vectors with a neural model. Here a term has the same vector wherever
// it occurs: that of the active embedder (TermVectors), so no per-token vectors are stored. w(q) is
// the embedder's weight of the term times its count in the query. Negative cosines count as 0, and
// a term's similarity to itself as exactly 1.
//
// The evidence, as a share of the greatest, is added to the scores with `weight` (AddEvidence).
//
// Cost: with Q query terms (at most kMostAsked) and T different terms in all hits, Q * T dot
// products, each computed once for all hits. Vectors of text terms are read in blocks of kBlock, so
// memory is O(Q * T) cosines plus one block of vectors.

#include <algorithm>
#include <map>

#include "index/embed/embedder/term_vectors.h"
#include "query/ask/stages/stage.h"
#include "simd/kernels.h"

namespace recall {
namespace {

constexpr StageParameter kLateInteractionParameters[] = {
    {"weight", StageParameter::Kind::kNumber, 0.05, 0, 1},
};

// The maximum number of query terms. If a query has more, those with the greatest weights are used.
constexpr size_t kMostAsked = 64;
// The number of terms whose vectors are in memory at the same time.
constexpr size_t kBlock = 1024;

struct AskedTerm {
  uint32_t term;
  double weight;
};

// The term of a text that is most similar to a query term.
struct NearestTerm {
  float cosine = 0;
  uint32_t term = 0;
};

class LateInteractionStage final : public RankStage {
 public:
  explicit LateInteractionStage(double weight) : weight_(weight) {}

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    auto vectors = context.NewTermVectors();
    if (!vectors) return vectors.error().WithContext("the stage late-interaction");
    RECALL_ASSIGN(const std::vector<AskedTerm> asked, AskedTerms(context, **vectors));
    double total = 0;
    for (const AskedTerm& term : asked) total += term.weight;
    if (!(total > 0)) {
      context.note = "no word of the query has a usable vector";
      return Status::Ok();
    }
    std::vector<std::vector<uint32_t>> texts;
    for (const StagedHit& hit : hits) {
      RECALL_ASSIGN(const StageChunk* chunk, context.Read(hit.fused.candidate.chunk));
      std::vector<uint32_t>& terms = texts.emplace_back();
      RECALL_TRY(
          (*vectors)->Find(chunk->row.chunk.heading + "\n" + chunk->text, chunk->stems, &terms));
      std::ranges::sort(terms);
      terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
    }
    Similarities similarities;
    RECALL_TRY(similarities.Compute(**vectors, asked, texts));
    std::vector<double> evidence;
    double most = 0;
    for (size_t i = 0; i < hits.size(); ++i) {
      evidence.push_back(Interact(asked, total, texts[i], similarities, **vectors, &hits[i].note));
      most = std::max(most, evidence.back());
    }
    for (double& value : evidence) value = ShareOf(value, most);
    AddEvidence(hits, evidence, weight_);
    return Status::Ok();
  }

 private:
  // The cosines between all terms of the texts and all query terms.
  class Similarities {
   public:
    Status Compute(TermVectors& vectors, const std::vector<AskedTerm>& asked,
                   const std::vector<std::vector<uint32_t>>& texts) {
      for (const std::vector<uint32_t>& terms : texts) {
        terms_.insert(terms_.end(), terms.begin(), terms.end());
      }
      std::ranges::sort(terms_);
      terms_.erase(std::unique(terms_.begin(), terms_.end()), terms_.end());
      const size_t dim = vectors.dim();
      std::vector<uint32_t> numbers;
      for (const AskedTerm& term : asked) numbers.push_back(term.term);
      std::vector<float> questions(numbers.size() * dim);
      RECALL_TRY(vectors.Read(numbers, questions));
      cosines_.resize(asked.size() * terms_.size());
      std::vector<float> block(std::min(kBlock, terms_.size()) * dim);
      for (size_t first = 0; first < terms_.size(); first += kBlock) {
        const auto part = std::span(terms_).subspan(first, std::min(kBlock, terms_.size() - first));
        RECALL_TRY(vectors.Read(part, std::span(block).first(part.size() * dim)));
        for (size_t i = 0; i < part.size(); ++i) {
          for (size_t q = 0; q < asked.size(); ++q) {
            const float cosine = DotF32(questions.data() + q * dim, block.data() + i * dim, dim);
            cosines_[q * terms_.size() + first + i] =
                part[i] == numbers[q] ? 1.0f : std::clamp(cosine, 0.0f, 1.0f);
          }
        }
      }
      return Status::Ok();
    }

    // `asked`: the index of the query term. Requires: `terms` is in ascending order.
    NearestTerm Best(size_t asked, const std::vector<uint32_t>& terms) const {
      NearestTerm best;
      auto at = terms_.begin();
      for (const uint32_t term : terms) {
        at = std::lower_bound(at, terms_.end(), term);
        const float cosine =
            cosines_[asked * terms_.size() + static_cast<size_t>(at - terms_.begin())];
        if (cosine > best.cosine) best = {cosine, term};
      }
      return best;
    }

   private:
    std::vector<uint32_t> terms_;  // ascending, each once
    std::vector<float> cosines_;   // by query term, then by term
  };

  // The different terms of the query, each with the weight of all its occurrences; at most
  // kMostAsked, those with the greatest weights.
  static Result<std::vector<AskedTerm>> AskedTerms(StageContext& context, TermVectors& vectors) {
    std::vector<uint32_t> found;
    RECALL_TRY(vectors.Find(context.question().query->wanted, context.question_stems(), &found));
    std::map<uint32_t, size_t> counts;
    for (const uint32_t term : found) ++counts[term];
    std::vector<AskedTerm> asked;
    for (const auto& [term, count] : counts) {
      RECALL_ASSIGN(const double weight, vectors.Weight(term));
      asked.push_back({term, static_cast<double>(count) * weight});
    }
    std::ranges::stable_sort(asked, std::greater(), &AskedTerm::weight);
    asked.resize(std::min(asked.size(), kMostAsked));
    return asked;
  }

  // Returns: the evidence of a text, from 0 to 1. Sets *note, which shows the substitution of a
  // query term by another term that contributed most.
  static double Interact(const std::vector<AskedTerm>& asked, double total,
                         const std::vector<uint32_t>& terms, const Similarities& similarities,
                         const TermVectors& vectors, std::string* note) {
    double sum = 0;
    double salient = 0;
    std::string other;
    for (size_t q = 0; q < asked.size(); ++q) {
      const NearestTerm best = similarities.Best(q, terms);
      const double part = asked[q].weight * double{best.cosine};
      sum += part;
      if (best.term == asked[q].term || part <= salient) continue;
      salient = part;
      const std::string_view wanted = vectors.Name(asked[q].term);
      const std::string_view nearest = vectors.Name(best.term);
      if (wanted.empty() || nearest.empty()) continue;
      other = "; " + std::string(wanted) + " ~ " + std::string(nearest) + " " +
              TwoDigits(double{best.cosine});
    }
    *note = TwoDigits(sum / total) + " by its words" + other;
    return sum / total;
  }

  const double weight_;
};

std::unique_ptr<RankStage> MakeLateInteractionStage(std::span<const StageValue> values) {
  return std::make_unique<LateInteractionStage>(values[0].number);
}

}  // namespace

const StageInfo kLateInteractionStage = {"late-interaction", kLateInteractionParameters,
                                         MakeLateInteractionStage};

}  // namespace recall
