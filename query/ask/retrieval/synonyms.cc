// Before the lexical retriever runs: what the user says is the same.
//
// Problem. A company says "PTO" where its handbook says "paid time off". No lexicon knows that.
//
// Idea. A word and its synonyms are one term, as in Lucene's SynonymQuery: its count in a chunk is
// the sum of theirs, and as many chunks have it as have one of them. So the synonyms of a single
// word become further phrases of its clause. Several words of the query that are a term together
// stay clauses of their own, and get a further clause for the whole: its own phrase, or a synonym.
// It counts as often as the term has words, so that a chunk with a synonym is not behind one that
// has these words apart from each other.
//
// Invariants. A term is found in the query by the stems of its words, function words included, next
// to each other. A synonym that the query has itself is not added. The order of the groups and of
// their terms does not change scores.
//
// Cost. Each group is split. Its terms are analysed only if one begins like a word of the query.

#include "query/ask/retrieval/synonyms.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "index/base/text/folded_words.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

using Words = std::vector<Tokenizer::Word>;
using Terms = std::vector<std::string_view>;

constexpr std::string_view kArrow = "=>";

struct Group {
  Terms asked;  // terms that may be in the query
  Terms added;  // what these find, too
};

Terms SplitTerms(std::string_view text) {
  Terms terms;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view term = Trim(text.substr(0, end));
    if (!term.empty()) terms.push_back(term);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return terms;
}

Result<Group> ParseGroup(std::string_view line) {
  const size_t arrow = line.find(kArrow);
  Group group;
  group.asked = SplitTerms(line.substr(0, arrow));
  group.added = arrow == line.npos ? group.asked : SplitTerms(line.substr(arrow + kArrow.size()));
  const size_t fewest = arrow == line.npos ? 2 : 1;
  if (group.asked.size() >= fewest && group.added.size() >= fewest) return group;
  return Fail(Status::InvalidArgument(
      "invalid synonyms '" + std::string(line) + "': expected TERM, TERM or TERM => TERM",
      "for example: car, automobile, motor car"));
}

// The first letters of the words of a query: a term that begins otherwise is not in it.
class FirstLetters final {
 public:
  explicit FirstLetters(const Words& words) {
    for (const Tokenizer::Word& word : words) letters_.insert(word.surface.substr(0, kLetters));
  }

  bool MayBegin(std::string_view term) {
    reader_.Read(term);
    if (!reader_.Next()) return true;
    const std::string start(reader_.word().substr(0, kLetters));
    // Stemming keeps the first two letters of English words; others are compared by their stems.
    const bool is_ascii = std::ranges::all_of(start, [](char c) { return c >= 0; });
    return !is_ascii || start.size() < kLetters || letters_.contains(start);
  }

 private:
  static constexpr size_t kLetters = 2;
  std::unordered_set<std::string> letters_;
  FoldedWordReader reader_;
};

bool IsSameWord(const Tokenizer::Word& a, const Tokenizer::Word& b) { return a.stems == b.stems; }

class SynonymAdder final {
 public:
  SynonymAdder(Tokenizer& tokenizer, LexicalQuery& query)
      : tokenizer_(tokenizer),
        query_(query),
        asked_(tokenizer.AnalyzeQuery(query.plain)),
        first_letters_(asked_) {}

  void Add(const Group& group) {
    for (const std::string_view term : group.asked) {
      if (!first_letters_.MayBegin(term)) continue;
      const Words words = tokenizer_.AnalyzeQuery(term);
      if (!IsAsked(words)) continue;
      Terms synonyms;
      for (const std::string_view other : group.added) {
        if (other != term && !IsAsked(tokenizer_.AnalyzeQuery(other))) synonyms.push_back(other);
      }
      if (!synonyms.empty()) AddTo(term, words, synonyms);
    }
  }

  // The clauses of terms of several words, which come behind those of the words.
  void Finish() {
    for (LexicalClause& clause : wholes_) {
      if (query_.clauses.size() == kMaxQueryClauses) return;
      query_.clauses.push_back(std::move(clause));
    }
  }

 private:
  // Whether the query has the words next to each other, outside quotes.
  bool IsAsked(const Words& words) const {
    return !words.empty() && !std::ranges::search(asked_, words, IsSameWord).empty();
  }

  // The clause of a single word, or one for all words of a term; null if these are only symbols.
  LexicalClause* ClauseOf(std::string_view term, const Words& words) {
    const bool is_word = words.size() == 1 && words.front().stems.size() == 1;
    for (LexicalClause& clause : query_.clauses) {
      const bool is_plain = is_word && clause.occur == LexicalClause::Occur::kShould;
      if (is_plain && clause.any_of.front().tokens == words.front().stems) return &clause;
    }
    LexicalClause whole;
    whole.text = std::string(term);
    whole.optional = true;
    whole.count = static_cast<uint32_t>(words.size());
    AddPhrases(term, whole);
    if (whole.any_of.empty()) return nullptr;
    const auto known = std::ranges::find_if(wholes_, [&](const LexicalClause& other) {
      return other.any_of.front().tokens == whole.any_of.front().tokens;
    });
    if (known != wholes_.end()) return &*known;
    return &wholes_.emplace_back(std::move(whole));
  }

  void AddTo(std::string_view term, const Words& words, const Terms& synonyms) {
    LexicalClause* const clause = ClauseOf(term, words);
    if (clause == nullptr) return;
    for (const std::string_view synonym : synonyms) {
      if (std::ranges::count(clause->synonyms, synonym) > 0) continue;
      clause->synonyms.emplace_back(synonym);
      AddPhrases(synonym, *clause);
    }
  }

  void AddPhrases(std::string_view term, LexicalClause& clause) {
    std::string quoted = "\"";
    std::ranges::remove_copy(term, std::back_inserter(quoted), '"');
    const LexicalQuery parsed = ParseLexicalQuery(quoted + '"', tokenizer_);
    if (parsed.clauses.empty()) return;
    for (const FtsPhrase& phrase : parsed.clauses.front().any_of) {
      const bool is_known = std::ranges::any_of(clause.any_of, [&](const FtsPhrase& other) {
        return other.tokens == phrase.tokens && other.prefix == phrase.prefix;
      });
      if (!is_known) clause.any_of.push_back(phrase);
    }
  }

  Tokenizer& tokenizer_;
  LexicalQuery& query_;
  const Words asked_;
  FirstLetters first_letters_;
  std::vector<LexicalClause> wholes_;
};

}  // namespace

Status AddSynonyms(std::string_view groups, Tokenizer& tokenizer, LexicalQuery& query) {
  if (groups.empty()) return Status::Ok();
  SynonymAdder adder(tokenizer, query);
  while (!groups.empty()) {
    const size_t end = std::min(groups.find('\n'), groups.size());
    const std::string_view line = Trim(groups.substr(0, end));
    groups.remove_prefix(std::min(end + 1, groups.size()));
    if (line.empty() || line.front() == '#') continue;
    RECALL_ASSIGN(const Group group, ParseGroup(line));
    adder.Add(group);
  }
  adder.Finish();
  return Status::Ok();
}

}  // namespace recall
