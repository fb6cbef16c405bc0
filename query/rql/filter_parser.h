#pragma once

#include "index/filter/filter_expr.h"
#include "query/rql/token_reader.h"
#include "storage/base/result.h"

namespace recall {

// Parses a filter (docs/rql.md, "Grammar") and stops at the first token that cannot continue it.
//
//   or        = and { OR and }
//   and       = not { AND not }
//   not       = NOT not | '(' or ')' | predicate
//
// Recursive descent: '(' and NOT nest at most kMaxFilterDepth deep. Errors of Parse:
// InvalidArgument and LimitExceeded, both with a position (rql.h).
class FilterParser final {
 public:
  explicit FilterParser(TokenReader* tokens) : tokens_(*tokens) {}

  Result<FilterExpr> Parse();

 private:
  // A filter and its depth, the largest number of nodes on a path from its root to a leaf.
  struct Tree {
    FilterExpr expr;
    size_t depth = 1;
  };

  Result<Tree> ParseJoined(FilterExpr::Kind kind);
  Result<Tree> ParseNot();
  Result<Tree> ParseParentheses();
  static void Append(Tree tree, Tree* joined);

  Result<Predicate> ParsePredicate();
  Result<FieldRef> ParseField();
  Status ParseTextOperator(Predicate* predicate);
  Status ParseIn(Predicate* predicate);
  Status ParseBetween(Predicate* predicate);
  Status ParseIsNull(Predicate* predicate);
  Status ParsePattern(Predicate* predicate);
  Status ParseValue(Predicate* predicate);
  Status NotAValue(const Predicate& predicate) const;
  Status CountPredicate(size_t at);
  Status TooDeep(size_t at) const;

  TokenReader& tokens_;
  size_t nesting_ = 0;
  size_t predicates_ = 0;
};

}  // namespace recall
