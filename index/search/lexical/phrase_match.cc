#include "index/search/lexical/phrase_match.h"

namespace recall {

bool StandsAt(const FtsPhrase& phrase, std::span<const std::string_view> words, size_t at) {
  const size_t count = phrase.tokens.size();
  if (at + count > words.size()) return false;
  for (size_t i = 0; i < count; ++i) {
    const bool beginning = phrase.prefix && i + 1 == count;
    const std::string& token = phrase.tokens[i];
    if (beginning ? !words[at + i].starts_with(token) : words[at + i] != token) return false;
  }
  return true;
}

}  // namespace recall
