// Filters compared with a naive evaluator (filter_oracle.h).

#include <gtest/gtest.h>

#include "index/search/filter/filter.h"
#include "index/source/extract/types/locator_record.h"
#include "query/rql/rql.h"
#include "storage/tables/extraction_table.h"
#include "storage/tables/symbol_table.h"
#include "tests/index/search/filter/filter_oracle.h"
#include "tests/index/search/filter/random_filters.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class FilterOracleTest : public QueryFixture {
 protected:
  void Fill(uint64_t seed) {
    Create({.chunk_tokens = 12, .overlap_tokens = 2});
    std::mt19937_64 random(seed);
    for (int i = 0; i < 30; ++i) {
      const std::string name =
          "d" + std::to_string(i % 3) + "/f" + std::to_string(i) + (i % 2 ? ".md" : ".txt");
      WriteFile(name, RandomFrontMatter(random, i) + "# Title " + std::to_string(i % 4) + "\n\n" +
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
    PutParts(random);
  }

  // Gives many chunks definitions, and many documents places, also of removed versions.
  void PutParts(std::mt19937_64& random) {
    static const char* const kNames[] = {"t1", "t2", "Title", "7", "d1/f5.md", "markdown", "src"};
    const auto name = [&] { return std::string(kNames[random() % std::size(kNames)]); };
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
    ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
    Connection& connection = transaction->connection();
    ASSERT_OK_AND_ASSIGN(const int64_t chunks, connection.QueryInt("SELECT max(id) FROM chunk"));
    for (uint32_t chunk = 0; chunk <= chunks; ++chunk) {
      std::vector<Symbol> symbols(random() % 4);
      for (Symbol& symbol : symbols) symbol = {.name = name(), .kind = name()};
      ASSERT_OK(InsertSymbols(connection, chunk, symbols));
    }
    ASSERT_OK_AND_ASSIGN(const int64_t docs, connection.QueryInt("SELECT max(id) FROM doc"));
    for (int64_t doc = 1; doc <= docs; doc += 1 + static_cast<int64_t>(random() % 2)) {
      ASSERT_OK_AND_ASSIGN(
          const int64_t size,
          connection.QueryInt("SELECT size FROM doc WHERE id = " + std::to_string(doc)));
      ExtractionRow row;
      row.format = "pdf";
      row.outcome = "text";
      std::vector<LocatorSpan> spans;
      const auto end = static_cast<uint64_t>(size);
      for (uint64_t at = random() % 20; at < end; at += 1 + random() % 30) {
        const auto kind = static_cast<LocatorKind>(random() % 8);
        const uint64_t start = spans.empty() ? at : std::max(at, spans.back().end);
        const uint64_t last = std::min(end, start + 1 + random() % 60);
        if (start >= last) break;
        spans.push_back({start, last, {kind, static_cast<int64_t>(random() % 70), name(), ""}});
      }
      row.spans = EncodeLocatorSpans(spans);
      ASSERT_OK(InsertExtraction(connection, doc, row));
    }
    ASSERT_OK(transaction->Commit());
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
    size_t partial = 0;  // filters that select some rows, but not all
    for (int round = 0; round < 1500; ++round) {
      const std::string text = writer.Write(3);
      SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
      const auto expr = ParseFilter(text);
      ASSERT_TRUE(expr.has_value()) << expr.error().ToString();
      const auto filter = CompiledFilter::Compile(*expr, 0);
      if (!filter) continue;  // a literal does not fit its field
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
  EXPECT_TRUE(passes("doc.mtime = '-1mo'"));  // February has no 31st, so its last day counts
  EXPECT_TRUE(passes("doc.mtime = '-31d'"));
  EXPECT_TRUE(passes("doc.mtime < '-30d'"));
  EXPECT_FALSE(passes("doc.mtime >= '-4w'"));
  EXPECT_TRUE(passes("doc.mtime > '-1y' AND doc.mtime < 'yesterday'"));
  EXPECT_FALSE(compile("doc.mtime > '2026-01'")->depends_on_now());
  EXPECT_FALSE(compile("doc.mtime = '2026-02-28'")->warnings().empty());
}

}  // namespace
}  // namespace recall
