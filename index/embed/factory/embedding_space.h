#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "index/embed/interface/embedder.h"
#include "index/embed/interface/embedder_source.h"
#include "index/embed/lsa/stored_model.h"
#include "index/vector_space/vector_space.h"
#include "storage/store/store.h"
#include "storage/tables/space_table.h"

namespace recall {

// One of a store's vector spaces: its geometry, and what makes vectors of it. A space of dimension
// 0, that of a store which has learnt nothing yet, has an embedder that makes empty vectors.
// Embedders refer to it. Immutable but for lists and model, which are read when they are needed
// first.
class EmbeddingSpace final {
 public:
  // The one in force at the transaction's commit. Opens neither model nor embedder. `provider`
  // finds embedders that are not this program's own; null: there are none. It must outlive the
  // space. Errors: InvalidArgument, Corruption for a row that no space has.
  static Result<std::shared_ptr<EmbeddingSpace>> Open(const ReadTransaction& transaction,
                                                      const EmbedderProvider* provider = nullptr);
  // The same, with the provider of this one.
  Result<std::shared_ptr<EmbeddingSpace>> Reopen(const ReadTransaction& transaction) const;
  // Any of the store; `seed` is settings.signature_seed.
  static Result<std::shared_ptr<EmbeddingSpace>> OfRow(const SpaceRow& row, uint64_t seed,
                                                       const EmbedderProvider* provider = nullptr);
  // Those that are to be filled: of an embedder that learns nothing, of a latent model that is not
  // stored yet, and, for a store that has too few texts to learn from, of the hash embedder.
  // Errors: NotFound for an unknown name; those of opening the embedder.
  static Result<std::shared_ptr<EmbeddingSpace>> OfEmbedder(std::string_view name,
                                                            const StoreSettings& settings,
                                                            const EmbedderProvider* provider);
  static Result<std::shared_ptr<EmbeddingSpace>> OfModel(const std::vector<ModelPart>& parts,
                                                         uint64_t seed);
  static Result<std::shared_ptr<EmbeddingSpace>> BeforeModel(uint32_t dim, uint64_t seed);
  // And of the same vectors as those of another space, but in these lists: a part
  // kCoarseQuantizerPart.
  static Result<std::shared_ptr<EmbeddingSpace>> WithCoarseQuantizer(const SpaceRow& row,
                                                                     uint64_t seed,
                                                                     std::string lists);

  const SpaceRow& row() const { return row_; }
  const VectorSpace& vectors() const { return vectors_; }
  bool has_vectors() const { return vectors_.dim() > 0; }
  // The name of what makes the vectors: not the row's before anything is learnt.
  std::string_view maker() const;
  // Whether an embedder of the user's makes them, which may not be there, or not be the same.
  bool is_configured() const {
    return !IsTrained() && !is_user_supplied() && maker() != kHashEmbedder && has_vectors();
  }
  // Whether they come with documents and questions.
  bool is_user_supplied() const { return maker() == kUserSuppliedEmbedder; }

  // Reads the lists of the space, if it has any: before questions are prepared, and vectors made.
  // Errors: Corruption, Unsupported.
  Status LoadCoarseQuantizer(Connection& connection);
  // Reads these and all of the model, where there is one, or finds the configured embedder.
  // Afterwards several threads make embedders of it. Errors: Corruption; NotFound for an embedder
  // that is not configured here; InvalidArgument for one that has changed since it made the
  // vectors; those of opening it.
  Status Load(Connection& connection);
  // Requires: Load, or a space to be filled. Those of a configured embedder that cannot be made
  // say why when they are used.
  std::unique_ptr<Embedder> NewEmbedder() const;
  // For the texts of a question: reads no more of the model than these need, once they are there.
  // One at a time, on the connection's thread, within the transaction.
  std::unique_ptr<Embedder> NewQueryEmbedder(Connection& connection);
  // Vectors of single terms, of which those of texts are made. As above: the space and the
  // connection must outlive it. Errors: InvalidArgument for a space whose vectors are of whole
  // texts; those of Load.
  Result<std::unique_ptr<TermVectors>> NewTermVectors(Connection& connection);

 private:
  class QueryEmbedder;
  EmbeddingSpace(SpaceRow row, uint64_t seed, const EmbedderProvider* provider = nullptr)
      : row_(std::move(row)), vectors_(row_.dim, seed), provider_(provider) {}
  bool IsTrained() const { return has_vectors() && maker() == kLsaEmbedder; }
  // Opens what embeds a question: of a model, nothing but its index.
  Status OpenForQueries(Connection& connection);
  Status FindSource();
  Status UseCoarseQuantizer(std::string bytes);

  SpaceRow row_;
  VectorSpace vectors_;
  const EmbedderProvider* provider_;
  std::unique_ptr<StoredLsaModel> model_;         // of learnt vectors, once it is open
  std::shared_ptr<const EmbedderSource> source_;  // of a configured embedder, likewise
  bool coarse_quantizer_loaded_ = false;
};

// Writes vectors of texts that were analysed, whatever the embedder takes: out.size() ==
// texts.size() * dim. `bodies`: their LexicalText::body.
Status EmbedAnalyzed(Embedder& embedder, std::span<const std::string_view> texts,
                     std::span<const std::string_view> bodies, std::span<float> out);

// The geometry of the vectors that the transaction's segments and tail hold.
Result<VectorSpace> SpaceOf(const ReadTransaction& transaction);

}  // namespace recall
