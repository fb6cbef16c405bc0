#pragma once

#include "query/memory/sessions/session_writer.h"
#include "query/types/exchange_types.h"

namespace recall {

// Implements Database::Import for the program rekal: the sessions that rekal recorded, in the
// branches `rekal/*` of a repository, in a rekal.body, or in what `rekal query` printed. Nothing is
// written there. Sessions that are in the store are united with what arrives; again, nothing
// changes. Errors: NotFound; InvalidArgument for what is nothing of rekal's, or if a dictionary is
// missing; Unsupported for a later version of the format; Corruption; LimitExceeded; IoError; those
// of the store.
Result<ImportReport> RunRekalImport(const SessionDependencies& deps, const ImportRequest& request);

}  // namespace recall
