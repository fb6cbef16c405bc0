#include "index/subword/byte_level.h"

#include <array>

#include "index/base/text/utf8.h"
#include "index/subword/character_class.h"

namespace recall {
namespace {

bool IsVisible(uint32_t byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

std::array<std::string, 256> MakeByteCharacters() {
  std::array<std::string, 256> characters;
  uint32_t next = 0x100;
  for (uint32_t byte = 0; byte < 256; ++byte) {
    AppendUtf8(IsVisible(byte) ? byte : next++, &characters[byte]);
  }
  return characters;
}

enum class Gpt2Kind { kSpace, kLetter, kNumber, kOther };

Gpt2Kind Gpt2KindOf(uint32_t c) {
  if (IsLetter(c)) return Gpt2Kind::kLetter;
  if (IsWhiteSpace(c)) return Gpt2Kind::kSpace;
  return IsNumeric(c) ? Gpt2Kind::kNumber : Gpt2Kind::kOther;
}

// The end of the run of characters of one kind from `position` on; *last is the beginning of its
// last character.
size_t EndOfGpt2Run(std::string_view text, size_t position, Gpt2Kind kind, size_t* last) {
  while (position < text.size()) {
    size_t next = position;
    if (Gpt2KindOf(DecodeUtf8(text, &next)) != kind) break;
    *last = position;
    position = next;
  }
  return position;
}

}  // namespace

size_t EndOfGpt2Piece(std::string_view text, size_t begin) {
  const std::string_view rest = text.substr(begin);
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (rest.starts_with(ending)) return begin + ending.size();
  }
  size_t position = begin;
  size_t last = begin;
  Gpt2Kind kind = Gpt2KindOf(DecodeUtf8(text, &position));
  if (kind != Gpt2Kind::kSpace) return EndOfGpt2Run(text, begin, kind, &last);
  if (rest[0] == ' ' && position < text.size()) {
    size_t next = position;
    kind = Gpt2KindOf(DecodeUtf8(text, &next));
    if (kind != Gpt2Kind::kSpace) return EndOfGpt2Run(text, position, kind, &last);
  }
  const size_t end = EndOfGpt2Run(text, begin, Gpt2Kind::kSpace, &last);
  // The last space belongs to the following word.
  return end < text.size() && last > begin ? last : end;
}

void AppendByteCharacters(std::string_view bytes, std::string* out) {
  static const std::array<std::string, 256> characters = MakeByteCharacters();
  for (const char c : bytes) out->append(characters[static_cast<unsigned char>(c)]);
}

void ByteLevelSplitter::Split(PieceList* list) const {
  std::string spaced;
  for (const PieceList::Piece& piece : list->pieces) {
    std::string_view view = list->view(piece);
    if (add_prefix_space_ && view[0] != ' ') {
      spaced.assign(" ").append(view);
      view = spaced;
    }
    bool at_start = piece.at_start;
    for (size_t position = 0; position < view.size();) {
      const size_t end = split_ ? EndOfGpt2Piece(view, position) : view.size();
      const size_t begin = list->other_text.size();
      AppendByteCharacters(view.substr(position, end - position), &list->other_text);
      list->other_pieces.push_back({begin, list->other_text.size(), at_start});
      at_start = false;
      position = end;
    }
  }
  list->TakeOtherText();
  list->TakeOtherPieces();
}

}  // namespace recall
