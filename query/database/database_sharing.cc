// DatabaseState::Capture, Push and Pull: sessions are made of transcripts; sessions and notes are
// exchanged over branches of git.

#include "index/write/local/local_snapshot.h"
#include "query/ask/rows/scope.h"
#include "query/database/database_state.h"
#include "query/memory/sessions/capture.h"
#include "query/memory/sharing/note_pull.h"
#include "query/memory/sharing/pull.h"
#include "query/memory/sharing/push.h"

namespace recall {

Result<CaptureReport> DatabaseState::Capture(const CaptureRequest& request,
                                             const CaptureProgressFn& progress) {
  const SessionDependencies deps = DepsOfSessions(request.threads);
  adding_ = true;
  auto report = RunCapture(deps, request, progress);
  adding_ = false;
  if (!report || request.dry_run || report->cancelled) return report;
  const bool wrote = report->captured + report->grown > 0;
  if (wrote) BringUpToDate({}, &report->warnings);
  return report;
}

Result<PushReport> DatabaseState::Push(const PushRequest& request) {
  return RunPush(*store_, root_, cancelled_, request, [&]() -> Result<PlannedPush> {
    RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, ""));
    const LocalSnapshot local(*transaction);
    RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
    const std::string token = TokenOf(*transaction);
    return PlanPush({*transaction, visible.snapshot().filters(), token, root_}, cancelled_,
                    request);
  });
}

Result<PullReport> DatabaseState::Pull(const PullRequest& request) {
  const SessionDependencies deps = DepsOfSessions(0);
  adding_ = true;
  auto report = RunPull(deps, request, [&](const BranchNotes& found) {
    return WriteNotes<PulledNotes>(
        [&](const NoteDependencies& notes) { return PullNotes(notes, request, found); });
  });
  adding_ = false;
  if (!report || request.dry_run || report->cancelled) return report;
  const bool wrote = report->added + report->grown > 0 || report->notes.changed();
  if (wrote) BringUpToDate({}, &report->warnings);
  return report;
}

}  // namespace recall
