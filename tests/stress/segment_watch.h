#pragma once

// Compares the vectors that are read through the file mapping with those that SQLite reads.

#include <memory>
#include <string>

#include "storage/segment/segment_catalog.h"
#include "storage/sqlite/connection.h"
#include "tests/stress/stress_board.h"

namespace recall {

// The rule of docs/format/store.md ("Reading in place") that a control breaks.
enum class BrokenRule {
  kNone,
  kCertificate,  // reads in place with any snapshot
  kTransaction,  // continues to read in place after the end of the transaction
};

// Watches a file with one connection during its whole life, so that its mappings get old.
class SegmentWatch final {
 public:
  static Result<std::unique_ptr<SegmentWatch>> Open(const std::string& path, BrokenRule rule);

  // Compares all segments in one transaction. Errors: Corruption if any byte differs.
  Status Look(StressBoard::Facts& facts);

 private:
  SegmentWatch() = default;
  Status LookThroughCatalog(StressBoard::Facts& facts);
  Status LookByHand(StressBoard::Facts& facts);

  std::string path_;
  BrokenRule rule_ = BrokenRule::kNone;
  std::unique_ptr<SegmentCatalog> mapping_;  // destroyed after the connection
  std::unique_ptr<SegmentCatalog> copying_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace recall
