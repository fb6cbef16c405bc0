#include "query/maintenance/remove.h"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "index/write/local/local_store.h"
#include "query/ask/answer/targets.h"
#include "query/ask/rows/scope.h"
#include "query/ask/rows/scoped_snapshot.h"
#include "query/maintenance/compact.h"
#include "storage/history/snapshot_token.h"

namespace recall {
namespace {

// Returns: the documents of a request. Targets that were not found, and the filter, are recorded in
// the report.
Result<std::vector<DocRow>> FindRemovals(const Store& store, const Snapshot& present,
                                         const RemoveRequest& request, const std::string& root,
                                         RemoveReport& report) {
  std::vector<DocRow> docs;
  std::unordered_set<int64_t> seen;
  for (const std::string& target : request.targets) {
    RECALL_ASSIGN(const auto found, ResolveTarget(present.texts(), target, root));
    if (found.empty()) report.not_found.push_back(target);
    for (const DocRow& doc : found) {
      if (seen.insert(doc.row).second) docs.push_back(doc);
    }
  }
  if (request.scope.filter.empty()) return docs;
  RECALL_ASSIGN(
      const ResolvedScope scope,
      ResolveScope(present.filters(), request.scope,
                   MakeSnapshotToken(store.uuid(), present.counts()), FilterDomain::kDocs));
  report.filter = scope.filter;
  report.as_of = scope.as_of;
  report.warnings = scope.warnings;
  for (const uint32_t row : scope.set->Values()) {
    RECALL_ASSIGN(DocRow doc, present.texts().ReadDoc(row));
    docs.push_back(std::move(doc));
  }
  std::ranges::sort(docs, {}, &DocRow::path);
  return docs;
}

}  // namespace

Result<RemoveReport> RunRemove(Store& store, const std::atomic<bool>& cancelled,
                               const RemoveRequest& request, const std::string& root,
                               const std::optional<FilterExpr>& scope) {
  if (!request.targets.empty() && !request.scope.filter.empty()) {
    return Fail(Status::InvalidArgument("targets and a filter cannot be combined",
                                        "use `doc.path GLOB 'dir/**'` in the filter instead"));
  }
  LocalStore writable(&store);
  RECALL_ASSIGN(auto batch, writable.BeginBatch());
  std::shared_ptr<const ScopeSets> sets;
  if (scope) {
    RECALL_ASSIGN(ScopeSets evaluated, ScopeSets::Of(batch->view(), *scope));
    sets = std::make_shared<const ScopeSets>(std::move(evaluated));
  }
  const VisibleSnapshot visible(batch->view(), std::move(sets));
  RemoveReport report;
  RECALL_ASSIGN(const std::vector<DocRow> docs,
                FindRemovals(store, visible.snapshot(), request, root, report));
  for (const DocRow& doc : docs) report.removed.push_back({ToHex(doc.id), doc.path});
  if (request.dry_run || (docs.empty() && !request.purge)) return report;

  for (const DocRow& doc : docs) RECALL_TRY(batch->Remove(doc));
  RECALL_TRY(batch->Commit());
  batch.reset();
  if (!request.purge) return report;
  auto compacted = RunCompact(store, cancelled, {.keep_nanos = 0, .forget = true}, {});
  if (!compacted) {
    return Fail(compacted.error().WithContext("removed, but not completely purged"));
  }
  report.purged_docs = compacted->purged_docs;
  report.purged_chunks = compacted->purged_chunks;
  return report;
}

}  // namespace recall
