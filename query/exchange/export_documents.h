#pragma once

#include "index/search/snapshot/filter_sets.h"
#include "query/add/records/transfer_dependencies.h"
#include "query/types/exchange_types.h"

namespace recall {

// Writes the documents of a scope, in the state of one commit, to request.out_path, or to `sink` if
// it is empty. Equal documents in stores with equal settings give equal bytes. If the export fails,
// no file is left behind. Memory: one document, and 8 bytes for each document of the scope. Errors:
// those of the scope, the file and the sink; InvalidArgument if the file belongs to the store;
// Corruption; Cancelled.
// `filters`: of the commit of the transaction.
Result<ExportReport> ExportDocuments(const ReadTransaction& transaction, const FilterSets& filters,
                                     const TransferDependencies& deps, const ExportRequest& request,
                                     const ExportSink& sink, const AddProgressFn& progress);

}  // namespace recall
