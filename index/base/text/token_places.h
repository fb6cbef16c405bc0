#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/segment_analyzer.h"
#include "index/base/text/tokenizer.h"

namespace recall {

// Finds the positions in a text of the tokens that the lexical index contains for it. Contains
// scratch memory: one instance per thread.
class TokenPlacer final {
 public:
  // `version`: of the tokenizer of the index.
  explicit TokenPlacer(uint32_t version = kTokenizerVersion) : version_(version) {
    is_stemmed_.set();
  }

  // From now on Find leaves words unstemmed that begin with another letter than one of these: for a
  // caller that looks for known tokens, because a stem begins with the letter of its word.
  void StemOnly(std::string_view first_letters);

  // Bytes start .. end-1 of the text; whole characters.
  struct Place {
    size_t start;
    size_t end;
  };
  // Tokens in order, and the place of each.
  struct Tokens {
    std::vector<std::string_view> words;
    std::vector<Place> places;  // one for each word
  };

  // Finds the tokens in the order of LexicalText without a heading. The place of a part of an
  // identifier is that part, and the place of the whole is the whole identifier, or name. The place
  // of a bigram is its two characters; if folding changed the number of characters, it is the whole
  // text it was folded from. The results are valid until the next call.
  void Find(std::string_view text);
  const Tokens& body() const { return body_; }
  const Tokens& compound() const { return compound_; }

 private:
  void TakeName(std::string_view name, size_t start);
  void Take(std::string_view segment, size_t start);
  void TakeAscii(std::string_view segment, size_t start, bool one_word);
  void TakeAsciiPart(std::string_view part, size_t start);
  void TakeRun(const SegmentAnalyzer::Run& run, size_t start);
  void TakeVariants(const SegmentAnalyzer::Run& run, size_t start);
  void TakeNumberedParts(std::string_view word, size_t start, size_t end);
  void TakeSymbols(std::string_view text, size_t begin, size_t end);
  void TakeCompound(std::string_view token, size_t start, size_t end);
  void Finish(Tokens* tokens, std::string_view spaced) const;

  uint32_t version_;
  std::bitset<256> is_stemmed_;  // by first byte of a word of ASCII letters
  SegmentAnalyzer analyzer_;
  std::vector<size_t> offsets_;  // of the segment's characters, and its size
  std::string body_text_;        // tokens, each followed by a space
  std::string compound_text_;
  Tokens body_;
  Tokens compound_;
};

}  // namespace recall
