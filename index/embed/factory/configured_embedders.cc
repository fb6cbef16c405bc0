#include "index/embed/factory/configured_embedders.h"

#include <algorithm>
#include <utility>

#include "index/embed/embedder/embedder_names.h"
#include "index/embed/model2vec/model2vec_embedder.h"
#include "index/embed/model2vec/model2vec_term_vectors.h"
#include "index/embed/remote/command_embedder.h"
#include "index/embed/remote/http_embedder.h"
#include "index/embed/vector_space/vector_space.h"
#include "storage/base/nearest_word.h"

namespace recall {
namespace {

Embedder::Identity Named(const EmbedderConfig& config, const Embedder::Identity& own) {
  return {config.name, std::string(EmbedderKindName(config.kind)) + " " + own.version, own.dim};
}

class Model2VecSource final : public EmbedderSource {
 public:
  Model2VecSource(const EmbedderConfig& config, std::unique_ptr<Model2VecModel> model)
      : model_(std::move(model)), identity_(Named(config, Model2VecEmbedder(*model_).identity())) {}

  const Embedder::Identity& identity() const override { return identity_; }
  Result<std::unique_ptr<Embedder>> New() const override {
    return std::make_unique<Model2VecEmbedder>(*model_);
  }
  std::unique_ptr<TermVectors> NewTermVectors() const override {
    return std::make_unique<Model2VecTermVectors>(*model_);
  }

 private:
  std::unique_ptr<Model2VecModel> model_;
  Embedder::Identity identity_;
};

// A source that opens an embedder again, with the same options, for each thread.
template <typename OneEmbedder, typename Options>
class ReopeningSource final : public EmbedderSource {
 public:
  static Result<std::shared_ptr<const EmbedderSource>> Open(const EmbedderConfig& config,
                                                            Options options) {
    RECALL_ASSIGN(const auto first, OneEmbedder::Open(options));
    options.dim = first->identity().dim;  // later instances need no request to determine it
    if constexpr (requires { options.trial; }) options.trial = false;
    return std::make_shared<ReopeningSource>(std::move(options), Named(config, first->identity()));
  }

  ReopeningSource(Options options, Embedder::Identity identity)
      : options_(std::move(options)), identity_(std::move(identity)) {}

  const Embedder::Identity& identity() const override { return identity_; }
  Result<std::unique_ptr<Embedder>> New() const override { return OneEmbedder::Open(options_); }

 private:
  Options options_;
  Embedder::Identity identity_;
};

Result<std::shared_ptr<const EmbedderSource>> OpenSource(const EmbedderConfig& config, uint32_t dim,
                                                         const std::atomic<bool>* cancel) {
  const bool is_new = dim == 0;
  if (config.dim != 0) dim = config.dim;
  switch (config.kind) {
    case EmbedderKind::kModel2Vec: {
      RECALL_ASSIGN(auto model, Model2VecModel::Open(config.path));
      return std::make_shared<Model2VecSource>(config, std::move(model));
    }
    case EmbedderKind::kCommand: {
      CommandEmbedderOptions options;
      options.argv = config.command;
      options.model = config.model;
      options.dim = dim;
      options.trial = is_new;
      options.cancel = cancel;
      return ReopeningSource<CommandEmbedder, CommandEmbedderOptions>::Open(config, options);
    }
    case EmbedderKind::kOpenAi:
    case EmbedderKind::kOllama:
      break;
  }
  HttpEmbedderOptions options;
  const bool ollama = config.kind == EmbedderKind::kOllama;
  options.protocol = ollama ? EmbeddingProtocol::kOllama : EmbeddingProtocol::kOpenAi;
  options.url = config.url;
  options.model = config.model;
  options.key_variable = config.key_variable;
  options.dim = dim;
  options.cancel = cancel;
  return ReopeningSource<HttpEmbedder, HttpEmbedderOptions>::Open(config, options);
}

// The error for a name that no embedder has.
Status UnknownEmbedder(std::string_view name, const std::vector<EmbedderConfig>& configs) {
  std::vector<std::string> known = {std::string(kLsaEmbedder), std::string(kHashEmbedder)};
  for (const EmbedderConfig& config : configs) known.push_back(config.name);
  const std::string nearest = NearestWord(name, known);
  std::string hint = "known embedders: ";
  for (const std::string& each : known) hint += (&each == known.data() ? "" : ", ") + each;
  return Status::NotFound("the embedder \"" + std::string(name) + "\" is not configured",
                          nearest.empty()
                              ? hint + "; docs/embedders.md describes how to configure others"
                              : "did you mean " + nearest + "?");
}

}  // namespace

std::string_view EmbedderKindName(EmbedderKind kind) {
  switch (kind) {
    case EmbedderKind::kModel2Vec:
      return "model2vec";
    case EmbedderKind::kCommand:
      return "command";
    case EmbedderKind::kOpenAi:
      return "openai";
    case EmbedderKind::kOllama:
      break;
  }
  return "ollama";
}

Result<std::shared_ptr<const EmbedderSource>> ConfiguredEmbedders::Find(std::string_view name,
                                                                        uint32_t dim) const {
  const std::lock_guard lock(mutex_);
  if (const auto open = open_.find(name); open != open_.end()) return open->second;
  const auto config = std::ranges::find(configs_, name, &EmbedderConfig::name);
  if (config == configs_.end()) {
    return Fail(UnknownEmbedder(name, configs_));
  }
  auto source = OpenSource(*config, dim, cancel_);
  if (!source) {
    return Fail(source.error().WithContext("embedder \"" + config->name + "\""));
  }
  if (const uint32_t has = (*source)->identity().dim; !VectorGeometry::Supports(has)) {
    return Fail(Status::InvalidArgument("the embedder \"" + config->name + "\" has vectors of " +
                                            std::to_string(has) + " dimensions",
                                        "8 to 4096 are supported"));
  }
  open_.emplace(config->name, *source);
  return *source;
}

}  // namespace recall
