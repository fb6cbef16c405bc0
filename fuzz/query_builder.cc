#include "fuzz/query_builder.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>
#include <limits>
#include <string_view>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

constexpr size_t kUsualDepth = 6;
constexpr size_t kMostPredicates = 300;

// Texts that are special somewhere in the language, or hard to print.
constexpr std::string_view kPieces[] = {
    "a",      "b",      "7",      " ",   "'",      "\"",  "\\",      "\n",     "\r",
    "\t",     "--",     "/*",     "*/",  ";",      ",",   "(",       ")",      "%",
    "_",      "-",      ".",      "*",   "é",      "日",  "e\u0301", "\u200D", "\U0001F600",
    "\u202E", "\uFEFF", "\u00A0", "NOT", "SELECT", "\x01"};

constexpr std::string_view kUnknownNames[] = {"foo",   "Doc.Path",   "chunk.x-y",           "doc",
                                              "foo.*", "doc.meta.*", "x.meta.\"a \"\" b\"", "größe",
                                              "asc"};

template <typename T>
std::string Spell(T number) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, std::end(buffer), number).ptr};
}

}  // namespace

std::string QueryBuilder::Text() {
  std::string text;
  for (uint32_t left = choose_(8); left > 0; --left) {
    if (!OneIn(8)) {
      text += kPieces[choose_(std::size(kPieces))];
      continue;
    }
    uint32_t character = 1 + choose_(0x10FFFF);
    if (character >= 0xD800 && character < 0xE000) character -= 0x800;
    AppendUtf8(character, &text);
  }
  return text;
}

Literal QueryBuilder::TextLiteral() {
  Literal literal;
  literal.text = Text();
  return literal;
}

Literal QueryBuilder::NumberLiteral() {
  Literal literal;
  literal.kind = Literal::Kind::kNumber;
  double number = 0;
  switch (choose_(5)) {
    case 0:
      literal.is_integer = true;
      literal.integer = choose_(1000);
      break;
    case 1:
      literal.is_integer = true;
      literal.integer = static_cast<int64_t>(Bits64() >> choose_(64));
      break;
    case 2:
      literal.is_integer = true;
      literal.integer = OneIn(2) ? std::numeric_limits<int64_t>::min()
                                 : std::numeric_limits<int64_t>::max() - choose_(2);
      break;
    case 3:  // any bits: integers, subnormal and huge numbers
      number = std::bit_cast<double>(Bits64());
      break;
    default:
      number =
          std::ldexp(static_cast<double>(choose_(1 << 16)), static_cast<int>(choose_(90)) - 20);
  }
  if (!std::isfinite(number)) number = std::numeric_limits<double>::max();
  if (!literal.is_integer && std::trunc(number) == number && number >= -0x1p63 && number < 0x1p63) {
    literal.is_integer = true;
    literal.integer = static_cast<int64_t>(number);
  }
  literal.number = literal.is_integer ? static_cast<double>(literal.integer) : number;
  literal.text = literal.is_integer ? Spell(literal.integer) : Spell(number);
  return literal;
}

Literal QueryBuilder::MakeLiteral() {
  switch (choose_(4)) {
    case 0:
    case 1:
      return TextLiteral();
    case 2:
      return NumberLiteral();
    default:
      Literal literal;
      literal.kind = Literal::Kind::kBoolean;
      literal.boolean = OneIn(2);
      return literal;
  }
}

FieldRef QueryBuilder::AnyField() {
  // Computed fields are only for filters, and the oracles know nothing of notes.
  std::vector<Field> fields;
  for (const FieldInfo& info : AllFields()) {
    if (info.stored()) fields.push_back(info.field);
  }
  if (!OneIn(3)) return {fields[choose_(static_cast<uint32_t>(fields.size()))], {}};
  FieldRef field{Field::kDocMetaKey, {}};
  do {
    field.meta_path.push_back(OneIn(3) ? Text() : "author-" + Spell(choose_(10)));
  } while (OneIn(3) && field.meta_path.size() < 60);
  return field;
}

Predicate QueryBuilder::MakePredicate() {
  Predicate predicate;
  predicate.field = AnyField();
  predicate.op = static_cast<FilterOp>(choose_(static_cast<uint32_t>(FilterOp::kIsNull) + 1));
  predicate.negated = predicate.op > FilterOp::kGreaterEqual && OneIn(2);
  switch (predicate.op) {
    case FilterOp::kIsNull:
      break;
    case FilterOp::kLike:
    case FilterOp::kILike:
    case FilterOp::kGlob:
    case FilterOp::kRegexp:
      predicate.operands.push_back(TextLiteral());
      break;
    case FilterOp::kBetween:
      predicate.operands = {MakeLiteral(), MakeLiteral()};
      break;
    case FilterOp::kIn:
      for (uint32_t i = 1 + choose_(5); i > 0; --i) predicate.operands.push_back(MakeLiteral());
      break;
    default:
      predicate.operands.push_back(MakeLiteral());
  }
  return predicate;
}

FilterExpr QueryBuilder::Tree(size_t depth, FilterExpr::Kind parent) {
  using Kind = FilterExpr::Kind;
  FilterExpr expr;
  expr.kind = depth > 1 && predicates_left_ > 0 ? static_cast<Kind>(choose_(4)) : Kind::kPredicate;
  if (expr.kind == parent && parent != Kind::kNot) expr.kind = Kind::kPredicate;
  if (expr.kind == Kind::kPredicate) {
    predicates_left_ -= std::min<size_t>(predicates_left_, 1);
    expr.predicate = MakePredicate();
    return expr;
  }
  const uint32_t children = expr.kind == Kind::kNot ? 1 : 2 + choose_(3);
  for (uint32_t i = 0; i < children; ++i) expr.children.push_back(Tree(depth - 1, expr.kind));
  return expr;
}

// A filter of the maximum depth: one chain of operators, in which AND and OR have a predicate as
// their second operand.
FilterExpr QueryBuilder::Spine() {
  using Kind = FilterExpr::Kind;
  FilterExpr expr;
  expr.predicate = MakePredicate();
  for (size_t depth = 1; depth < kMaxFilterDepth; ++depth) {
    FilterExpr above;
    above.kind = static_cast<Kind>(1 + choose_(3));
    if (above.kind == expr.kind && above.kind != Kind::kNot) above.kind = Kind::kNot;
    above.children.push_back(std::move(expr));
    if (above.kind != Kind::kNot) {
      FilterExpr beside;
      beside.predicate = MakePredicate();
      above.children.insert(above.children.begin() + choose_(2), std::move(beside));
    }
    expr = std::move(above);
  }
  return expr;
}

FilterExpr QueryBuilder::Filter() {
  if (OneIn(16)) return Spine();
  predicates_left_ = kMostPredicates;
  return Tree(kUsualDepth, FilterExpr::Kind::kPredicate);
}

void QueryBuilder::AddOrder(RqlQuery* query) {
  const bool no_chunks = query->from == RqlTable::kDoc && !query->ranked();
  for (uint32_t left = choose_(4); left > 0; --left) {
    OrderKey key;
    key.is_score = query->ranked() && OneIn(3);
    if (!key.is_score) key.field = AnyField();
    const bool is_chunk = !key.is_score && InfoOf(key.field.field).table == FieldTable::kChunk;
    const bool twice = std::ranges::any_of(query->order_by, [&](const OrderKey& other) {
      return key.is_score == other.is_score && (key.is_score || key.field == other.field);
    });
    if (twice || (is_chunk && no_chunks)) continue;
    key.direction_given = OneIn(2);
    key.ascending = key.direction_given && OneIn(2);
    query->order_by.push_back(std::move(key));
  }
}

SelectItem QueryBuilder::AnySelectItem() {
  SelectItem item;
  item.kind =
      static_cast<SelectItem::Kind>(choose_(static_cast<uint32_t>(SelectItem::Kind::kUnknown) + 1));
  if (item.kind == SelectItem::Kind::kField) item.field = AnyField();
  if (item.kind == SelectItem::Kind::kUnknown) {
    item.name = kUnknownNames[choose_(std::size(kUnknownNames))];
  }
  return item;
}

RqlQuery QueryBuilder::Query() {
  RqlQuery query;
  query.from = OneIn(2) ? RqlTable::kDoc : RqlTable::kChunk;
  if (OneIn(2)) query.semantic = "s" + Text();
  if (OneIn(2)) query.lexical = Text() + "l";
  if (OneIn(2)) query.filter = Filter();
  AddOrder(&query);
  const int64_t count = static_cast<int64_t>(Bits64() >> (11 + choose_(53)));
  if (OneIn(2)) query.limit = count;
  if (OneIn(2)) query.offset = count / 2;
  if (OneIn(3)) query.view = {"v" + Text(), 0};
  for (uint32_t left = 1 + choose_(5); left > 0; --left) query.select.push_back(AnySelectItem());
  return query;
}

}  // namespace recall
