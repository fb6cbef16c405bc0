#pragma once

// Content identity. The formulas are published and are the same as in the older implementation, so
// stores and exports are interchangeable:
//   doc.hash = sha256(text)
//   doc.id   = sha256(path + NUL + hex(doc.hash))
//   chunk.id = sha256(hex(doc.id) + ":" + offset)
// all printed as 64 lower-case hexadecimal digits.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/coding.h"

namespace recall {

using Digest = std::array<uint8_t, 32>;

// FIPS 180-4 SHA-256.
Digest Sha256(ByteSpan data);
Digest Sha256(std::string_view text);

// SHA-256 of bytes that arrive in pieces.
class Sha256Stream final {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(Sha256Stream&&) noexcept;
  Sha256Stream& operator=(Sha256Stream&&) noexcept;

  void Add(ByteSpan data);
  // Returns the digest of all bytes added since construction or the last Finish.
  Digest Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string ToHex(ByteSpan bytes);
// The bytes of an even number of hexadecimal digits of either case, or nothing.
std::optional<std::string> FromHex(std::string_view hex);

Digest MakeDocId(std::string_view path, const Digest& text_hash);

// `offset` is the index, among the document's whitespace-separated tokens, of the token in which
// the chunk starts. `byte_in_token` is 0 unless the chunk starts inside that token, as in text
// without spaces. The published formula does not cover such chunks; for them "+<byte>" is appended.
Digest MakeChunkId(const Digest& doc_id, uint64_t offset, uint64_t byte_in_token = 0);

// The first 8 bytes of a digest as a big-endian number with the top bit flipped. As a signed 64-bit
// integer it sorts like the digest, so an SQLite index on it answers prefix look-ups.
int64_t IdSortKey(const Digest& id);

// The range of sort keys of all ids that start with `hex_prefix` (1 to 64 digits). Returns nothing
// if the prefix is not hexadecimal. A sort key covers 16 digits; the caller must compare longer
// prefixes in full.
struct IdKeyRange {
  int64_t first;
  int64_t last;  // inclusive
};
std::optional<IdKeyRange> IdPrefixRange(std::string_view hex_prefix);

}  // namespace recall
