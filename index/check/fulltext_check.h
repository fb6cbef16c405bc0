#pragma once

#include <cstdint>
#include <vector>

#include "index/check/chunk_facts.h"
#include "storage/check/check_run.h"

namespace recall {

// Holds what FTS5 really has against what chunks say it should have: every token, its column and
// its place. Memory: 24 bytes a chunk.
class FulltextCheck final {
 public:
  // The next chunk rowid, ascending; `facts` is null when its text cannot be trusted.
  void Expect(uint32_t row, const ChunkFacts* facts);

  // Reads the whole lexical index. With `report_extra` false, rows of no chunk are passed over.
  Status Compare(CheckRun& run, bool report_extra);

 private:
  struct Row {
    uint32_t row;
    bool known;
    uint32_t expected = 0;  // tokens
    uint32_t found = 0;
    uint64_t difference = 0;  // of the sums; 0 when all tokens are the same
  };
  // Null when no chunk has the row. Rows mostly ascend from call to call.
  Row* Find(int64_t row);
  void ReportRows(CheckRun& run) const;

  std::vector<Row> rows_;
  size_t at_ = 0;  // where Find found the last
};

}  // namespace recall
