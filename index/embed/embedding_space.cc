#include "index/embed/embedding_space.h"

#include <algorithm>
#include <utility>

#include "index/latent/latent_embedder.h"
#include "storage/base/check.h"

namespace recall {
namespace {

// Of a space without components.
class EmptyEmbedder final : public Embedder {
 public:
  explicit EmptyEmbedder(const SpaceRow& row) : identity_{row.embedder, row.version, 0} {}
  const Identity& identity() const override { return identity_; }
  Status Embed(std::span<const std::string_view>, std::span<float>) override {
    return Status::Ok();
  }

 private:
  Identity identity_;
};

// Reads the rows of the texts' terms before it asks for their vectors.
class ReadingLatentEmbedder final : public Embedder {
 public:
  ReadingLatentEmbedder(Connection& connection, StoredLatentModel& model)
      : connection_(connection), model_(model), embedder_(model.model()) {}

  const Identity& identity() const override { return embedder_.identity(); }
  Status Embed(std::span<const std::string_view> texts, std::span<float> out) override {
    for (const std::string_view text : texts) {
      RECALL_TRY(model_.ReadRows(connection_, embedder_.FindTerms(text)));
    }
    return embedder_.Embed(texts, out);
  }

 private:
  Connection& connection_;
  StoredLatentModel& model_;
  LatentEmbedder embedder_;
};

Status WrongDimension(const SpaceRow& row) {
  return Status::Corruption("vector space " + std::to_string(row.id) + " has " +
                                std::to_string(row.dim) + " dimensions, not those of its model",
                            "run `recall doctor --fix`");
}

}  // namespace

Result<std::shared_ptr<EmbeddingSpace>> EmbeddingSpace::Open(const ReadTransaction& transaction) {
  RECALL_ASSIGN(const SpaceRow row, transaction.space());
  return Open(transaction.connection(), row, transaction.settings().signature_seed);
}

Result<std::shared_ptr<EmbeddingSpace>> EmbeddingSpace::Open(Connection& connection,
                                                             const SpaceRow& row, uint64_t seed) {
  if (row.embedder != kLearntEmbedder) {
    RECALL_TRY(MakeEmbedder(row.embedder, row.dim));  // refuses what there is not
    return std::shared_ptr<EmbeddingSpace>(new EmbeddingSpace(row, seed));
  }
  if (row.dim != 0 && !VectorSpace::Supports(row.dim)) return Fail(WrongDimension(row));
  std::shared_ptr<EmbeddingSpace> space(new EmbeddingSpace(row, seed));
  if (!space->has_vectors()) return space;
  RECALL_ASSIGN(space->model_, StoredLatentModel::Open(connection, row.model));
  if (space->model_->model().dim() != row.dim) return Fail(WrongDimension(row));
  return space;
}

Result<std::shared_ptr<EmbeddingSpace>> EmbeddingSpace::OfName(std::string_view embedder,
                                                               uint32_t dim, uint64_t seed) {
  RECALL_TRY(MakeEmbedder(embedder, dim));
  const SpaceRow row{.embedder = std::string(embedder), .version = "1", .dim = dim};
  return std::shared_ptr<EmbeddingSpace>(new EmbeddingSpace(row, seed));
}

Result<std::shared_ptr<EmbeddingSpace>> EmbeddingSpace::OfModel(const std::vector<ModelPart>& parts,
                                                                uint64_t seed) {
  RECALL_ASSIGN(auto model, StoredLatentModel::OfParts(parts));
  const Embedder::Identity identity = LatentEmbedder(model->model()).identity();
  const SpaceRow row{.embedder = identity.name, .version = identity.version, .dim = identity.dim};
  std::shared_ptr<EmbeddingSpace> space(new EmbeddingSpace(row, seed));
  space->model_ = std::move(model);
  return space;
}

Status EmbeddingSpace::LoadModel(Connection& connection) {
  return model_ ? model_->ReadAllRows(connection) : Status::Ok();
}

std::unique_ptr<Embedder> EmbeddingSpace::NewEmbedder() const {
  if (model_) return std::make_unique<LatentEmbedder>(model_->model());
  if (!has_vectors()) return std::make_unique<EmptyEmbedder>(row_);
  auto embedder = MakeEmbedder(row_.embedder, row_.dim);
  RECALL_CHECK(embedder.has_value());  // or there would be no space
  return std::move(*embedder);
}

std::unique_ptr<Embedder> EmbeddingSpace::NewQueryEmbedder(Connection& connection) {
  if (!model_) return NewEmbedder();
  return std::make_unique<ReadingLatentEmbedder>(connection, *model_);
}

Status EmbedAnalyzed(Embedder& embedder, std::span<const std::string_view> texts,
                     std::span<const std::string_view> bodies, std::span<float> out) {
  return embedder.TakesStems() ? embedder.EmbedStems(bodies, out) : embedder.Embed(texts, out);
}

Result<VectorSpace> SpaceOf(const ReadTransaction& transaction) {
  RECALL_ASSIGN(const SpaceRow row, transaction.space());
  if (row.dim != 0 && !VectorSpace::Supports(row.dim)) return Fail(WrongDimension(row));
  return VectorSpace(row.dim, transaction.settings().signature_seed);
}

}  // namespace recall
