#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/text/fold.h"

namespace recall {

// Takes a segment apart: text without separators inside, as NextSegment finds it.
//
//   "fooBar_Ünit"  ->  runs  foo | bar | unit    identifier
//   "日本語"        ->  runs  日本語               (bigrams)
//
// Holds scratch memory: one per thread.
class SegmentAnalyzer final {
 public:
  // A stretch of folded characters of one kind: a word, or one to be cut into bigrams.
  struct Run {
    CharacterKind kind;
    size_t begin;
    size_t end;
    // What it was folded from: these characters of the segment, which other runs may come from,
    // too.
    size_t from_begin;
    size_t from_end;
  };

  // Replaces what the last call found.
  void Analyze(std::string_view segment);

  const std::vector<Run>& runs() const { return runs_; }
  // The runs are the parts of one identifier: two or more words, divided by case or `_`.
  bool identifier() const { return identifier_; }

  // Appends the run as typed, folded. Cut after kMaxTokenBytes.
  void AppendSurface(const Run& run, std::string* out) const;
  // Appends the run's tokens, separated by spaces. Returns: how many.
  uint32_t AppendTokens(const Run& run, std::string* out) const;
  // Appends the token of a whole identifier.
  void AppendWhole(std::string* out) const;

 private:
  // Of raw_: characters begin .. end-1.
  void AddParts(size_t begin, size_t end);
  void AddPart(size_t begin, size_t end);

  std::u32string raw_;
  std::u32string folded_;
  std::vector<Run> runs_;
  size_t parts_ = 0;
  bool identifier_ = false;
};

// Finds the first segment at or after *position, moves *position past it and returns it; empty at
// the end of the text. Segments are the largest stretches of word characters and `_`, or of
// characters of scripts without spaces; ill-formed UTF-8 separates. Linear.
std::string_view NextSegment(std::string_view text, size_t* position);

// Stems the token that starts at byte `start` of *out and ends it, if it is an English-looking
// word.
void StemFrom(size_t start, std::string* out);

}  // namespace recall
