// The sizes of the contents, kept by commits.
//
// Problem. The sum of the lengths of all BLOBs of a table needs every leaf page of it, and texts,
// postings and words of chunks are most of a store. `stats` must not read the store.
//
// Idea. Every commit records the sums in a row of the table meta. SQLite's update hook names each
// row that the transaction writes, also those that FTS5 writes. Added rows are measured at the
// commit, while their pages are in the cache. The hook does not know the length that a deleted row
// had, so the rows of a table are divided into buckets of consecutive rowids, each with a sum of
// its own, and a bucket of which rows were deleted is counted again. A bucket of `lexicon_data` is
// a run of the index, which FTS5 deletes as a whole.
//
// Invariants.
// - The record names the commit that made it. One of another commit is not used: a program that
//   does not know it has written since. The next commit of ours then counts everything.
// - Only rows of rowid tables are noted. `vec_tail`, which has none, is counted when it is asked
//   for: it has fewer vectors than make a segment.
// - SQLite deletes all rows of a table without telling the hook if a DELETE has no WHERE, so
//   statements that delete all rows of one of these tables have `WHERE true`.
// - A repair writes on connections of its own, and deletes the record.
//
// Cost: a commit reads the beginnings of the rows that it added, and of the buckets of which it
// deleted rows.

#include "storage/tables/content_sizes.h"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr const char* kSizesKey = "content_sizes";
constexpr int kWholeTable = 62;  // the table is one bucket
constexpr int kRunOfFts = 37;    // the bits of a row of lexicon_data below the number of its run
constexpr int kBlockBucket = 12;
constexpr int kChunkBucket = 16;
constexpr int kSegmentBucket = 8;

struct Column {
  const char* table;
  const char* rows;  // the statement for the lengths of rows, ascending
  int64_t StoreSizes::*part;
  int bucket_bits;
  bool replaces;  // its rows are written with REPLACE, which deletes without telling the hook
};

constexpr Column kColumns[] = {
    {"text_block", "SELECT id, length(data) FROM text_block WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
     &StoreSizes::text, kBlockBucket, false},
    {"lexicon_data",
     "SELECT id, length(block) FROM lexicon_data WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
     &StoreSizes::lexical, kRunOfFts, true},
    {"posting_list",
     "SELECT id, length(data) FROM posting_list WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
     &StoreSizes::lexical, kWholeTable, false},
    {"word_dictionary",
     "SELECT id, length(data) FROM word_dictionary WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
     &StoreSizes::lexical, kWholeTable, false},
    {"chunk_words",
     "SELECT chunk, length(data) FROM chunk_words WHERE chunk BETWEEN ?1 AND ?2 ORDER BY chunk",
     &StoreSizes::lexical, kChunkBucket, false},
    {"vec_data", "SELECT id, length(data) FROM vec_data WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
     &StoreSizes::vectors, kSegmentBucket, false},
    {"given_vector",
     "SELECT doc, length(data) FROM given_vector WHERE doc BETWEEN ?1 AND ?2 ORDER BY doc",
     &StoreSizes::vectors, kChunkBucket, false},
    {"model_part", "SELECT id, length(data) FROM model_part WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
     &StoreSizes::vectors, kWholeTable, false},
};

constexpr const char* kDeltaBytes = "SELECT coalesce(sum(length(data)), 0) FROM vec_tail";

// Visits the rows first .. last: visit(row, bytes).
template <typename Visit>
Status VisitLengths(Connection& connection, const Column& column, int64_t first, int64_t last,
                    Visit visit) {
  RECALL_ASSIGN(Statement * cached, connection.Cached(column.rows));
  const StatementScope select(cached);
  select->BindInt(1, first);
  select->BindInt(2, last);
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return Status::Ok();
    visit(select->ColumnInt(0), select->ColumnInt(1));
  }
}

// Stores of older formats do not have all tables.
Result<bool> TableExists(Connection& connection, std::string_view name) {
  return connection
      .QueryInt("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '" +
                std::string(name) + "'")
      .map([](int64_t count) { return count > 0; });
}

std::optional<int64_t> WholeNumberIn(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size() && number >= 0;
  return whole ? std::optional(number) : std::nullopt;
}

// Takes the text before `end`, or the rest.
std::string_view TakeWord(char end, std::string_view* text) {
  const size_t size = std::min(text->find(end), text->size());
  const std::string_view taken = text->substr(0, size);
  text->remove_prefix(std::min(size + 1, text->size()));
  return taken;
}

using Buckets = std::map<std::pair<size_t, int64_t>, int64_t>;

std::string NameOfBucket(const Buckets::key_type& key) {
  return std::string(kColumns[key.first].table) + "." + std::to_string(key.second);
}

std::string RecordOf(const Buckets& buckets, int64_t sequence) {
  std::string text = std::to_string(sequence);
  for (const auto& [key, bytes] : buckets) {
    text += " " + NameOfBucket(key) + "=" + std::to_string(bytes);
  }
  return text;
}

// Nothing if the record is not of the commit `sequence`, or not as RecordOf writes it.
std::optional<Buckets> BucketsOf(std::string_view record, int64_t sequence) {
  if (WholeNumberIn(TakeWord(' ', &record)) != sequence) return std::nullopt;
  Buckets buckets;
  while (!record.empty()) {
    std::string_view bytes = TakeWord(' ', &record);
    std::string_view bucket = TakeWord('=', &bytes);
    const std::string_view table = TakeWord('.', &bucket);
    const auto* const column =
        std::find_if(std::begin(kColumns), std::end(kColumns),
                     [&](const Column& candidate) { return candidate.table == table; });
    const auto number = WholeNumberIn(bucket);
    const auto size = WholeNumberIn(bytes);
    if (column == std::end(kColumns) || !number || !size) return std::nullopt;
    buckets[{static_cast<size_t>(column - std::begin(kColumns)), *number}] = *size;
  }
  return buckets;
}

Result<std::optional<Buckets>> ReadSizesRecord(Connection& connection, int64_t sequence) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT value FROM meta WHERE key = ?1"));
  const StatementScope get(cached);
  get->BindText(1, kSizesKey);
  RECALL_ASSIGN(const bool row, get->Step());
  return row ? BucketsOf(get->ColumnText(0), sequence) : std::nullopt;
}

Result<Buckets> CountContents(Connection& connection) {
  Buckets buckets;
  for (size_t i = 0; i < std::size(kColumns); ++i) {
    RECALL_ASSIGN(const bool exists, TableExists(connection, kColumns[i].table));
    if (!exists) continue;
    RECALL_TRY(VisitLengths(connection, kColumns[i], 0, INT64_MAX, [&](int64_t row, int64_t bytes) {
      buckets[{i, row >> kColumns[i].bucket_bits}] += bytes;
    }));
  }
  return buckets;
}

Status PutSizesRecord(Connection& connection, const std::string& record) {
  RECALL_ASSIGN(Statement * put,
                connection.Cached("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, ?2)"));
  put->BindText(1, kSizesKey);
  put->BindText(2, record);
  return put->Run();
}

Result<StoreSizes> SizesOf(Connection& connection, const Buckets& buckets) {
  StoreSizes sizes;
  for (const auto& [key, bytes] : buckets) sizes.*kColumns[key.first].part += bytes;
  RECALL_ASSIGN(const int64_t delta, connection.QueryInt(kDeltaBytes));
  sizes.vectors += delta;
  return sizes;
}

}  // namespace

Result<StoreSizes> ReadContentSizes(Connection& connection, int64_t sequence) {
  RECALL_ASSIGN(const std::optional<Buckets> buckets, ReadSizesRecord(connection, sequence));
  if (buckets) return SizesOf(connection, *buckets);
  RECALL_ASSIGN(const Buckets counted, CountContents(connection));
  return SizesOf(connection, counted);
}

Result<std::optional<StoreSizes>> ReadRecordedSizes(Connection& connection, int64_t sequence) {
  RECALL_ASSIGN(const std::optional<Buckets> buckets, ReadSizesRecord(connection, sequence));
  if (!buckets) return std::nullopt;
  RECALL_ASSIGN(const StoreSizes sizes, SizesOf(connection, *buckets));
  return sizes;
}

Result<std::vector<WrongContentSize>> FindWrongContentSizes(Connection& connection,
                                                            int64_t sequence) {
  std::vector<WrongContentSize> wrong;
  RECALL_ASSIGN(const std::optional<Buckets> recorded, ReadSizesRecord(connection, sequence));
  if (!recorded) return wrong;
  RECALL_ASSIGN(const Buckets counted, CountContents(connection));
  Buckets all = *recorded;
  all.insert(counted.begin(), counted.end());
  // A bucket that is left out has no bytes.
  const auto bytes_in = [](const Buckets& buckets, const Buckets::key_type& key) {
    const auto found = buckets.find(key);
    return found == buckets.end() ? 0 : found->second;
  };
  for (const auto& [key, bytes] : all) {
    const int64_t in_record = bytes_in(*recorded, key);
    const int64_t in_table = bytes_in(counted, key);
    if (in_record != in_table) wrong.push_back({NameOfBucket(key), in_record, in_table});
  }
  return wrong;
}

Status ForgetContentSizes(Connection& connection) {
  RECALL_ASSIGN(Statement * remove, connection.Cached("DELETE FROM meta WHERE key = ?1"));
  remove->BindText(1, kSizesKey);
  return remove->Run();
}

ContentLedger::ContentLedger(Connection& connection) : connection_(connection) {
  sqlite3_update_hook(connection_.handle(), &ContentLedger::Note, this);
}

ContentLedger::~ContentLedger() { sqlite3_update_hook(connection_.handle(), nullptr, nullptr); }

void ContentLedger::Begin() { changes_.clear(); }

void ContentLedger::Note(void* ledger, int operation, const char* database, const char* table,
                         long long row) {
  if (std::string_view(database) != "main") return;
  const std::string_view name = table;
  for (size_t i = 0; i < std::size(kColumns); ++i) {
    const Column& column = kColumns[i];
    if (name != column.table) continue;
    Change& change = static_cast<ContentLedger*>(ledger)->changes_[{i, row >> column.bucket_bits}];
    change.counts_again |= operation != SQLITE_INSERT || column.replaces;
    if (change.counts_again) {
      change.added.clear();
    } else if (!change.added.empty() && change.added.back().last + 1 == row) {
      change.added.back().last = row;
    } else {
      change.added.push_back({row, row});
    }
    return;
  }
}

Status ContentLedger::CountChange(size_t column, int64_t bucket, const Change& change,
                                  int64_t* bytes) {
  const auto add = [&](int64_t, int64_t length) { *bytes += length; };
  if (change.counts_again) {
    *bytes = 0;
    const int bits = kColumns[column].bucket_bits;
    const int64_t first = bucket << bits;
    return VisitLengths(connection_, kColumns[column], first, first + ((int64_t{1} << bits) - 1),
                        add);
  }
  for (const Rows& rows : change.added) {
    RECALL_TRY(VisitLengths(connection_, kColumns[column], rows.first, rows.last, add));
  }
  return Status::Ok();
}

// Requires: FTS5 has written its pending rows.
Result<ContentLedger::Buckets> ContentLedger::Count(int64_t sequence) {
  RECALL_ASSIGN(std::optional<Buckets> before, ReadSizesRecord(connection_, sequence - 1));
  if (!before) return CountContents(connection_);
  Buckets buckets = *std::move(before);
  for (const auto& [key, change] : changes_) {
    int64_t& bytes = buckets[key];
    RECALL_TRY(CountChange(key.first, key.second, change, &bytes));
    if (bytes == 0) buckets.erase(key);
  }
  return buckets;
}

Status ContentLedger::Record(int64_t sequence) {
  // A savepoint makes FTS5 write its pending rows, if it has any, as COMMIT would.
  RECALL_TRY(connection_.Execute("SAVEPOINT content; RELEASE content"));
  const Result<Buckets> buckets = Count(sequence);
  if (buckets) return PutSizesRecord(connection_, RecordOf(*buckets, sequence));
  if (buckets.error().code() == StatusCode::kCancelled) return buckets.error();
  return ForgetContentSizes(connection_);
}

}  // namespace recall
