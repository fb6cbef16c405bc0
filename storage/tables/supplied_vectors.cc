#include "storage/tables/supplied_vectors.h"

#include <cmath>

#include "storage/base/bytes.h"
#include "storage/base/checksum.h"
#include "storage/sqlite/connection.h"

namespace recall {

// | f32 component 0 | ... | f32 component dim-1 | u32 CRC-32C of the components |
std::string EncodeSuppliedVector(std::span<const float> vector) {
  const ByteSpan components{reinterpret_cast<const uint8_t*>(vector.data()), vector.size_bytes()};
  std::string record(AsText(components));
  uint8_t checksum[sizeof(uint32_t)];
  StoreLittle(checksum, Crc32c(components));
  return record.append(AsText(checksum));
}

std::optional<std::vector<float>> DecodeSuppliedVector(std::string_view record) {
  const size_t bytes = record.size() - sizeof(uint32_t);
  if (record.size() <= sizeof(uint32_t) || bytes % sizeof(float) != 0) return std::nullopt;
  ByteReader reader(AsBytes(record));
  if (const ByteSpan components = reader.ReadBytes(bytes);
      reader.Read<uint32_t>() != Crc32c(components)) {
    return std::nullopt;
  }
  std::vector<float> vector(bytes / sizeof(float));
  std::memcpy(vector.data(), record.data(), bytes);
  return vector;
}

Result<std::string> FindSuppliedVector(Connection& connection, int64_t doc_row) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT data FROM given_vector WHERE doc = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, doc_row);
  RECALL_ASSIGN(const bool found, select->Step());
  return found ? std::string(AsText(select->ColumnBlob(0))) : std::string();
}

Status ScanSuppliedVectors(
    Connection& connection, uint32_t first, uint32_t last,
    const std::function<void(uint32_t chunk, std::string_view record)>& visit) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT chunk.id, data FROM chunk JOIN given_vector ON "
                                  "given_vector.doc = chunk.doc WHERE chunk.id BETWEEN ?1 AND ?2 "
                                  "ORDER BY chunk.id"));
  const StatementScope select(cached);
  select->BindInt(1, first);
  select->BindInt(2, last);
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return Status::Ok();
    visit(static_cast<uint32_t>(select->ColumnInt(0)), AsText(select->ColumnBlob(1)));
  }
}

Status InsertSuppliedVector(Connection& connection, int64_t doc_row, std::string_view record) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO given_vector(doc, data) VALUES(?1, ?2)"));
  insert->BindInt(1, doc_row);
  insert->BindBlob(2, AsBytes(record));
  return insert->Run();
}

Status DeleteSuppliedVector(Connection& connection, int64_t doc_row) {
  RECALL_ASSIGN(Statement * remove, connection.Cached("DELETE FROM given_vector WHERE doc = ?1"));
  remove->BindInt(1, doc_row);
  return remove->Run();
}

}  // namespace recall
