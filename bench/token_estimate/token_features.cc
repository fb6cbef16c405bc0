// Prints what the estimate of tokens is made of, for bench/token_estimate/measure.mjs.
//
//   token_features < TEXTS     one line per text: its estimate, then FEATURE:COUNT ...
//
// The texts are separated by zero bytes.

#include <cstdio>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include "index/subword/token_estimate.h"
#include "index/subword/token_features.h"

namespace recall {
namespace {

void Print(std::string_view text) {
  std::map<unsigned, unsigned long> counts;
  ScanTokenFeatures(text, [&](unsigned feature, unsigned times) { counts[feature] += times; });
  std::printf("%lld", static_cast<long long>(EstimateTokens(text)));
  for (const auto& [feature, count] : counts) std::printf(" %u:%lu", feature, count);
  std::printf("\n");
}

}  // namespace
}  // namespace recall

int main() {
  const std::string all{std::istreambuf_iterator<char>(std::cin), {}};
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find('\0', begin), all.size());
    recall::Print(std::string_view(all).substr(begin, end - begin));
    begin = end + 1;
  }
  return 0;
}
