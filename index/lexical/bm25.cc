#include "index/lexical/bm25.h"

#include <algorithm>

#include "index/math/natural_log.h"

namespace recall {

double InverseDocumentFrequency(uint64_t chunks, uint64_t matches) {
  const auto n = static_cast<double>(std::max(chunks, matches));
  const auto df = static_cast<double>(matches);
  return NaturalLog(1 + (n - df + 0.5) / (df + 0.5));
}

}  // namespace recall
