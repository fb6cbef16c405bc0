#pragma once

// The data that the indexes should contain for every stored chunk, computed again from the texts.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/base/text/tokenizer.h"
#include "index/embed/factory/embedding_space.h"
#include "index/search/ngram/forward_record.h"
#include "index/source/chunk/chunk_span.h"
#include "storage/check/document_check.h"
#include "storage/check/text_check.h"
#include "storage/fts5/fts_instance_hash.h"

namespace recall {

class Connection;

// The tokenizer version, vector space and embedder with which a store's indexes are computed, and
// whether this program can compute them.
class IndexRecipe final {
 public:
  // Reads the vector space of the newest commit and its model.
  IndexRecipe(Connection& connection, const StoreSettings& settings);

  // The row of the active space; nullopt if the store has none.
  const std::optional<SpaceRow>& present() const { return present_; }
  uint64_t seed() const { return seed_; }
  // The active space; null if this program cannot make its vectors.
  const EmbeddingSpace* space() const { return space_.get(); }
  // Whether space() is null because a user-configured embedder makes the vectors. This is no fault;
  // the vectors are not computed again.
  bool is_configured() const { return configured_; }
  // Whether this program makes tokens of the store's version of the tokenizer.
  bool knows_tokens() const { return IsKnownTokenizer(tokenizer_version_); }
  uint32_t tokenizer_version() const { return tokenizer_version_; }
  // How the store cuts texts into chunks.
  const ChunkOptions& chunking() const { return chunking_; }
  // The reason why space() is null; "" if that is no fault.
  const std::string& embedder_fault() const { return embedder_fault_; }

 private:
  Status OpenSpace(Connection& connection, const StoreSettings& settings);

  uint64_t seed_;
  ChunkOptions chunking_;
  std::optional<SpaceRow> present_;
  std::shared_ptr<const EmbeddingSpace> space_;
  bool configured_ = false;
  uint32_t tokenizer_version_;
  std::string embedder_fault_;
};

struct ChunkFacts {
  uint32_t tokens = 0;
  uint32_t stems = 0;      // LexicalText::tokens
  LexicalText lexical;     // only if PieceOptions::keep_lexical
  FtsRowTokens in_index;   // all tokens of both columns
  QuantizedVector vector;  // empty without an embedder
  std::string words;       // the record of the forward index; empty without WordNumbers
};

// A chunk whose row has another heading than its document's text.
struct WrongHeading {
  uint32_t chunk = 0;  // rowid
  std::string found;
  std::string expected;
};

// The existing chunks of one document, or a part of them of some hundred.
struct DocumentPiece {
  const CheckedDoc* doc = nullptr;
  std::vector<ChunkRow> chunks;        // rows ascending, with the headings of the text
  std::vector<ChunkFacts> facts;       // parallel to `chunks`; empty if the text is damaged
  bool first = false;                  // the first piece of this document
  bool last = false;                   // the last one
  bool text_ok = false;                // the text is complete and has the right hash
  std::vector<TextFault> text_faults;  // in the first piece
  // Contradictions between chunk rows and text: chunk rowid and message.
  std::vector<std::pair<uint32_t, std::string>> objections;
  std::vector<WrongHeading> wrong_headings;
};

struct PieceOptions {
  size_t threads = 1;
  const std::atomic<bool>* cancel = nullptr;
  const WordNumbers* words = nullptr;  // those that the forward index numbers
  bool keep_lexical = false;           // for code that writes the tokens
};

// Visits all chunks of all documents by ascending rowid, and documents without chunks. Each text is
// read and decompressed once, and its hash, places, tokens and vectors are computed together.
// Threads compute; the visitor runs on the calling thread. The pieces are the same for any number
// of threads. The text in flight is bounded. Requires: documents sorted by first chunk rowid.
// Errors: the visitor's; Cancelled once *cancel is true; Corruption if rows cannot be read.
using PieceVisitor = std::function<Status(const DocumentPiece&)>;
Status ForEachPiece(Connection& connection, const DocumentFacts& facts, const IndexRecipe& recipe,
                    const PieceOptions& options, const PieceVisitor& visit);

// The name of a chunk in findings.
inline std::string ChunkRowName(int64_t row) { return "chunk rowid " + std::to_string(row); }

}  // namespace recall
