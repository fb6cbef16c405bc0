#pragma once

// How the texts of rank files are cut before their bytes are merged, without an engine of regular
// expressions: it would take most of the time that counting tokens takes.

#include <cstddef>
#include <string_view>

#include "index/subword/piece_splitter.h"

namespace recall {

// Ends of the piece of `text` that begins at `begin` < text.size(). Both are what the published
// expressions match there; a test has these.
size_t EndOfCl100kPiece(std::string_view text, size_t begin);
size_t EndOfO200kPiece(std::string_view text, size_t begin);

// Cuts as one of them, or as EndOfGpt2Piece, says.
class RankSplitter final : public PieceSplitter {
 public:
  using EndOfPiece = size_t (*)(std::string_view text, size_t begin);
  explicit RankSplitter(EndOfPiece end_of_piece) : end_of_piece_(end_of_piece) {}
  void Split(PieceList* list) const override;

 private:
  EndOfPiece end_of_piece_;
};

}  // namespace recall
