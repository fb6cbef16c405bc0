#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "index/embed/vector_space/vector_space.h"
#include "index/search/snapshot/note_records.h"
#include "index/source/chunk/chunk_span.h"
#include "query/add/records/import_warnings.h"
#include "query/add/records/source_place.h"
#include "query/types/add_types.h"
#include "storage/base/result.h"
#include "storage/documents/document_store.h"

namespace recall {

// The maximum size in bytes of one document of another store, which is not trusted.
inline constexpr uint64_t kMaxDocumentBytes = uint64_t{1} << 30;

// A complete document as its source describes it, after all checks.
struct ImportedDocument {
  DocRow doc;  // the writer sets row numbers and counts of tokens and chunks
  std::string text;
  // The compressed blocks of the text, if they are available: from CompressText or copied from a
  // store.
  std::vector<std::string> text_blocks;
  std::vector<ChunkSpan> spans;
  // One vector for each span, or none; then the store's embedder computes the vectors.
  std::vector<QuantizedVector> vectors;
  // Vectors that are not stored but compared with those of the store's embedder: float32,
  // little-endian.
  std::vector<std::string> embeddings;
  SourcePlace place;
  ImportWarnings notes;
  DocumentRecords history;  // links, uses and reviews of the document
};

// A source of documents, ordered by path. Next and the other functions run on one thread.
class ImportSource {
 public:
  virtual ~ImportSource() = default;

  struct Job {
    int64_t bytes = 0;  // memory that the job takes
    // The id of the document, if it is known without parsing the document.
    std::optional<Digest> id;
    // Reads and checks the document. May run on any thread, once, while the source exists. Errors:
    // those of the document, with its position.
    std::function<Result<ImportedDocument>()> make;
  };
  // Returns: the next document, not yet parsed; nullopt at the end, after the end of the source was
  // checked too.
  virtual Result<std::optional<Job>> Next() = 0;

  // The progress of Next.
  virtual AddProgress progress() const = 0;
  virtual int64_t lines() const = 0;
  // Notes about the source that do not belong to one document.
  virtual const ImportWarnings& notes() const = 0;
};

}  // namespace recall
