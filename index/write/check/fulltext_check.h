#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "index/write/check/chunk_facts.h"
#include "storage/check/check_run.h"

namespace recall {

class Connection;

// What the full-text index contains of each chunk. Memory: 16 bytes for each chunk.
class FulltextContents final {
 public:
  struct Row {
    uint32_t row;
    uint32_t tokens = 0;
    uint64_t sum = 0;  // of the FtsInstanceHash of the tokens
  };

  // Reads the whole index. That it cannot be read is part of the result. Errors: those that end an
  // examination. Requires: tables chunk and lexicon.
  Status Read(CheckRun& run);

  // Ok if the index was read.
  const Status& fault() const { return fault_; }
  // Ascending; one for each row of table chunk.
  const std::vector<Row>& rows() const { return rows_; }
  // Tokens of rows without a chunk.
  const std::map<int64_t, int64_t>& extra() const { return extra_; }

 private:
  Status ReadRows(Connection& connection);
  Status ReadIndex(CheckRun& run);
  Status ScanInstances(Connection& connection);
  // Counts tokens that the index has of a row. `sum` is that of their hashes.
  void Count(int64_t row, uint32_t tokens, uint64_t sum);
  // Returns: null if no chunk has the row. Fastest if rows ascend from call to call.
  Row* Find(int64_t row);

  Status fault_;
  std::vector<Row> rows_;
  std::map<int64_t, int64_t> extra_;
  size_t at_ = 0;  // index of the last result of Find
};

// Compares the contents of the full-text index with those computed from the chunks: every token,
// its column and its position. Memory: 24 bytes for each chunk.
class FulltextCheck final {
 public:
  // Adds the next chunk rowid, ascending; `facts` is null if its text is damaged.
  void Expect(uint32_t row, const ChunkFacts* facts);
  // Rows of the index without a chunk will not be reported.
  void IgnoreExtraRows() { report_extra_ = false; }

  // Reports the differences.
  Status Compare(CheckRun& run, const FulltextContents& found) const;

 private:
  struct Row {
    uint32_t row;
    bool known;
    uint32_t tokens = 0;
    uint64_t sum = 0;
  };
  static void ReportRow(CheckRun& run, const Row& expected, const FulltextContents::Row& found);

  std::vector<Row> rows_;
  bool report_extra_ = true;
};

}  // namespace recall
