#pragma once

#include "index/search/snapshot/snapshot.h"
#include "query/add/records/transfer_dependencies.h"
#include "query/types/exchange_types.h"

namespace recall {

// Exports notes for other programs: as Markdown files in the directory request.out_path, or as the
// lines of a graph (request.layout, compat/memories/graph_lines.h). Documents of other kinds are
// left out.
// Errors: AlreadyExists if a file would be replaced that no earlier export wrote, or that was
// edited since then, without request.force; then nothing is written.
Result<ExportReport> ExportNotes(const ReadTransaction& transaction, const Snapshot& snapshot,
                                 const TransferDependencies& deps, const ExportRequest& request,
                                 const ExportSink& sink, const AddProgressFn& progress);

}  // namespace recall
