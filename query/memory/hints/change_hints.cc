// What mostly changes with a file that an assistant is about to change.
//
// Only sessions are asked: git takes longer than an edit may wait. What one session did is no
// habit, so a file is named if at least two sessions, and at least half of those that changed the
// file, changed it, too.

#include <algorithm>

#include "query/memory/hints/hint_sources.h"
#include "query/memory/related/changed_sessions.h"

namespace recall {
namespace {

constexpr int64_t kFewestSessions = 2;
constexpr size_t kMostChangedFiles = 3;
constexpr size_t kMostFileNameBytes = 100;

}  // namespace

Status OfferChangesWithFile(const HintTools& tools, const HintRequest& request,
                            HintPacker& packer) {
  const FileInTree file = LocateFile(request.file);
  const std::string beginning =
      "Sessions that changed " + HintLine(file.name, kMostFileNameBytes) + " mostly changed ";
  if (request.told.find(beginning) != request.told.npos) return {};
  SessionChoice choice;
  choice.except = request.session_id;
  RECALL_ASSIGN(const ChangedSessions changed,
                SessionsThatChanged(tools.snapshot, file, choice, tools.commit_token));
  std::vector<ChangeSet> sets;
  for (const ChangedSession& session : changed.sessions) sets.push_back(session.set);
  const CoChanges sum = SumUpChanges(sets);
  std::string list;
  size_t named = 0;
  for (const CoChange& change : sum.changes) {
    if (named == kMostChangedFiles) break;
    const bool is_habit = change.sessions >= kFewestSessions && 2 * change.sessions >= sum.sessions;
    if (!is_habit || !IsStillThere(file, change.path)) continue;
    list += (named++ == 0 ? "" : ", ") + HintLine(change.path, kMostFileNameBytes) + " (" +
            std::to_string(change.sessions) + " of " + std::to_string(sum.sessions) + ")";
  }
  if (named > 0) packer.Offer({.path = "", .citation = "", .head = beginning + list, .words = ""});
  return {};
}

}  // namespace recall
