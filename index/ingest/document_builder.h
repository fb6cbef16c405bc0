#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/chunk/chunker.h"
#include "index/embed/embedding_space.h"
#include "index/ingest/walker.h"
#include "index/text/tokenizer.h"
#include "index/vector/vector_space.h"
#include "storage/document_store.h"

namespace recall {

// How files become documents; the same for every file of one ingest.
struct BuildOptions {
  std::string store_root;  // absolute: the directory that document paths are relative to
  Parser parser = Parser::kAuto;
  ChunkOptions chunking;
  bool extract_meta = false;
  bool mtime_only = false;
  bool dry_run = false;
  uint64_t max_file_bytes = 0;
  std::optional<std::string> tag;  // unset: keep what the document has
  std::optional<std::string> source;
  const EmbedderProvider* embedders = nullptr;  // those that are not this program's own, if any
};

// What the indexes hold of one chunk.
struct ChunkTerms {
  LexicalText lexical;
  QuantizedVector vector;
};

// A file read, compared with what the store has of it, and made ready to write.
struct PreparedDocument {
  enum class Outcome {
    kAdded,
    kUpdated,    // the text (or its parser) changed
    kRefreshed,  // same text, other mtime, tag, source or metadata
    kUnchanged,
    kSkipped,  // not text, or too large: see warning
    kFailed,   // could not be read: see warning
  };
  Outcome outcome = Outcome::kUnchanged;
  std::string warning;
  Status embedding;  // why the embedder made no vectors of it: no fault of the file
  int64_t file_size = 0;

  // For kAdded, kUpdated and kRefreshed (row numbers are the writer's to assign):
  DocRow doc;
  // For kAdded and kUpdated:
  std::vector<std::string> text_blocks;
  std::vector<ChunkSpan> spans;
  std::vector<ChunkTerms> terms;  // one per span, or none when `text` is kept instead
  int64_t space = 0;              // the row of the vector space that the vectors are of
  // Kept for documents so large that their terms would fill memory: the writer builds the terms
  // a few chunks at a time, with these vectors if there are any (then one per span).
  std::string text;
  std::vector<QuantizedVector> vectors;
};

// Documents above this many bytes of text are written piecewise.
inline constexpr uint64_t kLargeDocumentBytes = 16 << 20;

// Computes what the indexes hold of chunks. One per thread.
class TermBuilder final {
 public:
  // Requires: space->NewEmbedder() may be called.
  explicit TermBuilder(std::shared_ptr<const EmbeddingSpace> space);

  const EmbeddingSpace& space() const { return *space_; }

  // Terms of the spans first..last (exclusive) of `text`. With `vectors` (then one per span) these
  // are taken, else the embedder makes them.
  Result<std::vector<ChunkTerms>> Build(std::string_view text, const std::vector<ChunkSpan>& spans,
                                        size_t first, size_t last,
                                        std::span<const QuantizedVector> vectors = {});

 private:
  std::shared_ptr<const EmbeddingSpace> space_;
  std::unique_ptr<Embedder> embedder_;
  std::unique_ptr<Tokenizer> tokenizer_;
  std::vector<float> vectors_;
};

// Turns one file into a PreparedDocument; `live` is the document the store has at that path.
PreparedDocument BuildDocument(const FoundFile& file, const std::optional<DocRow>& live,
                               const BuildOptions& options, TermBuilder& terms);

}  // namespace recall
