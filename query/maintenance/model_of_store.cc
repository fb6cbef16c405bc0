#include "query/maintenance/model_of_store.h"

#include <atomic>
#include <utility>

#include "index/embed/embedder/embedder_names.h"
#include "index/write/training/reembedding.h"
#include "storage/file_io/new_file.h"
#include "storage/file_io/unfinished_file.h"
#include "storage/postgres/postgres_address.h"

namespace recall {
namespace {

Status Adopt(Store& store, const SharedModel& model) {
  const std::atomic<bool> never = false;
  return internal::ToStatus(
      Reembed(store, nullptr, never, {.embedder = std::string(kLsaEmbedder), .model = &model}));
}

}  // namespace

Result<SharedModel> ReadModelOf(const std::string& path) {
  auto store = Store::Open(path, {.read_only = true});
  // "Store not found" is said only of the store that a command works on.
  if (!store && store.error().code() == StatusCode::kStoreNotFound) {
    return Fail(Status::NotFound("no such store: " + path));
  }
  if (!store) return Fail(store.error());
  RECALL_ASSIGN(const auto transaction, (*store)->BeginRead());
  return ReadSharedModel(*transaction);
}

Status MakeStoreWithModel(const std::string& path, const SharedModel& model,
                          const StoreMaker& make) {
  if (IsPostgresAddress(path)) {
    RECALL_ASSIGN(const auto store, make(nullptr));
    return Adopt(*store, model);
  }
  RECALL_ASSIGN(const auto file, UnfinishedFile::Create(path, 0644));
  {
    RECALL_ASSIGN(const auto store, make(file.get()));
    RECALL_TRY(Adopt(*store, model));
  }
  return MoveIntoPlace(file->path(), path);
}

}  // namespace recall
