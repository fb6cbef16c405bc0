#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/chunk/chunker.h"
#include "index/vector_space/vector_space.h"
#include "storage/base/status.h"
#include "storage/documents/document_store.h"
#include "storage/fts5/fts_postings.h"

namespace recall {

// A document that was not ingested.
struct DocumentFault {
  std::string path;  // of the document, if it is known
  int64_t line = 0;  // of the source, from 1; 0 for files
  std::string what;  // its name in messages: a path, or "notes.jsonl:17"
  std::string reason;
};

// The index entries of consecutive chunks.
struct DocumentTerms {
  std::vector<uint32_t> lexical_tokens;  // of each chunk
  std::vector<FtsPostings> postings;     // each for some of the chunks, in order
  std::vector<QuantizedVector> vectors;  // of each chunk
};

// A document that was read, compared with the live version, and prepared for writing.
struct PreparedDocument {
  enum class Outcome {
    kAdded,
    kUpdated,    // the text (or its parser) changed
    kRefreshed,  // same text, other mtime, tag, source or metadata
    kUnchanged,
    kSkipped,  // not text or too large: see fault
    kFailed,   // could not be read: see fault
  };
  Outcome outcome = Outcome::kUnchanged;
  DocumentFault fault;  // of kSkipped and kFailed
  Status embedding;     // the error of the embedder, if it failed; not a fault of the file
  std::string metadata_shortfall;  // of ExtractMetadata

  // For kAdded, kUpdated and kRefreshed (the writer assigns row numbers):
  DocRow doc;
  // For kAdded and kUpdated:
  std::vector<std::string> text_blocks;
  std::vector<ChunkSpan> spans;
  DocumentTerms terms;  // of all spans, or of none if `text` is kept instead
  int64_t space = 0;    // row of the vector space of the vectors
  // Set for documents so large that their terms would fill memory: the writer builds the terms a
  // few chunks at a time, with these vectors if there are any (then one per span).
  std::string text;
  std::vector<QuantizedVector> vectors;

  void ReleaseContent() {
    text_blocks = {};
    terms = {};
    text = {};
    vectors = {};
  }
};

}  // namespace recall
