#pragma once

#include <memory>
#include <optional>
#include <string>

#include "query/migration/published_document.h"
#include "query/records/import_notes.h"
#include "storage/sqlite/connection.h"

namespace recall {

// Gathers documents and chunks that come in any order, in a file of the system's temporary
// directory that no crash leaves behind, and hands them out document by document, by path.
class PublishedSpool final {
 public:
  // A document with its chunks may have `max_document_bytes`. `source` is where all come from.
  static Result<std::unique_ptr<PublishedSpool>> Create(SourcePlace source,
                                                        uint64_t max_document_bytes);

  // First all of these. Places must differ.
  Status PutDocument(const PublishedDocument& document);
  Status PutChunk(const std::string& doc_id, const PublishedChunk& chunk);

  // Then this, once. Notes what has no document, and documents that are given twice.
  Status Sort(ImportNotes* notes);
  int64_t documents() const { return documents_; }

  // Then this, until it gives nothing. Errors: LimitExceeded for a document that is too large.
  Result<std::unique_ptr<PublishedDocument>> Next();

  // The line or row of that number.
  SourcePlace PlaceOf(int64_t number) const { return {source_.file, source_.is_line, number}; }

 private:
  PublishedSpool(SourcePlace source, uint64_t max_document_bytes)
      : source_(std::move(source)), max_document_bytes_(max_document_bytes) {}
  Status DropRepetitions(ImportNotes* notes);
  Status ReadChunks(PublishedDocument* document);

  SourcePlace source_;
  uint64_t max_document_bytes_;
  std::unique_ptr<Connection> connection_;
  Statement documents_by_path_;  // finalised before the connection closes
  int64_t documents_ = 0;
};

}  // namespace recall
