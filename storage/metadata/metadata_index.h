#pragma once

// The table doc_meta: what the top-level keys of live documents' metadata hold, for look-ups.

#include <cstdint>
#include <string_view>

#include "storage/base/result.h"
#include "storage/sqlite/connection.h"

namespace recall {

// doc_meta.kind. Kinds 1 to 3 are those of MetaScalar.
inline constexpr int64_t kMetaOther = 0;  // nothing to compare: an object, an empty list; value 0
inline constexpr int64_t kMetaNumber = 1;
inline constexpr int64_t kMetaText = 2;
inline constexpr int64_t kMetaDate = 3;     // the text of a date
inline constexpr int64_t kMetaInstant = 4;  // the same date's nanoseconds

// A document and its chunk rowids.
struct MetaOwner {
  int64_t doc_row = 0;
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
};

// The table of live documents, or that of the snapshot which a transaction sees.
enum class MetadataTable : uint8_t { kLive, kSnapshot };

// Adds what a document's metadata says, or takes it back: `json` must be what was added. Text that
// is not a JSON object says nothing.
Status AddToMetadataIndex(Connection& connection, const MetaOwner& owner, std::string_view json,
                          MetadataTable table = MetadataTable::kLive);
Status RemoveFromMetadataIndex(Connection& connection, int64_t doc_row, std::string_view json);

// Adds all live documents to an empty table.
Status FillMetadataIndex(Connection& connection);

}  // namespace recall
