#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "index/check/chunk_facts.h"
#include "storage/check/check_run.h"

namespace recall {

// Compares the contents of the full-text index with those computed from the chunks: every token,
// its column and its position. Memory: 24 bytes for each chunk.
class FulltextCheck final {
 public:
  // Adds the next chunk rowid, ascending; `facts` is null if its text is damaged.
  void Expect(uint32_t row, const ChunkFacts* facts);

  // Reads the whole full-text index. With `report_extra` false, rows without a chunk are ignored.
  Status Compare(CheckRun& run, bool report_extra);

 private:
  struct Row {
    uint32_t row;
    bool known;
    uint32_t expected = 0;  // tokens
    uint32_t found = 0;
    uint64_t difference = 0;  // of the sums; 0 if all tokens are the same
  };
  Status ReadIndex(CheckRun& run);
  Status ScanInstances(Connection& connection);
  // Counts tokens that the index has of a row. `sum` is that of their hashes.
  void Count(int64_t row, uint32_t tokens, uint64_t sum);
  // Returns: null if no chunk has the row. Fastest if rows ascend from call to call.
  Row* Find(int64_t row);
  void ReportRows(CheckRun& run) const;

  std::vector<Row> rows_;
  std::map<int64_t, int64_t> extra_;  // tokens of rows without a chunk
  size_t at_ = 0;                     // index of the last result of Find
};

}  // namespace recall
