#pragma once

#include <atomic>
#include <string>

#include "index/embed/embedder/embedder_source.h"
#include "index/source/extract/types/password_source.h"
#include "index/source/extract/types/user_extractor.h"
#include "query/types/add_types.h"
#include "storage/store/store.h"

namespace recall {

// The parts of the database that RunAdd uses. All must outlive the call.
struct AddDependencies {
  Store* store;
  const EmbedderProvider* embedders;  // the configured external embedders
  std::string root;                   // absolute: the directory that document paths are relative to
  size_t threads = 1;
  const std::atomic<bool>* cancel = nullptr;
  const std::vector<UserExtractor>* extractors = nullptr;  // the user's own; null: none
  const PasswordSource* passwords = nullptr;               // of the settings; null: none
};

// Adds files or JSON lines to the store. See Database::Add.
Result<AddReport> RunAdd(const AddDependencies& deps, const AddRequest& request,
                         const AddProgressFn& progress);

}  // namespace recall
