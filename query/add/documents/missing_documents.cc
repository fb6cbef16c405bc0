// Removes the documents whose files or members do not exist, for add --sync.
//
// Checking files takes long and must not be done under the write lock for all documents. The
// candidates are found in a read transaction. Each candidate is checked again in the write
// transaction, because its file may have been created, or the document removed, in the meantime.
// All removals are one commit.

#include "query/add/documents/missing_documents.h"

#include <memory>
#include <set>

#include "index/write/local/local_store.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

Status CheckCancelled(const MissingFilesRequest& request) {
  const bool cancelled = request.cancel && request.cancel->load(std::memory_order_relaxed);
  return cancelled ? Status::Cancelled("interrupted") : Status::Ok();
}

// The same for the documents of `request.under`.
Result<std::vector<std::string>> FindMissingPathsUnder(const TextsAndFacts& texts,
                                                       const MissingFilesRequest& request) {
  std::set<std::string> missing;
  for (const std::string& path : *request.under) {
    for (const char* members : {"", "!"}) {
      RECALL_ASSIGN(const std::vector<DocRow> docs, texts.FindDocsUnder(path + members));
      for (const DocRow& doc : docs) {
        if (request.is_missing(doc.path, doc.origin)) missing.insert(doc.path);
        RECALL_TRY(CheckCancelled(request));
      }
    }
  }
  return std::vector<std::string>(missing.begin(), missing.end());
}

Result<std::vector<std::string>> FindMissingPaths(const TextsAndFacts& texts,
                                                  const MissingFilesRequest& request) {
  if (request.under) return FindMissingPathsUnder(texts, request);
  std::vector<std::string> paths;
  RECALL_TRY(texts.ScanPaths(false, [&](const PathEntry& entry) {
    std::string path(entry.path);
    // The index on paths does not have the origin.
    const bool may_be_missing =
        request.is_missing(path, kFileOrigin) || request.is_missing(path, kMemberOrigin);
    if (may_be_missing) paths.push_back(std::move(path));
    return CheckCancelled(request).ok();
  }));
  RECALL_TRY(CheckCancelled(request));
  return paths;
}

// Returns: the document to remove, in the state that `texts` show; nothing if it is no longer
// missing.
Result<std::optional<DocRow>> FindRemoval(const TextsAndFacts& texts, const std::string& path,
                                          const MissingFilesRequest& request) {
  RECALL_ASSIGN(auto doc, texts.FindDoc(path));
  const bool meant = doc && (!request.tag || request.tag == doc->tag) &&
                     (!request.source || request.source == doc->source);
  if (!meant || !request.is_missing(path, doc->origin)) return std::nullopt;
  RECALL_TRY(CheckCancelled(request));
  return doc;
}

}  // namespace

Result<std::vector<std::string>> RemoveMissingDocuments(Store& store,
                                                        const MissingFilesRequest& request) {
  LocalStore writable(&store);
  RECALL_ASSIGN(auto present, writable.BeginRead());
  RECALL_ASSIGN(const std::vector<std::string> paths, FindMissingPaths(present->texts(), request));
  std::vector<std::string> removed;
  if (request.dry_run) {
    for (const std::string& path : paths) {
      RECALL_ASSIGN(const auto doc, FindRemoval(present->texts(), path, request));
      if (doc) removed.push_back(path);
    }
    return removed;
  }
  present.reset();
  if (paths.empty()) return removed;

  RECALL_ASSIGN(const auto batch, writable.BeginBatch());
  for (const std::string& path : paths) {
    RECALL_ASSIGN(const auto doc, FindRemoval(batch->view().texts(), path, request));
    if (!doc) continue;
    RECALL_TRY(batch->Remove(*doc));
    removed.push_back(path);
  }
  if (removed.empty()) return removed;
  RECALL_TRY(batch->Commit());
  return removed;
}

}  // namespace recall
