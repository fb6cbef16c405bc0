// ParseLexicalQuery and ParseLiteralQuery: any text gives a query within its limits.

#include "fuzz/fuzz_target.h"
#include "fuzz/token_checks.h"
#include "index/search/lexical_query/lexical_query.h"

namespace recall {
namespace {

void CheckQuery(const LexicalQuery& query) {
  RECALL_CHECK(query.clauses.size() <= kMaxQueryClauses);
  for (const LexicalClause& clause : query.clauses) {
    RECALL_CHECK(!clause.any_of.empty());
    RECALL_CHECK(clause.count > 0);
    for (const FtsPhrase& phrase : clause.any_of) {
      RECALL_CHECK(!phrase.tokens.empty() && phrase.tokens.size() <= kMaxPhraseTokens);
      for (const std::string& token : phrase.tokens) {
        CheckTokenBytes(token);
        RECALL_CHECK(token.size() <= kMaxTokenBytes);
      }
    }
  }
}

}  // namespace

void FuzzOne(ByteSpan input) {
  static Tokenizer tokenizer;
  const std::string_view text = AsText(input);
  CheckQuery(ParseLexicalQuery(text, tokenizer));
  const LexicalQuery literal = ParseLiteralQuery(text, tokenizer);
  CheckQuery(literal);
  for (const LexicalClause& clause : literal.clauses) {
    RECALL_CHECK(clause.occur == LexicalClause::Occur::kShould);
  }
}

}  // namespace recall
