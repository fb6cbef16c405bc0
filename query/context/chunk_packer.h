#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/context/packed_context.h"
#include "query/rows/views.h"

namespace recall {

// Fills a token budget with whole chunks, best first (docs/RETRIEVAL.md, "Context").
//
// Offer() takes chunks in ranking order. A chunk that overlaps or touches a passage already
// taken from the same document widens it, so no source byte appears twice and text that belongs
// together stays together. What does not fit is cut to the longest prefix of whole tokens that
// does, and ends the packing.
class ContextPacker final {
 public:
  // For `limit` tokens.
  ContextPacker(RowReader* rows, const PackOptions& options, int64_t limit)
      : rows_(rows), options_(options), limit_(limit) {}

  // Returns: false when the budget is used up and nothing more should be offered.
  Result<bool> Offer(const RowReader::Located& row, double score);

  // The same for a chunk beside one that was offered, which joins it or is left out. It counts for
  // no piece of its document.
  Result<bool> OfferNeighbour(const RowReader::Located& row);

  // The passages in the order their best chunks were offered, and the text to hand out.
  PackedContext Finish();

 private:
  // A contiguous byte range of one document, made of one or more of its chunks.
  struct Passage {
    const DocRow* doc = nullptr;
    ChunkRow best;  // the chunk that brought it in
    ChunkRow head;  // the chunk it starts with: its line, offset and heading
    uint32_t last_row = 0;
    uint64_t end = 0;
    std::vector<ChunkRow> chunks;  // in the order they were offered
    double score = 0;
    bool truncated = false;
    std::string text;
    int64_t cost = 0;  // tokens of citation and text

    uint64_t start() const { return head.start_byte; }
  };

  // Takes what comes of `row` and the passages it joins.
  Result<bool> Take(const RowReader::Located& row, double score, const std::vector<size_t>& joined);
  // Where `row` joins; nothing when every byte of it is there already.
  std::optional<std::vector<size_t>> JoinedBy(const RowReader::Located& row);
  static bool Joins(const Passage& passage, const RowReader::Located& row);
  // The passage made of one chunk, and of a passage and another that join; texts are not read.
  static Passage Start(const RowReader::Located& row, double score);
  static void Absorb(Passage& into, const Passage& other);
  Status ReadPassage(Passage& passage) const;

  int64_t Tokens(std::string_view text) const;
  int64_t CitationTokens(const Passage& passage) const;
  int64_t Remaining() const { return limit_ - used_; }
  // Replaces the passages at `joined` (ascending) by `passage`, at the first one's place.
  void Place(Passage passage, const std::vector<size_t>& joined);
  // Takes as much of `passage` as still fits, if that says anything.
  void TakePrefix(Passage passage, const std::vector<size_t>& joined);

  RowReader* rows_;
  PackOptions options_;
  int64_t limit_;
  std::vector<Passage> passages_;
  std::unordered_map<int64_t, int64_t> taken_per_doc_;
  int64_t used_ = 0;
};

}  // namespace recall
