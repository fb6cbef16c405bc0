#include "index/search/ngram/ngram_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "index/base/math/natural_log.h"
#include "index/search/ngram/ngram_format.h"
#include "storage/base/bytes.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

// Approximate document frequencies of character n-grams, in at most 64 KiB.
//
// Problem: a store has millions of different n-grams; an exact table would be larger than the idf
// of a reranking feature is worth.
//
// Idea: two approximations, each of which moves an idf only a little.
//
//   buckets    a power of two, 2^10 .. 2^16, at least 64 for each sampled chunk below the maximum;
//              an n-gram uses the bucket of its low hash bits, so rare n-grams share a frequency
//   logarithm  code 0: no chunk; code c: 2^((c - 1) / 8) chunks; one byte covers all counts, with a
//              relative error below 4.5 %
//
// Counting: last_ stores the chunk that a bucket was counted for last, so several n-grams of a
// chunk in one bucket count once.
//
// Invariants: EncodeCount compares with literals for 2^((i + .5) / 8), because the last bit of
// pow() differs between systems; the same sample gives the same bytes everywhere. Decode checks
// size and CRC-32C before use. The document frequency is at most N, so an idf is never negative.
//
// Cost: one byte and one increment for each n-gram occurrence; Idf is one look-up and one
// logarithm. Format: docs/format/model.md, part `grams`.

using NgramHeader = ngram_format::Header;

constexpr uint32_t kMinBits = 10;
constexpr uint32_t kMaxBits = 16;
constexpr uint32_t kBucketsPerChunk = 64;

// 2^(i/8) and 2^((i+.5)/8) as literals, because the last bit of libm's results differs between
// systems.
constexpr double kEighths[8] = {1.0,
                                1.0905077326652577,
                                1.189207115002721,
                                1.2968395546510096,
                                1.4142135623730951,
                                1.5422108254079407,
                                1.681792830507429,
                                1.8340080864093424};
constexpr double kSixteenths[8] = {1.0442737824274138, 1.1387886347566916, 1.2418578120734840,
                                   1.3542555469368927, 1.4768261459394993, 1.6104903319492543,
                                   1.7562521603732995, 1.9152065613971474};

uint8_t EncodeCount(uint32_t count) {
  if (count == 0) return 0;
  const int power = std::bit_width(count) - 1;
  const double rest = std::ldexp(static_cast<double>(count), -power);
  const auto* const above = std::upper_bound(kSixteenths, kSixteenths + 8, rest);
  return static_cast<uint8_t>(1 + 8 * power + (above - kSixteenths));
}

double DecodeCount(uint8_t code) {
  return code == 0 ? 0 : std::ldexp(kEighths[(code - 1) % 8], (code - 1) / 8);
}

uint32_t BucketBits(uint32_t chunks) {
  const uint64_t wanted = std::bit_ceil(uint64_t{chunks} * kBucketsPerChunk);
  return std::clamp(static_cast<uint32_t>(std::bit_width(wanted) - 1), kMinBits, kMaxBits);
}

size_t BucketOf(uint32_t ngram, size_t buckets) { return ngram & (buckets - 1); }

Status DamagedNgrams(const char* what) {
  return Status::Corruption(std::string("the statistics of character n-grams are damaged: ") + what,
                            "run `recall doctor --fix`");
}

}  // namespace

Result<NgramStatistics> NgramStatistics::Decode(ByteSpan bytes) {
  ByteReader reader(bytes);
  const ByteSpan magic = reader.ReadBytes(sizeof(ngram_format::kMagic));
  if (!reader.ok() ||
      std::memcmp(magic.data(), ngram_format::kMagic, sizeof(ngram_format::kMagic)) != 0) {
    return Fail(DamagedNgrams("they do not start with the expected bytes"));
  }
  const auto version = reader.Read<uint16_t>();
  const auto bits = reader.Read<uint16_t>();
  NgramStatistics statistics;
  statistics.chunks_ = reader.Read<uint32_t>();
  statistics.ngrams_ = reader.Read<uint64_t>();
  const auto checksum = reader.Read<uint32_t>();
  if (!reader.ok()) return Fail(DamagedNgrams("they are truncated"));
  if (version != ngram_format::kVersion) {
    return Fail(Status::Unsupported(
        "the statistics of character n-grams have version " + std::to_string(version),
        "use a newer version of recall"));
  }
  if (bits < kMinBits || bits > kMaxBits || reader.remaining() != size_t{1} << bits) {
    return Fail(DamagedNgrams("their size is wrong"));
  }
  const ByteSpan buckets = bytes.subspan(sizeof(NgramHeader));
  if (Crc32c(buckets, Crc32c(bytes.first(offsetof(NgramHeader, checksum)))) != checksum) {
    return Fail(DamagedNgrams("their checksum does not match"));
  }
  if (statistics.chunks_ == 0) return Fail(DamagedNgrams("their number of chunks is 0"));
  statistics.buckets_.assign(buckets.begin(), buckets.end());
  statistics.average_length_ = std::max(
      static_cast<double>(statistics.ngrams_) / static_cast<double>(statistics.chunks_), 1.0);
  return statistics;
}

std::string NgramStatistics::Encode() const {
  std::string bytes(sizeof(NgramHeader) + buckets_.size(), '\0');
  auto* const at = reinterpret_cast<uint8_t*>(bytes.data());
  std::memcpy(at, ngram_format::kMagic, sizeof(ngram_format::kMagic));
  StoreLittle<uint16_t>(at + offsetof(NgramHeader, version), ngram_format::kVersion);
  StoreLittle<uint16_t>(at + offsetof(NgramHeader, bits),
                        static_cast<uint16_t>(std::bit_width(buckets_.size()) - 1));
  StoreLittle<uint32_t>(at + offsetof(NgramHeader, chunks), chunks_);
  StoreLittle<uint64_t>(at + offsetof(NgramHeader, ngrams), ngrams_);
  std::ranges::copy(buckets_, at + sizeof(NgramHeader));
  StoreLittle<uint32_t>(at + offsetof(NgramHeader, checksum),
                        Crc32c(buckets_, Crc32c({at, offsetof(NgramHeader, checksum)})));
  return bytes;
}

double NgramStatistics::Idf(uint32_t ngram) const {
  const auto chunks = static_cast<double>(chunks_);
  const double with = std::min(DecodeCount(buckets_[BucketOf(ngram, buckets_.size())]), chunks);
  return NaturalLog(1 + (chunks - with + 0.5) / (with + 0.5));
}

NgramCounter::NgramCounter(uint32_t chunks)
    : counts_(size_t{1} << BucketBits(chunks)), last_(counts_.size()) {}

void NgramCounter::Add(std::span<const uint32_t> ngrams) {
  ++chunks_;
  ngrams_ += ngrams.size();
  for (const uint32_t ngram : ngrams) {
    const size_t bucket = BucketOf(ngram, counts_.size());
    if (std::exchange(last_[bucket], chunks_) != chunks_) ++counts_[bucket];
  }
}

NgramStatistics NgramCounter::Finish() const {
  NgramStatistics statistics;
  statistics.chunks_ = std::max(chunks_, 1u);
  statistics.ngrams_ = ngrams_;
  statistics.average_length_ =
      std::max(static_cast<double>(ngrams_) / static_cast<double>(statistics.chunks_), 1.0);
  for (const uint32_t count : counts_) statistics.buckets_.push_back(EncodeCount(count));
  return statistics;
}

}  // namespace recall
