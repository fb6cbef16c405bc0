#pragma once

#include <memory>

#include "index/search/bitmap/bitmap.h"
#include "index/search/snapshot/filter_sets.h"
#include "index/search/snapshot/note_records.h"
#include "index/search/snapshot/search_indexes.h"
#include "index/search/snapshot/texts_and_facts.h"
#include "storage/tables/model_reader.h"
#include "storage/tables/store_facts.h"

namespace recall {

// The part of a commit that its reader may know of.
struct VisiblePart {
  Bitmap hidden;       // the live chunks that do not belong to it
  StoreCounts counts;  // the totals over the others
};

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
  // The part that consists of these live documents and chunks. Reads a number of each live
  // document, and of each chunk if some belong to it without their whole document. Errors:
  // Corruption.
  virtual Result<VisiblePart> PartOf(const VisibleRows& rows) const = 0;
  // Opens the full-text index and the vector index. `space`: the vector space of the stored
  // vectors. `part`: hidden chunks are not in the indexes, and no number of them counts them; null:
  // nothing is hidden. The snapshot, the space and the part must outlive the result. Errors:
  // Corruption.
  virtual Result<std::unique_ptr<SearchIndexes>> OpenIndexes(
      const VectorGeometry& space, const VisiblePart* part = nullptr) const = 0;
};

}  // namespace recall
