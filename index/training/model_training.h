#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "storage/base/result.h"
#include "storage/store/store.h"
#include "storage/tables/model_table.h"

namespace recall {

struct ModelTraining {
  // Learn a latent semantic model too: what the store's vectors will be made with.
  bool lsa = false;
  uint32_t rank = 256;  // of that, where there are chunks enough
  // Divide the space of its vectors into lists, or where none is learnt that of the vectors there
  // are; `seed` is that of the space (settings.signature_seed).
  bool lists = false;
  uint64_t seed = 0;
  uint32_t threads = 1;
};

// Learns of the texts of the chunks that the transaction sees: how common each character n-gram is
// and, where that is asked for, a latent model and the lists of its vectors. A sample stands for
// all, drawn by ids, which are hashes, so equal stores learn the same; the threads make no
// difference. Chunks whose text is damaged are left out. Returns: the parts of a model. Errors:
// Cancelled; those of reading texts.
Result<std::vector<ModelPart>> TrainModel(const ReadTransaction& transaction,
                                          const ModelTraining& training,
                                          const std::atomic<bool>& cancelled);

}  // namespace recall
