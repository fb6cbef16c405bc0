#include "index/embed/vector_space/coarse_quantizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "index/embed/vector_space/coarse_format.h"
#include "simd/kernels.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

// The coarse quantiser of an inverted file (IVF): centroids that divide a vector space into lists.
//
//   part `cells`:  header | u32 count, f32 mean cosine of each list | int8 x dim of each centroid
//
//   insertion   ListOf(vector)         1 list, by integer dot products
//   search      Rank(query)            all lists, most promising first
//               NearestLists(ranked)   a prefix that contains a wanted share of the vectors
//
// Rank: the lists of real texts differ in density. The mean cosine r of a vector with its centroid
// is .99 in some and .7 in others, so a dense list whose centroid has a cosine s with the query has
// vectors of about that cosine only, while a loose list has vectors far nearer than its centroid.
// A vector of the list is r times the centroid plus sqrt(1 - r^2) times a direction across, and so
// is the query with s. Its cosine with the query is thus
//
//   s r + sqrt(1 - s^2) sqrt(1 - r^2) a     a: the cosine of both directions across, -1 .. 1
//
// With a = kReach this is the reach of the list, by which lists are ordered. a is rarely larger;
// with a = 1 the reach would be a bound that no vector exceeds, but nearly all lists would reach
// every query.
//
// nprobe, the number of probed lists, is adaptive: lists differ in size, so a fixed number would
// make both cost and recall uneven. NearestLists adds up the counts of the training sample instead,
// which makes the share of scanned vectors nearly constant.
//
// ListOf has two steps: dot products over the first quarter of the components for all lists; then
// full dot products for the lists within a margin of the best. The margin is kCosineMargin of a
// cosine, scaled to the number of components of the first step.
//
// Invariants: Rank computes reaches from integer dot products by one fixed order of IEEE
// operations, and ties go to the first list, so every CPU gives the same order. ListOf may return a
// list that is not the nearest one (see below); training and all later insertions use the same
// function, so the result is consistent.
//
// Cost: Rank and the first step of ListOf read lists x dim (/ 4) bytes: 256 KiB for 1024 lists of
// 256 dimensions. The limit of 4096 lists allows fixed arrays on the stack. Source: Jegou, Douze
// and Schmid, 2011. Measurements: docs/decisions/0023.

using CoarseHeader = coarse_format::Header;

constexpr uint32_t kFewestFirst = 64;  // components compared in the first step, at least
constexpr double kCosineMargin = 0.3;  // by which a centroid may be behind after the first step

// The share of the largest possible reach that is assumed. Measured: docs/decisions/0034.
constexpr float kReach = 0.5f;
constexpr float kNoReach = 2;  // above every reach

// Lists are compared with the threshold of the first step in blocks, because most blocks have none
// above it. The maximum of a block is computed without branches.
constexpr uint32_t kListBlock = 16;
static_assert(CoarseQuantizer::kMostLists % kListBlock == 0);

int32_t MaximumOfBlock(const int32_t* likeness) {
  int32_t most = likeness[0];
  for (uint32_t i = 1; i < kListBlock; ++i) most = std::max(most, likeness[i]);
  return most;
}

// Fills the last block with the smallest number. Returns the number of blocks.
uint32_t PadToBlocks(uint32_t lists, int32_t* likeness) {
  const uint32_t blocks = (lists + kListBlock - 1) / kListBlock;
  std::fill(likeness + lists, likeness + size_t{blocks} * kListBlock,
            std::numeric_limits<int32_t>::min());
  return blocks;
}

Status DamagedLists(const char* what) {
  return Status::Corruption(std::string("the IVF lists of the vector space are damaged: ") + what,
                            "run `recall doctor --fix`");
}

std::string Encode(uint32_t dim, const std::vector<int8_t>& centroids,
                   const std::vector<uint32_t>& counts, const std::vector<float>& cosines) {
  std::string bytes(sizeof(CoarseHeader) + counts.size() * sizeof(uint32_t) +
                        cosines.size() * sizeof(float) + centroids.size(),
                    '\0');
  auto* const begin = reinterpret_cast<uint8_t*>(bytes.data());
  uint8_t* to = begin + sizeof(CoarseHeader);
  for (const uint32_t count : counts) {
    StoreLittle(to, count);
    to += sizeof(count);
  }
  for (const float cosine : cosines) {
    StoreLittle(to, cosine);
    to += sizeof(cosine);
  }
  std::memcpy(to, centroids.data(), centroids.size());
  CoarseHeader header{};
  std::ranges::copy(coarse_format::kMagic, header.magic);
  header.version = cosines.empty() ? coarse_format::kWithoutCosines : coarse_format::kWithCosines;
  header.dim = static_cast<uint16_t>(dim);
  header.lists = static_cast<uint16_t>(counts.size());
  StoreLittle(begin, header);
  const ByteSpan rest = AsBytes(bytes).subspan(sizeof(CoarseHeader));
  header.checksum = Crc32c(rest, Crc32c({begin, offsetof(CoarseHeader, checksum)}));
  StoreLittle(begin, header);
  return bytes;
}

}  // namespace

CoarseQuantizer::CoarseQuantizer(uint32_t dim, const std::vector<int8_t>& centroids,
                                 const std::vector<uint32_t>& counts,
                                 const std::vector<float>& cosines)
    : CoarseQuantizer(Encode(dim, centroids, counts, cosines)) {
  RECALL_CHECK(dim > 0 && !counts.empty() && counts.size() <= kMostLists);
  RECALL_CHECK(cosines.empty() || cosines.size() == counts.size());
  RECALL_CHECK(centroids.size() == counts.size() * dim);
}

// Requires: valid bytes.
CoarseQuantizer::CoarseQuantizer(std::string bytes) : bytes_(std::move(bytes)) {
  const auto header = LoadLittle<CoarseHeader>(AsBytes(bytes_).data());
  dim_ = header.dim;
  list_count_ = header.lists;
  has_cosines_ = header.version == coarse_format::kWithCosines;
  for (uint32_t list = 0; list < list_count_; ++list) sample_ += CountOf(list);
}

Result<CoarseQuantizer> CoarseQuantizer::Open(std::string bytes) {
  ByteReader reader(AsBytes(bytes));
  const auto header = reader.Read<CoarseHeader>();
  if (!reader.ok() ||
      std::memcmp(header.magic, coarse_format::kMagic, sizeof(coarse_format::kMagic)) != 0) {
    return Fail(DamagedLists("they do not start with the expected bytes"));
  }
  const bool has_cosines = header.version == coarse_format::kWithCosines;
  if (!has_cosines && header.version != coarse_format::kWithoutCosines) {
    return Fail(Status::Unsupported(
        "the IVF lists of the vector space have version " + std::to_string(header.version),
        "use a newer version of recall"));
  }
  const size_t lists = header.lists;
  if (header.dim == 0 || lists == 0 || lists > kMostLists || header.reserved != 0 ||
      reader.remaining() !=
          lists * (sizeof(uint32_t) + (has_cosines ? sizeof(float) : 0) + header.dim)) {
    return Fail(DamagedLists("their size is wrong"));
  }
  const ByteSpan rest = AsBytes(bytes).subspan(sizeof(CoarseHeader));
  if (Crc32c(rest, Crc32c(AsBytes(bytes).first(offsetof(CoarseHeader, checksum)))) !=
      header.checksum) {
    return Fail(DamagedLists("their checksum does not match"));
  }
  CoarseQuantizer opened(std::move(bytes));
  for (uint32_t list = 0; has_cosines && list < lists; ++list) {
    const float cosine = opened.CosineOf(list);
    if (!(cosine >= 0 && cosine <= 1)) return Fail(DamagedLists("a mean cosine is out of range"));
  }
  return opened;
}

uint32_t CoarseQuantizer::CountOf(uint32_t list) const {
  return LoadLittle<uint32_t>(AsBytes(bytes_).data() + sizeof(CoarseHeader) +
                              list * sizeof(uint32_t));
}

// Requires: the mean cosines are known.
float CoarseQuantizer::CosineOf(uint32_t list) const {
  return LoadLittle<float>(AsBytes(bytes_).data() + sizeof(CoarseHeader) +
                           (size_t{list_count_} + list) * sizeof(float));
}

const int8_t* CoarseQuantizer::CentroidOf(uint32_t list) const {
  const size_t numbers = list_count_ * (sizeof(uint32_t) + (has_cosines_ ? sizeof(float) : 0));
  return reinterpret_cast<const int8_t*>(AsBytes(bytes_).data() + sizeof(CoarseHeader) + numbers +
                                         size_t{list} * dim_);
}

// In a rotated space all components have the same weight, so a quarter of them separates most
// centroids from the nearest one. Of 20,000 vectors of an LSA model, two were assigned to another
// list than with all components, and a million vectors took a third of the time.
uint16_t CoarseQuantizer::ListOf(std::span<const int8_t> values) const {
  RECALL_CHECK(values.size() == dim_);
  const std::vector<int16_t> query(values.begin(), values.end());
  std::array<int32_t, kMostLists> likeness;
  const uint32_t first = std::min(dim_, std::max(kFewestFirst, dim_ / 4));
  DotI16I8Rows(query.data(), CentroidOf(0), dim_, first, list_count_, likeness.data());
  const uint32_t blocks = PadToBlocks(list_count_, likeness.data());
  std::array<int32_t, kMostLists / kListBlock> maxima;
  for (uint32_t block = 0; block < blocks; ++block) {
    maxima[block] = MaximumOfBlock(likeness.data() + size_t{block} * kListBlock);
  }
  const int32_t best = *std::max_element(maxima.begin(), maxima.begin() + blocks);
  const auto nearest = std::find(likeness.begin(), likeness.begin() + list_count_, best);
  const auto square = [&](const int8_t* vector) {
    return static_cast<double>(DotI8(vector, vector, dim_));
  };
  const double length =
      std::sqrt(square(values.data()) *
                square(CentroidOf(static_cast<uint32_t>(nearest - likeness.begin()))));
  const double least = best - kCosineMargin * length * first / dim_;
  std::array<const int8_t*, kMostLists> rows;
  std::array<uint16_t, kMostLists> near;
  size_t count = 0;
  for (uint32_t block = 0; block < blocks; ++block) {
    if (maxima[block] < least) continue;
    const uint32_t end = std::min((block + 1) * kListBlock, list_count_);
    for (uint32_t list = block * kListBlock; list < end; ++list) {
      if (likeness[list] < least) continue;
      near[count] = static_cast<uint16_t>(list);
      rows[count++] = CentroidOf(list);
    }
  }
  DotI16I8Gather(query.data(), rows.data(), dim_, count, likeness.data());
  const auto most = std::max_element(likeness.begin(), likeness.begin() + static_cast<int>(count));
  return near[static_cast<size_t>(most - likeness.begin())];
}

CoarseQuantizer::Ranking CoarseQuantizer::Rank(std::span<const int16_t> values, float scale) const {
  RECALL_CHECK(values.size() == dim_);
  std::array<int32_t, kMostLists> likeness;
  DotI16I8Rows(values.data(), CentroidOf(0), dim_, dim_, list_count_, likeness.data());
  // Order and list in one number, so that one comparison sorts them; ties go to the first list.
  std::vector<uint64_t> keys(list_count_);
  const auto set_key = [&](uint32_t list, uint32_t falling) {
    keys[list] = uint64_t{falling} << 16 | list;
  };
  std::vector<float> reaches;
  if (has_cosines_) {
    // All centroids have the length of the first one, up to rounding.
    const float square = static_cast<float>(DotI8(CentroidOf(0), CentroidOf(0), dim_));
    const float unit = square > 0 ? scale / std::sqrt(square) : 0;
    reaches.resize(list_count_);
    for (uint32_t list = 0; list < list_count_; ++list) {
      const float s = std::clamp(static_cast<float>(likeness[list]) * unit, -1.0f, 1.0f);
      const float r = CosineOf(list);
      reaches[list] = s * r + kReach * std::sqrt((1 - s * s) * (1 - r * r));
      constexpr float kSteps = 1 << 29;
      set_key(list, static_cast<uint32_t>((kNoReach - reaches[list]) * kSteps));
    }
  } else {
    for (uint32_t list = 0; list < list_count_; ++list) {
      set_key(list, static_cast<uint32_t>(int64_t{INT32_MAX} - likeness[list]));
    }
  }
  std::ranges::sort(keys);
  Ranking ranking;
  for (const uint64_t key : keys) {
    ranking.lists.push_back(static_cast<uint16_t>(key));
    if (has_cosines_) ranking.reaches.push_back(reaches[ranking.lists.back()]);
  }
  return ranking;
}

std::span<const uint16_t> CoarseQuantizer::NearestLists(std::span<const uint16_t> ranked,
                                                        uint64_t numerator,
                                                        uint64_t denominator) const {
  RECALL_CHECK(denominator > 0);
  size_t first = 0;
  uint64_t held = 0;
  // In floating point, because products of counts from disk may overflow integers.
  const double wanted = static_cast<double>(sample_) * static_cast<double>(numerator);
  while (first < ranked.size() &&
         static_cast<double>(held) * static_cast<double>(denominator) < wanted) {
    held += CountOf(ranked[first++]);
  }
  return ranked.first(first);
}

}  // namespace recall
