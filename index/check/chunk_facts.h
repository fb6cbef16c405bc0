#pragma once

// What the indexes should hold of every stored chunk, computed again from the texts.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/embed/factory/embedding_space.h"
#include "index/text/tokenizer.h"
#include "storage/check/document_check.h"

namespace recall {

// How a store's indexes are made, as far as this program can.
class IndexRecipe final {
 public:
  // Of the vector space in force in the newest commit; reads its model.
  IndexRecipe(Connection& connection, const StoreSettings& settings);

  // The row of the space in force; none when the store does not say.
  const std::optional<SpaceRow>& present() const { return present_; }
  uint64_t seed() const { return seed_; }
  // Null when this program cannot make its vectors.
  const EmbeddingSpace* space() const { return space_.get(); }
  // Then: whether because an embedder of the user's makes them, which is no fault. They are not
  // computed again.
  bool is_configured() const { return configured_; }
  // False when its tokens are of another version than this program's.
  bool knows_tokens() const { return knows_tokens_; }
  // Why space() is null, or "".
  const std::string& embedder_fault() const { return embedder_fault_; }

 private:
  Status OpenSpace(Connection& connection, const StoreSettings& settings);

  uint64_t seed_;
  std::optional<SpaceRow> present_;
  std::shared_ptr<const EmbeddingSpace> space_;
  bool configured_ = false;
  bool knows_tokens_;
  std::string embedder_fault_;
};

struct ChunkFacts {
  uint32_t tokens = 0;
  LexicalText lexical;
  uint64_t lexicon_sum = 0;     // of FulltextHash of all tokens of both columns
  uint32_t lexicon_tokens = 0;  // how many these are
  QuantizedVector vector;       // empty without an embedder
};

// The chunks of one document that are there, or some hundred of them.
struct DocumentPiece {
  const CheckedDoc* doc = nullptr;
  std::vector<ChunkRow> chunks;   // rows ascending
  std::vector<ChunkFacts> facts;  // beside `chunks`; none when the text cannot be trusted
  bool last = false;              // of this document
  // What does not fit the text: chunk rowid and sentence.
  std::vector<std::pair<uint32_t, std::string>> objections;
};

// A number that stands for a token in its place.
uint64_t FulltextHash(uint64_t term_hash, bool compound, uint64_t offset);
uint64_t TermHash(std::string_view term);

// Visits all chunks of all documents by ascending row; threads compute, the caller's visits. The
// pieces are the same for any number of threads. Text in flight is bounded.
// Requires: docs by first chunk rowid.
// Errors: the visitor's; Cancelled once *cancel (may be null) is true; Corruption when rows cannot
// be read at all.
using PieceVisitor = std::function<Status(const DocumentPiece&)>;
Status ForEachPiece(Connection& connection, const std::vector<CheckedDoc>& docs,
                    const IndexRecipe& recipe, size_t threads, const std::atomic<bool>* cancel,
                    const PieceVisitor& visit);

// How findings name a chunk.
inline std::string ChunkRowName(int64_t row) { return "chunk row " + std::to_string(row); }

}  // namespace recall
