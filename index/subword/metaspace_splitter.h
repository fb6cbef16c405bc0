#pragma once

#include <string>

#include "index/subword/piece_splitter.h"

namespace recall {

// SentencePiece's pre-tokenizer: a space becomes a visible character, which begins the next word.
class MetaspaceSplitter final : public PieceSplitter {
 public:
  // The pieces that get the visible character in front: all, the first one of the text, or none.
  enum class Prepend { kAlways, kFirst, kNever };

  MetaspaceSplitter(std::string replacement, Prepend prepend, bool split)
      : replacement_(std::move(replacement)), prepend_(prepend), split_(split) {}
  void Split(PieceList* list) const override;

 private:
  void Rewrite(PieceList* list) const;

  std::string replacement_;  // one character
  Prepend prepend_;
  bool split_;
};

// Errors: Corruption; Unsupported.
Result<std::unique_ptr<PieceSplitter>> MakeMetaspaceSplitter(const Json& part);

}  // namespace recall
