#pragma once

// Compares the vectors that a reader finds in the file mapping with what SQLite reads.

#include <memory>
#include <string>

#include "storage/segment/segment_catalog.h"
#include "tests/stress/stress_board.h"

namespace recall {

// A rule of docs/format/store.md ("Reading in place") that a control leaves out.
enum class BrokenRule {
  kNone,
  kCertificate,  // reads in place whatever snapshot it has
  kTransaction,  // goes on reading in place after the transaction has ended
};

// Watches one file with one connection for as long as it lives, so that its maps grow old.
class SegmentWatch final {
 public:
  static Result<std::unique_ptr<SegmentWatch>> Open(const std::string& path, BrokenRule rule);

  // One transaction. Corruption when any byte in place differs from what SQLite reads.
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
