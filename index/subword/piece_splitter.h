#pragma once

// The second step of a subword tokenizer: text becomes pieces, which the model cuts one by one.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/subword/json_fields.h"
#include "storage/base/result.h"

namespace recall {

// Pieces of a text that steps may rewrite. Two of everything, so that a step reads the one and
// fills the other without an allocation.
struct PieceList {
  struct Piece {
    size_t begin;
    size_t end;
    bool at_start;  // nothing of the whole text lies before it
  };

  std::string text;
  std::vector<Piece> pieces;  // in order; none is empty
  std::string other_text;
  std::vector<Piece> other_pieces;

  std::string_view view(const Piece& piece) const {
    return std::string_view(text).substr(piece.begin, piece.end - piece.begin);
  }
  // To the list that a step fills: a part of `parent`, unless it is empty.
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
