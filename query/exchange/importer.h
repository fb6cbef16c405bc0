#pragma once

#include "query/add/records/import_source.h"
#include "query/add/records/transfer_dependencies.h"
#include "query/types/exchange_types.h"

namespace recall {

struct ImportOptions {
  int64_t batch_docs = 0;  // as in ImportRequest
  bool dry_run = false;
  size_t threads = 1;
  // The documents keep the origin that the source states. Otherwise it is kImportOrigin.
  bool keeps_origins = false;
};

// Imports the documents of `source` in their order. Worker threads read, check and analyse them;
// the calling thread writes them. The result does not depend on the number of threads. A cancelled
// import returns a report with `cancelled`. Errors: those of the source and the store; changes
// since the last batch are rolled back.
Result<ImportReport> ImportDocuments(ImportSource& source, const TransferDependencies& deps,
                                     const ImportOptions& options, const AddProgressFn& progress);

// Imports the memory of another program, or a file of either format of Recall, whose first line
// determines the format. Errors: also
// InvalidArgument if the file belongs to the store.
Result<ImportReport> ImportFile(const ImportRequest& request, const TransferDependencies& deps,
                                size_t threads, const AddProgressFn& progress);

}  // namespace recall
