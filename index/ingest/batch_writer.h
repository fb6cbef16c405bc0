#pragma once

#include <memory>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/ingest/document_builder.h"
#include "storage/store/store.h"

namespace recall {

// Writes prepared documents, one transaction per batch: rows, text, full-text index, vectors,
// tombstones of the replaced versions, and the store's counts. Not thread-safe.
class BatchWriter final {
 public:
  // The store must outlive it. `space` is the space of the current commit with its model loaded. If
  // another process activates another space, the writer detects that and uses the new one.
  BatchWriter(Store* store, std::shared_ptr<const EmbeddingSpace> space);
  ~BatchWriter();

  // Writes the whole batch or, on any error, nothing. The text and terms of each document are
  // released as soon as they are written.
  Status Write(std::vector<PreparedDocument>* batch);

  // The same for a batch that does not fit into memory, document by document. If Add or Commit
  // fails, everything since Begin is rolled back.
  Status Begin();
  Status Add(const PreparedDocument& prepared);
  Status Commit();
  void RollBack();
  // A view that includes the documents added since Begin. Requires: Begin, and neither Commit nor
  // RollBack since.
  const ReadTransaction& transaction() const;

 private:
  struct Pending;  // the uncommitted state of one transaction
  Status FollowSpace(const ReadTransaction& transaction);
  Status WriteDocument(const PreparedDocument& prepared, Pending& pending);
  Status WriteChunks(const PreparedDocument& prepared, DocRow& doc, Pending& pending);
  Status WriteText(std::string_view text, const std::vector<ChunkSpan>& spans,
                   std::span<const QuantizedVector> vectors, DocRow& doc, Pending& pending);
  Status WriteTerms(const DocRow& doc, const std::vector<ChunkSpan>& spans, size_t first,
                    const DocumentTerms& terms, Pending& pending);
  static Status WritePostings(uint32_t row, const std::vector<FtsPostings>& postings,
                              Pending& pending);
  Status CommitPending(Pending& pending);
  Status MergeSegments();

  Store* store_;
  TermBuilder terms_;  // of the space that the pending transaction writes
  std::unique_ptr<Pending> pending_;
};

// Marks a live version as removed: its row, its chunks' tombstones, the counts.
Status RemoveDocument(WriteTransaction& transaction, const DocRow& doc, Bitmap& tombstones);

}  // namespace recall
