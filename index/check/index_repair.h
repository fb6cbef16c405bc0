#pragma once

#include "index/check/chunk_facts.h"
#include "storage/check/document_check.h"
#include "storage/store/store.h"

namespace recall {

// What of the indexes is made anew from the texts.
struct IndexRepair {
  bool tombstones = false;
  bool token_counts = false;
  bool lexicon = false;
  bool vectors = false;  // requires recipe.space()

  bool any() const { return tombstones || token_counts || lexicon || vectors; }
};

// Makes the store one that has learnt nothing: no model, and one empty vector space, of which the
// vectors are then to be remade. TrainIfDue does the rest. Requires: a raised horizon, for no
// snapshot can be read any more.
Status ResetSpaces(WriteTransaction& transaction);

// Remakes them from all stored chunks, removed ones too. Chunks whose text cannot be trusted get no
// tokens and the vector that says nothing, and keep their counts. Counters are not touched.
Status RepairIndexes(WriteTransaction& transaction, const DocumentFacts& facts,
                     const IndexRecipe& recipe, const IndexRepair& repair, size_t threads,
                     const std::atomic<bool>* cancel, const CheckProgressFn& progress);

}  // namespace recall
