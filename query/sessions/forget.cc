// Deletes sessions for good: first their paths are recorded, then their documents are removed, then
// removed versions and free pages are purged. Each step is a commit; after an interruption, the
// same call does the rest, and capture does not bring back what was recorded.

#include "query/sessions/forget.h"

#include <algorithm>
#include <set>
#include <utility>

#include "index/local/local_store.h"
#include "index/session/session_meta.h"
#include "query/answer/targets.h"
#include "query/maintenance/compact.h"
#include "query/rows/scope.h"
#include "storage/history/snapshot_token.h"
#include "storage/sessions/captured_table.h"
#include "storage/sessions/forgotten_table.h"

namespace recall {
namespace {

Result<std::vector<DocRow>> FindSessionsToForget(const Store& store, const Snapshot& present,
                                                 const ForgetRequest& request,
                                                 std::vector<std::string>* warnings) {
  std::vector<DocRow> docs;
  for (const std::string& target : request.targets) {
    RECALL_ASSIGN(auto doc, FindNamed(present.texts(), target, "/"));
    if (!doc || doc->parser != kSessionParser) {
      return Fail(Status::NotFound(target + ": no such session",
                                   "`recall sessions` lists the sessions of the store"));
    }
    docs.push_back(*std::move(doc));
  }
  std::optional<Bitmap> matching;
  for (const std::string& filter : request.filters) {
    Scope scope;
    scope.filter = filter;
    RECALL_ASSIGN(const ResolvedScope resolved,
                  ResolveScope(present.filters(), scope,
                               MakeSnapshotToken(store.uuid(), present.counts().commit_sequence),
                               FilterDomain::kDocs));
    warnings->insert(warnings->end(), resolved.warnings.begin(), resolved.warnings.end());
    matching = matching ? matching->And(*resolved.set) : *resolved.set;
  }
  for (const uint32_t row : matching ? matching->Values() : std::vector<uint32_t>()) {
    RECALL_ASSIGN(DocRow doc, present.texts().ReadDoc(row));
    if (doc.parser == kSessionParser) docs.push_back(std::move(doc));
  }
  std::ranges::sort(docs, {}, &DocRow::path);
  const auto repeated = std::ranges::unique(docs, {}, &DocRow::path);
  docs.erase(repeated.begin(), repeated.end());
  return docs;
}

}  // namespace

Result<ForgetReport> RunForget(Store& store, const std::atomic<bool>& cancelled,
                               const ForgetRequest& request) {
  ForgetReport report;
  LocalStore writable(&store);
  std::vector<DocRow> docs;
  {
    RECALL_ASSIGN(const auto present, writable.BeginRead());
    RECALL_ASSIGN(docs, FindSessionsToForget(store, *present, request, &report.warnings));
  }
  for (const DocRow& doc : docs) report.forgotten.push_back(doc.path);
  if (request.dry_run || docs.empty()) return report;
  {
    RECALL_ASSIGN(const auto transaction, store.BeginWrite());
    const UnixNanos at = request.at.value_or(WallClockNanos());
    for (const DocRow& doc : docs) {
      RECALL_TRY(WriteForgotten(transaction->connection(), doc.path, at));
      const SessionMeta meta = ReadSessionMeta(doc.meta.value_or(""));
      RECALL_TRY(DeleteTranscript(transaction->connection(), meta.transcript));
    }
    RECALL_TRY(transaction->Commit());
  }
  {
    RECALL_ASSIGN(const auto batch, writable.BeginBatch());
    for (const DocRow& doc : docs) {
      RECALL_ASSIGN(const auto live, batch->view().texts().FindDoc(doc.path));
      if (live) RECALL_TRY(batch->Remove(*live));
    }
    RECALL_TRY(batch->Commit());
  }
  auto compacted = RunCompact(store, cancelled, {.keep_nanos = 0, .forget = true}, {});
  if (!compacted) {
    return Fail(compacted.error().WithContext("forgotten, but not completely purged"));
  }
  return report;
}

}  // namespace recall
