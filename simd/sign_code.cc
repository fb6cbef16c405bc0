#include "simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/sign_code.cc"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace recall {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Scores sign codes (1-bit quantised vectors) against a query that keeps its precision. The query
// is a look-up table: for each group of four dimensions, the 16 possible sums of signs times query
// components, quantised to 0 .. 31. A code byte is two groups, so two look-ups:
//
//   score(v) = sum over bytes b of  low[b][code[b] & 15] + high[b][code[b] >> 4]
//
// A table of 16 bytes fits a SIMD register, and a byte shuffle looks up 16 or 32 lanes at once.
// Codes are stored transposed in blocks of 32 vectors, so that one load gets byte b of 32 vectors:
//
//   block   byte 0 of v0 v1 .. v31 | byte 1 of v0 .. v31 | ... | byte n-1 of v0 .. v31
//
//   for each byte b:  load 32 codes -> low and high nibbles -> 2 shuffles -> add
//
// Invariants: entries are at most 31, so four bytes (8 look-ups) sum to at most 248 and are added
// in 8-bit lanes; then they are widened to 16 bits, which suffice for 1024 bytes (2 * 1024 * 31 <
// 65536). Sums are integers, so all targets give the same bits.
//
// The scan compares the 32 sums of a block with a threshold and keeps only blocks with a hit. The
// scores of all other blocks are overwritten by those of the next one.
//
// Cost: two shuffles and about four other instructions per code byte of 16 or 32 vectors. Source:
// "Quick ADC" (Andre, Kermarrec, Le Scouarnec, 2017), "FAISS fast-scan", on 1-bit codes.

#if HWY_TARGET == HWY_SCALAR

// One-lane vectors have no byte shuffle for look-ups.
HWY_INLINE uint32_t ScoreBlock(const uint8_t* block, size_t bytes, const uint8_t* lookup,
                               uint16_t threshold, uint16_t* scores) {
  uint32_t above = 0;
  for (size_t v = 0; v < kSignCodeBlock; ++v) {
    uint16_t score = 0;
    for (size_t b = 0; b < bytes; ++b) {
      const uint8_t code = block[b * kSignCodeBlock + v];
      const uint8_t* tables = lookup + b * 32;
      score = static_cast<uint16_t>(score + tables[code & 15] + tables[16 + (code >> 4)]);
    }
    scores[v] = score;
    above |= uint32_t{score > threshold} << v;
  }
  return above;
}

#else

// A register contains one code byte of 32 vectors, or of 16 if registers are shorter.
using D8 = hn::CappedTag<uint8_t, kSignCodeBlock>;
using D16 = hn::RepartitionToWide<D8>;

// The sum of the two look-ups of one code byte: at most 62.
HWY_INLINE hn::Vec<D8> LookUp(const uint8_t* codes, const uint8_t* tables) {
  const D8 d;
  const auto code = hn::LoadU(d, codes);
  const auto low = hn::And(code, hn::Set(d, 15));
  const auto high = hn::ShiftRight<4>(code);
  return hn::Add(hn::TableLookupBytes(hn::LoadDup128(d, tables), low),
                 hn::TableLookupBytes(hn::LoadDup128(d, tables + 16), high));
}

// One bit for each lane that is not zero: lanes of `even` at even positions, of `odd` at odd ones.
HWY_INLINE uint32_t AboveBits(hn::Vec<D16> even, hn::Vec<D16> odd) {
  const D8 d8;
  const D16 d16;
  const auto zero = hn::Zero(d16);
  const auto low_bytes = hn::Set(d16, 0xFF);
  const auto low = hn::And(hn::VecFromMask(d16, hn::Ne(even, zero)), low_bytes);
  const auto high = hn::AndNot(low_bytes, hn::VecFromMask(d16, hn::Ne(odd, zero)));
  const auto bytes = hn::BitCast(d8, hn::Or(low, high));
  uint8_t bits[8] = {};
  hn::StoreMaskBits(d8, hn::Ne(bytes, hn::Zero(d8)), bits);
  return uint32_t{bits[0]} | uint32_t{bits[1]} << 8 | uint32_t{bits[2]} << 16 |
         uint32_t{bits[3]} << 24;
}

// Computes the scores of the 32 vectors of a block. Returns a mask: bit v is set if the score of
// vector v exceeds the threshold. Four code bytes give at most 248, so they are added in 8 bits
// before they are widened to 16: even vectors are the low bytes of 16-bit lanes, odd ones the high
// bytes.
HWY_INLINE uint32_t ScoreBlock(const uint8_t* block, size_t bytes, const uint8_t* lookup,
                               uint16_t threshold, uint16_t* scores) {
  const D8 d8;
  const D16 d16;
  const auto limit = hn::Set(d16, threshold);
  uint32_t above = 0;
  for (size_t v = 0; v < kSignCodeBlock; v += hn::Lanes(d8)) {
    auto even = hn::Zero(d16);
    auto odd = hn::Zero(d16);
    const auto widen = [&](hn::Vec<D8> sum) HWY_ATTR {
      const auto lanes = hn::BitCast(d16, sum);
      even = hn::Add(even, hn::And(lanes, hn::Set(d16, 0xFF)));
      odd = hn::Add(odd, hn::ShiftRight<8>(lanes));
    };
    const uint8_t* codes = block + v;
    const uint8_t* tables = lookup;
    size_t left = bytes;
    for (; left >= 4; left -= 4, codes += 4 * kSignCodeBlock, tables += 4 * 32) {
      const auto sum01 = hn::Add(LookUp(codes, tables), LookUp(codes + 32, tables + 32));
      const auto sum23 = hn::Add(LookUp(codes + 64, tables + 64), LookUp(codes + 96, tables + 96));
      widen(hn::Add(sum01, sum23));
    }
    for (; left > 0; --left, codes += kSignCodeBlock, tables += 32) widen(LookUp(codes, tables));
    hn::StoreInterleaved2(even, odd, d16, scores + v);
    const auto even_excess = hn::SaturatedSub(even, limit);
    const auto odd_excess = hn::SaturatedSub(odd, limit);
    above |= AboveBits(even_excess, odd_excess) << v;
  }
  return above;
}

#endif  // HWY_TARGET == HWY_SCALAR

void ScoreSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                         const uint8_t* lookup, uint16_t* scores) {
  for (size_t i = 0; i < block_count; ++i) {
    ScoreBlock(blocks + i * bytes * kSignCodeBlock, bytes, lookup, 65535,
               scores + i * kSignCodeBlock);
  }
}

// Scores are always written to the next free place; only a kept block advances it.
size_t ScanSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                          const uint8_t* lookup, uint16_t threshold, const uint32_t* wanted,
                          SignCodeHits* kept, uint16_t* scores) {
  size_t kept_count = 0;
  for (size_t i = 0; i < block_count; ++i) {
    uint32_t hits = ScoreBlock(blocks + i * bytes * kSignCodeBlock, bytes, lookup, threshold,
                               scores + kept_count * kSignCodeBlock);
    if (wanted != nullptr) hits &= wanted[i];
    if (hits != 0) kept[kept_count++] = {static_cast<uint32_t>(i), hits};
  }
  return kept_count;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(ScoreSignCodeBlocks);
HWY_EXPORT(ScanSignCodeBlocks);

void ScoreSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                         const uint8_t* lookup, uint16_t* scores) {
  HWY_DYNAMIC_DISPATCH(ScoreSignCodeBlocks)(blocks, block_count, bytes, lookup, scores);
}

size_t ScanSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                          const uint8_t* lookup, uint16_t threshold, const uint32_t* wanted,
                          SignCodeHits* kept, uint16_t* scores) {
  return HWY_DYNAMIC_DISPATCH(ScanSignCodeBlocks)(blocks, block_count, bytes, lookup, threshold,
                                                  wanted, kept, scores);
}

}  // namespace recall
#endif  // HWY_ONCE
