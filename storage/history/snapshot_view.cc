#include "storage/history/snapshot_view.h"

#include <string>
#include <string_view>

#include "storage/metadata/metadata_index.h"
#include "storage/notes/activity_table.h"
#include "storage/notes/card_table.h"
#include "storage/notes/name_table.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

// The problem: answer a query on the store as commit N left it, with the same SQL statements that
// read the present state.
//
// The idea: the tables contain everything needed until a purge. A version of a document has the
// commits that added and removed it; doc_past has the values that a refresh replaced, with the
// commit that replaced them. Two temporary views take the names of the tables. SQLite resolves an
// unqualified name in the schema temp before main, so every statement reads the views:
//
//   version     added  removed   read at commit 7
//   a.txt (1)     2       9      live then: copied to temp.snapshot_doc, removed_seq NULL
//   a.txt (2)     9       -      added later: left out by id > last_doc
//   b.txt         3       -      refreshed by commit 8: copied with the values of doc_past that
//                                commit 8 replaced
//   c.txt         4       -      unchanged: read from main.doc
//
//   doc      = main.doc (live, id <= last_doc, not in snapshot_doc) + temp.snapshot_doc
//   doc_meta = main.doc_meta, restricted in the same way            + temp.snapshot_doc_meta
//   card     = main.card, restricted in the same way                + temp.snapshot_card
//   activity = main.activity, unless changed since                  + temp.snapshot_activity
//   link, use_log, review_log: the rows that the commit had, by the commits that they record
//
// Invariants: row ids ascend with commits, so one comparison excludes all later versions. The views
// restrict only by id, which every index contains, so index-only scans stay index-only. Both tables
// and views are created inside the read transaction and vanish with its ROLLBACK. The chunk rowids
// that differ are returned as SnapshotRows, because live chunks are a bitmap, not a table.
//
// Cost: in proportion to the versions removed or refreshed since the commit. Format:
// docs/format/store.md, section 9.

// Copies of the versions that main.doc no longer contains as they were: it would leave them out or
// show later values. All names are qualified, so that other objects in the file cannot interfere.
//
// Texts before and after the column that stores of older formats lack.
constexpr std::string_view kCreateDocs =
    "CREATE TEMP TABLE snapshot_doc("
    "id INTEGER PRIMARY KEY, key, path, hash, mtime, size, tag, source, meta, parser, first_chunk, "
    "chunk_count, first_block, tokens, lexical_tokens, added_seq, removed_seq";
constexpr std::string_view kCreateMetadata =
    ");"
    "CREATE TEMP TABLE snapshot_doc_meta("
    "key, kind, value, doc, first_chunk, chunk_count, "
    "PRIMARY KEY(key, kind, value, doc)) WITHOUT ROWID;";

constexpr std::string_view kRevive =
    "INSERT INTO temp.snapshot_doc SELECT id, key, path, hash, mtime, size, tag, source, meta, "
    "parser, first_chunk, chunk_count, first_block, tokens, lexical_tokens, added_seq, NULL";
constexpr std::string_view kRevived = " FROM main.doc WHERE removed_seq > ?1 AND added_seq <= ?1";

// Youngest first, so that the row that stays is the one that was replaced first after the commit:
// it has the values of that commit.
constexpr std::string_view kRestore =
    "INSERT OR REPLACE INTO temp.snapshot_doc SELECT d.id, d.key, d.path, d.hash, p.mtime, d.size, "
    "p.tag, p.source, p.meta, d.parser, d.first_chunk, d.chunk_count, d.first_block, d.tokens, "
    "d.lexical_tokens, d.added_seq, NULL";
constexpr std::string_view kRestored =
    " FROM main.doc_past AS p JOIN main.doc AS d ON d.id = p.doc "
    "WHERE p.until_seq > ?1 AND d.added_seq <= ?1 "
    "AND (d.removed_seq IS NULL OR d.removed_seq > ?1) ORDER BY p.until_seq DESC";

struct SnapshotSql {
  std::string tables;
  std::string revive;
  std::string restore;
};

SnapshotSql SqlFor(bool has_origins) {
  const auto join = [&](std::string_view before, const char* origin, std::string_view after) {
    return std::string(before) + (has_origins ? origin : "") + std::string(after);
  };
  return {join(kCreateDocs, ", origin", kCreateMetadata), join(kRevive, ", origin", kRevived),
          join(kRestore, ", p.origin", kRestored)};
}

Status RunWith(Connection& connection, const std::string& sql, int64_t sequence) {
  RECALL_ASSIGN(Statement statement, connection.Prepare(sql));
  statement.BindInt(1, sequence);
  return statement.Run();
}

// Restricts rows by id: every index contains it, so index-only scans stay index-only. Ids ascend
// with commits.
std::string ViewsSql(int64_t last_doc) {
  const std::string last = std::to_string(last_doc);
  return "CREATE TEMP VIEW doc AS SELECT * FROM main.doc WHERE removed_seq IS NULL AND id <= " +
         last +
         " AND id NOT IN (SELECT id FROM temp.snapshot_doc) "
         "UNION ALL SELECT * FROM temp.snapshot_doc;"
         "CREATE TEMP VIEW doc_meta AS SELECT * FROM main.doc_meta WHERE doc <= " +
         last +
         " AND doc NOT IN (SELECT id FROM temp.snapshot_doc) "
         "UNION ALL SELECT * FROM temp.snapshot_doc_meta;";
}

Result<SnapshotRows> CopyChangedRows(Connection& connection, const CommitRecord& commit,
                                     int64_t present_next_chunk) {
  RECALL_ASSIGN(const bool has_origins, RecordsOrigins(connection));
  const SnapshotSql sql = SqlFor(has_origins);
  RECALL_TRY(connection.Execute(sql.tables));
  RECALL_TRY(RunWith(connection, sql.revive, commit.counts.commit_sequence));
  SnapshotRows rows{commit.next_chunk, present_next_chunk, {}};
  RECALL_ASSIGN(Statement revived,
                connection.Prepare("SELECT first_chunk, chunk_count FROM temp.snapshot_doc "
                                   "WHERE chunk_count > 0"));
  for (;;) {
    RECALL_ASSIGN(const bool row, revived.Step());
    if (!row) break;
    const int64_t first = revived.ColumnInt(0);
    const int64_t count = revived.ColumnInt(1);
    if (first < 0 || count < 0 || first + count > commit.next_chunk) {
      return Fail(Status::Corruption(
          connection.path() + ": a removed document has the chunk rowids " + std::to_string(first) +
              " + " + std::to_string(count) + ", which did not exist in the commit of the snapshot",
          "run `recall doctor`, or omit --snapshot"));
    }
    rows.revived.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(count)});
  }
  RECALL_TRY(RunWith(connection, sql.restore, commit.counts.commit_sequence));
  return rows;
}

Status IndexChangedMetadata(Connection& connection) {
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT id, first_chunk, chunk_count, meta "
                                   "FROM temp.snapshot_doc WHERE meta IS NOT NULL"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    const MetaOwner owner{select.ColumnInt(0), static_cast<uint32_t>(select.ColumnInt(1)),
                          static_cast<uint32_t>(select.ColumnInt(2))};
    RECALL_TRY(
        AddToMetadataIndex(connection, owner, select.ColumnText(3), MetadataTable::kSnapshot));
  }
}

// Cards of the documents that main.card no longer contains as they were, and activities that
// changed since.
Status CopyChangedNotes(Connection& connection, int64_t sequence) {
  RECALL_TRY(connection.Execute(
      "CREATE TEMP TABLE snapshot_card(name INTEGER PRIMARY KEY, doc UNIQUE, first_chunk, "
      "chunk_count, is_note, status, created, touched, age_window, valid_until, obsolete);"
      "CREATE TEMP TABLE snapshot_activity(name INTEGER PRIMARY KEY, uses, used_at, reviews, "
      "reviewed_at, due, interval_days, easiness, repetitions, latest_at, seq);"));
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT id, first_chunk, chunk_count, path, parser = 'note', "
                                   "meta, mtime FROM temp.snapshot_doc"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) break;
    RECALL_TRY(InsertCard(connection,
                          {.doc_row = select.ColumnInt(0),
                           .first_chunk = static_cast<uint32_t>(select.ColumnInt(1)),
                           .chunk_count = static_cast<uint32_t>(select.ColumnInt(2)),
                           .path = select.ColumnText(3),
                           .is_note = select.ColumnInt(4) != 0,
                           .meta = select.ColumnText(5),
                           .mtime = select.ColumnOptionalInt(6)},
                          CardTable::kSnapshot));
  }
  return FillSnapshotActivity(connection, sequence);
}

std::string NoteViewsSql(int64_t last_doc, int64_t sequence) {
  const std::string last = std::to_string(last_doc);
  const std::string commit = std::to_string(sequence);
  return "CREATE TEMP VIEW card AS SELECT * FROM main.card WHERE doc <= " + last +
         " AND doc NOT IN (SELECT id FROM temp.snapshot_doc) "
         "UNION ALL SELECT * FROM temp.snapshot_card;"
         "CREATE TEMP VIEW link AS SELECT id, source, target, relation, weight, reason, origin, "
         "at, added_seq, NULL AS removed_seq FROM main.link WHERE added_seq <= " +
         commit + " AND (removed_seq IS NULL OR removed_seq > " + commit +
         ");"
         "CREATE TEMP VIEW use_log AS SELECT * FROM main.use_log WHERE seq <= " +
         commit +
         ";CREATE TEMP VIEW review_log AS SELECT * FROM main.review_log WHERE seq <= " + commit +
         ";CREATE TEMP VIEW activity AS SELECT * FROM main.activity WHERE seq <= " + commit +
         " UNION ALL SELECT * FROM temp.snapshot_activity;";
}

Status BuildNotes(Connection& connection, const CommitRecord& commit) {
  RECALL_ASSIGN(const bool has_notes, HasNoteTables(connection));
  if (!has_notes) return Status::Ok();
  const int64_t sequence = commit.counts.commit_sequence;
  RECALL_TRY(CopyChangedNotes(connection, sequence));
  return connection.Execute(NoteViewsSql(commit.last_doc, sequence));
}

Result<SnapshotRows> Build(Connection& connection, const CommitRecord& commit,
                           int64_t present_next_chunk) {
  RECALL_ASSIGN(SnapshotRows rows, CopyChangedRows(connection, commit, present_next_chunk));
  RECALL_TRY(IndexChangedMetadata(connection));
  RECALL_TRY(BuildNotes(connection, commit));
  RECALL_TRY(connection.Execute(ViewsSql(commit.last_doc)));
  return rows;
}

}  // namespace

Result<SnapshotRows> OpenSnapshotView(Connection& connection, const CommitRecord& commit,
                                      int64_t present_next_chunk) {
  // Readers are query_only, which forbids SQLite to write to temporary tables, too.
  RECALL_ASSIGN(const int64_t query_only, connection.QueryInt("PRAGMA query_only"));
  RECALL_TRY(connection.Execute("PRAGMA query_only=OFF"));
  Result<SnapshotRows> rows = Build(connection, commit, present_next_chunk);
  if (query_only != 0) RECALL_TRY(connection.Execute("PRAGMA query_only=ON"));
  return rows;
}

}  // namespace recall
