// Migrates a store of recall 0.1 without changing it until the new one is complete.
//
// 1. Begin: check that the target names are free, and read the old store.
// 2. The caller creates the new store under a temporary name (UnfinishedFile) and fills it.
// 3. Finish: check that the old store has not changed since it was read, and rename the files.
//
// If `to` is the name of the old store, the old file is kept under the name `keep`. TakePlace
// renames both so that opening `to` finds one of the two stores at any moment, even if the process
// is killed.

#include "query/compat/recall01/store_migration.h"

#include <sys/stat.h>

#include <utility>

#include "index/embed/embedder/embedder.h"
#include "index/embed/factory/builtin_embedders.h"
#include "storage/file_io/new_file.h"

namespace recall {
namespace {

Status CheckFree(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return Status::Ok();
  if (S_ISDIR(info.st_mode)) return FileAlreadyThere(path);
  return Status::AlreadyExists(path + ": the file already exists",
                               "move it, or specify another name");
}

CreateOptions SettingsFor(const MigrateRequest& request, const Recall01Store& old) {
  CreateOptions settings = request.settings;
  const bool same_embedder = settings.embedder == "hash" && old.embedder() == "hash";
  if (request.keep_dim && same_embedder && MakeEmbedder("hash", old.dim())) {
    settings.dim = old.dim();
  }
  return settings;
}

}  // namespace

StoreMigration::StoreMigration(const MigrateRequest& request, Recall01Store old,
                               std::unique_ptr<UnfinishedFile> unfinished)
    : request_(request),
      old_(std::move(old)),
      settings_(SettingsFor(request, old_)),
      unfinished_(std::move(unfinished)) {}

Result<std::unique_ptr<StoreMigration>> StoreMigration::Begin(const MigrateRequest& request,
                                                              const std::atomic<bool>* cancel) {
  // If both names refer to one file, an earlier migration was interrupted (TakePlace).
  if (request.keep.empty()) {
    RECALL_TRY(CheckFree(request.to));
  } else if (!IsSameFile(request.to, request.keep)) {
    RECALL_TRY(CheckFree(request.keep));
  }
  RECALL_ASSIGN(Recall01Store old, Recall01Store::Read(request.from, kMaxDocumentBytes, cancel));
  RECALL_ASSIGN(auto unfinished, UnfinishedFile::Create(request.to, 0644));
  return std::unique_ptr<StoreMigration>(
      new StoreMigration(request, std::move(old), std::move(unfinished)));
}

Status StoreMigration::Finish() {
  RECALL_TRY(old_.CheckUnchanged());
  if (request_.keep.empty()) return MoveIntoPlace(unfinished_->path(), request_.to);
  return TakePlace(unfinished_->path(), request_.to, request_.keep);
}

}  // namespace recall
