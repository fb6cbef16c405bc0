#include "query/types/ranking_options.h"

#include "index/embed/embedder/embedder_names.h"

namespace recall {

FusionWeights DefaultWeights(std::string_view embedder, FusionMethod fusion) {
  if (fusion == FusionMethod::kWeighted) return {0.5, 0.5};
  return embedder == kHashEmbedder ? FusionWeights{0.98, 0.02} : FusionWeights{};
}

}  // namespace recall
