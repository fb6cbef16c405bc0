// The parser of RQL (docs/rql.md): recursive descent with one token of look-ahead and one function
// per clause.
//
//   query  = [SELECT ...] FROM table { clause } [';']
//   clause = VIEW ... | USING ... | FILTER ... | ORDER BY ... | LIMIT n | OFFSET n | SELECT ...
//
// Clauses may appear in any order after FROM, and SELECT also before it, each at most once. The
// table kClauses maps the first keyword of a clause to its function. It also has the keywords that
// error messages list as expected ("expected ',', LIMIT, OFFSET"). `seen_` detects duplicate
// clauses. `last_` is the clause that was parsed last, whose continuation is valid as well.
//
// Names are resolved during parsing, so a syntax tree contains only existing fields. An unknown
// name is an error in FILTER and ORDER BY, but only a warning in SELECT, so that a query written
// for another version still returns its other fields. Rules that involve several clauses, such as
// ORDER BY score without USING, are checked at the end (CheckOrder, SelectWarnings).
//
// Cost: linear in the text, except that SELECT and ORDER BY compare their items pairwise; both
// lists are bounded (kMaxSelectItems, kMaxOrderKeys). Recursion occurs only in filters.

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "index/base/text/text_fault.h"
#include "index/base/text/utf8.h"
#include "query/rql/field_names.h"
#include "query/rql/filter_parser.h"
#include "query/rql/rql.h"
#include "query/rql/token_reader.h"

namespace recall {
namespace {

constexpr const char* kNoAggregates =
    "RQL has no COUNT, DISTINCT or GROUP BY; the total of a query with LIMIT 0 counts its rows";

constexpr int64_t kMaxCount = int64_t{1} << 53;  // up to here, JSON numbers are exact integers

bool IsBlankText(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    if (!IsWhiteSpace(DecodeUtf8(text, &i))) return false;
  }
  return true;
}

class QueryParser final {
 public:
  explicit QueryParser(std::string_view text) : tokens_(text) {}

  Result<RqlQuery> Parse(std::vector<std::string>* warnings);

 private:
  // A clause: its first keyword, its name in messages, the tokens that may continue it, and its
  // parser.
  struct Clause {
    std::string_view word;
    std::string_view shown;
    std::string_view goes_on;
    Status (QueryParser::*parse)();
  };
  static const std::array<Clause, 8> kClauses;

  static const Clause& ClauseOf(std::string_view word);
  Status ParseClause(const Clause& clause);
  Status ParseFrom();
  Status ParseView();
  Status ParseUsing();
  Status ParseUsingText(std::optional<std::string>* text);
  Status ParseFilterClause();
  Status ParseOrderBy();
  Result<OrderKey> ParseOrderKey();
  Status ParseLimit() { return ParseCount("LIMIT", &query_.limit); }
  Status ParseOffset() { return ParseCount("OFFSET", &query_.offset); }
  Status ParseCount(std::string_view clause, std::optional<int64_t>* count);
  Status ParseSelect();
  void SelectUsual();
  Result<SelectItem> ParseSelectItem();

  bool Seen(std::string_view word) const;
  // Whether the last field before the present token is this word, which is no field.
  bool JustSelected(std::string_view word) const;
  Status NoClause() const;
  Status CheckOrder() const;
  std::vector<std::string> SelectWarnings() const;
  bool HasNoChunks() const { return query_.from == RqlTable::kDoc && !query_.ranked(); }

  TokenReader tokens_;
  RqlQuery query_;
  const Clause* last_ = nullptr;
  std::array<bool, 8> seen_ = {};
};

// The clauses in canonical order.
const std::array<QueryParser::Clause, 8> QueryParser::kClauses = {{
    {"FROM", "FROM", "", &QueryParser::ParseFrom},
    {"VIEW", "VIEW", "", &QueryParser::ParseView},
    {"USING", "USING", "','", &QueryParser::ParseUsing},
    {"FILTER", "FILTER", "AND, OR", &QueryParser::ParseFilterClause},
    {"ORDER", "ORDER BY", "','", &QueryParser::ParseOrderBy},
    {"LIMIT", "LIMIT", "", &QueryParser::ParseLimit},
    {"OFFSET", "OFFSET", "", &QueryParser::ParseOffset},
    {"SELECT", "SELECT", "','", &QueryParser::ParseSelect},
}};

const QueryParser::Clause& QueryParser::ClauseOf(std::string_view word) {
  return *std::ranges::find(kClauses, word, &Clause::word);
}

bool QueryParser::Seen(std::string_view word) const {
  return seen_[static_cast<size_t>(&ClauseOf(word) - kClauses.data())];
}

bool QueryParser::JustSelected(std::string_view word) const {
  return last_ && last_->word == "SELECT" && !query_.select.empty() &&
         EqualsIgnoringCase(query_.select.back().name, word);
}

Result<RqlQuery> QueryParser::Parse(std::vector<std::string>* warnings) {
  if (tokens_.AtWord("SELECT")) RECALL_TRY(ParseClause(ClauseOf("SELECT")));
  if (!tokens_.AtWord("FROM")) {
    if (JustSelected("COUNT") || JustSelected("DISTINCT")) {
      return Fail(tokens_.Unexpected("',' or FROM", kNoAggregates));
    }
    return Fail(tokens_.Unexpected(last_ ? "',' or FROM" : "FROM or SELECT",
                                   "a query has the form FROM chunk USING lexical('words') SELECT "
                                   "chunk.text, or SELECT ... FROM ..."));
  }
  while (!tokens_.At(TokenKind::kEnd) && !tokens_.At(TokenKind::kSemicolon)) {
    const auto clause = std::ranges::find_if(
        kClauses, [this](const Clause& candidate) { return tokens_.AtWord(candidate.word); });
    if (clause == kClauses.end()) return Fail(NoClause());
    RECALL_TRY(ParseClause(*clause));
  }
  if (!Seen("SELECT")) SelectUsual();
  if (tokens_.Accept(TokenKind::kSemicolon) && !tokens_.At(TokenKind::kEnd)) {
    return Fail(tokens_.Unexpected("the end after ';'", "run one query at a time"));
  }
  RECALL_TRY(CheckOrder());
  if (warnings) std::ranges::move(SelectWarnings(), std::back_inserter(*warnings));
  return std::move(query_);
}

Status QueryParser::ParseClause(const Clause& clause) {
  bool& seen = seen_[static_cast<size_t>(&clause - kClauses.data())];
  if (seen) {
    return tokens_.Fault(
        tokens_.token().begin, "a second " + std::string(clause.shown) + " clause",
        clause.word == "FILTER" ? "join the filters with AND" : "each clause is allowed once");
  }
  seen = true;
  last_ = &clause;
  tokens_.Advance();
  return (this->*clause.parse)();
}

Status QueryParser::ParseFrom() {
  const Token& token = tokens_.token();
  const auto table = tokens_.At(TokenKind::kName) && token.parts.size() == 1
                         ? FindTable(token.parts[0])
                         : std::nullopt;
  if (!table) {
    return tokens_.Unexpected("the table doc or chunk",
                              "the rows of doc are documents, those of chunk their chunks");
  }
  query_.from = *table == FieldTable::kDoc ? RqlTable::kDoc : RqlTable::kChunk;
  tokens_.Advance();
  return {};
}

Status QueryParser::ParseView() {
  if (!tokens_.At(TokenKind::kString)) {
    return tokens_.Unexpected("the name of a view in quotes", "as in VIEW 'memory'");
  }
  const size_t position = tokens_.token().begin;
  query_.view = {tokens_.Take().literal.text, position};
  return {};
}

Status QueryParser::ParseUsing() {
  do {
    const Token& token = tokens_.token();
    const bool semantic = token.IsWord("SEMANTIC");
    if (!semantic && !token.IsWord("LEXICAL")) {
      // Recall 0.1 accepts a trailing comma here.
      const bool ends = token.IsReserved() || token.IsWord("OFFSET") || token.IsWord("VIEW") ||
                        tokens_.At(TokenKind::kEnd) || tokens_.At(TokenKind::kSemicolon);
      if (query_.ranked() && ends) return {};
      return tokens_.Unexpected("semantic(...) or lexical(...)",
                                "as in USING semantic(\"rate limit\"), lexical(\"429\")");
    }
    std::optional<std::string>& text = semantic ? query_.semantic : query_.lexical;
    if (text) {
      return tokens_.Fault(token.begin,
                           semantic ? "a second semantic(...)" : "a second lexical(...)",
                           "each is allowed once");
    }
    tokens_.Advance();
    RECALL_TRY(ParseUsingText(&text));
  } while (tokens_.Accept(TokenKind::kComma));
  return {};
}

Status QueryParser::ParseUsingText(std::optional<std::string>* text) {
  constexpr std::string_view kHint = "as in lexical(\"429\")";
  RECALL_TRY(tokens_.Expect(TokenKind::kOpen, "'('", kHint));
  if (!tokens_.At(TokenKind::kString)) return tokens_.Unexpected("a text in quotes", kHint);
  if (IsBlankText(tokens_.token().literal.text)) {
    return tokens_.Fault(tokens_.token().begin, "the search text is empty",
                         "without USING, a query returns everything that satisfies the FILTER");
  }
  *text = tokens_.Take().literal.text;
  return tokens_.Expect(TokenKind::kClose, "')'", kHint);
}

Status QueryParser::ParseFilterClause() {
  RECALL_ASSIGN(query_.filter, FilterParser(&tokens_).Parse());
  return {};
}

Status QueryParser::ParseOrderBy() {
  if (!tokens_.AcceptWord("BY")) return tokens_.Unexpected("BY", "as in ORDER BY doc.mtime DESC");
  do {
    RECALL_ASSIGN(OrderKey key, ParseOrderKey());
    const bool twice = std::ranges::any_of(query_.order_by, [&](const OrderKey& other) {
      return other.is_score == key.is_score && (key.is_score || other.field == key.field);
    });
    if (twice) {
      return tokens_.Fault(key.position,
                           "ORDER BY " + (key.is_score ? "score" : FieldName(key.field)) + " twice",
                           "the second has no effect");
    }
    if (query_.order_by.size() == kMaxOrderKeys) {
      return LimitAt(tokens_.text(), key.position,
                     "ORDER BY has more than " + std::to_string(kMaxOrderKeys) + " keys",
                     "use fewer keys");
    }
    query_.order_by.push_back(std::move(key));
  } while (tokens_.Accept(TokenKind::kComma));
  return {};
}

Result<OrderKey> QueryParser::ParseOrderKey() {
  const Token& token = tokens_.token();
  if (!tokens_.At(TokenKind::kName) || token.IsReserved()) {
    return Fail(
        tokens_.Unexpected("a field or score", "as in ORDER BY doc.mtime DESC, doc.path ASC"));
  }
  OrderKey key;
  key.position = token.begin;
  key.is_score = token.IsWord("SCORE");
  if (!key.is_score) {
    auto field = FindAny(token.parts);
    if (!field) {
      const std::string_view name = tokens_.text().substr(token.begin, token.end - token.begin);
      return Fail(
          tokens_.Fault(token.begin, "unknown field " + Quoted(name), SuggestField(token.parts)));
    }
    key.field = *std::move(field);
  }
  tokens_.Advance();
  key.ascending = tokens_.AtWord("ASC");
  key.direction_given = tokens_.AcceptWord("ASC") || tokens_.AcceptWord("DESC");
  return key;
}

Status QueryParser::ParseCount(std::string_view clause, std::optional<int64_t>* count) {
  const Literal& literal = tokens_.token().literal;
  if (!tokens_.At(TokenKind::kNumber) || !literal.is_integer || literal.integer < 0 ||
      literal.integer > kMaxCount) {
    return tokens_.Unexpected("a whole number from 0 to " + std::to_string(kMaxCount),
                              "as in " + std::string(clause) + " 10");
  }
  *count = literal.integer;
  tokens_.Advance();
  return {};
}

Status QueryParser::ParseSelect() {
  do {
    const size_t position = tokens_.token().begin;
    RECALL_ASSIGN(SelectItem item, ParseSelectItem());
    if (query_.select.size() == kMaxSelectItems) {
      return LimitAt(tokens_.text(), position,
                     "SELECT has more than " + std::to_string(kMaxSelectItems) + " fields",
                     "doc.* and chunk.* select all fields of a table");
    }
    query_.select.push_back(std::move(item));
  } while (tokens_.Accept(TokenKind::kComma));
  return {};
}

// Without SELECT: the score if there is one, and where the rows are.
void QueryParser::SelectUsual() {
  const auto add = [this](SelectItem::Kind kind, Field field) {
    SelectItem item;
    item.kind = kind;
    if (kind == SelectItem::Kind::kField) item.field = {field, {}};
    query_.select.push_back(std::move(item));
  };
  if (query_.ranked()) add(SelectItem::Kind::kScore, {});
  add(SelectItem::Kind::kField, Field::kDocPath);
  if (query_.from == RqlTable::kDoc) return;
  add(SelectItem::Kind::kField, Field::kChunkStartLine);
  add(SelectItem::Kind::kField, Field::kChunkEndLine);
}

Result<SelectItem> QueryParser::ParseSelectItem() {
  using Kind = SelectItem::Kind;
  const Token& token = tokens_.token();
  SelectItem item;
  item.position = token.begin;
  const bool all_of = tokens_.At(TokenKind::kAllOf);
  const auto table = all_of && token.parts.size() == 1 ? FindTable(token.parts[0]) : std::nullopt;
  if (tokens_.At(TokenKind::kStar)) {
    item.kind = Kind::kAll;
  } else if (table) {
    item.kind = *table == FieldTable::kDoc ? Kind::kAllDoc : Kind::kAllChunk;
  } else if (!all_of && (!tokens_.At(TokenKind::kName) || token.IsReserved())) {
    return Fail(tokens_.Unexpected("a field, score or '*'", "as in SELECT doc.path, score"));
  } else if (token.IsWord("SCORE")) {
    item.kind = Kind::kScore;
  } else if (auto field = all_of ? std::nullopt : FindAny(token.parts)) {
    item.kind = Kind::kField;
    item.field = *std::move(field);
  } else {
    item.kind = Kind::kUnknown;
    item.name = tokens_.text().substr(token.begin, token.end - token.begin);
  }
  tokens_.Advance();
  return item;
}

// The error for a token that begins no clause.
Status QueryParser::NoClause() const {
  std::string expected(last_->goes_on);
  for (size_t i = 0; i < kClauses.size(); ++i) {
    if (seen_[i]) continue;
    if (!expected.empty()) expected += ", ";
    expected += kClauses[i].shown;
  }
  if (Seen("SELECT")) expected += expected.empty() ? "the end" : " or the end";

  const Token& token = tokens_.token();
  std::string hint = "clauses follow FROM in any order, each at most once";
  if (token.IsWord("WHERE")) {
    hint = "write FILTER";
  } else if (token.IsWord("GROUP") || JustSelected("COUNT") || JustSelected("DISTINCT")) {
    hint = kNoAggregates;
  } else if (token.IsWord("ESCAPE")) {
    hint = "in a LIKE pattern a backslash escapes % and _";
  } else if (tokens_.At(TokenKind::kComma) && last_->word == "LIMIT") {
    hint = "write LIMIT 10 OFFSET 20";
  } else if (last_->word == "FILTER" && tokens_.At(TokenKind::kClose)) {
    hint = "no '(' is open";
  } else if (last_->word == "FILTER" && tokens_.At(TokenKind::kName)) {
    hint = "join predicates with AND or OR";
  } else if (last_->word == "SELECT" && tokens_.At(TokenKind::kName)) {
    hint = "fields are separated by commas";
  }
  return tokens_.Unexpected(expected, hint);
}

Status QueryParser::CheckOrder() const {
  for (const OrderKey& key : query_.order_by) {
    if (key.is_score && !query_.ranked()) {
      return tokens_.Fault(key.position, "ORDER BY score without USING: there is no score",
                           "add USING lexical('...') or semantic('...'), or order by a field");
    }
    if (!key.is_score && TableOf(key.field) == FieldTable::kChunk && HasNoChunks()) {
      return tokens_.Fault(key.position,
                           "ORDER BY " + FieldName(key.field) + ", but rows of doc have no chunk",
                           "order by a field of doc, write FROM chunk, or add USING");
    }
  }
  return {};
}

std::vector<std::string> QueryParser::SelectWarnings() const {
  using Kind = SelectItem::Kind;
  std::vector<std::string> warnings;
  bool selects_chunk = false;
  for (const SelectItem& item : query_.select) {
    selects_chunk |= item.kind == Kind::kAllChunk ||
                     (item.kind == Kind::kField && TableOf(item.field) == FieldTable::kChunk);
    if (item.kind != Kind::kUnknown) continue;
    std::string warning = "SELECT: unknown field " + Quoted(item.name) + " is ignored";
    if (std::ranges::count(warnings, warning) == 0) warnings.push_back(std::move(warning));
  }
  if (selects_chunk && HasNoChunks()) {
    warnings.emplace_back("SELECT: chunk fields are empty with FROM doc and no USING");
  }
  return warnings;
}

}  // namespace

Result<RqlQuery> ParseRql(std::string_view text, std::vector<std::string>* warnings) {
  RECALL_TRY(CheckRqlText(text));
  return QueryParser(text).Parse(warnings);
}

Result<FilterExpr> ParseFilter(std::string_view text) {
  RECALL_TRY(CheckRqlText(text));
  TokenReader tokens(text);
  RECALL_ASSIGN(FilterExpr filter, FilterParser(&tokens).Parse());
  if (!tokens.At(TokenKind::kEnd)) {
    return Fail(tokens.Unexpected("AND, OR or the end", tokens.At(TokenKind::kClose)
                                                            ? "no '(' is open"
                                                            : "join predicates with AND or OR"));
  }
  return filter;
}

Status ErrorAt(std::string_view text, const FilterError& error) {
  return FaultAt(text, error.position, error.message, error.hint);
}

}  // namespace recall
