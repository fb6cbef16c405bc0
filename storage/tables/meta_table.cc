#include "storage/tables/meta_table.h"

#include <limits>

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr const char* kReservedBytesKey = "reserved_bytes";
constexpr int64_t kMaxMetaNumber = std::numeric_limits<uint32_t>::max();

Status PutText(Connection& connection, std::string_view key, std::string_view value) {
  RECALL_ASSIGN(Statement * put,
                connection.Cached("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, ?2)"));
  put->BindText(1, key);
  put->BindText(2, value);
  return put->Run();
}

Status PutInt(Connection& connection, std::string_view key, int64_t value) {
  RECALL_ASSIGN(Statement * put,
                connection.Cached("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, ?2)"));
  put->BindText(1, key);
  put->BindInt(2, value);
  return put->Run();
}

Status BadMeta(const Connection& connection, std::string_view key) {
  return Status::Corruption(
      connection.path() + ": meta." + std::string(key) + " is missing or out of range",
      "run `recall doctor --fix`, which repairs counters, or restore the store from a backup");
}

Result<std::string> GetText(Connection& connection, std::string_view key) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT value FROM meta WHERE key = ?1"));
  const StatementScope get(cached);
  get->BindText(1, key);
  RECALL_ASSIGN(const bool row, get->Step());
  if (!row) return Fail(BadMeta(connection, key));
  return std::string(get->ColumnText(0));
}

// "" if there is no such row: stores of older programs have none.
Result<std::string> GetTextOrEmpty(Connection& connection, std::string_view key) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT value FROM meta WHERE key = ?1"));
  const StatementScope get(cached);
  get->BindText(1, key);
  RECALL_ASSIGN(const bool row, get->Step());
  return row ? std::string(get->ColumnText(0)) : std::string();
}

Result<int64_t> GetInt(Connection& connection, std::string_view key, int64_t min, int64_t max) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT value FROM meta WHERE key = ?1"));
  const StatementScope get(cached);
  get->BindText(1, key);
  RECALL_ASSIGN(const bool row, get->Step());
  if (!row || get->ColumnIsNull(0)) return Fail(BadMeta(connection, key));
  const int64_t value = get->ColumnInt(0);
  if (value < min || value > max) return Fail(BadMeta(connection, key));
  return value;
}

Status GetU32(Connection& connection, std::string_view key, int64_t min, uint32_t* out) {
  RECALL_ASSIGN(const int64_t value, GetInt(connection, key, min, kMaxMetaNumber));
  *out = static_cast<uint32_t>(value);
  return Status::Ok();
}

Status GetCounter(Connection& connection, std::string_view key, int64_t* out) {
  // No real counter is larger, and adding to it must not overflow.
  RECALL_ASSIGN(*out, GetInt(connection, key, 0, std::numeric_limits<int64_t>::max() / 2));
  return Status::Ok();
}

// Visits the counters by name, for reading and writing.
template <typename Counters, typename Visit>
Status ForEachCounter(Counters& counters, Visit visit) {
  RECALL_TRY(visit("commit_sequence", &counters.counts.commit_sequence));
  RECALL_TRY(visit("docs", &counters.counts.docs));
  RECALL_TRY(visit("chunks", &counters.counts.chunks));
  RECALL_TRY(visit("tokens", &counters.counts.tokens));
  RECALL_TRY(visit("lexical_tokens", &counters.counts.lexical_tokens));
  RECALL_TRY(visit("text_bytes", &counters.counts.text_bytes));
  RECALL_TRY(visit("next_chunk", &counters.next_chunk));
  return visit("next_block", &counters.next_block);
}

}  // namespace

Status RecordReservedBytes(Connection& connection) {
  RECALL_ASSIGN(const uint32_t reserved, connection.ReservedBytes());
  return PutInt(connection, kReservedBytesKey, reserved);
}

Status CheckReservedBytes(Connection& connection) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT value FROM meta WHERE key = ?1"));
  const StatementScope get(cached);
  get->BindText(1, kReservedBytesKey);
  RECALL_ASSIGN(const bool recorded, get->Step());
  RECALL_ASSIGN(const uint32_t reserved, connection.ReservedBytes());
  if (!recorded || get->ColumnInt(0) == reserved) return Status::Ok();
  return Status::Corruption(connection.path() + ": byte 20 of the file is " +
                                std::to_string(reserved) + ", but the store was written with " +
                                std::to_string(get->ColumnInt(0)),
                            "run `recall doctor`");
}

Status WriteIdentity(Connection& connection, const StoreIdentity& identity) {
  const StoreSettings& settings = identity.settings;
  RECALL_TRY(PutText(connection, "uuid", identity.uuid));
  RECALL_TRY(PutText(connection, "embedder", settings.embedder));
  RECALL_TRY(PutInt(connection, "dim", settings.dim));
  RECALL_TRY(PutInt(connection, "chunk_tokens", settings.chunk_tokens));
  RECALL_TRY(PutInt(connection, "overlap_tokens", settings.overlap_tokens));
  RECALL_TRY(PutInt(connection, "tokenizer_version", settings.tokenizer_version));
  RECALL_TRY(PutInt(connection, "signature_bits", settings.signature_bits));
  if (!settings.notes_dir.empty()) RECALL_TRY(PutText(connection, "notes_dir", settings.notes_dir));
  // SQLite's integers are signed; the 64 bits are stored unchanged.
  return PutInt(connection, "signature_seed", static_cast<int64_t>(settings.signature_seed));
}

Result<StoreIdentity> ReadIdentity(Connection& connection) {
  StoreIdentity identity;
  StoreSettings& settings = identity.settings;
  RECALL_ASSIGN(identity.uuid, GetText(connection, "uuid"));
  if (identity.uuid.size() != 32) return Fail(BadMeta(connection, "uuid"));
  RECALL_ASSIGN(settings.embedder, GetText(connection, "embedder"));
  RECALL_TRY(GetU32(connection, "dim", 1, &settings.dim));
  RECALL_TRY(GetU32(connection, "chunk_tokens", 1, &settings.chunk_tokens));
  RECALL_TRY(GetU32(connection, "overlap_tokens", 0, &settings.overlap_tokens));
  RECALL_TRY(GetU32(connection, "tokenizer_version", 0, &settings.tokenizer_version));
  RECALL_TRY(GetU32(connection, "signature_bits", 0, &settings.signature_bits));
  constexpr auto kAny = std::numeric_limits<int64_t>();
  RECALL_ASSIGN(const int64_t seed, GetInt(connection, "signature_seed", kAny.min(), kAny.max()));
  settings.signature_seed = static_cast<uint64_t>(seed);
  RECALL_ASSIGN(settings.notes_dir, GetTextOrEmpty(connection, "notes_dir"));
  return identity;
}

Status WriteCounters(Connection& connection, const StoreCounters& counters) {
  return ForEachCounter(counters, [&](std::string_view key, const int64_t* value) {
    return PutInt(connection, key, *value);
  });
}

Result<StoreCounters> ReadCounters(Connection& connection) {
  StoreCounters counters;
  RECALL_TRY(ForEachCounter(counters, [&](std::string_view key, int64_t* value) {
    return GetCounter(connection, key, value);
  }));
  return counters;
}

Result<int64_t> ReadMetaCounter(Connection& connection, std::string_view key) {
  return GetInt(connection, key, 0, std::numeric_limits<int64_t>::max());
}

Status WriteMetaCounter(Connection& connection, std::string_view key, int64_t value) {
  return PutInt(connection, key, value);
}

}  // namespace recall
