#pragma once

#include <memory>

#include "index/interface/filter_sets.h"
#include "index/interface/search_indexes.h"
#include "index/interface/texts_and_facts.h"
#include "storage/tables/model_reader.h"
#include "storage/tables/store_facts.h"

namespace recall {

// One commit of a store, as searches see it: the seam between ranking and storage. Everything read
// through it is of this commit. It belongs to one thread, with the exceptions that the interfaces
// name; one call serves a retriever or a page of results, never a posting or a vector.
class Snapshot {
 public:
  virtual ~Snapshot() = default;

  // The commit, and the totals over live documents.
  virtual const StoreCounts& counts() const = 0;
  virtual const TextsAndFacts& texts() const = 0;
  virtual const FilterSets& filters() const = 0;
  virtual const ModelReader& models() const = 0;
  // Opens the lexical and the vector index, of vectors of `space`. The snapshot and the space must
  // outlive the result. Errors: Corruption.
  virtual Result<std::unique_ptr<SearchIndexes>> OpenIndexes(const VectorSpace& space) const = 0;
};

}  // namespace recall
