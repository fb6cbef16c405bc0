#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "query/migration/published_store.h"
#include "query/types/store_types.h"
#include "storage/file_io/new_file.h"

namespace recall {

// How a store of recall 0.1 becomes one of this program: it is read whole, a new store is filled
// under another name, and only then anything changes its name. Whatever fails, or whenever it is
// dropped, nothing is left of the new store, and the old one is as it was.
class StoreMigration final {
 public:
  // Reads request.from. Errors: those of PublishedStore; AlreadyExists for names that are taken.
  static Result<std::unique_ptr<StoreMigration>> Begin(const MigrateRequest& request,
                                                       const std::atomic<bool>* cancel);

  // What the new store shall be made with, and where; then filled from the source.
  const CreateOptions& settings() const { return settings_; }
  const std::string& new_path() const { return unfinished_.path(); }
  PublishedSource& source() { return old_.source(); }
  const std::string& generation() const { return old_.generation(); }

  // Requires: the new store is filled and closed. Busy when the old one has changed meanwhile.
  Status Finish();

 private:
  StoreMigration(const MigrateRequest& request, PublishedStore old);

  MigrateRequest request_;
  PublishedStore old_;
  CreateOptions settings_;
  UnfinishedFile unfinished_;
};

}  // namespace recall
