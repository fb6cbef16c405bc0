// What became of hints: a sum over the sessions in which some were told.
//
// Capture has read of each transcript what was offered and what of it was opened (hint_trail.h).
// That a document was opened does not say that it helped, and a hint of one line may help without
// being opened. But a document that is offered again and again, and never opened, takes attention
// for nothing.
//
// Cost: the index of metadata, and the row of each such session.

#include "query/memory/hints/hint_use.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "index/source/session/session_meta.h"
#include "query/ask/answer/search.h"
#include "query/ask/rows/scope.h"

namespace recall {
namespace {

struct OfferedDocument {
  int64_t offered = 0;
  int64_t followed = 0;
};
using OfferedDocuments = std::map<std::string, OfferedDocument>;

void AddSession(const SessionMeta& meta, HintUseReport* report, OfferedDocuments* documents) {
  if (meta.offered_paths.empty()) return;
  ++report->sessions;
  report->sessions_followed += meta.followed_paths.empty() ? 0 : 1;
  report->offered += static_cast<int64_t>(meta.offered_paths.size());
  report->followed += static_cast<int64_t>(meta.followed_paths.size());
  for (const std::string& path : meta.offered_paths) ++(*documents)[path].offered;
  for (const std::string& path : meta.followed_paths) ++(*documents)[path].followed;
}

// Documents that are no longer there need not be retired.
Result<std::vector<UnfollowedHint>> NeverFollowed(const Snapshot& snapshot,
                                                  const OfferedDocuments& documents) {
  std::vector<UnfollowedHint> never;
  for (const auto& [path, document] : documents) {
    if (document.followed > 0) continue;
    RECALL_ASSIGN(const auto doc, snapshot.texts().FindDoc(path));
    if (doc) never.push_back({path, document.offered});
  }
  std::ranges::sort(never, [](const UnfollowedHint& a, const UnfollowedHint& b) {
    return std::tie(b.sessions, a.path) < std::tie(a.sessions, b.path);
  });
  return never;
}

}  // namespace

Result<HintUseReport> RunHintUse(const Snapshot& snapshot, const HintUseRequest& request,
                                 const std::string& commit_token) {
  HintUseReport report;
  RECALL_ASSIGN(const ResolvedScope scope,
                ResolveScope(snapshot.filters(), request.scope, commit_token, FilterDomain::kDocs));
  ReportScope(scope, false, report);
  Scope told;
  told.filter = "doc.session.hints_offered > 0";
  RECALL_ASSIGN(const ResolvedScope sessions,
                ResolveScope(snapshot.filters(), told, commit_token, FilterDomain::kDocs));
  OfferedDocuments documents;
  if (sessions.set) {
    for (const uint32_t row : sessions.set->Values()) {
      if (scope.set && !scope.set->Contains(row)) continue;
      RECALL_ASSIGN(const DocRow doc, snapshot.texts().ReadDoc(row));
      AddSession(ReadSessionMeta(doc.meta.value_or("")), &report, &documents);
    }
  }
  report.total_hits = report.sessions;
  RECALL_ASSIGN(report.never_followed, NeverFollowed(snapshot, documents));
  report.never_followed_total = static_cast<int64_t>(report.never_followed.size());
  report.never_followed.resize(std::min(report.never_followed.size(), request.limit));
  if (report.sessions == 0) {
    report.warnings.push_back(
        "no session has hints; `recall install --hooks` lets an assistant get them, and "
        "`recall capture` reads what became of them");
  }
  return report;
}

}  // namespace recall
