#include "index/embed/lsa/form_terms.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "index/base/text/snowball.h"
#include "index/base/text/utf8.h"
#include "index/base/text/word_variants.h"
#include "index/embed/lsa/stem_hash.h"

namespace recall {
namespace {

// Whether the byte begins the UTF-8 of a character from U+0340 on: all scripts but Latin.
bool MayHaveForms(char byte) { return static_cast<uint8_t>(byte) >= 0xCD; }

// Returns whether it appended terms.
bool AppendTerms(std::u32string_view word, std::string* terms) {
  const std::vector<WordPiece> pieces = HangulPieces(word);
  for (const WordPiece& piece : pieces) terms->append(piece.token).push_back(' ');
  if (!pieces.empty()) return true;
  const std::string stem = SnowballStem(word);
  if (stem.empty()) return false;
  terms->append(stem).push_back(' ');
  return true;
}

}  // namespace

std::string_view ReplaceForms(std::string_view body, std::string* buffer, bool* any) {
  if (std::ranges::none_of(body, MayHaveForms)) return body;
  buffer->clear();
  std::u32string word;
  ForEachStem(body, [&](std::string_view stem) {
    word.clear();
    if (std::ranges::any_of(stem, MayHaveForms)) {
      for (size_t at = 0; at < stem.size();) word.push_back(DecodeUtf8(stem, &at));
    }
    const bool replaced = !word.empty() && AppendTerms(word, buffer);
    if (!replaced) buffer->append(stem).push_back(' ');
    if (any) *any |= replaced;
  });
  if (!buffer->empty()) buffer->pop_back();
  return *buffer;
}

}  // namespace recall
