#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/text/tokenizer.h"
#include "storage/fts5/fts_index.h"

namespace recall {

// One thing a query asks of the text. Matches when any of its phrases does; a chunk's count of it
// is the sum over its phrases.
struct LexicalClause {
  enum class Occur { kShould, kMust, kMustNot };
  Occur occur = Occur::kShould;
  std::vector<FtsPhrase> any_of;
  uint32_t count = 1;  // how often the query says it: its weight
  std::string text;    // as understood, for explain
};

// A query understood, in the order of the text.
struct LexicalQuery {
  std::vector<LexicalClause> clauses;
  // What is wanted, as typed: the text without operators and without what is excluded.
  std::string wanted;
  bool Empty() const { return clauses.empty(); }
};

// What a long text asks beyond this many different clauses, or says in a phrase beyond this many
// tokens, is ignored.
inline constexpr size_t kMaxQueryClauses = 1024;
inline constexpr size_t kMaxPhraseTokens = 64;

// Reads what a person types (docs/RETRIEVAL.md, "Queries"). No input fails.
//   red apple      chunks with either word; both score
//   red OR apple   the same
//   "red apple"    the words side by side, in stemmed form
//   +red           only chunks with red
//   -red           only chunks without red (a query of exclusions alone finds nothing)
//   appl*          words that begin so
//   fooBar         foo, bar, and the whole foobar; +fooBar: foo bar side by side, or the whole
//   +foo-bar       like +"foo bar": what stands together in one item belongs together
// Everything else is text. Function words are dropped unless nothing else is asked for, or they
// stand in quotes, behind + or -, or before *.
LexicalQuery ParseLexicalQuery(std::string_view text, Tokenizer& tokenizer);

// The same without operators: every character is text, the words are OR-ed, function words are
// dropped likewise.
LexicalQuery ParseLiteralQuery(std::string_view text, Tokenizer& tokenizer);

}  // namespace recall
