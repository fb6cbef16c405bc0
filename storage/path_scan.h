#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "storage/store.h"

namespace recall {

// A live document and its chunk rows, as the index on paths holds them.
struct PathEntry {
  std::string_view path;  // until the visitor returns
  int64_t doc_row = 0;
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
};

// Shows every live document to `visit`, by path in byte order (or the reverse), until it returns
// false. Reads nothing but the index: about 0.1 microseconds a document.
Status ScanPaths(const ReadTransaction& transaction, bool descending,
                 const std::function<bool(const PathEntry&)>& visit);

}  // namespace recall
