#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/ask/context/packed_context.h"
#include "query/ask/rows/views.h"

namespace recall {

// Fills a token budget with whole chunks, best first (docs/RETRIEVAL.md, "Context").
//
// Offer() is called with chunks in ranking order. A chunk that overlaps or touches a selected
// passage of the same document extends it, so no source byte appears twice and adjacent text stays
// together. A chunk that does not fit is cut to its longest prefix of whole tokens that fits, and
// ends the packing.
class ContextPacker final {
 public:
  // `limit`: the token budget. `rows` must outlive the packer.
  ContextPacker(RowReader* rows, const PackOptions& options, int64_t limit)
      : rows_(rows), options_(options), limit_(limit) {}

  // Returns: false if the budget is used up; then no further chunk needs to be offered. Errors:
  // Corruption.
  Result<bool> Offer(const RowReader::Located& row, double score);

  // Offers a chunk that is adjacent to an offered one. It extends a selected passage or is left
  // out, and does not count towards PackOptions::diversity.
  Result<bool> OfferNeighbour(const RowReader::Located& row);

  // Returns: the passages, in the order in which their best chunks were offered, still without
  // text.
  PackedContext Finish();

 private:
  // A contiguous byte range of one document, made of one or more of its chunks.
  struct Passage {
    const DocRow* doc = nullptr;
    ChunkRow best;  // the first of its chunks that was offered
    ChunkRow head;  // the first in the document: gives the line, offset and heading
    uint32_t last_row = 0;
    uint64_t end = 0;
    std::vector<ChunkRow> chunks;  // in the order they were offered
    double score = 0;
    bool truncated = false;
    std::string text;
    int64_t cost = 0;  // tokens of citation and text

    uint64_t start() const { return head.start_byte; }
  };

  // Adds the passage that consists of `row` and the passages `joined`, which `row` connects.
  // Returns: false if it had to be cut or left out.
  Result<bool> Take(const RowReader::Located& row, double score, const std::vector<size_t>& joined);
  // Returns: the indexes of the passages that `row` overlaps or touches; nullopt if a passage
  // already contains every byte of it.
  std::optional<std::vector<size_t>> JoinedBy(const RowReader::Located& row);
  static bool Joins(const Passage& passage, const RowReader::Located& row);
  // Start makes the passage of one chunk, Absorb extends `into` by `other`. Neither reads the text.
  static Passage Start(const RowReader::Located& row, double score);
  static void Absorb(Passage& into, const Passage& other);
  Status ReadPassage(Passage& passage) const;

  int64_t Tokens(std::string_view text) const;
  int64_t CitationTokens(const Passage& passage) const;
  int64_t Remaining() const { return limit_ - used_; }
  // Replaces the passages at `joined` (ascending) by `passage`, at the position of the first.
  void Place(Passage passage, const std::vector<size_t>& joined);
  // Adds the prefix of `passage` that still fits, unless it is too short to be useful.
  void TakePrefix(Passage passage, const std::vector<size_t>& joined);

  RowReader* rows_;
  PackOptions options_;
  int64_t limit_;
  std::vector<Passage> passages_;
  std::unordered_map<int64_t, int64_t> taken_per_doc_;
  int64_t used_ = 0;
};

}  // namespace recall
