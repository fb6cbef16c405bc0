#include "index/subword/token_estimate.h"

#include <algorithm>

#include "index/subword/token_costs.h"
#include "index/subword/token_features.h"

namespace recall {

int64_t EstimateTokens(std::string_view text) {
  int64_t cost = 0;
  ScanTokenFeatures(
      text, [&](size_t feature, uint32_t times) { cost += int64_t{kTokenCosts[feature]} * times; });
  const int64_t tokens = (cost + kTokenCostUnit - 1) / kTokenCostUnit;
  return text.empty() ? 0 : std::max<int64_t>(tokens, 1);
}

}  // namespace recall
