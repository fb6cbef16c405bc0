#include "index/search/vocabulary/edit_variants.h"

#include <algorithm>

#include "index/base/text/fold.h"
#include "index/base/text/utf8.h"

namespace recall {
namespace {

// Code points of one script mostly share a block of this size.
constexpr uint32_t kBlock = 64;

// The letters that a typing error may add: those of the alphabets that the word is written in.
std::u32string AlphabetOf(const std::u32string& word) {
  std::vector<uint32_t> blocks;
  for (const char32_t letter : word) blocks.push_back(letter / kBlock);
  std::ranges::sort(blocks);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  std::u32string alphabet;
  std::u32string folded;
  for (const uint32_t block : blocks) {
    for (char32_t letter = block * kBlock; letter < (block + 1) * kBlock; ++letter) {
      const bool is_digit = CaseOf(letter) == LetterCase::kDigit;
      if (KindBeforeFolding(letter) != CharacterKind::kWord || is_digit) continue;
      folded.clear();
      FoldAppend({&letter, 1}, &folded);
      if (folded.size() == 1 && folded.front() == letter) alphabet += letter;
    }
  }
  return alphabet;
}

std::string ToUtf8(const std::u32string& text) {
  std::string bytes;
  for (const char32_t character : text) AppendUtf8(character, &bytes);
  return bytes;
}

}  // namespace

std::vector<std::string> OneEditVariants(std::string_view word) {
  std::u32string letters;
  for (size_t at = 0; at < word.size();) letters += DecodeUtf8(word, &at);
  std::vector<std::string> variants;
  std::u32string changed;
  for (size_t i = 0; i < letters.size(); ++i) {
    changed = letters;
    variants.push_back(ToUtf8(changed.erase(i, 1)));
    if (i + 1 == letters.size() || letters[i] == letters[i + 1]) continue;
    changed = letters;
    std::swap(changed[i], changed[i + 1]);
    variants.push_back(ToUtf8(changed));
  }
  for (const char32_t letter : AlphabetOf(letters)) {
    for (size_t i = 0; i <= letters.size(); ++i) {
      changed = letters;
      variants.push_back(ToUtf8(changed.insert(i, 1, letter)));
      if (i == letters.size() || letters[i] == letter) continue;
      changed = letters;
      changed[i] = letter;
      variants.push_back(ToUtf8(changed));
    }
  }
  std::ranges::sort(variants);
  variants.erase(std::unique(variants.begin(), variants.end()), variants.end());
  return variants;
}

}  // namespace recall
