#include "index/embed/factory/builtin_embedders.h"

#include <algorithm>

#include "index/embed/embedder/embedder_names.h"
#include "index/embed/hash/hash_embedder.h"

namespace recall {
namespace {

// Gives a zero vector to texts for which the user supplied no embedding.
class UserSuppliedEmbedder final : public Embedder {
 public:
  explicit UserSuppliedEmbedder(uint32_t dim)
      : identity_{std::string(kUserSuppliedEmbedder), "1", dim} {}
  const Identity& identity() const override { return identity_; }
  Status Embed(std::span<const std::string_view>, std::span<float> out) override {
    std::ranges::fill(out, 0.0f);
    return Status::Ok();
  }

 private:
  Identity identity_;
};

}  // namespace

Status CheckEmbedder(std::string_view name, uint32_t dim) {
  if (dim < 8 || dim > 4096) {
    return Status::InvalidArgument(
        "embeddings of " + std::to_string(dim) + " dimensions are not supported",
        "choose 8 to 4096 dimensions; 256 is the default");
  }
  for (const std::string_view known : {kLsaEmbedder, kHashEmbedder, kUserSuppliedEmbedder}) {
    if (name == known) return Status::Ok();
  }
  return Status::InvalidArgument(
      "unknown embedder \"" + std::string(name) + "\"",
      "a new store uses lsa, hash or given; `recall embed` selects another embedder");
}

Result<std::unique_ptr<Embedder>> MakeEmbedder(std::string_view name, uint32_t dim) {
  RECALL_TRY(CheckEmbedder(name, dim));
  if (name == kHashEmbedder) return std::make_unique<HashEmbedder>(dim);
  if (name == kUserSuppliedEmbedder) return std::make_unique<UserSuppliedEmbedder>(dim);
  return Fail(Status::InvalidArgument("the embedder \"" + std::string(name) +
                                      "\" has no vectors before its model is trained"));
}

}  // namespace recall
