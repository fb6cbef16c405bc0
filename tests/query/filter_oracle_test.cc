// Filters against a naive evaluator (filter_oracle.h).

#include <gtest/gtest.h>

#include "index/filter/filter.h"
#include "query/rql/rql.h"
#include "tests/query/filter_oracle.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

// ---- Random filters -----------------------------------------------------------------------------

class FilterWriter final {
 public:
  explicit FilterWriter(uint64_t seed) : random_(seed) {}

  std::string Write(int depth) {
    if (depth > 0 && Chance(4)) return "NOT (" + Write(depth - 1) + ")";
    if (depth > 0 && Chance(2)) {
      const char* const word = Chance(2) ? ") AND (" : ") OR (";
      std::string text = "(" + Write(depth - 1) + word;
      return text + Write(depth - 1) + ")";
    }
    return WritePredicate();
  }

 private:
  bool Chance(uint64_t n) { return random_() % n == 0; }
  std::string Pick(std::vector<std::string> choices) { return choices[random_() % choices.size()]; }

  std::string WritePredicate() {
    switch (random_() % 4) {
      case 0:
        return Finish(Pick({"doc.path", "doc.tag", "doc.source", "doc.parser", "chunk.text",
                            "chunk.heading", "doc.meta"}),
                      {"'t1'", "'t2'", "'src'", "'d1/f5.md'", "'markdown'", "'Title'", "7", "''"},
                      /*patterns=*/true);
      case 1:
        return Finish(Pick({"doc.size", "doc.tokens", "doc.chunks", "chunk.tokens", "chunk.offset",
                            "chunk.start_byte", "chunk.end_line"}),
                      {"0", "1", "'12'", "30", "60.5", "200", "-3", "1e3"}, /*patterns=*/false);
      case 2:
        return Finish("doc.mtime",
                      {"'2026-02-04'", "'2026-02'", "'2026-02-04T09:30:00Z'",
                       "'2025-12-31T23:00:00-02:00'", "'2030-01-01'"},
                      Chance(4));
      default:
        return Finish(
            Pick({"doc.meta.year", "doc.meta.draft", "doc.meta.labels", "doc.meta.due",
                  "doc.meta.author.name", "doc.meta.none", "doc.meta.author", "doc.meta.odd"}),
            {"2024", "2025.5", "'2024'", "TRUE", "FALSE", "'true'", "'bug'", "'ui'", "'2026-03-01'",
             "'2026-03-01T00:00:00+00:00'", "'ann'", "'x'"},
            Chance(3));
    }
  }

  std::string Finish(const std::string& field, const std::vector<std::string>& values,
                     bool patterns) {
    const std::string no = Chance(3) ? " NOT" : "";
    if (Chance(8)) return field + " IS" + no + " NULL";
    if (patterns && Chance(2)) {
      const std::string op = Pick({"LIKE", "ILIKE", "GLOB", "REGEXP"});
      const std::string pattern = op == "GLOB"     ? Pick({"d1/**", "**/*.md", "*", "t?", "**"})
                                  : op == "REGEXP" ? Pick({"^d[12]/", "[0-9]", "u$", "a.*a"})
                                                   : Pick({"d1/%", "%A%", "t_", "%", "2026%"});
      return field + no + " " + op + " '" + pattern + "'";
    }
    if (Chance(6)) return field + no + " IN (" + Pick(values) + ", " + Pick(values) + ")";
    if (Chance(6)) return field + no + " BETWEEN " + Pick(values) + " AND " + Pick(values);
    return field + " " + Pick({"=", "!=", "<", "<=", ">", ">="}) + " " + Pick(values);
  }

  std::mt19937_64 random_;
};

class FilterOracleTest : public QueryFixture {
 protected:
  void Fill(uint64_t seed) {
    Create({.chunk_tokens = 12, .overlap_tokens = 2});
    std::mt19937_64 random(seed);
    for (int i = 0; i < 30; ++i) {
      const std::string name =
          "d" + std::to_string(i % 3) + "/f" + std::to_string(i) + (i % 2 ? ".md" : ".txt");
      WriteFile(name, FrontMatter(random, i) + "# Title " + std::to_string(i % 4) + "\n\n" +
                          RandomText(random, random() % 50));
      if (i % 7 == 3) WriteFile(name, "");  // a document without chunks
      AddRequest request;
      request.paths = {dir_ / name};
      request.extract_meta = true;
      if (i % 4 != 0) request.tag = "t" + std::to_string(i % 4);
      if (i % 5 == 0) request.source = "src";
      Add(request);
    }
    RemoveRequest remove;
    remove.targets = {dir_ / "d1/f1.md", dir_ / "d2/f2.txt"};
    ASSERT_OK(database_->Remove(remove));
    database_.reset();
  }

  static std::string FrontMatter(std::mt19937_64& random, int i) {
    if (random() % 4 == 0) return "";
    static const char* const kOdd[] = {"x", "null", "{a: 1}", "[]", "[1, x, true]", "1e2", "''"};
    return "---\nyear: " + std::to_string(2023 + i % 4) + "\ndraft: " + (i % 2 ? "true" : "false") +
           "\nlabels: [bug, " + (i % 3 ? "ui" : "docs") + "]\ndue: 2026-0" +
           std::to_string(1 + i % 5) + "-01\nauthor: {name: " + (i % 2 ? "ann" : "bob") +
           "}\nodd: " + kOdd[random() % std::size(kOdd)] + "\n---\n";
  }

  static std::vector<uint32_t> Found(const ReadTransaction& transaction,
                                     const CompiledFilter& filter, FilterDomain domain) {
    const auto outcome = filter.Evaluate(transaction, domain);
    EXPECT_TRUE(outcome.has_value()) << outcome.error().ToString();
    if (!outcome) return {};
    return outcome->set.Values();
  }
};

TEST_F(FilterOracleTest, RandomFiltersFindWhatANaiveEvaluatorFinds) {
  for (const uint64_t seed : {51, 52}) {
    Fill(seed);
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
    ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginRead());
    ASSERT_OK_AND_ASSIGN(const auto docs, ReadOracleDocs(*transaction));
    FilterWriter writer(seed * 7);
    size_t evaluated = 0;
    size_t partial = 0;  // filters that pass some and not all
    for (int round = 0; round < 1500; ++round) {
      const std::string text = writer.Write(3);
      SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
      const auto expr = ParseFilter(text);
      ASSERT_TRUE(expr.has_value()) << expr.error().ToString();
      const auto filter = CompiledFilter::Compile(*expr, 0);
      if (!filter) continue;  // literals that do not fit the field
      const OracleSets expected = FilterNaively(docs, *expr, 0);
      ASSERT_EQ(Found(*transaction, *filter, FilterDomain::kChunks), expected.chunks);
      ASSERT_EQ(Found(*transaction, *filter, FilterDomain::kDocs), expected.docs);
      ++evaluated;
      if (!expected.chunks.empty() &&
          expected.chunks.size() < static_cast<size_t>(transaction->counts().chunks)) {
        ++partial;
      }
    }
    EXPECT_GT(evaluated, 700u);
    EXPECT_GT(partial, 300u);
  }
}

TEST_F(FilterOracleTest, ErrorsPointAtTheLiteral) {
  const auto error = [](const std::string& text) {
    const Result<FilterExpr> expr = ParseFilter(text);
    const auto filter = CompiledFilter::Compile(*expr, 0);
    if (filter) return FilterError{};
    return filter.error();
  };
  EXPECT_EQ(error("doc.size > 'big'").position, 11u);
  EXPECT_EQ(error("doc.tag = 'a' AND doc.mtime < 'soon'").position, 30u);
  EXPECT_EQ(error("doc.path REGEXP '(a'").position, 16u);
  EXPECT_EQ(error("doc.path GLOB '[a'").position, 14u);
  EXPECT_EQ(error("chunk.tokens = TRUE").position, 15u);
  EXPECT_FALSE(error("doc.mtime < 'soon'").hint.empty());
}

TEST_F(FilterOracleTest, RelativeDatesCountFromNow) {
  const UnixNanos now = *ParseRfc3339("2026-03-31T12:00:00Z");
  const auto compile = [&](const std::string& text) {
    const Result<FilterExpr> expr = ParseFilter(text);
    return CompiledFilter::Compile(*expr, now);
  };
  WriteFile("a.txt", "x");
  std::filesystem::last_write_time(
      dir_ / "a.txt",
      std::chrono::file_clock::from_sys(std::chrono::sys_seconds(
          std::chrono::seconds(*ParseRfc3339("2026-02-28T12:00:00Z") / 1'000'000'000))));
  Add();
  database_.reset();
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
  ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginRead());
  const auto passes = [&](const std::string& text) {
    const auto filter = compile(text);
    EXPECT_TRUE(filter->depends_on_now()) << text;
    return !Found(*transaction, *filter, FilterDomain::kDocs).empty();
  };
  EXPECT_TRUE(passes("doc.mtime = '-1mo'"));  // February has no 31st: its last day
  EXPECT_TRUE(passes("doc.mtime = '-31d'"));
  EXPECT_TRUE(passes("doc.mtime < '-30d'"));
  EXPECT_FALSE(passes("doc.mtime >= '-4w'"));
  EXPECT_TRUE(passes("doc.mtime > '-1y' AND doc.mtime < 'yesterday'"));
  EXPECT_FALSE(compile("doc.mtime > '2026-01'")->depends_on_now());
  EXPECT_FALSE(compile("doc.mtime = '2026-02-28'")->warnings().empty());
}

}  // namespace
}  // namespace recall
