// Checks of the table doc_meta, declared in document_check.h.

#include <map>

#include "storage/base/row_hash.h"
#include "storage/check/document_check.h"
#include "storage/metadata/metadata_index.h"

namespace recall {
namespace {

// Rebuilds the expected index in a scratch database, with the code that maintains the real one, and
// compares the two as multisets: each row is hashed, hashes are added per document for the one
// table and subtracted for the other. Documents with a sum other than 0 differ. No sorting is
// needed, and memory is one sum per document.

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

Status Compare(CheckRun& run) {
  RECALL_ASSIGN(const auto scratch,
                Connection::Open("the metadata index", {.mode = ConnectionMode::kScratch}));
  RECALL_TRY(FillExpected(run.connection(), *scratch));
  SumsByDoc sums;
  RECALL_TRY(AddSums(*scratch, false, &sums));
  RECALL_TRY(AddSums(run.connection(), true, &sums));
  for (const auto& [doc, sum] : sums) {
    if (sum == 0) continue;
    run.findings().Add(FindingCode::kMetadataIndex, "document row " + std::to_string(doc),
                       "its rows in doc_meta do not match its metadata");
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
