// Pages of one result fit together, whatever their size, and the totals are true.

#include <gtest/gtest.h>

#include <set>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class PagingTest : public QueryFixture {
 protected:
  // Ids of all hits, page by page, following next_offset.
  std::vector<std::string> ReadPages(SearchRequest request, size_t page_size) {
    std::vector<std::string> ids;
    request.k = page_size;
    request.offset = 0;
    for (;;) {
      const SearchResponse page = Search(request);
      for (const SearchHit& hit : page.hits) ids.push_back(hit.chunk.id);
      if (!page.next_offset) return ids;
      EXPECT_EQ(*page.next_offset, static_cast<int64_t>(ids.size()));
      request.offset = static_cast<size_t>(*page.next_offset);
    }
  }

  QueryResponse Query(const std::string& rql) {
    QueryRequest request;
    request.rql = rql;
    auto response = database_->Query(request);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    return response ? *response : QueryResponse();
  }

  std::vector<std::string> QueryPages(const std::string& rql, size_t page_size) {
    std::vector<std::string> ids;
    for (int64_t offset = 0;;) {
      const QueryResponse page =
          Query(rql + " LIMIT " + std::to_string(page_size) + " OFFSET " + std::to_string(offset));
      for (const QueryRow& row : page.rows)
        ids.push_back(page.from_docs ? row.doc.id : row.chunk->id);
      if (!page.next_offset) return ids;
      offset = *page.next_offset;
    }
  }
};

TEST_F(PagingTest, SearchPagesOfAnySizeAreTheOneRanking) {
  Create({.chunk_tokens = 24, .overlap_tokens = 4});
  std::mt19937_64 random(11);
  for (int i = 0; i < 120; ++i) {
    WriteFile("d" + std::to_string(i) + ".txt", RandomText(random, 60 + random() % 60));
  }
  Add();
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
    SearchRequest request;
    request.text = "alpha memory index";
    request.mode = mode;
    request.k = 100'000;
    const SearchResponse whole = Search(request);
    ASSERT_GT(whole.hits.size(), 250u);  // beyond what is fused at first
    EXPECT_FALSE(whole.next_offset);
    EXPECT_EQ(whole.total_hits, static_cast<int64_t>(whole.hits.size()));
    std::vector<std::string> ids;
    for (size_t i = 0; i < whole.hits.size(); ++i) {
      ids.push_back(whole.hits[i].chunk.id);
      EXPECT_LE(whole.hits[i].score, i > 0 ? whole.hits[i - 1].score : 1);
    }
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
    for (const size_t size : {7, 64, 211}) EXPECT_EQ(ReadPages(request, size), ids);
    request.k = 3;
    request.offset = 5;
    EXPECT_EQ(Search(request).total_hits, whole.total_hits);
    EXPECT_EQ(Search(request).hits[0].score, whole.hits[5].score);
  }
}

// Files with the same text score the same: path decides, however many there are.
TEST_F(PagingTest, ManyEqualScoresComeByPath) {
  for (int i = 0; i < 700; ++i) WriteFile("n" + std::to_string(i * 7919 % 700) + ".txt", "same");
  WriteFile("best.txt", "same same same");
  Add();
  SearchRequest request;
  request.text = "same";
  request.k = 1000;
  const std::vector<std::string> paths = Paths(Search(request));
  ASSERT_EQ(paths.size(), 701u);
  EXPECT_EQ(paths[0], "best.txt");
  EXPECT_TRUE(std::is_sorted(paths.begin() + 1, paths.end()));
  request.k = 10;
  request.offset = 695;
  const SearchResponse last = Search(request);
  EXPECT_EQ(Paths(last), std::vector<std::string>(paths.begin() + 695, paths.end()));
  EXPECT_FALSE(last.next_offset);
}

TEST_F(PagingTest, QueryPagesOfAnyOrderAreTheOneResult) {
  Create({.chunk_tokens = 24, .overlap_tokens = 4});
  std::mt19937_64 random(12);
  for (int i = 0; i < 60; ++i) {
    WriteFile("d" + std::to_string(i % 3) + "/f" + std::to_string(i) + ".txt",
              RandomText(random, 10 + random() % 100));
  }
  WriteFile("empty.txt", "");
  Add();
  for (const std::string from : {"chunk", "doc"}) {
    for (const std::string ranked :
         {"", " USING lexical('alpha memory')", " USING semantic('beta file')",
          " USING lexical('gamma'), semantic('delta')"}) {
      for (const std::string order :
           {"", " ORDER BY doc.path", " ORDER BY doc.size ASC, doc.path DESC",
            " ORDER BY chunk.tokens DESC, chunk.start_byte ASC"}) {
        if (from == "doc" && ranked.empty() && order.find("chunk") != order.npos) continue;
        const std::string rql = "FROM " + from + ranked + order + " SELECT doc.path, score";
        SCOPED_TRACE(rql);
        const QueryResponse whole = Query(rql + " LIMIT 100000");
        std::vector<std::string> ids;
        for (const QueryRow& row : whole.rows)
          ids.push_back(whole.from_docs ? row.doc.id : row.chunk->id);
        ASSERT_GT(ids.size(), 20u);
        EXPECT_EQ(whole.total_hits, static_cast<int64_t>(ids.size()));
        EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
        EXPECT_EQ(QueryPages(rql, 7), ids);
        EXPECT_EQ(QueryPages(rql, 50), ids);
        const QueryResponse count = Query(rql + " LIMIT 0");
        EXPECT_FALSE(count.next_offset) << rql;  // or a caller would go on for ever
        EXPECT_TRUE(count.rows.empty());
        EXPECT_EQ(count.total_hits, whole.total_hits);
      }
    }
  }
}

TEST_F(PagingTest, OrderByAppliesToTheWholeResultAndDocsFillTheLimit) {
  Create({.chunk_tokens = 8, .overlap_tokens = 0});
  // One document with many matching chunks must not crowd out the others.
  WriteFile("a.txt", RandomText(*std::make_unique<std::mt19937_64>(3), 400) + " needle");
  std::string many;
  for (int i = 0; i < 60; ++i)
    many += "needle in the hay stack number x " + std::to_string(i) + "\n";
  WriteFile("many.txt", many);
  for (int i = 0; i < 9; ++i)
    WriteFile("z" + std::to_string(i) + ".txt", "a needle " + std::to_string(i));
  Add();
  const QueryResponse docs =
      Query("FROM doc USING lexical('needle') LIMIT 11 SELECT doc.path, score");
  EXPECT_EQ(docs.rows.size(), 11u);
  EXPECT_EQ(docs.total_hits, 11);
  EXPECT_FALSE(docs.next_offset);
  const QueryResponse first =
      Query("FROM chunk USING lexical('needle') ORDER BY doc.path ASC LIMIT 1 SELECT doc.path");
  ASSERT_EQ(first.rows.size(), 1u);
  EXPECT_EQ(first.rows[0].doc.path, "a.txt");
  const QueryResponse last =
      Query("FROM chunk USING lexical('needle') ORDER BY doc.path DESC LIMIT 1 SELECT doc.path");
  EXPECT_EQ(last.rows[0].doc.path, "z8.txt");
}

}  // namespace
}  // namespace recall
