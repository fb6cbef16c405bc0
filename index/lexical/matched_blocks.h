#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/lexical/bm25.h"
#include "index/lexical/clause_postings.h"
#include "index/lexical_query/lexical_query.h"

namespace recall {

// Which chunk rowids match a query, as bits of blocks of 64 rows, and what the clauses count in
// them. Blocks are numbered from 0 here: all from the first that any clause has to the last, or,
// where these lie far apart, those that a clause has. Const members are thread-safe. Must not
// outlive the columns.
class MatchedBlocks final {
  // Postings that score, in the order of clauses and rows.
  struct Part {
    const PostingBlocks* blocks;  // in clauses_
    double weight;
    float unit;  // what a most of 1 counts for
  };
  struct Entry {
    uint32_t part;
    uint32_t place;  // of the part's blocks
  };

 public:
  struct Clause {
    LexicalClause::Occur occur = LexicalClause::Occur::kShould;
    ClausePostings postings;
    double weight = 0;  // count in the query * idf * (k1 + 1)
  };
  // Nothing matches yet.
  MatchedBlocks() = default;
  MatchedBlocks(const ChunkColumns& columns, double average_length, std::vector<Clause> clauses);
  MatchedBlocks(MatchedBlocks&&) = default;
  MatchedBlocks& operator=(MatchedBlocks&&) = default;

  size_t size() const { return rows_.size(); }
  uint32_t first_row(size_t block) const { return NumberOf(block) * PostingBlocks::kRows; }
  // The block of a chunk rowid, if any clause may have something there.
  std::optional<size_t> Find(uint32_t row) const;
  uint64_t rows(size_t block) const { return rows_[block]; }
  std::vector<Clause>& clauses() { return clauses_; }
  const std::vector<Clause>& clauses() const { return clauses_; }

  // A set's rows, in blocks like these.
  struct RowBits {
    std::vector<uint64_t> rows;
    std::vector<uint32_t> some;  // blocks that have any
  };
  RowBits LayOut(const Bitmap& rows) const;
  // Of a clause's postings, how many are of these rows. Requires: laid out.
  uint64_t CountAmong(const Clause& clause, const RowBits& rows) const;

  bool has_must() const;
  // Matches what every +must and no -not has (or, without a +must, anything that is asked for).
  void Match();
  // Keeps what is among these rows, or is not. Requires: as many as there are blocks.
  void Keep(std::span<const uint64_t> rows);
  void Drop(std::span<const uint64_t> rows);
  uint64_t CountMatches() const;
  // To be called when the clauses have their weights and nothing else is matched or dropped: finds
  // out which clauses have something in which block.
  void PrepareScoring();
  // By block, what no match there scores more than. Requires: PrepareScoring, as all below.
  std::vector<float> BlockUpperBounds() const;

  // Scores rows of one block after the other. One per thread.
  class Scorer final {
   public:
    explicit Scorer(const MatchedBlocks& blocks)
        : blocks_(blocks), norm_(*blocks.columns_, blocks.average_length_) {}
    // BM25 of these rows of the block, which must match; of others any number. By row % 64, valid
    // until the next call.
    const std::array<double, PostingBlocks::kRows>& Score(size_t block, uint64_t rows);

   private:
    void Add(const PostingBlocks& blocks, double weight, size_t place, uint64_t rows);
    const MatchedBlocks& blocks_;
    ChunkNorm norm_;
    std::array<double, PostingBlocks::kRows> norms_{};
    std::array<double, PostingBlocks::kRows> sums_{};
  };

 private:
  uint32_t NumberOf(size_t block) const {
    return numbers_.empty() ? first_ + static_cast<uint32_t>(block) : numbers_[block];
  }
  void NumberBlocks();
  // Calls visit(block, place) for each of the postings' blocks.
  template <typename Visit>
  void ForEachBlock(const PostingBlocks& blocks, Visit visit) const;
  void Mark(const Clause& clause, std::vector<uint64_t>* rows) const;
  std::span<const Entry> EntriesOf(size_t block) const {
    return {entries_.data() + starts_[block], starts_[block + 1] - starts_[block]};
  }

  const ChunkColumns* columns_ = nullptr;
  double average_length_ = 1;
  std::vector<Clause> clauses_;
  uint32_t first_ = 0;             // number of block 0 in the store
  std::vector<uint32_t> numbers_;  // of all blocks; empty when none between them is left out
  std::vector<uint64_t> rows_;
  std::vector<Part> parts_;
  std::vector<uint64_t> starts_;  // by block: where in entries_; and the end
  std::vector<Entry> entries_;    // of blocks where something matches, in the order of parts
};

}  // namespace recall
