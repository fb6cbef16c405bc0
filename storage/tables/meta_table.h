#pragma once

// The table `meta`: the identity and settings of the store, and counters that every commit
// rewrites.

#include <cstdint>
#include <string>

#include "storage/base/result.h"
#include "storage/tables/store_facts.h"

namespace recall {

class Connection;

struct StoreIdentity {
  std::string uuid;
  StoreSettings settings;
};

struct StoreCounters {
  StoreCounts counts;
  // All chunk rowids and text blocks below these have been assigned once and are never assigned
  // again.
  int64_t next_chunk = 0;
  int64_t next_block = 0;
};

Status WriteIdentity(Connection& connection, const StoreIdentity& identity);
// Fails with Corruption if a value is missing or out of range.
Result<StoreIdentity> ReadIdentity(Connection& connection);

// Records how many bytes are reserved at the end of each page, in the open write transaction.
Status RecordReservedBytes(Connection& connection);
// Fails with Corruption if the file's header says another number than was recorded. The checksums
// of pages cannot detect that: without reserved bytes there are none.
Status CheckReservedBytes(Connection& connection);

Status WriteCounters(Connection& connection, const StoreCounters& counters);
Result<StoreCounters> ReadCounters(Connection& connection);

// A single whole number, 0 or more.
Result<int64_t> ReadMetaCounter(Connection& connection, std::string_view key);
Status WriteMetaCounter(Connection& connection, std::string_view key, int64_t value);

}  // namespace recall
