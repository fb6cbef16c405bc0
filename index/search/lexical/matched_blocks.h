#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "index/search/lexical/bm25.h"
#include "index/search/lexical/clause_postings.h"
#include "index/search/lexical_query/field_weights.h"
#include "index/search/lexical_query/lexical_query.h"

namespace recall {

// The chunk rowids that match a query, as a bit mask for each block of 64 rows, and the postings of
// each block for scoring. Blocks are numbered from 0 here: either all blocks from the first to the
// last one with postings or, if these are far apart, only the blocks with postings. Const members
// are thread-safe. Must not outlive the columns.
class MatchedBlocks final {
  // By PostingBlocks::most: an upper bound of tf / norm.
  using Odds = std::array<float, 256>;
  // The postings that score, in the order of clauses; of a clause first its own, by rows, then
  // those of its fields, and last those of its related words.
  struct Part {
    const PostingBlocks* blocks;  // in clauses_
    uint32_t clause;
    uint32_t field;  // index in Clause::fields; kNoField for the clause's own postings
    double weight;
    float unit;        // the contribution of a maximum of 1; without field weights
    const Odds* odds;  // with field weights; in odds_
    bool only_scores;
    bool related;  // of Clause::related
  };
  static constexpr uint32_t kNoField = ~uint32_t{0};
  struct Entry {
    uint32_t part;
    uint32_t place;  // index of the block within the part
  };

 public:
  // The occurrences of a clause within one field of the cards, each of which counts `weight`
  // times: a part of the clause's own postings.
  struct FieldPostings {
    CardField field;
    double weight;
    SharedPostings postings;
  };
  // The postings of a word that means nearly the same as the clause.
  struct RelatedPostings {
    double weight = 0;  // as Clause::weight, at most that
    SharedPostings postings;
  };
  struct Clause {
    LexicalClause::Occur occur = LexicalClause::Occur::kShould;
    SharedPostings postings;
    double weight = 0;         // count in the query * idf * (k1 + 1)
    bool only_scores = false;  // its postings match nothing, but add to the scores of matches
    double body_weight = 1;    // how often an occurrence outside of `fields` counts
    std::vector<FieldPostings> fields;  // by field
    // A row that has several of the clause and these gets the greatest of their scores.
    std::vector<RelatedPostings> related = {};

    bool has_field_weights() const { return body_weight != 1 || !fields.empty(); }
  };
  // Which clauses a Scorer adds up.
  enum class Evidence { kAll, kOnlyScores };
  // An empty set.
  MatchedBlocks() = default;
  MatchedBlocks(const ChunkColumns& columns, double average_length, std::vector<Clause> clauses);
  MatchedBlocks(MatchedBlocks&&) = default;
  MatchedBlocks& operator=(MatchedBlocks&&) = default;

  size_t size() const { return rows_.size(); }
  uint32_t first_row(size_t block) const { return NumberOf(block) * PostingBlocks::kRows; }
  // The block of a chunk rowid; nothing if no clause has postings there.
  std::optional<size_t> Find(uint32_t row) const;
  uint64_t rows(size_t block) const { return rows_[block]; }
  // The masks of all blocks if no number is missing; else empty.
  std::span<const uint64_t> adjacent_rows() const {
    return numbers_.empty() ? std::span<const uint64_t>(rows_) : std::span<const uint64_t>();
  }
  std::vector<Clause>& clauses() { return clauses_; }
  const std::vector<Clause>& clauses() const { return clauses_; }

  // A set of rows as one bit mask for each block of this object.
  struct RowBits {
    std::vector<uint64_t> rows;
    std::vector<uint32_t> some;  // blocks with members
  };
  RowBits LayOut(const Bitmap& rows) const;
  // The number of postings among these rows. Requires: they are of a clause, and LayOut made
  // `rows`.
  uint64_t CountAmong(const ClausePostings& postings, const RowBits& rows) const;

  bool has_must() const;
  // Computes the matches: the rows with every +must and no -not clause and, if there is no +must
  // clause, at least one of the others.
  void Match();
  // Keeps, or drops, the matches among these rows. Requires: one word for each block.
  void Keep(std::span<const uint64_t> rows);
  void Drop(std::span<const uint64_t> rows);
  // Adds matches that contain no clause but those with only_scores. The weights of these are
  // multiplied by `factor`, at least 1, for these matches, and their texts are scored with at least
  // `length` times the average length. `rows`: a mask for each block. Requires: none of them
  // matches yet.
  void AddScoredOnly(std::vector<uint64_t> rows, double factor, double length);
  // The rows that contain a clause, as a mask for each block.
  std::vector<uint64_t> RowsWith(const Clause& clause) const;
  uint64_t CountMatches() const;
  // Collects the postings of each block with matches. Call it after the weights of the clauses are
  // set and the matches are final.
  void PrepareScoring();
  // By block, an upper bound of the scores of its matches. Requires: PrepareScoring, like
  // everything below.
  std::vector<float> BlockUpperBounds() const;

  // Scores the rows of blocks. One per thread.
  class Scorer final {
   public:
    explicit Scorer(const MatchedBlocks& blocks, Evidence evidence = Evidence::kAll)
        : blocks_(blocks), evidence_(evidence), norm_(*blocks.columns_, blocks.average_length_) {}
    // The BM25 scores of these rows of the block, which must match; other rows have unspecified
    // values. By row % 64, valid until the next call.
    const std::array<double, PostingBlocks::kRows>& Score(size_t block, uint64_t rows);
    // The parts of the score of row % 64 that occurrences in each field and in other text have.
    std::array<double, kTextFields> ScoreByField(size_t block, uint32_t slot);
    // Those of these rows that may have at least this score. Adds up a maximum for each posting,
    // which costs a small part of scoring the rows.
    uint64_t RowsThatMayReach(size_t block, uint64_t rows, double score);

   private:
    void AddUp(size_t block, uint64_t rows);
    void Add(const PostingBlocks& blocks, double weight, size_t place, uint64_t rows);
    void AddWeighted(const Clause& clause, std::span<const Entry> entries, uint64_t rows);
    void AddGreatest(const Clause& clause, std::span<const Entry> own,
                     std::span<const Entry> related, uint64_t rows);
    void RaiseGreatest(const Part& part, size_t place, uint64_t rows);
    uint64_t CountByField(const Clause& clause, std::span<const Entry> entries, uint64_t rows);
    void AddBounds(const Clause& clause, std::span<const Entry> entries);
    void AddGreatestBounds(std::span<const Entry> entries);
    void AddBound(const Entry& entry);
    const MatchedBlocks& blocks_;
    Evidence evidence_;
    std::vector<uint64_t> marked_;  // by entry of a block: the rows that have its posting
    std::vector<float> most_;       // the maximum of its postings
    ChunkNorm norm_;
    std::array<double, PostingBlocks::kRows> norms_{};
    std::array<double, PostingBlocks::kRows> sums_{};
    std::array<double, PostingBlocks::kRows> greatest_{};   // of one clause and its related words
    std::array<uint32_t, PostingBlocks::kRows> outside_{};  // occurrences outside of fields
    std::array<double, PostingBlocks::kRows> within_{};     // weights of those within
  };

 private:
  uint32_t NumberOf(size_t block) const {
    return numbers_.empty() ? first_ + static_cast<uint32_t>(block) : numbers_[block];
  }
  void NumberBlocks();
  // Calls visit(block, place) for each block of the postings.
  template <typename Visit>
  void ForEachBlock(const PostingBlocks& blocks, Visit visit) const;
  void Mark(const ClausePostings& postings, std::vector<uint64_t>* rows) const;
  // Divides the entries of a clause into its own and those of its related words.
  std::pair<std::span<const Entry>, std::span<const Entry>> DivideRelated(
      std::span<const Entry> entries) const;
  float PlainBound(std::span<const Entry> entries) const;
  std::span<const Entry> EntriesOf(size_t block) const {
    return {entries_.data() + starts_[block], starts_[block + 1] - starts_[block]};
  }
  // Calls visit(clause, entries) for each clause with postings in a block, in the order of clauses.
  template <typename Visit>
  void ForEachClause(size_t block, Visit visit) const;
  float WeightedBound(const Clause& clause, std::span<const Entry> entries) const;
  float MostOdds(const Entry& entry) const {
    const Part& part = parts_[entry.part];
    return (*part.odds)[part.blocks->most(entry.place)];
  }
  const Odds* OddsOf(double stretch);
  uint64_t ScoredOnlyOf(size_t block) const {
    return scored_only_.empty() ? 0 : scored_only_[block];
  }

  const ChunkColumns* columns_ = nullptr;
  double average_length_ = 1;
  std::vector<Clause> clauses_;
  uint32_t first_ = 0;  // the store's number of block 0
  // The store's numbers of all blocks; empty if no number is missing.
  std::vector<uint32_t> numbers_;
  std::vector<uint64_t> rows_;
  std::vector<uint64_t> scored_only_;  // those of AddScoredOnly; empty if there are none
  double scored_only_factor_ = 1;
  double scored_only_norm_ = 0;
  std::vector<Part> parts_;
  std::vector<std::pair<double, std::unique_ptr<const Odds>>> odds_;  // by stretch
  bool has_field_weights_ = false;  // whether a clause that scores has
  bool has_related_ = false;        // whether a clause has related words
  std::vector<uint64_t> starts_;    // by block: its first entry in entries_; then the end
  std::vector<Entry> entries_;      // of blocks with matches, in the order of parts
};

}  // namespace recall
