#pragma once

// The tables `use_log`, `review_log` and `activity` (docs/format/store.md, "Notes"): what was used
// and reviewed, and when. The logs are source data and only grow. `activity` has the sums and the
// latest state of each name, and is derived from them.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/sqlite/statement.h"

namespace recall {

class Connection;

// A use, or several at once that another program counted.
struct UseRow {
  int64_t name = 0;
  UnixNanos at = 0;
  std::string how;    // "get", "used", "import": by which way
  std::string store;  // the uuid of the store that recorded it
  int64_t count = 1;
};

// A review, or the first appointment of one.
struct ReviewRow {
  int64_t name = 0;
  UnixNanos at = 0;
  std::string store;                    // the uuid of the store that recorded it
  std::optional<int64_t> quality = {};  // 0 to 5; unset: only scheduled
  std::string algorithm = "sm2";        // the name of an algorithm (docs/notes.md)
  int64_t repetitions = 0;              // successful reviews in a row
  int64_t interval_days = 0;            // until the next review
  int64_t easiness = 250;               // in hundredths, at least 130
  UnixNanos due = 0;

  bool operator==(const ReviewRow&) const = default;
};

// What is known of a name at a time.
struct Activity {
  int64_t uses = 0;
  std::optional<UnixNanos> used_at;      // the last use
  int64_t reviews = 0;                   // rated ones
  std::optional<UnixNanos> reviewed_at;  // the last rated one
  std::optional<UnixNanos> due;          // unset: no review is scheduled
  int64_t interval_days = 0;
  int64_t easiness = 250;  // in hundredths
  int64_t repetitions = 0;

  bool operator==(const Activity&) const = default;
};

// Adds a row to a log, in the commit `sequence`, and brings `activity` up to date. If the log has a
// row of this name, time and store, the time is the next free nanosecond. Require: a write
// transaction.
Status AppendUse(Connection& connection, UseRow use, int64_t sequence);
Status AppendReview(Connection& connection, ReviewRow review, int64_t sequence);
// The same for a row of another store. Returns: false, and adds nothing, if the row is there.
Result<bool> MergeUse(Connection& connection, const UseRow& use, int64_t sequence);
Result<bool> MergeReview(Connection& connection, const ReviewRow& review, int64_t sequence);

// Whether the logs have a use of this time and way, a review of this time, of any store.
Result<bool> HasUse(Connection& connection, int64_t name, UnixNanos at, std::string_view how);
Result<bool> HasReview(Connection& connection, int64_t name, UnixNanos at);

// The activity of a name as of a time, computed from the logs.
Result<Activity> ComputeActivity(Connection& connection, int64_t name, UnixNanos as_of);
// The same, from `activity` where that is up to date as of the time.
Result<Activity> FindActivity(Connection& connection, int64_t name, UnixNanos as_of);
// Reads the activities of all names that have one, by name, as of a time.
class ActivityScan final {
 public:
  static Result<ActivityScan> Open(Connection& connection, UnixNanos as_of);

  // Goes to the first name from `name` on, which must not be less than that of the call before.
  // Returns: its activity if it is this name; otherwise none.
  Result<Activity> At(int64_t name);

 private:
  ActivityScan(Connection& connection, Statement select, UnixNanos as_of)
      : connection_(&connection), select_(std::move(select)), as_of_(as_of) {}

  Connection* connection_;
  Statement select_;
  UnixNanos as_of_;
  int64_t name_ = 0;  // of the row that was read last; names are greater than 0
  bool ended_ = false;
};

// Visits the rows of the logs, by name, time, and store.
Status ScanUses(Connection& connection, const std::function<void(const UseRow&)>& visit);
Status ScanReviews(Connection& connection, const std::function<void(const ReviewRow&)>& visit);
// Those of one name.
Result<std::vector<UseRow>> UsesOf(Connection& connection, int64_t name);
Result<std::vector<ReviewRow>> ReviewsOf(Connection& connection, int64_t name);

// Fills an empty `activity` from the logs.
Status FillActivity(Connection& connection);
// Fills the table temp.snapshot_activity with the activities of names that a commit after
// `sequence` changed, as they were at that commit.
Status FillSnapshotActivity(Connection& connection, int64_t sequence);

}  // namespace recall
