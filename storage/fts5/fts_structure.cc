#include "storage/fts5/fts_structure.h"

#include <sqlite3.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "storage/base/bytes.h"
#include "storage/base/coding.h"
#include "storage/base/varint.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// FTS5's index is a log-structured merge tree. Each write transaction adds one sorted run to level
// 0. Runs of a level are merged into one of the next. Newer runs override older ones, so a
// deletion is a posting with a deletion mark, which disappears when it is merged with the posting
// that it deletes. The list of runs is one record, lexicon_data.id = 10:
//
//   bytes[4]  cookie: changes with the configuration
//   varint    number of levels
//   varint    number of runs
//   varint    leaves ever written to level 0 (FTS5's measure of how much merging is due)
//   of each level:
//     varint  how many of its runs a merge in progress takes in
//     varint  number of runs
//     of each run, oldest first: varint id, first leaf, last leaf
//
// Recall reads this record to decode postings without FTS5 (fts_words.h), and adds runs to it that
// it has written (fts_batch.h). Both are sound because of these invariants:
// - FTS5 caches the record and keeps pending rows in memory. A reader is safe outside of write
//   transactions, where nothing is pending. A writer must call FlushFtsCache first; FTS5 then reads
//   the record again.
// - The new run is the youngest, and its rows are beyond all others. It is put on level 0, or on
// the
//   level of its size together with the runs below (fts_levels.h).
// - The totals record (id = 1: rows, tokens of each column), which FTS5's bm25() uses, changes in
//   the same transaction.
// - SQLite's defensive mode protects these tables; FtsTablesAccess lifts it for the duration of a
//   write.
//
// Cost: the record is a few hundred bytes, read once per query and rewritten once per batch.
// Source: SQLite's ext/fts5/fts5_index.c, "Structure record" and "Averages record".

constexpr int64_t kKnownVersion = 4;
constexpr size_t kCookieBytes = 4;
constexpr int64_t kMaxRuns = 2000;  // FTS5's limit
constexpr int64_t kMaxLevels = kMaxRuns;
constexpr size_t kManyLevels = 64;   // only complete merges create that many
constexpr int64_t kLevelsBelow = 8;  // a run on the ninth level is next merged after 16^8 more

class Varints final {
 public:
  explicit Varints(ByteSpan bytes) : bytes_(bytes), at_(bytes.data()) {}

  // Returns the next number, or 0 at the end.
  int64_t Next() {
    uint64_t value = 0;
    if (ok_) at_ = ReadVarint(at_, bytes_.data() + bytes_.size(), &value);
    ok_ = ok_ && at_ != nullptr;
    return ok_ ? static_cast<int64_t>(value) : 0;
  }
  bool ok() const { return ok_; }

 private:
  ByteSpan bytes_;
  const uint8_t* at_;
  bool ok_ = true;
};

Status DamagedStructure(const Connection& connection) {
  return Status::Corruption(
      connection.path() + ": the list of runs of the full-text index is damaged",
      "run `recall doctor --fix`");
}

// The lexicon_data.id of the list of runs, and of the totals.
constexpr int64_t kRunsRow = 10;
constexpr int64_t kTotalsRow = 1;

// The list of runs.
struct RunsRecord {
  std::string cookie;
  uint64_t leaves_written = 0;
  std::vector<FtsLevel> levels;
};

// Returns an empty string if there is no such record.
Result<std::string> ReadRecord(Connection& connection, int64_t id) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT block FROM lexicon_data WHERE id = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, id);
  RECALL_ASSIGN(const bool row, select->Step());
  return row ? std::string(AsText(select->ColumnBlob(0))) : std::string();
}

int64_t CountRuns(const std::vector<FtsLevel>& levels) {
  int64_t runs = 0;
  for (const FtsLevel& level : levels) runs += std::ssize(level.runs);
  return runs;
}

// An id has 16 bits, the number of a leaf 31.
bool IsPlausible(const FtsRun& run) {
  return run.id >= 0 && run.id < 1 << 16 && run.first_leaf >= 0 && run.last_leaf >= 0 &&
         run.first_leaf < int64_t{1} << 31 && run.last_leaf < int64_t{1} << 31;
}

Result<RunsRecord> ReadRunsRecord(Connection& connection) {
  RECALL_ASSIGN(const std::string bytes, ReadRecord(connection, kRunsRow));
  if (bytes.size() < kCookieBytes) return Fail(DamagedStructure(connection));
  RunsRecord record;
  record.cookie = bytes.substr(0, kCookieBytes);
  Varints numbers(AsBytes(bytes).subspan(kCookieBytes));
  const int64_t count = numbers.Next();
  numbers.Next();  // total number of runs
  record.leaves_written = static_cast<uint64_t>(numbers.Next());
  if (count < 0 || count > kMaxLevels) return Fail(DamagedStructure(connection));
  record.levels.resize(static_cast<size_t>(count));
  for (FtsLevel& level : record.levels) {
    level.merging = numbers.Next();
    const int64_t runs = numbers.Next();
    for (int64_t i = 0; i < runs && numbers.ok(); ++i) {
      FtsRun run;
      run.id = numbers.Next();
      run.first_leaf = numbers.Next();
      run.last_leaf = numbers.Next();
      if (!IsPlausible(run)) return Fail(DamagedStructure(connection));
      level.runs.push_back(run);
    }
    if (!numbers.ok()) return Fail(DamagedStructure(connection));
  }
  return record;
}

std::string EncodeRunsRecord(const RunsRecord& record) {
  std::string bytes = record.cookie;
  const auto append = [&](int64_t number) { AppendVarint(static_cast<uint64_t>(number), &bytes); };
  append(std::ssize(record.levels));
  append(CountRuns(record.levels));
  AppendVarint(record.leaves_written, &bytes);
  for (const FtsLevel& level : record.levels) {
    append(level.merging);
    append(std::ssize(level.runs));
    for (const FtsRun& run : level.runs) {
      append(run.id);
      append(run.first_leaf);
      append(run.last_leaf);
    }
  }
  return bytes;
}

// Requires: FtsTablesAccess.
Status WriteRunsRecord(Connection& connection, const RunsRecord& record) {
  return WriteFtsBlock(connection, kRunsRow, EncodeRunsRecord(record));
}

}  // namespace

Result<std::vector<FtsLevel>> ReadFtsLevels(Connection& connection) {
  RECALL_ASSIGN(RunsRecord record, ReadRunsRecord(connection));
  return std::move(record.levels);
}

Status CheckFtsRunsRecord(Connection& connection) {
  RECALL_ASSIGN(const RunsRecord record, ReadRunsRecord(connection));
  RECALL_ASSIGN(const std::string bytes, ReadRecord(connection, kRunsRow));
  bool exact = EncodeRunsRecord(record) == bytes;
  const std::vector<FtsLevel>& levels = record.levels;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (levels[i].merging == 0) continue;
    // The result of a merge in progress is the youngest run of the next level.
    const bool has_result = i + 1 < levels.size() && !levels[i + 1].runs.empty();
    exact &= has_result && levels[i].merging <= std::ssize(levels[i].runs);
  }
  return exact ? Status::Ok() : DamagedStructure(connection);
}

Result<bool> HasKnownFtsVersion(Connection& connection) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT v FROM lexicon_config WHERE k = 'version'"));
  const StatementScope version(cached);
  RECALL_ASSIGN(const bool recorded, version->Step());
  return recorded && version->ColumnInt(0) == kKnownVersion;
}

Result<std::optional<std::vector<FtsRun>>> ReadableFtsRuns(Connection& connection) {
  if (!connection.features().fts_format) return std::nullopt;
  // FTS5 may hold what was written. A program that lends its connection writes other tables.
  const bool writes = sqlite3_txn_state(connection.handle(), "main") == SQLITE_TXN_WRITE;
  if (writes && !connection.borrowed()) return std::nullopt;
  RECALL_ASSIGN(const bool known, HasKnownFtsVersion(connection));
  if (!known) return std::nullopt;
  RECALL_ASSIGN(const std::vector<FtsLevel> levels, ReadFtsLevels(connection));
  std::vector<FtsRun> runs;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    // A run whose first leaf is 0 has been merged completely by a merge in progress.
    std::ranges::copy_if(level->runs, std::back_inserter(runs),
                         [](const FtsRun& run) { return run.first_leaf > 0; });
  }
  return runs;
}

Status EmptyFtsForDrop(Connection& connection) {
  RECALL_ASSIGN(const int64_t tables,
                connection.QueryInt("SELECT count(*) FROM sqlite_schema WHERE name = 'lexicon' AND "
                                    "type = 'table' AND rootpage = 0"));
  if (tables == 0) return Status::Ok();
  if (!connection.features().fts_format) {
    // FTS5 empties an index without reading it. If even that fails, DROP reports it.
    connection.Execute("INSERT INTO lexicon(lexicon) VALUES('delete-all')").IgnoreError();
    return Status::Ok();
  }
  const FtsTablesAccess access(connection);
  return connection.Execute(
      "CREATE TABLE IF NOT EXISTS lexicon_data(id INTEGER PRIMARY KEY, block BLOB);"
      "CREATE TABLE IF NOT EXISTS lexicon_idx(segid, term, pgno, PRIMARY KEY(segid, term))"
      " WITHOUT ROWID;"
      "CREATE TABLE IF NOT EXISTS lexicon_config(k PRIMARY KEY, v) WITHOUT ROWID;"
      "REPLACE INTO lexicon_config(k, v) VALUES('version', 4);"
      "REPLACE INTO lexicon_data(id, block) VALUES(10, zeroblob(7))");
}

Status DropEmptyFtsLevels(Connection& connection) {
  if (!connection.features().fts_format) return Status::Ok();
  RECALL_ASSIGN(RunsRecord record, ReadRunsRecord(connection));
  if (record.levels.size() <= kManyLevels) return Status::Ok();
  RECALL_TRY(FlushFtsCache(connection));  // which may write another record
  RECALL_ASSIGN(record, ReadRunsRecord(connection));
  std::vector<FtsLevel>& levels = record.levels;
  const auto full = std::ranges::find_if(
      levels, [](const FtsLevel& level) { return level.merging != 0 || !level.runs.empty(); });
  if (full - levels.begin() <= kLevelsBelow) return Status::Ok();
  const FtsTablesAccess access(connection);
  levels.erase(levels.begin(), full - kLevelsBelow);
  return WriteRunsRecord(connection, record);
}

// SAVEPOINT makes FTS5 write its pending rows. The empty 'merge' makes the table take part in the
// savepoint, and ROLLBACK TO makes FTS5 discard what it has cached, above all its list of runs.
Status FlushFtsCache(Connection& connection) {
  return connection.Execute(
      "SAVEPOINT forget; INSERT INTO lexicon(lexicon, rank) VALUES('merge', 0); "
      "ROLLBACK TO forget; RELEASE forget");
}

FtsTablesAccess::FtsTablesAccess(Connection& connection) : connection_(connection) {
  sqlite3_db_config(connection_.handle(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
}

FtsTablesAccess::~FtsTablesAccess() {
  sqlite3_db_config(connection_.handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

Status WriteFtsBlock(Connection& connection, int64_t id, std::string_view block) {
  RECALL_ASSIGN(Statement * write,
                connection.Cached("REPLACE INTO lexicon_data(id, block) VALUES(?1, ?2)"));
  write->BindInt(1, id);
  write->BindBlob(2, AsBytes(block));
  return write->Run();
}

Result<size_t> ReadFtsLeafBytes(Connection& connection) {
  constexpr int64_t kDefault = 4050;
  constexpr int64_t kLeast = 32;
  constexpr int64_t kMost = 65'536;
  constexpr int64_t kMostOfOurs = 60'000;  // so that all offsets on a leaf fit in 16 bits
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT v FROM lexicon_config WHERE k = 'pgsz'"));
  const StatementScope select(cached);
  RECALL_ASSIGN(const bool row, select->Step());
  const int64_t configured = row ? select->ColumnInt(0) : kDefault;
  if (configured < kLeast || configured > kMost) return size_t{kDefault};
  return static_cast<size_t>(std::min(configured, kMostOfOurs));
}

Result<int64_t> FindFreeFtsRunId(Connection& connection) {
  RECALL_ASSIGN(const std::vector<FtsLevel> levels, ReadFtsLevels(connection));
  std::set<int64_t> used;
  for (const FtsLevel& level : levels) {
    for (const FtsRun& run : level.runs) used.insert(run.id);
  }
  if (std::ssize(used) >= kMaxRuns - 1) {  // one id is reserved for the result of a merge
    return Fail(Status::LimitExceeded(connection.path() + ": the full-text index has too many runs",
                                      "run `recall compact`"));
  }
  int64_t id = 1;
  while (used.contains(id)) ++id;
  return id;
}

Status AddFtsRun(Connection& connection, const FtsRun& run) {
  RECALL_ASSIGN(RunsRecord record, ReadRunsRecord(connection));
  if (record.levels.empty()) record.levels.emplace_back();
  record.levels[0].runs.push_back(run);
  LiftFtsRuns(record.levels);
  record.leaves_written += static_cast<uint64_t>(run.last_leaf - run.first_leaf + 1);
  return WriteRunsRecord(connection, record);
}

Status AddToFtsTotals(Connection& connection, uint64_t rows, std::span<const uint64_t> tokens) {
  RECALL_ASSIGN(const std::string record, ReadRecord(connection, kTotalsRow));
  Varints numbers(AsBytes(record));
  std::string sums;
  AppendVarint(static_cast<uint64_t>(numbers.Next()) + rows, &sums);
  for (const uint64_t count : tokens) {
    AppendVarint(static_cast<uint64_t>(numbers.Next()) + count, &sums);
  }
  return WriteFtsBlock(connection, kTotalsRow, sums);
}

}  // namespace recall
