#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/secrets/redactor.h"
#include "query/memory/notes/near_notes.h"
#include "query/memory/notes/note_dependencies.h"
#include "query/types/note_types.h"

namespace recall {

// Implements Database::Save in two steps, because nearness is computed of the store before the note
// is in it. Checks the request and completes the note: triggers, summary, times. What is cut off or
// picked out here is so after its secrets are redacted. Errors: InvalidArgument.
struct PlannedNote {
  NoteDraft draft;
  UnixNanos at = 0;
  bool summary_cut = false;
  std::vector<std::string> extracted_triggers;
  ComparedNote compared;                           // of which nearness is computed
  std::shared_ptr<const Redactor> redactor;        // RedactorFor the policy of the request
  std::vector<std::string_view> kinds_in_summary;  // of the secrets in a summary that was cut
};
Result<PlannedNote> PlanNote(const SaveRequest& request);

// Writes it. `near`: of the note. Errors: AlreadyExists if the id is taken or another note is too
// near; NotFound for targets of links.
Result<SaveReport> RunSave(const NoteDependencies& deps, const SaveRequest& request,
                           PlannedNote plan, NearAnswer near);

// Implements Database::Retire.
Result<RetireReport> RunRetire(const NoteDependencies& deps, const RetireRequest& request);

}  // namespace recall
