// Pages of a result are consistent, whatever their size, and the totals are exact.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class PagingTest : public QueryFixture {
 protected:
  // The ids of all hits, read page by page with next_offset.
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
    ASSERT_GT(whole.hits.size(), 250u);  // more than are fused at first
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

// If thousands of chunks have nearly the same lexical score, pages must agree with the whole
// ranking.
TEST_F(PagingTest, ManyThatScoreAlikeAreRankedAsFarAsIsAsked) {
  Create({.embedder = "hash", .dim = 64, .chunk_tokens = 60, .overlap_tokens = 4});
  std::mt19937_64 random(TestSeed(13));
  std::string lines;
  constexpr int kTexts = 2600;
  for (int i = 0; i < kTexts; ++i) {
    std::string text = "alpha beta";
    for (uint64_t word = 20 + random() % 10; word > 0; --word) {
      text += " w" + std::to_string(random() % 5000);
    }
    lines += R"({"path": ")" + std::to_string(i) + R"(.txt", "text": ")" + text + "\"}\n";
  }
  WriteFile("texts.jsonl", lines);
  AddRequest add;
  add.jsonl = dir_ / "texts.jsonl";
  ASSERT_OK(database_->Add(add));
  SearchRequest request;
  request.text = "alpha beta";
  request.explain = true;
  request.k = 2 * kTexts;
  const auto ranked = [](const SearchHit& hit) {
    return hit.explain->first_stage_rank.has_value();
  };
  EXPECT_EQ(std::ranges::count_if(Search(request).hits, ranked), 300);
  request.ranking.fusion = FusionMethod::kWeighted;
  const SearchResponse all = Search(request);
  ASSERT_EQ(all.hits.size(), static_cast<size_t>(kTexts));
  for (const size_t count : {40u, 150u, 700u}) {
    request.k = count;
    const SearchResponse page = Search(request);
    ASSERT_EQ(page.hits.size(), count);
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(page.hits[i].chunk.id, all.hits[i].chunk.id);
      EXPECT_EQ(page.hits[i].score, all.hits[i].score);
    }
  }
}

// Explain shows for each reranked chunk its first-stage rank, and which chunks gave feedback.
TEST_F(PagingTest, ExplainedPlacesAreThoseOfTheFirstStage) {
  Create({.chunk_tokens = 24, .overlap_tokens = 4});
  std::mt19937_64 random(13);
  for (int i = 0; i < 60; ++i) WriteFile(std::to_string(i) + ".txt", RandomText(random, 90));
  Add();
  SearchRequest request;
  request.text = "alpha memory index";
  request.k = 100'000;
  request.explain = true;
  const SearchResponse whole = Search(request);
  std::set<int64_t> places;
  int64_t fed_back = 0;
  for (const SearchHit& hit : whole.hits) {
    if (const auto place = hit.explain->first_stage_rank) {
      EXPECT_TRUE(places.insert(*place).second);
    }
    EXPECT_EQ(hit.explain->ngrams.has_value(), hit.explain->first_stage_rank.has_value());
    if (hit.explain->feedback) ++fed_back;
  }
  EXPECT_EQ(places.size(), 300u);
  EXPECT_EQ(*places.rbegin(), 300);
  EXPECT_GT(fed_back, 0);
  EXPECT_EQ(fed_back, whole.explain->feedback_chunks);

  request.mode = SearchMode::kLexical;
  for (const SearchHit& hit : Search(request).hits) {
    EXPECT_FALSE(hit.explain->first_stage_rank);
    EXPECT_FALSE(hit.explain->feedback);
  }
}

// Files with the same text have the same score; their paths determine the order.
TEST_F(PagingTest, ManyEqualScoresComeByPath) {
  for (int i = 0; i < 700; ++i) WriteFile("n" + std::to_string(i * 7919 % 700) + ".txt", "same");
  WriteFile("best.txt", "same same same");
  Add();
  SearchRequest request;
  request.text = "same";
  request.identical = IdenticalChunks::kKeep;
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
        EXPECT_FALSE(count.next_offset) << rql;  // otherwise a caller would loop for ever
        EXPECT_TRUE(count.rows.empty());
        EXPECT_EQ(count.total_hits, whole.total_hits);
      }
    }
  }
}

// Paths are unique, so keys after doc.path order the chunks of each document, ranked or not.
TEST_F(PagingTest, KeysOfChunksAfterThePathCount) {
  Create({.chunk_tokens = 8, .overlap_tokens = 0});
  std::mt19937_64 random(13);
  for (const char* name : {"a.txt", "b.txt", "c.txt"}) WriteFile(name, RandomText(random, 100));
  Add();
  for (const std::string path_order : {"ASC", "DESC"}) {
    const std::string order = " ORDER BY doc.path " + path_order + ", chunk.start_byte DESC";
    for (const std::string from : {"FROM chunk", "FROM chunk USING lexical('alpha memory')"}) {
      const std::string rql = from + order + " SELECT doc.path";
      const QueryResponse all = Query(rql + " LIMIT 100");
      ASSERT_GT(all.rows.size(), 3u);
      for (size_t i = 1; i < all.rows.size(); ++i) {
        const QueryRow& before = all.rows[i - 1];
        const QueryRow& row = all.rows[i];
        if (before.doc.path == row.doc.path) {
          EXPECT_GT(before.chunk->start_byte, row.chunk->start_byte) << rql;
        } else {
          EXPECT_EQ(before.doc.path < row.doc.path, path_order == "ASC") << rql;
        }
      }
      std::vector<std::string> ids;
      for (const QueryRow& row : all.rows) ids.push_back(row.chunk->id);
      EXPECT_EQ(QueryPages(rql, 2), ids) << rql;
    }
  }
}

TEST_F(PagingTest, OrderByAppliesToTheWholeResultAndDocsFillTheLimit) {
  Create({.chunk_tokens = 8, .overlap_tokens = 0});
  // A document with many good chunks must not displace the other documents.
  WriteFile("a.txt", RandomText(*std::make_unique<std::mt19937_64>(3), 400) + " needle");
  std::string many;
  for (int i = 0; i < 1500; ++i)
    many += "needle needle needle needle needle needle needle needle\n";
  WriteFile("many.txt", many);
  for (int i = 0; i < 9; ++i)
    WriteFile("z" + std::to_string(i) + ".txt", "a needle " + std::to_string(i));
  Add();
  const QueryResponse docs =
      Query("FROM doc USING lexical('needle') LIMIT 11 SELECT doc.path, score");
  EXPECT_EQ(docs.rows.size(), 11u);
  EXPECT_EQ(docs.total_hits, 11);
  EXPECT_FALSE(docs.next_offset);
  EXPECT_EQ(docs.rows[0].doc.path, "many.txt");
  // Any limit gives the same documents in the same order, and the same total.
  for (size_t limit = 1; limit <= 10; ++limit) {
    const QueryResponse some = Query("FROM doc USING lexical('needle') LIMIT " +
                                     std::to_string(limit) + " SELECT doc.path, score");
    ASSERT_EQ(some.rows.size(), limit);
    EXPECT_EQ(some.total_hits, 11);
    EXPECT_EQ(some.next_offset, static_cast<int64_t>(limit));
    EXPECT_EQ(some.rows.back().doc.path, docs.rows[limit - 1].doc.path);
    EXPECT_EQ(some.rows.back().score, docs.rows[limit - 1].score);
  }
  const QueryResponse first =
      Query("FROM chunk USING lexical('needle') ORDER BY doc.path ASC LIMIT 1 SELECT doc.path");
  ASSERT_EQ(first.rows.size(), 1u);
  EXPECT_EQ(first.rows[0].doc.path, "a.txt");
  const QueryResponse last =
      Query("FROM chunk USING lexical('needle') ORDER BY doc.path DESC LIMIT 1 SELECT doc.path");
  EXPECT_EQ(last.rows[0].doc.path, "z8.txt");
}

// An explained rank is the rank in the complete ranking of that retriever.
TEST_F(PagingTest, ExplainedRanksAreThoseOfEachRetrieverWhateverThePage) {
  Create({.chunk_tokens = 24, .overlap_tokens = 4});
  std::mt19937_64 random(13);
  for (int i = 0; i < 90; ++i) {
    WriteFile("d" + std::to_string(i) + ".txt", RandomText(random, 60 + random() % 60));
  }
  Add();
  SearchRequest request;
  request.text = "alpha memory index";
  request.explain = true;
  request.k = 100'000;
  const SearchResponse all = Search(request);
  // The scores of each retriever in descending order.
  std::vector<double> lexical;
  std::vector<double> semantic;
  for (const SearchHit& hit : all.hits) {
    if (*hit.explain->lexical > 0) lexical.push_back(*hit.explain->lexical);
    if (hit.explain->semantic_rank) semantic.push_back(*hit.explain->semantic);
  }
  std::ranges::sort(lexical, std::greater());
  std::ranges::sort(semantic, std::greater());
  ASSERT_EQ(static_cast<int64_t>(lexical.size()), all.explain->lexical_candidates);
  ASSERT_EQ(static_cast<int64_t>(semantic.size()), all.explain->semantic_candidates);
  ASSERT_GT(semantic.size(), 10u);
  std::set<int64_t> lexical_ranks;
  std::set<int64_t> semantic_ranks;
  for (const SearchHit& hit : all.hits) {
    const HitExplain& explain = *hit.explain;
    ASSERT_EQ(explain.lexical_rank.has_value(), *explain.lexical > 0);
    if (explain.lexical_rank) {
      EXPECT_EQ(lexical[static_cast<size_t>(*explain.lexical_rank - 1)], *explain.lexical);
      EXPECT_TRUE(lexical_ranks.insert(*explain.lexical_rank).second);
    }
    if (explain.semantic_rank) {
      EXPECT_EQ(semantic[static_cast<size_t>(*explain.semantic_rank - 1)], *explain.semantic);
      EXPECT_TRUE(semantic_ranks.insert(*explain.semantic_rank).second);
    }
  }
  request.k = 3;
  for (request.offset = 0; request.offset < all.hits.size(); request.offset += 41) {
    const SearchResponse page = Search(request);
    for (size_t i = 0; i < page.hits.size(); ++i) {
      const HitExplain& whole = *all.hits[request.offset + i].explain;
      EXPECT_EQ(page.hits[i].explain->lexical_rank, whole.lexical_rank);
      EXPECT_EQ(page.hits[i].explain->semantic_rank, whole.semantic_rank);
    }
  }
  // With a single retriever, its ranks are those of the result.
  request.offset = 0;
  request.k = 40;
  request.mode = SearchMode::kSemantic;
  int64_t place = 0;
  for (const SearchHit& hit : Search(request).hits) {
    EXPECT_EQ(hit.explain->semantic_rank, ++place);
    EXPECT_FALSE(hit.explain->lexical_rank);
  }
}

TEST_F(PagingTest, QueryAndContextExplainTheRanks) {
  Create({.embedder = "hash"});
  WriteFile("a.txt", "alpha alpha alpha");
  WriteFile("b.txt", "alpha and other words beside it");
  Add();
  QueryRequest query;
  query.rql = "FROM chunk USING lexical('alpha') ORDER BY doc.path DESC SELECT doc.path";
  query.explain = true;
  ASSERT_OK_AND_ASSIGN(const QueryResponse rows, database_->Query(query));
  ASSERT_EQ(rows.rows.size(), 2u);
  EXPECT_EQ(rows.rows[0].explain->lexical_rank, 2);
  EXPECT_EQ(rows.rows[1].explain->lexical_rank, 1);
  EXPECT_FALSE(rows.rows[1].explain->semantic_rank);
  ContextRequest context;
  context.search.text = "alpha";
  context.search.explain = true;
  ASSERT_OK_AND_ASSIGN(const ContextResponse packed, database_->Context(context));
  ASSERT_EQ(packed.pieces.size(), 2u);
  EXPECT_EQ(packed.pieces[0].explain->lexical_rank, 1);
  EXPECT_EQ(packed.pieces[1].explain->lexical_rank, 2);
  EXPECT_EQ(packed.pieces[0].explain->semantic_rank, 1);
  context.search.explain = false;
  ASSERT_OK_AND_ASSIGN(const ContextResponse plain, database_->Context(context));
  EXPECT_FALSE(plain.pieces[0].explain);
}

}  // namespace
}  // namespace recall
