#pragma once

#include "query/records/import_source.h"
#include "query/records/transfer_tools.h"

namespace recall {

struct ImportOptions {
  int64_t batch_docs = 0;  // as in ImportRequest
  bool dry_run = false;
  size_t threads = 1;
};

// Brings what `source` has into the store, in its order: documents are read, checked and analysed
// by threads and written by the caller's. The store is the same for any number of threads.
// Errors: the source's; then nothing since the last batch is kept.
Result<ImportReport> ImportDocuments(ImportSource& source, const TransferTools& tools,
                                     const ImportOptions& options, const AddProgressFn& progress);

// The same from a file of either layout.
Result<ImportReport> ImportFile(const ImportRequest& request, const TransferTools& tools,
                                size_t threads, const AddProgressFn& progress);

}  // namespace recall
