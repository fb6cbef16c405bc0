#include "storage/fts5/fts_audit.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "storage/fts5/fts_run_audit.h"
#include "storage/fts5/fts_structure.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// A term may have a list in each run. The runs are read in parallel, each by its own cursor, and
// merged by term, with a heap of the cursors. If a row is in several lists of a term, the newest
// run counts; a row without tokens there is deleted.
class RunMerge final {
 public:
  // `runs` are ordered from the oldest to the newest.
  RunMerge(Connection& connection, const std::vector<FtsRun>& runs, size_t leaf_bytes) {
    for (const FtsRun& run : runs) {
      runs_.push_back(std::make_unique<FtsRunAudit>(connection, run, leaf_bytes));
    }
  }

  Status Run(const FtsTermVisitor& visit) {
    for (size_t run = 0; run < runs_.size(); ++run) RECALL_TRY(Advance(run));
    while (!heap_.empty()) {
      TakeNextTerm();
      merged_.clear();
      if (with_term_.size() == 1) {
        merged_.swap(runs_[with_term_[0]]->rows());
      } else {
        Merge();
      }
      std::erase_if(merged_, [](const FtsRowTokens& row) { return row.tokens == 0; });
      if (!merged_.empty()) RECALL_TRY(visit(runs_[with_term_[0]]->term(), merged_));
      for (const size_t run : with_term_) RECALL_TRY(Advance(run));
    }
    return Status::Ok();
  }

 private:
  // The next term of a run. Its first bytes, as a number that sorts as they do, decide most
  // comparisons.
  struct Next {
    uint64_t first_bytes;
    size_t run;
  };

  static uint64_t FirstBytesOf(std::string_view term) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < sizeof(bytes); ++i) {
      bytes = bytes << 8 | (i < term.size() ? static_cast<uint8_t>(term[i]) : 0);
    }
    return bytes;
  }
  // Whether `a` is after `b`: by term, then by age.
  bool IsAfter(const Next& a, const Next& b) const {
    if (a.first_bytes != b.first_bytes) return a.first_bytes > b.first_bytes;
    const int order = runs_[a.run]->term().compare(runs_[b.run]->term());
    return order != 0 ? order > 0 : a.run > b.run;
  }
  auto HeapOrder() const {
    return [this](const Next& a, const Next& b) { return IsAfter(a, b); };
  }

  // Reads the next term of a run; at its end the run leaves the heap.
  Status Advance(size_t run) {
    RECALL_ASSIGN(const bool more, runs_[run]->Next());
    if (!more) return Status::Ok();
    heap_.push_back({FirstBytesOf(runs_[run]->term()), run});
    std::ranges::push_heap(heap_, HeapOrder());
    return Status::Ok();
  }

  // Takes the runs with the smallest term, the oldest first.
  void TakeNextTerm() {
    with_term_.clear();
    do {
      std::ranges::pop_heap(heap_, HeapOrder());
      with_term_.push_back(heap_.back().run);
      heap_.pop_back();
    } while (!heap_.empty() && runs_[heap_.front().run]->term() == runs_[with_term_[0]]->term());
  }

  void Merge() {
    for (const size_t run : with_term_) {
      merged_.insert(merged_.end(), runs_[run]->rows().begin(), runs_[run]->rows().end());
    }
    // Runs of an index that only grew have ascending ranges of rows.
    const auto descends = [](const auto& a, const auto& b) { return a.row >= b.row; };
    if (std::ranges::adjacent_find(merged_, descends) == merged_.end()) return;
    // The sort is stable, so the newest of equal rows comes first and is the one that stays.
    std::ranges::reverse(merged_);
    std::ranges::stable_sort(merged_, {}, &FtsRowTokens::row);
    const auto end = std::unique(merged_.begin(), merged_.end(),
                                 [](const auto& a, const auto& b) { return a.row == b.row; });
    merged_.erase(end, merged_.end());
  }

  std::vector<std::unique_ptr<FtsRunAudit>> runs_;
  std::vector<Next> heap_;
  std::vector<size_t> with_term_;  // runs with the current term, the oldest first
  std::vector<FtsRowTokens> merged_;
};

}  // namespace

Result<bool> AuditFts(Connection& connection, const FtsTermVisitor& visit) {
  RECALL_ASSIGN(const auto runs, ReadableFtsRuns(connection));
  if (!runs) return false;
  RECALL_TRY(CheckFtsRunsRecord(connection));
  RECALL_ASSIGN(const size_t leaf_bytes, ReadFtsLeafBytes(connection));
  RECALL_TRY(RunMerge(connection, *runs, leaf_bytes).Run(visit));
  return true;
}

}  // namespace recall
