#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "index/search/lines/gram_filter.h"
#include "index/search/snapshot/texts_and_facts.h"
#include "query/types/row_views.h"

namespace recall {

// A document whose text may match, and is within the scope.
struct TextCandidate {
  int64_t doc_row = 0;
  bool is_whole = true;  // all its chunks are within the scope
};

struct TextCandidates {
  std::vector<TextCandidate> documents;  // by path, in byte order
  bool scope_has_documents = false;      // also such as cannot match
};

// The documents of which chunks are in `scope` (null: all) and that `filter` does not exclude by
// their trigrams. Errors: Corruption.
Result<TextCandidates> ListTextCandidates(const TextsAndFacts& texts, const Bitmap* scope,
                                          const GramFilter& filter);

// The parts of a document that are within the scope. They may overlap, as chunks do.
class AllowedParts final {
 public:
  static Result<AllowedParts> Read(const TextsAndFacts& texts, const DocRow& doc,
                                   const TextCandidate& candidate, const Bitmap* scope);

  // Whether the byte is in one of them.
  bool Contains(uint64_t byte) const;

 private:
  bool is_whole_ = true;
  std::vector<ByteRange> parts_;
};

}  // namespace recall
