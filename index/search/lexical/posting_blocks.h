#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "index/search/lexical/posting_format.h"
#include "storage/base/coding.h"
#include "storage/fts5/fts_index.h"

namespace recall {

// The postings of one word or clause, in blocks of 64 chunk rowids, each with the largest
// contribution of one of its postings. A search for the best few omits the blocks that cannot
// contain any of them (Ding and Suel, "Faster top-k document retrieval using block-max indexes",
// 2011; blocks of documents: Mallia, Suel, Tonellotto, "Faster learned sparse retrieval with
// block-max pruning", 2024).
//
//   header
//   u32 * n  block: row / 64, ascending
//   u8 * n   most: 255 * tf / (tf + norm) of its best posting, rounded up
//   u8 * n   number of its postings, 1 .. 64
//   bytes    block by block, c the number of its postings:
//              c <= 8:  c bytes, row % 64 of each, ascending
//              c > 8:   u64, bit row % 64 of each
//              c bytes: the count of the word in each; 255: see the long counts
//   8 * e    long counts: u32 row, u32 count, by row
//
// Owns its memory; const members are thread-safe.
class PostingBlocks final {
 public:
  static constexpr uint32_t kRows = posting_format::kRows;

  PostingBlocks() = default;  // no postings
  // Not copyable: a copy would point into the memory of the original.
  PostingBlocks(PostingBlocks&&) = default;
  PostingBlocks& operator=(PostingBlocks&&) = default;

  // The number of postings of a list of `size` bytes, by its first kHeaderBytes; nothing if they
  // are inconsistent.
  static constexpr size_t kHeaderBytes = sizeof(posting_format::Header);
  static std::optional<uint64_t> CountIn(ByteSpan header, size_t size);
  // Opens untrusted bytes; nothing if they are inconsistent.
  static std::optional<PostingBlocks> Open(ByteSpan bytes);
  // BM25's norm of a chunk rowid (index/search/lexical/bm25.h), with the average length on which
  // the maxima are based.
  using NormOf = std::function<double(uint32_t row)>;
  // Requires: rows ascending, counts above 0.
  static std::vector<uint8_t> Encode(const PostingList& postings, const NormOf& norm);
  static PostingBlocks Of(const PostingList& postings, const NormOf& norm);

  size_t size() const { return starts_.size(); }
  uint64_t postings() const { return postings_; }
  uint32_t number(size_t block) const {
    return LoadLittle<uint32_t>(numbers_ + sizeof(uint32_t) * block);
  }
  // The block upper bound, in units of 1/255 of the clause's weight.
  uint32_t most(size_t block) const { return most_[block]; }

  // The rows of a block that have a posting, as bits.
  uint64_t Rows(size_t block) const;
  // The counts of these rows, in their order; kLong stands for a long count.
  const uint8_t* Counts(size_t block) const;
  static constexpr uint8_t kLong = posting_format::kLong;
  // Requires: the row has a long count.
  uint32_t LongCount(uint32_t row) const;
  // The index of the block with this number.
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
  std::vector<uint32_t> starts_;  // by block: its offset in the payload
};

}  // namespace recall
