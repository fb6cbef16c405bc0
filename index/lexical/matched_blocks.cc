#include "index/lexical/matched_blocks.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "simd/kernels.h"

namespace recall {
namespace {

// Boolean matching and scoring on blocks of 64 chunk rowids.
//
//   clauses_   postings, in blocks of their own (PostingBlocks)
//   rows_      by block: 64 bits, which rows match
//   entries_   by block: (part, place) of every posting block that scores there, in query order
//   starts_    block b has entries_[starts_[b]] .. entries_[starts_[b + 1] - 1]
//
// This is an inverted-to-forward transposition at the granularity of blocks: PrepareScoring counts
// the entries of each block, takes the prefix sum, and fills entries_, as a counting sort. Scoring
// a block then touches only the clauses that have postings in it.
//
// Numbering: rowids are never reused, so after many replacements the range of rowids may be much
// larger than the number of blocks with postings. If so, numbers_ lists the existing blocks and
// look-ups are binary searches; otherwise block number - first_ is the index.
//
// Upper bounds of a block and of a row: sum of weight * stretch * maximum / 255 over the entries of
// the block, or over those in which the row has a posting, in float, times kRoundingMargin. The
// margin covers the float rounding and the different order of additions, so the bound is never
// below a double score of Scorer::Score.
//
// Invariant: Scorer adds the contributions of a row in the order of clauses, whichever block is
// scored first; this makes scores reproducible.
//
// Cost: Match reads one word for each posting block; Score reads one byte for each posting of a
// block and one length for each scored row.

using Occur = LexicalClause::Occur;

constexpr uint32_t kPostingBlockRows = PostingBlocks::kRows;

// Sums in another order and with fewer digits exceed the exact sum by less than this factor.
constexpr float kRoundingMargin = 1.0001F;
// A bound that no score exceeds unless counters are damaged.
constexpr float kHighest = 1e30F;

}  // namespace

MatchedBlocks::MatchedBlocks(const ChunkColumns& columns, double average_length,
                             std::vector<Clause> clauses)
    : columns_(&columns), average_length_(average_length), clauses_(std::move(clauses)) {
  NumberBlocks();
}

// Rowids are never reused, so in a store with many replacements most blocks of the range may be
// empty.
void MatchedBlocks::NumberBlocks() {
  constexpr size_t kFarApart = 4;  // factor of the number of blocks with postings
  constexpr size_t kFew = 4096;    // this many blocks cost nothing
  uint32_t first = std::numeric_limits<uint32_t>::max();
  uint32_t last = 0;
  size_t count = 0;
  for (const Clause& clause : clauses_) {
    for (const PostingPart& part : *clause.postings) {
      if (part.blocks.size() == 0) continue;
      first = std::min(first, part.blocks.number(0));
      last = std::max(last, part.blocks.number(part.blocks.size() - 1));
      count += part.blocks.size();
    }
  }
  if (first > last) return;
  first_ = first;
  const size_t range = last - first + 1;
  if (range <= kFew + kFarApart * count) {
    rows_.resize(range);
    return;
  }
  for (const Clause& clause : clauses_) {
    for (const PostingPart& part : *clause.postings) {
      for (size_t i = 0; i < part.blocks.size(); ++i) numbers_.push_back(part.blocks.number(i));
    }
  }
  std::ranges::sort(numbers_);
  numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
  rows_.resize(numbers_.size());
}

std::optional<size_t> MatchedBlocks::Find(uint32_t row) const {
  const uint32_t number = row / kPostingBlockRows;
  if (numbers_.empty()) {
    const bool inside = number >= first_ && number - first_ < size();
    return inside ? std::optional<size_t>(number - first_) : std::nullopt;
  }
  const auto found = std::ranges::lower_bound(numbers_, number);
  if (found == numbers_.end() || *found != number) return std::nullopt;
  return static_cast<size_t>(found - numbers_.begin());
}

template <typename Visit>
void MatchedBlocks::ForEachBlock(const PostingBlocks& blocks, Visit visit) const {
  size_t block = 0;
  for (uint32_t i = 0; i < blocks.size(); ++i) {
    const uint32_t number = blocks.number(i);
    if (numbers_.empty()) {
      block = number - first_;
    } else {
      while (numbers_[block] < number) ++block;
    }
    visit(static_cast<uint32_t>(block), i);
  }
}

MatchedBlocks::RowBits MatchedBlocks::LayOut(const Bitmap& rows) const {
  RowBits bits;
  if (size() == 0) return bits;
  std::vector<uint32_t> halves(2 * size());
  if (numbers_.empty()) {
    rows.CopyBits(first_row(0), first_row(size() - 1) + (kPostingBlockRows - 1), halves);
  } else {
    for (size_t i = 0; i < size(); ++i) {
      rows.CopyBits(first_row(i), first_row(i) + (kPostingBlockRows - 1),
                    std::span(halves).subspan(2 * i, 2));
    }
  }
  bits.rows.resize(size());
  for (uint32_t i = 0; i < size(); ++i) {
    bits.rows[i] = halves[2 * i] | uint64_t{halves[2 * i + 1]} << 32;
    if (bits.rows[i] != 0) bits.some.push_back(i);
  }
  return bits;
}

uint64_t MatchedBlocks::CountAmong(const Clause& clause, const RowBits& rows) const {
  constexpr size_t kSteps = 8;  // finding a block takes as long as visiting this many in order
  uint64_t count = 0;
  for (const PostingPart& part : *clause.postings) {
    const PostingBlocks& blocks = part.blocks;
    const auto add = [&](uint32_t block, size_t place) {
      count += static_cast<uint64_t>(std::popcount(blocks.Rows(place) & rows.rows[block]));
    };
    if (rows.some.size() * kSteps >= blocks.size()) {
      ForEachBlock(blocks, add);
      continue;
    }
    for (const uint32_t block : rows.some) {
      if (const auto place = blocks.Find(NumberOf(block))) add(block, *place);
    }
  }
  return count;
}

void MatchedBlocks::Mark(const Clause& clause, std::vector<uint64_t>* rows) const {
  for (const PostingPart& part : *clause.postings) {
    ForEachBlock(part.blocks,
                 [&](uint32_t block, size_t place) { (*rows)[block] |= part.blocks.Rows(place); });
  }
}

bool MatchedBlocks::has_must() const {
  return std::ranges::any_of(clauses_,
                             [](const Clause& clause) { return clause.occur == Occur::kMust; });
}

void MatchedBlocks::Match() {
  const bool any = !has_must();
  std::ranges::fill(rows_, any ? 0 : ~uint64_t{0});
  for (const Clause& clause : clauses_) {
    if (clause.occur == Occur::kShould && any && !clause.only_scores) Mark(clause, &rows_);
    if (clause.occur != Occur::kMust) continue;
    std::vector<uint64_t> holds(size());
    Mark(clause, &holds);
    Keep(holds);
  }
  for (const Clause& clause : clauses_) {
    if (clause.occur != Occur::kMustNot) continue;
    std::vector<uint64_t> holds(size());
    Mark(clause, &holds);
    Drop(holds);
  }
}

void MatchedBlocks::Keep(std::span<const uint64_t> rows) {
  for (size_t i = 0; i < rows_.size(); ++i) rows_[i] &= rows[i];
}

void MatchedBlocks::Drop(std::span<const uint64_t> rows) {
  for (size_t i = 0; i < rows_.size(); ++i) rows_[i] &= ~rows[i];
}

uint64_t MatchedBlocks::CountMatches() const {
  uint64_t count = 0;
  for (const uint64_t rows : rows_) count += static_cast<uint64_t>(std::popcount(rows));
  return count;
}

void MatchedBlocks::PrepareScoring() {
  parts_.clear();
  for (const Clause& clause : clauses_) {
    if (clause.occur == Occur::kMustNot) continue;
    for (const PostingPart& part : *clause.postings) {
      const auto unit = static_cast<float>(clause.weight * part.stretch / 255);
      parts_.push_back({&part.blocks, clause.weight, unit, clause.only_scores});
    }
  }
  const auto for_each = [&](auto visit) {
    for (uint32_t p = 0; p < parts_.size(); ++p) {
      ForEachBlock(*parts_[p].blocks, [&](uint32_t block, uint32_t place) {
        if (rows_[block] != 0) visit(block, Entry{p, place});
      });
    }
  };
  starts_.assign(size() + 1, 0);
  for_each([&](uint32_t block, const Entry&) { ++starts_[block + 1]; });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  entries_.resize(starts_.back());
  std::vector<uint64_t> next = starts_;
  for_each([&](uint32_t block, const Entry& entry) { entries_[next[block]++] = entry; });
}

std::vector<float> MatchedBlocks::BlockUpperBounds() const {
  std::vector<float> most(size());
  for (size_t block = 0; block < most.size(); ++block) {
    float sum = 0;
    for (const Entry& entry : EntriesOf(block)) {
      const Part& part = parts_[entry.part];
      sum += part.unit * static_cast<float>(part.blocks->most(entry.place));
    }
    most[block] = std::min(sum * kRoundingMargin, kHighest);
  }
  return most;
}

const std::array<double, kPostingBlockRows>& MatchedBlocks::Scorer::Score(size_t block,
                                                                          uint64_t rows) {
  const uint32_t first = blocks_.first_row(block);
  for (uint64_t left = rows; left != 0; left &= left - 1) {
    const auto slot = static_cast<uint32_t>(std::countr_zero(left));
    norms_[slot] = norm_(first + slot);
    sums_[slot] = 0;
  }
  for (const Entry& entry : blocks_.EntriesOf(block)) {
    const Part& part = blocks_.parts_[entry.part];
    if (evidence_ == Evidence::kOnlyScores && !part.only_scores) continue;
    Add(*part.blocks, part.weight, entry.place, rows);
  }
  return sums_;
}

uint64_t MatchedBlocks::Scorer::RowsThatMayReach(size_t block, uint64_t rows, double score) {
  if (!(score > 0)) return rows;
  marked_.clear();
  most_.clear();
  for (const Entry& entry : blocks_.EntriesOf(block)) {
    const Part& part = blocks_.parts_[entry.part];
    marked_.push_back(part.blocks->Rows(entry.place));
    most_.push_back(part.unit * static_cast<float>(part.blocks->most(entry.place)));
  }
  const auto least = static_cast<float>(score / double{kRoundingMargin});
  return rows & SumsAtLeast(marked_.data(), most_.data(), marked_.size(), least);
}

void MatchedBlocks::Scorer::Add(const PostingBlocks& blocks, double weight, size_t place,
                                uint64_t rows) {
  const uint8_t* const counts = blocks.Counts(place);
  const uint64_t marked = blocks.Rows(place);
  const bool all = (marked & ~rows) == 0;
  size_t next = 0;
  for (uint64_t left = marked & rows; left != 0; left &= left - 1) {
    const auto slot = static_cast<uint32_t>(std::countr_zero(left));
    const uint64_t before = marked & ((uint64_t{1} << slot) - 1);
    const size_t at = all ? next++ : static_cast<size_t>(std::popcount(before));
    uint32_t count = counts[at];
    if (count == PostingBlocks::kLong)
      count = blocks.LongCount(blocks.number(place) * kPostingBlockRows + slot);
    const double tf = count;
    sums_[slot] += weight * tf / (tf + norms_[slot]);
  }
}

}  // namespace recall
