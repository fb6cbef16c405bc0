#pragma once

#include <atomic>
#include <string>

#include "index/ingest/document_builder.h"
#include "query/types/store_types.h"
#include "storage/store/store.h"

namespace recall {

// What an add works with. All of it must outlive the add.
struct AddTools {
  Store* store;
  const EmbedderProvider* embedders;  // those that are not this program's own
  std::string root;                   // absolute: the directory that document paths are relative to
  size_t threads = 1;
  const std::atomic<bool>* cancel = nullptr;
};

// Brings the store up to date with files or lines. See Database::Add.
Result<AddReport> RunAdd(const AddTools& tools, const AddRequest& request,
                         const AddProgressFn& progress);

}  // namespace recall
