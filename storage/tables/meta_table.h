#pragma once

// The table `meta`: what the store is, and counters that every commit rewrites.

#include <cstdint>
#include <string>

#include "storage/base/result.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/store_facts.h"

namespace recall {

struct StoreIdentity {
  std::string uuid;
  StoreSettings settings;
};

struct StoreCounters {
  StoreCounts counts;
  // Chunk rowids and text blocks below these have been handed out once and never are again.
  int64_t next_chunk = 0;
  int64_t next_block = 0;
};

Status WriteIdentity(Connection& connection, const StoreIdentity& identity);
// Fails with Corruption when something is missing or out of its range.
Result<StoreIdentity> ReadIdentity(Connection& connection);

Status WriteCounters(Connection& connection, const StoreCounters& counters);
Result<StoreCounters> ReadCounters(Connection& connection);

// A whole number, 0 or more, that is there on its own.
Result<int64_t> ReadMetaCounter(Connection& connection, std::string_view key);
Status WriteMetaCounter(Connection& connection, std::string_view key, int64_t value);

}  // namespace recall
