#pragma once

// A model that stores share: one store trained it, others adopted it.
//
// A model consists of parts (storage/tables/model_table.h). Those that are shared make vectors and
// weights: the LSA model, the counts of character n-grams, and the IVF lists. The index of the
// vocabulary is that of a store's own texts, and is not shared. So no word of the texts is copied:
// the LSA model contains hashes of stems.
//
// A store with a shared model is not trained on its own texts. Its table `meta` names the model in
// the row `shared_model`. The row is void if the active space uses another model, as after a
// training by a program that does not know the row.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"
#include "storage/store/store.h"
#include "storage/tables/model_table.h"
#include "storage/tables/space_table.h"

namespace recall {

class Connection;

struct SharedModel {
  std::vector<ModelPart> parts;
  uint32_t dim = 0;     // of the store that it was read from (settings.dim)
  uint64_t seed = 0;    // of its vector space (settings.signature_seed)
  std::string version;  // SpaceRow::version of spaces with this model
};

// Reads the shared parts of the model of a store. Errors: NotFound if the store has no LSA model;
// Corruption.
Result<SharedModel> ReadSharedModel(const ReadTransaction& transaction);

// Whether the active space uses a model that the store has adopted.
Result<bool> HasSharedModel(Connection& connection, const SpaceRow& active);

// Records that the active space uses an adopted model; 0: one of its own. Requires: a write
// transaction.
Status RecordSharedModel(Connection& connection, int64_t model);

}  // namespace recall
