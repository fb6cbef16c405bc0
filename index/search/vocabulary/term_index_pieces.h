#pragma once

// The encoding of the parts of a term index (docs/format/model.md), for what builds, reads and
// checks one.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "index/search/vocabulary/term_index_format.h"
#include "storage/base/result.h"
#include "storage/base/varint.h"

namespace recall {

Status DamagedTermPart(std::string_view kind);

// The name of piece `number`; `pieces` is kTermPieces or kTrigramPieces.
std::string TermPartName(std::string_view pieces, uint32_t number);

// The piece, of 2^bits, with the list of a trigram.
uint32_t PieceOfTrigram(uint64_t trigram, uint32_t bits);
// The bits for an index whose lists have this many entries.
uint32_t TrigramPieceBits(size_t entries);

void AppendPieceChecksum(std::string* bytes);
// The bytes of a piece without its checksum. Errors: Corruption.
Result<std::string_view> VerifiedPiece(std::string_view kind, std::string_view piece);

// Terms in the order of ComesBeforeTerm, front-coded, with the checksum.
std::string EncodeTermPiece(std::span<const std::string> terms);

// Makes the part kTermsPart.
class TermHeaderWriter final {
 public:
  // Terms in the order of ComesBeforeTerm.
  void Add(std::string_view term);
  std::string Encode(uint32_t bits) const;

 private:
  uint32_t terms_ = 0;
  std::array<uint32_t, term_index_format::kMostLetters + 1> with_letters_{};  // numbers of terms
  std::string firsts_;
};

// Reads varints and strings from a piece. Every function returns false at the end of the bytes.
class TermPieceReader final {
 public:
  explicit TermPieceReader(std::string_view bytes)
      : at_(reinterpret_cast<const uint8_t*>(bytes.data())), end_(at_ + bytes.size()) {}

  bool AtEnd() const { return at_ == end_; }
  bool Read(uint64_t* value) {
    at_ = ReadVarint(at_, end_, value);
    if (at_ != nullptr) return true;
    at_ = end_;
    return false;
  }
  bool Read(uint64_t size, std::string_view* bytes) {
    if (size > static_cast<uint64_t>(end_ - at_)) return false;
    *bytes = {reinterpret_cast<const char*>(at_), static_cast<size_t>(size)};
    at_ += size;
    return true;
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

}  // namespace recall
