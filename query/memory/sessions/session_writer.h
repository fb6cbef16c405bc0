#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "index/embed/factory/embedding_space.h"
#include "index/write/ingest/ingest.h"
#include "query/memory/sessions/session_documents.h"
#include "storage/store/store.h"

namespace recall {

// The parts of the database that capture, forget and pull use. All must outlive the call.
struct SessionDependencies {
  Store* store;
  const EmbedderProvider* embedders;
  std::string root;  // absolute: the directory of the store
  size_t threads = 1;
  const std::atomic<bool>* cancel = nullptr;
};

// A session as the newest commit of the store has it.
struct StoredSession {
  std::string text;
  std::string meta;    // "" if it has none
  std::string origin;  // of the document
};
// Nothing if there is no session at the path. Errors: Corruption, and those of the connection.
Result<std::optional<StoredSession>> ReadStoredSession(const SessionDependencies& deps,
                                                       const std::string& path);

// Writes documents with the parser `session`, in their order, in one or more commits; with
// `dry_run` only compares them with the store. Their paths must differ, and their secrets must have
// been replaced. Errors: those of IngestDocuments.
Result<IngestCounts> WriteSessions(const SessionDependencies& deps,
                                   std::vector<ProvidedDocument> documents, bool dry_run);

}  // namespace recall
