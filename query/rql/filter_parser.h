#pragma once

#include <vector>

#include "index/search/filter/filter_expr.h"
#include "query/rql/token_reader.h"
#include "storage/base/result.h"

namespace recall {

// Parses a filter (docs/rql.md, "Grammar") and stops at the first token that cannot continue it.
//
//   or        = and { OR and }
//   and       = not { AND not }
//   not       = NOT not | '(' or ')' | predicate
//
// '(' and NOT nest at most kMaxFilterDepth deep. Parsing is not recursive. Errors of Parse:
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

  // The operands of one operator that have been read.
  struct Chain {
    Tree tree;
    bool empty = true;
    bool joined = false;  // two or more operands
    size_t begin = 0;     // position of the first one
  };

  // The filter, or what has been read of it inside a '('.
  struct Level {
    size_t open = 0;  // position of the '('; not of the outermost level
    Chain ors;
    Chain ands;
    std::vector<size_t> nots;  // positions of the NOTs before the next operand
  };

  Status ReadPrefix();
  Result<bool> Complete(Tree operand);
  Status ApplyNots(Level* level, Tree* operand);
  static void Add(FilterExpr::Kind kind, Tree operand, Chain* chain);
  Result<Tree> Close(Chain* chain);
  Status CloseParenthesis(size_t open);
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
  std::vector<Level> levels_;  // the innermost last
  FilterExpr result_;
  size_t nesting_ = 0;
  size_t predicates_ = 0;
};

}  // namespace recall
