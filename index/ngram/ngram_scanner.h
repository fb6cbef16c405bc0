#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/text/segment_analyzer.h"

namespace recall {

// Divides text into character n-grams, evidence that survives inflection, compounds and typing
// errors in any language (McNamee and Mayfield, "Character n-gram tokenization for European
// language text retrieval", 2004).
//
//   "The colours"  ->  <colours>  ->  <col colo olou lour ours urs>     "the" is a function word
//   "Ra"           ->  <ra>       ->  <ra>                              at most 4 characters: whole
//   "日本語"        ->  <日本> <本語>
//
// Words are folded as in the full-text index but not stemmed; identifiers are split into parts. An
// n-gram is represented by a hash of its code points, which stores contain: never change it.
// Contains scratch memory: one per thread.
class NgramScanner final {
 public:
  // Appends the n-grams of `text` in order, including repetitions.
  void Append(std::string_view text, std::vector<uint32_t>* ngrams);

 private:
  void AppendSegment(std::string_view segment, std::vector<uint32_t>* ngrams);
  void AppendWord(std::string_view word, std::vector<uint32_t>* ngrams);

  SegmentAnalyzer analyzer_;
  std::string word_;
  std::u32string characters_;
};

}  // namespace recall
