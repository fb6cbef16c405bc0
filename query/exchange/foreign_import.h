#pragma once

#include "query/add/records/transfer_dependencies.h"
#include "query/compat/registry/import_programs.h"
#include "query/types/exchange_types.h"

namespace recall {

// Imports the memory of another program, whose import makes notes. A second import of the same
// memory changes nothing. Errors: those of its reader (query/compat/memories/readers.h) and of the
// store; without batches, nothing is changed then. Requires: program.read_notes.
Result<ImportReport> ImportForeignMemory(const ImportProgram& program, const ImportRequest& request,
                                         const TransferDependencies& deps, size_t threads,
                                         const AddProgressFn& progress);

}  // namespace recall
