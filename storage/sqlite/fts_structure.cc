#include "storage/sqlite/fts_structure.h"

#include <sqlite3.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "storage/base/bytes.h"
#include "storage/base/coding.h"
#include "storage/base/varint.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr int64_t kKnownVersion = 4;
constexpr size_t kCookieBytes = 4;
constexpr int64_t kMaxLevels = 2000;  // FTS5 itself allows no more runs than this
constexpr size_t kManyLevels = 64;    // no index that is not merged as a whole has so many
constexpr int64_t kLevelsBelow = 8;   // 16^8 runs must be written before one above is merged

class Varints final {
 public:
  explicit Varints(ByteSpan bytes) : bytes_(bytes), at_(bytes.data()) {}

  // 0 where they are at their end.
  int64_t Next() {
    uint64_t value = 0;
    if (ok_) at_ = ReadVarint(at_, bytes_.data() + bytes_.size(), &value);
    ok_ = ok_ && at_ != nullptr;
    return ok_ ? static_cast<int64_t>(value) : 0;
  }
  bool ok() const { return ok_; }
  // Requires: ok().
  size_t position() const { return static_cast<size_t>(at_ - bytes_.data()); }

 private:
  ByteSpan bytes_;
  const uint8_t* at_;
  bool ok_ = true;
};

void AppendVarint(uint32_t value, std::string* out) {
  for (int shift = 28; shift > 0; shift -= 7) {
    if (value >> shift != 0) out->push_back(static_cast<char>(0x80 | (value >> shift & 0x7f)));
  }
  out->push_back(static_cast<char>(value & 0x7f));
}

Status Damaged(const Connection& connection) {
  return Status::Corruption(
      connection.path() + ": the list of runs of the lexical index is damaged",
      "run `recall doctor --fix`");
}

// A cookie, then numbers: levels, runs, pages ever written; of each level: how many of its runs a
// merge in progress takes in, runs; of each run: id, first and last page.
Result<std::string> ReadRecord(Connection& connection) {
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT block FROM lexicon_data WHERE id = 10"));
  RECALL_ASSIGN(const bool row, select.Step());
  if (!row || select.ColumnBlob(0).size() < kCookieBytes) return Fail(Damaged(connection));
  return std::string(AsText(select.ColumnBlob(0)));
}

// The record without the first empty levels. Of these some stay, so that the runs above are not
// merged again soon.
std::string WithoutEmptyLevels(const std::string& record, int64_t levels) {
  const ByteSpan bytes = AsBytes(record).subspan(kCookieBytes);
  Varints numbers(bytes);
  numbers.Next();
  const size_t counts = numbers.position();
  numbers.Next();
  numbers.Next();
  const size_t counted = numbers.position();
  int64_t empty = 0;
  size_t end = counted;  // of those that are dropped
  while (numbers.Next() == 0 && numbers.Next() == 0 && numbers.ok() && empty < levels) {
    if (++empty > kLevelsBelow) end += 2;  // two zeros
  }
  if (end == counted) return record;
  std::string shorter = record.substr(0, kCookieBytes);
  AppendVarint(static_cast<uint32_t>(levels - (empty - kLevelsBelow)), &shorter);
  shorter += AsText(bytes.subspan(counts, counted - counts));
  shorter += AsText(bytes.subspan(end));
  return shorter;
}

// Ids have 16 bits, leaves' numbers 31.
bool MakesSense(const FtsRun& run) {
  return run.id >= 0 && run.id < 1 << 16 && run.first_leaf >= 0 && run.last_leaf >= 0 &&
         run.first_leaf < int64_t{1} << 31 && run.last_leaf < int64_t{1} << 31;
}

// SQLite lets nobody write to FTS5's tables but FTS5, unless told so.
class UndefendedTables final {
 public:
  explicit UndefendedTables(sqlite3* handle) : handle_(handle) { Defend(0); }
  ~UndefendedTables() { Defend(1); }
  UndefendedTables(const UndefendedTables&) = delete;
  UndefendedTables& operator=(const UndefendedTables&) = delete;

 private:
  void Defend(int on) { sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, on, nullptr); }
  sqlite3* handle_;
};

}  // namespace

int64_t FtsLevel::leaves() const {
  int64_t leaves = 0;
  for (const FtsRun& run : runs) leaves += run.last_leaf - run.first_leaf + 1;
  return leaves;
}

Result<std::vector<FtsLevel>> ReadFtsLevels(Connection& connection) {
  RECALL_ASSIGN(const std::string record, ReadRecord(connection));
  Varints numbers(AsBytes(record).subspan(kCookieBytes));
  const int64_t count = numbers.Next();
  numbers.Next();  // runs in all
  numbers.Next();  // pages ever written
  if (count < 0 || count > kMaxLevels) return Fail(Damaged(connection));
  std::vector<FtsLevel> levels(static_cast<size_t>(count));
  for (FtsLevel& level : levels) {
    numbers.Next();  // of its runs, how many a merge in progress takes in
    const int64_t runs = numbers.Next();
    for (int64_t i = 0; i < runs && numbers.ok(); ++i) {
      FtsRun run;
      run.id = numbers.Next();
      run.first_leaf = numbers.Next();
      run.last_leaf = numbers.Next();
      if (!MakesSense(run)) return Fail(Damaged(connection));
      level.runs.push_back(run);
    }
    if (!numbers.ok()) return Fail(Damaged(connection));
  }
  return levels;
}

Result<std::optional<std::vector<FtsRun>>> ReadableFtsRuns(Connection& connection) {
  if (sqlite3_txn_state(connection.handle(), "main") == SQLITE_TXN_WRITE) return std::nullopt;
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT v FROM lexicon_config WHERE k = 'version'"));
  const StatementScope version(cached);
  RECALL_ASSIGN(const bool known, version->Step());
  if (!known || version->ColumnInt(0) != kKnownVersion) return std::nullopt;
  RECALL_ASSIGN(const std::vector<FtsLevel> levels, ReadFtsLevels(connection));
  std::vector<FtsRun> runs;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    // A merge in progress has taken all leaves of those that begin with none.
    std::ranges::copy_if(level->runs, std::back_inserter(runs),
                         [](const FtsRun& run) { return run.first_leaf > 0; });
  }
  return runs;
}

Status EmptyFtsForDrop(Connection& connection) {
  RECALL_ASSIGN(const int64_t there,
                connection.QueryInt("SELECT count(*) FROM sqlite_schema WHERE name = 'lexicon' AND "
                                    "type = 'table' AND rootpage = 0"));
  if (there == 0) return Status::Ok();
  const UndefendedTables undefended(connection.handle());
  return connection.Execute(
      "CREATE TABLE IF NOT EXISTS lexicon_data(id INTEGER PRIMARY KEY, block BLOB);"
      "CREATE TABLE IF NOT EXISTS lexicon_idx(segid, term, pgno, PRIMARY KEY(segid, term))"
      " WITHOUT ROWID;"
      "CREATE TABLE IF NOT EXISTS lexicon_config(k PRIMARY KEY, v) WITHOUT ROWID;"
      "REPLACE INTO lexicon_config(k, v) VALUES('version', 4);"
      "REPLACE INTO lexicon_data(id, block) VALUES(10, zeroblob(7))");
}

Status DropEmptyFtsLevels(Connection& connection) {
  RECALL_ASSIGN(const std::vector<FtsLevel> levels, ReadFtsLevels(connection));
  if (levels.size() <= kManyLevels) return Status::Ok();
  RECALL_ASSIGN(const std::string record, ReadRecord(connection));
  {
    const UndefendedTables undefended(connection.handle());
    RECALL_ASSIGN(Statement update,
                  connection.Prepare("UPDATE lexicon_data SET block = ?1 WHERE id = 10"));
    const std::string shorter = WithoutEmptyLevels(record, static_cast<int64_t>(levels.size()));
    update.BindBlob(1, AsBytes(shorter));
    RECALL_TRY(update.Run());
  }
  // FTS5 remembers the record. It forgets when something of its own is rolled back.
  return connection.Execute(
      "SAVEPOINT levels; INSERT INTO lexicon(lexicon, rank) VALUES('merge', 1); "
      "ROLLBACK TO levels; RELEASE levels");
}

}  // namespace recall
