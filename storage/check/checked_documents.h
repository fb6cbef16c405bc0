#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "storage/base/ids.h"

namespace recall {

// A stored version whose row makes sense.
struct CheckedDoc {
  int64_t row = 0;
  Digest id{};
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
  int64_t first_block = 0;
  int64_t size = 0;
  int64_t tokens = 0;  // as stored
  int64_t lexical_tokens = 0;
  int64_t added = 0;  // commits
  std::optional<int64_t> removed;
  bool imported = false;  // the text was put together from chunks
  bool text_ok = false;   // every block is there, and they give the hash

  bool live() const { return !removed; }
};

// What the documents say of the store as a whole.
struct DocumentFacts {
  std::vector<CheckedDoc> docs;  // by first chunk rowid, then row
  int64_t live_docs = 0;
  int64_t removed_docs = 0;
  int64_t live_chunks = 0;
  int64_t removed_chunks = 0;
  bool all_read = false;  // `docs` leaves out no row
  // The oldest commit that can be read; what only older ones saw may be half purged.
  int64_t horizon = std::numeric_limits<int64_t>::max();

  bool NeedsVectors(const CheckedDoc& doc) const { return doc.live() || *doc.removed > horizon; }
};

}  // namespace recall
