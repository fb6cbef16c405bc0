#pragma once

#include <memory>
#include <optional>
#include <string>

#include "query/add/records/import_warnings.h"
#include "query/compat/recall01/recall01_document.h"
#include "storage/sqlite/connection.h"

namespace recall {

// Sorts documents and chunks that arrive in any order, and returns one document after another,
// ordered by path. The data is in a temporary file, which does not survive a crash. Not
// thread-safe, except PlaceOf.
class Recall01Spool final {
 public:
  // `source`: the file that all records come from. A document with its chunks has at most
  // `max_document_bytes`.
  static Result<std::unique_ptr<Recall01Spool>> Create(SourcePlace source,
                                                       uint64_t max_document_bytes);

  // Add a record; all are added before Sort is called. Each document, and each chunk, must have a
  // different place.
  Status PutDocument(const Recall01Document& document);
  Status PutChunk(const std::string& doc_id, const Recall01Chunk& chunk);

  // Sorts the records; called once. Adds notes about chunks without a document and about repeated
  // documents.
  Status Sort(ImportWarnings* notes);
  int64_t documents() const { return documents_; }

  // Returns: the next document; null at the end. Requires: Sort was called. Errors: LimitExceeded
  // for a document that is too large.
  Result<std::unique_ptr<Recall01Document>> Next();

  // The position of the line or row `number`.
  SourcePlace PlaceOf(int64_t number) const { return {source_.file, source_.is_line, number}; }

 private:
  Recall01Spool(SourcePlace source, uint64_t max_document_bytes)
      : source_(std::move(source)), max_document_bytes_(max_document_bytes) {}
  Status DropRepetitions(ImportWarnings* notes);
  Status ReadChunks(Recall01Document* document);

  SourcePlace source_;
  uint64_t max_document_bytes_;
  std::unique_ptr<Connection> connection_;
  Statement documents_by_path_;  // finalised before the connection closes
  int64_t documents_ = 0;
};

}  // namespace recall
