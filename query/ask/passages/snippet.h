#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/base/text/token_places.h"
#include "index/search/lexical_query/lexical_query.h"
#include "query/ask/passages/passage_units.h"
#include "query/types/row_views.h"

namespace recall {

// Cuts snippets out of chunks and marks the matches of the query in them: words whose token in the
// lexical index satisfies a clause, every word of a matching phrase, and words that begin with a
// prefix of the query.
//
// A snippet shows the unit (query/ask/passages/passage_units.h) of the chunk that answers the query
// best, whole if it fits, with as much around it as fits. It begins at a unit; if the best unit is
// longer than a snippet, at a sentence, line or word in it. It ends at a unit or line if that loses
// no match and leaves less than half of the room unused, else at a word. Only text without white
// space is cut between characters. Not thread-safe.
class SnippetCutter final {
 public:
  // `query` must outlive the object. `most_bytes`: the maximum length of a snippet.
  SnippetCutter(const LexicalQuery& query, size_t most_bytes);

  // Returns: the snippet of `chunk`; empty, at the start of the chunk, if not even one character
  // fits. Requires: `chunk` includes its text.
  Snippet Cut(const ChunkView& chunk, bool is_code);
  // Returns: the texts of the clauses that match in `text`, in the order of the query.
  std::vector<std::string> MatchedTerms(std::string_view text);

 private:
  struct Phrase {
    const FtsPhrase* phrase;
    size_t clause;
  };
  // The position of a match of a clause.
  struct Match {
    size_t start;
    size_t end;
    size_t clause;
  };
  // Offsets at which a text may be cut, ascending. Sentences in scripts without spaces count as
  // lines.
  enum CutKind : uint8_t { kUnits, kLines, kWords };
  struct Cuts {
    std::vector<size_t> starts[3];
    std::vector<size_t> ends[3];
  };
  struct Window {
    size_t start = 0;
    size_t end = 0;
    double weight = 0;   // of the clauses that have a match in it
    bool whole = false;  // it ends at a unit
  };

  void FindMatches(std::string_view text);
  void DropMatchesInImports(std::string_view text);
  void FindMatchesIn(const TokenPlacer::Tokens& tokens);
  void TakeMatch(const Phrase& phrase, const TokenPlacer::Tokens& tokens, size_t at);
  static Cuts FindCuts(std::string_view text, const std::vector<PassageUnit>& units);
  // Sets weights_: a clause in few units of the chunk weighs more.
  void SetWeights(const std::vector<PassageUnit>& units);
  // Returns: the unit that answers best; null if none matches.
  const PassageUnit* BestUnit(const std::vector<PassageUnit>& units);
  Window Choose(std::string_view text, const std::vector<PassageUnit>& units, const Cuts& cuts);
  // The window of a unit that is longer than a snippet.
  Window ChooseWithin(std::string_view text, const PassageUnit& unit, const Cuts& cuts);
  Window WindowFrom(std::string_view text, const Cuts& cuts, size_t start);
  // The sum of the weights of the clauses with a match in this range.
  double WeighClauses(size_t start, size_t end);
  // The same without the clauses of the previous call.
  double WeighFurther(size_t start, size_t end);
  size_t LastMatchEnd(size_t start, size_t end) const;
  std::vector<ByteRange> HighlightsIn(const Window& window) const;

  const LexicalQuery& query_;
  size_t most_bytes_;
  std::unordered_map<std::string_view, std::vector<Phrase>> by_first_token_;
  std::vector<Phrase> beginnings_;  // prefixes of one token
  TokenPlacer placer_;
  std::vector<Match> matches_;              // by start offset
  std::vector<TokenPlacer::Place> places_;  // the words of all matches, by start offset
  std::vector<double> weights_;             // by clause
  std::vector<size_t> seen_in_;             // by clause: the last window that counted it
  size_t windows_ = 0;
};

}  // namespace recall
