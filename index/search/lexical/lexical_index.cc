#include "index/search/lexical/lexical_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <utility>

#include "index/search/lexical/bm25.h"
#include "index/search/lexical/name_matches.h"
#include "index/search/lexical/related_postings.h"

namespace recall {
namespace {

// Lexical search: BM25 over blocks of 64 chunk rowids, with block-max pruning.
//
//   query --ReadClauses--> postings of each clause, as blocks of 64 rows (clause_postings.cc)
//     Weigh          df of live chunks -> idf -> weight of each clause
//     Match          64-bit masks: AND of +must, OR of the others, AND NOT of -not, AND filter
//     PrepareScoring upper bound of each block with matches: sum over clauses of weight * maximum
//     Top(k)         blocks by descending upper bound; of a block that can enter the top k, the
//                    rows whose own upper bound can
//
// Problem: the query of `similar`, or one with common words, matches a large part of the store, but
// only the best hundred are wanted. Document-at-a-time algorithms (WAND) pay for each posting.
//
// Idea: matching with bit masks costs one operation for 64 rows. Upper bounds are then known for
// all blocks, and scoring the most promising blocks first raises the threshold early (block-max
// pruning: Ding and Suel, 2011; Mallia, Suel and Tonellotto, 2024). BlocksByMost orders blocks by a
// counting sort into 1024 steps; a finer order would prune hardly more. For queries of many words,
// such as that of `similar`, the bound of a block is far above the scores of its rows, because
// different rows have the maxima of different words. So each row gets a bound of its own, from the
// maxima of the words that it contains: additions in registers, without counts and lengths.
//
// Invariants: the result is exact, including ties: a block is omitted only if its bound is below
// the k-th best score. Scores are doubles, added clause by clause in the query's order, so they do
// not depend on the order of blocks, on k or on the source of postings. The number of matches is
// exact.
//
// Cost: O(blocks x clauses) for masks and bounds, O(postings) for the scored blocks, O(log k) for
// each offered hit. AtLeast, Rank and Score reuse the same bounds.

using Occur = LexicalClause::Occur;

// The weight of a word as it is typed beside that of all its forms.
constexpr double kTypedWeight = 0.1;

// Calls visit(slot) for each set bit.
template <typename Visit>
void ForEachBit(uint64_t bits, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<uint32_t>(std::countr_zero(bits)));
}

// The occurrences of a clause within a field, which count another number of times than others.
struct FieldClause {
  size_t of = 0;  // index of the clause
  CardField field{};
};

std::vector<FieldClause> FieldClauses(const LexicalQuery& query) {
  std::vector<FieldClause> within;
  for (size_t i = 0; i < query.clauses.size(); ++i) {
    if (query.clauses[i].occur == Occur::kMustNot) continue;
    for (size_t f = 0; f < kCardFields; ++f) {
      const auto field = static_cast<CardField>(f);
      if (query.field_weights.of(field) != query.field_weights.body) within.push_back({i, field});
    }
  }
  return within;
}

// The phrases of a clause, as the index has them of a field.
std::vector<FtsPhrase> WithinField(const LexicalClause& clause, CardField field) {
  std::vector<FtsPhrase> phrases = clause.any_of;
  for (FtsPhrase& phrase : phrases) {
    for (std::string& token : phrase.tokens) token = CardToken(field, token);
  }
  return phrases;
}

// The best of the offered hits: a heap with the worst hit on top.
class BestHits final {
 public:
  explicit BestHits(size_t most) : most_(most) { hits_.reserve(most); }

  void Offer(const RetrieverHit& hit) {
    if (hits_.size() == most_) {
      if (!IsBetter(hit, hits_.front())) return;
      std::ranges::pop_heap(hits_, IsBetter);
      hits_.pop_back();
    }
    hits_.push_back(hit);
    std::ranges::push_heap(hits_, IsBetter);
  }
  // A hit with a lower score cannot enter.
  double least() const { return hits_.size() < most_ ? 0 : hits_.front().score; }
  std::vector<RetrieverHit> TakeSorted() {
    std::ranges::sort_heap(hits_, IsBetter);
    return std::move(hits_);
  }

 private:
  size_t most_;
  std::vector<RetrieverHit> hits_;
};

}  // namespace

// Reads postings and finds the matches. Scores nothing.
class LexicalSearch final {
 public:
  LexicalSearch(const ReadTransaction& transaction, const StoreCounts& counts,
                const ChunkColumns& columns, const ChunkFilter& filter, RecentPostings* recent)
      : transaction_(transaction),
        columns_(columns),
        filter_(filter),
        recent_(recent),
        chunks_(static_cast<uint64_t>(std::max<int64_t>(counts.chunks, 0))) {
    if (counts.chunks > 0 && counts.lexical_tokens > 0) {
      average_length_ =
          static_cast<double>(counts.lexical_tokens) / static_cast<double>(counts.chunks);
    }
  }

  Result<LexicalScores> Run(const LexicalQuery& query) {
    RECALL_TRY(Read(query));
    Weigh(query);
    RECALL_TRY(Match(query));
    return std::move(scores_);
  }

 private:
  Status Read(const LexicalQuery& query) {
    ChunkNorm norm(columns_, average_length_);
    LexicalQuery all;
    all.clauses = query.clauses;
    for (const PathWord& word : query.path_words) {
      all.clauses.emplace_back().any_of.push_back({{word.token}, false});
    }
    const size_t without_fields = all.clauses.size();
    const std::vector<FieldClause> within = FieldClauses(query);
    for (const FieldClause& clause : within) {
      all.clauses.emplace_back().any_of = WithinField(query.clauses[clause.of], clause.field);
    }
    const size_t without_forms = all.clauses.size();
    for (const LexicalClause& clause : query.clauses) {
      for (const std::string& form : clause.forms) {
        all.clauses.emplace_back().any_of.push_back({{form}, false});
      }
    }
    RECALL_ASSIGN(std::vector<SharedPostings> postings,
                  ReadClauses(transaction_, all, average_length_, std::ref(norm), recent_));
    const Bitmap none;
    const Bitmap& removed = filter_.removed ? *filter_.removed : none;
    RECALL_ASSIGN(related_,
                  ReadRelatedPostings(transaction_, query, postings, MostRelatedMatches(chunks_),
                                      average_length_, std::ref(norm), removed));
    std::vector<MatchedBlocks::Clause> clauses;
    for (size_t i = 0; i < without_fields; ++i) {
      const bool only_scores = i >= query.clauses.size();
      clauses.push_back({all.clauses[i].occur,
                         std::move(postings[i]),
                         0,
                         only_scores,
                         only_scores ? 1 : query.field_weights.body,
                         {}});
    }
    size_t next_form = without_forms;
    for (size_t i = 0; i < query.clauses.size(); ++i) {
      if (HasTypedForm(query.clauses[i])) {
        clauses.push_back(
            {Occur::kShould, clauses[i].postings, 0, false, query.field_weights.body, {}});
      }
      for (size_t form = 0; form < query.clauses[i].forms.size(); ++form) {
        clauses[i].related.push_back({0, std::move(postings[next_form++])});
      }
    }
    for (size_t i = 0; i < related_.size(); ++i) {
      for (const FoundRelated& found : related_[i]) {
        clauses[i].related.push_back({0, found.postings});
      }
    }
    for (size_t i = 0; i < within.size(); ++i) {
      const auto [of, field] = within[i];
      SharedPostings& found = postings[without_fields + i];
      if (found->empty()) continue;
      clauses[of].fields.push_back({field, query.field_weights.of(field), std::move(found)});
    }
    scores_.blocks_ = MatchedBlocks(columns_, average_length_, std::move(clauses));
    if (filter_.removed) removed_ = scores_.blocks_.LayOut(*filter_.removed);
    return Status::Ok();
  }

  static uint64_t CountPostings(const ClausePostings& postings) {
    uint64_t count = 0;
    for (const PostingPart& part : postings) count += part.blocks.postings();
    return count;
  }

  uint64_t CountLive(const ClausePostings& postings) const {
    const uint64_t count = CountPostings(postings);
    // In a damaged list more rows may be marked than it counts.
    return count - std::min(count, scores_.blocks_.CountAmong(postings, removed_));
  }

  // Whether the word counts a little more as it is typed, in a clause after those of path words.
  static bool HasTypedForm(const LexicalClause& clause) {
    return !clause.forms.empty() && clause.occur == Occur::kShould;
  }

  // The forms of a word are one word: the most frequent one says how many chunks have it. The word
  // as it is typed ranks first, but only where there are other forms.
  void WeighForms(const LexicalClause& asked, size_t index, double unit, LexicalTerm& term) {
    const uint64_t typed = term.matches;
    uint64_t most = 0;
    for (size_t form = 0; form < asked.forms.size(); ++form) {
      const auto& found = scores_.blocks_.clauses()[index].related[form];
      most = std::max(most, CountLive(*found.postings));
    }
    term.matches = std::max(typed, most);
    if (!HasTypedForm(asked)) return;
    MatchedBlocks::Clause& as_typed = scores_.blocks_.clauses()[next_typed_++];
    if (most == 0) return;
    as_typed.weight = unit * kTypedWeight * InverseDocumentFrequency(chunks_, typed);
    scores_.score_upper_bound_ += as_typed.weight;
  }

  // `unit`: the factor of an idf in the weight of the clause. `forms`: how many come before.
  void WeighRelated(size_t index, size_t forms, double unit, LexicalTerm& term) {
    std::vector<MatchedBlocks::RelatedPostings>& all = scores_.blocks_.clauses()[index].related;
    for (size_t form = 0; form < forms; ++form) all[form].weight = unit * term.idf;
    for (size_t r = 0; r < related_[index].size(); ++r) {
      const auto& [word, matches, postings] = related_[index][r];
      const double idf = std::min(term.idf, InverseDocumentFrequency(chunks_, matches));
      all[forms + r].weight = unit * kRelatedWeight * word->similarity * idf;
      term.related.push_back({word->word, word->similarity, matches});
    }
  }

  void Weigh(const LexicalQuery& query) {
    std::vector<double> most(query.clauses.size());
    std::vector<double> instead(query.clauses.size());
    next_typed_ = query.clauses.size() + query.path_words.size();
    for (size_t i = 0; i < query.clauses.size(); ++i) {
      MatchedBlocks::Clause& clause = scores_.blocks_.clauses()[i];
      LexicalTerm term{query.clauses[i].text, CountLive(*clause.postings), 0, clause.occur};
      if (clause.occur != Occur::kMustNot) {
        const LexicalClause& asked = query.clauses[i];
        const double unit = asked.count * asked.boost * (kBm25K1 + 1);
        if (!asked.forms.empty()) WeighForms(asked, i, unit, term);
        term.idf = InverseDocumentFrequency(chunks_, term.matches);
        clause.weight = asked.count * asked.boost * term.idf * (kBm25K1 + 1);
        WeighRelated(i, asked.forms.size(), unit, term);
        const bool counts = !asked.stands_for && (!asked.optional || term.matches > 0);
        most[asked.stands_for.value_or(i)] += counts ? clause.weight : 0;
        if (asked.stands_for) instead[*asked.stands_for] += clause.weight;
      }
      scores_.terms_.push_back(std::move(term));
    }
    for (size_t i = 0; i < most.size(); ++i) {
      scores_.score_upper_bound_ += std::max(most[i], instead[i]);
    }
    for (size_t i = 0; i < query.path_words.size(); ++i) {
      MatchedBlocks::Clause& clause = scores_.blocks_.clauses()[query.clauses.size() + i];
      const uint64_t matches = CountLive(*clause.postings);
      const double idf = InverseDocumentFrequency(chunks_, matches);
      clause.weight = query.path_words[i].count * kPathWeight * idf * (kBm25K1 + 1);
    }
  }

  Status Match(const LexicalQuery& query) {
    MatchedBlocks& blocks = scores_.blocks_;
    blocks.Match();
    std::vector<uint64_t> allowed;
    if (filter_.allowed) {
      allowed = blocks.LayOut(*filter_.allowed).rows;
      blocks.Keep(allowed);
    }
    if (filter_.removed) blocks.Drop(removed_.rows);
    RECALL_TRY(MatchNames(query, allowed));
    scores_.matches_ = blocks.CountMatches();
    blocks.PrepareScoring();
    scores_.most_ = blocks.BlockUpperBounds();
    return Status::Ok();
  }

  // Adds the documents that are found by their names alone. `allowed`: the rows that pass the
  // filter; empty if there is none.
  Status MatchNames(const LexicalQuery& query, const std::vector<uint64_t>& allowed) {
    MatchedBlocks& blocks = scores_.blocks_;
    if (query.path_words.empty() || blocks.has_must()) return Status::Ok();
    std::vector<NamedWord> words;
    for (size_t i = 0; i < query.clauses.size(); ++i) {
      if (query.clauses[i].expandable) words.push_back({.text = i, .idf = scores_.terms_[i].idf});
    }
    for (size_t i = 0; i < query.path_words.size(); ++i) {
      const size_t path = query.clauses.size() + i;
      if (CountLive(*blocks.clauses()[path].postings) == 0) continue;
      const size_t text = query.path_words[i].clause;
      std::ranges::find(words, text, &NamedWord::text)->path = path;
      scores_.terms_[text].in_names = true;
    }
    RECALL_ASSIGN(std::vector<uint64_t> rows,
                  FindNamedRows(transaction_.connection(), blocks, words, allowed, removed_.rows));
    if (!rows.empty()) {
      blocks.AddScoredOnly(std::move(rows), 1 / kPathWeight, kNameLength);
    }
    return Status::Ok();
  }

  const ReadTransaction& transaction_;
  const ChunkColumns& columns_;
  const ChunkFilter& filter_;
  RecentPostings* const recent_;
  const uint64_t chunks_;
  double average_length_ = 1;
  std::vector<std::vector<FoundRelated>> related_;  // by clause of the query
  MatchedBlocks::RowBits removed_;
  size_t next_typed_ = 0;  // in the clauses of blocks_: that of the next word with forms
  LexicalScores scores_;
};

// The blocks with matches, by descending upper bound. The bounds are rounded to kSteps values,
// because a finer order would not prune more.
std::vector<uint32_t> LexicalScores::BlocksByMost() const {
  constexpr size_t kSteps = 1024;
  const float highest = most_.empty() ? 0 : *std::ranges::max_element(most_);
  if (!(highest > 0)) return {};
  const float steps = kSteps / highest;
  const auto step = [&](float most) {
    return kSteps - std::min(static_cast<size_t>(most * steps), kSteps);
  };
  std::array<uint32_t, kSteps + 2> starts{};
  for (const float most : most_) {
    if (most > 0) ++starts[step(most) + 1];
  }
  for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  std::vector<uint32_t> order(starts.back());
  for (size_t i = 0; i < most_.size(); ++i) {
    if (most_[i] > 0) order[starts[step(most_[i])]++] = static_cast<uint32_t>(i);
  }
  return order;
}

std::vector<RetrieverHit> LexicalScores::AtLeast(double score) const {
  std::vector<RetrieverHit> hits;
  if (matches_ == 0) return hits;
  MatchedBlocks::Scorer scorer(blocks_);
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_.rows(i) == 0 || most_[i] < score) continue;
    const uint64_t rows = scorer.RowsThatMayReach(i, blocks_.rows(i), score);
    if (rows == 0) continue;
    const auto& scores = scorer.Score(i, rows);
    ForEachBit(rows, [&](uint32_t slot) {
      if (scores[slot] >= score) hits.push_back({blocks_.first_row(i) + slot, scores[slot]});
    });
  }
  return hits;
}

std::vector<RetrieverHit> LexicalScores::Top(size_t k) const {
  if (k == 0 || matches_ == 0) return {};
  if (k >= matches_) {
    std::vector<RetrieverHit> hits = AtLeast(0);
    std::ranges::sort(hits, IsBetter);
    return hits;
  }
  BestHits best(k);
  MatchedBlocks::Scorer scorer(blocks_);
  for (const uint32_t i : BlocksByMost()) {
    // A later block of the same step may have a higher bound, so this is `continue` and not
    // `break`.
    if (most_[i] < best.least()) continue;
    const uint64_t rows = scorer.RowsThatMayReach(i, blocks_.rows(i), best.least());
    if (rows == 0) continue;
    const auto& scores = scorer.Score(i, rows);
    ForEachBit(rows, [&](uint32_t slot) {
      best.Offer({blocks_.first_row(i) + slot, scores[slot]});
    });
  }
  return best.TakeSorted();
}

bool LexicalScores::Holds(uint32_t chunk) const {
  const auto block = blocks_.Find(chunk);
  return block && (blocks_.rows(*block) >> chunk % PostingBlocks::kRows & 1) != 0;
}

double LexicalScores::Score(uint32_t chunk) const {
  return ScoreOf(chunk, MatchedBlocks::Evidence::kAll);
}

double LexicalScores::PathScore(uint32_t chunk) const {
  return ScoreOf(chunk, MatchedBlocks::Evidence::kOnlyScores);
}

double LexicalScores::ScoreOf(uint32_t chunk, MatchedBlocks::Evidence evidence) const {
  const uint32_t slot = chunk % PostingBlocks::kRows;
  const uint64_t row = uint64_t{1} << slot;
  const auto block = blocks_.Find(chunk);
  if (!block || (blocks_.rows(*block) & row) == 0) return 0;
  return MatchedBlocks::Scorer(blocks_, evidence).Score(*block, row)[slot];
}

std::array<double, kTextFields> LexicalScores::ScoreByField(uint32_t chunk) const {
  if (!Holds(chunk)) return {};
  return MatchedBlocks::Scorer(blocks_).ScoreByField(*blocks_.Find(chunk),
                                                     chunk % PostingBlocks::kRows);
}

uint64_t LexicalScores::Rank(const RetrieverHit& hit) const {
  const auto better = [&](const RetrieverHit& other) { return IsBetter(other, hit); };
  return 1 + static_cast<uint64_t>(std::ranges::count_if(AtLeast(hit.score), better));
}

Bitmap LexicalScores::Matches() const {
  const std::span<const uint64_t> adjacent = blocks_.adjacent_rows();
  if (!adjacent.empty()) return Bitmap::OfBits(blocks_.first_row(0), adjacent);
  std::vector<uint32_t> matches;
  matches.reserve(matches_);
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const uint32_t first = blocks_.first_row(i);
    ForEachBit(blocks_.rows(i), [&](uint32_t slot) { matches.push_back(first + slot); });
  }
  return Bitmap::Of(matches);
}

std::optional<Bitmap> LexicalScores::Required() const {
  if (!blocks_.has_must()) return std::nullopt;
  return Matches();
}

Bitmap LexicalScores::Excluded() const {
  Bitmap excluded;
  for (const MatchedBlocks::Clause& clause : blocks_.clauses()) {
    if (clause.occur != Occur::kMustNot) continue;
    for (const PostingPart& part : *clause.postings) {
      for (const Posting& posting : part.blocks.Decode()) excluded.Add(posting.row);
    }
  }
  return excluded;
}

Result<LexicalScores> SearchLexical(const ReadTransaction& transaction, const StoreCounts& counts,
                                    const ChunkColumns& columns, const LexicalQuery& query,
                                    const ChunkFilter& filter, RecentPostings* recent) {
  RECALL_TRY(columns.OpenLengths());
  return LexicalSearch(transaction, counts, columns, filter, recent).Run(query);
}

}  // namespace recall
