#include "query/measure/eval/judging.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace recall {
namespace {

constexpr size_t kRecallDepth = 100;

// 1 / log2(place + 1) of the places 1 to 10, spelled out because libm's logarithm differs in its
// last bit between machines.
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
