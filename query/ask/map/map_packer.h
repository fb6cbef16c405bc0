#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "query/ask/map/signature.h"
#include "query/ask/passages/token_counter.h"

namespace recall {

// What a map shows of a definition.
struct MapEntry {
  uint32_t document = 0;
  std::vector<SignatureLine> lines;  // those of what encloses it among them; ascending
};

struct PackedMap {
  std::string text;  // as MapResponse::text
  int64_t used_tokens = 0;
  std::vector<size_t> ranks;  // of the entries in it, ascending
};

// Packs as many of the best entries into a budget as fit, then further ones that still fit.
//   count: of entries. read: the entry of a rank, from 0; called once for each that is looked at.
//   path: of a document of an entry.
// Returns: a text with at most `budget` tokens; empty if not even one entry fits. Errors: those of
// `read`.
Result<PackedMap> PackMap(size_t count, const std::function<Result<MapEntry>(size_t rank)>& read,
                          const std::function<std::string(uint32_t document)>& path,
                          TokenCounter& counter, int64_t budget);

}  // namespace recall
