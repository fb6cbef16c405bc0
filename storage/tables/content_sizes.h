#pragma once

// How many bytes the contents of the parts of a store take, without the structure around them: as
// each commit recorded it (docs/format/store.md, "Content sizes").

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/base/result.h"
#include "storage/tables/store_facts.h"

namespace recall {

class Connection;

// The sizes at commit `sequence`, the newest one. Cost: a row of the table meta and the delta;
// where that commit recorded none, as those of older programs, the beginning of each row of
// contents. Requires: an open transaction.
Result<StoreSizes> ReadContentSizes(Connection& connection, int64_t sequence);
// The same, but nothing where that commit recorded none.
Result<std::optional<StoreSizes>> ReadRecordedSizes(Connection& connection, int64_t sequence);

// A part of a table whose recorded bytes are not those that it has.
struct WrongContentSize {
  std::string bucket;  // as the record names it
  int64_t recorded = 0;
  int64_t counted = 0;
};

// Compares the record of the commit `sequence`, the newest one, with the tables. Returns: nothing
// if that commit recorded none. Cost: the beginning of each row of contents. Requires: an open
// transaction.
Result<std::vector<WrongContentSize>> FindWrongContentSizes(Connection& connection,
                                                            int64_t sequence);

// Deletes the record. The next commit makes it anew, by counting. For code that writes contents
// past a ContentLedger.
Status ForgetContentSizes(Connection& connection);

// Brings the record up to date in each transaction of a writer: it notes which rows the connection
// writes. Stores on a server have none: to count buckets again would fetch their pages. Owned by
// the thread of the connection, which must outlive it; one for each connection.
class ContentLedger final {
 public:
  explicit ContentLedger(Connection& connection);
  ~ContentLedger();
  ContentLedger(const ContentLedger&) = delete;
  ContentLedger& operator=(const ContentLedger&) = delete;

  // A transaction begins: nothing was written in it.
  void Begin();
  // Records the sizes for the commit `sequence`, which is about to be made. Where they cannot be
  // counted, because a table is damaged or missing, there is no record. Errors: those of writing
  // the record; Cancelled.
  Status Record(int64_t sequence);

 private:
  struct Rows {
    int64_t first;
    int64_t last;
  };
  // What was written of a bucket.
  struct Change {
    bool counts_again = false;  // a row was deleted or changed
    std::vector<Rows> added;
  };
  using Buckets = std::map<std::pair<size_t, int64_t>, int64_t>;  // by column and number: bytes

  static void Note(void* ledger, int operation, const char* database, const char* table,
                   long long row);
  Result<Buckets> Count(int64_t sequence);
  Status CountChange(size_t column, int64_t bucket, const Change& change, int64_t* bytes);

  Connection& connection_;
  std::map<std::pair<size_t, int64_t>, Change> changes_;  // by column and number of the bucket
};

}  // namespace recall
