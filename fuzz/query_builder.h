#pragma once

// Builds queries and filters from choices, for tests and fuzzing. Every sequence of choices gives
// one that RQL can express, every kind of query occurs, and all zeros give a small one.

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "query/rql/query_ast.h"

namespace recall {

class QueryBuilder final {
 public:
  // `choose(n)` returns a number below n.
  using Choose = std::function<uint32_t(uint32_t)>;
  explicit QueryBuilder(Choose choose) : choose_(std::move(choose)) {}

  RqlQuery Query();
  // Sometimes as deep as the limit of filters allows.
  FilterExpr Filter();
  Predicate MakePredicate();
  Literal MakeLiteral();
  std::string Text();

 private:
  FilterExpr Tree(size_t depth, FilterExpr::Kind parent);
  FilterExpr Spine();
  FieldRef AnyField();
  Literal TextLiteral();
  Literal NumberLiteral();
  void AddOrder(RqlQuery* query);
  SelectItem AnySelectItem();
  bool OneIn(uint32_t n) { return choose_(n) == n - 1; }
  uint64_t Bits64() {
    uint64_t bits = 0;
    for (int i = 0; i < 4; ++i) bits = bits << 16 | choose_(1 << 16);
    return bits;
  }

  Choose choose_;
  size_t predicates_left_ = 0;
};

}  // namespace recall
