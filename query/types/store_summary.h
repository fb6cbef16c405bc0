#pragma once

// What every answer says about its store.

#include <cstdint>
#include <optional>
#include <string>

namespace recall {

// Facts about the store in the commit that was searched: about the documents that the asker may
// read.
struct StoreSummary {
  int64_t docs = 0;
  int64_t chunks = 0;
  int64_t tokens = 0;
  int64_t bytes = 0;
  std::optional<int64_t> db_size_bytes;  // of the file; unset: it would tell of hidden documents
  std::string snapshot;                  // token that identifies this store and commit
};

}  // namespace recall
