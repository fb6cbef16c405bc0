#pragma once

// The second step of a subword tokenizer (pre-tokenizer): text is split into pieces, which the
// model encodes one by one.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/subword/json_fields.h"
#include "storage/base/result.h"

namespace recall {

// The pieces of a text, which steps may rewrite. There are two buffers of each kind, so that a step
// reads one and fills the other without an allocation.
struct PieceList {
  struct Piece {
    size_t begin;
    size_t end;
    bool at_start;  // it is at the beginning of the whole text
  };

  std::string text;
  std::vector<Piece> pieces;  // in order; none is empty
  std::string other_text;
  std::vector<Piece> other_pieces;

  std::string_view view(const Piece& piece) const {
    return std::string_view(text).substr(piece.begin, piece.end - piece.begin);
  }
  // Adds a part of `parent` to the list that a step fills, unless it is empty.
  void Keep(const Piece& parent, size_t begin, size_t end) {
    if (begin < end) other_pieces.push_back({begin, end, parent.at_start && begin == parent.begin});
  }
  void TakeOtherPieces() {
    pieces.swap(other_pieces);
    other_pieces.clear();
  }
  void TakeOtherText() {
    text.swap(other_text);
    other_text.clear();
  }
};

// Immutable: safe to use from several threads.
class PieceSplitter {
 public:
  virtual ~PieceSplitter() = default;
  virtual void Split(PieceList* list) const = 0;
};

}  // namespace recall
