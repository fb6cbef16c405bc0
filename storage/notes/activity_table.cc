#include "storage/notes/activity_table.h"

#include <algorithm>
#include <limits>

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// A question about the activity of all documents must not read all uses of each: `activity` has one
// row for each name, and a scan of it takes as long as a scan of names.
//
//   use_log      (name, at, how, store) count, seq      one row a use
//   review_log   (name, at, store) state, seq           one row a review, or an appointment
//   activity     name -> sums of uses, state of the latest review, seq of the last change
//
// As of an earlier time, or in an older commit, the rows of `activity` that changed since are
// computed from the logs again, and only these. Invariant: a row of `activity` is what
// ComputeActivity gives for the last instant.

constexpr UnixNanos kEnd = std::numeric_limits<UnixNanos>::max();

#define RECALL_ACTIVITY_COLUMNS \
  "name, uses, used_at, reviews, reviewed_at, due, interval_days, easiness, repetitions"
#define RECALL_USE_COLUMNS "name, at, how, store, count"
#define RECALL_REVIEW_COLUMNS \
  "name, at, store, quality, algorithm, repetitions, interval_days, easiness, due"

Activity ActivityOf(const Statement& row) {
  Activity activity;
  activity.uses = row.ColumnInt(1);
  activity.used_at = row.ColumnOptionalInt(2);
  activity.reviews = row.ColumnInt(3);
  activity.reviewed_at = row.ColumnOptionalInt(4);
  activity.due = row.ColumnOptionalInt(5);
  activity.interval_days = row.ColumnInt(6);
  activity.easiness = row.ColumnInt(7);
  activity.repetitions = row.ColumnInt(8);
  return activity;
}

UseRow UseOf(const Statement& row) {
  return {.name = row.ColumnInt(0),
          .at = row.ColumnInt(1),
          .how = std::string(row.ColumnText(2)),
          .store = std::string(row.ColumnText(3)),
          .count = row.ColumnInt(4)};
}

ReviewRow ReviewOf(const Statement& row) {
  return {.name = row.ColumnInt(0),
          .at = row.ColumnInt(1),
          .store = std::string(row.ColumnText(2)),
          .quality = row.ColumnOptionalInt(3),
          .algorithm = std::string(row.ColumnText(4)),
          .repetitions = row.ColumnInt(5),
          .interval_days = row.ColumnInt(6),
          .easiness = row.ColumnInt(7),
          .due = row.ColumnInt(8)};
}

// Calls use(statement) for each row.
template <typename Use>
Status ForEachRow(Statement& select, const Use& use) {
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    use(select);
  }
}

// Runs a query for the rows of a name, and makes row_of(statement) of each.
template <typename Row>
Result<std::vector<Row>> RowsOf(Connection& connection, const char* sql, int64_t name,
                                Row (*row_of)(const Statement&)) {
  RECALL_ASSIGN(Statement * cached, connection.Cached(sql));
  const StatementScope select(cached);
  select->BindInt(1, name);
  std::vector<Row> rows;
  RECALL_TRY(ForEachRow(*select, [&](const Statement& row) { rows.push_back(row_of(row)); }));
  return rows;
}

Result<bool> InsertUse(Connection& connection, const UseRow& use, int64_t sequence) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT OR IGNORE INTO use_log(" RECALL_USE_COLUMNS
                                  ", seq) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"));
  insert->BindInt(1, use.name);
  insert->BindInt(2, use.at);
  insert->BindText(3, use.how);
  insert->BindText(4, use.store);
  insert->BindInt(5, use.count);
  insert->BindInt(6, sequence);
  RECALL_TRY(insert->Run());
  RECALL_ASSIGN(const int64_t changes, connection.QueryInt("SELECT changes()"));
  return changes > 0;
}

Result<bool> InsertReview(Connection& connection, const ReviewRow& review, int64_t sequence) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT OR IGNORE INTO review_log(" RECALL_REVIEW_COLUMNS
                                  ", seq) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"));
  insert->BindInt(1, review.name);
  insert->BindInt(2, review.at);
  insert->BindText(3, review.store);
  insert->BindOptionalInt(4, review.quality);
  insert->BindText(5, review.algorithm);
  insert->BindInt(6, review.repetitions);
  insert->BindInt(7, review.interval_days);
  insert->BindInt(8, review.easiness);
  insert->BindInt(9, review.due);
  insert->BindInt(10, sequence);
  RECALL_TRY(insert->Run());
  RECALL_ASSIGN(const int64_t changes, connection.QueryInt("SELECT changes()"));
  return changes > 0;
}

// An activity, and the time of the last row that it is computed from.
struct Computed {
  Activity activity;
  UnixNanos latest = std::numeric_limits<UnixNanos>::min();
};

Status WriteActivity(Connection& connection, const char* sql, int64_t name,
                     const Computed& computed, int64_t sequence) {
  const Activity& activity = computed.activity;
  RECALL_ASSIGN(Statement * insert, connection.Cached(sql));
  insert->BindInt(1, name);
  insert->BindInt(2, activity.uses);
  insert->BindOptionalInt(3, activity.used_at);
  insert->BindInt(4, activity.reviews);
  insert->BindOptionalInt(5, activity.reviewed_at);
  insert->BindOptionalInt(6, activity.due);
  insert->BindInt(7, activity.interval_days);
  insert->BindInt(8, activity.easiness);
  insert->BindInt(9, activity.repetitions);
  insert->BindInt(10, computed.latest);
  insert->BindInt(11, sequence);
  return insert->Run();
}

constexpr const char* kReplaceActivity =
    "INSERT OR REPLACE INTO main.activity(" RECALL_ACTIVITY_COLUMNS
    ", latest_at, seq) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
constexpr const char* kInsertSnapshotActivity =
    "INSERT INTO temp.snapshot_activity(" RECALL_ACTIVITY_COLUMNS
    ", latest_at, seq) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

// Adds the uses up to commit `sequence` and the time `as_of`.
Status AddUses(Connection& connection, int64_t name, int64_t sequence, UnixNanos as_of,
               Computed* computed) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT coalesce(sum(count), 0), max(at) FROM use_log "
                                  "WHERE name = ?1 AND at <= ?2 AND seq <= ?3"));
  const StatementScope select(cached);
  select->BindInt(1, name);
  select->BindInt(2, as_of);
  select->BindInt(3, sequence);
  RECALL_TRY(select->Step());
  computed->activity.uses = select->ColumnInt(0);
  computed->activity.used_at = select->ColumnOptionalInt(1);
  if (!select->ColumnIsNull(1)) computed->latest = std::max(computed->latest, select->ColumnInt(1));
  return Status::Ok();
}

Status AddReviews(Connection& connection, int64_t name, int64_t sequence, UnixNanos as_of,
                  Computed* computed) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT " RECALL_REVIEW_COLUMNS
                                  " FROM review_log WHERE name = ?1 AND at <= ?2 AND seq <= ?3 "
                                  "ORDER BY at, store"));
  const StatementScope select(cached);
  select->BindInt(1, name);
  select->BindInt(2, as_of);
  select->BindInt(3, sequence);
  return ForEachRow(*select, [&](const Statement& row) {
    const ReviewRow review = ReviewOf(row);
    Activity& activity = computed->activity;
    activity.due = review.due;
    activity.interval_days = review.interval_days;
    activity.easiness = review.easiness;
    activity.repetitions = review.repetitions;
    computed->latest = std::max(computed->latest, review.at);
    if (!review.quality) return;
    activity.reviews += 1;
    activity.reviewed_at = review.at;
  });
}

Result<Computed> ComputeUpTo(Connection& connection, int64_t name, int64_t sequence,
                             UnixNanos as_of) {
  Computed computed;
  RECALL_TRY(AddUses(connection, name, sequence, as_of, &computed));
  RECALL_TRY(AddReviews(connection, name, sequence, as_of, &computed));
  return computed;
}

Status Refresh(Connection& connection, int64_t name, int64_t sequence) {
  RECALL_ASSIGN(const Computed computed, ComputeUpTo(connection, name, kEnd, kEnd));
  return WriteActivity(connection, kReplaceActivity, name, computed, sequence);
}

Result<std::vector<int64_t>> NamesFrom(Connection& connection, const char* sql, int64_t sequence) {
  RECALL_ASSIGN(Statement select, connection.Prepare(sql));
  select.BindInt(1, sequence);
  std::vector<int64_t> names;
  RECALL_TRY(ForEachRow(select, [&](const Statement& row) { names.push_back(row.ColumnInt(0)); }));
  return names;
}

// Where to look for a free time: later, or earlier at the end of the range.
UnixNanos NextStep(UnixNanos taken) { return taken == kEnd ? -1'000'000'000 : 1; }

}  // namespace

Status AppendUse(Connection& connection, UseRow use, int64_t sequence) {
  for (;; use.at += NextStep(use.at)) {
    RECALL_ASSIGN(const bool added, MergeUse(connection, use, sequence));
    if (added) return Status::Ok();
  }
}

Status AppendReview(Connection& connection, ReviewRow review, int64_t sequence) {
  for (;; review.at += NextStep(review.at)) {
    RECALL_ASSIGN(const bool added, MergeReview(connection, review, sequence));
    if (added) return Status::Ok();
  }
}

Result<bool> MergeUse(Connection& connection, const UseRow& use, int64_t sequence) {
  RECALL_ASSIGN(const bool added, InsertUse(connection, use, sequence));
  if (added) RECALL_TRY(Refresh(connection, use.name, sequence));
  return added;
}

Result<bool> MergeReview(Connection& connection, const ReviewRow& review, int64_t sequence) {
  RECALL_ASSIGN(const bool added, InsertReview(connection, review, sequence));
  if (added) RECALL_TRY(Refresh(connection, review.name, sequence));
  return added;
}

Result<bool> HasUse(Connection& connection, int64_t name, UnixNanos at, std::string_view how) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT 1 FROM use_log WHERE name = ?1 AND at = ?2 "
                                  "AND how = ?3"));
  const StatementScope select(cached);
  select->BindInt(1, name);
  select->BindInt(2, at);
  select->BindText(3, how);
  return select->Step();
}

Result<bool> HasReview(Connection& connection, int64_t name, UnixNanos at) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT 1 FROM review_log WHERE name = ?1 AND at = ?2"));
  const StatementScope select(cached);
  select->BindInt(1, name);
  select->BindInt(2, at);
  return select->Step();
}

Result<Activity> ComputeActivity(Connection& connection, int64_t name, UnixNanos as_of) {
  RECALL_ASSIGN(const Computed computed, ComputeUpTo(connection, name, kEnd, as_of));
  return computed.activity;
}

Result<Activity> FindActivity(Connection& connection, int64_t name, UnixNanos as_of) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT " RECALL_ACTIVITY_COLUMNS
                                                      ", latest_at FROM activity WHERE name = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, name);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return Activity();
  if (select->ColumnInt(9) > as_of) return ComputeActivity(connection, name, as_of);
  return ActivityOf(*select);
}

Result<ActivityScan> ActivityScan::Open(Connection& connection, UnixNanos as_of) {
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT " RECALL_ACTIVITY_COLUMNS
                                                     ", latest_at FROM activity ORDER BY name"));
  return ActivityScan(connection, std::move(select), as_of);
}

Result<Activity> ActivityScan::At(int64_t name) {
  while (!ended_ && name_ < name) {
    RECALL_ASSIGN(const bool row, select_.Step());
    ended_ = !row;
    if (row) name_ = select_.ColumnInt(0);
  }
  if (ended_ || name_ != name) return Activity();
  if (select_.ColumnInt(9) > as_of_) return ComputeActivity(*connection_, name, as_of_);
  return ActivityOf(select_);
}

Status ScanUses(Connection& connection, const std::function<void(const UseRow&)>& visit) {
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT " RECALL_USE_COLUMNS
                                   " FROM use_log ORDER BY name, at, how, store"));
  return ForEachRow(select, [&](const Statement& row) { visit(UseOf(row)); });
}

Status ScanReviews(Connection& connection, const std::function<void(const ReviewRow&)>& visit) {
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT " RECALL_REVIEW_COLUMNS
                                                     " FROM review_log ORDER BY name, at, store"));
  return ForEachRow(select, [&](const Statement& row) { visit(ReviewOf(row)); });
}

Result<std::vector<UseRow>> UsesOf(Connection& connection, int64_t name) {
  return RowsOf(connection,
                "SELECT " RECALL_USE_COLUMNS
                " FROM use_log WHERE name = ?1 ORDER BY at, how, store",
                name, UseOf);
}

Result<std::vector<ReviewRow>> ReviewsOf(Connection& connection, int64_t name) {
  return RowsOf(connection,
                "SELECT " RECALL_REVIEW_COLUMNS
                " FROM review_log WHERE name = ?1 ORDER BY at, store",
                name, ReviewOf);
}

Status FillActivity(Connection& connection) {
  RECALL_ASSIGN(const auto names, NamesFrom(connection,
                                            "SELECT name FROM use_log WHERE seq >= ?1 UNION "
                                            "SELECT name FROM review_log WHERE seq >= ?1",
                                            0));
  for (const int64_t name : names) {
    RECALL_ASSIGN(const Computed computed, ComputeUpTo(connection, name, kEnd, kEnd));
    RECALL_ASSIGN(Statement * cached,
                  connection.Cached("SELECT max(seq) FROM (SELECT max(seq) AS seq FROM use_log "
                                    "WHERE name = ?1 UNION ALL SELECT max(seq) FROM review_log "
                                    "WHERE name = ?1)"));
    const StatementScope select(cached);
    select->BindInt(1, name);
    RECALL_TRY(select->Step());
    RECALL_TRY(WriteActivity(connection, kReplaceActivity, name, computed, select->ColumnInt(0)));
  }
  return Status::Ok();
}

Status FillSnapshotActivity(Connection& connection, int64_t sequence) {
  RECALL_ASSIGN(const auto names,
                NamesFrom(connection, "SELECT name FROM main.activity WHERE seq > ?1", sequence));
  for (const int64_t name : names) {
    RECALL_ASSIGN(const Computed computed, ComputeUpTo(connection, name, sequence, kEnd));
    RECALL_TRY(WriteActivity(connection, kInsertSnapshotActivity, name, computed, sequence));
  }
  return Status::Ok();
}

}  // namespace recall
