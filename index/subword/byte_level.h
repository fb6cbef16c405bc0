#pragma once

#include <string>
#include <string_view>

#include "index/subword/piece_splitter.h"

namespace recall {

// Appends a visible character for each byte: the byte itself if it is visible in Latin-1, else a
// character from U+0100 on.
void AppendByteCharacters(std::string_view bytes, std::string* out);

// The end of the piece of `text` that begins at `begin` < text.size(), by GPT-2's expression:
// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
size_t EndOfGpt2Piece(std::string_view text, size_t begin);

// GPT-2's pre-tokenizer: words with the space before them, contractions and numbers are pieces;
// then bytes are written as characters.
class ByteLevelSplitter final : public PieceSplitter {
 public:
  ByteLevelSplitter(bool add_prefix_space, bool split)
      : add_prefix_space_(add_prefix_space), split_(split) {}
  void Split(PieceList* list) const override;

 private:
  bool add_prefix_space_;
  bool split_;
};

}  // namespace recall
