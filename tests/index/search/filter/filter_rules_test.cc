// Rules of docs/rql.md on the types of literals and patterns, and the methods that explain reports.

#include <gtest/gtest.h>

#include "index/search/filter/filter.h"
#include "query/rql/rql.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

constexpr UnixNanos kNow = 1'774'958'400'000'000'000;  // 2026-03-31T12:00:00Z

class FilterRulesTest : public QueryFixture {
 protected:
  void AddWithFrontMatter(const std::string& name, const std::string& front_matter) {
    WriteFile(name, "---\n" + front_matter + "\n---\nwords\n");
    AddRequest request;
    request.paths = {dir_ / name};
    request.extract_meta = true;
    Add(request);
  }

  // The paths that the filter selects.
  std::vector<std::string> Found(const std::string& filter) {
    QueryRequest request;
    request.rql = "FROM doc FILTER " + filter + " ORDER BY doc.path ASC SELECT doc.path";
    request.as_of = kNow;
    const auto response = database_->Query(request);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    std::vector<std::string> paths;
    if (response) {
      for (const QueryRow& row : response->rows) paths.push_back(row.doc.path);
    }
    return paths;
  }

  Status ErrorOf(const std::string& filter) {
    QueryRequest request;
    request.rql = "FROM chunk FILTER " + filter + " SELECT doc.path";
    const auto response = database_->Query(request);
    return response ? Status::Ok() : response.error();
  }

  // For example "column 18: message", with the column within the filter.
  std::string FaultOf(const std::string& filter) {
    const Status error = ErrorOf(filter);
    if (error.ok()) return "accepted";
    if (!error.position()) return "nowhere: " + error.ToString();
    EXPECT_FALSE(error.hint().empty()) << filter;
    EXPECT_EQ(error.code(), StatusCode::kInvalidArgument) << filter;
    const int64_t column = error.position()->column - 18;  // FROM chunk FILTER
    return std::to_string(column) + ": " + std::string(error.message());
  }

  // The method that evaluates the filter, which must be one predicate.
  std::string MethodOf(const std::string& filter) {
    QueryRequest request;
    request.rql = "FROM doc FILTER " + filter + " SELECT doc.path";
    request.as_of = kNow;
    request.explain = true;
    const auto response = database_->Query(request);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    if (!response) return "";
    EXPECT_EQ(response->explain->filter->steps.size(), 1u) << filter;
    return response->explain->filter->steps[0].method;
  }
};

using Names = std::vector<std::string>;

TEST_F(FilterRulesTest, MetadataMeetsWholeDatesAsTimesAndOtherTextsAsTexts) {
  AddWithFrontMatter("first.md", "due: 2026-02-01");
  AddWithFrontMatter("month.md", "due: 2026-02");
  AddWithFrontMatter("offset.md", "due: 2026-02-01T00:00:00+01:00");
  AddWithFrontMatter("word.md", "due: today");
  AddWithFrontMatter("zone.md", "due: 2026-02-01T00:00:00Z");

  // A complete date or date-time is a point in time.
  EXPECT_EQ(Found("doc.meta.due = '2026-02-01'"), (Names{"first.md", "zone.md"}));
  EXPECT_EQ(Found("doc.meta.due = '2026-01-31T23:00:00Z'"), (Names{"offset.md"}));
  // A month is a text: it equals only the same text, and is compared byte by byte.
  EXPECT_EQ(Found("doc.meta.due = '2026-02'"), (Names{"month.md"}));
  EXPECT_EQ(Found("doc.meta.due < '2026-02'"), Names{});
  EXPECT_EQ(Found("doc.meta.due > '2026-02'"),
            (Names{"first.md", "offset.md", "word.md", "zone.md"}));
  EXPECT_EQ(Found("doc.meta.due <= '2026-02' OR doc.meta.due IN ('2026-02')"), (Names{"month.md"}));
  // So is a date relative to now.
  EXPECT_EQ(Found("doc.meta.due = 'today'"), (Names{"word.md"}));
  EXPECT_EQ(Found("doc.meta.due < 'today'"),
            (Names{"first.md", "month.md", "offset.md", "zone.md"}));
  const auto filter = CompiledFilter::Compile(*ParseFilter("doc.meta.due < '-7d'"), kNow);
  ASSERT_TRUE(filter.has_value());
  EXPECT_FALSE(filter->depends_on_now());
}

TEST_F(FilterRulesTest, NumbersHaveNoPatterns) {
  const std::string rest = " is a number, which has no pattern";
  EXPECT_EQ(FaultOf("doc.size LIKE '12%'"), "1: doc.size" + rest);
  EXPECT_EQ(FaultOf("doc.tokens ILIKE '1'"), "1: doc.tokens" + rest);
  EXPECT_EQ(FaultOf("doc.chunks GLOB '*'"), "1: doc.chunks" + rest);
  EXPECT_EQ(FaultOf("chunk.tokens NOT REGEXP '^1'"), "1: chunk.tokens" + rest);
  EXPECT_EQ(FaultOf("doc.tag = 'a' OR chunk.start_line LIKE '1'"), "18: chunk.start_line" + rest);
}

TEST_F(FilterRulesTest, PatternsSeeTimesAsTextAndNoNumbersOfMetadata) {
  AddWithFrontMatter("a.md", "n: 12\nlist: [12, x1]\nflag: true");
  std::filesystem::last_write_time(
      dir_ / "a.md",
      std::chrono::file_clock::from_sys(std::chrono::sys_seconds(
          std::chrono::seconds(*ParseRfc3339("2026-02-04T09:30:00Z") / 1'000'000'000))));
  Add();
  for (const char* const filter :
       {"doc.mtime LIKE '2026-02-04%'", "doc.mtime ILIKE '%t09:30:00z'",
        "doc.mtime GLOB '2026-02-0[1-5]T*'", "doc.mtime REGEXP '^2026-.*Z$'"}) {
    EXPECT_EQ(Found(filter), (Names{"a.md"})) << filter;
  }
  EXPECT_EQ(Found("doc.mtime NOT LIKE '2026-02-04%'"), Names{});
  EXPECT_EQ(Found("doc.meta.n LIKE '%'"), Names{});
  EXPECT_EQ(Found("doc.meta.list LIKE '%1'"), (Names{"a.md"}));
  EXPECT_EQ(Found("doc.meta.list LIKE '%2'"), Names{});
  EXPECT_EQ(Found("doc.meta.flag LIKE 't%'"), (Names{"a.md"}));
}

TEST_F(FilterRulesTest, BooleansOfMetadataAreComparedAsTexts) {
  AddWithFrontMatter("bool.md", "due: true");
  AddWithFrontMatter("date.md", "due: 2026-02-01");
  AddWithFrontMatter("number.md", "due: 5");
  AddWithFrontMatter("word.md", "due: \"true\"");
  EXPECT_EQ(Found("doc.meta.due = TRUE"), (Names{"bool.md", "word.md"}));
  EXPECT_EQ(Found("doc.meta.due = 'true'"), (Names{"bool.md", "word.md"}));
  EXPECT_EQ(Found("doc.meta.due < TRUE"), (Names{"date.md"}));
  EXPECT_EQ(Found("doc.meta.due >= '2026-01-01'"), (Names{"bool.md", "date.md", "word.md"}));
  EXPECT_EQ(Found("doc.meta.due >= '2026-01-01' AND doc.meta.due NOT IN (TRUE, FALSE)"),
            (Names{"date.md"}));
}

TEST_F(FilterRulesTest, StringsAreNumbersIfJsonHasThem) {
  AddWithFrontMatter("n.md", "n: 5");
  for (const char* const text : {"'5'", "'5.0'", "'5e0'", "'50e-1'"}) {
    EXPECT_EQ(Found(std::string("doc.meta.n = ") + text), (Names{"n.md"})) << text;
  }
  for (const char* const text : {"'+5'", "'5.'", "'05'", "' 5'"}) {
    EXPECT_EQ(Found(std::string("doc.meta.n = ") + text), Names{}) << text;
    EXPECT_EQ(FaultOf(std::string("chunk.tokens = ") + text),
              "16: chunk.tokens is a number, " + std::string(text) + " is none");
  }
  EXPECT_EQ(Found("doc.meta.n = +5"), (Names{"n.md"}));
  EXPECT_EQ(Found("doc.meta.n > .5"), (Names{"n.md"}));
}

TEST_F(FilterRulesTest, BooleansMeetMetadataOnly) {
  const std::string rest = " is never TRUE or FALSE";
  EXPECT_EQ(FaultOf("doc.tag = TRUE"), "11: doc.tag" + rest);
  EXPECT_EQ(FaultOf("doc.meta = FALSE"), "12: doc.meta" + rest);
  EXPECT_EQ(FaultOf("chunk.text IN ('a', true)"), "21: chunk.text" + rest);
  EXPECT_EQ(FaultOf("doc.size != FALSE"), "13: doc.size" + rest);
  EXPECT_EQ(FaultOf("chunk.tokens BETWEEN 1 AND TRUE"), "28: chunk.tokens" + rest);
  EXPECT_EQ(FaultOf("doc.mtime > TRUE"), "13: doc.mtime" + rest);
  EXPECT_EQ(FaultOf("doc.mtime > 5"), "13: doc.mtime is a time, 5 is none");
  EXPECT_EQ(FaultOf("doc.meta.draft = TRUE"), "accepted");
}

TEST_F(FilterRulesTest, PatternsOfMoreThan4096BytesAreRefused) {
  const std::string longest(4096, 'a');
  for (const std::string op : {"LIKE", "ILIKE", "GLOB", "REGEXP"}) {
    EXPECT_OK(ErrorOf("doc.path " + op + " '" + longest + "'"));
    const Status error = ErrorOf("doc.path NOT " + op + " '" + longest + "a'");
    EXPECT_EQ(error.code(), StatusCode::kLimitExceeded) << op;
    EXPECT_EQ(error.message(), "a pattern has more than 4096 bytes");
    EXPECT_FALSE(error.hint().empty());
    ASSERT_NE(error.position(), nullptr);
    EXPECT_EQ(error.position()->column, static_cast<int64_t>(33 + op.size())) << op;
  }
  EXPECT_OK(ErrorOf("doc.path = '" + longest + "a'"));
}

TEST_F(FilterRulesTest, ExplainSaysWhetherAnIndexLooksUpOrIsReadWhole) {
  AddWithFrontMatter("a.md", "due: 2026-02-01");
  struct Field {
    std::string name, index, scan;
  };
  for (const auto& [name, index, scan] :
       {Field{"doc.tag", "index on tag", "scan of tags"},
        Field{"doc.source", "index on source", "scan of sources"},
        Field{"doc.path", "index on path", "scan of paths"},
        Field{"doc.meta.due", "index on metadata", "scan of one metadata key"}}) {
    for (const std::string how : {"= 'a'", "IN ('a', 'b')", "< 'a'", "BETWEEN 'a' AND 'b'",
                                  "LIKE 'a%'", "LIKE 'a%b'", "GLOB 'a*'"}) {
      EXPECT_EQ(MethodOf(name + " " + how), index) << name << " " << how;
    }
    for (const std::string how : {"LIKE '%a'", "ILIKE 'a%'", "GLOB '*.md'", "REGEXP '^a'", "!= 'a'",
                                  "NOT IN ('a')", "NOT LIKE 'a%'", "IS NULL", "IS NOT NULL"}) {
      EXPECT_EQ(MethodOf(name + " " + how), scan) << name << " " << how;
    }
  }
  for (const std::string how : {"= 'now'", "> '-7d'", "BETWEEN '-7d' AND 'now'", "IS NULL"}) {
    EXPECT_EQ(MethodOf("doc.mtime " + how), "index on mtime") << how;
  }
  for (const std::string how : {"!= 'now'", "IN ('now', '-7d')", "LIKE '2026%'", "IS NOT NULL"}) {
    EXPECT_EQ(MethodOf("doc.mtime " + how), "scan of mtimes") << how;
  }
}

}  // namespace
}  // namespace recall
