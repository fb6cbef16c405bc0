#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "storage/base/result.h"
#include "storage/store/store.h"
#include "storage/tables/model_table.h"

namespace recall {

struct ModelTraining {
  // Train an LSA model, which then makes the store's vectors.
  bool lsa = false;
  uint32_t rank = 256;  // of the LSA model, if there are enough chunks
  // Train IVF lists: of the space of the LSA model's vectors or, if no such model is trained,
  // of the stored vectors. `seed` is the seed of the space (settings.signature_seed).
  bool lists = false;
  uint64_t seed = 0;
  bool terms = false;  // make an index of the vocabulary
  bool ngrams = true;  // count character n-grams
  uint32_t threads = 1;
};

// Trains on the texts of the chunks that the transaction sees: the document frequencies of
// character n-grams, an LSA model, the IVF lists of its vectors, and an index of the vocabulary, as
// requested. Training uses a sample of the chunks, selected by their ids, which are hashes; so
// equal stores give equal models, for every number of threads. Chunks with damaged text are
// omitted. Returns: the parts of a model. Errors: Cancelled; those of reading texts.
Result<std::vector<ModelPart>> TrainModel(const ReadTransaction& transaction,
                                          const ModelTraining& training,
                                          const std::atomic<bool>& cancelled);

}  // namespace recall
