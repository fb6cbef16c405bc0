#include "index/write/training/shared_model.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "index/embed/embedder/embedder_names.h"
#include "index/embed/lsa/stored_model.h"
#include "index/embed/vector_space/coarse_quantizer.h"
#include "index/search/ngram/ngram_statistics.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/meta_table.h"

namespace recall {
namespace {

constexpr const char* kSharedModelKey = "shared_model";

bool IsShared(std::string_view kind) {
  return IsLsaPart(kind) || kind == kNgramPart || kind == kCoarseQuantizerPart;
}

Status HasNoModel(const std::string& path) {
  return Status::NotFound(path + ": the store has no LSA model to share",
                          "a store has one as soon as it has 16 chunks and its embedder is lsa");
}

}  // namespace

Result<SharedModel> ReadSharedModel(const ReadTransaction& transaction) {
  Connection& connection = transaction.connection();
  RECALL_ASSIGN(const SpaceRow* const space, transaction.space());
  if (space->embedder != kLsaEmbedder || space->model == 0) {
    return Fail(HasNoModel(transaction.path()));
  }
  SharedModel shared;
  shared.dim = transaction.settings().dim;
  shared.seed = transaction.settings().signature_seed;
  shared.version = space->version;
  RECALL_ASSIGN(const std::vector<std::string> kinds, ListModelParts(connection, space->model));
  const StoredModels models(connection);
  for (const std::string& kind : kinds) {
    if (!IsShared(kind)) continue;
    RECALL_ASSIGN(auto data, models.ReadPart(space->model, kind));
    if (data) shared.parts.push_back({kind, *std::move(data)});
  }
  // A space of which only centroids are trained has a model, too.
  if (std::ranges::find(shared.parts, kLsaPart, &ModelPart::kind) == shared.parts.end()) {
    return Fail(HasNoModel(transaction.path()));
  }
  return shared;
}

Result<bool> HasSharedModel(Connection& connection, const SpaceRow& active) {
  if (active.embedder != kLsaEmbedder || active.model == 0) return false;
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT value FROM meta WHERE key = ?1"));
  const StatementScope select(cached);
  select->BindText(1, kSharedModelKey);
  RECALL_ASSIGN(const bool row, select->Step());
  return row && select->ColumnInt(0) == active.model;
}

Status RecordSharedModel(Connection& connection, int64_t model) {
  if (model != 0) return WriteMetaCounter(connection, kSharedModelKey, model);
  RECALL_ASSIGN(Statement * remove, connection.Cached("DELETE FROM meta WHERE key = ?1"));
  remove->BindText(1, kSharedModelKey);
  return remove->Run();
}

}  // namespace recall
