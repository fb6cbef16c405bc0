// The meaning of queries: clauses in any order, the filter language, literals and names.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "query/rql/rql.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// The canonical text of a query, or its error.
std::string Canonical(std::string_view text) {
  const Result<RqlQuery> query = ParseRql(text, nullptr);
  return query ? PrintRql(*query) : query.error().ToString();
}

std::string CanonicalFilter(std::string_view text) {
  const Result<FilterExpr> filter = ParseFilter(text);
  return filter ? PrintFilter(*filter) : filter.error().ToString();
}

std::vector<std::string> WarningsOf(std::string_view text) {
  std::vector<std::string> warnings;
  const Result<RqlQuery> query = ParseRql(text, &warnings);
  EXPECT_TRUE(query) << query.error().ToString();
  return warnings;
}

// The only operand in `doc.tag = <value>`.
Literal ValueOf(const std::string& value) {
  const Result<FilterExpr> filter = ParseFilter("doc.tag = " + value);
  EXPECT_TRUE(filter) << filter.error().ToString();
  return filter ? filter->predicate.operands.at(0) : Literal();
}

struct RqlCase {
  std::string_view text;
  std::string_view canonical;
};

// Queries and filters from the documentation and tests of recall 0.1, in both clause orders.
constexpr RqlCase kPublishedQueries[] = {
    {"FROM chunk\nUSING semantic(\"retry backoff\")\n"
     "FILTER doc.tag = \"docs\" AND doc.path GLOB \"**/api/**\"\nLIMIT 6\n"
     "SELECT chunk.text, chunk.doc_id, score;",
     "FROM chunk USING semantic('retry backoff') FILTER doc.tag = 'docs' AND doc.path GLOB "
     "'**/api/**' LIMIT 6 SELECT chunk.text, chunk.doc_id, score"},
    {"SELECT chunk.text, chunk.doc_id, score FROM chunk\nUSING semantic(\"retry backoff\")\n"
     "FILTER doc.tag = \"docs\" AND doc.path GLOB \"**/api/**\"\nLIMIT 6;",
     "FROM chunk USING semantic('retry backoff') FILTER doc.tag = 'docs' AND doc.path GLOB "
     "'**/api/**' LIMIT 6 SELECT chunk.text, chunk.doc_id, score"},
    {"FROM doc\nFILTER doc.tag IN (\"policy\", \"security\")\nORDER BY doc.mtime DESC\nLIMIT 20\n"
     "SELECT doc.id, doc.path;",
     "FROM doc FILTER doc.tag IN ('policy', 'security') ORDER BY doc.mtime DESC LIMIT 20 SELECT "
     "doc.id, doc.path"},
    {"SELECT doc.id, doc.path FROM doc\nFILTER doc.tag IN (\"policy\", \"security\")\n"
     "ORDER BY doc.mtime DESC\nLIMIT 20;",
     "FROM doc FILTER doc.tag IN ('policy', 'security') ORDER BY doc.mtime DESC LIMIT 20 SELECT "
     "doc.id, doc.path"},
    {"FROM chunk\nUSING semantic(\"rate limit\") , lexical(\"429\")\n"
     "FILTER doc.path GLOB \"**/api/**\" AND chunk.tokens <= 256\nORDER BY score DESC\nLIMIT 6\n"
     "SELECT chunk.text, doc.path, score;",
     "FROM chunk USING semantic('rate limit'), lexical('429') FILTER doc.path GLOB '**/api/**' "
     "AND chunk.tokens <= 256 ORDER BY score DESC LIMIT 6 SELECT chunk.text, doc.path, score"},
    {"FROM chunk USING semantic('foo') LIMIT 10 OFFSET 10 SELECT chunk.text;",
     "FROM chunk USING semantic('foo') LIMIT 10 OFFSET 10 SELECT chunk.text"},
    {"SELECT chunk.text FROM chunk USING semantic('foo') LIMIT 10 OFFSET 10;",
     "FROM chunk USING semantic('foo') LIMIT 10 OFFSET 10 SELECT chunk.text"},
    {"FROM chunk USING semantic('foo') LIMIT 5 SELECT chunk.text;",
     "FROM chunk USING semantic('foo') LIMIT 5 SELECT chunk.text"},
    {"SELECT chunk.text FROM chunk USING semantic('foo') LIMIT 5;",
     "FROM chunk USING semantic('foo') LIMIT 5 SELECT chunk.text"},
    {"FROM doc FILTER doc.tag = \"policy\" LIMIT 20 SELECT doc.path;",
     "FROM doc FILTER doc.tag = 'policy' LIMIT 20 SELECT doc.path"},
    {"SELECT doc.path FROM doc FILTER doc.tag = \"policy\" LIMIT 20;",
     "FROM doc FILTER doc.tag = 'policy' LIMIT 20 SELECT doc.path"},
    {"FROM chunk USING semantic('SLO') LIMIT 6 SELECT chunk.text, score;",
     "FROM chunk USING semantic('SLO') LIMIT 6 SELECT chunk.text, score"},
    {"SELECT chunk.text, score FROM chunk USING semantic('SLO') LIMIT 6;",
     "FROM chunk USING semantic('SLO') LIMIT 6 SELECT chunk.text, score"},
    {"FROM chunk USING semantic('rate limit') \n FILTER doc.path GLOB '**/api/**' LIMIT 6 SELECT "
     "chunk.text, doc.path, score;",
     "FROM chunk USING semantic('rate limit') FILTER doc.path GLOB '**/api/**' LIMIT 6 SELECT "
     "chunk.text, doc.path, score"},
    {"SELECT doc.path FROM doc FILTER doc.path GLOB '**/docs/issues/open/**' ORDER BY doc.mtime "
     "DESC LIMIT 20;",
     "FROM doc FILTER doc.path GLOB '**/docs/issues/open/**' ORDER BY doc.mtime DESC LIMIT 20 "
     "SELECT doc.path"},
    {"FROM doc FILTER doc.path GLOB '**/docs/issues/open/**' ORDER BY doc.mtime DESC LIMIT 20 "
     "SELECT doc.path;",
     "FROM doc FILTER doc.path GLOB '**/docs/issues/open/**' ORDER BY doc.mtime DESC LIMIT 20 "
     "SELECT doc.path"},
    {"FROM doc FILTER doc.tag = \"docs\" ORDER BY doc.tag DESC LIMIT 10 SELECT doc.path, doc.tag;",
     "FROM doc FILTER doc.tag = 'docs' ORDER BY doc.tag DESC LIMIT 10 SELECT doc.path, doc.tag"},
    {"SELECT doc.path, doc.tag FROM doc FILTER doc.tag = \"docs\" ORDER BY doc.tag DESC LIMIT 10;",
     "FROM doc FILTER doc.tag = 'docs' ORDER BY doc.tag DESC LIMIT 10 SELECT doc.path, doc.tag"},
    {"FROM doc FILTER doc.path LIKE '%docs%' LIMIT 2 SELECT doc.path;",
     "FROM doc FILTER doc.path LIKE '%docs%' LIMIT 2 SELECT doc.path"},
    {"SELECT doc.path FROM doc FILTER doc.path LIKE '%docs%' LIMIT 2;",
     "FROM doc FILTER doc.path LIKE '%docs%' LIMIT 2 SELECT doc.path"},
    {"FROM doc FILTER doc.path GLOB '**/*.txt' LIMIT 10 SELECT doc.path;",
     "FROM doc FILTER doc.path GLOB '**/*.txt' LIMIT 10 SELECT doc.path"},
    {"SELECT doc.path FROM doc FILTER doc.path GLOB '**/*.txt' LIMIT 10;",
     "FROM doc FILTER doc.path GLOB '**/*.txt' LIMIT 10 SELECT doc.path"},
    {"FROM chunk USING semantic('recall') LIMIT 3 SELECT chunk.text, chunk.offset, doc.path;",
     "FROM chunk USING semantic('recall') LIMIT 3 SELECT chunk.text, chunk.offset, doc.path"},
    {"SELECT chunk.text, chunk.offset, doc.path FROM chunk USING semantic('recall') LIMIT 3;",
     "FROM chunk USING semantic('recall') LIMIT 3 SELECT chunk.text, chunk.offset, doc.path"},
    {"FROM chunk USING semantic('needle') LIMIT 8 SELECT chunk.text, doc.path;",
     "FROM chunk USING semantic('needle') LIMIT 8 SELECT chunk.text, doc.path"},
    {"SELECT chunk.text FROM chunk USING semantic('ann lsh') LIMIT 6;",
     "FROM chunk USING semantic('ann lsh') LIMIT 6 SELECT chunk.text"},
    {"FROM doc FILTER doc.tag = 'x' LIMIT 2 SELECT doc.id;",
     "FROM doc FILTER doc.tag = 'x' LIMIT 2 SELECT doc.id"},
    {"SELECT doc.id FROM doc FILTER doc.tag = 'x' LIMIT 2;",
     "FROM doc FILTER doc.tag = 'x' LIMIT 2 SELECT doc.id"},
};

// More of them, as pairs: with FROM first and with SELECT first.
constexpr RqlCase kPublishedPairs[] = {
    {"FROM doc FILTER doc.tag = \"recall\" LIMIT 10 SELECT doc.path;",
     "SELECT doc.path FROM doc FILTER doc.tag = \"recall\" LIMIT 10;"},
    {"FROM doc FILTER doc.tag = 'docs' LIMIT 10 SELECT doc.path;",
     "SELECT doc.path FROM doc FILTER doc.tag = 'docs' LIMIT 10;"},
    {"FROM chunk USING semantic('ann lsh') LIMIT 6 SELECT chunk.text;",
     "SELECT chunk.text FROM chunk USING semantic('ann lsh') LIMIT 6;"},
    {"FROM chunk USING semantic('needle') LIMIT 8 SELECT chunk.text, doc.path;",
     "SELECT chunk.text, doc.path FROM chunk USING semantic('needle') LIMIT 8;"},
    {"FROM chunk USING semantic('gamma') LIMIT 4 SELECT chunk.text, doc.path;",
     "SELECT chunk.text, doc.path FROM chunk USING semantic('gamma') LIMIT 4;"},
    {"FROM chunk USING semantic('vector index') LIMIT 5 SELECT chunk.text;",
     "SELECT chunk.text FROM chunk USING semantic('vector index') LIMIT 5;"},
};

constexpr RqlCase kPublishedFilters[] = {
    {"doc.tag = \"docs\" AND doc.path GLOB \"**/api/**\"",
     "doc.tag = 'docs' AND doc.path GLOB '**/api/**'"},
    {"doc.path GLOB \"**/net/**\"", "doc.path GLOB '**/net/**'"},
    {"doc.path GLOB \"**/src/**\"", "doc.path GLOB '**/src/**'"},
    {"doc.path GLOB '**/docs/**'", "doc.path GLOB '**/docs/**'"},
    {"doc.tag = 'docs' AND doc.path GLOB '**/api/**'",
     "doc.tag = 'docs' AND doc.path GLOB '**/api/**'"},
    {"doc.tag = 'docs'", "doc.tag = 'docs'"},
    {"doc.meta.status = 'active'", "doc.meta.status = 'active'"},
    {"doc.tag = 'x' AND chunk.tokens <= 128", "doc.tag = 'x' AND chunk.tokens <= 128"},
};

TEST(RqlParser, AViewIsAClauseWithAName) {
  const std::string canonical =
      "FROM chunk VIEW 'memory' USING lexical('cors') FILTER doc.tag = 'a' LIMIT 3 SELECT score";
  EXPECT_EQ(Canonical(canonical), canonical);
  EXPECT_EQ(Canonical("select score from chunk limit 3 using lexical('cors'), view \"memory\" "
                      "filter doc.tag = 'a'"),
            canonical);
  EXPECT_EQ(Canonical("FROM doc FILTER doc.tag = 'a' VIEW 'it\\'s' SELECT view"),
            "FROM doc VIEW 'it''s' FILTER doc.tag = 'a' SELECT view")
      << "a view in SELECT is a name as any other";
  ASSERT_OK_AND_ASSIGN(const RqlQuery query,
                       ParseRql("FROM doc VIEW 'm' SELECT doc.path", nullptr));
  ASSERT_TRUE(query.view);
  EXPECT_EQ(query.view->name, "m");
  EXPECT_EQ(query.view->position, 14u);
}

TEST(RqlParser, AcceptsWhatThePublishedRecallDocuments) {
  for (const RqlCase& test : kPublishedQueries) EXPECT_EQ(Canonical(test.text), test.canonical);
  for (const RqlCase& test : kPublishedPairs) {
    const Result<RqlQuery> query = ParseRql(test.text, nullptr);
    ASSERT_TRUE(query) << query.error().ToString();
    EXPECT_EQ(Canonical(test.canonical), PrintRql(*query));
  }
  for (const RqlCase& test : kPublishedFilters)
    EXPECT_EQ(CanonicalFilter(test.text), test.canonical);
}

TEST(RqlParser, TakesClausesInAnyOrder) {
  const std::string canonical =
      "FROM chunk USING lexical('a') FILTER doc.tag = 'b' ORDER BY score LIMIT 3 OFFSET 4 SELECT *";
  std::vector<std::string> clauses = {"FILTER doc.tag = 'b'", "LIMIT 3",  "OFFSET 4",
                                      "ORDER BY score",       "SELECT *", "USING lexical('a'),"};
  size_t orders = 0;
  do {
    std::string text = "FROM chunk";
    for (const std::string& clause : clauses) text += ' ' + clause;
    ASSERT_EQ(Canonical(text), canonical) << text;
    ++orders;
  } while (std::next_permutation(clauses.begin(), clauses.end()));
  EXPECT_EQ(orders, 720u);
  EXPECT_EQ(Canonical("SELECT * FROM chunk OFFSET 4 ORDER BY score LIMIT 3 FILTER doc.tag = 'b' "
                      "USING lexical('a')"),
            canonical);
}

TEST(RqlParser, WithoutSelectRowsHaveTheirPlaceAndTheirScore) {
  const std::pair<const char*, const char*> queries[] = {
      {"FROM doc", "FROM doc SELECT doc.path"},
      {"FROM doc LIMIT 0;", "FROM doc LIMIT 0 SELECT doc.path"},
      {"FROM doc USING lexical('a')", "FROM doc USING lexical('a') SELECT score, doc.path"},
      {"FROM chunk FILTER doc.size > 3",
       "FROM chunk FILTER doc.size > 3 SELECT doc.path, chunk.start_line, chunk.end_line"},
      {"FROM chunk USING semantic('a') LIMIT 2",
       "FROM chunk USING semantic('a') LIMIT 2 SELECT score, doc.path, chunk.start_line, "
       "chunk.end_line"},
  };
  for (const auto& [given, meant] : queries) {
    ASSERT_OK_AND_ASSIGN(const RqlQuery query, ParseRql(given, nullptr));
    ASSERT_OK_AND_ASSIGN(const RqlQuery whole, ParseRql(meant, nullptr));
    EXPECT_EQ(query, whole) << given;
  }
}

TEST(RqlParser, NeedsOnlyFrom) {
  ASSERT_OK_AND_ASSIGN(const RqlQuery query, ParseRql("from DOC select Score", nullptr));
  EXPECT_EQ(query.from, RqlTable::kDoc);
  EXPECT_FALSE(query.ranked());
  EXPECT_FALSE(query.filter || query.limit || query.offset);
  EXPECT_TRUE(query.order_by.empty());
  ASSERT_EQ(query.select.size(), 1u);
  EXPECT_EQ(query.select[0].kind, SelectItem::Kind::kScore);
  EXPECT_EQ(query.select[0].position, 16u);
}

TEST(RqlParser, SkipsWhiteSpaceCommentsAndOneSemicolon) {
  EXPECT_EQ(Canonical("\xEF\xBB\xBF FROM--one\r\ndoc/* two\n ' */SELECT\u3000*;-- three"),
            "FROM doc SELECT *");
  EXPECT_EQ(Canonical("FROM doc SELECT * ; /**/ -- x\n"), "FROM doc SELECT *");
  // -- starts a comment, even directly before a number.
  EXPECT_EQ(CanonicalFilter("doc.size = --1\n2"), "doc.size = 2");
}

TEST(RqlParser, BindsNotBeforeAndBeforeOr) {
  using Kind = FilterExpr::Kind;
  ASSERT_OK_AND_ASSIGN(
      const FilterExpr filter,
      ParseFilter("doc.id='a' or not doc.id='b' and (doc.id='c' or doc.id='d') or doc.id='e'"));
  ASSERT_EQ(filter.kind, Kind::kOr);
  ASSERT_EQ(filter.children.size(), 3u);
  EXPECT_EQ(filter.children[0].kind, Kind::kPredicate);
  EXPECT_EQ(filter.children[2].predicate.operands[0].text, "e");
  const FilterExpr& both = filter.children[1];
  ASSERT_EQ(both.kind, Kind::kAnd);
  ASSERT_EQ(both.children.size(), 2u);
  ASSERT_EQ(both.children[0].kind, Kind::kNot);
  EXPECT_EQ(both.children[0].children.at(0).predicate.operands[0].text, "b");
  ASSERT_EQ(both.children[1].kind, Kind::kOr);
  EXPECT_EQ(both.children[1].children.size(), 2u);
}

TEST(RqlParser, JoinsNestedRunsOfOneOperator) {
  ASSERT_OK_AND_ASSIGN(
      const FilterExpr filter,
      ParseFilter("(doc.id='a' AND (doc.id='b' AND doc.id='c')) AND ((doc.id='d'))"));
  EXPECT_EQ(filter.kind, FilterExpr::Kind::kAnd);
  EXPECT_EQ(filter.children.size(), 4u);
  EXPECT_EQ(PrintFilter(filter), "doc.id = 'a' AND doc.id = 'b' AND doc.id = 'c' AND doc.id = 'd'");
  EXPECT_EQ(CanonicalFilter("NOT NOT (NOT (doc.id='a'))"), "NOT NOT NOT doc.id = 'a'");
  EXPECT_EQ(CanonicalFilter("NOT (doc.id='a' AND doc.id='b')"),
            "NOT (doc.id = 'a' AND doc.id = 'b')");
}

TEST(RqlParser, ReadsEveryOperator) {
  constexpr RqlCase kCases[] = {
      {"doc.size = 1", "doc.size = 1"},
      {"doc.size==1", "doc.size = 1"},
      {"doc.size != 1", "doc.size != 1"},
      {"doc.size<>1", "doc.size != 1"},
      {"doc.size < 1", "doc.size < 1"},
      {"doc.size<=1", "doc.size <= 1"},
      {"doc.size > 1", "doc.size > 1"},
      {"doc.size>=1", "doc.size >= 1"},
      {"doc.path like 'a%'", "doc.path LIKE 'a%'"},
      {"doc.path not like 'a%'", "doc.path NOT LIKE 'a%'"},
      {"doc.path ILIKE'a_'", "doc.path ILIKE 'a_'"},
      {"doc.path NOT ILIKE 'a_'", "doc.path NOT ILIKE 'a_'"},
      {"doc.path GLOB '*.md'", "doc.path GLOB '*.md'"},
      {"doc.path NOT GLOB '*.md'", "doc.path NOT GLOB '*.md'"},
      {"doc.path REGEXP 'a|b'", "doc.path REGEXP 'a|b'"},
      {"doc.path NOT REGEXP 'a|b'", "doc.path NOT REGEXP 'a|b'"},
      {"doc.tag IN('a',\"b\" , 3,TRUE)", "doc.tag IN ('a', 'b', 3, TRUE)"},
      {"doc.tag NOT IN ('a')", "doc.tag NOT IN ('a')"},
      {"doc.size BETWEEN 1 AND 5 AND doc.size = 2", "doc.size BETWEEN 1 AND 5 AND doc.size = 2"},
      {"doc.size NOT BETWEEN 1 AND 5", "doc.size NOT BETWEEN 1 AND 5"},
      {"doc.tag is null", "doc.tag IS NULL"},
      {"doc.tag IS NOT NULL", "doc.tag IS NOT NULL"},
      {"doc.meta.draft = true", "doc.meta.draft = TRUE"},
      {"doc.meta.draft != False", "doc.meta.draft != FALSE"},
  };
  for (const RqlCase& test : kCases) EXPECT_EQ(CanonicalFilter(test.text), test.canonical);
}

TEST(RqlParser, RemembersWhereEachPartStands) {
  ASSERT_OK_AND_ASSIGN(const FilterExpr filter, ParseFilter("doc.tag NOT IN ('a', TRUE, -3)"));
  const Predicate& predicate = filter.predicate;
  EXPECT_EQ(predicate.op, FilterOp::kIn);
  EXPECT_TRUE(predicate.negated);
  EXPECT_EQ(predicate.position, 0u);
  ASSERT_EQ(predicate.operands.size(), 3u);
  EXPECT_EQ(predicate.operands[0].position, 16u);
  EXPECT_EQ(predicate.operands[1].position, 21u);
  EXPECT_EQ(predicate.operands[2].position, 27u);
}

TEST(RqlParser, UnescapesTextsOfBothKinds) {
  constexpr RqlCase kCases[] = {
      {R"('plain')", "plain"},
      {R"("plain")", "plain"},
      {R"('it''s')", "it's"},
      {R"('it\'s')", "it's"},
      {R"("say ""hi""")", "say \"hi\""},
      {R"("say \"hi\"")", "say \"hi\""},
      {R"('"')", "\""},
      {R"("''")", "''"},
      {R"('a\nb')", "anb"},
      {R"('a\\nb')", "a\\nb"},
      {R"('100\\%')", "100\\%"},
      {R"('')", ""},
      {R"('''')", "'"},
      {R"('\é\日')", "é日"},
      {"'two\nlines'", "two\nlines"},
      {R"('-- /* no comment')", "-- /* no comment"},
  };
  for (const RqlCase& test : kCases) {
    const Literal value = ValueOf(std::string(test.text));
    EXPECT_EQ(value.kind, Literal::Kind::kString);
    EXPECT_EQ(value.text, test.canonical) << test.text;
  }
}

TEST(RqlParser, ReadsNumbersExactly) {
  struct Number {
    const char* text;
    const char* canonical;
    bool is_integer;
  };
  constexpr Number kNumbers[] = {
      {"0", "0", true},
      {"-0", "0", true},
      {"-0.0", "0", true},
      {"007", "7", true},
      {"+5", "5", true},
      {"-12", "-12", true},
      {"5.", "5", true},
      {"1e3", "1000", true},
      {"1E+3", "1000", true},
      {"1500e-2", "15", true},
      {".5", "0.5", false},
      {"-.5", "-0.5", false},
      {"0.1", "0.1", false},
      {"1.5e-7", "1.5e-07", false},
      {"9007199254740993", "9007199254740993", true},
      {"9223372036854775807", "9223372036854775807", true},
      {"-9223372036854775808", "-9223372036854775808", true},
      {"9223372036854775808", "9223372036854775808", false},
      {"-9223372036854775809", "-9223372036854775808", true},
      {"-9.3e18", "-9.3e+18", false},
      {"1e22", "1e+22", false},
      {"1e308", "1e+308", false},
      {"1.7976931348623157e308", "1.7976931348623157e+308", false},
      {"5e-324", "5e-324", false},
      {"0.30000000000000004", "0.30000000000000004", false},
      {"0.3000000000000000444", "0.30000000000000004", false},
  };
  for (const Number& test : kNumbers) {
    const Literal value = ValueOf(test.text);
    EXPECT_EQ(value.kind, Literal::Kind::kNumber);
    EXPECT_EQ(value.text, test.canonical) << test.text;
    EXPECT_EQ(value.is_integer, test.is_integer) << test.text;
    EXPECT_EQ(value.number, std::strtod(test.text, nullptr)) << test.text;
    if (test.is_integer) {
      EXPECT_EQ(std::to_string(value.integer), test.canonical);
    }
    EXPECT_EQ(ValueOf(test.canonical), value) << test.text;
  }
}

TEST(RqlParser, CountsAreWholeNumbersUpToWhatJsonHolds) {
  ASSERT_OK_AND_ASSIGN(const RqlQuery query,
                       ParseRql("FROM doc OFFSET 9007199254740992 LIMIT 0 SELECT *", nullptr));
  EXPECT_EQ(query.limit, 0);
  EXPECT_EQ(query.offset, int64_t{1} << 53);
}

TEST(RqlParser, KeepsMetadataKeysAsWritten) {
  struct Key {
    const char* text;
    std::vector<std::string> path;
    const char* canonical;
  };
  const Key kKeys[] = {
      {"doc.meta.author", {"author"}, "doc.meta.author"},
      {"DOC.meta.Due-Date_2", {"Due-Date_2"}, "doc.meta.Due-Date_2"},
      {"doc.meta.a.b.2024", {"a", "b", "2024"}, "doc.meta.a.b.2024"},
      {"doc.meta.größe.日付", {"größe", "日付"}, "doc.meta.größe.日付"},
      {"doc.meta.\"two words\"", {"two words"}, "doc.meta.\"two words\""},
      {"doc.meta.'it''s'.x", {"it's", "x"}, "doc.meta.\"it's\".x"},
      {"doc.meta.\"say \\\"\"\"\\\\\"", {"say \"\"\\"}, "doc.meta.\"say \"\"\"\"\\\\\""},
      {"doc.meta.\"plain\"", {"plain"}, "doc.meta.plain"},
      {"doc.meta.\"a.b\"", {"a.b"}, "doc.meta.\"a.b\""},
      {"doc.meta.\"-\"", {"-"}, "doc.meta.\"-\""},
      {"doc.meta.\"a--b\"", {"a--b"}, "doc.meta.\"a--b\""},
      {"doc.meta.\"\"", {""}, "doc.meta.\"\""},
      {"doc.meta.limit.select", {"limit", "select"}, "doc.meta.limit.select"},
  };
  for (const Key& test : kKeys) {
    const Result<FilterExpr> filter = ParseFilter(std::string(test.text) + " IS NULL--");
    ASSERT_TRUE(filter) << test.text << ": " << filter.error().ToString();
    EXPECT_EQ(filter->predicate.field.field, Field::kDocMetaKey);
    EXPECT_EQ(filter->predicate.field.meta_path, test.path);
    EXPECT_EQ(FieldName(filter->predicate.field), test.canonical);
  }
  ASSERT_OK_AND_ASSIGN(const FilterExpr whole, ParseFilter("doc.meta IS NULL"));
  EXPECT_EQ(whole.predicate.field.field, Field::kDocMeta);
}

TEST(RqlParser, NamesWithoutTableMeanTheDocumentElseTheChunk) {
  EXPECT_EQ(Canonical("FROM chunk ORDER BY id, offset SELECT path, text, meta, meta.a, size"),
            "FROM chunk ORDER BY doc.id, chunk.offset SELECT doc.path, chunk.text, doc.meta, "
            "doc.meta.a, doc.size");
  // These names meant fields of chunks before documents had fields of the same name.
  EXPECT_EQ(Canonical("FROM chunk SELECT tokens, offset, start_line"),
            "FROM chunk SELECT chunk.tokens, chunk.offset, chunk.start_line");
}

TEST(RqlParser, OrdersDownUnlessToldOtherwise) {
  ASSERT_OK_AND_ASSIGN(
      const RqlQuery query,
      ParseRql("FROM chunk USING semantic('a') ORDER BY SCORE, doc.path ASC, chunk.offset desc, "
               "doc.meta.a SELECT *",
               nullptr));
  ASSERT_EQ(query.order_by.size(), 4u);
  EXPECT_TRUE(query.order_by[0].is_score);
  EXPECT_FALSE(query.order_by[0].ascending);
  EXPECT_FALSE(query.order_by[0].direction_given);
  EXPECT_EQ(query.order_by[1].field.field, Field::kDocPath);
  EXPECT_TRUE(query.order_by[1].ascending);
  EXPECT_TRUE(query.order_by[1].direction_given);
  EXPECT_FALSE(query.order_by[2].ascending);
  EXPECT_TRUE(query.order_by[2].direction_given);
  EXPECT_EQ(query.order_by[3].field.meta_path, std::vector<std::string>{"a"});
}

TEST(RqlParser, DocsWithTheirBestChunkMayBeOrderedByIt) {
  EXPECT_EQ(Canonical("FROM doc USING lexical('a') ORDER BY chunk.tokens ASC SELECT chunk.text"),
            "FROM doc USING lexical('a') ORDER BY chunk.tokens ASC SELECT chunk.text");
}

TEST(RqlParser, SelectsAllOfATable) {
  ASSERT_OK_AND_ASSIGN(const RqlQuery query,
                       ParseRql("FROM chunk SELECT *, Doc.*, CHUNK.*, doc.path", nullptr));
  ASSERT_EQ(query.select.size(), 4u);
  EXPECT_EQ(query.select[0].kind, SelectItem::Kind::kAll);
  EXPECT_EQ(query.select[1].kind, SelectItem::Kind::kAllDoc);
  EXPECT_EQ(query.select[2].kind, SelectItem::Kind::kAllChunk);
  EXPECT_EQ(query.select[3].kind, SelectItem::Kind::kField);
}

TEST(RqlParser, WarnsOfNamesInSelectThatMeanNothing) {
  EXPECT_EQ(
      WarningsOf("FROM chunk SELECT doc.path, foo, doc.Path, foo, chunk.size, x.*, doc.a.b"),
      (std::vector<std::string>{
          "SELECT: unknown field 'foo' is ignored", "SELECT: unknown field 'doc.Path' is ignored",
          "SELECT: unknown field 'chunk.size' is ignored", "SELECT: unknown field 'x.*' is ignored",
          "SELECT: unknown field 'doc.a.b' is ignored"}));
  EXPECT_TRUE(WarningsOf("FROM chunk SELECT *, doc.meta.anything, score").empty());
  ASSERT_OK_AND_ASSIGN(const RqlQuery query, ParseRql("FROM doc SELECT a.meta.\"b c\"", nullptr));
  EXPECT_EQ(query.select.at(0).kind, SelectItem::Kind::kUnknown);
  EXPECT_EQ(query.select.at(0).name, "a.meta.\"b c\"");
}

TEST(RqlParser, WarnsOfChunkFieldsWhereThereIsNoChunk) {
  const std::vector<std::string> warning = {
      "SELECT: chunk fields are empty with FROM doc and no USING"};
  EXPECT_EQ(WarningsOf("SELECT chunk.text, chunk.id FROM doc"), warning);
  EXPECT_EQ(WarningsOf("FROM doc SELECT chunk.*"), warning);
  EXPECT_TRUE(WarningsOf("FROM doc SELECT *").empty());
  EXPECT_TRUE(WarningsOf("SELECT chunk.text FROM doc USING lexical('a')").empty());
  EXPECT_TRUE(WarningsOf("SELECT chunk.text FROM chunk").empty());
}

TEST(RqlParser, AFailedQueryWarnsOfNothing) {
  std::vector<std::string> warnings;
  EXPECT_FALSE(ParseRql("FROM doc SELECT foo LIMIT x", &warnings));
  EXPECT_TRUE(warnings.empty());
}

TEST(RqlParser, PositionsAreNotPartOfEquality) {
  const auto first = ParseRql("SELECT doc.path FROM doc ORDER BY path FILTER doc.id='a'", nullptr);
  const auto second =
      ParseRql("FROM doc  FILTER (doc.id  == \"a\") ORDER BY doc.path SELECT path", nullptr);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
  const auto other = ParseRql("FROM doc FILTER doc.id='a' ORDER BY path DESC SELECT path", nullptr);
  EXPECT_NE(*first, *other);  // the printed text differs
}

}  // namespace
}  // namespace recall
