#pragma once

#include "query/add/records/transfer_dependencies.h"
#include "query/types/exchange_types.h"

namespace recall {

// Imports the memory of another program (ImportRequest::format is not kRecall). A second import of
// the same memory changes nothing. Errors: those of its reader (foreign_notes/readers.h) and of the
// store; without batches, nothing is changed then.
Result<ImportReport> ImportForeignMemory(const ImportRequest& request,
                                         const TransferDependencies& deps, size_t threads,
                                         const AddProgressFn& progress);

}  // namespace recall
