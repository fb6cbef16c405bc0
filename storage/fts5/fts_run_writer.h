#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "storage/base/coding.h"
#include "storage/base/result.h"
#include "storage/fts5/fts_row_index.h"
#include "storage/fts5/fts_structure.h"

namespace recall {

class Connection;

// Writes one run of FTS5's index into lexicon_data and lexicon_idx, token by token: leaves
// (fts_leaf.h), the keys of the leaves, and the row indexes of long lists. The run becomes part of
// the index when AddFtsRun adds it to the list of runs.
//
// Requires: a write transaction, FtsTablesAccess. Belongs to its connection's thread.
class FtsRunWriter final {
 public:
  // `id` must not be that of another run. A leaf has about `leaf_bytes` bytes, FTS5's `pgsz`: at
  // most 60,000.
  FtsRunWriter(Connection& connection, int64_t id, size_t leaf_bytes);

  // Begins the next token. Requires: `token` is greater than the token before, to which rows were
  // added.
  Status AddToken(std::string_view token);
  // Adds rows of the token, in the format of FtsPostings. Requires: each row is greater than all
  // rows added before and has at least one position.
  Status AddRows(uint32_t first_row, uint32_t last_row, ByteSpan list);

  // Returns the run that was written; without leaves if there were no tokens.
  Result<FtsRun> Finish();

 private:
  size_t used() const { return leaf_.size() + footer_.size(); }
  Status AddRow(uint32_t row, uint64_t size, ByteSpan positions);
  Status AddRowNumber(uint32_t row);
  Status FlushLeaf();
  // Writes the pending row of lexicon_idx.
  Status FlushKey();

  Connection& connection_;
  const int64_t id_;
  const size_t leaf_bytes_;
  std::string leaf_;
  std::string footer_;
  size_t last_token_at_ = 0;  // offset on the leaf
  bool has_row_ = false;      // whether a row or a token begins on the leaf
  int64_t leaf_number_ = 1;
  std::string token_;  // the last one, with the byte kFtsWholeTerms before it
  std::string next_token_;
  bool list_begins_ = false;
  uint32_t last_row_ = 0;
  std::string key_;
  int64_t key_leaf_ = 1;  // leaf of the pending row of lexicon_idx; 0: none
  FtsRowIndex row_index_;
};

}  // namespace recall
