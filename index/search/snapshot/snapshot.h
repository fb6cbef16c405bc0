#pragma once

#include <memory>

#include "index/search/snapshot/filter_sets.h"
#include "index/search/snapshot/note_records.h"
#include "index/search/snapshot/search_indexes.h"
#include "index/search/snapshot/texts_and_facts.h"
#include "storage/tables/model_reader.h"
#include "storage/tables/store_facts.h"

namespace recall {

// One commit of a store, as searches read it: the interface between ranking and storage. All data
// read through it belong to this commit. It must be used on one thread, except where the interfaces
// permit others. A call may be a round trip to a server, so one call serves a whole retriever or a
// page of results, not a single posting or vector.
class Snapshot {
 public:
  virtual ~Snapshot() = default;

  // The commit, and the totals over live documents.
  virtual const StoreCounts& counts() const = 0;
  virtual const TextsAndFacts& texts() const = 0;
  virtual const FilterSets& filters() const = 0;
  virtual const NoteRecords& notes() const = 0;
  virtual const ModelReader& models() const = 0;
  // Opens the full-text index and the vector index. `space`: the vector space of the stored
  // vectors. The snapshot and the space must outlive the result. Errors: Corruption.
  virtual Result<std::unique_ptr<SearchIndexes>> OpenIndexes(const VectorGeometry& space) const = 0;
};

}  // namespace recall
