// A recursive descent parser for filters, with one function for each rule of the grammar
// (filter_parser.h).
//
// The tree is evaluated, printed and destroyed recursively, so its depth must be bounded. Two
// limits do that, both kMaxFilterDepth:
//
//   nesting_     the number of open '(' and NOT during parsing. It bounds the recursion of the
//                parser, which parentheses deepen even if they add no node, as in ((((a)))).
//   Tree::depth  the number of levels of the tree: AND inside OR inside NOT ...
//
// Chains of one operator do not deepen the tree, because Append() flattens them:
//
//   (a AND b) AND c                   NOT (a OR (b AND c))
//        AND                                 NOT               depth 4
//      a  b  c     depth 2                   OR
//                                          a   AND
//                                             b   c
//
// The number of predicates is bounded as well; each value of an IN list counts as one.
// Cost: linear in the text. Each error is reported at the position of its token.

#include "query/rql/filter_parser.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "query/rql/field_names.h"
#include "query/rql/text_fault.h"

namespace recall {
namespace {

using ExprKind = FilterExpr::Kind;

std::optional<FilterOp> ComparisonOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEqual:
      return FilterOp::kEqual;
    case TokenKind::kNotEqual:
      return FilterOp::kNotEqual;
    case TokenKind::kLess:
      return FilterOp::kLess;
    case TokenKind::kLessEqual:
      return FilterOp::kLessEqual;
    case TokenKind::kGreater:
      return FilterOp::kGreater;
    case TokenKind::kGreaterEqual:
      return FilterOp::kGreaterEqual;
    default:
      return std::nullopt;
  }
}

struct PatternWord {
  std::string_view word;
  FilterOp op;
};
constexpr PatternWord kPatternWords[] = {{"LIKE", FilterOp::kLike},
                                         {"ILIKE", FilterOp::kILike},
                                         {"GLOB", FilterOp::kGlob},
                                         {"REGEXP", FilterOp::kRegexp}};

}  // namespace

Result<FilterExpr> FilterParser::Parse() {
  RECALL_ASSIGN(Tree tree, ParseJoined(ExprKind::kOr));
  return std::move(tree.expr);
}

// Parses operands that are joined by `kind`: for kAnd predicates, negations and parentheses, for
// kOr conjunctions.
Result<FilterParser::Tree> FilterParser::ParseJoined(ExprKind kind) {
  const auto operand = [&] {
    return kind == ExprKind::kOr ? ParseJoined(ExprKind::kAnd) : ParseNot();
  };
  const std::string_view word = kind == ExprKind::kOr ? "OR" : "AND";
  const size_t begin = tokens_.token().begin;
  RECALL_ASSIGN(Tree first, operand());
  if (!tokens_.AtWord(word)) return first;
  Tree joined;
  joined.expr.kind = kind;
  Append(std::move(first), &joined);
  while (tokens_.AcceptWord(word)) {
    RECALL_ASSIGN(Tree next, operand());
    Append(std::move(next), &joined);
  }
  if (joined.depth > kMaxFilterDepth) return Fail(TooDeep(begin));
  return joined;
}

// Adds an operand to `joined`. An operand of the same kind is flattened: (a AND b) AND c becomes
// a AND b AND c.
void FilterParser::Append(Tree tree, Tree* joined) {
  std::vector<FilterExpr>& children = joined->expr.children;
  if (tree.expr.kind == joined->expr.kind) {
    joined->depth = std::max(joined->depth, tree.depth);
    std::ranges::move(tree.expr.children, std::back_inserter(children));
  } else {
    joined->depth = std::max(joined->depth, tree.depth + 1);
    children.push_back(std::move(tree.expr));
  }
}

Result<FilterParser::Tree> FilterParser::ParseNot() {
  const size_t begin = tokens_.token().begin;
  if (tokens_.At(TokenKind::kOpen)) return ParseParentheses();
  Tree tree;
  if (!tokens_.AtWord("NOT")) {
    RECALL_ASSIGN(tree.expr.predicate, ParsePredicate());
    return tree;
  }
  if (++nesting_ > kMaxFilterDepth) return Fail(TooDeep(begin));
  tokens_.Advance();
  RECALL_ASSIGN(Tree operand, ParseNot());
  --nesting_;
  tree.expr.kind = ExprKind::kNot;
  tree.depth = operand.depth + 1;
  tree.expr.children.push_back(std::move(operand.expr));
  if (tree.depth > kMaxFilterDepth) return Fail(TooDeep(begin));
  return tree;
}

Result<FilterParser::Tree> FilterParser::ParseParentheses() {
  const size_t open = tokens_.token().begin;
  if (++nesting_ > kMaxFilterDepth) return Fail(TooDeep(open));
  tokens_.Advance();
  RECALL_ASSIGN(Tree tree, ParseJoined(ExprKind::kOr));
  --nesting_;
  if (!tokens_.Accept(TokenKind::kClose)) {
    const TextPosition place = PositionOf(tokens_.text(), open);
    return Fail(tokens_.Unexpected("AND, OR or ')'",
                                   "the '(' at line " + std::to_string(place.line) + ", column " +
                                       std::to_string(place.column) + " is not closed"));
  }
  return tree;
}

Result<Predicate> FilterParser::ParsePredicate() {
  Predicate predicate;
  predicate.position = tokens_.token().begin;
  RECALL_ASSIGN(predicate.field, ParseField());
  RECALL_TRY(CountPredicate(predicate.position));
  if (const auto comparison = ComparisonOf(tokens_.token().kind)) {
    tokens_.Advance();
    predicate.op = *comparison;
    RECALL_TRY(ParseValue(&predicate));
  } else if (tokens_.AcceptWord("IS")) {
    RECALL_TRY(ParseIsNull(&predicate));
  } else {
    predicate.negated = tokens_.AcceptWord("NOT");
    RECALL_TRY(ParseTextOperator(&predicate));
  }
  return predicate;
}

Result<FieldRef> FilterParser::ParseField() {
  const Token& token = tokens_.token();
  const bool is_keyword =
      token.IsReserved() || token.IsWord("AND") || token.IsWord("OR") || token.IsWord("OFFSET");
  if (!tokens_.At(TokenKind::kName) || is_keyword) {
    const bool is_value = tokens_.At(TokenKind::kString) || tokens_.At(TokenKind::kNumber);
    return Fail(tokens_.Unexpected("a field, NOT or '('",
                                   is_value ? "write the field on the left: doc.tag = 'a'"
                                            : "an example of a predicate: doc.tag = 'a'"));
  }
  if (auto field = FindQualified(token.parts)) {
    tokens_.Advance();
    return *std::move(field);
  }
  const std::string name = Quoted(tokens_.text().substr(token.begin, token.end - token.begin));
  if (token.IsWord("SCORE")) {
    return Fail(tokens_.Fault(token.begin, "a filter cannot use score",
                              "score is allowed in ORDER BY and SELECT"));
  }
  const bool unqualified = !FindTable(token.parts[0]) && FindAny(token.parts);
  return Fail(tokens_.Fault(
      token.begin,
      unqualified ? "in a filter, " + name + " needs its table" : "unknown field " + name,
      SuggestField(token.parts)));
}

// Parses LIKE, ILIKE, GLOB, REGEXP, IN or BETWEEN and their operands. The caller has read an
// optional NOT.
Status FilterParser::ParseTextOperator(Predicate* predicate) {
  for (const PatternWord& pattern : kPatternWords) {
    if (!tokens_.AcceptWord(pattern.word)) continue;
    predicate->op = pattern.op;
    return ParsePattern(predicate);
  }
  if (tokens_.AcceptWord("IN")) return ParseIn(predicate);
  if (tokens_.AcceptWord("BETWEEN")) return ParseBetween(predicate);
  if (predicate->negated) {
    return tokens_.Unexpected("LIKE, ILIKE, GLOB, REGEXP, IN or BETWEEN",
                              "to negate a comparison, write != or put NOT before the field");
  }
  return tokens_.Unexpected("an operator",
                            "the operators are = != < <= > >= [NOT] LIKE, ILIKE, GLOB, REGEXP, IN, "
                            "BETWEEN, IS [NOT] NULL");
}

Status FilterParser::ParsePattern(Predicate* predicate) {
  if (tokens_.At(TokenKind::kNumber) || tokens_.AtWord("TRUE") || tokens_.AtWord("FALSE")) {
    return tokens_.Unexpected("a pattern in quotes", "as in doc.path LIKE '%.md'");
  }
  const Token& token = tokens_.token();
  if (tokens_.At(TokenKind::kString) && token.literal.text.size() > kMaxPatternBytes) {
    return LimitAt(tokens_.text(), token.begin,
                   "a pattern has more than " + std::to_string(kMaxPatternBytes) + " bytes",
                   "join shorter patterns with OR, or compare with =");
  }
  return ParseValue(predicate);
}

Status FilterParser::ParseIn(Predicate* predicate) {
  predicate->op = FilterOp::kIn;
  RECALL_TRY(tokens_.Expect(TokenKind::kOpen, "'('", "an example of a list: IN ('a', 'b')"));
  RECALL_TRY(ParseValue(predicate));
  while (tokens_.Accept(TokenKind::kComma)) {
    RECALL_TRY(CountPredicate(tokens_.token().begin));
    RECALL_TRY(ParseValue(predicate));
  }
  return tokens_.Expect(TokenKind::kClose, "',' or ')'", "an example of a list: IN ('a', 'b')");
}

Status FilterParser::ParseBetween(Predicate* predicate) {
  predicate->op = FilterOp::kBetween;
  RECALL_TRY(ParseValue(predicate));
  if (!tokens_.AcceptWord("AND")) {
    return tokens_.Unexpected("AND",
                              "an example of a range, which includes both ends: BETWEEN 1 AND 5");
  }
  return ParseValue(predicate);
}

Status FilterParser::ParseIsNull(Predicate* predicate) {
  predicate->op = FilterOp::kIsNull;
  predicate->negated = tokens_.AcceptWord("NOT");
  if (tokens_.AcceptWord("NULL")) return {};
  return tokens_.Unexpected(predicate->negated ? "NULL" : "NULL or NOT NULL",
                            "to compare with a value, write = or !=");
}

Status FilterParser::ParseValue(Predicate* predicate) {
  const bool is_true = tokens_.AtWord("TRUE");
  if (is_true || tokens_.AtWord("FALSE")) {
    Literal literal;
    literal.kind = Literal::Kind::kBoolean;
    literal.boolean = is_true;
    literal.position = tokens_.token().begin;
    predicate->operands.push_back(std::move(literal));
    tokens_.Advance();
    return {};
  }
  if (!tokens_.At(TokenKind::kString) && !tokens_.At(TokenKind::kNumber)) {
    return NotAValue(*predicate);
  }
  predicate->operands.push_back(tokens_.Take().literal);
  return {};
}

Status FilterParser::NotAValue(const Predicate& predicate) const {
  const Token& token = tokens_.token();
  if (token.IsWord("NULL")) {
    const bool negated = predicate.negated || predicate.op == FilterOp::kNotEqual;
    return tokens_.Fault(
        token.begin, "expected a value, found NULL, which equals nothing",
        "write " + FieldName(predicate.field) + (negated ? " IS NOT NULL" : " IS NULL"));
  }
  if (tokens_.At(TokenKind::kName) && token.parts.size() > 1 && FindTable(token.parts[0])) {
    return tokens_.Fault(token.begin,
                         "expected a value, found a field: a field is compared with values only",
                         "put text in quotes");
  }
  return tokens_.Unexpected("a value",
                            tokens_.At(TokenKind::kName)
                                ? "put text in quotes"
                                : "a value is a text in quotes, a number, TRUE or FALSE");
}

Status FilterParser::CountPredicate(size_t at) {
  if (++predicates_ <= kMaxFilterPredicates) return {};
  return LimitAt(tokens_.text(), at,
                 "the filter has more than " + std::to_string(kMaxFilterPredicates) + " predicates",
                 "each value of an IN list counts as one");
}

Status FilterParser::TooDeep(size_t at) const {
  return LimitAt(
      tokens_.text(), at,
      "the filter is nested more than " + std::to_string(kMaxFilterDepth) + " levels deep",
      "use fewer nested parentheses and NOTs");
}

}  // namespace recall
