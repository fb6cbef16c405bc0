#pragma once

// Splitters that look at one character at a time.

#include <cstdint>

#include "index/subword/piece_splitter.h"
#include "index/subword/split_behavior.h"
#include "index/subword/text_pattern.h"

namespace recall {

// White space goes; punctuation stands alone.
class BertSplitter final : public PieceSplitter {
 public:
  void Split(PieceList* list) const override;
};

// White space goes; runs of word characters and runs of others are pieces.
class WordSplitter final : public PieceSplitter {
 public:
  void Split(PieceList* list) const override;
};

// Every character of a class is a match.
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
  // `invert`: what lies between the matches is what counts as one.
  PatternSplitter(TextPattern pattern, SplitBehavior behavior, bool invert)
      : pattern_(std::move(pattern)), behavior_(behavior), invert_(invert) {}
  void Split(PieceList* list) const override;

 private:
  TextPattern pattern_;
  SplitBehavior behavior_;
  bool invert_;
};

}  // namespace recall
