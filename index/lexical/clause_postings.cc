#include "index/lexical/clause_postings.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "index/lexical/posting_merge.h"
#include "storage/tables/posting_table.h"

namespace recall {
namespace {

// Null when the clause is more than a word.
const std::string* WordOf(const LexicalClause& clause) {
  if (clause.any_of.size() != 1) return nullptr;
  const FtsPhrase& phrase = clause.any_of.front();
  return phrase.prefix || phrase.tokens.size() != 1 ? nullptr : &phrase.tokens.front();
}

// The blocks of common words that lie ready, for the chunks before end().
class ReadyPostings final {
 public:
  static Result<ReadyPostings> Open(const ReadTransaction& transaction, double average_length) {
    ReadyPostings ready(transaction.connection());
    RECALL_ASSIGN(ready.set_, FindPostingSet(ready.connection_));
    if (!ready.set_) return ready;
    if (ready.set_->end_chunk > transaction.next_chunk()) {
      ready.set_.reset();  // the doctor's to say
      return ready;
    }
    // A posting of length l counts tf / (tf + fixed + l * per_token / average): at most so much
    // more when the average grows.
    ready.stretch_ = std::max(1.0, average_length / ready.set_->average_length);
    return ready;
  }

  uint32_t end() const { return set_->end_chunk; }

  Result<std::optional<PostingPart>> Find(const std::string& word) const {
    std::optional<PostingPart> part;
    if (!set_) return part;
    RECALL_TRY(ReadPostingList(connection_, set_->id, word, [&](ByteSpan bytes) {
      auto blocks = PostingBlocks::Open(bytes);
      // What is damaged the lexical index says, too.
      if (!blocks || !EndsBefore(*blocks, end())) return;
      part = PostingPart{*std::move(blocks), stretch_};
    }));
    return part;
  }

 private:
  explicit ReadyPostings(Connection& connection) : connection_(connection) {}
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
  RECALL_ASSIGN(const ReadyPostings ready, ReadyPostings::Open(transaction, average_length));
  std::vector<ClausePostings> clauses(query.clauses.size());
  std::vector<size_t> unread;  // clauses of which the index is to say something
  std::vector<FtsPhrase> phrases;
  for (size_t i = 0; i < clauses.size(); ++i) {
    const LexicalClause& clause = query.clauses[i];
    std::optional<PostingPart> part;
    if (const std::string* const word = WordOf(clause)) {
      RECALL_ASSIGN(part, ready.Find(*word));
    }
    if (part) clauses[i].push_back(*std::move(part));
    const uint32_t first_row = clauses[i].empty() ? 0 : ready.end();
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
