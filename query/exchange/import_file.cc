#include <memory>

#include "query/add/records/json_record.h"
#include "query/compat/recall01/recall01_source.h"
#include "query/compat/registry/import_programs.h"
#include "query/exchange/foreign_import.h"
#include "query/exchange/importer.h"
#include "query/exchange/recall_layout.h"
#include "query/exchange/recall_source.h"
#include "storage/file_io/input_lines.h"

namespace recall {
namespace {

// Opens the source; its first line determines the format.
Result<std::unique_ptr<ImportSource>> OpenSource(const ImportRequest& request,
                                                 const TransferDependencies& deps) {
  RECALL_ASSIGN(auto file, InputFile::Open(request.path, deps.cancel));
  auto lines = std::make_unique<InputLines>(std::move(file), request.max_document_bytes);
  std::string first;
  bool more = true;
  do {
    RECALL_ASSIGN(more, lines->Next(&first));
  } while (more && first.find_first_not_of(" \t\r") == first.npos);
  if (more) {
    const LineRef line{lines->file().name(), lines->line_number(), first};
    const Result<std::string> type = TypeOfLine(line);
    if (!type) return Fail(type.error().WithHint("specify a file that `recall export` wrote"));
    if (*type == kExportType) {
      return RecallSource::Open(std::move(lines), first, deps, request.max_document_bytes);
    }
  }
  // In the published format the export of an empty store has no lines.
  return Recall01Source::ReadExport(std::move(lines), std::move(first), more, deps.cancel,
                                    request.max_document_bytes);
}

Result<ImportReport> ReadAndImport(const ImportRequest& request, const TransferDependencies& deps,
                                   size_t threads, const AddProgressFn& progress) {
  auto source = OpenSource(request, deps);
  if (!source && source.error().code() == StatusCode::kCancelled) {
    ImportReport report;
    report.cancelled = true;
    return report;
  }
  if (!source) return Fail(source.error());
  ImportOptions options;
  options.batch_docs = request.batch_docs;
  options.dry_run = request.dry_run;
  options.threads = threads;
  return ImportDocuments(**source, deps, options, progress);
}

}  // namespace

Result<ImportReport> ImportFile(const ImportRequest& request, const TransferDependencies& deps,
                                size_t threads, const AddProgressFn& progress) {
  RECALL_ASSIGN(const ImportProgram* const program, FindImportProgram(request.program));
  if (program != nullptr) return ImportForeignMemory(*program, request, deps, threads, progress);
  if (request.path != "-" && IsFileOfStore(request.path, deps.store->path())) {
    return Fail(Status::InvalidArgument(request.path + " is the store itself",
                                        "specify a file that `recall export` wrote"));
  }
  auto report = ReadAndImport(request, deps, threads, progress);
  if (report || report.error().code() != StatusCode::kLimitExceeded) return report;
  return Fail(report.error().WithHint("raise the limit with --max-document-size"));
}

}  // namespace recall
