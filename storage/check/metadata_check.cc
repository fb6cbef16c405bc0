// Checks of the table doc_meta, declared in document_check.h.

#include <map>
#include <string>

#include "storage/base/row_hash.h"
#include "storage/check/document_check.h"
#include "storage/metadata/metadata_index.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// Rebuilds the expected index in a scratch database, with the code that maintains the real one, and
// compares the two as multisets: each row is hashed, hashes are added per document for the one
// table and subtracted for the other. Documents with a sum other than 0 differ. No sorting is
// needed, and memory is one sum per document.
//
// Neither a text nor a hash confirms metadata, so the index is the second copy of its values. An
// index that only lacks entries, or has entries of documents that are not live, is rebuilt. If it
// has a value that the row of a live document does not have, nothing shows which one is damaged,
// and the repair is forbidden.

// The sum of the hashes of each document's rows. Equal rows of two tables cancel out in any order.
using SumsByDoc = std::map<int64_t, uint64_t>;

uint64_t HashOfRow(const Statement& row) {
  RowHash hash;
  hash.Add(row.ColumnText(0));
  hash.Add(static_cast<uint64_t>(row.ColumnInt(1)));
  hash.Add(row.ColumnText(6));  // typeof(value)
  hash.Add(row.ColumnText(2));
  hash.Add(static_cast<uint64_t>(row.ColumnInt(4)));
  hash.Add(static_cast<uint64_t>(row.ColumnInt(5)));
  return hash.value() | 1;
}

Status AddSums(Connection& connection, bool subtract, SumsByDoc* sums) {
  // quote() preserves all digits of a REAL.
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT key, kind, quote(value), doc, first_chunk, chunk_count, "
                                   "typeof(value) FROM doc_meta"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    uint64_t& sum = (*sums)[select.ColumnInt(3)];
    subtract ? sum -= HashOfRow(select) : sum += HashOfRow(select);
  }
}

// Creates a table with the expected rows.
Status FillExpected(Connection& store, Connection& scratch) {
  RECALL_TRY(
      scratch.Execute("CREATE TABLE doc_meta(key TEXT NOT NULL, kind INTEGER NOT NULL, "
                      "value NOT NULL, doc INTEGER NOT NULL, first_chunk INTEGER NOT NULL, "
                      "chunk_count INTEGER NOT NULL, PRIMARY KEY(key, kind, value, doc)) "
                      "WITHOUT ROWID; BEGIN"));
  RECALL_ASSIGN(Statement select,
                store.Prepare("SELECT id, first_chunk, chunk_count, meta FROM doc NOT INDEXED "
                              "WHERE removed_seq IS NULL AND meta IS NOT NULL"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) break;
    const MetaOwner owner{select.ColumnInt(0), static_cast<uint32_t>(select.ColumnInt(1)),
                          static_cast<uint32_t>(select.ColumnInt(2))};
    RECALL_TRY(AddToMetadataIndex(scratch, owner, select.ColumnText(3)));
  }
  return scratch.Execute("COMMIT");
}

// Columns of an entry: key, kind, value, doc, quote(value).
constexpr const char* kEntries = "SELECT key, kind, value, doc, quote(value) FROM doc_meta";

// Whether the expected index has this entry, or it is none that any metadata could have.
Result<bool> IsExpected(Connection& scratch, const Statement& entry) {
  if (entry.ColumnIsBlob(2) || entry.ColumnIsNull(2)) return true;
  RECALL_ASSIGN(Statement * cached,
                scratch.Cached("SELECT 1 FROM doc_meta WHERE key = ?1 AND kind = ?2 AND "
                               "value = ?3 AND doc = ?4"));
  const StatementScope select(cached);
  select->BindText(1, entry.ColumnText(0));
  select->BindInt(2, entry.ColumnInt(1));
  if (entry.ColumnIsText(2)) {
    select->BindText(3, entry.ColumnText(2));
  } else {
    select->BindNumber(3, entry.ColumnIsInteger(2) ? Number::Integer(entry.ColumnInt(2))
                                                   : Number::Real(entry.ColumnDouble(2)));
  }
  select->BindInt(4, entry.ColumnInt(3));
  return select->Step();
}

Result<bool> IsLive(Connection& connection, int64_t doc) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT 1 FROM doc WHERE id = ?1 AND removed_seq IS NULL"));
  const StatementScope select(cached);
  select->BindInt(1, doc);
  return select->Step();
}

// The values that the row of a document has for a key, as SQL literals.
Result<std::string> ValuesInRow(Connection& scratch, int64_t doc, std::string_view key) {
  RECALL_ASSIGN(Statement * cached,
                scratch.Cached("SELECT group_concat(quote(value), ', ') FROM doc_meta "
                               "WHERE key = ?1 AND kind <> ?2 AND doc = ?3"));
  const StatementScope select(cached);
  select->BindText(1, key);
  select->BindInt(2, kMetaInstant);
  select->BindInt(3, doc);
  RECALL_TRY(select->Step());
  return select->ColumnIsNull(0) ? std::string("nothing") : std::string(select->ColumnText(0));
}

// The first contradiction of each document.
using Contradictions = std::map<int64_t, std::string>;

Result<Contradictions> FindContradictions(Connection& connection, Connection& scratch,
                                          const SumsByDoc& sums) {
  Contradictions contradictions;
  RECALL_ASSIGN(Statement select, connection.Prepare(kEntries));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return contradictions;
    const int64_t doc = select.ColumnInt(3);
    const auto sum = sums.find(doc);
    if (sum == sums.end() || sum->second == 0 || contradictions.contains(doc)) continue;
    RECALL_ASSIGN(const bool expected, IsExpected(scratch, select));
    if (expected) continue;
    RECALL_ASSIGN(const bool live, IsLive(connection, doc));
    if (!live) continue;
    const std::string key(select.ColumnText(0));
    RECALL_ASSIGN(const std::string in_row, ValuesInRow(scratch, doc, key));
    contradictions[doc] = "its row has " + in_row + " for " + key + ", doc_meta has " +
                          std::string(select.ColumnText(4));
  }
}

Status Compare(CheckRun& run) {
  RECALL_ASSIGN(const auto scratch,
                Connection::Open("the metadata index", {.mode = ConnectionMode::kScratch}));
  RECALL_TRY(FillExpected(run.connection(), *scratch));
  SumsByDoc sums;
  RECALL_TRY(AddSums(*scratch, false, &sums));
  RECALL_TRY(AddSums(run.connection(), true, &sums));
  RECALL_ASSIGN(const Contradictions contradictions,
                FindContradictions(run.connection(), *scratch, sums));
  for (const auto& [doc, sum] : sums) {
    if (sum == 0) continue;
    const auto found = contradictions.find(doc);
    run.findings().Add(FindingCode::kMetadataIndex, "document row " + std::to_string(doc),
                       found != contradictions.end()
                           ? found->second
                           : "its rows in doc_meta do not match its metadata");
  }
  if (!contradictions.empty()) {
    run.findings().Forbid(Repair::kMetadataIndex,
                          "the metadata of a document and its copy in doc_meta differ, and a "
                          "repair could overwrite the right one: restore the store from a backup, "
                          "or remove the document with recall rm --purge and add it again");
  }
  return Status::Ok();
}

}  // namespace

Status CheckMetadataIndex(CheckRun& run) {
  if (!run.HasTable("doc") || !run.HasTable("doc_meta")) return Status::Ok();
  return run.Absorb(Compare(run), FindingCode::kMetadataIndex, "doc_meta");
}

Status RepairMetadataIndex(Connection& connection) {
  RECALL_TRY(connection.Execute("DELETE FROM doc_meta"));
  return FillMetadataIndex(connection);
}

}  // namespace recall
