#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/fts5/fts_instance_hash.h"
#include "storage/fts5/fts_leaf.h"
#include "storage/fts5/fts_row_index.h"
#include "storage/fts5/fts_structure.h"
#include "storage/sqlite/statement.h"

namespace recall {

class Connection;

// Reads one run of the full-text index term by term, and verifies all of it (AuditFts).
class FtsRunAudit final {
 public:
  // `leaf_bytes`: ReadFtsLeafBytes. The connection must outlive the object.
  FtsRunAudit(Connection& connection, const FtsRun& run, size_t leaf_bytes);

  // Reads the next term and its rows. False at the end, where everything has been verified. Errors:
  // Corruption, with the place.
  Result<bool> Next();

  // The term that was read, and its rows, ascending. A row of which the run deletes the term from
  // older runs has no tokens.
  std::string_view term() const { return std::string_view(term_).substr(1); }
  std::vector<FtsRowTokens>& rows() { return rows_; }

 private:
  Status Open();
  // Makes the next leaf the current one. Requires: there is one.
  Status ReadLeaf();
  Status ExpectTerm() const;
  Status ReadTerm();
  Status ReadContinuation();
  Status CheckKey();
  Status FinishKeys();
  Status ReadRows(const uint8_t* begin, const uint8_t* end, const uint8_t** first_row);
  Status ReadPositionsOnLeaf(const uint8_t** at, const uint8_t* end);
  bool ReadPositions(const uint8_t* at, const uint8_t* end);
  bool HasMoreLeaves() const { return leaf_number_ < run_.last_leaf; }
  // `what` is a sentence about the current leaf.
  Status Damaged(std::string_view what) const;

  Connection& connection_;
  const FtsRun run_;
  bool open_ = false;
  std::optional<Statement> leaves_;
  std::optional<Statement> keys_;
  int64_t leaf_number_;
  std::optional<FtsLeaf> leaf_;  // of the row that leaves_ stands on
  std::optional<FtsLeaf::Terms> terms_;
  bool first_on_leaf_ = false;  // the next term is the first one of its leaf
  std::string leaf_term_;       // the term that Terms read last
  std::string term_;            // with the byte kFtsWholeTerms before it
  uint64_t term_hash_ = 0;
  std::vector<FtsRowTokens> rows_;

  // The list that is being read.
  bool has_row_on_leaf_ = false;
  int64_t last_row_ = -1;
  // How far the positions of its last row have been read.
  struct OpenRow {
    uint64_t missing = 0;         // bytes of positions on the next leaves
    bool column_follows = false;  // the next value is the number of a column
    bool compound = false;        // the positions are those of the column `compound`
    uint64_t offset = 0;          // the last position in the column
  };
  OpenRow open_row_;

  FtsRowIndex row_index_;
  bool row_index_known_ = true;  // false for a list whose first leaves a merge has deleted
  std::optional<bool> indexed_;  // what the key of the leaf says of the last list on it
};

}  // namespace recall
