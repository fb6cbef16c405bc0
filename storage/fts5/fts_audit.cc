#include "storage/fts5/fts_audit.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "storage/fts5/fts_run_audit.h"
#include "storage/fts5/fts_structure.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// A term may have a list in each run. The runs are read in parallel, each by its own cursor, and
// merged by term. If a row is in several lists of a term, the newest run counts; a row without
// tokens there is deleted.
class RunMerge final {
 public:
  // `runs` are ordered from the oldest to the newest.
  RunMerge(Connection& connection, const std::vector<FtsRun>& runs, size_t leaf_bytes) {
    for (const FtsRun& run : runs) {
      runs_.push_back(std::make_unique<FtsRunAudit>(connection, run, leaf_bytes));
    }
  }

  Status Run(const FtsTermVisitor& visit) {
    for (const auto& run : runs_) RECALL_TRY(Advance(run.get()));
    while (!reading_.empty()) {
      const std::string term(std::ranges::min(reading_, {}, TermOf)->term());
      merged_.clear();
      std::vector<FtsRunAudit*> with_term;
      std::ranges::copy_if(reading_, std::back_inserter(with_term),
                           [&](const FtsRunAudit* run) { return run->term() == term; });
      if (with_term.size() == 1) {
        merged_.swap(with_term[0]->rows());
      } else {
        Merge(with_term);
      }
      std::erase_if(merged_, [](const FtsRowTokens& row) { return row.tokens == 0; });
      if (!merged_.empty()) RECALL_TRY(visit(term, merged_));
      for (FtsRunAudit* run : with_term) RECALL_TRY(Advance(run));
    }
    return Status::Ok();
  }

 private:
  static std::string_view TermOf(const FtsRunAudit* run) { return run->term(); }

  // Reads the next term of a run; at its end the run leaves `reading_`.
  Status Advance(FtsRunAudit* run) {
    const auto place = std::ranges::find(reading_, run);
    RECALL_ASSIGN(const bool more, run->Next());
    if (more && place == reading_.end()) reading_.push_back(run);
    if (!more && place != reading_.end()) reading_.erase(place);
    return Status::Ok();
  }

  void Merge(const std::vector<FtsRunAudit*>& oldest_first) {
    for (auto run = oldest_first.rbegin(); run != oldest_first.rend(); ++run) {
      merged_.insert(merged_.end(), (*run)->rows().begin(), (*run)->rows().end());
    }
    // The sort is stable, so the newest of equal rows comes first and is the one that stays.
    std::ranges::stable_sort(merged_, {}, &FtsRowTokens::row);
    const auto end = std::unique(merged_.begin(), merged_.end(),
                                 [](const auto& a, const auto& b) { return a.row == b.row; });
    merged_.erase(end, merged_.end());
  }

  std::vector<std::unique_ptr<FtsRunAudit>> runs_;
  std::vector<FtsRunAudit*> reading_;  // oldest first
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
