#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/chunk/chunker.h"
#include "index/embed/factory/embedding_space.h"
#include "index/ingest/walker.h"
#include "index/text/tokenizer.h"
#include "index/vector_space/vector_space.h"
#include "storage/documents/document_store.h"
#include "storage/fts5/fts_postings.h"

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
  uint64_t max_archive_bytes = 0;  // decompressed, of one archive
  std::optional<std::string> tag;  // unset: keep what the document has
  std::optional<std::string> source;
  const EmbedderProvider* embedders = nullptr;  // those that are not this program's own, if any
};

// A document as its source gives it, not yet compared with the store. What is unset of its labels
// stays as the store has it, unless the options say otherwise; a label set to nothing is taken
// away.
struct ProvidedDocument {
  std::string path;
  std::string text;
  std::optional<std::optional<UnixNanos>> mtime;
  std::optional<std::optional<std::string>> tag;
  std::optional<std::optional<std::string>> source;
  std::optional<std::optional<std::string>> meta;  // a JSON object
  // Of as many components as the space has, which must be one of given vectors; empty: none. Unset:
  // that of the store, if the text is the same.
  std::optional<std::vector<float>> embedding;
};

// A document that could not be taken.
struct DocumentFault {
  std::string path;  // of the document, as far as it is known
  int64_t line = 0;  // of the source, from 1; 0 for files
  std::string what;  // it is called in messages: a path, or "notes.jsonl:17"
  std::string reason;
};

// What the indexes hold of some chunks, one after another.
struct DocumentTerms {
  std::vector<uint32_t> lexical_tokens;  // of each chunk
  std::vector<FtsPostings> postings;     // of some chunks each
  std::vector<QuantizedVector> vectors;  // of each chunk
};

// A document read, compared with what the store has of it, and made ready to write.
struct PreparedDocument {
  enum class Outcome {
    kAdded,
    kUpdated,    // the text (or its parser) changed
    kRefreshed,  // same text, other mtime, tag, source or metadata
    kUnchanged,
    kSkipped,  // a file that is not text, or what is too large: see fault
    kFailed,   // could not be read: see fault
  };
  Outcome outcome = Outcome::kUnchanged;
  DocumentFault fault;  // of kSkipped and kFailed
  Status embedding;     // why the embedder made no vectors of it: no fault of the file

  // For kAdded, kUpdated and kRefreshed (row numbers are the writer's to assign):
  DocRow doc;
  // For kAdded and kUpdated:
  std::vector<std::string> text_blocks;
  std::vector<ChunkSpan> spans;
  DocumentTerms terms;  // of all spans, or of none when `text` is kept instead
  int64_t space = 0;    // the row of the vector space that the vectors are of
  // Kept for documents so large that their terms would fill memory: the writer builds the terms
  // a few chunks at a time, with these vectors if there are any (then one per span).
  std::string text;
  std::vector<QuantizedVector> vectors;

  void ReleaseContent() {
    text_blocks = {};
    terms = {};
    text = {};
    vectors = {};
  }
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
  Result<DocumentTerms> Build(std::string_view text, const std::vector<ChunkSpan>& spans,
                              size_t first, size_t last,
                              std::span<const QuantizedVector> vectors = {});

  // For a document that came with a vector: that, for each of its chunks. Else nothing, and the
  // embedder makes them.
  std::vector<QuantizedVector> SuppliedVectors(const DocRow& doc, size_t chunks) const;

 private:
  std::shared_ptr<const EmbeddingSpace> space_;
  std::unique_ptr<Embedder> embedder_;
  std::unique_ptr<Tokenizer> tokenizer_;
  FtsPostingsBuilder postings_;
  std::vector<LexicalText> lexical_;  // scratch memory
  std::vector<float> vectors_;
};

// Whether options.mtime_only lets a document be taken for what the store has of it, unread.
bool IsKnownByTime(const std::optional<DocRow>& live, const std::optional<UnixNanos>& mtime,
                   const BuildOptions& options);

// Compares a document with `live`, which the store has at its path, and builds what is to be
// written.
PreparedDocument PrepareDocument(ProvidedDocument given, const std::optional<DocRow>& live,
                                 const BuildOptions& options, TermBuilder& terms);
// The same for a file, which it reads.
PreparedDocument BuildDocument(const FoundFile& file, const std::optional<DocRow>& live,
                               const BuildOptions& options, TermBuilder& terms);

}  // namespace recall
