#pragma once

// Content identity. The formulas are published and shared with the older implementation, so
// stores and exports interchange:
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

// The same of bytes that come in pieces.
class Sha256Stream final {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(Sha256Stream&&) noexcept;
  Sha256Stream& operator=(Sha256Stream&&) noexcept;

  void Add(ByteSpan data);
  // The digest of all that was added; the next bytes begin a new one.
  Digest Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string ToHex(ByteSpan bytes);
// The bytes of an even number of hexadecimal digits of either case, or nothing.
std::optional<std::string> FromHex(std::string_view hex);

Digest MakeDocId(std::string_view path, const Digest& text_hash);

// `offset` is the index, among the document's whitespace-separated tokens, of the token the chunk
// starts in. `byte_in_token` is 0 unless the chunk starts inside that token (text without spaces
// is cut there); the published formula has no such chunks, so theirs appends "+<byte>".
Digest MakeChunkId(const Digest& doc_id, uint64_t offset, uint64_t byte_in_token = 0);

// The first 8 bytes of a digest as a big-endian number with the top bit flipped: as a signed
// 64-bit integer it sorts like the digest, so an SQLite index on it answers prefix look-ups.
int64_t IdSortKey(const Digest& id);

// The range of sort keys of all ids that start with `hex_prefix` (1 to 64 digits), or nothing
// when it is not hexadecimal. Prefixes of over 16 digits must be compared in full by the caller.
struct IdKeyRange {
  int64_t first;
  int64_t last;  // inclusive
};
std::optional<IdKeyRange> IdPrefixRange(std::string_view hex_prefix);

}  // namespace recall
