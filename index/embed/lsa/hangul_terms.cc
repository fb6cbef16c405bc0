#include "index/embed/lsa/hangul_terms.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "index/base/text/utf8.h"
#include "index/base/text/word_variants.h"
#include "index/embed/lsa/stem_hash.h"

namespace recall {
namespace {

// Whether the byte begins the UTF-8 of a range with Hangul: U+1000, U+A000, and U+B000 to U+D7FF.
bool MayBeginHangul(char byte) {
  const auto first = static_cast<uint8_t>(byte);
  return first == 0xE1 || (first >= 0xEA && first <= 0xED);
}

}  // namespace

std::string_view DivideHangul(std::string_view body, std::string* buffer, bool* any) {
  if (std::ranges::none_of(body, MayBeginHangul)) return body;
  buffer->clear();
  std::u32string word;
  ForEachStem(body, [&](std::string_view stem) {
    word.clear();
    if (std::ranges::any_of(stem, MayBeginHangul)) {
      for (size_t at = 0; at < stem.size();) word.push_back(DecodeUtf8(stem, &at));
    }
    const std::vector<WordPiece> pieces = HangulPieces(word);
    if (pieces.empty()) buffer->append(stem).push_back(' ');
    for (const WordPiece& piece : pieces) buffer->append(piece.token).push_back(' ');
    if (any) *any |= !pieces.empty();
  });
  if (!buffer->empty()) buffer->pop_back();
  return *buffer;
}

}  // namespace recall
