// parse(print(q)) == q for queries and filters of every kind.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "fuzz/query_builder.h"
#include "index/search/filter/predicate_printer.h"
#include "query/rql/rql.h"
#include "tests/test_util.h"

namespace recall {
namespace {

size_t DepthOf(const FilterExpr& expr) {
  size_t depth = 0;
  for (const FilterExpr& child : expr.children) depth = std::max(depth, DepthOf(child));
  return depth + 1;
}

// The features that the random queries had, so that missing coverage is noticed.
struct Coverage {
  size_t deepest = 0;
  size_t quotes = 0;
  size_t backslashes = 0;
  size_t line_feeds = 0;
  size_t beyond_ascii = 0;
  size_t fractions = 0;
  size_t unknown_names = 0;
  size_t views = 0;
  std::array<size_t, 13> operators = {};

  void See(const FilterExpr& expr) {
    for (const FilterExpr& child : expr.children) See(child);
    if (expr.kind != FilterExpr::Kind::kPredicate) return;
    ++operators[static_cast<size_t>(expr.predicate.op)];
    for (const Literal& literal : expr.predicate.operands) {
      quotes += literal.text.find('\'') != std::string::npos;
      backslashes += literal.text.find('\\') != std::string::npos;
      line_feeds += literal.text.find('\n') != std::string::npos;
      beyond_ascii += std::ranges::any_of(literal.text, [](unsigned char c) { return c >= 0x80; });
      fractions += literal.kind == Literal::Kind::kNumber && !literal.is_integer;
    }
  }
  void See(const RqlQuery& query) {
    views += query.view.has_value();
    for (const SelectItem& item : query.select) {
      unknown_names += item.kind == SelectItem::Kind::kUnknown;
    }
    if (!query.filter) return;
    deepest = std::max(deepest, DepthOf(*query.filter));
    See(*query.filter);
  }
};

TEST(RqlRoundTrip, EveryQueryPrintsToItself) {
  const uint64_t seed = TestSeed(20260204);
  SCOPED_TRACE("RECALL_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  QueryBuilder builder([&](uint32_t n) { return static_cast<uint32_t>(random() % n); });
  Coverage coverage;
  for (int i = 0; i < 5000; ++i) {
    const RqlQuery query = builder.Query();
    coverage.See(query);
    const std::string text = PrintRql(query);
    const Result<RqlQuery> again = ParseRql(text, nullptr);
    ASSERT_TRUE(again) << again.error().ToString() << "\n" << text;
    ASSERT_TRUE(*again == query) << text << "\nbecame\n" << PrintRql(*again);
    ASSERT_EQ(PrintRql(*again), text);
    if (!query.filter) continue;
    const Result<FilterExpr> filter = ParseFilter(PrintFilter(*query.filter));
    ASSERT_TRUE(filter && *filter == *query.filter) << PrintFilter(*query.filter);
  }
  EXPECT_EQ(coverage.deepest, kMaxFilterDepth);
  for (const size_t uses : coverage.operators) EXPECT_GT(uses, 500u);
  for (const size_t seen :
       {coverage.quotes, coverage.backslashes, coverage.line_feeds, coverage.beyond_ascii,
        coverage.fractions, coverage.unknown_names, coverage.views}) {
    EXPECT_GT(seen, 500u);
  }
}

// Different queries must print differently, otherwise one of them could not be parsed back.
TEST(RqlRoundTrip, DifferentQueriesPrintDifferently) {
  const uint64_t seed = TestSeed(7);
  SCOPED_TRACE("RECALL_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  QueryBuilder builder([&](uint32_t n) { return static_cast<uint32_t>(random() % n); });
  std::vector<std::pair<std::string, Predicate>> seen;
  for (int i = 0; i < 400; ++i) {
    Predicate predicate = builder.MakePredicate();
    seen.emplace_back(PrintPredicate(predicate), std::move(predicate));
  }
  for (const auto& [text, predicate] : seen) {
    for (const auto& [other_text, other] : seen) {
      ASSERT_EQ(text == other_text, predicate == other) << text << "\n" << other_text;
    }
  }
}

// A truncated query is an error or another query, but never a crash; the error position is inside
// it.
TEST(RqlRoundTrip, AnyBeginningOfAQueryIsUnderstoodOrPlaced) {
  const std::string text =
      "FROM chunk USING semantic(\"größe\"), lexical('it''s')\nFILTER NOT (doc.meta.\"a b\" >= "
      "-1.5e3 OR doc.tag NOT IN ('a', TRUE)) /* x */ ORDER BY score, doc.path ASC -- y\nLIMIT 5 "
      "OFFSET 2 SELECT *, doc.meta.k;";
  ASSERT_OK(ParseRql(text, nullptr));
  size_t understood = 0;
  for (size_t size = 0; size < text.size(); ++size) {
    const Result<RqlQuery> query = ParseRql(std::string_view(text).substr(0, size), nullptr);
    if (query) {
      ++understood;
      continue;
    }
    ASSERT_NE(query.error().position(), nullptr) << size;
    EXPECT_FALSE(query.error().hint().empty());
    EXPECT_LE(query.error().position()->line, 3);
  }
  // Whole clauses with the spaces and comments behind them, and the prefixes of numbers and names.
  EXPECT_EQ(understood, 33u);
}

}  // namespace
}  // namespace recall
