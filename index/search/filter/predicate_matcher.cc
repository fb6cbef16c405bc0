#include "index/search/filter/predicate_matcher.h"

#include <re2/re2.h>

#include <algorithm>
#include <compare>
#include <utility>

#include "index/base/glob/glob_matcher.h"
#include "index/base/text/case_fold.h"
#include "index/search/filter/date_literal.h"
#include "index/search/filter/regexp_literal.h"

namespace recall {
namespace {

// Compiles a predicate to a form that can test a value in a tight loop, and tests values.
//
// A literal is converted once to every type with which it can be compared (Operand): its text, a
// number if it reads as one, a time if it reads as a date. The type of the field, or for metadata
// the kind of the value, selects the member of the operand:
//
//   field            compared by
//   text             bytes (for UTF-8, the order of code points)
//   integer          exact order of integers and doubles (CompareNumbers)
//   time             nanoseconds
//   metadata number  as integer; texts that are not numbers do not match
//   metadata date    as time if the operand is a date, else by its text
//   metadata text    by text; a numeric literal does not match
//
// Values of incomparable types satisfy no comparison. != is compiled to a negated =, so the matcher
// has no negation; its callers apply it, which keeps three-valued logic in one place (filter.cc).
//
// LIKE, ILIKE and GLOB become one kind of automaton (index/base/glob), matched with a lazily built
// DFA; ILIKE folds the case of pattern and value. REGEXP is RE2 with a memory limit. All of them
// are linear in the value, so a pattern of a user cannot stall a scan. A literal that every match
// contains is searched for first.
//
// PatternRange() gives the interval of texts with the literal prefix of a pattern, which turns
// "path LIKE 'src/%'" into a range of an index.

using Op = FilterOp;
using Order = std::optional<std::weak_ordering>;  // empty: the two cannot be compared

// The memory limit of a regular expression.
constexpr int64_t kRegexpMemory = 8 << 20;

bool IsPattern(Op op) {
  return op == Op::kLike || op == Op::kILike || op == Op::kGlob || op == Op::kRegexp;
}

// Whether the value satisfies the comparison with the operands; `compare` orders the value relative
// to one operand.
template <typename Compare>
bool Satisfies(Op op, const std::vector<Operand>& operands, const Compare& compare) {
  const auto holds = [&](const Operand& operand, Op how) {
    const Order order = compare(operand);
    if (!order) return false;
    switch (how) {
      case Op::kLess:
        return *order < 0;
      case Op::kLessEqual:
        return *order <= 0;
      case Op::kGreater:
        return *order > 0;
      case Op::kGreaterEqual:
        return *order >= 0;
      default:
        return *order == 0;
    }
  };
  if (op == Op::kBetween) {
    return holds(operands[0], Op::kGreaterEqual) && holds(operands[1], Op::kLessEqual);
  }
  return std::ranges::any_of(operands, [&](const Operand& operand) { return holds(operand, op); });
}

std::weak_ordering CompareTexts(std::string_view a, std::string_view b) { return a <=> b; }

// ---- Reading literals -------------------------------------------------------------------------

class PredicateCompiler final {
 public:
  PredicateCompiler(const Predicate& predicate, UnixNanos now) : predicate_(predicate), now_(now) {}

  tl::expected<CompiledPredicate, FilterError> Compile() {
    compiled_.field = predicate_.field;
    compiled_.now = now_;
    depends_on_now_ = InfoOf(predicate_.field.field).depends_on_time;
    compiled_.op = predicate_.op == Op::kNotEqual ? Op::kEqual : predicate_.op;
    compiled_.negated = predicate_.negated != (predicate_.op == Op::kNotEqual);
    if (IsPattern(predicate_.op)) {
      if (auto error = ReadPattern()) return tl::unexpected(*std::move(error));
      return std::move(compiled_);
    }
    for (const Literal& literal : predicate_.operands) {
      if (auto error = ReadOperand(literal)) return tl::unexpected(*std::move(error));
    }
    return std::move(compiled_);
  }

  const std::vector<std::string>& warnings() const { return warnings_; }
  bool depends_on_now() const { return depends_on_now_; }

 private:
  using MaybeError = std::optional<FilterError>;

  std::string Name() const { return FieldName(predicate_.field); }

  MaybeError ReadOperand(const Literal& literal) {
    const FieldType type = InfoOf(predicate_.field.field).type;
    Operand operand;
    operand.text = literal.text;
    if (literal.kind == Literal::Kind::kBoolean) {
      if (type != FieldType::kDynamic) {
        return FilterError{literal.position, Name() + " is never TRUE or FALSE",
                           "only metadata values can be TRUE or FALSE"};
      }
      operand.text = literal.boolean ? "true" : "false";
    } else if (literal.kind == Literal::Kind::kNumber) {
      operand.meets_texts = false;
      operand.number =
          literal.is_integer ? Number::Integer(literal.integer) : Number::Real(literal.number);
    } else {
      operand.number = ParseJsonNumber(literal.text);
    }
    MaybeError error;
    const bool is_number = type == FieldType::kInteger || type == FieldType::kReal;
    if (is_number && !operand.number) {
      error = FilterError{literal.position, Name() + " is a number, '" + literal.text + "' is none",
                          "write a number, as in " + Name() + " > 100"};
    } else if (type == FieldType::kTime || type == FieldType::kDynamic) {
      error = ReadTime(literal, type, &operand);
    }
    compiled_.operands.push_back(std::move(operand));
    return error;
  }

  MaybeError ReadTime(const Literal& literal, FieldType type, Operand* operand) {
    const bool is_string = literal.kind == Literal::Kind::kString;
    if (type == FieldType::kDynamic) {
      // A text in metadata may be "today" or "2026-02", so only complete dates are times, both in
      // values and in literals.
      if (is_string) operand->time = ReadInstant(literal.text);
      return std::nullopt;
    }
    const auto date = is_string ? ReadDateLiteral(literal.text, now_) : std::nullopt;
    if (!date) {
      return FilterError{literal.position,
                         Name() + " is a time, " +
                             (is_string ? "'" + literal.text + "'" : literal.text) + " is none",
                         "write '2026-02-04', '2026-02-04T09:30:00Z', or '-7d' for a week ago"};
    }
    operand->time = date->instant;
    depends_on_now_ |= date->is_relative;
    const bool equal = compiled_.op == Op::kEqual || compiled_.op == Op::kIn;
    if (date->is_whole_day && equal) {
      warnings_.push_back(Name() + " = '" + literal.text +
                          "' is its first instant only; for all of it write " + Name() + " LIKE '" +
                          literal.text + "%'");
    }
    return std::nullopt;
  }

  MaybeError ReadPattern() {
    const FieldType type = InfoOf(predicate_.field.field).type;
    if (type == FieldType::kInteger || type == FieldType::kReal) {
      return FilterError{predicate_.position, Name() + " is a number, which has no pattern",
                         "compare it with numbers, as in " + Name() + " BETWEEN 10 AND 19"};
    }
    const Literal& literal = predicate_.operands[0];
    if (predicate_.op == Op::kRegexp) {
      re2::RE2::Options options;
      options.set_log_errors(false);
      options.set_max_mem(kRegexpMemory);
      auto regexp = std::make_shared<const re2::RE2>(literal.text, options);
      if (!regexp->ok()) {
        return FilterError{literal.position,
                           "the regular expression cannot be read: " + regexp->error(),
                           "the syntax is RE2's; a backslash in a string is written twice"};
      }
      compiled_.regexp = std::move(regexp);
      compiled_.literal = RequiredLiteral(literal.text);
      return std::nullopt;
    }
    std::string pattern = literal.text;
    if (predicate_.op == Op::kILike) {
      pattern.clear();
      FoldCaseAppend(literal.text, &pattern);
    }
    auto glob = Glob::Compile(
        pattern, predicate_.op == Op::kGlob ? GlobDialect::kRecall : GlobDialect::kLike);
    if (!glob) {
      return FilterError{literal.position, std::string(glob.error().message()),
                         "a backslash makes the next character of a pattern literal"};
    }
    compiled_.glob = std::make_shared<const Glob>(*std::move(glob));
    return std::nullopt;
  }

  const Predicate& predicate_;
  const UnixNanos now_;
  CompiledPredicate compiled_;
  std::vector<std::string> warnings_;
  bool depends_on_now_ = false;
};

}  // namespace

tl::expected<CompiledPredicate, FilterError> CompilePredicate(const Predicate& predicate,
                                                              UnixNanos now,
                                                              std::vector<std::string>* warnings,
                                                              bool* depends_on_now) {
  PredicateCompiler compiler(predicate, now);
  auto compiled = compiler.Compile();
  warnings->insert(warnings->end(), compiler.warnings().begin(), compiler.warnings().end());
  *depends_on_now |= compiler.depends_on_now();
  return compiled;
}

TextInterval CompiledPredicate::PatternRange() const {
  TextInterval range;
  if (glob && op != FilterOp::kILike) {
    range.low = glob->prefix();
    // The smallest text after all texts with this prefix: the prefix with its last byte
    // incremented.
    std::string high = glob->prefix();
    while (!high.empty() && static_cast<unsigned char>(high.back()) == 0xFF) high.pop_back();
    if (!high.empty()) {
      high.back() = static_cast<char>(static_cast<unsigned char>(high.back()) + 1);
      range.high = std::move(high);
    }
  }
  return range;
}

std::string_view CompiledPredicate::RequiredBytes() const {
  if (negated || op == FilterOp::kILike) return {};
  if (regexp) return literal;
  return glob ? glob->required() : std::string_view();
}

// ---- Testing values ---------------------------------------------------------------------------

PredicateMatcher::PredicateMatcher(const CompiledPredicate& predicate)
    : predicate_(predicate), literal_(predicate.literal) {
  if (predicate.glob) glob_ = std::make_unique<GlobMatcher>(*predicate.glob);
}
PredicateMatcher::~PredicateMatcher() = default;

bool PredicateMatcher::Matches(std::string_view text) {
  if (predicate_.regexp) return MatchesRegexp(text);
  if (predicate_.op != Op::kILike) return glob_->Matches(text);
  folded_.clear();
  FoldCaseAppend(text, &folded_);
  return glob_->Matches(folded_);
}

bool PredicateMatcher::MatchesRegexp(std::string_view text) {
  return literal_.OccursIn(text, last_.Advance(text)) &&
         re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *predicate_.regexp);
}

bool PredicateMatcher::Text(std::string_view value) {
  if (predicate_.is_pattern()) return Matches(value);
  return Satisfies(predicate_.op, predicate_.operands, [&](const Operand& operand) -> Order {
    return CompareTexts(value, operand.text);
  });
}

bool PredicateMatcher::Integer(int64_t value) {
  return Satisfies(predicate_.op, predicate_.operands, [&](const Operand& operand) -> Order {
    return CompareNumbers(Number::Integer(value), *operand.number);
  });
}

bool PredicateMatcher::Real(double value) {
  return Satisfies(predicate_.op, predicate_.operands, [&](const Operand& operand) -> Order {
    return CompareNumbers(Number::Real(value), *operand.number);
  });
}

bool PredicateMatcher::Time(UnixNanos value) {
  if (predicate_.is_pattern()) return Matches(FormatRfc3339(value));
  return Satisfies(predicate_.op, predicate_.operands,
                   [&](const Operand& operand) -> Order { return value <=> *operand.time; });
}

bool PredicateMatcher::Metadata(const MetaScalar& value) {
  const bool is_number = value.kind == MetaScalar::Kind::kNumber;
  if (predicate_.is_pattern()) return !is_number && Matches(value.text);
  return Satisfies(predicate_.op, predicate_.operands, [&](const Operand& operand) -> Order {
    if (is_number) {
      if (!operand.number) return std::nullopt;
      return CompareNumbers(value.number, *operand.number);
    }
    if (!operand.meets_texts) return std::nullopt;
    if (value.kind == MetaScalar::Kind::kDate && operand.time)
      return value.instant <=> *operand.time;
    return CompareTexts(value.text, operand.text);
  });
}

}  // namespace recall
