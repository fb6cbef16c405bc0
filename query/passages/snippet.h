#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/lexical_query/lexical_query.h"
#include "index/text/token_places.h"
#include "query/types/search_types.h"

namespace recall {

// Cuts snippets out of chunks and finds the question's words in them: those whose token in the
// lexical index satisfies a clause, each word of a phrase, and words that begin as a prefix says.
//
// A snippet is the window with words of the most different clauses. Of equal ones it is one that
// begins with a sentence or an item (query/passages/text_units.h), else with a line, else with a
// word; of these the first. It ends with a sentence or line where that leaves out no word that was
// found and less than half of the room, else with a word. Only where a text has no white space, in
// the middle of one, between characters.
class SnippetCutter final {
 public:
  // `query` must outlive the object.
  SnippetCutter(const LexicalQuery& query, size_t most_bytes);

  // `chunk` with its text. Empty, at the chunk's start, when not even a character fits.
  Snippet Cut(const ChunkView& chunk, bool is_code);

 private:
  struct Phrase {
    const FtsPhrase* phrase;
    size_t clause;
  };
  // Where a phrase of a clause stands.
  struct Match {
    size_t start;
    size_t end;
    size_t clause;
  };
  // Where a text may be cut, ascending. Sentences of scripts without spaces count as lines.
  enum CutKind : uint8_t { kUnits, kLines, kWords };
  struct Cuts {
    std::vector<size_t> starts[3];
    std::vector<size_t> ends[3];
  };
  struct Window {
    size_t start = 0;
    size_t end = 0;
    size_t clauses = 0;  // different ones that have a match in it
  };

  void FindMatches(std::string_view text);
  void FindMatchesIn(const TokenPlacer::Tokens& tokens);
  void TakeMatch(const Phrase& phrase, const TokenPlacer::Tokens& tokens, size_t at);
  static Cuts FindCuts(std::string_view text, bool is_code);
  Window Choose(std::string_view text, const Cuts& cuts);
  Window WindowFrom(std::string_view text, const Cuts& cuts, size_t start);
  size_t CountClauses(size_t start, size_t end);
  size_t LastMatchEnd(size_t start, size_t end) const;
  std::vector<ByteRange> HighlightsIn(const Window& window) const;

  size_t most_bytes_;
  std::unordered_map<std::string_view, std::vector<Phrase>> by_first_token_;
  std::vector<Phrase> beginnings_;  // of which even the first token is only a beginning
  TokenPlacer placer_;
  std::vector<Match> matches_;              // by start
  std::vector<TokenPlacer::Place> places_;  // of all their words, by start
  std::vector<size_t> seen_in_;             // by clause: the last window that counted it
  size_t windows_ = 0;
};

}  // namespace recall
