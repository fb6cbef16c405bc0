#include "index/lexical/matched_blocks.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

namespace recall {
namespace {

using Occur = LexicalClause::Occur;

constexpr uint32_t kRows = PostingBlocks::kRows;

// What is added in another order, and in fewer digits, may come out larger by less than this.
constexpr float kMargin = 1.0001F;
// More than BM25 makes of anything but damaged counters.
constexpr float kHighest = 1e30F;

}  // namespace

MatchedBlocks::MatchedBlocks(const ChunkColumns& columns, double average_length,
                             std::vector<Clause> clauses)
    : columns_(&columns), average_length_(average_length), clauses_(std::move(clauses)) {
  uint32_t first = std::numeric_limits<uint32_t>::max();
  uint32_t last = 0;
  for (const Clause& clause : clauses_) {
    for (const PostingPart& part : clause.postings) {
      if (part.blocks.size() == 0) continue;
      first = std::min(first, part.blocks.number(0));
      last = std::max(last, part.blocks.number(part.blocks.size() - 1));
    }
  }
  if (first > last) return;
  first_ = first;
  rows_.resize(last - first + 1);
}

std::vector<uint64_t> MatchedBlocks::LayOut(const Bitmap& rows) const {
  std::vector<uint32_t> halves(2 * size());
  std::vector<uint64_t> whole(size());
  if (whole.empty()) return whole;
  rows.CopyBits(first_row(0), first_row(size() - 1) + (kRows - 1), halves);
  for (size_t i = 0; i < whole.size(); ++i) {
    whole[i] = halves[2 * i] | uint64_t{halves[2 * i + 1]} << 32;
  }
  return whole;
}

uint64_t MatchedBlocks::CountAmong(const Clause& clause, std::span<const uint64_t> rows,
                                   std::span<const uint32_t> some) const {
  constexpr size_t kSteps = 8;  // looking for a block takes as long as so many in a row
  uint64_t count = 0;
  const auto add = [&](const PostingBlocks& blocks, size_t i, uint32_t block) {
    count += static_cast<uint64_t>(std::popcount(blocks.Rows(i) & rows[block]));
  };
  for (const PostingPart& part : clause.postings) {
    const PostingBlocks& blocks = part.blocks;
    if (some.size() * kSteps < blocks.size()) {
      for (const uint32_t block : some) {
        if (const auto i = blocks.Find(first_ + block)) add(blocks, *i, block);
      }
    } else {
      for (size_t i = 0; i < blocks.size(); ++i) add(blocks, i, blocks.number(i) - first_);
    }
  }
  return count;
}

void MatchedBlocks::Mark(const Clause& clause, std::vector<uint64_t>* rows) const {
  for (const PostingPart& part : clause.postings) {
    for (size_t i = 0; i < part.blocks.size(); ++i) {
      (*rows)[part.blocks.number(i) - first_] |= part.blocks.Rows(i);
    }
  }
}

void MatchedBlocks::Match() {
  const bool has_must = std::ranges::any_of(
      clauses_, [](const Clause& clause) { return clause.occur == Occur::kMust; });
  std::ranges::fill(rows_, has_must ? ~uint64_t{0} : 0);
  for (const Clause& clause : clauses_) {
    if (clause.occur == Occur::kShould && !has_must) Mark(clause, &rows_);
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
    for (const PostingPart& part : clause.postings) {
      const auto unit = static_cast<float>(clause.weight * part.stretch / 255);
      parts_.push_back({&part.blocks, clause.weight, unit});
    }
  }
  const auto for_each = [&](auto visit) {
    for (uint32_t p = 0; p < parts_.size(); ++p) {
      const PostingBlocks& blocks = *parts_[p].blocks;
      for (uint32_t i = 0; i < blocks.size(); ++i) {
        const uint32_t block = blocks.number(i) - first_;
        if (rows_[block] != 0) visit(block, Entry{p, i});
      }
    }
  };
  starts_.assign(size() + 1, 0);
  for_each([&](uint32_t block, const Entry&) { ++starts_[block + 1]; });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  entries_.resize(starts_.back());
  std::vector<uint64_t> next = starts_;
  for_each([&](uint32_t block, const Entry& entry) { entries_[next[block]++] = entry; });
}

std::vector<float> MatchedBlocks::MostOfBlocks() const {
  std::vector<float> most(size());
  for (size_t block = 0; block < most.size(); ++block) {
    float sum = 0;
    for (const Entry& entry : EntriesOf(block)) {
      const Part& part = parts_[entry.part];
      sum += part.unit * static_cast<float>(part.blocks->most(entry.place));
    }
    most[block] = std::min(sum * kMargin, kHighest);
  }
  return most;
}

const std::array<double, kRows>& MatchedBlocks::Scorer::Score(size_t block, uint64_t rows) {
  const uint32_t first = blocks_.first_row(block);
  for (uint64_t left = rows; left != 0; left &= left - 1) {
    const auto slot = static_cast<uint32_t>(std::countr_zero(left));
    norms_[slot] = norm_(first + slot);
    sums_[slot] = 0;
  }
  for (const Entry& entry : blocks_.EntriesOf(block)) {
    const Part& part = blocks_.parts_[entry.part];
    Add(*part.blocks, part.weight, entry.place, rows);
  }
  return sums_;
}

void MatchedBlocks::Scorer::Add(const PostingBlocks& blocks, double weight, size_t place,
                                uint64_t rows) {
  const uint8_t* next = blocks.Counts(place);
  for (uint64_t left = blocks.Rows(place); left != 0; left &= left - 1) {
    const auto slot = static_cast<uint32_t>(std::countr_zero(left));
    uint32_t count = *next++;
    if ((rows >> slot & 1) == 0) continue;
    if (count == PostingBlocks::kLong)
      count = blocks.LongCount(blocks.number(place) * kRows + slot);
    const double tf = count;
    sums_[slot] += weight * tf / (tf + norms_[slot]);
  }
}

}  // namespace recall
