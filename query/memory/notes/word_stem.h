#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "index/base/text/porter.h"

namespace recall {

// The stem of a folded word (FoldedWordReader): of an English one of three letters or more as in
// the index, of others the word itself.
inline std::string StemOfWord(std::string word) {
  constexpr size_t kShortest = 3;
  const bool is_latin = std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
  if (!is_latin || word.size() < kShortest) return word;
  const size_t size = word.size();
  word.push_back(' ');  // a stem may end in a new "e"
  word.resize(PorterStem(word.data(), size));
  return word;
}

}  // namespace recall
