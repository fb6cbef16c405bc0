#include "storage/fts5/fts_scan.h"

#include <optional>
#include <string>

#include "storage/fts5/fts_doclist.h"
#include "storage/fts5/fts_leaf.h"
#include "storage/fts5/fts_structure.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

using Wants = std::function<bool(std::string_view)>;
using Visit = std::function<void(const PostingList&)>;
using VisitSize = std::function<void(std::string_view, uint64_t)>;

// Decodes the leaves of one run, given in order. Read and Finish return false if a leaf is damaged.
class RunScan final {
 public:
  RunScan(const FtsDoclist::Part& part, const Wants& wants, const Visit& visit)
      : part_(part), wants_(wants), visit_(visit) {}

  bool Read(ByteSpan bytes) {
    const auto leaf = FtsLeaf::Open(bytes);
    if (!leaf) return false;
    const uint8_t* const end = leaf->EndOfRest();
    if (!end || !ReadContinuation(*leaf, end)) return false;
    // If no term begins on this leaf, the list may continue on the next leaf, too.
    for (FtsLeaf::Terms terms(*leaf); !terms.AtEnd();) {
      const auto list = terms.Next(&term_);
      if (!list || !Finish()) return false;
      if (term_.empty() || term_[0] != kFtsWholeTerms) continue;
      if (!wants_(std::string_view(term_).substr(1))) continue;
      list_.clear();
      doclist_.emplace(&list_, part_);
      if (!doclist_->ReadRows(list->begin, list->end)) return false;
    }
    return true;
  }

  // Ends the current list: no more leaves of it follow.
  bool Finish() {
    if (!doclist_) return true;
    if (!doclist_->complete()) return false;
    doclist_.reset();
    visit_(list_);
    return true;
  }

 private:
  bool ReadContinuation(const FtsLeaf& leaf, const uint8_t* end) {
    if (!doclist_) return true;
    const uint8_t* const rows = leaf.FirstRow();
    return rows && rows <= end && doclist_->ReadRest(leaf.body(), rows) &&
           doclist_->ReadRows(rows, end);
  }

  const FtsDoclist::Part& part_;
  const Wants& wants_;
  const Visit& visit_;
  std::string term_;
  PostingList list_;
  std::optional<FtsDoclist> doclist_;  // of a requested token, until its list is complete
};

// Adds up the bytes of each token's list in one run, leaf by leaf.
class RunSizes final {
 public:
  explicit RunSizes(const VisitSize& visit) : visit_(visit) {}

  bool Read(ByteSpan bytes) {
    const auto leaf = FtsLeaf::Open(bytes);
    const uint8_t* const end = leaf ? leaf->EndOfRest() : nullptr;
    if (!end) return false;
    bytes_ += static_cast<uint64_t>(end - leaf->body());
    for (FtsLeaf::Terms terms(*leaf); !terms.AtEnd();) {
      Finish();
      const auto list = terms.Next(&term_);
      if (!list) return false;
      bytes_ = static_cast<uint64_t>(list->end - list->begin);
    }
    return true;
  }

  bool Finish() {
    const bool whole = !term_.empty() && term_[0] == kFtsWholeTerms;
    if (whole) visit_(std::string_view(term_).substr(1), bytes_);
    return true;
  }

 private:
  const VisitSize& visit_;
  std::string term_;
  uint64_t bytes_ = 0;
};

// Passes the leaves of a run to `scan`, in order. Returns: false if one is missing or damaged.
template <typename Scan>
Result<bool> ScanRun(Connection& connection, const FtsRun& run, Scan& scan) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT id, block FROM lexicon_data WHERE id BETWEEN ?1 AND ?2 "
                                  "ORDER BY id"));
  const StatementScope leaves(cached);
  leaves->BindInt(1, FtsLeafRow(run, run.first_leaf));
  leaves->BindInt(2, FtsLeafRow(run, run.last_leaf));
  for (int64_t leaf = run.first_leaf; leaf <= run.last_leaf; ++leaf) {
    RECALL_ASSIGN(const bool row, leaves->Step());
    if (!row || leaves->ColumnInt(0) != FtsLeafRow(run, leaf)) return false;
    if (!scan.Read(leaves->ColumnBlob(1))) return false;
  }
  return scan.Finish();
}

}  // namespace

Result<bool> ScanFtsBodies(Connection& connection, uint32_t first_row, uint32_t last_row,
                           const Wants& wants, const Visit& visit) {
  const FtsDoclist::Part part{first_row, last_row, FtsDoclist::Columns::kFirst};
  RECALL_ASSIGN(const auto runs, ReadableFtsRuns(connection));
  if (!runs) return false;
  for (auto run = runs->rbegin(); run != runs->rend(); ++run) {
    RunScan scan(part, wants, visit);
    RECALL_ASSIGN(const bool sound, ScanRun(connection, *run, scan));
    if (!sound) return false;
  }
  return true;
}

Result<bool> MeasureFtsLists(Connection& connection, const VisitSize& visit) {
  RECALL_ASSIGN(const auto runs, ReadableFtsRuns(connection));
  if (!runs) return false;
  for (const FtsRun& run : *runs) {
    RunSizes sizes(visit);
    RECALL_ASSIGN(const bool sound, ScanRun(connection, run, sizes));
    if (!sound) return false;
  }
  return true;
}

}  // namespace recall
