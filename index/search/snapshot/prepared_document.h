#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/embed/vector_space/vector_space.h"
#include "index/source/chunk/chunk_span.h"
#include "index/source/note/text_links.h"
#include "storage/base/status.h"
#include "storage/documents/document_store.h"
#include "storage/fts5/fts_postings.h"

namespace recall {

// Why a document was skipped; kOther: see its reason.
enum class SkipReason : uint8_t { kOther, kNotText, kTooLarge, kSecrets };

// A document that was not ingested.
struct DocumentFault {
  std::string path;  // of the document, if it is known
  int64_t line = 0;  // of the source, from 1; 0 for files
  std::string what;  // the document's name in messages: a path, or "notes.jsonl:17"
  std::string reason;
  SkipReason skip = SkipReason::kOther;
};

// A document of another format without text.
struct DocumentWithoutText {
  std::string path;
  std::string outcome;  // as ExtractionRow::outcome
  std::string reason;
};

// Something to say about a document that was read.
struct DocumentRemark {
  std::string about;  // "a.gz", "front matter of a.md"
  std::string text;
};

// A credential in a document.
struct DocumentSecret {
  std::string path;
  int64_t line = 0;  // of the document, from 1; 0: in its metadata, tag or source
  std::string kind;  // "aws-access-key-id"
};

// The index entries of consecutive chunks.
struct DocumentTerms {
  std::vector<uint32_t> lexical_tokens;  // of each chunk
  std::vector<FtsPostings> postings;     // in order; one element covers one or more chunks
  std::vector<QuantizedVector> vectors;  // of each chunk
};

// A document that was read, compared with the live version, and prepared for writing.
struct PreparedDocument {
  enum class Outcome {
    kAdded,
    kUpdated,    // the text (or its parser) changed
    kRefreshed,  // same text, other mtime, tag, source, metadata or origin
    kUnchanged,
    kSkipped,  // not text or too large: see fault
    kFailed,   // could not be read: see fault
  };
  Outcome outcome = Outcome::kUnchanged;
  DocumentFault fault;  // of kSkipped and kFailed
  Status embedding;     // the error of the embedder, if it failed; not a fault of the file
  std::vector<DocumentRemark> remarks;
  // The credentials in a new text, as far as the options look for them; with kSkip in any text.
  std::vector<DocumentSecret> secrets;
  bool stays_in_store = false;  // skipped because of credentials, and there is an older version

  // For kAdded, kUpdated and kRefreshed (the writer assigns row numbers):
  DocRow doc;
  // For kAdded and kUpdated:
  std::vector<TextLink> links;  // of a note; the writer finds their targets
  std::vector<std::string> text_blocks;
  std::vector<ChunkSpan> spans;
  DocumentTerms terms;  // of all spans, or of none if `text` is kept instead
  int64_t space = 0;    // row of the vector space of the vectors
  // Set for a document above kLargeDocumentBytes, whose terms would take too much memory. The
  // writer builds the terms a few chunks at a time. If `vectors` is not empty, it contains one for
  // each span, and no embedder is used.
  std::string text;
  std::vector<QuantizedVector> vectors;

  // The files that are attached to it, prepared as if the store had nothing at their paths.
  std::vector<PreparedDocument> attached;

  // Frees the memory of text, terms and vectors, once they are written.
  void ReleaseContent() {
    text_blocks = {};
    terms = {};
    text = {};
    vectors = {};
  }
};

}  // namespace recall
