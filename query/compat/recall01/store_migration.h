#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "query/compat/recall01/recall01_store.h"
#include "query/types/exchange_types.h"
#include "storage/file_io/unfinished_file.h"

namespace recall {

// Migrates a store of recall 0.1. The old store is read completely, a new store is filled under a
// temporary name, and only then files are renamed. If a step fails, or the object is destroyed
// before Finish, the new store is removed and the old one is unchanged.
class StoreMigration final {
 public:
  // Reads request.from. Errors: those of Recall01Store; AlreadyExists if a target name exists.
  static Result<std::unique_ptr<StoreMigration>> Begin(const MigrateRequest& request,
                                                       const std::atomic<bool>* cancel);

  // The settings and the empty file of the new store. The caller creates it there and fills it from
  // the source.
  const CreateOptions& settings() const { return settings_; }
  const UnfinishedFile& new_file() const { return *unfinished_; }
  Recall01Source& source() { return old_.source(); }
  const std::string& generation() const { return old_.generation(); }

  // Renames the files. Requires: the new store is filled and closed. Errors: Busy if the old store
  // has changed in the meantime.
  Status Finish();

 private:
  StoreMigration(const MigrateRequest& request, Recall01Store old,
                 std::unique_ptr<UnfinishedFile> unfinished);

  MigrateRequest request_;
  Recall01Store old_;
  CreateOptions settings_;
  std::unique_ptr<UnfinishedFile> unfinished_;
};

}  // namespace recall
