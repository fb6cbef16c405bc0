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
// A scan with a threshold compares the 32 sums of a block with it and keeps only blocks with a hit.
// The scores of all other blocks are overwritten by those of the next one. A scan without keeps all
// scores.
//
// Cost: two shuffles and about four other instructions per code byte of 16 or 32 vectors. Source:
// "Quick ADC" (Andre, Kermarrec, Le Scouarnec, 2017), "FAISS fast-scan", on 1-bit codes.

#if HWY_TARGET == HWY_SCALAR

// One-lane vectors have no byte shuffle for look-ups.
HWY_INLINE uint32_t ScoreBlock(const uint8_t* block, size_t bytes, const uint8_t* lookup,
                               uint16_t start, uint16_t threshold, uint16_t* scores) {
  uint32_t above = 0;
  for (size_t v = 0; v < kSignCodeBlock; ++v) {
    uint16_t score = start;
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

// A register contains one code byte of 32 vectors, or of 16 if registers are shorter. Registers of
// 64 bytes contain two code bytes (AddTwoBlocks).
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

// The scores of some vectors of a block: even ones are the low bytes of 16-bit lanes, odd ones the
// high bytes.
struct Sums {
  hn::Vec<D16> even;
  hn::Vec<D16> odd;
};

HWY_INLINE Sums StartAt(uint16_t score) { return {hn::Set(D16(), score), hn::Set(D16(), score)}; }

template <class D>
HWY_INLINE void AddBytes(D d16, hn::Vec<hn::Repartition<uint8_t, D>> sum, hn::Vec<D>& even,
                         hn::Vec<D>& odd) {
  const auto lanes = hn::BitCast(d16, sum);
  even = hn::Add(even, hn::And(lanes, hn::Set(d16, 0xFF)));
  odd = hn::Add(odd, hn::ShiftRight<8>(lanes));
}

// Adds the look-ups of `bytes` code bytes. Four give at most 248, so they are added in 8 bits
// before they are widened to 16.
HWY_INLINE void AddCodes(const uint8_t* codes, size_t bytes, const uint8_t* tables, Sums& sums) {
  const D16 d16;
  size_t left = bytes;
  for (; left >= 4; left -= 4, codes += 4 * kSignCodeBlock, tables += 4 * 32) {
    const auto sum01 = hn::Add(LookUp(codes, tables), LookUp(codes + 32, tables + 32));
    const auto sum23 = hn::Add(LookUp(codes + 64, tables + 64), LookUp(codes + 96, tables + 96));
    AddBytes(d16, hn::Add(sum01, sum23), sums.even, sums.odd);
  }
  for (; left > 0; --left, codes += kSignCodeBlock, tables += 32) {
    AddBytes(d16, LookUp(codes, tables), sums.even, sums.odd);
  }
}

// Writes the scores. Returns a mask: bit v is set if the score of vector v exceeds the threshold.
HWY_INLINE uint32_t StoreScores(const Sums& sums, uint16_t threshold, uint16_t* scores) {
  const D16 d16;
  const auto limit = hn::Set(d16, threshold);
  hn::StoreInterleaved2(sums.even, sums.odd, d16, scores);
  return AboveBits(hn::SaturatedSub(sums.even, limit), hn::SaturatedSub(sums.odd, limit));
}

// The same for the 32 vectors of a block. `start`: what is added to each score.
HWY_INLINE uint32_t ScoreBlock(const uint8_t* block, size_t bytes, const uint8_t* lookup,
                               uint16_t start, uint16_t threshold, uint16_t* scores) {
  uint32_t above = 0;
  for (size_t v = 0; v < kSignCodeBlock; v += hn::Lanes(D8())) {
    Sums sums = StartAt(start);
    AddCodes(block + v, bytes, lookup, sums);
    above |= StoreScores(sums, threshold, scores + v) << v;
  }
  return above;
}

#if HWY_CAP_GE512

// A register of 64 lanes contains two code bytes of 32 vectors, and their tables are side by side.
// Two blocks at a time share the loads of the tables. Adds the look-ups of `bytes` code bytes to
// the sums of both.
HWY_INLINE void AddTwoBlocks(const uint8_t* blocks, size_t bytes, const uint8_t* tables,
                             Sums (&sums)[2]) {
  const hn::CappedTag<uint8_t, 2 * kSignCodeBlock> d8;
  const hn::RepartitionToWide<decltype(d8)> d16;
  constexpr size_t kBytes = 8;  // before widening: in each lane every other one
  const size_t whole = bytes / kBytes * kBytes;
  const size_t block_bytes = bytes * kSignCodeBlock;
  hn::Vec<decltype(d16)> even[2] = {hn::Zero(d16), hn::Zero(d16)};
  hn::Vec<decltype(d16)> odd[2] = {hn::Zero(d16), hn::Zero(d16)};
  for (size_t byte = 0; byte < whole; byte += kBytes) {
    hn::Vec<decltype(d8)> sum[2] = {hn::Zero(d8), hn::Zero(d8)};
    for (size_t b = byte; b < byte + kBytes; b += 2) {
      const uint8_t* both = tables + b * 32;
      const auto low_table =
          hn::ConcatUpperLower(d8, hn::LoadDup128(d8, both + 32), hn::LoadDup128(d8, both));
      const auto high_table =
          hn::ConcatUpperLower(d8, hn::LoadDup128(d8, both + 48), hn::LoadDup128(d8, both + 16));
      for (size_t i = 0; i < 2; ++i) {
        const auto code = hn::LoadU(d8, blocks + i * block_bytes + b * kSignCodeBlock);
        const auto low = hn::TableLookupBytes(low_table, hn::And(code, hn::Set(d8, 15)));
        const auto high = hn::TableLookupBytes(high_table, hn::ShiftRight<4>(code));
        sum[i] = hn::Add(sum[i], hn::Add(low, high));
      }
    }
    for (size_t i = 0; i < 2; ++i) AddBytes(d16, sum[i], even[i], odd[i]);
  }
  for (size_t i = 0; i < 2; ++i) {
    const D16 half;
    const auto fold = [&](hn::Vec<decltype(d16)> sum) HWY_ATTR {
      return hn::Add(hn::LowerHalf(half, sum), hn::UpperHalf(half, sum));
    };
    sums[i].even = hn::Add(sums[i].even, fold(even[i]));
    sums[i].odd = hn::Add(sums[i].odd, fold(odd[i]));
    AddCodes(blocks + i * block_bytes + whole * kSignCodeBlock, bytes - whole, tables + whole * 32,
             sums[i]);
  }
}

#endif  // HWY_CAP_GE512

#endif  // HWY_TARGET == HWY_SCALAR

// Scores blocks one after the other, and calls place() for where to write the 32 scores of each,
// and then done(block, mask of those above the threshold).
template <typename Place, typename Done>
HWY_INLINE void ScoreBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                            const uint8_t* lookup, uint16_t start, uint16_t threshold, Place place,
                            Done done) {
  const size_t block_bytes = bytes * kSignCodeBlock;
  size_t i = 0;
#if HWY_CAP_GE512
  for (; i + 2 <= block_count; i += 2) {
    Sums sums[2] = {StartAt(start), StartAt(start)};
    AddTwoBlocks(blocks + i * block_bytes, bytes, lookup, sums);
    done(i, StoreScores(sums[0], threshold, place()));
    done(i + 1, StoreScores(sums[1], threshold, place()));
  }
#endif
  for (; i < block_count; ++i) {
    done(i, ScoreBlock(blocks + i * block_bytes, bytes, lookup, start, threshold, place()));
  }
}

void ScoreSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                         const uint8_t* lookup, uint16_t* scores) {
  ScoreBlocks(
      blocks, block_count, bytes, lookup, 0, 65535, [&] HWY_ATTR { return scores; },
      [&](size_t, uint32_t) HWY_ATTR { scores += kSignCodeBlock; });
}

void RankSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                        const uint8_t* lookup, const uint32_t* wanted, uint16_t* ranks) {
  ScoreBlocks(
      blocks, block_count, bytes, lookup, 1, 65535, [&] HWY_ATTR { return ranks; },
      [&](size_t i, uint32_t) HWY_ATTR {
        if (wanted != nullptr && wanted[i] != ~uint32_t{0}) {
          for (size_t v = 0; v < kSignCodeBlock; ++v) {
            ranks[v] = static_cast<uint16_t>(ranks[v] * (wanted[i] >> v & 1));
          }
        }
        ranks += kSignCodeBlock;
      });
}

// Scores are always written to the next free place; only a kept block advances it.
size_t ScanSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                          const uint8_t* lookup, uint16_t threshold, const uint32_t* wanted,
                          SignCodeHits* kept, uint16_t* scores) {
  size_t kept_count = 0;
  ScoreBlocks(
      blocks, block_count, bytes, lookup, 0, threshold,
      [&] HWY_ATTR { return scores + kept_count * kSignCodeBlock; },
      [&](size_t i, uint32_t hits) HWY_ATTR {
        if (wanted != nullptr) hits &= wanted[i];
        if (hits != 0) kept[kept_count++] = {static_cast<uint32_t>(i), hits};
      });
  return kept_count;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace recall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace recall {

HWY_EXPORT(ScoreSignCodeBlocks);
HWY_EXPORT(RankSignCodeBlocks);
HWY_EXPORT(ScanSignCodeBlocks);

void ScoreSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                         const uint8_t* lookup, uint16_t* scores) {
  HWY_DYNAMIC_DISPATCH(ScoreSignCodeBlocks)(blocks, block_count, bytes, lookup, scores);
}

void RankSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                        const uint8_t* lookup, const uint32_t* wanted, uint16_t* ranks) {
  HWY_DYNAMIC_DISPATCH(RankSignCodeBlocks)(blocks, block_count, bytes, lookup, wanted, ranks);
}

size_t ScanSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                          const uint8_t* lookup, uint16_t threshold, const uint32_t* wanted,
                          SignCodeHits* kept, uint16_t* scores) {
  return HWY_DYNAMIC_DISPATCH(ScanSignCodeBlocks)(blocks, block_count, bytes, lookup, threshold,
                                                  wanted, kept, scores);
}

}  // namespace recall
#endif  // HWY_ONCE
