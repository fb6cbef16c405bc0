#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "index/search/filter/fields.h"

namespace recall {

// A filter as it was written: the result of the parser and the input of the printer. Comparison
// rules and three-valued logic are in docs/rql.md, "Comparing"; CompiledFilter applies them.

struct Literal {
  enum class Kind : uint8_t { kString, kNumber, kBoolean };
  Kind kind = Kind::kString;
  // The string's characters; for a number, its canonical spelling ("-1.5", "2e+20", "7").
  std::string text;
  double number = 0;        // kNumber
  bool is_integer = false;  // kNumber: `integer` holds it exactly
  int64_t integer = 0;
  bool boolean = false;  // kBoolean
  size_t position = 0;   // byte offset in the source

  bool operator==(const Literal& other) const;  // positions do not count
};

enum class FilterOp : uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kLike,     // % and _, case-sensitive
  kILike,    // the same with case folded
  kGlob,     // * ? [..] {a,b} within a path component, ** across
  kRegexp,   // RE2, anywhere in the text
  kIn,       // one or more operands
  kBetween,  // two operands, both inclusive
  kIsNull,   // no operand
};

// field [NOT] op operands. `negated` is NOT IN, NOT LIKE, IS NOT NULL, ...; not used with the
// six comparisons.
struct Predicate {
  FieldRef field;
  FilterOp op = FilterOp::kEqual;
  bool negated = false;
  std::vector<Literal> operands;
  size_t position = 0;  // byte offset of the field in the source

  bool operator==(const Predicate& other) const;
};

// A tree of bounded depth (kMaxFilterDepth) and size (kMaxFilterPredicates).
struct FilterExpr {
  enum class Kind : uint8_t { kPredicate, kAnd, kOr, kNot };
  Kind kind = Kind::kPredicate;
  Predicate predicate;               // kPredicate
  std::vector<FilterExpr> children;  // kAnd, kOr: two or more, none of the same kind; kNot: one

  bool operator==(const FilterExpr& other) const;
};

inline constexpr size_t kMaxFilterDepth = 128;
inline constexpr size_t kMaxFilterPredicates = 4096;  // operands of IN count as well
// The limit exists because matching costs pattern * text, and every alternative takes memory.
inline constexpr size_t kMaxPatternBytes = 4096;

// An error in a filter: a type that does not fit, or an invalid pattern or date.
struct FilterError {
  size_t position = 0;  // byte offset in the source of the field or literal with the error
  std::string message;
  std::string hint;
};

}  // namespace recall
