#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "index/search/snapshot/texts_and_facts.h"
#include "index/source/extract/types/extraction.h"
#include "query/types/row_views.h"

namespace recall {

// Finds where texts that were extracted from files of other formats are from. The spans of each
// document are read once and kept. Not thread-safe.
class LocatorReader final {
 public:
  // `texts` must outlive the object.
  explicit LocatorReader(const TextsAndFacts& texts) : texts_(texts) {}
  LocatorReader(const LocatorReader&) = delete;
  LocatorReader& operator=(const LocatorReader&) = delete;

  // The place of bytes start .. end-1; nothing if the text of the document is that of its file, or
  // these bytes are of no place. Errors: Corruption.
  Result<std::optional<LocatorView>> Find(const DocRow& doc, uint64_t start, uint64_t end);
  // All spans of a document; empty if its text is that of its file.
  Result<const std::vector<LocatorSpan>*> SpansOf(const DocRow& doc);

 private:
  const TextsAndFacts& texts_;
  std::unordered_map<int64_t, std::vector<LocatorSpan>> spans_;  // by document row
  int64_t last_plain_ = -1;  // the row of a document that has none, which most have not
};

}  // namespace recall
