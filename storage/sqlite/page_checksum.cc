#include "storage/sqlite/page_checksum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "storage/base/checksum.h"

namespace recall {
namespace {

// Offsets in the trailer.
constexpr size_t kNumberAt = 4;
constexpr size_t kReverseAt = 8;
constexpr size_t kAcceptAt = 12;

constexpr uint32_t kAcceptUnsealed = 1;

constexpr size_t kWordBytes = 8;

struct Trailer {
  uint32_t crc;
  uint32_t number;
  uint32_t reverse_crc;
  uint32_t accept;
};

// Reads the trailer from the last bytes of a page, or of the trailer itself.
Trailer ReadTrailer(ByteSpan page) {
  const uint8_t* const at = page.data() + page.size() - kPageTrailerBytes;
  return {LoadLittle<uint32_t>(at), LoadLittle<uint32_t>(at + kNumberAt),
          LoadLittle<uint32_t>(at + kReverseAt), LoadLittle<uint32_t>(at + kAcceptAt)};
}

uint32_t ForwardCrc(ByteSpan page) {
  const size_t usable = page.size() - kPageTrailerBytes;
  return Crc32c(page.subspan(usable + kNumberAt), Crc32c(page.first(usable)));
}

// A buffer of words in reverse order keeps the fast path of Crc32c.
uint32_t ReverseCrc(ByteSpan page) {
  constexpr size_t kBufferWords = 512;
  std::array<uint8_t, kBufferWords * kWordBytes> buffer;
  uint32_t crc = 0;
  for (size_t left = (page.size() - kPageTrailerBytes) / kWordBytes; left > 0;) {
    const size_t words = std::min(left, kBufferWords);
    for (size_t i = 0; i < words; ++i) {
      std::memcpy(buffer.data() + i * kWordBytes, page.data() + --left * kWordBytes, kWordBytes);
    }
    crc = Crc32c(ByteSpan(buffer).first(words * kWordBytes), crc);
  }
  return crc;
}

bool IsBlank(const Trailer& trailer) {
  return trailer.crc == 0 && trailer.number == 0 && trailer.reverse_crc == 0 && trailer.accept == 0;
}

// The position of the bit whose change causes a given difference of two CRCs. A CRC is affine, so
// the difference depends only on the position of the changed bit. Changing bit b of the last byte
// has the effect of appending one zero byte to the state 1 << b; each byte in between appends one
// more.
struct BitPlace {
  size_t bytes_behind;  // between the bit's byte and the end
  uint32_t bit;
};
std::optional<BitPlace> FindBit(uint32_t difference, size_t covered) {
  constexpr std::array<uint8_t, 1> kZero = {0};
  constexpr uint32_t kAllOnes = 0xFFFFFFFF;
  // The state is inverted before and after by Crc32c, and one zero byte contributes itself.
  const auto append_zero = [&](uint32_t state) {
    return Crc32c(kZero, state ^ kAllOnes) ^ kAllOnes;
  };
  std::array<uint32_t, 8> effects;
  for (uint32_t bit = 0; bit < effects.size(); ++bit) {
    effects[bit] = append_zero(uint32_t{1} << bit);
  }
  for (size_t behind = 0; behind < covered; ++behind) {
    for (uint32_t bit = 0; bit < effects.size(); ++bit) {
      if (effects[bit] == difference) return BitPlace{behind, bit};
      effects[bit] = append_zero(effects[bit]);
    }
  }
  return std::nullopt;
}

}  // namespace

PageState CheckPageTrailer(ByteSpan page, uint32_t number) {
  const Trailer trailer = ReadTrailer(page);
  if (IsBlank(trailer)) return PageState::kUnsealed;
  const bool intact = trailer.number == number && trailer.crc == ForwardCrc(page);
  return intact ? PageState::kIntact : PageState::kDamaged;
}

bool WritePageTrailer(std::span<uint8_t> page, uint32_t number, bool accept_unsealed) {
  const Trailer old = ReadTrailer(page);
  const bool known = IsBlank(old) || (old.number == number && old.accept <= kAcceptUnsealed);
  if (!known) return false;
  uint8_t* const trailer = page.data() + page.size() - kPageTrailerBytes;
  StoreLittle(trailer + kNumberAt, number);
  StoreLittle(trailer + kReverseAt, ReverseCrc(page));
  StoreLittle(trailer + kAcceptAt, accept_unsealed ? kAcceptUnsealed : 0);
  StoreLittle(trailer, ForwardCrc(page));
  return true;
}

bool AcceptsUnsealed(ByteSpan first_trailer) {
  const Trailer trailer = ReadTrailer(first_trailer);
  return IsBlank(trailer) || trailer.accept == kAcceptUnsealed;
}

void ClearPageTrailer(std::span<uint8_t> page) {
  std::ranges::fill(page.last(kPageTrailerBytes), uint8_t{0});
}

void SpoilPageTrailer(std::span<uint8_t> page) {
  for (uint8_t& byte : page.last(kPageTrailerBytes).first(kNumberAt)) byte = ~byte;
}

bool CorrectSingleBit(std::span<uint8_t> page, uint32_t number) {
  const Trailer trailer = ReadTrailer(page);
  const uint32_t crc = ForwardCrc(page);
  const size_t usable = page.size() - kPageTrailerBytes;
  const auto is_right = [&] {
    return CheckPageTrailer(page, number) == PageState::kIntact &&
           ReadTrailer(page).reverse_crc == ReverseCrc(page);
  };
  if (std::has_single_bit(trailer.crc ^ crc)) {  // the bit may be in the checksum itself
    StoreLittle(page.data() + usable, crc);
    if (is_right()) return true;
    StoreLittle(page.data() + usable, trailer.crc);
  }
  const size_t covered = page.size() - kNumberAt;
  const std::optional<BitPlace> place = FindBit(trailer.crc ^ crc, covered);
  if (!place) return false;
  // The checksum itself, 4 bytes, is not covered.
  size_t byte = covered - 1 - place->bytes_behind;
  if (byte >= usable) byte += kNumberAt;
  const auto mask = static_cast<uint8_t>(1 << place->bit);
  page[byte] ^= mask;
  if (is_right()) return true;
  page[byte] ^= mask;
  return false;
}

}  // namespace recall
