#pragma once

// Splitters that decide by one character at a time.

#include <cstdint>

#include "index/subword/piece_splitter.h"
#include "index/subword/split_behavior.h"
#include "index/subword/text_pattern.h"

namespace recall {

// Drops white space; each punctuation character is a piece.
class BertSplitter final : public PieceSplitter {
 public:
  void Split(PieceList* list) const override;
};

// Drops white space; runs of word characters and runs of other characters are pieces.
class WordSplitter final : public PieceSplitter {
 public:
  void Split(PieceList* list) const override;
};

// Splits at every character of a class.
class ClassSplitter final : public PieceSplitter {
 public:
  using Class = bool (*)(uint32_t);
  ClassSplitter(Class matches, SplitBehavior behavior) : matches_(matches), behavior_(behavior) {}
  void Split(PieceList* list) const override;

 private:
  Class matches_;
  SplitBehavior behavior_;
};

class PatternSplitter final : public PieceSplitter {
 public:
  // `invert`: the text between the matches is treated as the matches.
  PatternSplitter(TextPattern pattern, SplitBehavior behavior, bool invert)
      : pattern_(std::move(pattern)), behavior_(behavior), invert_(invert) {}
  void Split(PieceList* list) const override;

 private:
  TextPattern pattern_;
  SplitBehavior behavior_;
  bool invert_;
};

}  // namespace recall
