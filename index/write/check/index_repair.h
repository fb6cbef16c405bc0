#pragma once

#include "index/write/check/chunk_facts.h"
#include "storage/check/document_check.h"
#include "storage/store/store.h"

namespace recall {

class Connection;

// The parts of the indexes that are rebuilt from the texts.
struct IndexRepair {
  bool tombstones = false;
  bool headings = false;
  bool token_counts = false;
  bool lexicon = false;
  bool vectors = false;  // requires recipe.space()

  bool any() const { return tombstones || headings || token_counts || lexicon || vectors; }
};

// Resets the store to the untrained state: no model, and one empty vector space, whose vectors must
// then be rebuilt. Afterwards TrainIfDue trains a model. Older commits can no longer be read,
// so the caller must raise the horizon in the same transaction.
Status ResetSpaces(WriteTransaction& transaction);

// Whether the delta has no vector of a space that is missing. Otherwise the active space may not be
// the one that was.
Result<bool> HasSpaceOfEachVector(Connection& connection);

// Deletes all vectors, and all vector spaces but `kept`, the active one. Its model stays, and its
// vectors must then be rebuilt. As with ResetSpaces, the caller must raise the horizon.
Status EmptySpaces(WriteTransaction& transaction, int64_t kept);

// Rebuilds these parts from all stored chunks, including removed ones. Chunks whose text is
// damaged get no tokens and the zero vector, and keep their counts. Counters are not changed.
Status RepairIndexes(WriteTransaction& transaction, const DocumentFacts& facts,
                     const IndexRecipe& recipe, const IndexRepair& repair, size_t threads,
                     const std::atomic<bool>* cancel, const CheckProgressFn& progress);

}  // namespace recall
