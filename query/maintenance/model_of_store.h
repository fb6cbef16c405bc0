#pragma once

#include <functional>
#include <memory>
#include <string>

#include "index/write/training/shared_model.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

// Reads the model of another store, to adopt it. Errors: those of Store::Open, and NotFound if
// there is no such store, or if it has no LSA model.
Result<SharedModel> ReadModelOf(const std::string& path);

// Makes an empty store: in the file, or at its own path if that is null.
using StoreMaker = std::function<Result<std::unique_ptr<Store>>(const UnfinishedFile* file)>;

// Makes an empty store with this model at `path`. A file appears with the model or not at all; on
// a server the model is a commit of its own.
Status MakeStoreWithModel(const std::string& path, const SharedModel& model,
                          const StoreMaker& make);

}  // namespace recall
