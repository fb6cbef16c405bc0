#include "index/search/lexical/clause_postings.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "index/search/lexical/posting_merge.h"
#include "storage/tables/posting_table.h"

namespace recall {
namespace {

// Collects the postings of each clause from two sources.
//
//   chunk rowids   0 ................................ end()  .......... next_chunk
//   common term    [ precomputed posting_list, one BLOB     ][ FTS5 from end()   ]
//   other clause   [ FTS5: all rows; phrases are matched, alternatives are merged ]
//
// Problem: FTS5 stores the positions of each posting and gives no upper bounds of scores; for a
// common term, decoding them would take most of the time of a query.
//
// Idea: a precomputed list (index/write/derived/posting_list_builder.h) is opened as blocks without
// decoding its postings. It is immutable, so it ends at the chunk rowid where it was made; only
// newer rows are read from FTS5. It may contain removed chunks: the filter excludes them later, and
// rowids are never reused.
//
// Upper bounds: a posting of length l contributes tf / (tf + fixed + l * per_token / average). If
// the average length has grown since, this is at most average_now / average_then times larger:
// `stretch`.
//
// Invariant: both sources give the same postings for the same rows, so an answer does not depend on
// whether lists are precomputed. A damaged list is ignored, and its postings come from FTS5.
//
// Cost: one read of a BLOB for each common term; one FTS5 scan for all other clauses together.

// The word of a clause that consists of a single word; otherwise null.
const std::string* WordOf(const LexicalClause& clause) {
  if (clause.any_of.size() != 1) return nullptr;
  const FtsPhrase& phrase = clause.any_of.front();
  return phrase.prefix || phrase.tokens.size() != 1 ? nullptr : &phrase.tokens.front();
}

// The precomputed block-max posting lists of common terms, for the chunks before end().
class PrecomputedPostings final {
 public:
  static Result<PrecomputedPostings> Open(const ReadTransaction& transaction) {
    PrecomputedPostings precomputed(transaction.connection());
    RECALL_ASSIGN(precomputed.set_, FindPostingSet(precomputed.connection_));
    // A damaged set ends behind the store; doctor reports it.
    if (precomputed.set_ && precomputed.set_->end_chunk > transaction.next_chunk()) {
      precomputed.set_.reset();
    }
    return precomputed;
  }

  uint32_t end() const { return set_->end_chunk; }
  // A posting of length l contributes tf / (tf + fixed + l * per_token / average): at most this
  // factor more if the average grows.
  double Stretch(double average_length) const {
    return set_ ? std::max(1.0, average_length / set_->average_length) : 1;
  }

  // Returns whether there is a list of the word.
  Result<bool> Find(const std::string& word, const std::function<bool(uint64_t)>& wants_list,
                    ClauseSource* source) const {
    if (!set_) return false;
    if (wants_list) {
      RECALL_ASSIGN(const StoredPostingList stored,
                    FindPostingList(connection_, set_->id, word, PostingBlocks::kHeaderBytes));
      const auto listed = PostingBlocks::CountIn(stored.start, stored.size);
      if (!listed) return false;
      source->listed = *listed;
      if (!wants_list(*listed)) return true;
    }
    RECALL_TRY(ReadPostingList(connection_, set_->id, word, [&](ByteSpan bytes) {
      auto blocks = PostingBlocks::Open(bytes);
      // Ignore a damaged list: the full-text index has the same postings.
      if (!blocks || !EndsBefore(*blocks, end())) return;
      source->list = PostingPart{*std::move(blocks), 1};
    }));
    return source->list.has_value();
  }

 private:
  explicit PrecomputedPostings(Connection& connection) : connection_(connection) {}
  static bool EndsBefore(const PostingBlocks& blocks, uint32_t row) {
    return blocks.size() == 0 ||
           uint64_t{blocks.number(blocks.size() - 1)} * PostingBlocks::kRows < row;
  }

  Connection& connection_;
  std::optional<PostingSet> set_;
};

Result<std::vector<ClauseSource>> ReadSources(const ReadTransaction& transaction,
                                              const PrecomputedPostings& precomputed,
                                              std::span<const LexicalClause> clauses,
                                              const std::function<bool(uint64_t)>& wants_list) {
  std::vector<ClauseSource> sources(clauses.size());
  std::vector<size_t> unread;  // clauses that must be read from the full-text index
  std::vector<FtsPhrase> phrases;
  for (size_t i = 0; i < clauses.size(); ++i) {
    const LexicalClause& clause = clauses[i];
    uint32_t first_row = 0;
    if (const std::string* const word = WordOf(clause)) {
      RECALL_ASSIGN(const bool found, precomputed.Find(*word, wants_list, &sources[i]));
      if (found) first_row = precomputed.end();
    }
    if (first_row == transaction.next_chunk()) continue;
    unread.push_back(i);
    phrases.insert(phrases.end(), clause.any_of.begin(), clause.any_of.end());
    if (first_row > 0) phrases.back().first_row = first_row;
  }
  RECALL_ASSIGN(std::vector<PostingList> lists, ReadPostings(transaction.connection(), phrases));
  auto from = std::make_move_iterator(lists.begin());
  for (const size_t i : unread) {
    const auto to = from + static_cast<ptrdiff_t>(clauses[i].any_of.size());
    PostingList& rest = sources[i].rest;
    rest = MergePostings({from, to});
    while (!rest.empty() && rest.back().row >= transaction.next_chunk()) rest.pop_back();
    from = to;
  }
  return sources;
}

// The postings of each clause; null if `wants_list` refuses its precomputed list.
Result<std::vector<SharedPostings>> ReadPostingsOf(
    const ReadTransaction& transaction, std::span<const LexicalClause> clauses,
    double average_length, const PostingBlocks::NormOf& norm,
    const std::function<bool(uint64_t)>& wants_list) {
  RECALL_ASSIGN(const PrecomputedPostings precomputed, PrecomputedPostings::Open(transaction));
  RECALL_ASSIGN(std::vector<ClauseSource> sources,
                ReadSources(transaction, precomputed, clauses, wants_list));
  std::vector<SharedPostings> postings;
  for (ClauseSource& source : sources) {
    if (wants_list && source.listed > 0 && !wants_list(source.listed)) {
      postings.push_back(nullptr);
      continue;
    }
    ClausePostings parts;
    if (source.list) {
      source.list->stretch = precomputed.Stretch(average_length);
      parts.push_back(*std::move(source.list));
    }
    if (!source.rest.empty()) parts.push_back({PostingBlocks::Of(source.rest, norm), 1});
    postings.push_back(std::make_shared<const ClausePostings>(std::move(parts)));
  }
  return postings;
}

bool IsSamePhrase(const FtsPhrase& a, const FtsPhrase& b) {
  return a.tokens == b.tokens && a.prefix == b.prefix && a.first_row == b.first_row;
}

}  // namespace

Result<std::vector<ClauseSource>> ReadClauseSources(
    const ReadTransaction& transaction, std::span<const LexicalClause> clauses,
    const std::function<bool(uint64_t postings)>& wants_list) {
  RECALL_ASSIGN(const PrecomputedPostings precomputed, PrecomputedPostings::Open(transaction));
  return ReadSources(transaction, precomputed, clauses, wants_list);
}

SharedPostings RecentPostings::Find(const LexicalClause& clause, double average_length) const {
  if (average_length != average_length_) return nullptr;
  for (const auto& [any_of, postings] : clauses_) {
    if (std::ranges::equal(any_of, clause.any_of, IsSamePhrase)) return postings;
  }
  return nullptr;
}

void RecentPostings::Keep(const LexicalQuery& query, double average_length,
                          std::span<const SharedPostings> postings) {
  average_length_ = average_length;
  clauses_.clear();
  for (size_t i = 0; i < postings.size(); ++i) {
    clauses_.emplace_back(query.clauses[i].any_of, postings[i]);
  }
}

Result<std::vector<SharedPostings>> ReadClauses(const ReadTransaction& transaction,
                                                const LexicalQuery& query, double average_length,
                                                const PostingBlocks::NormOf& norm,
                                                RecentPostings* recent) {
  std::vector<SharedPostings> postings(query.clauses.size());
  std::vector<size_t> unread;
  std::vector<LexicalClause> clauses;
  for (size_t i = 0; i < postings.size(); ++i) {
    if (recent) postings[i] = recent->Find(query.clauses[i], average_length);
    if (postings[i]) continue;
    unread.push_back(i);
    clauses.push_back(query.clauses[i]);
  }
  RECALL_ASSIGN(std::vector<SharedPostings> read,
                ReadPostingsOf(transaction, clauses, average_length, norm, nullptr));
  for (size_t i = 0; i < unread.size(); ++i) postings[unread[i]] = std::move(read[i]);
  if (recent) recent->Keep(query, average_length, postings);
  return postings;
}

Result<std::vector<SharedPostings>> ReadShortClauses(const ReadTransaction& transaction,
                                                     std::span<const LexicalClause> clauses,
                                                     double average_length,
                                                     const PostingBlocks::NormOf& norm,
                                                     uint64_t most) {
  return ReadPostingsOf(transaction, clauses, average_length, norm,
                        [&](uint64_t postings) { return postings <= most; });
}

}  // namespace recall
