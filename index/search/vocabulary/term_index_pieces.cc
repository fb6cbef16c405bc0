#include "index/search/vocabulary/term_index_pieces.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "index/search/vocabulary/term_similarity.h"
#include "storage/base/bytes.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

namespace format = term_index_format;

constexpr size_t kPieceChecksumBytes = sizeof(uint32_t);
// Lists are divided into pieces of about this size.
constexpr size_t kTrigramPieceBytes = 4096;

}  // namespace

Status DamagedTermPart(std::string_view kind) {
  return Status::Corruption("the part \"" + std::string(kind) + "\" of the model is damaged",
                            "run `recall doctor --fix`");
}

std::string TermPartName(std::string_view pieces, uint32_t number) {
  return std::string(pieces) + std::to_string(number);
}

uint32_t PieceOfTrigram(uint64_t trigram, uint32_t bits) {
  const uint64_t hash = trigram * 0x9E3779B97F4A7C15;
  return bits == 0 ? 0
                   : static_cast<uint32_t>((hash ^ hash >> 29) * 0xD6E8FEB86659FD93 >> (64 - bits));
}

uint32_t TrigramPieceBits(size_t entries) {
  const size_t pieces = entries / kTrigramPieceBytes + 1;
  return std::min(static_cast<uint32_t>(std::bit_width(pieces - 1)), format::kMostBits);
}

void AppendPieceChecksum(std::string* bytes) {
  uint8_t checksum[kPieceChecksumBytes];
  StoreLittle<uint32_t>(checksum, Crc32c(AsBytes(*bytes)));
  bytes->append(reinterpret_cast<const char*>(checksum), sizeof(checksum));
}

Result<std::string_view> VerifiedPiece(std::string_view kind, std::string_view piece) {
  if (piece.size() < kPieceChecksumBytes) return Fail(DamagedTermPart(kind));
  const std::string_view body = piece.substr(0, piece.size() - kPieceChecksumBytes);
  const auto* checksum = reinterpret_cast<const uint8_t*>(piece.data() + body.size());
  if (Crc32c(AsBytes(body)) != LoadLittle<uint32_t>(checksum)) return Fail(DamagedTermPart(kind));
  return body;
}

std::string EncodeTermPiece(std::span<const std::string> terms) {
  std::string bytes;
  std::string_view last;
  for (const std::string_view term : terms) {
    const auto shared = static_cast<size_t>(std::ranges::mismatch(last, term).in1 - last.begin());
    AppendVarint(shared, &bytes);
    AppendVarint(term.size() - shared, &bytes);
    bytes += term.substr(shared);
    last = term;
  }
  AppendPieceChecksum(&bytes);
  return bytes;
}

void TermHeaderWriter::Add(std::string_view term) {
  if (terms_++ % format::kTermsPerPiece == 0) {
    AppendVarint(term.size(), &firsts_);
    firsts_ += term;
  }
  const size_t letters = std::max<size_t>(LetterCount(term), 1);
  if (letters < with_letters_.size()) ++with_letters_[letters];
}

std::string TermHeaderWriter::Encode(uint32_t bits) const {
  format::Header header{};
  std::memcpy(header.magic, format::kMagic, sizeof(header.magic));
  header.version = format::kVersion;
  header.bits = static_cast<uint16_t>(bits);
  header.terms = terms_;
  std::string bytes(sizeof(header) + format::kMostLetters * sizeof(uint32_t), '\0');
  auto* const ends = reinterpret_cast<uint8_t*>(bytes.data()) + sizeof(header);
  uint32_t end = 0;
  for (size_t letters = 1; letters <= format::kMostLetters; ++letters) {
    end += with_letters_[letters];
    StoreLittle<uint32_t>(ends + (letters - 1) * sizeof(uint32_t), end);
  }
  bytes += firsts_;
  constexpr size_t kChecked = offsetof(format::Header, checksum);
  std::memcpy(bytes.data(), &header, kChecked);
  const std::string_view all = bytes;
  const uint32_t checksum =
      Crc32c(AsBytes(all.substr(sizeof(header))), Crc32c(AsBytes(all.substr(0, kChecked))));
  StoreLittle<uint32_t>(reinterpret_cast<uint8_t*>(bytes.data()) + kChecked, checksum);
  return bytes;
}

}  // namespace recall
