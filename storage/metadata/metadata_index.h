#pragma once

// The table doc_meta: an index of the values of top-level metadata keys of live documents.

#include <cstdint>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

class Connection;

// doc_meta.kind. Kinds 1 to 3 are those of MetaScalar.
inline constexpr int64_t kMetaOther =
    0;  // an object or an empty list: nothing to compare; the value is 0
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

// The table of live documents, or the temporary one of a transaction's snapshot.
enum class MetadataTable : uint8_t { kLive, kSnapshot };

// Adds a document's metadata to the index, or removes it: `json` must then be the text that was
// added. Text that is not a JSON object has no entries.
Status AddToMetadataIndex(Connection& connection, const MetaOwner& owner, std::string_view json,
                          MetadataTable table = MetadataTable::kLive);
Status RemoveFromMetadataIndex(Connection& connection, int64_t doc_row, std::string_view json);

// Adds all live documents to an empty index.
Status FillMetadataIndex(Connection& connection);

}  // namespace recall
