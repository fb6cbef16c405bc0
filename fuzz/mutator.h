#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "storage/base/coding.h"

namespace recall {

using FuzzBytes = std::vector<uint8_t>;

// Mutates inputs of a corpus: a few random edits, sometimes after joining two inputs. The same
// corpus and seed give the same inputs on every machine.
class Mutator final {
 public:
  // An empty input is always added to the corpus.
  Mutator(std::vector<FuzzBytes> corpus, uint64_t seed);

  FuzzBytes Next();

 private:
  size_t Below(size_t limit) { return limit == 0 ? 0 : static_cast<size_t>(random_() % limit); }
  const FuzzBytes& Any() { return corpus_[Below(corpus_.size())]; }
  void Edit(FuzzBytes* input);
  void InsertPiece(const FuzzBytes& from, FuzzBytes* input);
  void OverwriteNumber(FuzzBytes* input);

  std::vector<FuzzBytes> corpus_;
  std::mt19937_64 random_;
};

}  // namespace recall
