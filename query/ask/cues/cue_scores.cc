#include "query/ask/cues/cue_scores.h"

#include <algorithm>
#include <optional>

namespace recall {

std::optional<double> ApplyCues(std::vector<CuedChunk>& chunks) {
  double best = 0;
  double most_factor = 0;
  double most_added = 0;
  for (const CuedChunk& chunk : chunks) {
    best = std::max(best, chunk.scored.score);
    most_factor = std::max(most_factor, chunk.factor);
    most_added = std::max(most_added, chunk.definition + chunk.others);
  }
  const bool is_same = std::ranges::all_of(
      chunks, [&](const CuedChunk& chunk) { return chunk.factor == most_factor; });
  if (!(best > 0) || (is_same && !(most_added > 0))) return std::nullopt;
  double greatest = 1;
  std::vector<double> values;
  values.reserve(chunks.size());
  for (const CuedChunk& chunk : chunks) {
    const double share = chunk.scored.score / best + chunk.definition + chunk.others;
    values.push_back(share * (chunk.factor / most_factor));
    greatest = std::max(greatest, values.back());
  }
  for (size_t i = 0; i < chunks.size(); ++i) {
    CuedChunk& chunk = chunks[i];
    const bool adds = chunk.definition > 0 || chunk.others > 0;
    const bool keeps = greatest == 1 && !adds && chunk.factor == most_factor;
    if (!keeps) chunk.scored.score = best * (values[i] / greatest);
  }
  std::ranges::sort(chunks, [](const CuedChunk& a, const CuedChunk& b) {
    return ComesBefore(a.scored, b.scored);
  });
  return 1 / greatest;
}

}  // namespace recall
