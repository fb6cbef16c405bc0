#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "index/chunk/chunker.h"
#include "index/vector_space/vector_space.h"
#include "query/records/import_notes.h"
#include "query/records/source_place.h"
#include "query/types/store_types.h"
#include "storage/base/result.h"
#include "storage/documents/document_store.h"

namespace recall {

// What one document of a hostile store may take; as much as of an export by default.
inline constexpr uint64_t kMaxDocumentBytes = uint64_t{1} << 30;

// A document as its source describes it, checked and whole.
struct ImportedDocument {
  DocRow doc;  // row numbers, counts of tokens and chunks are the writer's
  std::string text;
  // The same compressed, if it is by now: by CompressText, or a store's.
  std::vector<std::string> text_blocks;
  std::vector<ChunkSpan> spans;
  // One for each span, or none: then the store's embedder makes them.
  std::vector<QuantizedVector> vectors;
  // For those none are taken of: what the source gives as float32, little-endian, to compare.
  std::vector<std::string> embeddings;
  SourcePlace place;
  ImportNotes notes;
};

// Where documents come from, one after another, by path.
class ImportSource {
 public:
  virtual ~ImportSource() = default;

  struct Job {
    int64_t bytes = 0;  // that it keeps in memory
    // Of the document, when it can be told at a glance.
    std::optional<Digest> id;
    // Reads and checks the document. On any thread, once, while the source lives.
    std::function<Result<ImportedDocument>()> make;
  };
  // The next document as it lies there; nothing at the end, which is checked too.
  virtual Result<std::optional<Job>> Next() = 0;

  // How far Next has come.
  virtual AddProgress progress() const = 0;
  virtual int64_t lines() const = 0;
  // What was noted beside the documents' own notes.
  virtual const ImportNotes& notes() const = 0;
};

}  // namespace recall
