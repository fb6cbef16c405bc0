#include "index/lexical/lexical_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "index/lexical/natural_log.h"
#include "index/lexical/posting_merge.h"

namespace recall {
namespace {

using Occur = LexicalClause::Occur;

constexpr double kK1 = 1.5;
constexpr double kB = 0.75;

// Rows are scored in windows small enough for the first-level cache.
constexpr uint32_t kWindow = 2048;
using WindowBits = std::array<uint64_t, kWindow / 64>;

// One clause's postings, and how far the scoring has read them.
struct ClauseCursor {
  Occur occur;
  double weight = 0;  // count * idf * (k1 + 1)
  PostingList postings;
  size_t next = 0;
  size_t window_begin = 0;  // postings of the current window: [window_begin, next)
};

}  // namespace

double InverseDocumentFrequency(uint64_t chunks, uint64_t matches) {
  const auto n = static_cast<double>(std::max(chunks, matches));
  const auto df = static_cast<double>(matches);
  return NaturalLog(1 + (n - df + 0.5) / (df + 0.5));
}

bool IsBetter(const LexicalHit& a, const LexicalHit& b) {
  return a.score != b.score ? a.score > b.score : a.chunk < b.chunk;
}

// Reads postings, then scores them window by window: mark what matches, look up lengths in row
// order, add the clauses up in query order.
class LexicalScorer final {
 public:
  LexicalScorer(const ReadTransaction& transaction, const ChunkColumns& columns,
                const ChunkFilter& filter)
      : transaction_(transaction), filter_(filter), lengths_(columns) {
    const StoreCounts& counts = transaction.counts();
    if (counts.chunks > 0 && counts.lexical_tokens > 0) {
      average_length_ =
          static_cast<double>(counts.lexical_tokens) / static_cast<double>(counts.chunks);
    }
  }

  Result<LexicalScores> Run(const LexicalQuery& query) {
    RECALL_TRY(ReadClauses(query));
    if (FindRows()) {
      WeighClauses(query);
      ListExcluded();
      ScoreRows();
    } else {
      WeighClauses(query);
    }
    return std::move(scores_);
  }

 private:
  Status ReadClauses(const LexicalQuery& query) {
    std::vector<FtsPhrase> phrases;
    for (const LexicalClause& clause : query.clauses) {
      phrases.insert(phrases.end(), clause.any_of.begin(), clause.any_of.end());
    }
    RECALL_ASSIGN(std::vector<PostingList> lists, ReadPostings(transaction_.connection(), phrases));
    auto from = std::make_move_iterator(lists.begin());
    for (const LexicalClause& clause : query.clauses) {
      const auto to = from + static_cast<ptrdiff_t>(clause.any_of.size());
      cursors_.push_back({clause.occur, 0, MergePostings({from, to}), 0, 0});
      from = to;
    }
    return Status::Ok();
  }

  // The span of rows that any clause mentions. Returns: false when there is none.
  bool FindRows() {
    first_row_ = std::numeric_limits<uint32_t>::max();
    for (const ClauseCursor& cursor : cursors_) {
      if (cursor.postings.empty()) continue;
      first_row_ = std::min(first_row_, cursor.postings.front().row);
      last_row_ = std::max(last_row_, cursor.postings.back().row);
      postings_ += cursor.postings.size();
    }
    if (postings_ == 0) return false;
    removed_.emplace(filter_.removed, first_row_, last_row_, postings_);
    allowed_.emplace(filter_.allowed, first_row_, last_row_, postings_);
    return true;
  }

  uint64_t CountLive(const PostingList& postings) const {
    if (!filter_.removed) return postings.size();
    return static_cast<uint64_t>(std::ranges::count_if(
        postings, [this](const Posting& posting) { return !removed_->Contains(posting.row); }));
  }

  void WeighClauses(const LexicalQuery& query) {
    const auto chunks = static_cast<uint64_t>(std::max<int64_t>(transaction_.counts().chunks, 0));
    for (size_t i = 0; i < cursors_.size(); ++i) {
      const LexicalClause& clause = query.clauses[i];
      LexicalTerm term{clause.text, CountLive(cursors_[i].postings), 0, clause.occur};
      if (clause.occur != Occur::kMustNot) {
        term.idf = InverseDocumentFrequency(chunks, term.matches);
        cursors_[i].weight = clause.count * term.idf * (kK1 + 1);
        scores_.ceiling_ += cursors_[i].weight;
      }
      scores_.has_must_ |= clause.occur == Occur::kMust;
      scores_.terms_.push_back(std::move(term));
    }
  }

  void ListExcluded() {
    std::vector<PostingList> lists;
    for (const ClauseCursor& cursor : cursors_) {
      if (cursor.occur == Occur::kMustNot) lists.push_back(cursor.postings);
    }
    for (const Posting& posting : MergePostings(std::move(lists))) {
      scores_.excluded_.push_back(posting.row);
    }
  }

  void ScoreRows() {
    scores_.hits_.reserve(postings_);  // what is not used is never touched
    for (uint64_t row = NextRow(); row <= last_row_; row = NextRow()) {
      base_ = static_cast<uint32_t>(row - row % kWindow);
      for (ClauseCursor& cursor : cursors_) EnterWindow(&cursor);
      FindMatches();
      DropFiltered();
      AddScores();
    }
  }

  // The smallest row that no window has covered yet; beyond last_row_ when none is left.
  uint64_t NextRow() const {
    uint64_t row = uint64_t{last_row_} + 1;
    for (const ClauseCursor& cursor : cursors_) {
      if (cursor.next == cursor.postings.size()) continue;
      row = std::min<uint64_t>(row, cursor.postings[cursor.next].row);
    }
    return row;
  }

  void EnterWindow(ClauseCursor* cursor) const {
    cursor->window_begin = cursor->next;
    const PostingList& postings = cursor->postings;
    while (cursor->next < postings.size() && postings[cursor->next].row - base_ < kWindow) {
      ++cursor->next;
    }
  }

  void Mark(const ClauseCursor& cursor, WindowBits* bits) const {
    for (size_t i = cursor.window_begin; i < cursor.next; ++i) {
      const uint32_t slot = cursor.postings[i].row - base_;
      (*bits)[slot / 64] |= uint64_t{1} << (slot % 64);
    }
  }

  // matches_ = every must (or, without one, any should), and no must-not.
  void FindMatches() {
    matches_.fill(scores_.has_must_ ? ~uint64_t{0} : 0);
    WindowBits excluded{};
    for (const ClauseCursor& cursor : cursors_) {
      if (cursor.occur == Occur::kMustNot) {
        Mark(cursor, &excluded);
      } else if (!scores_.has_must_) {
        Mark(cursor, &matches_);
      } else if (cursor.occur == Occur::kMust) {
        WindowBits holds{};
        Mark(cursor, &holds);
        for (size_t i = 0; i < holds.size(); ++i) matches_[i] &= holds[i];
      }
    }
    for (size_t i = 0; i < excluded.size(); ++i) matches_[i] &= ~excluded[i];
  }

  template <typename Visit>
  void ForEachMatch(Visit visit) const {
    for (uint32_t i = 0; i < matches_.size(); ++i) {
      for (uint64_t word = matches_[i]; word != 0; word &= word - 1) {
        visit(i * 64 + static_cast<uint32_t>(std::countr_zero(word)));
      }
    }
  }

  void DropFiltered() {
    if (filter_.PassesAll()) return;
    ForEachMatch([this](uint32_t slot) {
      const uint32_t row = base_ + slot;
      const bool passes = (!filter_.allowed || allowed_->Contains(row)) && !removed_->Contains(row);
      if (!passes) matches_[slot / 64] &= ~(uint64_t{1} << (slot % 64));
    });
  }

  void AddScores() {
    const double fixed = kK1 * (1 - kB);
    const double per_token = kK1 * kB / average_length_;
    ForEachMatch([&](uint32_t slot) {
      norms_[slot] = fixed + per_token * lengths_.LexicalTokens(base_ + slot);
      sums_[slot] = 0;
    });
    for (const ClauseCursor& cursor : cursors_) {
      if (cursor.occur == Occur::kMustNot) continue;
      for (size_t i = cursor.window_begin; i < cursor.next; ++i) {
        // Slots that do not match hold numbers of no meaning, and nobody reads them.
        const uint32_t slot = cursor.postings[i].row - base_;
        const double tf = cursor.postings[i].count;
        sums_[slot] += cursor.weight * tf / (tf + norms_[slot]);
      }
    }
    ForEachMatch([this](uint32_t slot) { scores_.hits_.push_back({base_ + slot, sums_[slot]}); });
  }

  const ReadTransaction& transaction_;
  const ChunkFilter& filter_;
  ChunkColumns::LengthCursor lengths_;
  double average_length_ = 1;
  std::vector<ClauseCursor> cursors_;
  uint32_t first_row_ = 0;
  uint32_t last_row_ = 0;
  uint64_t postings_ = 0;
  std::optional<RowFilter> removed_;
  std::optional<RowFilter> allowed_;

  uint32_t base_ = 0;  // the window's first row
  WindowBits matches_{};
  std::array<double, kWindow> norms_{};
  std::array<double, kWindow> sums_{};
  LexicalScores scores_;
};

std::vector<LexicalHit> LexicalScores::Top(size_t k) const {
  std::vector<LexicalHit> top;  // a heap with the worst in front
  if (k == 0) return top;
  if (k >= hits_.size()) {
    top = hits_;
    std::ranges::sort(top, IsBetter);
    return top;
  }
  top.reserve(k);
  for (const LexicalHit& hit : hits_) {
    if (top.size() == k) {
      if (!IsBetter(hit, top.front())) continue;
      std::pop_heap(top.begin(), top.end(), IsBetter);
      top.pop_back();
    }
    top.push_back(hit);
    std::push_heap(top.begin(), top.end(), IsBetter);
  }
  std::sort_heap(top.begin(), top.end(), IsBetter);
  return top;
}

double LexicalScores::Score(uint32_t chunk) const {
  const auto hit = std::ranges::lower_bound(hits_, chunk, {}, &LexicalHit::chunk);
  return hit != hits_.end() && hit->chunk == chunk ? hit->score : 0;
}

uint64_t LexicalScores::Rank(const LexicalHit& hit) const {
  const auto better = [&](const LexicalHit& other) { return IsBetter(other, hit); };
  return 1 + static_cast<uint64_t>(std::ranges::count_if(hits_, better));
}

Bitmap LexicalScores::Matches() const {
  Bitmap matches;
  for (const LexicalHit& hit : hits_) matches.Add(hit.chunk);
  return matches;
}

std::optional<Bitmap> LexicalScores::Required() const {
  if (!has_must_) return std::nullopt;
  return Matches();
}

Bitmap LexicalScores::Excluded() const {
  Bitmap excluded;
  for (const uint32_t row : excluded_) excluded.Add(row);
  return excluded;
}

Result<LexicalScores> SearchLexical(const ReadTransaction& transaction, const ChunkColumns& columns,
                                    const LexicalQuery& query, const ChunkFilter& filter) {
  return LexicalScorer(transaction, columns, filter).Run(query);
}

}  // namespace recall
