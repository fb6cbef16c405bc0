#pragma once

#include "query/records/transfer_tools.h"

namespace recall {

// Writes the documents of a scope, as one commit sees them, to request.out_path or else to `sink`.
// The same documents in a store of the same settings give the same bytes. Memory: one document,
// and a few bytes for each. Nothing is left of a file whose export failed.
// Errors: of the scope, the file and the sink; InvalidArgument when the file is the store's own;
// Corruption; Cancelled.
Result<ExportReport> ExportDocuments(const ReadTransaction& transaction, const TransferTools& tools,
                                     const ExportRequest& request, const ExportSink& sink,
                                     const AddProgressFn& progress);

}  // namespace recall
