#include "index/embed/factory/embedding_space.h"

#include <algorithm>
#include <utility>

#include "index/embed/factory/builtin_embedders.h"
#include "index/embed/lsa/lsa_embedder.h"
#include "index/embed/lsa/lsa_term_vectors.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"

namespace recall {
namespace {

// A vector space of a store is a row of the table `space`: embedder, version, number of dimensions,
// and the model (a set of parts) if it has one. This file connects the row with code that computes
// vectors:
//
//   row.embedder  row.version     vectors are computed by
//   "hash"        "1"             HashEmbedder
//   "lsa"         "hash-1"        HashEmbedder: the store has too few texts to train a model
//   "lsa"         "1-<model>"     LsaEmbedder, with the model of parts row.model
//   "given"       "1"             none: they come with documents and queries
//   other names   "<kind> ..."    an EmbedderProvider: Model2Vec, a command, a server
//   dim 0                         EmptyEmbedder: the store has no texts to train on yet
//
// The problem: most queries of a command-line program are short, and reading the model and the
// coarse quantizer (the centroids of the IVF lists) costs more than the search. Both are therefore
// read lazily. Opening a space reads nothing; QueryEmbedder opens the model with the first text and
// reads only the pieces with its terms; LoadVectors reads the coarse quantizer before the first
// vector is prepared; Load reads everything, for ingest and for several threads.
//
// Invariant: what is read lazily is read completely before it is used, so that the first answer of
// a process is that of any later one. There is no VectorSpace until the lists are known.
//
// Invariant: a configured embedder must have the version and dimension that the row records.
// Otherwise its vectors could not be compared with the stored ones, and Load fails. An embedder
// that cannot be constructed is replaced by FailingEmbedder, which returns the error when it is
// used.

// The version of an "lsa" space whose vectors are still computed by the hash embedder.
constexpr std::string_view kHashedVersion = "hash-1";

// The embedder of a space of dimension 0.
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

// Replaces an embedder that could not be made, and returns the reason as an error.
class FailingEmbedder final : public Embedder {
 public:
  FailingEmbedder(const SpaceRow& row, Status why)
      : identity_{row.embedder, row.version, row.dim}, why_(std::move(why)) {}
  const Identity& identity() const override { return identity_; }
  Status Embed(std::span<const std::string_view>, std::span<float>) override { return why_; }

 private:
  Identity identity_;
  Status why_;
};

Status WrongDimension(const SpaceRow& row) {
  return Status::Corruption("vector space " + std::to_string(row.id) + " has " +
                                std::to_string(row.dim) + " dimensions, but its model has others",
                            "run `recall doctor --fix`");
}

Status NotConfigured(std::string_view name) {
  return Status::NotFound("the embedder \"" + std::string(name) + "\" is not configured",
                          "docs/embedders.md describes how to configure it");
}

Status Changed(const SpaceRow& row, const Embedder::Identity& now) {
  return Status::InvalidArgument(
      "the embedder \"" + row.embedder + "\" now has version \"" + now.version + "\" with " +
          std::to_string(now.dim) + " dimensions; the store's vectors are of \"" + row.version +
          "\" with " + std::to_string(row.dim),
      "run `recall embed --as " + row.embedder + "`, or configure the embedder that computed them");
}

}  // namespace

Status HasNoTerms(const SpaceRow& row) {
  const std::string hint = "only lsa, after training, and model2vec have vectors of terms";
  if (row.embedder != kLsaEmbedder) {
    return Status::InvalidArgument(
        "the vectors of \"" + row.embedder + "\" are vectors of whole texts, not of terms", hint);
  }
  return Status::InvalidArgument("the store has no vectors of terms yet",
                                 hint + "; a model is trained when the store has enough texts");
}

// Opens the model with the first text, and reads only the terms of the texts.
class EmbeddingSpace::QueryEmbedder final : public Embedder {
 public:
  QueryEmbedder(const ModelReader& models, EmbeddingSpace& space)
      : models_(models),
        space_(space),
        identity_{space.row_.embedder, space.row_.version, space.row_.dim} {}

  const Identity& identity() const override { return identity_; }
  bool TakesStems() const override { return space_.IsTrained(); }
  Status EmbedStems(std::span<const std::string_view> bodies, std::span<float> out) override {
    RECALL_TRY(Open());
    for (const std::string_view body : bodies) {
      RECALL_TRY(space_.model_->ReadTerms(models_, lsa_->HashStems(body)));
    }
    return lsa_->EmbedStems(bodies, out);
  }
  Status EmbedQuestion(std::string_view text, std::span<float> out) override {
    RECALL_TRY(Open());
    if (!lsa_) return embedder_->EmbedQuestion(text, out);
    const std::string body(lsa_->StemsOf(text));
    RECALL_TRY(space_.model_->ReadTerms(models_, lsa_->HashStems(body)));
    const auto read = [&](uint64_t hash) { return space_.model_->ReadTerms(models_, {&hash, 1}); };
    RECALL_ASSIGN(const std::vector<StandIn> more,
                  FindStandIns(space_.model_->model(), body, read));
    lsa_->EmbedWith(text, more, out);
    return Status::Ok();
  }
  Status Embed(std::span<const std::string_view> texts, std::span<float> out) override {
    RECALL_TRY(Open());
    if (!lsa_) return embedder_->Embed(texts, out);
    for (const std::string_view text : texts) {
      RECALL_TRY(space_.model_->ReadTerms(models_, lsa_->HashTerms(text)));
    }
    return lsa_->Embed(texts, out);
  }
  Result<KnownShare> ShareOf(std::string_view text) override {
    RECALL_TRY(internal::ToStatus(Open()));
    if (!lsa_) return embedder_->ShareOf(text);
    RECALL_TRY(space_.model_->ReadTerms(models_, lsa_->HashTerms(text)));
    return lsa_->ShareOf(text);
  }

 private:
  Status Open() {
    if (lsa_ || embedder_) return Status::Ok();
    RECALL_TRY(space_.OpenForQueries(models_));
    if (space_.model_) lsa_ = std::make_unique<LsaEmbedder>(space_.model_->model());
    if (!space_.model_) embedder_ = space_.MakeOpenEmbedder();
    if (embedder_) embedder_->DoNotRetry();
    return Status::Ok();
  }

  const ModelReader& models_;
  EmbeddingSpace& space_;
  Identity identity_;
  std::unique_ptr<LsaEmbedder> lsa_;  // one of the two is set by the first text
  std::unique_ptr<Embedder> embedder_;
};

Result<std::shared_ptr<EmbeddingSpace>> EmbeddingSpace::Open(const ReadTransaction& transaction,
                                                             const EmbedderProvider* provider) {
  RECALL_ASSIGN(const SpaceRow* const row, transaction.space());
  return OfRow(*row, transaction.settings().signature_seed, provider);
}

Result<std::shared_ptr<EmbeddingSpace>> EmbeddingSpace::Reopen(
    const ReadTransaction& transaction) const {
  return Open(transaction, provider_);
}

Result<std::shared_ptr<EmbeddingSpace>> EmbeddingSpace::OfRow(const SpaceRow& row, uint64_t seed,
                                                              const EmbedderProvider* provider) {
  if (row.dim != 0 && !VectorGeometry::Supports(row.dim)) return Fail(WrongDimension(row));
  return std::shared_ptr<EmbeddingSpace>(new EmbeddingSpace(row, seed, provider));
}

Result<std::shared_ptr<EmbeddingSpace>> EmbeddingSpace::OfEmbedder(
    std::string_view name, const StoreSettings& settings, const EmbedderProvider* provider) {
  SpaceRow row{.embedder = std::string(name), .version = "1", .dim = settings.dim};
  std::shared_ptr<const EmbedderSource> source;
  if (name != kHashEmbedder && name != kUserSuppliedEmbedder) {
    if (provider == nullptr) return Fail(NotConfigured(name));
    RECALL_ASSIGN(source, provider->Find(name, 0));
    row.version = source->identity().version;
    row.dim = source->identity().dim;
  }
  RECALL_ASSIGN(auto space, OfRow(row, settings.signature_seed, provider));
  space->source_ = std::move(source);
  space->loaded_ = true;
  return space;
}

Result<std::shared_ptr<EmbeddingSpace>> EmbeddingSpace::BeforeModel(uint32_t dim, uint64_t seed) {
  return OfRow(
      {.embedder = std::string(kLsaEmbedder), .version = std::string(kHashedVersion), .dim = dim},
      seed);
}

Result<std::shared_ptr<EmbeddingSpace>> EmbeddingSpace::OfModel(const std::vector<ModelPart>& parts,
                                                                uint64_t seed) {
  RECALL_ASSIGN(auto model, StoredLsaModel::OfParts(parts));
  const Embedder::Identity identity = LsaEmbedder(model->model()).identity();
  const SpaceRow row{.embedder = identity.name, .version = identity.version, .dim = identity.dim};
  std::shared_ptr<EmbeddingSpace> space(new EmbeddingSpace(row, seed));
  space->model_ = std::move(model);
  space->loaded_ = true;
  const auto lists = std::ranges::find(parts, kCoarseQuantizerPart, &ModelPart::kind);
  if (lists != parts.end()) RECALL_TRY(space->UseLists(lists->data));
  return space;
}

Result<std::shared_ptr<EmbeddingSpace>> EmbeddingSpace::WithCoarseQuantizer(const SpaceRow& row,
                                                                            uint64_t seed,
                                                                            std::string lists) {
  const SpaceRow same{.embedder = row.embedder, .version = row.version, .dim = row.dim};
  RECALL_ASSIGN(auto space, OfRow(same, seed));
  RECALL_TRY(space->UseLists(std::move(lists)));
  return space;
}

std::string_view EmbeddingSpace::maker() const {
  return row_.version == kHashedVersion ? kHashEmbedder : std::string_view(row_.embedder);
}

Result<const VectorSpace*> EmbeddingSpace::LoadVectors(const ModelReader& models) {
  if (vectors_) return &*vectors_;
  RECALL_ASSIGN(auto lists, models.ReadPart(row_.model, kCoarseQuantizerPart));
  if (lists) {
    RECALL_TRY(UseLists(*std::move(lists)));
  } else {
    vectors_.emplace(geometry_, nullptr);
  }
  return &*vectors_;
}

const VectorSpace& EmbeddingSpace::vectors() const {
  RECALL_CHECK(vectors_.has_value());
  return *vectors_;
}

Status EmbeddingSpace::UseLists(std::string bytes) {
  RECALL_ASSIGN(CoarseQuantizer lists, CoarseQuantizer::Open(std::move(bytes)));
  if (lists.dim() != geometry_.padded_dim()) return WrongDimension(row_);
  vectors_.emplace(geometry_, std::make_shared<const CoarseQuantizer>(std::move(lists)));
  return Status::Ok();
}

Status EmbeddingSpace::FindSource() {
  if (provider_ == nullptr) return NotConfigured(row_.embedder);
  RECALL_ASSIGN(source_, provider_->Find(row_.embedder, row_.dim));
  return Status::Ok();
}

Status EmbeddingSpace::OpenForQueries(const ModelReader& models) {
  if (model_ || source_) return Status::Ok();
  if (IsTrained()) {
    RECALL_ASSIGN(auto model, StoredLsaModel::Open(models, row_.model));
    if (model->model().dim() != row_.dim) return WrongDimension(row_);
    model_ = std::move(model);
  }
  if (!is_configured()) return Status::Ok();
  RECALL_TRY(FindSource());
  const Embedder::Identity& now = source_->identity();
  if (now.version == row_.version && now.dim == row_.dim) return Status::Ok();
  const Status changed = Changed(row_, now);
  source_ = nullptr;
  return changed;
}

Result<std::unique_ptr<TermVectors>> EmbeddingSpace::NewTermVectors(const ModelReader& models) {
  RECALL_TRY(OpenForQueries(models));
  if (model_) return std::make_unique<LsaTermVectors>(models, *model_);
  std::unique_ptr<TermVectors> made;
  if (source_) made = source_->NewTermVectors();
  if (!made) return Fail(HasNoTerms(row_));
  return made;
}

Status EmbeddingSpace::Load(const ModelReader& models) {
  RECALL_TRY(internal::ToStatus(LoadVectors(models)));
  RECALL_TRY(OpenForQueries(models));
  if (model_) RECALL_TRY(model_->ReadAllTerms(models));
  loaded_ = true;
  return Status::Ok();
}

std::unique_ptr<Embedder> EmbeddingSpace::NewEmbedder() const {
  RECALL_CHECK(IsLoaded());
  if (!has_vectors()) return std::make_unique<EmptyEmbedder>(row_);
  if (IsTrained()) return std::make_unique<LsaEmbedder>(model_->model());
  return MakeOpenEmbedder();
}

std::unique_ptr<Embedder> EmbeddingSpace::MakeOpenEmbedder() const {
  auto embedder = source_ ? source_->New() : MakeEmbedder(maker(), row_.dim);
  if (!embedder) return std::make_unique<FailingEmbedder>(row_, embedder.error());
  return std::move(*embedder);
}

std::unique_ptr<Embedder> EmbeddingSpace::NewQueryEmbedder(const ModelReader& models) {
  if (!IsTrained() && !is_configured()) return NewEmbedder();
  return std::make_unique<QueryEmbedder>(models, *this);
}

Status EmbedAnalyzed(Embedder& embedder, std::span<const std::string_view> texts,
                     std::span<const std::string_view> bodies, std::span<float> out) {
  const auto given = embedder.TakesStems() ? bodies : texts;
  const auto embed = [&](std::span<const std::string_view> some, std::span<float> vectors) {
    return embedder.TakesStems() ? embedder.EmbedStems(some, vectors)
                                 : embedder.Embed(some, vectors);
  };
  const auto is_empty = [](std::string_view text) { return text.empty(); };
  if (std::ranges::none_of(texts, is_empty)) return embed(given, out);
  std::vector<std::string_view> asked;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!is_empty(texts[i])) asked.push_back(given[i]);
  }
  const size_t dim = embedder.identity().dim;
  std::vector<float> vectors(asked.size() * dim);
  RECALL_TRY(embed(asked, vectors));
  std::ranges::fill(out, 0.0f);
  auto next = vectors.begin();
  for (size_t i = 0; i < texts.size(); ++i) {
    if (is_empty(texts[i])) continue;
    std::copy_n(next, dim, out.begin() + static_cast<ptrdiff_t>(i * dim));
    next += static_cast<ptrdiff_t>(dim);
  }
  return Status::Ok();
}

Result<std::shared_ptr<const EmbeddingSpace>> OpenSpace(Store& store,
                                                        const EmbedderProvider* embedders) {
  RECALL_ASSIGN(const auto transaction, store.BeginRead());
  RECALL_ASSIGN(const auto space, EmbeddingSpace::Open(*transaction, embedders));
  RECALL_TRY(space->Load(StoredModels(transaction->connection())));
  return space;
}

Result<VectorGeometry> GeometryOf(const ReadTransaction& transaction) {
  RECALL_ASSIGN(const SpaceRow* const row, transaction.space());
  if (row->dim != 0 && !VectorGeometry::Supports(row->dim)) return Fail(WrongDimension(*row));
  return VectorGeometry(row->dim, transaction.settings().signature_seed);
}

}  // namespace recall
