#pragma once

// The table `given_vector` (docs/format/store.md, "Given vectors"): user-supplied embeddings. Like
// texts they are primary data: they cannot be recomputed.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

class Connection;

// Encodes the record of one vector, with its checksum.
std::string EncodeSuppliedVector(std::span<const float> vector);
// Returns nothing if the record is damaged.
std::optional<std::vector<float>> DecodeSuppliedVector(std::string_view record);

// The record of a document version, "" if it has none.
Result<std::string> FindSuppliedVector(Connection& connection, int64_t doc_row);
// Visits the chunks first..last (inclusive) whose documents have a record, by chunk rowid.
Status ScanSuppliedVectors(
    Connection& connection, uint32_t first, uint32_t last,
    const std::function<void(uint32_t chunk, std::string_view record)>& visit);

// Both require a write transaction.
Status InsertSuppliedVector(Connection& connection, int64_t doc_row, std::string_view record);
Status DeleteSuppliedVector(Connection& connection, int64_t doc_row);

}  // namespace recall
