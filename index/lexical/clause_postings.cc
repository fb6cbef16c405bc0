#include "index/lexical/clause_postings.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "index/lexical/posting_merge.h"
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
// Idea: a precomputed list (index/derived/posting_list_builder.h) is opened as blocks without
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
  static Result<PrecomputedPostings> Open(const ReadTransaction& transaction,
                                          double average_length) {
    PrecomputedPostings precomputed(transaction.connection());
    RECALL_ASSIGN(precomputed.set_, FindPostingSet(precomputed.connection_));
    if (!precomputed.set_) return precomputed;
    if (precomputed.set_->end_chunk > transaction.next_chunk()) {
      precomputed.set_.reset();  // damaged; doctor reports it
      return precomputed;
    }
    // A posting of length l contributes tf / (tf + fixed + l * per_token / average): at most this
    // factor more if the average grows.
    precomputed.stretch_ = std::max(1.0, average_length / precomputed.set_->average_length);
    return precomputed;
  }

  uint32_t end() const { return set_->end_chunk; }

  Result<std::optional<PostingPart>> Find(const std::string& word) const {
    std::optional<PostingPart> part;
    if (!set_) return part;
    RECALL_TRY(ReadPostingList(connection_, set_->id, word, [&](ByteSpan bytes) {
      auto blocks = PostingBlocks::Open(bytes);
      // Ignore a damaged list: the full-text index has the same postings.
      if (!blocks || !EndsBefore(*blocks, end())) return;
      part = PostingPart{*std::move(blocks), stretch_};
    }));
    return part;
  }

 private:
  explicit PrecomputedPostings(Connection& connection) : connection_(connection) {}
  static bool EndsBefore(const PostingBlocks& blocks, uint32_t row) {
    return blocks.size() == 0 ||
           uint64_t{blocks.number(blocks.size() - 1)} * PostingBlocks::kRows < row;
  }

  Connection& connection_;
  std::optional<PostingSet> set_;
  double stretch_ = 1;
};

}  // namespace

Result<std::vector<ClausePostings>> ReadClauses(const ReadTransaction& transaction,
                                                const LexicalQuery& query, double average_length,
                                                const PostingBlocks::NormOf& norm) {
  Connection& connection = transaction.connection();
  RECALL_ASSIGN(const PrecomputedPostings precomputed,
                PrecomputedPostings::Open(transaction, average_length));
  std::vector<ClausePostings> clauses(query.clauses.size());
  std::vector<size_t> unread;  // clauses that must be read from the full-text index
  std::vector<FtsPhrase> phrases;
  for (size_t i = 0; i < clauses.size(); ++i) {
    const LexicalClause& clause = query.clauses[i];
    std::optional<PostingPart> part;
    if (const std::string* const word = WordOf(clause)) {
      RECALL_ASSIGN(part, precomputed.Find(*word));
    }
    if (part) clauses[i].push_back(*std::move(part));
    const uint32_t first_row = clauses[i].empty() ? 0 : precomputed.end();
    if (first_row == transaction.next_chunk()) continue;
    unread.push_back(i);
    phrases.insert(phrases.end(), clause.any_of.begin(), clause.any_of.end());
    if (first_row > 0) phrases.back().first_row = first_row;
  }
  RECALL_ASSIGN(std::vector<PostingList> lists, ReadPostings(connection, phrases));
  auto from = std::make_move_iterator(lists.begin());
  for (const size_t i : unread) {
    const auto to = from + static_cast<ptrdiff_t>(query.clauses[i].any_of.size());
    PostingList rest = MergePostings({from, to});
    while (!rest.empty() && rest.back().row >= transaction.next_chunk()) rest.pop_back();
    if (!rest.empty()) clauses[i].push_back({PostingBlocks::Of(rest, norm), 1});
    from = to;
  }
  return clauses;
}

}  // namespace recall
