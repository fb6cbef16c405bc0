#include "storage/tables/posting_table.h"

#include <limits>

#include "storage/base/bytes.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"

namespace recall {
namespace {

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
  constexpr double kLeast = 1e-6;  // of a million chunks one has a token
  constexpr double kMost = std::numeric_limits<uint32_t>::max();
  const bool sound = end >= 0 && end <= std::numeric_limits<uint32_t>::max() && average >= kLeast &&
                     average <= kMost;
  if (!sound) return std::nullopt;  // the doctor's to say
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
  return connection.Execute("DELETE FROM posting_list; DELETE FROM posting_set");
}

}  // namespace recall
