#include "index/search/lexical/posting_blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "storage/base/check.h"

namespace recall {
namespace {

// Encodes and reads a block-max posting list. posting_blocks.h has the byte layout.
//
// Problem: a list is read far more often than it is written, mostly from a BLOB that was just read,
// and most of its blocks are never scored. Decoding everything would cost more than the search.
//
// Idea: structure of arrays. Numbers, maxima and sizes of all blocks are contiguous, so matching
// and pruning scan three dense arrays. Only the start of each block's payload is computed when a
// list is opened, as a prefix sum of the sizes. Rows and counts are read in place.
//
//   c <= 8 postings   list of rows: c bytes        a sparse block takes 2 bytes for each posting
//   c > 8 postings    bit mask: 8 bytes            a dense block takes 1 + 8 / c bytes
//
// Counts of 255 and more are rare (a word 255 times in one chunk): they are stored separately and
// found by binary search.
//
// Invariants: Open checks everything that a later access relies on: ascending block numbers, sizes
// in 1 .. 64, the sum of sizes, the exact total length. Row bytes are taken modulo 64, and kPadding
// zero bytes after the end allow a damaged block to mark more rows than it has counts. So no access
// leaves the memory, whatever the bytes are. Maxima are rounded up, so they remain upper bounds.
//
// Cost: Open O(blocks), Rows and Counts O(1) to O(8), Find O(log blocks). Encode is one pass.

using PostingHeader = posting_format::Header;
using posting_format::kBlockBytes;
using posting_format::kLongCountBytes;
using posting_format::kMostListed;

constexpr uint32_t kMostNumber = std::numeric_limits<uint32_t>::max() / PostingBlocks::kRows;
// One count is read for each marked row, even if a damaged block marks more rows than it has
// postings.
constexpr size_t kPadding = PostingBlocks::kRows;

uint32_t PayloadBytes(uint32_t postings) { return std::min(postings, kMostListed) + postings; }

template <typename T>
void Append(T value, std::vector<uint8_t>* bytes) {
  const size_t at = bytes->size();
  bytes->resize(at + sizeof(T));
  StoreLittle<T>(bytes->data() + at, value);
}

uint8_t RoundUpToByte(double share) {
  return static_cast<uint8_t>(std::clamp(std::ceil(share * 255), 0.0, 255.0));
}

}  // namespace

std::vector<uint8_t> PostingBlocks::Encode(const PostingList& postings, const NormOf& norm) {
  std::vector<uint8_t> numbers;
  std::vector<uint8_t> most;
  std::vector<uint8_t> sizes;
  std::vector<uint8_t> payload;
  std::vector<uint8_t> long_counts;
  payload.reserve(postings.size() * 2);
  for (auto begin = postings.begin(); begin != postings.end();) {
    const uint32_t number = begin->row / kRows;
    double best = 0;
    uint64_t rows = 0;
    auto end = begin;
    for (; end != postings.end() && end->row / kRows == number; ++end) {
      best = std::max(best, end->count / (end->count + norm(end->row)));
      rows |= uint64_t{1} << end->row % kRows;
    }
    const auto size = static_cast<uint8_t>(end - begin);
    Append<uint32_t>(number, &numbers);
    most.push_back(RoundUpToByte(best));
    sizes.push_back(size);
    if (size > kMostListed) Append<uint64_t>(rows, &payload);
    for (auto at = begin; size <= kMostListed && at != end; ++at) {
      payload.push_back(static_cast<uint8_t>(at->row % kRows));
    }
    for (; begin != end; ++begin) {
      payload.push_back(static_cast<uint8_t>(std::min<uint32_t>(begin->count, kLong)));
      if (begin->count < kLong) continue;
      Append<uint32_t>(begin->row, &long_counts);
      Append<uint32_t>(begin->count, &long_counts);
    }
  }
  std::vector<uint8_t> bytes;
  bytes.reserve(sizeof(PostingHeader) + kBlockBytes * sizes.size() + payload.size() +
                long_counts.size() + kPadding);
  Append(PostingHeader{static_cast<uint32_t>(sizes.size()), static_cast<uint32_t>(postings.size()),
                       static_cast<uint32_t>(long_counts.size() / kLongCountBytes), 0},
         &bytes);
  for (const auto* part : {&numbers, &most, &sizes, &payload, &long_counts}) {
    bytes.insert(bytes.end(), part->begin(), part->end());
  }
  return bytes;
}

PostingBlocks PostingBlocks::Of(const PostingList& postings, const NormOf& norm) {
  PostingBlocks blocks;
  blocks.bytes_ = Encode(postings, norm);
  const size_t size = blocks.bytes_.size();
  blocks.bytes_.resize(size + kPadding);
  RECALL_CHECK(blocks.Divide(size));
  return blocks;
}

std::optional<uint64_t> PostingBlocks::CountIn(ByteSpan header, size_t size) {
  if (header.size() < sizeof(PostingHeader)) return std::nullopt;
  const auto stated = LoadLittle<PostingHeader>(header.data());
  const uint64_t blocks = stated.blocks;
  const uint64_t postings = stated.postings;
  const uint64_t around =
      sizeof(PostingHeader) + kBlockBytes * blocks + kLongCountBytes * uint64_t{stated.long_counts};
  const bool sound = stated.reserved == 0 && blocks <= postings && postings <= blocks * kRows &&
                     around + postings <= size;
  return sound ? std::optional(postings) : std::nullopt;
}

std::optional<PostingBlocks> PostingBlocks::Open(ByteSpan bytes) {
  PostingBlocks blocks;
  blocks.bytes_.reserve(bytes.size() + kPadding);
  blocks.bytes_.assign(bytes.begin(), bytes.end());
  blocks.bytes_.resize(bytes.size() + kPadding);
  if (!blocks.Divide(bytes.size())) return std::nullopt;
  return blocks;
}

bool PostingBlocks::Divide(size_t size) {
  if (size < sizeof(PostingHeader)) return false;
  const uint8_t* const at = bytes_.data();
  const auto header = LoadLittle<PostingHeader>(at);
  const size_t blocks = header.blocks;
  postings_ = header.postings;
  long_count_ = header.long_counts;
  const size_t around =
      sizeof(PostingHeader) + kBlockBytes * blocks + kLongCountBytes * long_count_;
  if (header.reserved != 0 || around > size) return false;
  numbers_ = at + sizeof(PostingHeader);
  most_ = numbers_ + sizeof(uint32_t) * blocks;
  sizes_ = most_ + blocks;
  payload_ = sizes_ + blocks;
  long_counts_ = at + size - kLongCountBytes * long_count_;
  starts_.resize(blocks);
  uint64_t start = 0;
  uint64_t postings = 0;
  for (size_t i = 0; i < blocks; ++i) {
    const bool ascends = i == 0 || number(i) > number(i - 1);
    if (!ascends || sizes_[i] - 1u >= kRows) return false;
    starts_[i] = static_cast<uint32_t>(start);
    start += PayloadBytes(sizes_[i]);
    postings += sizes_[i];
  }
  if (blocks > 0 && number(blocks - 1) > kMostNumber) return false;
  return postings == postings_ && start == size - around &&
         start <= std::numeric_limits<uint32_t>::max();
}

uint64_t PostingBlocks::Rows(size_t block) const {
  const uint8_t* const at = payload_ + starts_[block];
  const uint32_t size = sizes_[block];
  if (size > kMostListed) return LoadLittle<uint64_t>(at);
  uint64_t rows = 0;
  for (uint32_t i = 0; i < size; ++i) rows |= uint64_t{1} << at[i] % kRows;
  return rows;
}

const uint8_t* PostingBlocks::Counts(size_t block) const {
  return payload_ + starts_[block] + std::min<uint32_t>(sizes_[block], kMostListed);
}

uint32_t PostingBlocks::LongCount(uint32_t row) const {
  size_t first = 0;
  size_t last = long_count_;
  while (first < last) {
    const size_t middle = (first + last) / 2;
    const uint8_t* const at = long_counts_ + kLongCountBytes * middle;
    const uint32_t here = LoadLittle<uint32_t>(at);
    if (here == row) return std::max<uint32_t>(LoadLittle<uint32_t>(at + 4), kLong);
    here < row ? first = middle + 1 : last = middle;
  }
  return kLong;
}

std::optional<size_t> PostingBlocks::Find(uint32_t wanted) const {
  if (size() == 0 || wanted < number(0) || wanted > number(size() - 1)) return std::nullopt;
  // Numbers ascend by at least one, which leaves a small range to search if few blocks are missing.
  const size_t behind = number(size() - 1) - wanted;
  size_t first = size() - std::min(size(), behind + 1);
  size_t last = std::min<size_t>(size() - 1, wanted - number(0));
  while (first < last) {
    const size_t middle = (first + last) / 2;
    number(middle) < wanted ? first = middle + 1 : last = middle;
  }
  return number(first) == wanted ? std::optional(first) : std::nullopt;
}

PostingList PostingBlocks::Decode() const {
  PostingList postings;
  postings.reserve(postings_);
  for (size_t i = 0; i < size(); ++i) {
    const uint8_t* count = Counts(i);
    for (uint64_t rows = Rows(i); rows != 0; rows &= rows - 1, ++count) {
      const uint32_t row = number(i) * kRows + static_cast<uint32_t>(std::countr_zero(rows));
      postings.push_back({row, *count == kLong ? LongCount(row) : *count});
    }
  }
  return postings;
}

}  // namespace recall
