#pragma once

// The arithmetic of scans. Each kernel is compiled for every SIMD target of the build machine's
// architecture; the best one that the CPU has is selected on the first call (Highway's dynamic
// dispatch). Every target gives the same bits: integer sums are exact; float sums multiply and add
// separately, in an order that the kernel states. Kernels do not allocate or fail, and are
// thread-safe. Pointers need no alignment unless stated; 64-byte aligned data is fastest.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace recall {

// Sum of a[i] * b[i]. Any n. Floats: 16 fixed lanes and one fixed reduction tree.
float DotF32(const float* a, const float* b, size_t n);
int32_t DotI8(const int8_t* a, const int8_t* b, size_t n);  // Requires: n <= 65536
// products[i * count + j] = DotI8(rows[i], rows[j], n) for i, j < count. Uses 20 KB of stack.
void DotI8Pairs(const int8_t* const* rows, size_t n, size_t count, int32_t* products);
// Selects the k greatest of the cosines products[i] * (scale * scales[i]), i < n, that are above 0,
// and those that tie with the k-th. Writes the places i, ascending, and their cosines, and returns
// their number. Both arrays need room for n. Requires: k in 1 .. 16.
size_t SelectNearCosines(const int32_t* products, const float* scales, float scale, size_t n,
                         size_t k, uint32_t* places, float* cosines);
// Requires: |q[i]| * 127 * n < 2^31.
int32_t DotI16I8(const int16_t* q, const int8_t* v, size_t n);
// scores[r] = DotI16I8(q, rows + r * stride, n) for r < count: the flat scan.
void DotI16I8Rows(const int16_t* q, const int8_t* rows, size_t stride, size_t n, size_t count,
                  int32_t* scores);
// scores[r] = DotI16I8(q, rows[r], n) for r < count: scattered rows, which are prefetched.
void DotI16I8Gather(const int16_t* q, const int8_t* const* rows, size_t n, size_t count,
                    int32_t* scores);
// y[i] += a * x[i] for i < n.
void AddScaledF32(float* y, float a, const float* x, size_t n);
// The same for 2 * half values of 4 bits, -8 .. 7, in two's complement: x[i] holds value i in its
// low half and value half + i in its high half.
void AddScaledI4(float* y, float a, const uint8_t* x, size_t half);
// The same for n values at any address, little-endian: halves (IEEE 754 binary16), bfloats (the
// upper half of a float), and bytes in two's complement.
void AddScaledF16(float* y, float a, const uint8_t* x, size_t n);
void AddScaledBf16(float* y, float a, const uint8_t* x, size_t n);
void AddScaledI8(float* y, float a, const uint8_t* x, size_t n);
// out[j] = sum of values[t] * x[rows[t] * stride + j] for t = 0, 1, .. count - 1, from zero, in
// this order; j < n: a row of a sparse matrix times a dense one.
void SumScaledRowsF32(const float* values, const uint32_t* rows, size_t count, const float* x,
                      size_t stride, size_t n, float* out);
// The dense product c = a b: c[r * c_stride + j] = sum of a[r * a_row + t * a_inner] * b[t *
// b_stride + j] for t = 0, 1, .. inner - 1, from zero, in this order; r < rows, j < columns. With
// a_row = 1 and a_inner = b_stride it is a transposed panel times a panel. For panels that fit the
// caches: up to a few hundred in each dimension. c must not overlap a or b.
void MultiplyF32(const float* a, size_t a_row, size_t a_inner, const float* b, size_t b_stride,
                 size_t rows, size_t inner, size_t columns, float* c, size_t c_stride);

// Number of set bits.
uint64_t CountBits(const uint8_t* bytes, size_t count);

// Which of 64 sums are at least `least`, as bits. Sum i is that of values[k] over the k < count for
// which bit i of rows[k] is set, in the order of k.
uint64_t SumsAtLeast(const uint64_t* rows, const float* values, size_t count, float least);

// Offset of the first occurrence of `wanted` in `bytes`, or SIZE_MAX. Requires: `wanted` is not
// empty.
size_t FindBytes(std::span<const uint8_t> bytes, std::span<const uint8_t> wanted);

// Scans sign codes, 32 vectors at a time ("Quick ADC", Andre et al. 2017, on 1-bit codes). A block
// contains 32 sign codes of `bytes` bytes each, transposed: byte b of vector v is at block[b * 32 +
// v]. `lookup` has two tables of 16 entries per byte of a code, that of the low nibble first.
// scores[v] = sum over b of low[b][code & 15] + high[b][code >> 4]. Requires: lookup entries <= 31,
// bytes in 1 .. 1024 (so that a score fits 16 bits).
inline constexpr size_t kSignCodeBlock = 32;
void ScoreSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                         const uint8_t* lookup, uint16_t* scores);
// The same plus 1, and 0 for vectors that are not wanted: bit v of wanted[i] stands for vector v of
// block i; null wants all.
void RankSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                        const uint8_t* lookup, const uint32_t* wanted, uint16_t* ranks);
// A block with hits: bit v of `hits` stands for its vector v.
struct SignCodeHits {
  uint32_t block;
  uint32_t hits;
};
// Scores, too, but only blocks with a hit are kept: a vector that is wanted and whose score exceeds
// `threshold`. Writes the kept blocks to kept[] and their 32 scores each to scores[], and returns
// their number. Both must have room for block_count blocks.
size_t ScanSignCodeBlocks(const uint8_t* blocks, size_t block_count, size_t bytes,
                          const uint8_t* lookup, uint16_t threshold, const uint32_t* wanted,
                          SignCodeHits* kept, uint16_t* scores);

// Selects from `blocks` times 32 scores. maxima[32 * g + v] is the greatest score of vector v of 32
// consecutive blocks, group g of them; the last group may be shorter.
inline constexpr size_t kMaximumBlocks = 32;
void MaximaOfScores(const uint16_t* scores, size_t blocks, uint16_t* maxima);
// Writes the places of the scores that are `least` or more, ascending, and returns their number.
// places[] must have room for all.
size_t PlacesOfScores(const uint16_t* scores, size_t blocks, uint16_t least, uint32_t* places);

// Bit i of bits[] is set if values[i] > 0. Requires: n a multiple of 8.
void PositiveBits(const int8_t* values, size_t n, uint8_t* bits);

// In-place Walsh-Hadamard transform of n floats, unnormalised. Requires: n a power of two.
void HadamardTransform(float* values, size_t n);

// Names of the targets that this CPU supports, the selected one first, the others best first.
std::vector<std::string> SupportedSimdTargets();
// Selects the named target (for tests, and RECALL_SIMD=AVX2 for users); "" restores the best. False
// if this CPU or build does not have it. Not thread-safe.
bool ForceSimdTarget(const std::string& name);

}  // namespace recall
