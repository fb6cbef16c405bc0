// The answers of a store about its notes and sessions that need neither vectors nor a ranking.

#include "query/database/database_state.h"
#include "query/memory/hints/hint_use.h"
#include "query/memory/notes/links.h"
#include "query/memory/notes/reviews.h"
#include "query/memory/related/related_files.h"

namespace recall {

Result<LinksReport> DatabaseState::Links(const LinksRequest& request) {
  return ReadNotes<LinksReport>(request.snapshot,
                                [&](const Snapshot& snapshot, const std::string&) {
                                  return RunLinks(snapshot, request, root_);
                                });
}

Result<RelatedResponse> DatabaseState::Related(const RelatedRequest& request) {
  const FileInTree file = LocateFile(request.file);
  // A scope says nothing of commits.
  RelatedRequest asked = request;
  asked.git = request.git && !scope_;
  RECALL_ASSIGN(FileHistory history, ReadFileHistory(asked, file));
  if (request.git && !asked.git) history.warning = "within a scope only sessions count";
  return ReadNotes<RelatedResponse>(request.scope.snapshot,
                                    [&](const Snapshot& snapshot, const std::string& token) {
                                      return RunRelated(snapshot, asked, file, history, token);
                                    });
}

Result<HintUseReport> DatabaseState::HintUse(const HintUseRequest& request) {
  return ReadNotes<HintUseReport>(request.scope.snapshot,
                                  [&](const Snapshot& snapshot, const std::string& token) {
                                    return RunHintUse(snapshot, request, token);
                                  });
}

Result<DueReport> DatabaseState::Due(const DueRequest& request) {
  return ReadNotes<DueReport>(request.scope.snapshot,
                              [&](const Snapshot& snapshot, const std::string& token) {
                                return RunDue(snapshot, request, token);
                              });
}

Result<StaleReport> DatabaseState::Stale(const StaleRequest& request) {
  return ReadNotes<StaleReport>(request.scope.snapshot,
                                [&](const Snapshot& snapshot, const std::string& token) {
                                  return RunStale(snapshot, request, token);
                                });
}

Result<StatesReport> DatabaseState::States(const StatesRequest& request) {
  return ReadNotes<StatesReport>(
      request.snapshot,
      [&](const Snapshot& snapshot, const std::string&) { return RunStates(snapshot, request); });
}

}  // namespace recall
