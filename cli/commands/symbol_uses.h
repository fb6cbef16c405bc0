#pragma once

#include "cli/run/command/command_context.h"
#include "query/types/reference_types.h"
#include "storage/base/result.h"

namespace recall {

// Prints the places that use a definition, its callers or its callees. Errors: those of
// Database::References.
Status PrintUsesOfSymbol(CommandContext& context, const ReferencesRequest& request);

}  // namespace recall
