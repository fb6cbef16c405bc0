#pragma once

#include <string>

#include "index/subword/piece_splitter.h"

namespace recall {

// SentencePiece's way: a space becomes a visible character, which begins the word after it.
class MetaspaceSplitter final : public PieceSplitter {
 public:
  enum class Prepend {
    kAlways,
    kFirst,
    kNever
  };  // one before a piece that has none; the first one

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
