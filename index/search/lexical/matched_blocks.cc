#include "index/search/lexical/matched_blocks.h"

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
// Field weights. A clause may have postings of its occurrences within fields, which count more than
// once. They are parts of their own, behind those of the clause, so a block has them next to each
// other, and Scorer adds up one count for each row before BM25 saturates it:
//
//   tf = body weight * (count - sum of the fields' counts) + sum of field weight * field's count
//
// Bounds then add odds instead of shares. With the odds x = tf / norm, a maximum is x / (1 + x),
// and
//
//   odds <= body weight * odds of the clause's maximum
//           + sum of (field weight - body weight) * odds of the field's maximum
//
// over the fields that weigh more than the body. A row has only some of the fields, so its bound
// needs one number for each of them: x / (1 + x) is concave, so what a field adds to it on top of
// the clause alone is never less than what it adds on top of other fields.
//
// Related words. A clause may have the postings of words that mean nearly the same. They match as
// the clause does, and a row gets the greatest of the scores of the clause and of these, so several
// names of one thing are not more evidence than one. The bound of a block is the greatest bound
// likewise; in that of a row, each row is marked by the greatest of its words alone.
//
// Invariant: Scorer adds the contributions of a row in the order of clauses, whichever block is
// scored first; this makes scores reproducible.
//
// Cost: field weights take one look at a block's postings of each field, and as much again as the
// clause itself where a block is scored. Match reads one word for each posting block; Score reads
// one byte for each posting of a block and one length for each scored row.

using Occur = LexicalClause::Occur;

constexpr uint32_t kPostingBlockRows = PostingBlocks::kRows;

// Sums in another order and with fewer digits exceed the exact sum by less than this factor.
constexpr float kRoundingMargin = 1.0001F;
// A bound that no score exceeds unless counters are damaged.
constexpr float kHighest = 1e30F;
// More than tf / norm can be, for a maximum that was rounded up to 1.
constexpr float kHighestOdds = 1e12F;

float ShareOf(float odds) { return odds / (1 + odds); }

// Calls visit(slot, count) for each posting of a block that is among these rows.
template <typename Visit>
void ForEachCount(const PostingBlocks& blocks, size_t place, uint64_t rows, Visit visit) {
  const uint8_t* const counts = blocks.Counts(place);
  const uint64_t marked = blocks.Rows(place);
  const bool all = (marked & ~rows) == 0;
  size_t next = 0;
  for (uint64_t left = marked & rows; left != 0; left &= left - 1) {
    const auto slot = static_cast<uint32_t>(std::countr_zero(left));
    const uint64_t before = marked & ((uint64_t{1} << slot) - 1);
    const size_t at = all ? next++ : static_cast<size_t>(std::popcount(before));
    uint32_t count = counts[at];
    if (count == PostingBlocks::kLong) {
      count = blocks.LongCount(blocks.number(place) * kPostingBlockRows + slot);
    }
    visit(slot, count);
  }
}

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
  // Blocks of a field are blocks of its clause, unless the store is damaged.
  const auto for_each = [this](auto visit) {
    for (const Clause& clause : clauses_) {
      for (const PostingPart& part : *clause.postings) visit(part.blocks);
      for (const FieldPostings& field : clause.fields) {
        for (const PostingPart& part : *field.postings) visit(part.blocks);
      }
      for (const RelatedPostings& related : clause.related) {
        for (const PostingPart& part : *related.postings) visit(part.blocks);
      }
    }
  };
  for_each([&](const PostingBlocks& blocks) {
    if (blocks.size() == 0) return;
    first = std::min(first, blocks.number(0));
    last = std::max(last, blocks.number(blocks.size() - 1));
    count += blocks.size();
  });
  if (first > last) return;
  first_ = first;
  const size_t range = last - first + 1;
  if (range <= kFew + kFarApart * count) {
    rows_.resize(range);
    return;
  }
  for_each([&](const PostingBlocks& blocks) {
    for (size_t i = 0; i < blocks.size(); ++i) numbers_.push_back(blocks.number(i));
  });
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

uint64_t MatchedBlocks::CountAmong(const ClausePostings& postings, const RowBits& rows) const {
  constexpr size_t kSteps = 8;  // finding a block takes as long as visiting this many in order
  uint64_t count = 0;
  for (const PostingPart& part : postings) {
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

void MatchedBlocks::Mark(const ClausePostings& postings, std::vector<uint64_t>* rows) const {
  for (const PostingPart& part : postings) {
    ForEachBlock(part.blocks,
                 [&](uint32_t block, size_t place) { (*rows)[block] |= part.blocks.Rows(place); });
  }
}

std::vector<uint64_t> MatchedBlocks::RowsWith(const Clause& clause) const {
  std::vector<uint64_t> rows(size());
  Mark(*clause.postings, &rows);
  return rows;
}

bool MatchedBlocks::has_must() const {
  return std::ranges::any_of(clauses_,
                             [](const Clause& clause) { return clause.occur == Occur::kMust; });
}

void MatchedBlocks::Match() {
  const bool any = !has_must();
  std::ranges::fill(rows_, any ? 0 : ~uint64_t{0});
  for (const Clause& clause : clauses_) {
    if (clause.occur == Occur::kShould && any && !clause.only_scores) {
      Mark(*clause.postings, &rows_);
      for (const RelatedPostings& related : clause.related) Mark(*related.postings, &rows_);
    }
    if (clause.occur != Occur::kMust) continue;
    Keep(RowsWith(clause));
  }
  for (const Clause& clause : clauses_) {
    if (clause.occur != Occur::kMustNot) continue;
    Drop(RowsWith(clause));
  }
}

void MatchedBlocks::Keep(std::span<const uint64_t> rows) {
  for (size_t i = 0; i < rows_.size(); ++i) rows_[i] &= rows[i];
}

void MatchedBlocks::Drop(std::span<const uint64_t> rows) {
  for (size_t i = 0; i < rows_.size(); ++i) rows_[i] &= ~rows[i];
}

void MatchedBlocks::AddScoredOnly(std::vector<uint64_t> rows, double factor, double length) {
  for (size_t i = 0; i < rows_.size(); ++i) rows_[i] |= rows[i];
  scored_only_ = std::move(rows);
  scored_only_factor_ = factor;
  scored_only_norm_ = kBm25K1 * (1 - kBm25B + kBm25B * length);
}

uint64_t MatchedBlocks::CountMatches() const {
  uint64_t count = 0;
  for (const uint64_t rows : rows_) count += static_cast<uint64_t>(std::popcount(rows));
  return count;
}

void MatchedBlocks::PrepareScoring() {
  parts_.clear();
  odds_.clear();
  has_field_weights_ = false;
  has_related_ = false;
  for (uint32_t c = 0; c < clauses_.size(); ++c) {
    const Clause& clause = clauses_[c];
    if (clause.occur == Occur::kMustNot) continue;
    has_field_weights_ |= clause.has_field_weights();
    has_related_ |= !clause.related.empty();
    const auto add = [&](const ClausePostings& postings, uint32_t field, double weight,
                         bool related) {
      for (const PostingPart& part : postings) {
        const auto unit = static_cast<float>(weight * part.stretch / 255);
        const bool weighted = clause.has_field_weights() && !related;
        const Odds* const odds = weighted ? OddsOf(part.stretch) : nullptr;
        parts_.push_back({&part.blocks, c, field, weight, unit, odds, clause.only_scores, related});
      }
    };
    add(*clause.postings, kNoField, clause.weight, false);
    for (uint32_t f = 0; f < clause.fields.size(); ++f) {
      add(*clause.fields[f].postings, f, clause.weight, false);
    }
    for (const RelatedPostings& related : clause.related) {
      add(*related.postings, kNoField, related.weight, true);
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

template <typename Visit>
void MatchedBlocks::ForEachClause(size_t block, Visit visit) const {
  std::span<const Entry> entries = EntriesOf(block);
  while (!entries.empty()) {
    const uint32_t clause = parts_[entries.front().part].clause;
    size_t end = 1;
    while (end < entries.size() && parts_[entries[end].part].clause == clause) ++end;
    visit(clauses_[clause], entries.first(end));
    entries = entries.subspan(end);
  }
}

std::pair<std::span<const MatchedBlocks::Entry>, std::span<const MatchedBlocks::Entry>>
MatchedBlocks::DivideRelated(std::span<const Entry> entries) const {
  size_t own = entries.size();
  while (own > 0 && parts_[entries[own - 1].part].related) --own;
  return {entries.first(own), entries.subspan(own)};
}

// Divisions take longer than everything else that a bound needs. Parts have one or two stretches.
const MatchedBlocks::Odds* MatchedBlocks::OddsOf(double stretch) {
  for (const auto& [of, odds] : odds_) {
    if (of == stretch) return odds.get();
  }
  auto made = std::make_unique<Odds>();
  for (size_t most = 0; most < made->size(); ++most) {
    const double share = stretch * static_cast<double>(most) / 255;
    (*made)[most] = share < 1 ? static_cast<float>(share / (1 - share)) : kHighestOdds;
  }
  return odds_.emplace_back(stretch, std::move(made)).second.get();
}

// An upper bound of what the clause adds to the score of a row of the block.
float MatchedBlocks::WeightedBound(const Clause& clause, std::span<const Entry> entries) const {
  const auto body = static_cast<float>(clause.body_weight);
  float own = 0;
  float more = 0;
  for (const Entry& entry : entries) {
    const uint32_t field = parts_[entry.part].field;
    if (field == kNoField) {
      own = std::max(own, body * MostOdds(entry));
    } else {
      const auto weight = static_cast<float>(clause.fields[field].weight);
      more += std::max(weight - body, 0.0F) * MostOdds(entry);
    }
  }
  return static_cast<float>(clause.weight) * ShareOf(own + more);
}

float MatchedBlocks::PlainBound(std::span<const Entry> entries) const {
  float sum = 0;
  for (const Entry& entry : entries) {
    const Part& part = parts_[entry.part];
    sum += part.unit * static_cast<float>(part.blocks->most(entry.place));
  }
  return sum;
}

std::vector<float> MatchedBlocks::BlockUpperBounds() const {
  std::vector<float> most(size());
  for (size_t block = 0; block < most.size(); ++block) {
    float sum = 0;
    if (!has_field_weights_ && !has_related_) {
      sum = PlainBound(EntriesOf(block));
    } else {
      ForEachClause(block, [&](const Clause& clause, std::span<const Entry> entries) {
        const auto [own, related] = DivideRelated(entries);
        float bound = clause.has_field_weights() ? WeightedBound(clause, own) : PlainBound(own);
        for (const Entry& entry : related) bound = std::max(bound, PlainBound({&entry, 1}));
        sum += bound;
      });
    }
    if (ScoredOnlyOf(block) != 0) sum *= static_cast<float>(scored_only_factor_);
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
  const uint64_t scored_only = rows & blocks_.ScoredOnlyOf(block);
  for (uint64_t left = scored_only; left != 0; left &= left - 1) {
    double& norm = norms_[static_cast<size_t>(std::countr_zero(left))];
    norm = std::max(norm, blocks_.scored_only_norm_);
  }
  AddUp(block, rows);
  for (uint64_t left = scored_only; left != 0; left &= left - 1) {
    sums_[static_cast<size_t>(std::countr_zero(left))] *= blocks_.scored_only_factor_;
  }
  return sums_;
}

void MatchedBlocks::Scorer::AddUp(size_t block, uint64_t rows) {
  const auto add = [&](std::span<const Entry> entries) {
    for (const Entry& entry : entries) {
      const Part& part = blocks_.parts_[entry.part];
      if (evidence_ == Evidence::kOnlyScores && !part.only_scores) continue;
      Add(*part.blocks, part.weight, entry.place, rows);
    }
  };
  const bool plain = !blocks_.has_field_weights_ && !blocks_.has_related_;
  if (plain || evidence_ == Evidence::kOnlyScores) return add(blocks_.EntriesOf(block));
  blocks_.ForEachClause(block, [&](const Clause& clause, std::span<const Entry> entries) {
    const auto [own, related] = blocks_.DivideRelated(entries);
    if (!related.empty()) return AddGreatest(clause, own, related, rows);
    clause.has_field_weights() ? AddWeighted(clause, own, rows) : add(own);
  });
}

// Adds the greatest of the scores of a clause and its related words.
void MatchedBlocks::Scorer::AddGreatest(const Clause& clause, std::span<const Entry> own,
                                        std::span<const Entry> related, uint64_t rows) {
  greatest_.fill(0);
  const bool by_field = clause.has_field_weights();
  uint64_t left = by_field ? CountByField(clause, own, rows) : 0;
  for (; left != 0; left &= left - 1) {
    const auto slot = static_cast<uint32_t>(std::countr_zero(left));
    const double tf = clause.body_weight * outside_[slot] + within_[slot];
    greatest_[slot] = clause.weight * tf / (tf + norms_[slot]);
  }
  if (!by_field) {
    for (const Entry& entry : own) RaiseGreatest(blocks_.parts_[entry.part], entry.place, rows);
  }
  for (const Entry& entry : related) RaiseGreatest(blocks_.parts_[entry.part], entry.place, rows);
  for (left = rows; left != 0; left &= left - 1) {
    const auto slot = static_cast<size_t>(std::countr_zero(left));
    sums_[slot] += greatest_[slot];
  }
}

void MatchedBlocks::Scorer::RaiseGreatest(const Part& part, size_t place, uint64_t rows) {
  ForEachCount(*part.blocks, place, rows, [&](uint32_t slot, uint32_t count) {
    const double tf = count;
    greatest_[slot] = std::max(greatest_[slot], part.weight * tf / (tf + norms_[slot]));
  });
}

uint64_t MatchedBlocks::Scorer::RowsThatMayReach(size_t block, uint64_t rows, double score) {
  if (!(score > 0)) return rows;
  marked_.clear();
  most_.clear();
  const auto add = [&](std::span<const Entry> entries) {
    for (const Entry& entry : entries) AddBound(entry);
  };
  if (!blocks_.has_field_weights_ && !blocks_.has_related_) {
    add(blocks_.EntriesOf(block));
  } else {
    blocks_.ForEachClause(block, [&](const Clause& clause, std::span<const Entry> entries) {
      const auto [own, related] = blocks_.DivideRelated(entries);
      if (!clause.has_field_weights()) {
        related.empty() ? add(own) : AddGreatestBounds(entries);
      } else {
        AddBounds(clause, own);
        add(related);
      }
    });
  }
  if (blocks_.ScoredOnlyOf(block) != 0) score /= blocks_.scored_only_factor_;
  const auto least = static_cast<float>(score / double{kRoundingMargin});
  return rows & SumsAtLeast(marked_.data(), most_.data(), marked_.size(), least);
}

void MatchedBlocks::Scorer::AddBound(const Entry& entry) {
  const Part& part = blocks_.parts_[entry.part];
  marked_.push_back(part.blocks->Rows(entry.place));
  most_.push_back(part.unit * static_cast<float>(part.blocks->most(entry.place)));
}

// Adds a bound for each posting block of a clause and its related words, and marks each row in the
// greatest one only.
void MatchedBlocks::Scorer::AddGreatestBounds(std::span<const Entry> entries) {
  const size_t first = marked_.size();
  for (const Entry& entry : entries) {
    AddBound(entry);
    for (size_t i = marked_.size() - 1; i > first && most_[i] > most_[i - 1]; --i) {
      std::swap(most_[i], most_[i - 1]);
      std::swap(marked_[i], marked_[i - 1]);
    }
  }
  uint64_t seen = 0;
  for (size_t i = first; i < marked_.size(); ++i)
    seen |= std::exchange(marked_[i], marked_[i] & ~seen);
}

// Adds, for each posting block of a clause with field weights, an upper bound of what its rows get
// for it: a field's rows get the clause's own bound as well.
void MatchedBlocks::Scorer::AddBounds(const Clause& clause, std::span<const Entry> entries) {
  const auto body = static_cast<float>(clause.body_weight);
  const auto unit = static_cast<float>(clause.weight);
  // A field adds most to the least odds of the clause.
  float own = kHighestOdds;
  float own_share = 1;
  for (const Entry& entry : entries) {
    const Part& part = blocks_.parts_[entry.part];
    float odds = blocks_.MostOdds(entry);
    float share = 0;
    if (part.field == kNoField) {
      odds *= body;
      share = ShareOf(odds);
      own = std::min(own, odds);
      own_share = std::min(own_share, share);
    } else {
      const float weight = static_cast<float>(clause.fields[part.field].weight) - body;
      if (!(weight > 0)) continue;
      share = ShareOf(own + weight * odds) - own_share;
    }
    marked_.push_back(part.blocks->Rows(entry.place));
    most_.push_back(unit * share);
  }
}

void MatchedBlocks::Scorer::Add(const PostingBlocks& blocks, double weight, size_t place,
                                uint64_t rows) {
  ForEachCount(blocks, place, rows, [&](uint32_t slot, uint32_t count) {
    const double tf = count;
    sums_[slot] += weight * tf / (tf + norms_[slot]);
  });
}

// Counts, for these rows, the occurrences outside of fields (outside_) and the weights of those
// within (within_). Returns: the rows that have the clause.
uint64_t MatchedBlocks::Scorer::CountByField(const Clause& clause, std::span<const Entry> entries,
                                             uint64_t rows) {
  uint64_t marked = 0;
  for (const Entry& entry : entries) {
    const Part& part = blocks_.parts_[entry.part];
    if (part.field == kNoField) {
      ForEachCount(*part.blocks, entry.place, rows, [&](uint32_t slot, uint32_t count) {
        outside_[slot] = count;
        within_[slot] = 0;
      });
      marked |= part.blocks->Rows(entry.place) & rows;
      continue;
    }
    const double weight = clause.fields[part.field].weight;
    ForEachCount(*part.blocks, entry.place, marked, [&](uint32_t slot, uint32_t count) {
      const uint32_t within = std::min(count, outside_[slot]);  // more only in a damaged store
      outside_[slot] -= within;
      within_[slot] += weight * within;
    });
  }
  return marked;
}

void MatchedBlocks::Scorer::AddWeighted(const Clause& clause, std::span<const Entry> entries,
                                        uint64_t rows) {
  for (uint64_t left = CountByField(clause, entries, rows); left != 0; left &= left - 1) {
    const auto slot = static_cast<uint32_t>(std::countr_zero(left));
    const double tf = clause.body_weight * outside_[slot] + within_[slot];
    sums_[slot] += clause.weight * tf / (tf + norms_[slot]);
  }
}

std::array<double, kTextFields> MatchedBlocks::Scorer::ScoreByField(size_t block, uint32_t slot) {
  std::array<double, kTextFields> scores{};
  const uint64_t row = uint64_t{1} << slot;
  const double norm = norm_(blocks_.first_row(block) + slot);
  blocks_.ForEachClause(block, [&](const Clause& clause, std::span<const Entry> all) {
    if (clause.only_scores) return;
    const auto [entries, related] = blocks_.DivideRelated(all);
    greatest_[slot] = 0;
    norms_[slot] = norm;
    for (const Entry& entry : related) {
      RaiseGreatest(blocks_.parts_[entry.part], entry.place, row);
    }
    const bool has_own = CountByField(clause, entries, row) != 0;
    const double all_tf = clause.body_weight * outside_[slot] + within_[slot];
    if (!has_own || greatest_[slot] > clause.weight * all_tf / (all_tf + norm)) {
      scores.back() += greatest_[slot];
      return;
    }
    const double body = clause.body_weight * outside_[slot];
    const double tf = body + within_[slot];
    const double unit = clause.weight / (tf + norm);
    scores.back() += unit * body;
    for (const Entry& entry : entries) {
      const Part& part = blocks_.parts_[entry.part];
      if (part.field == kNoField) continue;
      const FieldPostings& within = clause.fields[part.field];
      ForEachCount(*part.blocks, entry.place, row, [&](uint32_t, uint32_t count) {
        scores[static_cast<size_t>(within.field)] += unit * within.weight * count;
      });
    }
  });
  return scores;
}

}  // namespace recall
