#pragma once

#include <memory>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/ingest/document_builder.h"
#include "storage/store/store.h"

namespace recall {

// Writes prepared documents, one transaction a batch: rows, text, lexical index, vectors,
// tombstones of what they replace, and the store's counts. Not thread-safe.
class BatchWriter final {
 public:
  // The store must outlive it. `space` is that of the present commit, its model loaded; when
  // another process has put another one in force, the writer finds that out and takes that.
  BatchWriter(Store* store, std::shared_ptr<const EmbeddingSpace> space);
  ~BatchWriter();

  // All of the batch or, on any error, none of it. Text and terms of each are let go of as soon as
  // they are written.
  Status Write(std::vector<PreparedDocument>* batch);

  // The same for a batch that does not fit into memory, document by document. When Add or Commit
  // fails, nothing since Begin is kept, as after RollBack.
  Status Begin();
  Status Add(const PreparedDocument& prepared);
  Status Commit();
  void RollBack();
  // Sees what was added since Begin. Requires: Begin, and neither Commit nor RollBack since.
  const ReadTransaction& transaction() const;

 private:
  struct Pending;  // what one transaction has gathered
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
