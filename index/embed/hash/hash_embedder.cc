#include "index/embed/hash/hash_embedder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

#include "index/base/text/utf8.h"
#include "storage/base/check.h"
#include "storage/base/coding.h"
#include "storage/base/ids.h"

namespace recall {
namespace {

// The hashing trick (Weinberger et al., "Feature hashing for large scale multitask learning",
// 2009): a vocabulary of unlimited size is mapped to `dim` components by a hash of each token, and
// a second bit of the hash selects the sign, so that collisions cancel on average instead of adding
// up. The dot product of two vectors is an unbiased estimate of the dot product of the token
// counts.
//
//   "to be or"  ->  sha256("to") -> v, top bit 1  -> vector[v mod dim] += 1     (for example)
//                   sha256("be") -> v, top bit 0  -> vector[v mod dim] -= 1
//
// This embedder is the fallback before a store has enough text to train an LSA model, and the
// embedder `hash`. SHA-256 is slower than needed, but recall 0.1 uses it.
//
// Cost: one pass over the text and one SHA-256 block per distinct token. Because text repeats its
// tokens, a direct-mapped cache of 16,384 slots (512 KiB) keeps the hashes of tokens of up to 24
// bytes. A miss costs one SHA-256 block.
//
// Invariant: sums, square root and quotients are computed in float and in the order of the
// components, so the bits are the same on every CPU.

// 512 KiB, so that the slots stay in the second-level cache. More slots would be in main memory,
// and saving one SHA-256 block is not worth an access to it.
constexpr size_t kTokenSlots = size_t{1} << 14;
constexpr uint32_t kNegative = uint32_t{1} << 31;

bool IsAsciiSpace(unsigned char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

// White space beyond ASCII starts with one of these bytes: U+0085, U+00A0, U+1680, U+2000..205F,
// U+3000.
bool MayStartWideSpace(unsigned char byte) {
  return byte == 0xc2 || byte == 0xe1 || byte == 0xe2 || byte == 0xe3;
}

// The size of the white-space character at `position`; 0 if there is none.
size_t SpaceAt(std::string_view text, size_t position) {
  const auto byte = static_cast<unsigned char>(text[position]);
  if (IsAsciiSpace(byte)) return 1;
  if (!MayStartWideSpace(byte)) return 0;
  size_t end = position;
  return IsWhiteSpace(DecodeUtf8(text, &end)) ? end - position : 0;
}

uint64_t MixToken(uint64_t value) {
  value *= 0x9e3779b97f4a7c15;
  return value ^ value >> 32;
}

}  // namespace

HashEmbedder::HashEmbedder(uint32_t dim)
    : identity_{"hash", "1", dim},
      slots_(static_cast<Slot*>(std::calloc(kTokenSlots, sizeof(Slot)))) {
  RECALL_CHECK(dim > 0 && dim < kNegative);
  if (slots_ == nullptr) throw std::bad_alloc();
}

Status HashEmbedder::Embed(std::span<const std::string_view> texts, std::span<float> out) {
  const size_t dim = identity_.dim;
  RECALL_CHECK(out.size() == texts.size() * dim);
  for (size_t i = 0; i < texts.size(); ++i) EmbedOne(texts[i], out.subspan(i * dim, dim));
  return Status::Ok();
}

void HashEmbedder::EmbedOne(std::string_view text, std::span<float> vector) {
  std::fill(vector.begin(), vector.end(), 0.0f);
  size_t start = 0;
  for (size_t position = 0; position < text.size();) {
    const size_t space = SpaceAt(text, position);
    if (space == 0) {
      ++position;
      continue;
    }
    if (position > start) AddToken(text.substr(start, position - start), vector);
    position += space;
    start = position;
  }
  if (start < text.size()) AddToken(text.substr(start), vector);

  // Recall 0.1 computes sums and quotients in this order and in float.
  float sum = 0;
  for (const float component : vector) sum += component * component;
  const float length = std::sqrt(sum);
  if (length > 0) {
    for (float& component : vector) component /= length;
  }
}

void HashEmbedder::AddToken(std::string_view token, std::span<float> vector) {
  const Feature feature = token.size() <= sizeof(Slot::key) ? Find(token) : Compute(token);
  vector[feature.bucket] += feature.sign;
}

HashEmbedder::Feature HashEmbedder::Find(std::string_view token) {
  uint64_t key[3] = {};
  std::memcpy(key, token.data(), token.size());
  const uint64_t hash = MixToken(key[0] ^ MixToken(key[1] ^ MixToken(key[2] ^ token.size())));
  Slot& slot = slots_[hash % kTokenSlots];
  if (slot.size != token.size() || std::memcmp(slot.key, key, sizeof(key)) != 0) {
    const Feature feature = Compute(token);
    std::memcpy(slot.key, key, sizeof(key));
    slot.size = static_cast<uint32_t>(token.size());
    slot.bucket = feature.bucket | (feature.sign < 0 ? kNegative : 0);
  }
  return {slot.bucket & ~kNegative, (slot.bucket & kNegative) != 0 ? -1.0f : 1.0f};
}

HashEmbedder::Feature HashEmbedder::Compute(std::string_view token) const {
  const Digest digest = Sha256(token);
  const auto value = LoadLittle<uint64_t>(digest.data());
  return {static_cast<uint32_t>(value % identity_.dim), value >> 63 != 0 ? 1.0f : -1.0f};
}

}  // namespace recall
