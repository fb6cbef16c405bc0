#include "storage/base/ids.h"

#include <nettle/sha2.h>

#include "storage/base/bytes.h"

namespace recall {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";
constexpr uint64_t kSignBit = uint64_t{1} << 63;

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Digest Sha256(ByteSpan data) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, data.size(), data.data());
  Digest digest;
  sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

Digest Sha256(std::string_view text) { return Sha256(AsBytes(text)); }

struct Sha256Stream::State {
  sha256_ctx context;
};

Sha256Stream::Sha256Stream() : state_(std::make_unique<State>()) { sha256_init(&state_->context); }
Sha256Stream::~Sha256Stream() = default;
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;

void Sha256Stream::Add(ByteSpan data) { sha256_update(&state_->context, data.size(), data.data()); }

Digest Sha256Stream::Finish() {
  Digest digest;
  sha256_digest(&state_->context, digest.size(),
                digest.data());  // also initialises the context again
  return digest;
}

std::string ToHex(ByteSpan bytes) {
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const uint8_t byte : bytes) {
    hex.push_back(kHexDigits[byte >> 4]);
    hex.push_back(kHexDigits[byte & 15]);
  }
  return hex;
}

std::optional<std::string> FromHex(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (size_t i = 0; i < hex.size(); i += 2) {
    const int high = HexValue(hex[i]);
    const int low = HexValue(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return bytes;
}

Digest MakeDocId(std::string_view path, const Digest& text_hash) {
  std::string input(path);
  input.push_back('\0');
  input += ToHex(text_hash);
  return Sha256(input);
}

Digest MakeChunkId(const Digest& doc_id, uint64_t offset, uint64_t byte_in_token) {
  std::string input = ToHex(doc_id) + ":" + std::to_string(offset);
  if (byte_in_token != 0) input += "+" + std::to_string(byte_in_token);
  return Sha256(input);
}

int64_t IdSortKey(const Digest& id) {
  return static_cast<int64_t>(LoadBig64(id.data()) ^ kSignBit);
}

std::optional<IdKeyRange> IdPrefixRange(std::string_view hex_prefix) {
  if (hex_prefix.empty() || hex_prefix.size() > 64) return std::nullopt;
  uint64_t first = 0;
  uint64_t last = 0;
  for (size_t i = 0; i < hex_prefix.size(); ++i) {
    const int value = HexValue(hex_prefix[i]);
    if (value < 0) return std::nullopt;
    if (i < 16) first = first << 4 | static_cast<uint64_t>(value);
  }
  last = first;
  for (size_t i = hex_prefix.size(); i < 16; ++i) {
    first <<= 4;
    last = last << 4 | 15;
  }
  return IdKeyRange{static_cast<int64_t>(first ^ kSignBit), static_cast<int64_t>(last ^ kSignBit)};
}

}  // namespace recall
