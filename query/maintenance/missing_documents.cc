// Removes the documents whose files do not exist, for add --sync.
//
// Checking files takes long and must not be done under the write lock for all documents. The
// candidates are found in a read transaction. Each candidate is checked again in the write
// transaction, because its file may have been created, or the document removed, in the meantime.
// All removals are one commit.

#include "query/maintenance/missing_documents.h"

#include <memory>

#include "index/bitmap/tombstones.h"
#include "index/ingest/batch_writer.h"
#include "storage/documents/document_store.h"
#include "storage/documents/live_scan.h"

namespace recall {
namespace {

Result<std::vector<std::string>> FindMissingPaths(const ReadTransaction& transaction,
                                                  const MissingFilesRequest& request) {
  std::vector<std::string> paths;
  RECALL_TRY(ScanPaths(transaction, false, [&](const PathEntry& entry) {
    std::string path(entry.path);
    if (request.is_missing(path)) paths.push_back(std::move(path));
    return true;
  }));
  return paths;
}

// Returns: the document to remove, in the state of the transaction; nothing if it is no longer
// missing.
Result<std::optional<DocRow>> FindRemoval(const ReadTransaction& transaction,
                                          const std::string& path,
                                          const MissingFilesRequest& request) {
  RECALL_ASSIGN(auto doc, FindLiveDoc(transaction, path));
  const bool meant = doc && (!request.tag || request.tag == doc->tag) &&
                     (!request.source || request.source == doc->source);
  if (!meant || !request.is_missing(path)) return std::nullopt;
  return doc;
}

}  // namespace

Result<std::vector<std::string>> RemoveMissingDocuments(Store& store,
                                                        const MissingFilesRequest& request) {
  RECALL_ASSIGN(auto reading, store.BeginRead());
  RECALL_ASSIGN(const std::vector<std::string> paths, FindMissingPaths(*reading, request));
  std::vector<std::string> removed;
  if (request.dry_run) {
    for (const std::string& path : paths) {
      RECALL_ASSIGN(const auto doc, FindRemoval(*reading, path, request));
      if (doc) removed.push_back(path);
    }
    return removed;
  }
  reading.reset();
  if (paths.empty()) return removed;

  RECALL_ASSIGN(auto transaction, store.BeginWrite());
  RECALL_ASSIGN(Bitmap tombstones, ReadTombstones(*transaction));
  for (const std::string& path : paths) {
    RECALL_ASSIGN(const auto doc, FindRemoval(*transaction, path, request));
    if (!doc) continue;
    RECALL_TRY(RemoveDocument(*transaction, *doc, tombstones));
    removed.push_back(path);
  }
  if (removed.empty()) return removed;
  RECALL_TRY(WriteTombstones(*transaction, tombstones));
  RECALL_TRY(transaction->Commit());
  return removed;
}

}  // namespace recall
