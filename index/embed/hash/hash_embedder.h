#pragma once

#include <cstdlib>
#include <memory>

#include "index/embed/embedder/embedder.h"

namespace recall {

// Feature hashing of white-space separated tokens, with case and punctuation kept. The formula is
// that of recall 0.1, so that vectors are interchangeable with it:
//   v = first 8 bytes of sha256(token), little-endian
//   vector[v mod dim] += top bit of v ? +1 : -1
// The sum is divided by its length. It needs no model and no training. It matches equal tokens
// only, not tokens of similar meaning.
class HashEmbedder final : public Embedder {
 public:
  // Requires: dim > 0.
  explicit HashEmbedder(uint32_t dim);

  const Identity& identity() const override { return identity_; }
  Status Embed(std::span<const std::string_view> texts, std::span<float> out) override;

 private:
  struct Feature {
    uint32_t bucket;
    float sign;
  };
  // One cached token. Keys are the token's bytes padded with zeros, so that a hit is exact.
  struct Slot {
    uint64_t key[3];
    uint32_t size;    // of the token; 0 marks a free slot
    uint32_t bucket;  // top bit: the sign is negative
  };

  void EmbedOne(std::string_view text, std::span<float> vector);
  void AddToken(std::string_view token, std::span<float> vector);
  Feature Find(std::string_view token);
  Feature Compute(std::string_view token) const;

  Identity identity_;
  struct Free {
    void operator()(Slot* slots) const { std::free(slots); }
  };

  // A direct-mapped cache: a token of up to 24 bytes has one slot, and a new token replaces the old
  // one. It is allocated by calloc, so that a query of three words touches only the pages that it
  // uses.
  std::unique_ptr<Slot[], Free> slots_;
};

}  // namespace recall
