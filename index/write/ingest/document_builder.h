#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/tokenizer.h"
#include "index/embed/factory/embedding_space.h"
#include "index/embed/vector_space/vector_space.h"
#include "index/search/snapshot/prepared_document.h"
#include "index/source/chunk/parser.h"
#include "index/source/extract/process/extractor_pool.h"
#include "index/source/note/document_tokenizer.h"
#include "index/source/secrets/redactor.h"
#include "index/write/ingest/outcome_counts.h"
#include "index/write/ingest/text_file.h"
#include "index/write/ingest/walker.h"
#include "storage/documents/document_store.h"
#include "storage/fts5/fts_postings.h"

namespace recall {

// Options of building documents, the same for all files of one ingest.
struct BuildOptions {
  std::string store_root;  // absolute: the directory that document paths are relative to
  Parser parser = Parser::kAuto;
  std::string notes_folder;  // "notes": with kAuto, Markdown files below it are notes; "": none
  ChunkOptions chunking;
  bool extract_meta = false;
  bool mtime_only = false;
  bool dry_run = false;
  uint64_t max_file_bytes = 0;
  uint64_t max_archive_bytes = 0;  // decompressed, of one archive
  // Extract text from documents of other formats; null: nothing does, such files are no text.
  ExtractorPool* extractors = nullptr;
  std::string encoding;  // the charset of text that is not UTF-8; "": detected
  // Parse source code, of which definitions then become chunks; null: lines that look like
  // definitions divide it.
  ExtractorPool* code_parsers = nullptr;
  bool rechunk = false;             // cut source code anew that another grammar cut, or none
  uint64_t max_document_bytes = 0;  // of a file of another format
  bool retry_failed = false;        // extract again what gave no text
  bool retry_encrypted = false;     // extract again what needed a password
  bool reextract = false;           // extract all again
  SecretPolicy secrets = SecretPolicy::kKeep;
  std::shared_ptr<const Redactor> redactor;  // not null with kRedact and kSkip
  std::optional<std::string> tag;            // unset: keep the tag of the document
  std::optional<std::string> source;
  // The language of documents for which none is given: as SettleLanguage takes it.
  // Unset: it is detected, unless it was given before or the text is the same.
  std::optional<std::string> language;
  const EmbedderProvider* embedders = nullptr;  // configured embedders; may be null
};

// A document as its source provides it, not yet compared with the store. Labels that are unset stay
// as they are in the store, unless the options set them; labels that are set to nothing are
// removed.
struct ProvidedDocument {
  std::string path;
  std::string text;
  std::string_view origin;  // kFileOrigin, kMemberOrigin, kLineOrigin or kSavedOrigin
  // Set if `text` was extracted from a file of another format.
  std::optional<ExtractionRow> extraction;
  // The text is that of the live version, and is not given.
  bool keeps_text = false;
  std::optional<std::optional<UnixNanos>> mtime;
  std::optional<std::optional<std::string>> tag;
  std::optional<std::optional<std::string>> source;
  std::optional<std::optional<std::string>> meta;  // a JSON object
  std::optional<std::string> language;             // as BuildOptions::language
  // A user-supplied embedding. It must have the dimension of the active space, which must be one of
  // user-supplied embeddings; empty: none. Unset: that of the store, if the text is the same.
  std::optional<std::vector<float>> embedding;
};

// Documents with more bytes of text are written in pieces.
inline constexpr uint64_t kLargeDocumentBytes = 16 << 20;

// Whether a store of this version finds documents by their titles, and documents without text,
// which then have a chunk (AddNameSpan).
constexpr bool HasNameSpans(uint32_t tokenizer_version) { return tokenizer_version >= 3; }

// Whether the metadata of a document has another title than that of its live version, so that the
// index has other tokens of its chunks.
bool HasOtherTitleTokens(const DocRow& doc, const DocRow& live, uint32_t tokenizer_version);

// Computes the index entries of chunks. One per thread.
class TermBuilder final {
 public:
  // `tokenizer_version`: that of the store. `embedder`: of the space; null: space->NewEmbedder().
  TermBuilder(std::shared_ptr<const EmbeddingSpace> space, uint32_t tokenizer_version,
              std::unique_ptr<Embedder> embedder = nullptr);

  const EmbeddingSpace& space() const { return *space_; }
  uint32_t tokenizer_version() const { return tokenizer_version_; }

  // Computes the entries of the spans first..last (exclusive) of the text of a document, of which
  // path and parser are needed. If `vectors` are given, one per span, they are used; otherwise the
  // embedder computes the vectors.
  Result<DocumentTerms> Build(const DocRow& doc, std::string_view text,
                              const std::vector<ChunkSpan>& spans, size_t first, size_t last,
                              std::span<const QuantizedVector> vectors = {});

  // The embedding of a document with a user-supplied embedding, once for each of its chunks. Empty
  // if the embedder computes the vectors.
  std::vector<QuantizedVector> SuppliedVectors(const DocRow& doc, size_t chunks) const;

 private:
  std::shared_ptr<const EmbeddingSpace> space_;
  std::unique_ptr<Embedder> embedder_;
  uint32_t tokenizer_version_;
  std::unique_ptr<DocumentTokenizer> tokenizer_;
  FtsPostingsBuilder postings_;
  std::vector<LexicalText> lexical_;  // scratch memory
  std::vector<float> vectors_;
};

// Returns: what BuildOptions::redactor needs for a policy; null if it needs none. Errors:
// InvalidArgument for a rule of the user that is none.
Result<std::shared_ptr<const Redactor>> RedactorFor(SecretPolicy policy,
                                                    const SecretSettings& settings);

// Whether options.mtime_only permits to treat the document of a file or member as unchanged without
// reading it.
bool IsKnownByTime(const std::optional<DocRow>& live, const std::optional<UnixNanos>& mtime,
                   std::string_view origin, const BuildOptions& options);

// Compares a document with `live`, the version in the store at its path, and builds the content to
// be written.
PreparedDocument PrepareDocument(ProvidedDocument given, const std::optional<DocRow>& live,
                                 const BuildOptions& options, TermBuilder& terms);
// What becomes of a file of which `status` is all that could be read. One that was found in a
// directory and removed before it was read is skipped, as if it had been removed before the walk;
// one that was named has failed.
PreparedDocument RejectedDocument(const FoundFile& file, const Status& status);

// Reads a file and prepares it.
PreparedDocument BuildDocument(const FoundFile& file, const std::optional<DocRow>& live,
                               const BuildOptions& options, TermBuilder& terms);
// As above, for a file that was read already.
PreparedDocument BuildDocument(const FoundFile& file, Result<FileContent> content,
                               const std::optional<DocRow>& live, const BuildOptions& options,
                               TermBuilder& terms);
// Prepares the content of a file or member: `given` has everything but its text.
PreparedDocument PrepareContent(FileContent content, ProvidedDocument given,
                                const std::optional<DocRow>& live, const BuildOptions& options,
                                TermBuilder& terms);
// What reads the bytes of files with these options.
ContentReaders ReadersOf(const BuildOptions& options);
// Reads a file as the options permit. Errors: those of ReadTextFile.
Result<FileContent> ReadContent(const FoundFile& file, const BuildOptions& options);

// Why a text with this fault of reading is skipped.
SkipReason SkipReasonOf(const Status& fault);

}  // namespace recall
