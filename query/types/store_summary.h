#pragma once

// What every answer says about its store.

#include <cstdint>
#include <string>

namespace recall {

// Facts about the store in the commit that was searched.
struct StoreSummary {
  int64_t docs = 0;
  int64_t chunks = 0;
  int64_t tokens = 0;
  int64_t bytes = 0;
  int64_t db_size_bytes = 0;
  std::string snapshot;  // token that identifies this store and commit
};

}  // namespace recall
