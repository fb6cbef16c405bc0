#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/base/text/token_places.h"
#include "index/search/lexical_query/lexical_query.h"
#include "query/types/row_views.h"

namespace recall {

// Cuts snippets out of chunks and marks the matches of the query in them: words whose token in the
// lexical index satisfies a clause, every word of a matching phrase, and words that begin with a
// prefix of the query.
//
// A snippet is the window that contains matches of the most clauses. Among windows with equally
// many, one that begins at a sentence or list item (query/ask/passages/text_units.h) is preferred,
// then one that begins at a line, then one at a word; among these, the first. It ends at a sentence
// or line if that loses no match and leaves less than half of the room unused, else at a word. Only
// text without white space is cut between characters. Not thread-safe.
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
    size_t clauses = 0;  // the number of clauses that have a match in it
  };

  void FindMatches(std::string_view text);
  void DropMatchesInImports(std::string_view text);
  void FindMatchesIn(const TokenPlacer::Tokens& tokens);
  void TakeMatch(const Phrase& phrase, const TokenPlacer::Tokens& tokens, size_t at);
  static Cuts FindCuts(std::string_view text, bool is_code);
  Window Choose(std::string_view text, const Cuts& cuts);
  Window WindowFrom(std::string_view text, const Cuts& cuts, size_t start);
  size_t CountClauses(size_t start, size_t end);
  size_t LastMatchEnd(size_t start, size_t end) const;
  std::vector<ByteRange> HighlightsIn(const Window& window) const;

  const LexicalQuery& query_;
  size_t most_bytes_;
  std::unordered_map<std::string_view, std::vector<Phrase>> by_first_token_;
  std::vector<Phrase> beginnings_;  // prefixes of one token
  TokenPlacer placer_;
  std::vector<Match> matches_;              // by start offset
  std::vector<TokenPlacer::Place> places_;  // the words of all matches, by start offset
  std::vector<size_t> seen_in_;             // by clause: the last window that counted it
  size_t windows_ = 0;
};

}  // namespace recall
