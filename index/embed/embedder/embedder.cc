#include "index/embed/embedder/embedder.h"

namespace recall {

Status Embedder::EmbedStems(std::span<const std::string_view>, std::span<float>) {
  return Status::Internal("the embedder " + identity().name + " takes texts, not stems");
}

}  // namespace recall
