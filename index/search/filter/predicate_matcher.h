#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/glob/consecutive_text.h"
#include "index/search/filter/filter_expr.h"
#include "storage/base/number.h"
#include "storage/documents/live_scan.h"
#include "storage/metadata/metadata_values.h"

namespace re2 {
class RE2;
}

namespace recall {

class Glob;
class GlobMatcher;

// A literal, converted to every type with which it can be compared.
struct Operand {
  std::string text;              // of strings, booleans ("true"), and numbers as written
  bool meets_texts = true;       // whether it is compared with texts of metadata; false for numbers
  std::optional<Number> number;  // a number, or a string that reads as one
  std::optional<UnixNanos> time;  // a string that reads as a date
};

// A compiled predicate. Immutable, thread-safe, cheap to copy.
struct CompiledPredicate {
  FieldRef field;
  FilterOp op = FilterOp::kEqual;  // never kNotEqual, which becomes a negated kEqual
  bool negated = false;
  std::vector<Operand> operands;
  std::shared_ptr<const Glob> glob;        // kLike, kILike (of folded text), kGlob
  std::shared_ptr<const re2::RE2> regexp;  // kRegexp
  std::string literal;                     // kRegexp: in every text that matches; may be empty
  UnixNanos now = 0;                       // the reference time of the query
  std::string shown;                       // for explain

  bool is_pattern() const { return glob || regexp; }
  bool is_equality() const { return !negated && (op == FilterOp::kEqual || op == FilterOp::kIn); }
  // An interval that contains every text that can match.
  TextInterval PatternRange() const;
  // Bytes that every text contains that satisfies the predicate; empty if none are known. Valid as
  // long as the predicate.
  std::string_view RequiredBytes() const;
};

// Converts the literals to the type of the field and compiles the pattern. Appends to `warnings`;
// sets `depends_on_now` if a date is relative to `now`.
tl::expected<CompiledPredicate, FilterError> CompilePredicate(const Predicate& predicate,
                                                              UnixNanos now,
                                                              std::vector<std::string>* warnings,
                                                              bool* depends_on_now);

// Tests whether an existing value satisfies a predicate without its negation. Not for kIsNull. One
// per thread; the predicate must outlive it. Consecutive texts that begin alike cost less.
class PredicateMatcher final {
 public:
  explicit PredicateMatcher(const CompiledPredicate& predicate);
  ~PredicateMatcher();

  bool Text(std::string_view value);
  bool Integer(int64_t value);
  bool Real(double value);
  bool Time(UnixNanos value);
  bool Metadata(const MetaScalar& value);

 private:
  bool Matches(std::string_view text);
  bool MatchesRegexp(std::string_view text);

  const CompiledPredicate& predicate_;
  std::unique_ptr<GlobMatcher> glob_;
  // Of a regular expression:
  ConsecutiveText last_;
  LiteralSearch literal_;
  std::string folded_;
};

}  // namespace recall
