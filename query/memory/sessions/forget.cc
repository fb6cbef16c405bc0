// Deletes sessions for good: first their paths are recorded and their transcripts deleted, then
// their documents are removed, then removed versions and free pages are purged. Each step is a
// commit; after an interruption, the same call does the rest, and capture does not bring back what
// was recorded.
//
// What was said in a session may be in several transcripts, because an agent copies it when it goes
// on with a session. Every transcript that names the session is therefore deleted, at the cost of
// reading all of them.

#include "query/memory/sessions/forget.h"

#include <algorithm>
#include <set>
#include <utility>

#include "index/source/session/session_meta.h"
#include "index/write/local/local_store.h"
#include "query/ask/answer/targets.h"
#include "query/ask/rows/scope.h"
#include "query/maintenance/compact.h"
#include "query/memory/sessions/session_writer_lock.h"
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
    RECALL_ASSIGN(
        const ResolvedScope resolved,
        ResolveScope(present.filters(), scope, MakeSnapshotToken(store.uuid(), present.counts()),
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

// Whether a kept transcript has words of one of these sessions. One that cannot be read may have.
Result<bool> MayNameAny(Connection& connection, const std::string& source,
                        const std::vector<SessionMeta>& sessions) {
  for (const SessionMeta& session : sessions) {
    if (session.transcript == source) return true;
  }
  RECALL_ASSIGN(const auto blocks, ReadTranscriptBlocks(connection, source));
  const auto text = JoinTranscriptBlocks(blocks);
  return !text || std::ranges::any_of(sessions, [&](const SessionMeta& session) {
    return !session.id.empty() && text->find(session.id) != text->npos;
  });
}

Result<std::vector<std::string>> TranscriptsOf(Connection& connection,
                                               const std::vector<DocRow>& docs) {
  std::vector<SessionMeta> sessions;
  for (const DocRow& doc : docs) sessions.push_back(ReadSessionMeta(doc.meta.value_or("")));
  RECALL_ASSIGN(const auto sources, ListTranscripts(connection));
  std::vector<std::string> found;
  for (const std::string& source : sources) {
    RECALL_ASSIGN(const bool names, MayNameAny(connection, source, sessions));
    if (names) found.push_back(source);
  }
  return found;
}

}  // namespace

Result<ForgetReport> RunForget(const SessionDependencies& deps, const ForgetRequest& request) {
  // A capture that has read the list of forgotten sessions must not write one of these afterwards.
  const SessionWriterLock lock(deps.root, *deps.cancel);
  Store& store = *deps.store;
  ForgetReport report;
  LocalStore writable(&store);
  std::vector<DocRow> docs;
  {
    RECALL_ASSIGN(const auto present, writable.BeginRead());
    RECALL_ASSIGN(docs, FindSessionsToForget(store, *present, request, &report.warnings));
  }
  for (const DocRow& doc : docs) report.forgotten.push_back(doc.path);
  if (request.dry_run || docs.empty()) return report;
  // Read before the write transaction: that takes a while, and only holders of the lock write
  // transcripts.
  std::vector<std::string> transcripts;
  {
    RECALL_ASSIGN(const auto transaction, store.BeginRead());
    RECALL_ASSIGN(transcripts, TranscriptsOf(transaction->connection(), docs));
  }
  {
    RECALL_ASSIGN(const auto transaction, store.BeginWrite());
    const UnixNanos at = request.at.value_or(WallClockNanos());
    for (const DocRow& doc : docs) {
      RECALL_TRY(WriteForgotten(transaction->connection(), doc.path, at));
    }
    for (const std::string& source : transcripts) {
      RECALL_TRY(DeleteTranscript(transaction->connection(), source));
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
  auto compacted = RunCompact(store, *deps.cancel, {.keep_nanos = 0, .forget = true}, {});
  if (!compacted) {
    return Fail(compacted.error().WithContext("forgotten, but not completely purged"));
  }
  return report;
}

}  // namespace recall
