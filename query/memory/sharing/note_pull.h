#pragma once

#include "query/memory/notes/note_dependencies.h"
#include "query/memory/sharing/note_versions.h"
#include "query/types/sharing_types.h"

namespace recall {

// Brings the notes of a branch into the store, in one commit. `deps` must have a space. Notes whose
// files were edited since they were added are left, with the reason. Errors: Cancelled, and those
// of the store and the embedder; then nothing was changed.
Result<PulledNotes> PullNotes(const NoteDependencies& deps, const PullRequest& request,
                              const BranchNotes& histories);

}  // namespace recall
