#include "index/embed/embedder.h"

#include "index/embed/hash_embedder.h"

namespace recall {

Status Embedder::EmbedStems(std::span<const std::string_view>, std::span<float>) {
  return Status::Internal("the embedder " + identity().name + " takes texts, not stems");
}

Status CheckEmbedder(std::string_view name, uint32_t dim) {
  if (dim < 8 || dim > 4096) {
    return Status::InvalidArgument(
        "An embedding of " + std::to_string(dim) + " dimensions is not supported.",
        "Choose 8 to 4096 dimensions; 256 is the default.");
  }
  if (name == kLearntEmbedder || name == kHashEmbedder) return Status::Ok();
  return Status::InvalidArgument(
      "There is no embedder named \"" + std::string(name) + "\".",
      "A store begins with lsa or hash; `recall embed` gives it others.");
}

Result<std::unique_ptr<Embedder>> MakeEmbedder(std::string_view name, uint32_t dim) {
  RECALL_TRY(CheckEmbedder(name, dim));
  if (name == kHashEmbedder) return std::make_unique<HashEmbedder>(dim);
  return Fail(Status::InvalidArgument("The embedder \"" + std::string(name) +
                                      "\" makes no vectors before it has learnt from texts."));
}

}  // namespace recall
