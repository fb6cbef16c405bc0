#pragma once

// Splits text for rank files before bytes are merged. It is written by hand, because an engine of
// regular expressions would take most of the time of counting tokens.

#include <cstddef>
#include <string_view>

#include "index/subword/piece_splitter.h"

namespace recall {

// The end of the piece of `text` that begins at `begin` < text.size(). Both functions return the
// end of the match of the tokenizers' regular expressions; a test compares the results.
size_t EndOfCl100kPiece(std::string_view text, size_t begin);
size_t EndOfO200kPiece(std::string_view text, size_t begin);

// Splits by one of these functions, or by EndOfGpt2Piece.
class RankSplitter final : public PieceSplitter {
 public:
  using EndOfPiece = size_t (*)(std::string_view text, size_t begin);
  explicit RankSplitter(EndOfPiece end_of_piece) : end_of_piece_(end_of_piece) {}
  void Split(PieceList* list) const override;

 private:
  EndOfPiece end_of_piece_;
};

}  // namespace recall
