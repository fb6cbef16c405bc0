// Errors of the parser: position, message and hint.

#include <gtest/gtest.h>

#include "query/rql/rql.h"
#include "tests/test_util.h"

namespace recall {
namespace {

struct ErrorCase {
  std::string text;
  int line;
  int column;
  std::string_view message;
  std::string_view hint;
};

constexpr std::string_view kQueryHint =
    "a query has the form FROM chunk USING lexical('words') SELECT chunk.text, or SELECT ... FROM "
    "...";
constexpr std::string_view kClauseHint = "clauses follow FROM in any order, each at most once";
constexpr std::string_view kQuoteHint = "text, dates and keys with special characters need quotes";
constexpr std::string_view kDocFields =
    "doc has id, path, mtime, hash, tag, source, meta, parser, size, tokens, chunks, origin, lang; "
    "metadata is doc.meta.KEY";
constexpr std::string_view kFieldHint =
    "a field is doc.NAME or chunk.NAME, a value of the metadata doc.meta.KEY";
constexpr std::string_view kValueHint = "a value is a text in quotes, a number, TRUE or FALSE";
constexpr std::string_view kOperators =
    "the operators are = != < <= > >= [NOT] LIKE, ILIKE, GLOB, REGEXP, IN, BETWEEN, IS [NOT] NULL";
constexpr std::string_view kRange =
    "numbers must be between -1.7976931348623157e308 and 1.7976931348623157e308, and the smallest "
    "above 0 is 5e-324";

void ExpectError(const Status& error, const ErrorCase& expected) {
  EXPECT_EQ(error.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(error.message(), expected.message) << expected.text;
  EXPECT_EQ(error.hint(), expected.hint) << expected.text;
  ASSERT_NE(error.position(), nullptr);
  EXPECT_EQ(error.position()->line, expected.line) << expected.text;
  EXPECT_EQ(error.position()->column, expected.column) << expected.text;
}

void ExpectQueryErrors(const std::vector<ErrorCase>& cases) {
  for (const ErrorCase& test : cases) {
    const Result<RqlQuery> query = ParseRql(test.text, nullptr);
    if (query) {
      ADD_FAILURE() << "accepted: " << test.text << " as " << PrintRql(*query);
    } else {
      ExpectError(query.error(), test);
    }
  }
}

void ExpectFilterErrors(const std::vector<ErrorCase>& cases) {
  for (const ErrorCase& test : cases) {
    const Result<FilterExpr> filter = ParseFilter(test.text);
    if (filter) {
      ADD_FAILURE() << "accepted: " << test.text << " as " << PrintFilter(*filter);
    } else {
      ExpectError(filter.error(), test);
    }
  }
}

TEST(RqlErrors, CountsAndDistinctValuesAreHintedAt) {
  constexpr std::string_view kHint =
      "RQL has no COUNT, DISTINCT or GROUP BY; the total of a query with LIMIT 0 counts its rows";
  for (const char* text :
       {"FROM doc SELECT count(*)", "FROM doc SELECT DISTINCT doc.tag", "SELECT COUNT(*) FROM doc",
        "SELECT distinct doc.tag FROM doc", "FROM doc SELECT doc.tag GROUP BY doc.tag"}) {
    const Result<RqlQuery> query = ParseRql(text, nullptr);
    ASSERT_FALSE(query.has_value()) << text;
    EXPECT_EQ(query.error().hint(), kHint) << text;
  }
}

TEST(RqlErrors, Clauses) {
  ExpectQueryErrors({
      {"", 1, 1, "expected FROM or SELECT, found the end of the text", kQueryHint},
      {" -- x\n", 1, 1, "expected FROM or SELECT, found the end of the text", kQueryHint},
      {"LIMIT 5 FROM doc SELECT *", 1, 1, "expected FROM or SELECT, found 'LIMIT'", kQueryHint},
      {"doc.tag = 'a'", 1, 1, "expected FROM or SELECT, found 'doc.tag'", kQueryHint},
      {"SELECT doc.path LIMIT 5 FROM doc", 1, 17, "expected ',' or FROM, found 'LIMIT'",
       kQueryHint},
      {"SELECT doc.path", 1, 16, "expected ',' or FROM, found the end of the text", kQueryHint},
      {"FROM docs SELECT *", 1, 6, "expected the table doc or chunk, found 'docs'",
       "the rows of doc are documents, those of chunk their chunks"},
      {"FROM SELECT *", 1, 6, "expected the table doc or chunk, found 'SELECT'",
       "the rows of doc are documents, those of chunk their chunks"},
      {"FROM doc, chunk SELECT *", 1, 9,
       "expected VIEW, USING, FILTER, ORDER BY, LIMIT, OFFSET, SELECT, found ','", kClauseHint},
      {"FROM doc WHERE doc.tag = 'a' SELECT *", 1, 10,
       "expected VIEW, USING, FILTER, ORDER BY, LIMIT, OFFSET, SELECT, found 'WHERE'",
       "write FILTER"},
      {"FROM doc SELECT * extra", 1, 19,
       "expected ',', VIEW, USING, FILTER, ORDER BY, LIMIT, OFFSET or the end, found 'extra'",
       "fields are separated by commas"},
      {"FROM doc SELECT *;;", 1, 19, "expected the end after ';', found ';'",
       "run one query at a time"},
      {"FROM doc SELECT *; FROM doc SELECT *", 1, 20, "expected the end after ';', found 'FROM'",
       "run one query at a time"},
      {"FROM doc SELECT * FROM doc", 1, 19, "a second FROM clause", "each clause is allowed once"},
      {"SELECT doc.id FROM doc\nSELECT doc.path", 2, 1, "a second SELECT clause",
       "each clause is allowed once"},
      {"FROM doc FILTER doc.id='a' LIMIT 1 FILTER doc.id='b' SELECT *", 1, 36,
       "a second FILTER clause", "join the filters with AND"},
      {"FROM doc LIMIT 1 OFFSET 2 SELECT * OFFSET 3", 1, 36, "a second OFFSET clause",
       "each clause is allowed once"},
      {"FROM doc ORDER BY doc.id SELECT * ORDER BY doc.path", 1, 35, "a second ORDER BY clause",
       "each clause is allowed once"},
  });
}

TEST(RqlErrors, Using) {
  constexpr std::string_view kUsingHint = "as in USING semantic(\"rate limit\"), lexical(\"429\")";
  constexpr std::string_view kTextHint = "as in lexical(\"429\")";
  ExpectQueryErrors({
      {"FROM chunk USING SELECT *", 1, 18, "expected semantic(...) or lexical(...), found 'SELECT'",
       kUsingHint},
      {"FROM chunk USING 'a' SELECT *", 1, 18,
       "expected semantic(...) or lexical(...), found the text 'a'", kUsingHint},
      {"FROM chunk USING bm25('a') SELECT *", 1, 18,
       "expected semantic(...) or lexical(...), found 'bm25'", kUsingHint},
      {"FROM chunk USING semantic 'a' SELECT *", 1, 27, "expected '(', found the text 'a'",
       kTextHint},
      {"FROM chunk USING semantic(a) SELECT *", 1, 27, "expected a text in quotes, found 'a'",
       kTextHint},
      {"FROM chunk USING semantic('a' SELECT *", 1, 31, "expected ')', found 'SELECT'", kTextHint},
      {"FROM chunk USING lexical('') SELECT *", 1, 26, "the search text is empty",
       "without USING, a query returns everything that satisfies the FILTER"},
      {"FROM chunk USING lexical(' \n\u3000') SELECT *", 1, 26, "the search text is empty",
       "without USING, a query returns everything that satisfies the FILTER"},
      {"FROM chunk USING lexical('a'), lexical('b') SELECT *", 1, 32, "a second lexical(...)",
       "each is allowed once"},
      {"FROM chunk USING semantic('a'), lexical('b'), semantic('c') SELECT *", 1, 47,
       "a second semantic(...)", "each is allowed once"},
      {"FROM chunk USING lexical('a') semantic('b') SELECT *", 1, 31,
       "expected ',', VIEW, FILTER, ORDER BY, LIMIT, OFFSET, SELECT, found 'semantic'",
       kClauseHint},
      {"FROM chunk USING lexical('a'),, SELECT *", 1, 31,
       "expected semantic(...) or lexical(...), found ','", kUsingHint},
      {"FROM chunk USING lexical('a'), semntic('b') SELECT *", 1, 32,
       "expected semantic(...) or lexical(...), found 'semntic'", kUsingHint},
  });
}

TEST(RqlErrors, OrderBy) {
  ExpectQueryErrors({
      {"FROM doc ORDER doc.path SELECT *", 1, 16, "expected BY, found 'doc.path'",
       "as in ORDER BY doc.mtime DESC"},
      {"FROM doc ORDER BY SELECT *", 1, 19, "expected a field or score, found 'SELECT'",
       "as in ORDER BY doc.mtime DESC, doc.path ASC"},
      {"FROM doc ORDER BY 1 SELECT *", 1, 19, "expected a field or score, found the number 1",
       "as in ORDER BY doc.mtime DESC, doc.path ASC"},
      {"FROM doc ORDER BY doc.* SELECT *", 1, 19, "expected a field or score, found 'doc.*'",
       "as in ORDER BY doc.mtime DESC, doc.path ASC"},
      {"FROM doc ORDER BY doc.mtme SELECT *", 1, 19, "unknown field 'doc.mtme'",
       "did you mean doc.mtime?"},
      {"FROM doc ORDER BY author SELECT *", 1, 19, "unknown field 'author'", kFieldHint},
      {"FROM doc ORDER BY score SELECT *", 1, 19, "ORDER BY score without USING: there is no score",
       "add USING lexical('...') or semantic('...'), or order by a field"},
      {"SELECT doc.path FROM doc ORDER BY doc.id, chunk.offset", 1, 43,
       "ORDER BY chunk.offset, but rows of doc have no chunk",
       "order by a field of doc, write FROM chunk, or add USING"},
      {"FROM doc ORDER BY doc.path, doc.id, path ASC SELECT *", 1, 37, "ORDER BY doc.path twice",
       "the second has no effect"},
      {"FROM doc USING lexical('a') ORDER BY score, SCORE SELECT *", 1, 45, "ORDER BY score twice",
       "the second has no effect"},
      {"FROM doc ORDER BY doc.path UP SELECT *", 1, 28,
       "expected ',', VIEW, USING, FILTER, LIMIT, OFFSET, SELECT, found 'UP'", kClauseHint},
  });
}

TEST(RqlErrors, LimitAndOffset) {
  constexpr std::string_view kExpected =
      "expected a whole number from 0 to 9007199254740992, found ";
  const auto message = [&](std::string_view found) { return std::string(kExpected).append(found); };
  const std::string fraction = message("the number 2.7"), negative = message("the number -1"),
                    large = message("the number 9007199254740993"), text = message("the text '5'"),
                    name = message("'ALL'"), end = message("the end of the text");
  ExpectQueryErrors({
      {"FROM doc LIMIT 2.7 SELECT *", 1, 16, fraction, "as in LIMIT 10"},
      {"FROM doc LIMIT -1 SELECT *", 1, 16, negative, "as in LIMIT 10"},
      {"FROM doc LIMIT 9007199254740993 SELECT *", 1, 16, large, "as in LIMIT 10"},
      {"FROM doc LIMIT '5' SELECT *", 1, 16, text, "as in LIMIT 10"},
      {"FROM doc LIMIT ALL SELECT *", 1, 16, name, "as in LIMIT 10"},
      {"FROM doc SELECT * OFFSET", 1, 25, end, "as in OFFSET 10"},
      {"FROM doc LIMIT 10, 20 SELECT *", 1, 18,
       "expected VIEW, USING, FILTER, ORDER BY, OFFSET, SELECT, found ','",
       "write LIMIT 10 OFFSET 20"},
  });
}

TEST(RqlErrors, Select) {
  constexpr std::string_view kHint = "as in SELECT doc.path, score";
  ExpectQueryErrors({
      {"FROM doc SELECT", 1, 16, "expected a field, score or '*', found the end of the text",
       kHint},
      {"FROM doc SELECT LIMIT 5", 1, 17, "expected a field, score or '*', found 'LIMIT'", kHint},
      {"SELECT doc.path, FROM doc", 1, 18, "expected a field, score or '*', found 'FROM'", kHint},
      {"SELECT 'doc.path' FROM doc", 1, 8,
       "expected a field, score or '*', found the text 'doc.path'", kHint},
      {"FROM doc SELECT doc.path doc.tag", 1, 26,
       "expected ',', VIEW, USING, FILTER, ORDER BY, LIMIT, OFFSET or the end, found 'doc.tag'",
       "fields are separated by commas"},
      {"FROM doc SELECT doc. path", 1, 20, "expected a field after 'doc.'",
       "as in doc.path, doc.meta.author or doc.meta.\"two words\""},
  });
}

TEST(FilterErrors, Structure) {
  ExpectFilterErrors({
      {"", 1, 1, "expected a field, NOT or '(', found the end of the text",
       "an example of a predicate: doc.tag = 'a'"},
      {"()", 1, 2, "expected a field, NOT or '(', found ')'",
       "an example of a predicate: doc.tag = 'a'"},
      {"doc.tag = 'a' doc.path = 'b'", 1, 15, "expected AND, OR or the end, found 'doc.path'",
       "join predicates with AND or OR"},
      {"doc.tag = 'a' AND", 1, 18, "expected a field, NOT or '(', found the end of the text",
       "an example of a predicate: doc.tag = 'a'"},
      {"doc.tag = 'a' AND OR doc.tag = 'b'", 1, 19, "expected a field, NOT or '(', found 'OR'",
       "an example of a predicate: doc.tag = 'a'"},
      {"doc.tag = 'a')", 1, 14, "expected AND, OR or the end, found ')'", "no '(' is open"},
      {"doc.tag = 'a';", 1, 14, "expected AND, OR or the end, found ';'",
       "join predicates with AND or OR"},
      {"NOT\n (doc.tag = 'a' OR doc.tag = 'b'", 2, 33,
       "expected AND, OR or ')', found the end of the text",
       "the '(' at line 2, column 2 is not closed"},
      {"'a' = doc.tag", 1, 1, "expected a field, NOT or '(', found the text 'a'",
       "write the field on the left: doc.tag = 'a'"},
  });
  ExpectQueryErrors({
      {"FROM doc FILTER SELECT *", 1, 17, "expected a field, NOT or '(', found 'SELECT'",
       "an example of a predicate: doc.tag = 'a'"},
      {"FROM doc FILTER doc.tag = 'a' doc.path='b' SELECT *", 1, 31,
       "expected AND, OR, VIEW, USING, ORDER BY, LIMIT, OFFSET, SELECT, found 'doc.path'",
       "join predicates with AND or OR"},
      {"FROM doc FILTER doc.tag = 'a') SELECT *", 1, 30,
       "expected AND, OR, VIEW, USING, ORDER BY, LIMIT, OFFSET, SELECT, found ')'",
       "no '(' is open"},
      {"FROM doc FILTER doc.tag LIKE 'a!%' ESCAPE '!' SELECT *", 1, 36,
       "expected AND, OR, VIEW, USING, ORDER BY, LIMIT, OFFSET, SELECT, found 'ESCAPE'",
       "in a LIKE pattern a backslash escapes % and _"},
  });
}

TEST(FilterErrors, Fields) {
  ExpectFilterErrors({
      {"tag = 'a'", 1, 1, "in a filter, 'tag' needs its table", "did you mean doc.tag?"},
      {"offset > 5", 1, 1, "expected a field, NOT or '(', found 'offset'",
       "an example of a predicate: doc.tag = 'a'"},
      {"heading = 'a'", 1, 1, "in a filter, 'heading' needs its table",
       "did you mean chunk.heading?"},
      {"meta.author = 'a'", 1, 1, "in a filter, 'meta.author' needs its table",
       "did you mean doc.meta.author?"},
      {"doc.tg = 'a'", 1, 1, "unknown field 'doc.tg'", "did you mean doc.tag?"},
      {"doc.Tag = 'a'", 1, 1, "unknown field 'doc.Tag'", "did you mean doc.tag?"},
      {"doc.text = 'a'", 1, 1, "unknown field 'doc.text'", "did you mean chunk.text?"},
      {"docs.path = 'a'", 1, 1, "unknown field 'docs.path'", "did you mean doc.path?"},
      {"doc.mta.author = 'a'", 1, 1, "unknown field 'doc.mta.author'",
       "did you mean doc.meta.author?"},
      {"doc.author = 'a'", 1, 1, "unknown field 'doc.author'", kDocFields},
      {"chunk.embedding = 'a'", 1, 1, "unknown field 'chunk.embedding'",
       "chunk has id, doc_id, offset, tokens, text, heading, start_byte, end_byte, start_line, "
       "end_line"},
      {"author = 'a'", 1, 1, "unknown field 'author'", kFieldHint},
      {"doc = 'a'", 1, 1, "unknown field 'doc'", kDocFields},
      {"doc.path.x = 'a'", 1, 1, "unknown field 'doc.path.x'", "did you mean doc.path?"},
      {"doc.tag = 'a' AND score > 0.5", 1, 19, "a filter cannot use score",
       "score is allowed in ORDER BY and SELECT"},
      {"doc.* = 'a'", 1, 1, "expected a field, NOT or '(', found 'doc.*'",
       "an example of a predicate: doc.tag = 'a'"},
      {"doc.meta. = 'a'", 1, 9, "expected a field after 'doc.'",
       "as in doc.path, doc.meta.author or doc.meta.\"two words\""},
      {"doc.\"tag\" = 'a'", 1, 4, "expected a field after 'doc.'",
       "as in doc.path, doc.meta.author or doc.meta.\"two words\""},
      {"doc .tag = 'a'", 1, 1, "unknown field 'doc'", kDocFields},
  });
}

TEST(FilterErrors, OperatorsAndValues) {
  ExpectFilterErrors({
      {"doc.tag", 1, 8, "expected an operator, found the end of the text", kOperators},
      {"doc.tag 'a'", 1, 9, "expected an operator, found the text 'a'", kOperators},
      {"doc.tag CONTAINS 'a'", 1, 9, "expected an operator, found 'CONTAINS'", kOperators},
      {"doc.tag NOT = 'a'", 1, 13, "expected LIKE, ILIKE, GLOB, REGEXP, IN or BETWEEN, found '='",
       "to negate a comparison, write != or put NOT before the field"},
      {"doc.tag = NULL", 1, 11, "expected a value, found NULL, which equals nothing",
       "write doc.tag IS NULL"},
      {"doc.meta.a != null", 1, 15, "expected a value, found NULL, which equals nothing",
       "write doc.meta.a IS NOT NULL"},
      {"doc.tag IN ('a', NULL)", 1, 18, "expected a value, found NULL, which equals nothing",
       "write doc.tag IS NULL"},
      {"doc.tag IS 'a'", 1, 12, "expected NULL or NOT NULL, found the text 'a'",
       "to compare with a value, write = or !="},
      {"doc.meta.a IS NOT TRUE", 1, 19, "expected NULL, found 'TRUE'",
       "to compare with a value, write = or !="},
      {"doc.tag = doc.source", 1, 11,
       "expected a value, found a field: a field is compared with values only",
       "put text in quotes"},
      {"doc.tag = docs", 1, 11, "expected a value, found 'docs'", "put text in quotes"},
      {"doc.tag = (1)", 1, 11, "expected a value, found '('", kValueHint},
      {"doc.tag =", 1, 10, "expected a value, found the end of the text", kValueHint},
      {"doc.size => 5", 1, 11, "expected a value, found '>'", kValueHint},
      {"doc.path LIKE 5", 1, 15, "expected a pattern in quotes, found the number 5",
       "as in doc.path LIKE '%.md'"},
      {"doc.path NOT GLOB TRUE", 1, 19, "expected a pattern in quotes, found 'TRUE'",
       "as in doc.path LIKE '%.md'"},
      {"doc.tag IN 'a'", 1, 12, "expected '(', found the text 'a'",
       "an example of a list: IN ('a', 'b')"},
      {"doc.tag IN ()", 1, 13, "expected a value, found ')'", kValueHint},
      {"doc.tag IN ('a',)", 1, 17, "expected a value, found ')'", kValueHint},
      {"doc.tag IN ('a' 'b')", 1, 17, "expected ',' or ')', found the text 'b'",
       "an example of a list: IN ('a', 'b')"},
      {"doc.size BETWEEN 1, 5", 1, 19, "expected AND, found ','",
       "an example of a range, which includes both ends: BETWEEN 1 AND 5"},
      {"doc.size BETWEEN 1 AND", 1, 23, "expected a value, found the end of the text", kValueHint},
  });
}

TEST(FilterErrors, Tokens) {
  constexpr std::string_view kNotANumber =
      "write dates and other text in quotes, as in '2026-02-04' or '-7d'";
  ExpectFilterErrors({
      {"doc.tag = 'a", 1, 11, "the quoted text is not closed",
       "close it with '; inside, write ' as ''"},
      {"doc.tag = 'a' OR doc.tag = \"a'\n\n", 1, 28, "the quoted text is not closed",
       "close it with \"; inside, write \" as \"\""},
      {"doc.tag = 'a\\'", 1, 11, "the quoted text is not closed",
       "close it with '; inside, write ' as ''"},
      {"doc.tag = 'a\\", 1, 11, "the quoted text is not closed",
       "close it with '; inside, write ' as ''"},
      {"doc.meta.\"a = 1", 1, 10, "the quoted text is not closed",
       "close it with \"; inside, write \" as \"\""},
      {"doc.tag = 'a' /* OR", 1, 15, "the comment is not closed", "close it with */"},
      {"doc.size > 1e999", 1, 12, "the number '1e999' is out of range", kRange},
      {"doc.size > -1e999", 1, 12, "the number '-1e999' is out of range", kRange},
      {"doc.size > 1e-999", 1, 12, "the number '1e-999' is out of range", kRange},
      {"doc.mtime >= 2026-01-01", 1, 14, "'2026-01-01' is not a number", kNotANumber},
      {"doc.mtime >= 2026-01-01T10:00:00Z", 1, 14, "'2026-01-01T10:00:00Z' is not a number",
       kNotANumber},
      {"doc.mtime >= -7d", 1, 14, "'-7d' is not a number", kNotANumber},
      {"doc.meta.version = 1.2.3", 1, 20, "'1.2.3' is not a number", kNotANumber},
      {"doc.size = 0x1F", 1, 12, "'0x1F' is not a number", kNotANumber},
      {"doc.size = 1e", 1, 12, "'1e' is not a number", kNotANumber},
      {"doc.size = - 5", 1, 12, "unexpected character '-'",
       "a comment begins with --; in a negative number, digits follow the - directly"},
      {"!doc.tag = 'a'", 1, 1, "unexpected character '!'",
       "write != for 'not equal', and NOT before a predicate to negate it"},
      {"doc.tag = 'a' && doc.tag = 'b'", 1, 15, "unexpected character '&'", "write AND"},
      {"doc.tag = 'a' || doc.tag = 'b'", 1, 15, "unexpected character '|'", "write OR"},
      {"doc.tag = “a”", 1, 11, "unexpected character '“'",
       "enclose text in ' and ' or in \" and \""},
      {"doc.tag = `a`", 1, 11, "unexpected character '`'",
       "enclose text in ' and ' or in \" and \""},
      {"doc.tag = [1]", 1, 11, "unexpected character '['", kQuoteHint},
      {"doc.tag / 2 = 1", 1, 9, "unexpected character '/'",
       "a comment begins with --, or is enclosed in /* and */"},
      {"doc.meta.a- = 1", 1, 11, "unexpected character '-'",
       "a comment begins with --; in a negative number, digits follow the - directly"},
      {"日本.tag = 'a' \xE2\x82", 1, 14, "the text is not UTF-8", "save it as UTF-8"},
      {"doc.tag = 'a\xFF'", 1, 13, "the text is not UTF-8", "save it as UTF-8"},
      {std::string("doc.tag =\n 'a\0b'", 16), 2, 4, "the text has a NUL byte", "remove it"},
  });
}

// ---- The excerpt ------------------------------------------------------------------------------

std::string ExcerptOf(std::string_view filter) {
  const Result<FilterExpr> parsed = ParseFilter(filter);
  EXPECT_FALSE(parsed) << filter;
  return parsed ? "" : parsed.error().position()->excerpt;
}

TEST(RqlErrors, TheCaretStandsUnderThePlace) {
  EXPECT_EQ(ExcerptOf("doc.tag == x"), "doc.tag == x\n           ^");
  EXPECT_EQ(ExcerptOf("doc.tag = 'a' OR\r\n\tdoc.tag\t= x\r\nOR y"), " doc.tag = x\n           ^");
  EXPECT_EQ(ExcerptOf("doc.tag ="), "doc.tag =\n         ^");
  EXPECT_EQ(ExcerptOf(""), "\n^");
  EXPECT_EQ(ExcerptOf("\xEF\xBB\xBFx"), "x\n^");
}

TEST(RqlErrors, TheCaretKnowsWideCharactersAndMarks) {
  // The ideographs take two columns each, the accent none.
  EXPECT_EQ(ExcerptOf("doc.tag = '日本' x"), "doc.tag = '日本' x\n                 ^");
  EXPECT_EQ(ExcerptOf("doc.tag = 'e\u0301' x"), "doc.tag = 'e\u0301' x\n              ^");
  ASSERT_FALSE(ParseFilter("doc.tag = '日本' x"));
  EXPECT_EQ(ParseFilter("doc.tag = '日本' x").error().position()->column, 16);
}

TEST(RqlErrors, WhatWouldTurnTheLineAroundIsBlank) {
  EXPECT_EQ(ExcerptOf("doc.tag = '\u202E\x1B' x"), "doc.tag = '  ' x\n               ^");
}

TEST(RqlErrors, LongLinesAreCutAroundThePlace) {
  const std::string long_value = "doc.tag = '" + std::string(300, 'a') + "' ";
  EXPECT_EQ(ExcerptOf(long_value + "x OR doc.tag = 'b' OR doc.tag = 'c'"),
            "…" + std::string(58, 'a') + "' x OR doc.tag = 'b' O…\n" + std::string(61, ' ') + "^");
  EXPECT_EQ(ExcerptOf("x = '" + std::string(300, 'a') + "'"),
            "x = '" + std::string(75, 'a') + "…\n^");
  const Result<FilterExpr> error = ParseFilter(long_value + "x");
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().position()->column, 314);
}

TEST(RqlErrors, LongNamesAreCutInMessages) {
  const Result<FilterExpr> error = ParseFilter("doc." + std::string(100'000, 'a') + " = 1");
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().message(), "unknown field 'doc." + std::string(36, 'a') + "…'");
}

TEST(RqlErrors, FaultsFoundLaterPointIntoTheTextAsWell) {
  const std::string text = "FROM doc\nFILTER doc.size = 'x'\nSELECT *";
  ASSERT_OK_AND_ASSIGN(const RqlQuery query, ParseRql(text, nullptr));
  const size_t position = query.filter->predicate.operands.at(0).position;
  const Status error = ErrorAt(text, {position, "doc.size is a number", "write a number"});
  EXPECT_EQ(error.ToString(), "invalid_argument: doc.size is a number");
  EXPECT_EQ(error.hint(), "write a number");
  ASSERT_NE(error.position(), nullptr);
  EXPECT_EQ(error.position()->line, 2);
  EXPECT_EQ(error.position()->column, 19);
  EXPECT_EQ(error.position()->excerpt, "FILTER doc.size = 'x'\n                  ^");
}

// ---- Limits -----------------------------------------------------------------------------------

std::string Repeat(std::string_view piece, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += piece;
  return text;
}

// Expects LimitExceeded at that column of line 1.
void ExpectLimit(const Status& error, std::string_view message, int64_t column) {
  EXPECT_EQ(error.code(), StatusCode::kLimitExceeded) << error.ToString();
  EXPECT_EQ(error.message(), message);
  EXPECT_FALSE(error.hint().empty());
  ASSERT_NE(error.position(), nullptr);
  EXPECT_EQ(error.position()->column, column);
}

TEST(RqlLimits, TenMegabytesAreRefusedUnread) {
  constexpr size_t kSize = 10'000'000;
  for (const std::string_view piece : {"(", "NOT NOT ", "doc.tag IN ('a', 'b', 'c', ", "\xFF"}) {
    const std::string text = Repeat(piece, kSize / piece.size() + 1);
    const std::string message = "the text has " + std::to_string(text.size()) + " bytes";
    ExpectLimit(ParseFilter(text).error(), message, 1 + kMaxRqlBytes);
    ExpectLimit(ParseRql(text, nullptr).error(), message, 1 + kMaxRqlBytes);
  }
}

TEST(RqlLimits, TheLongestTextIsRead) {
  const std::string shell = "FROM doc FILTER doc.tag = '' SELECT *";
  std::string text = shell;
  text.insert(shell.find("''") + 1, std::string(kMaxRqlBytes - shell.size(), 'a'));
  EXPECT_OK(ParseRql(text, nullptr));
  EXPECT_OK(ParseRql(shell + std::string(kMaxRqlBytes - shell.size(), ' '), nullptr));
  EXPECT_FALSE(ParseRql(text + ' ', nullptr));
}

TEST(RqlLimits, NestingIsBounded) {
  const std::string message = "the filter is nested more than 128 levels deep";
  const std::string inner = "doc.tag = 'a'";
  // Parentheses add no level; NOT does, and so does its operand.
  EXPECT_OK(ParseFilter(Repeat("(", 128) + inner + Repeat(")", 128)));
  EXPECT_OK(ParseFilter(Repeat("NOT ", 127) + inner));
  ExpectLimit(ParseFilter(Repeat("(", 129) + inner + Repeat(")", 129)).error(), message, 129);
  ExpectLimit(ParseFilter(Repeat("NOT ", 128) + inner).error(), message, 1);
  ExpectLimit(ParseFilter(Repeat("(", 1'000'000)).error(), message, 129);
  ExpectLimit(ParseFilter(Repeat("NOT ", 250'000)).error(), message, 1 + 128 * 4);
  ExpectLimit(ParseFilter(Repeat("NOT(", 250'000)).error(), message, 1 + 64 * 4);
  // Each parenthesis adds two levels: OR, and AND inside it.
  const std::string both = "doc.tag = 'a' OR doc.tag = 'b' AND (";
  EXPECT_OK(ParseFilter(Repeat(both, 63) + inner + Repeat(")", 63)));
  ExpectLimit(ParseFilter(Repeat(both, 64) + inner + Repeat(")", 64)).error(), message, 1);
}

TEST(RqlLimits, PredicatesAndListsAreBounded) {
  const std::string message = "the filter has more than 4096 predicates";
  const std::string inner = "doc.tag = 'a'";
  EXPECT_OK(ParseFilter(Repeat(inner + " OR ", 4095) + inner));
  EXPECT_OK(ParseFilter("doc.tag IN (" + Repeat("1,", 4095) + "1)"));
  ExpectLimit(ParseFilter(Repeat(inner + " OR ", 4096) + inner).error(), message, 1 + 4096 * 17);
  ExpectLimit(ParseFilter("doc.tag IN (" + Repeat("1,", 500'000)).error(), message, 13 + 4096 * 2);
  ExpectLimit(ParseFilter(inner + " OR doc.tag IN (" + Repeat("1,", 4095) + "1)").error(), message,
              30 + 4095 * 2);
}

TEST(RqlLimits, FieldsKeysAndNamesAreBounded) {
  ExpectLimit(ParseRql("FROM doc SELECT " + Repeat("a,", 500'000), nullptr).error(),
              "SELECT has more than 1024 fields", 17 + 1024 * 2);
  std::string keys;
  for (int i = 100; i < 165; ++i) keys += "meta.k" + std::to_string(i) + ",";
  ExpectLimit(ParseRql("FROM doc ORDER BY " + keys, nullptr).error(),
              "ORDER BY has more than 64 keys", 19 + 64 * 10);
  const Result<RqlQuery> name = ParseRql("FROM doc SELECT a" + Repeat(".a", 500'000), nullptr);
  ASSERT_FALSE(name);
  EXPECT_EQ(name.error().message(), "a name has more than 64 parts");
}

}  // namespace
}  // namespace recall
