// Brings the documents of a store up to date with their files, for answers that must not be stale.

#include "query/add/documents/refresh_plan.h"
#include "query/ask/sources/source_checker.h"
#include "query/database/database_state.h"

namespace recall {

Result<RefreshReport> DatabaseState::Refresh(const RefreshRequest& request) {
  RefreshPlan plan;
  {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, ""));
    const LocalSnapshot local(*transaction);
    RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
    const TextsAndFacts& texts = visible.snapshot().texts();
    SourceChecker sources(texts, RootOfFiles());
    RefreshPlanner planner(texts, root_, request.like);
    std::vector<int64_t> rows;
    RECALL_TRY(texts.ScanPaths(false, [&](const PathEntry& entry) {
      rows.push_back(entry.doc_row);
      return true;
    }));
    for (const int64_t row : rows) {
      RECALL_ASSIGN(const DocRow doc, texts.ReadDoc(row));
      RECALL_ASSIGN(const SourceState state, sources.StateOf(doc, request.check));
      RECALL_TRY(planner.Add(doc, state));
    }
    plan = planner.Take();
  }
  RefreshReport report;
  for (const auto& [kind, add] : plan.adds) {
    RECALL_ASSIGN(const AddReport added, Add(add, {}));
    report.updated += added.added + added.updated + added.refreshed;
    for (const AddFailure& failure : added.failures) {
      report.warnings.push_back(failure.path + ": " + failure.reason);
    }
    for (const AddSkip& skip : added.skips) report.warnings.push_back(skip.text);
    report.warnings.insert(report.warnings.end(), added.warnings.begin(), added.warnings.end());
  }
  if (!plan.remove.targets.empty()) {
    RECALL_ASSIGN(const RemoveReport removed, Remove(plan.remove));
    report.removed = static_cast<int64_t>(removed.removed.size());
  }
  return report;
}

}  // namespace recall
