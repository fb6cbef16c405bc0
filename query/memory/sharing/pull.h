#pragma once

#include <functional>

#include "query/memory/sessions/session_writer.h"
#include "query/memory/sharing/note_versions.h"
#include "query/types/sharing_types.h"

namespace recall {

// Brings the notes of the own branch into the store (PullNotes). Called at most once, with no open
// transaction.
using NotePuller = std::function<Result<PulledNotes>(const BranchNotes&)>;

// Implements Database::Pull.
Result<PullReport> RunPull(const SessionDependencies& deps, const PullRequest& request,
                           const NotePuller& notes);

}  // namespace recall
