#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/fold.h"

namespace recall {

// Divides a segment, text without separators as NextSegment finds it, into runs and tokens.
//
//  "fooBar_Ünit"  ->  runs  foo | bar | unit    identifier
//  "日本語"        ->  runs  日本語               (bigrams)
//
// Contains scratch memory: one instance per thread.
class SegmentAnalyzer final {
 public:
  // A run of folded characters of one kind: a word, or text to be divided into bigrams.
  struct Run {
    CharacterKind kind;
    size_t begin;
    size_t end;
    // The characters of the segment it was folded from; several runs may come from the same
    // characters.
    size_t from_begin;
    size_t from_end;
  };

  // Replaces the result of the last call.
  void Analyze(std::string_view segment);

  const std::vector<Run>& runs() const { return runs_; }
  // Whether the runs are the parts of one identifier: two or more words, divided by case or `_`.
  bool identifier() const { return identifier_; }

  // Whether the segment is ASCII.
  bool is_ascii() const { return is_ascii_; }
  // The folded characters of a run.
  std::u32string_view Folded(const Run& run) const {
    if (is_ascii_) Widen();
    return std::u32string_view(folded_).substr(run.begin, run.end - run.begin);
  }
  // The characters of the segment that it was folded from.
  std::u32string_view Raw(const Run& run) const {
    if (is_ascii_) Widen();
    return std::u32string_view(raw_).substr(run.from_begin, run.from_end - run.from_begin);
  }
  // Appends the folded run without stemming, cut after kMaxTokenBytes.
  void AppendSurface(const Run& run, std::string* out) const;
  // Appends the run's tokens, separated by spaces. Returns their number.
  uint32_t AppendTokens(const Run& run, std::string* out) const;
  // Appends the token of a whole identifier.
  void AppendWhole(std::string* out) const;

 private:
  // These add the characters begin .. end-1 of raw_.
  void AddParts(size_t begin, size_t end);
  void AddPart(size_t begin, size_t end);

  void AnalyzeAscii(std::string_view segment);
  // Makes the characters of an ASCII segment, which few callers ask for.
  void Widen() const;

  mutable std::u32string raw_;
  mutable std::u32string folded_;
  bool is_ascii_ = false;
  std::string ascii_;         // the segment, if it is ASCII
  std::string folded_ascii_;  // and folded
  std::vector<Run> runs_;
  size_t parts_ = 0;
  bool identifier_ = false;
};

// Finds the first segment at or after *position, moves *position past it and returns it; empty at
// the end of the text. Segments are maximal runs of word characters and `_`, or of characters
// of scripts without spaces; ill-formed UTF-8 is a separator. Linear.
std::string_view NextSegment(std::string_view text, size_t* position);

// Stems the last token of *out, which starts at byte `start`, if it consists of a-z only.
void StemFrom(size_t start, std::string* out);

}  // namespace recall
