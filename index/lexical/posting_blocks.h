#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "index/lexical/posting_format.h"
#include "storage/base/coding.h"
#include "storage/fts5/fts_index.h"

namespace recall {

// The postings of one word, or of whatever else a clause asks for, by blocks of 64 chunk rowids,
// each with the most that one of its postings can count. Who looks for the best few passes over the
// blocks that cannot have any (Ding and Suel, "Faster top-k document retrieval using block-max
// indexes", 2011; blocks of documents: Mallia, Suel, Tonellotto, "Faster learned sparse retrieval
// with block-max pruning", 2024).
//
//   header
//   u32 * n  block: row / 64, ascending
//   u8 * n   most: 255 * tf / (tf + norm) of its best posting, rounded up
//   u8 * n   postings in it, 1 .. 64
//   bytes    block by block, c the postings in it:
//              c <= 8:  c bytes, row % 64 of each, ascending
//              c > 8:   u64, bit row % 64 of each
//              c bytes: how often each has the word; 255: as the long counts say
//   8 * e    long counts: u32 row, u32 count, by row
//
// Holds its own memory; const members are thread-safe.
class PostingBlocks final {
 public:
  static constexpr uint32_t kRows = posting_format::kRows;

  PostingBlocks() = default;  // of nothing
  // A copy would point into the other one's memory.
  PostingBlocks(PostingBlocks&&) = default;
  PostingBlocks& operator=(PostingBlocks&&) = default;

  // Nothing when the bytes are something else; they are not trusted.
  static std::optional<PostingBlocks> Open(ByteSpan bytes);
  // BM25's norm of a chunk rowid (index/lexical/bm25.h), with the average length that the maxima
  // are to be of.
  using NormOf = std::function<double(uint32_t row)>;
  // Requires: rows ascending, counts above 0.
  static std::vector<uint8_t> Encode(const PostingList& postings, const NormOf& norm);
  static PostingBlocks Of(const PostingList& postings, const NormOf& norm);

  size_t size() const { return starts_.size(); }
  uint64_t postings() const { return postings_; }
  uint32_t number(size_t block) const {
    return LoadLittle<uint32_t>(numbers_ + sizeof(uint32_t) * block);
  }
  // In [0, 255].
  uint32_t most(size_t block) const { return most_[block]; }

  // Which of a block's rows there are, as bits.
  uint64_t Rows(size_t block) const;
  // How often each of them has the word, in their order; kLong stands for a long count.
  const uint8_t* Counts(size_t block) const;
  static constexpr uint8_t kLong = posting_format::kLong;
  // Requires: the row has a long count.
  uint32_t LongCount(uint32_t row) const;
  // The place of the block with this number.
  std::optional<size_t> Find(uint32_t number) const;

  PostingList Decode() const;

 private:
  bool Divide(size_t size);

  std::vector<uint8_t> bytes_;
  uint64_t postings_ = 0;
  const uint8_t* numbers_ = nullptr;
  const uint8_t* most_ = nullptr;
  const uint8_t* sizes_ = nullptr;
  const uint8_t* payload_ = nullptr;
  const uint8_t* long_counts_ = nullptr;
  size_t long_count_ = 0;
  std::vector<uint32_t> starts_;  // of each block, in the payload
};

}  // namespace recall
