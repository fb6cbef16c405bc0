#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/text/segment_analyzer.h"

namespace recall {

// Cuts text into the characters that its words are made of: evidence that survives inflection,
// compounds and typing errors, in any language (McNamee and Mayfield, "Character n-n-gram
// tokenization for European language text retrieval", 2004).
//
//   "The colours"  ->  <colours>  ->  <col colo olou lour ours urs>      "the" is a function word
//   "Ra"           ->  <Ra>       ->  <ra>                               four or less: itself
//   "日本語"        ->  <日本> <本語>
//
// Words are folded as the lexical index folds them and not stemmed; identifiers come in parts.
// A n-gram is known by a hash of its code points, which stores keep: never change it.
// Holds scratch memory: one per thread.
class NgramScanner final {
 public:
  // Appends the n-grams of `text` in order, each time they occur.
  void Append(std::string_view text, std::vector<uint32_t>* ngrams);

 private:
  void AppendSegment(std::string_view segment, std::vector<uint32_t>* ngrams);
  void AppendWord(std::string_view word, std::vector<uint32_t>* ngrams);

  SegmentAnalyzer analyzer_;
  std::string word_;
  std::u32string characters_;
};

}  // namespace recall
