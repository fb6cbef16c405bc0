#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "index/embed/embedder.h"
#include "index/latent/stored_model.h"
#include "index/vector/vector_space.h"
#include "storage/space_table.h"
#include "storage/store.h"

namespace recall {

// One of a store's vector spaces: its geometry, and what makes vectors of it. A space of dimension
// 0, that of a store which has learnt nothing yet, has an embedder that makes empty vectors.
// Embedders refer to it. Immutable but for LoadModel and what NewQueryEmbedder's embedders read.
class EmbeddingSpace final {
 public:
  // The one in force at the transaction's commit.
  // Errors: InvalidArgument for an embedder that this program does not have; Corruption.
  static Result<std::shared_ptr<EmbeddingSpace>> Open(const ReadTransaction& transaction);
  // Any of the store; `seed` is settings.signature_seed.
  static Result<std::shared_ptr<EmbeddingSpace>> Open(Connection& connection, const SpaceRow& row,
                                                      uint64_t seed);
  // One that needs no store: of a hash embedder, or of a latent model that is not stored yet.
  static Result<std::shared_ptr<EmbeddingSpace>> OfName(std::string_view embedder, uint32_t dim,
                                                        uint64_t seed);
  static Result<std::shared_ptr<EmbeddingSpace>> OfModel(const std::vector<ModelPart>& parts,
                                                         uint64_t seed);

  const SpaceRow& row() const { return row_; }
  const VectorSpace& vectors() const { return vectors_; }
  bool has_vectors() const { return vectors_.dim() > 0; }

  // Reads all of the model, where there is one. Afterwards embedders of several threads share it.
  Status LoadModel(Connection& connection);
  // Requires: LoadModel, or a space that OfName or OfModel made.
  std::unique_ptr<Embedder> NewEmbedder() const;
  // For the texts of a question: reads no more of the model than these need. One at a time, on the
  // connection's thread, within the transaction.
  std::unique_ptr<Embedder> NewQueryEmbedder(Connection& connection);

 private:
  EmbeddingSpace(SpaceRow row, uint64_t seed) : row_(std::move(row)), vectors_(row_.dim, seed) {}

  SpaceRow row_;
  VectorSpace vectors_;
  std::unique_ptr<StoredLatentModel> model_;  // of learnt embedders with vectors
};

// Writes vectors of texts that were analysed, whatever the embedder takes: out.size() ==
// texts.size() * dim. `bodies`: their LexicalText::body.
Status EmbedAnalyzed(Embedder& embedder, std::span<const std::string_view> texts,
                     std::span<const std::string_view> bodies, std::span<float> out);

// The geometry of the vectors that the transaction's segments and tail hold.
Result<VectorSpace> SpaceOf(const ReadTransaction& transaction);

}  // namespace recall
