#include "index/embed/embedder.h"

#include "index/embed/hash_embedder.h"

namespace recall {

Status Embedder::EmbedStems(std::span<const std::string_view>, std::span<float>) {
  return Status::Internal("the embedder " + identity().name + " takes texts, not stems");
}

Result<std::unique_ptr<Embedder>> MakeEmbedder(std::string_view name, uint32_t dim) {
  if (dim < 8 || dim > 4096) {
    return Fail(Status::InvalidArgument(
        "An embedding of " + std::to_string(dim) + " dimensions is not supported.",
        "Choose 8 to 4096 dimensions; 256 is the default."));
  }
  if (name == "hash") return std::make_unique<HashEmbedder>(dim);
  return Fail(Status::InvalidArgument("There is no embedder named \"" + std::string(name) + "\".",
                                      "Known embedders: lsa, hash."));
}

}  // namespace recall
