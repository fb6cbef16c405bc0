#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "index/text/segment_analyzer.h"

namespace recall {

// Finds where in a text the tokens stand that the lexical index holds of it. Holds scratch memory:
// one per thread.
class TokenPlacer final {
 public:
  // Bytes start .. end-1 of the text, whole characters.
  struct Place {
    size_t start;
    size_t end;
  };
  // Tokens in order and where each stands.
  struct Tokens {
    std::vector<std::string_view> words;
    std::vector<Place> places;  // one for each word
  };

  // The same tokens in the same order as LexicalText has them without a heading. The part of an
  // identifier stands where that part is written, the whole where all of it is; a bigram at its two
  // characters, unless folding changed the number of characters: then at all it was folded from.
  // Both are valid until the next call.
  void Find(std::string_view text);
  const Tokens& body() const { return body_; }
  const Tokens& compound() const { return compound_; }

 private:
  void Take(std::string_view segment, size_t start);
  void TakeAscii(std::string_view segment, size_t start, bool one_word);
  void TakeAsciiPart(std::string_view part, size_t start);
  void TakeRun(const SegmentAnalyzer::Run& run, size_t start);
  void Finish(Tokens* tokens, std::string_view spaced) const;

  SegmentAnalyzer analyzer_;
  std::vector<size_t> offsets_;  // of the segment's characters, and its size
  std::string body_text_;        // tokens, each with a space behind it
  std::string compound_text_;
  Tokens body_;
  Tokens compound_;
};

}  // namespace recall
