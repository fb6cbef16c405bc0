#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "index/embed/embedder/embedder.h"
#include "index/embed/embedder/embedder_names.h"
#include "index/embed/embedder/embedder_source.h"
#include "index/embed/lsa/stored_model.h"
#include "index/embed/vector_space/vector_space.h"
#include "storage/store/store.h"
#include "storage/tables/space_table.h"

namespace recall {

// One vector space of a store: its geometry, and access to its embedder. A space of dimension 0,
// that of a store without a trained model, has an embedder that makes empty vectors. Embedders
// refer to the space. Immutable but for the IVF lists and the model, which are read on first use.
class EmbeddingSpace final {
 public:
  // The active space of the transaction's commit. Opens neither model nor embedder. `provider`
  // finds embedders that are not built in; null: there are none. It must outlive the space. Errors:
  // InvalidArgument, Corruption for an invalid row.
  static Result<std::shared_ptr<EmbeddingSpace>> Open(const ReadTransaction& transaction,
                                                      const EmbedderProvider* provider = nullptr);
  // Opens the active space of another transaction with the provider of this space.
  Result<std::shared_ptr<EmbeddingSpace>> Reopen(const ReadTransaction& transaction) const;
  // Opens any space of the store. `seed` is settings.signature_seed.
  static Result<std::shared_ptr<EmbeddingSpace>> OfRow(const SpaceRow& row, uint64_t seed,
                                                       const EmbedderProvider* provider = nullptr);
  // Spaces that will be filled with vectors: OfEmbedder for an embedder without training, OfModel
  // for an LSA model that is not stored yet, BeforeModel for a store that has too few texts to
  // train a model (the hash embedder makes its vectors). Errors: NotFound for an unknown name;
  // those of opening the embedder.
  static Result<std::shared_ptr<EmbeddingSpace>> OfEmbedder(std::string_view name,
                                                            const StoreSettings& settings,
                                                            const EmbedderProvider* provider);
  static Result<std::shared_ptr<EmbeddingSpace>> OfModel(const std::vector<ModelPart>& parts,
                                                         uint64_t seed);
  static Result<std::shared_ptr<EmbeddingSpace>> BeforeModel(uint32_t dim, uint64_t seed);
  // The same vectors as those of another space, but with other IVF lists. `lists`: the bytes of a
  // part kCoarseQuantizerPart.
  static Result<std::shared_ptr<EmbeddingSpace>> WithCoarseQuantizer(const SpaceRow& row,
                                                                     uint64_t seed,
                                                                     std::string lists);

  const SpaceRow& row() const { return row_; }
  const VectorGeometry& geometry() const { return geometry_; }
  bool has_vectors() const { return geometry_.dim() > 0; }
  // The name of the embedder that makes the vectors. Before a model is trained it differs from the
  // name in the row.
  std::string_view maker() const;
  // Whether a configured embedder of the user makes the vectors. It may be missing or have changed.
  bool is_configured() const {
    return !IsTrained() && !is_user_supplied() && maker() != kHashEmbedder && has_vectors();
  }
  // Whether vectors are supplied with documents and queries.
  bool is_user_supplied() const { return maker() == kUserSuppliedEmbedder; }

  // What prepares queries and makes vectors, with the IVF lists of the space, which the first call
  // reads if there are any. Valid as long as the space. Errors: Corruption, Unsupported.
  Result<const VectorSpace*> LoadVectors(const ModelReader& models);
  // The same. Requires: its lists were loaded, or it has none.
  const VectorSpace& vectors() const;
  // Reads the IVF lists and the whole model, if there is one, or finds the configured
  // embedder. Afterwards several threads may call NewEmbedder. Errors: Corruption; NotFound for an
  // embedder that is not configured here; InvalidArgument for one that has changed since it made
  // the vectors; those of opening it.
  Status Load(const ModelReader& models);
  // Whether NewEmbedder may be called.
  bool IsLoaded() const { return loaded_ || (!IsTrained() && !is_configured()); }
  // Makes an embedder. Requires: IsLoaded. If a configured
  // embedder cannot be made, the returned one reports the error when it is used.
  std::unique_ptr<Embedder> NewEmbedder() const;
  // Makes an embedder for few texts, such as queries, which reads only the terms of the model that
  // they need, and gives the same vectors. It does not retry what failed. At most one at a time, on
  // the reader's thread, within the transaction. The space and the reader must outlive it.
  std::unique_ptr<Embedder> NewQueryEmbedder(const ModelReader& models);
  // Vectors of single terms, from which the vectors of texts are summed. The space and the
  // reader must outlive it. Errors: InvalidArgument for an embedder without vectors of terms;
  // those of Load.
  Result<std::unique_ptr<TermVectors>> NewTermVectors(const ModelReader& models);

 private:
  class QueryEmbedder;
  EmbeddingSpace(SpaceRow row, uint64_t seed, const EmbedderProvider* provider = nullptr)
      : row_(std::move(row)), geometry_(row_.dim, seed), provider_(provider) {
    if (row_.model == 0 || !has_vectors()) vectors_.emplace(geometry_, nullptr);
  }
  bool IsTrained() const { return has_vectors() && maker() == kLsaEmbedder; }
  // Opens the part that queries need: the index of the model, or the configured embedder.
  Status OpenForQueries(const ModelReader& models);
  // The embedder of a space without a model.
  std::unique_ptr<Embedder> MakeOpenEmbedder() const;
  Status FindSource();
  Status UseLists(std::string bytes);

  SpaceRow row_;
  VectorGeometry geometry_;
  std::optional<VectorSpace> vectors_;  // unset until its IVF lists are known
  const EmbedderProvider* provider_;
  std::unique_ptr<StoredLsaModel> model_;         // of a trained space, once it is open
  std::shared_ptr<const EmbedderSource> source_;  // of a configured embedder, once it is open
  bool loaded_ = false;  // all terms of model_ are read, or source_ is open
};

// Embeds texts that were already analysed, by their stems if the embedder takes stems. `bodies`:
// their LexicalText::body. Requires: out.size() == texts.size() * dim.
Status EmbedAnalyzed(Embedder& embedder, std::span<const std::string_view> texts,
                     std::span<const std::string_view> bodies, std::span<float> out);

// The active vector space of the newest commit, loaded. Errors: those of EmbeddingSpace::Load.
Result<std::shared_ptr<const EmbeddingSpace>> OpenSpace(Store& store,
                                                        const EmbedderProvider* embedders);

// The geometry of the vectors in the segments and the delta of the transaction's commit.
Result<VectorGeometry> GeometryOf(const ReadTransaction& transaction);

}  // namespace recall
