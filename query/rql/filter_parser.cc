// An operator-precedence parser for the grammar of filters (filter_parser.h). Open parentheses are
// levels of an explicit stack, so parsing needs no more of the thread's stack for deep filters:
//
//   NOT (a AND b OR NOT (c ...        levels_:  [ nots: 1 ]
//                                               [ ors: a AND b;  nots: 1 ]
//                                               [ ands: c ]
//
// The tree is evaluated, printed and destroyed recursively, so its depth must be bounded. Two
// limits do that, both kMaxFilterDepth:
//
//   nesting_     the open '(' and NOT during parsing, even for parentheses that add no node, as in
//                ((((a))))
//   Tree::depth  levels of the tree: AND inside OR inside NOT ...
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

#include "index/base/text/text_fault.h"
#include "query/rql/field_names.h"

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
  levels_.clear();
  levels_.emplace_back();
  for (;;) {
    RECALL_TRY(ReadPrefix());
    Tree operand;
    RECALL_ASSIGN(operand.expr.predicate, ParsePredicate());
    RECALL_ASSIGN(const bool more, Complete(std::move(operand)));
    if (!more) return std::move(result_);
  }
}

// Reads what may precede a predicate: NOT and '('.
Status FilterParser::ReadPrefix() {
  for (;;) {
    const size_t begin = tokens_.token().begin;
    Level& level = levels_.back();
    if (level.ands.empty && level.nots.empty()) {
      level.ands.begin = begin;
      if (level.ors.empty) level.ors.begin = begin;
    }
    const bool open = tokens_.At(TokenKind::kOpen);
    if (!open && !tokens_.AtWord("NOT")) return Status::Ok();
    if (++nesting_ > kMaxFilterDepth) return TooDeep(begin);
    tokens_.Advance();
    if (open) {
      levels_.emplace_back().open = begin;
    } else {
      level.nots.push_back(begin);
    }
  }
}

// Puts an operand into the tree and closes the levels that end after it. Returns: whether another
// operand must follow; if not, result_ is the filter.
Result<bool> FilterParser::Complete(Tree operand) {
  for (;;) {
    Level& level = levels_.back();
    RECALL_TRY(ApplyNots(&level, &operand));
    Add(ExprKind::kAnd, std::move(operand), &level.ands);
    if (tokens_.AcceptWord("AND")) return true;
    RECALL_ASSIGN(Tree conjunction, Close(&level.ands));
    Add(ExprKind::kOr, std::move(conjunction), &level.ors);
    if (tokens_.AcceptWord("OR")) return true;
    RECALL_ASSIGN(operand, Close(&level.ors));
    if (levels_.size() == 1) break;
    RECALL_TRY(CloseParenthesis(level.open));
    levels_.pop_back();
  }
  result_ = std::move(operand.expr);
  return false;
}

Status FilterParser::ApplyNots(Level* level, Tree* operand) {
  for (; !level->nots.empty(); level->nots.pop_back()) {
    --nesting_;
    Tree negation;
    negation.expr.kind = ExprKind::kNot;
    negation.depth = operand->depth + 1;
    negation.expr.children.push_back(std::move(operand->expr));
    if (negation.depth > kMaxFilterDepth) return TooDeep(level->nots.back());
    *operand = std::move(negation);
  }
  return Status::Ok();
}

// Adds an operand to a chain of AND or OR. A chain of one operand is that operand.
void FilterParser::Add(ExprKind kind, Tree operand, Chain* chain) {
  if (chain->empty) {
    chain->tree = std::move(operand);
    chain->empty = false;
    return;
  }
  if (!chain->joined) {
    Tree first = std::move(chain->tree);
    chain->tree = Tree();
    chain->tree.expr.kind = kind;
    Append(std::move(first), &chain->tree);
    chain->joined = true;
  }
  Append(std::move(operand), &chain->tree);
}

Result<FilterParser::Tree> FilterParser::Close(Chain* chain) {
  Chain closed = std::exchange(*chain, Chain());
  if (closed.joined && closed.tree.depth > kMaxFilterDepth) return Fail(TooDeep(closed.begin));
  return std::move(closed.tree);
}

Status FilterParser::CloseParenthesis(size_t open) {
  --nesting_;
  if (tokens_.Accept(TokenKind::kClose)) return Status::Ok();
  const TextPosition place = PositionOf(tokens_.text(), open);
  return tokens_.Unexpected("AND, OR or ')'", "the '(' at line " + std::to_string(place.line) +
                                                  ", column " + std::to_string(place.column) +
                                                  " is not closed");
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
  const bool is_keyword = token.IsReserved() || token.IsWord("AND") || token.IsWord("OR") ||
                          token.IsWord("OFFSET") || token.IsWord("VIEW");
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
