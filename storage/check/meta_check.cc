// Checks of the table meta, declared in document_check.h.

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "storage/check/document_check.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/meta_table.h"

namespace recall {
namespace {

constexpr int64_t kMostAllowed = std::numeric_limits<uint32_t>::max();

// The keys that are written once, in the order of docs/format/store.md.
constexpr const char* kIdentityKeys[] = {"uuid",           "embedder",       "dim",
                                         "chunk_tokens",   "overlap_tokens", "tokenizer_version",
                                         "signature_bits", "signature_seed"};

struct Counter {
  const char* key;
  const char* sql;  // the right value, or the smallest right one
  bool least;
};

// The counters with the queries for their right values: sums over live rows, and the first unused
// rows.
constexpr Counter kCounters[] = {
    {"commit_sequence",
     "SELECT coalesce(max(max(added_seq, coalesce(removed_seq, 0))), 0) FROM doc NOT INDEXED",
     true},
    {"docs", "SELECT count(*) FROM doc NOT INDEXED WHERE removed_seq IS NULL", false},
    {"chunks",
     "SELECT coalesce(sum(chunk_count), 0) FROM doc NOT INDEXED WHERE removed_seq IS NULL", false},
    {"tokens", "SELECT coalesce(sum(tokens), 0) FROM doc NOT INDEXED WHERE removed_seq IS NULL",
     false},
    {"lexical_tokens",
     "SELECT coalesce(sum(lexical_tokens), 0) FROM doc NOT INDEXED WHERE removed_seq IS NULL",
     false},
    {"text_bytes", "SELECT coalesce(sum(size), 0) FROM doc NOT INDEXED WHERE removed_seq IS NULL",
     false},
    {"next_chunk",
     "SELECT max((SELECT coalesce(max(id) + 1, 0) FROM chunk), "
     "(SELECT coalesce(max(first_chunk + chunk_count), 0) FROM doc NOT INDEXED))",
     true},
    {"next_block",
     "SELECT max((SELECT coalesce(max(id) + 1, 0) FROM text_block), "
     "(SELECT coalesce(max(first_block + (size + 32767) / 32768), 0) FROM doc NOT INDEXED))",
     true},
};
static_assert(kTextBlockBytes == 32768);

struct MetaValue {
  bool is_integer = false;
  int64_t number = 0;
  std::string text;
};

Result<std::optional<MetaValue>> ReadMeta(Connection& connection, std::string_view key) {
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT value FROM meta WHERE key = ?1"));
  select.BindText(1, key);
  RECALL_ASSIGN(const bool row, select.Step());
  if (!row || select.ColumnIsNull(0)) return std::nullopt;
  MetaValue value;
  value.is_integer = select.ColumnIsInteger(0);
  value.number = select.ColumnInt(0);
  value.text = select.ColumnText(0);
  return std::optional(std::move(value));
}

// The reason why a value that is written once is invalid; empty if it is valid.
std::string IdentityObjection(std::string_view key, const std::optional<MetaValue>& value) {
  if (!value) return "it is missing";
  if (key == "uuid") {
    const bool hex = value->text.find_first_not_of("0123456789abcdef") == value->text.npos;
    return hex && value->text.size() == 32 ? "" : "it does not consist of 32 hexadecimal digits";
  }
  if (key == "embedder") return value->text.empty() ? "it is empty" : "";
  if (!value->is_integer) return "it is not a whole number: " + value->text.substr(0, 40);
  if (key == "signature_seed") return "";
  const int64_t least = key == "dim" || key == "chunk_tokens" ? 1 : 0;
  if (value->number >= least && value->number <= kMostAllowed) return "";
  return "it is out of range: " + value->text;
}

Status SetMeta(Connection& connection, std::string_view key, int64_t value) {
  RECALL_ASSIGN(Statement put,
                connection.Prepare("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, ?2)"));
  put.BindText(1, key);
  put.BindInt(2, value);
  return put.Run();
}

// The right value, or nothing if the present one is valid.
Result<std::optional<int64_t>> Corrected(Connection& connection, const Counter& counter,
                                         const std::optional<MetaValue>& value) {
  RECALL_ASSIGN(const int64_t right, connection.QueryInt(counter.sql));
  const bool fits = value && value->is_integer &&
                    (counter.least ? value->number >= right : value->number == right);
  return fits ? std::nullopt : std::optional(right);
}

}  // namespace

Result<std::optional<StoreIdentity>> CheckIdentity(CheckRun& run) {
  if (!run.HasTable("meta")) return std::nullopt;
  bool whole = true;
  for (const char* key : kIdentityKeys) {
    const auto value = ReadMeta(run.connection(), key);
    if (!value) {
      RECALL_TRY(run.Absorb(value.error(), FindingCode::kSqliteDamage, "meta"));
      return std::nullopt;
    }
    const std::string objection = IdentityObjection(key, *value);
    if (objection.empty()) continue;
    whole = false;
    run.findings().Add(FindingCode::kMetaIdentity, "meta." + std::string(key), objection);
  }
  const Status reserved = CheckReservedBytes(run.connection());
  RECALL_TRY(run.Absorb(reserved, FindingCode::kMetaIdentity, "meta.reserved_bytes"));
  if (!whole) return std::nullopt;
  RECALL_ASSIGN(StoreIdentity identity, ReadIdentity(run.connection()));
  return std::optional(std::move(identity));
}

Status CheckCounters(CheckRun& run, const DocumentFacts& facts) {
  if (!facts.all_read) return Status::Ok();  // the documents are not a reliable reference
  for (const char* table : {"meta", "doc", "chunk", "text_block"}) {
    if (!run.HasTable(table)) return Status::Ok();
  }
  for (const Counter& counter : kCounters) {
    RECALL_TRY(run.CheckCancelled());
    const std::string where = "meta." + std::string(counter.key);
    const auto value = ReadMeta(run.connection(), counter.key);
    auto right = value ? Corrected(run.connection(), counter, *value)
                       : Result<std::optional<int64_t>>(Fail(value.error()));
    if (!right) {
      RECALL_TRY(run.Absorb(right.error(), FindingCode::kSqliteDamage, where));
      continue;
    }
    if (!*right) continue;
    const bool next = std::string_view(counter.key).starts_with("next_");
    run.findings().Add(next ? FindingCode::kNextRow : FindingCode::kMetaCounter, where,
                       (*value ? "found " + (*value)->text : std::string("missing")) +
                           ", expected " + (counter.least ? "at least " : "") +
                           std::to_string(**right));
  }
  return Status::Ok();
}

Result<std::vector<WrongContentSize>> CheckContentSizes(CheckRun& run) {
  std::vector<WrongContentSize> none;
  if (!run.HasTable("meta")) return none;
  const auto commits = ReadMetaCounter(run.connection(), "commit_sequence");
  if (!commits) return none;  // reported by the check of counters
  auto wrong = FindWrongContentSizes(run.connection(), *commits);
  if (wrong) return wrong;
  if (EndsExamination(wrong.error())) return Fail(wrong.error());
  return none;
}

Status RepairCounters(Connection& connection) {
  for (const Counter& counter : kCounters) {
    RECALL_ASSIGN(const auto value, ReadMeta(connection, counter.key));
    RECALL_ASSIGN(const auto right, Corrected(connection, counter, value));
    if (right) RECALL_TRY(SetMeta(connection, counter.key, *right));
  }
  return Status::Ok();
}

}  // namespace recall
