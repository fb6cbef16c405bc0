#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/search/ngram/word_scanner.h"

namespace recall {

// Appends the character n-grams of a word, which is given between '<' and '>' (word_scanner.h).
// `scratch` is overwritten.
void AppendWordNgrams(std::string_view marked, std::u32string* scratch,
                      std::vector<uint32_t>* ngrams);
// Their number.
uint32_t CountWordNgrams(std::string_view marked);

// Divides text into character n-grams, evidence that survives inflection, compounds and typing
// errors in any language (McNamee and Mayfield, "Character n-gram tokenization for European
// language text retrieval", 2004).
//
//   "The colours"  ->  <colours>  ->  <col colo olou lour ours urs>     "the" is a function word
//   "Ra"           ->  <ra>       ->  <ra>                              at most 4 characters: whole
//   "日本語"        ->  <日本> <本語>
//
// An n-gram is represented by a hash of its code points, which stores contain: never change it.
// Contains scratch memory: one per thread.
class NgramScanner final {
 public:
  // Appends the n-grams of `text` in order, including repetitions.
  void Append(std::string_view text, std::vector<uint32_t>* ngrams);

 private:
  WordScanner words_;
  std::u32string characters_;
};

}  // namespace recall
