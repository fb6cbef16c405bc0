#include "storage/tables/posting_table.h"

#include <sqlite3.h>

#include <algorithm>
#include <limits>

#include "storage/base/bytes.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"

namespace recall {
namespace {

// A posting set is a snapshot of the posting lists of common terms, for the chunk rowids below its
// end_chunk. Searches read these lists instead of the full-text index, and take the rows from
// end_chunk on from that index. Their bytes are described in docs/format/store.md, "posting_set,
// posting_list", and read by index/search/lexical.
//
// A set takes many transactions to build, so it has a life cycle:
//
//   BeginPostingSet     row in posting_set, complete = 0     searches do not see it
//   InsertPostingList   one row per term, in as many transactions as it takes
//   CompletePostingSet  complete = 1, all other sets deleted, in one transaction
//
//   DeleteUnfinishedPostingSets, DeletePostingSets: at any time, by any process
//
// Invariants: at most one set is complete. Ids are never reused (AUTOINCREMENT), so a builder
// notices with HasPostingSet, in each of its transactions, that another process has deleted its
// set. Any transaction that deletes postings of rows below end_chunk from the full-text index
// deletes the sets, too.
//
// Cost: one look-up by (set, term) per list; the list is passed on without a copy.

constexpr int64_t kFirstFormatOfPostings = 9;

}  // namespace

Result<std::optional<PostingSet>> FindPostingSet(Connection& connection) {
  RECALL_ASSIGN(const bool known, FormatIsAtLeast(connection, kFirstFormatOfPostings));
  if (!known) return std::nullopt;
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT id, end_chunk, average_length FROM posting_set "
                                  "WHERE complete ORDER BY id DESC LIMIT 1"));
  const StatementScope select(cached);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return std::nullopt;
  const int64_t end = select->ColumnInt(1);
  const double average = select->ColumnDouble(2);
  constexpr double kLeast = 1e-6;  // one token in a million chunks
  constexpr double kMost = std::numeric_limits<uint32_t>::max();
  const bool sound = end >= 0 && end <= std::numeric_limits<uint32_t>::max() && average >= kLeast &&
                     average <= kMost;
  if (!sound) return std::nullopt;  // `recall doctor` reports it
  return PostingSet{select->ColumnInt(0), static_cast<uint32_t>(end), average};
}

Status ReadPostingList(Connection& connection, int64_t set, std::string_view word,
                       const std::function<void(ByteSpan list)>& visit) {
  RECALL_ASSIGN(
      Statement * cached,
      connection.Cached("SELECT data FROM posting_list WHERE posting_set = ?1 AND word = ?2"));
  const StatementScope select(cached);
  select->BindInt(1, set);
  select->BindBlob(2, AsBytes(word));
  RECALL_ASSIGN(const bool row, select->Step());
  if (row) visit(select->ColumnBlob(0));
  return Status::Ok();
}

// A column of a statement is copied from its overflow pages as a whole; an incremental read follows
// them only as far as it must.
Result<StoredPostingList> FindPostingList(Connection& connection, int64_t set,
                                          std::string_view word, size_t start_bytes) {
  RECALL_ASSIGN(
      Statement * cached,
      connection.Cached("SELECT id FROM posting_list WHERE posting_set = ?1 AND word = ?2"));
  const StatementScope select(cached);
  select->BindInt(1, set);
  select->BindBlob(2, AsBytes(word));
  RECALL_ASSIGN(const bool row, select->Step());
  StoredPostingList found;
  if (!row) return found;
  sqlite3_blob* blob = nullptr;
  int code = sqlite3_blob_open(connection.handle(), "main", "posting_list", "data",
                               select->ColumnInt(0), 0, &blob);
  if (code == SQLITE_OK) {
    found.size = static_cast<size_t>(sqlite3_blob_bytes(blob));
    found.start.resize(std::min(start_bytes, found.size));
    code = sqlite3_blob_read(blob, found.start.data(), static_cast<int>(found.start.size()), 0);
  }
  sqlite3_blob_close(blob);
  if (code != SQLITE_OK) return Fail(connection.ToStatus(code, "read a posting list"));
  return found;
}

Status ScanPostingLists(Connection& connection, int64_t set,
                        const std::function<Status(std::string_view word, ByteSpan list)>& visit) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT word, data FROM posting_list WHERE posting_set = ?1 "
                                  "ORDER BY word"));
  const StatementScope select(cached);
  select->BindInt(1, set);
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return Status::Ok();
    RECALL_TRY(visit(AsText(select->ColumnBlob(0)), select->ColumnBlob(1)));
  }
}

Result<int64_t> BeginPostingSet(Connection& connection, uint32_t end_chunk, double average_length) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO posting_set(end_chunk, average_length, complete) "
                                  "VALUES(?1, ?2, 0)"));
  insert->BindInt(1, end_chunk);
  insert->BindDouble(2, average_length);
  RECALL_TRY(insert->Run());
  return connection.QueryInt("SELECT last_insert_rowid()");
}

Result<bool> HasPostingSet(Connection& connection, int64_t set) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT 1 FROM posting_set WHERE id = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, set);
  return select->Step();
}

Status InsertPostingList(Connection& connection, int64_t set, std::string_view word,
                         ByteSpan list) {
  RECALL_ASSIGN(
      Statement * insert,
      connection.Cached("INSERT INTO posting_list(posting_set, word, data) VALUES(?1, ?2, ?3)"));
  insert->BindInt(1, set);
  insert->BindBlob(2, AsBytes(word));
  insert->BindBlob(3, list);
  return insert->Run();
}

Status CompletePostingSet(Connection& connection, int64_t set) {
  const std::string id = std::to_string(set);
  return connection.Execute("DELETE FROM posting_list WHERE posting_set <> " + id +
                            "; DELETE FROM posting_set WHERE id <> " + id +
                            "; UPDATE posting_set SET complete = 1 WHERE id = " + id);
}

Status DeleteUnfinishedPostingSets(Connection& connection) {
  return connection.Execute(
      "DELETE FROM posting_list WHERE posting_set IN (SELECT id FROM posting_set WHERE NOT "
      "complete); DELETE FROM posting_set WHERE NOT complete");
}

Status DeletePostingSets(Connection& connection) {
  // With a WHERE, so that the update hook of content_sizes.h is told.
  return connection.Execute("DELETE FROM posting_list WHERE true; DELETE FROM posting_set");
}

}  // namespace recall
