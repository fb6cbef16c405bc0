#include "query/maintenance/remove.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "index/bitmap/tombstones.h"
#include "index/ingest/batch_writer.h"
#include "index/local/local_snapshot.h"
#include "query/answer/targets.h"
#include "query/maintenance/compact.h"
#include "query/rows/scope.h"
#include "query/rows/views.h"

namespace recall {
namespace {

// Finds the documents of a request. Targets that were not found, and the filter, are put into the
// report.
Result<std::vector<DocRow>> FindRemovals(const Store& store, const WriteTransaction& transaction,
                                         const RemoveRequest& request, const std::string& root,
                                         RemoveReport& report) {
  std::vector<DocRow> docs;
  std::unordered_set<int64_t> seen;
  for (const std::string& target : request.targets) {
    RECALL_ASSIGN(const auto found, ResolveTarget(transaction, target, root));
    if (found.empty()) report.not_found.push_back(target);
    for (const DocRow& doc : found) {
      if (seen.insert(doc.row).second) docs.push_back(doc);
    }
  }
  if (request.scope.filter.empty()) return docs;
  RECALL_ASSIGN(const ResolvedScope scope,
                ResolveScope(LocalFilterSets(transaction), request.scope,
                             Summarize(transaction, store).snapshot, FilterDomain::kDocs));
  report.filter = scope.filter;
  report.as_of = scope.as_of;
  report.warnings = scope.warnings;
  for (const uint32_t row : scope.set->Values()) {
    RECALL_ASSIGN(DocRow doc, ReadDoc(transaction, row));
    docs.push_back(std::move(doc));
  }
  std::ranges::sort(docs, {}, &DocRow::path);
  return docs;
}

}  // namespace

Result<RemoveReport> RunRemove(Store& store, const std::atomic<bool>& cancelled,
                               const RemoveRequest& request, const std::string& root) {
  if (!request.targets.empty() && !request.scope.filter.empty()) {
    return Fail(Status::InvalidArgument("targets and a filter cannot be combined",
                                        "use `doc.path GLOB 'dir/**'` in the filter instead"));
  }
  RECALL_ASSIGN(auto transaction, store.BeginWrite());
  RemoveReport report;
  RECALL_ASSIGN(const std::vector<DocRow> docs,
                FindRemovals(store, *transaction, request, root, report));
  for (const DocRow& doc : docs) report.removed.push_back({ToHex(doc.id), doc.path});
  if (request.dry_run || (docs.empty() && !request.purge)) return report;

  RECALL_ASSIGN(Bitmap tombstones, ReadTombstones(*transaction));
  for (const DocRow& doc : docs) RECALL_TRY(RemoveDocument(*transaction, doc, tombstones));
  RECALL_TRY(WriteTombstones(*transaction, tombstones));
  RECALL_TRY(transaction->Commit());
  transaction.reset();
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
