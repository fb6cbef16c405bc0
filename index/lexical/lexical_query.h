#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/text/tokenizer.h"
#include "storage/sqlite/fts_index.h"

namespace recall {

// One thing a query asks of the text. Matches when any of its phrases does.
struct LexicalClause {
  enum class Occur { kShould, kMust, kMustNot };
  Occur occur = Occur::kShould;
  std::vector<FtsPhrase> any_of;
  uint32_t count = 1;  // how often the query says it: its weight
  std::string text;    // as understood, for explain
};

// A query understood. Words are OR-ed; "a phrase", +must, -not, prefix* and OR are known; whatever
// else is typed is text. No input fails: bytes that cannot be searched are ignored.
struct LexicalQuery {
  std::vector<LexicalClause> clauses;
  bool Empty() const { return clauses.empty(); }
};

// Function words are dropped from the query unless nothing else is left, or they stand in a
// phrase, after + or before *.
LexicalQuery ParseLexicalQuery(std::string_view text, Tokenizer& tokenizer);

// Every word required literally, no operators: the published `literal` mode reads text so.
LexicalQuery ParseLiteralQuery(std::string_view text, Tokenizer& tokenizer);

}  // namespace recall
