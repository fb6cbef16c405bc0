// Quality of one ranking by relevance judgements: nDCG@10 (Jarvelin and Kekalainen, 2002,
// "Cumulated gain-based evaluation of IR techniques"), recall@100 and MRR@10.
//
// nDCG uses the judged score itself as the gain, as trec_eval and BEIR do, not 2^score - 1:
//
//   DCG@10  = sum over ranks 1..10 of  gain / log2(rank + 1)
//   nDCG@10 = DCG@10 / DCG@10 of the ideal order
//
// The ideal order sorts all judged gains, including those of documents that were not found.
// Unjudged documents have gain 0. The discounts are constants, because logarithms of different C
// libraries differ in the last bit, and reports must be equal on all machines; the addition order
// is fixed for the same reason.
//
// Cost: O(100) look-ups for the ranking, O(r log r) for r relevant documents.

#include "query/measure/eval/judging.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace recall {
namespace {

constexpr size_t kRecallDepth = 100;

// 1 / log2(rank + 1) for the ranks 1 to 10, as constants because logarithms of different C
// libraries differ in the last bit.
constexpr std::array<double, 10> kDiscounts = {
    1.0,
    0.6309297535714575,
    0.5,
    0.43067655807339306,
    0.38685280723454163,
    0.3562071871080222,
    0.3333333333333333,
    0.31546487678572877,
    0.3010299956639812,
    0.2890648263178879,
};

double IdealGain(const Relevance& relevant) {
  std::vector<double> gains;
  for (const auto& [document, gain] : relevant) gains.push_back(gain);
  std::sort(gains.begin(), gains.end(), std::greater<>());
  double ideal = 0;
  for (size_t i = 0; i < std::min(gains.size(), kDiscounts.size()); ++i) {
    ideal += gains[i] * kDiscounts[i];
  }
  return ideal;
}

}  // namespace

RankQuality JudgeRanking(std::span<const uint32_t> ranking, const Relevance& relevant) {
  double gained = 0;
  size_t found = 0;
  RankQuality quality;
  for (size_t i = 0; i < std::min(ranking.size(), kRecallDepth); ++i) {
    const auto judged = relevant.find(ranking[i]);
    if (judged == relevant.end()) continue;
    ++found;
    if (i >= kDiscounts.size()) continue;
    gained += judged->second * kDiscounts[i];
    if (quality.mrr_at_10 == 0) quality.mrr_at_10 = 1 / static_cast<double>(i + 1);
  }
  quality.ndcg_at_10 = gained / IdealGain(relevant);
  quality.recall_at_100 = static_cast<double>(found) / static_cast<double>(relevant.size());
  return quality;
}

}  // namespace recall
