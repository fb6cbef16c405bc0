#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "storage/base/ids.h"

namespace recall {

// A stored version of a document whose row is plausible.
struct CheckedDoc {
  int64_t row = 0;
  Digest id{};
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
  int64_t first_block = 0;
  int64_t size = 0;
  int64_t tokens = 0;  // as stored
  int64_t lexical_tokens = 0;
  int64_t added = 0;  // commit
  std::optional<int64_t> removed;
  Digest hash{};             // as stored
  std::string name;          // in findings
  std::string path;          // as stored
  std::string parser;        // as stored
  bool other_key = false;    // its key was made of another path or hash
  bool imported = false;     // the text was assembled from chunks, and the hash is of another text
  std::string language;      // "" if it has none
  bool has_grams = false;    // its trigrams are recorded
  bool has_grammar = false;  // its chunks are those of a grammar, which the doctor does not run
  int64_t first_own_block = 0;  // blocks before it belong to other documents

  bool live() const { return !removed; }
};

// The documents of a store and sums over them.
struct DocumentFacts {
  std::vector<CheckedDoc> docs;  // by first chunk rowid, then row
  int64_t live_docs = 0;
  int64_t removed_docs = 0;
  int64_t live_chunks = 0;
  int64_t removed_chunks = 0;
  bool all_read = false;   // `docs` contains every row
  bool has_texts = false;  // table text_block can be read
  // The oldest commit that can be read. Data that only older commits contain may be partly purged.
  int64_t horizon = std::numeric_limits<int64_t>::max();

  bool NeedsVectors(const CheckedDoc& doc) const { return doc.live() || *doc.removed > horizon; }
};

}  // namespace recall
