// Chunks with the same text are one result, wherever they rank, and so are the places of a file of
// source code.

#include "query/ask/rows/folded_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

// Many documents with one of a few texts, some below different headings.
class IdenticalTextsTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .dim = 64, .chunk_tokens = 16, .overlap_tokens = 0});
    for (int i = 0; i < 150; ++i) {
      const std::string name = std::to_string(1000 + i);
      WriteFile(name + ".txt", "licence terms number " + std::to_string(i % 7) + "\n");
      // The same size and number of tokens, but another text.
      WriteFile("other/" + name + ".txt",
                "licence terms letter " + std::string(1, "abcde"[i % 5]) + "\n");
      if (i % 3 == 0) {
        WriteFile("md/" + name + ".md", "# " + name + "\n\nlicence terms in a file of its own\n");
      }
    }
    Add();
  }

  SearchRequest Licence(IdenticalChunks identical = IdenticalChunks::kFold) {
    SearchRequest request;
    request.text = "licence terms number";
    request.identical = identical;
    return request;
  }
};

TEST_F(IdenticalTextsTest, EachTextIsOneResult) {
  // The reference: all chunks, folded by their texts.
  SearchRequest request = Licence(IdenticalChunks::kKeep);
  request.k = 10'000;
  const SearchResponse each = Search(request);
  std::vector<std::string> texts;
  std::map<std::string, std::vector<std::string>> chunks;  // by text
  for (const SearchHit& hit : each.hits) {
    if (chunks[hit.chunk.text].empty()) texts.push_back(hit.chunk.text);
    chunks[hit.chunk.text].push_back(hit.chunk.id);
  }
  ASSERT_LT(texts.size(), each.hits.size());
  request = Licence(IdenticalChunks::kList);
  request.k = 10'000;
  const SearchResponse folded = Search(request);
  EXPECT_FALSE(folded.next_offset.has_value());
  EXPECT_EQ(folded.total_hits, each.total_hits) << "the total counts chunks";
  ASSERT_EQ(folded.hits.size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    const SearchHit& hit = folded.hits[i];
    EXPECT_EQ(hit.chunk.text, texts[i]);
    std::vector<std::string> ids = {hit.chunk.id};
    for (const StandsFor& other : hit.identical_chunks) ids.push_back(other.chunk_id);
    EXPECT_EQ(ids, chunks[texts[i]]);
    EXPECT_EQ(hit.identical, static_cast<int64_t>(ids.size()) - 1);
  }
}

TEST_F(IdenticalTextsTest, PagesFitTogether) {
  SearchRequest request = Licence();
  request.k = 10'000;
  const SearchResponse all = Search(request);
  std::vector<std::string> ids;
  request.k = 3;
  for (std::optional<int64_t> offset = 0; offset;) {
    request.offset = static_cast<size_t>(*offset);
    const SearchResponse page = Search(request);
    for (const SearchHit& hit : page.hits) ids.push_back(hit.chunk.id);
    offset = page.next_offset;
    ASSERT_LE(ids.size(), all.hits.size());
  }
  std::vector<std::string> expected;
  for (const SearchHit& hit : all.hits) expected.push_back(hit.chunk.id);
  EXPECT_EQ(ids, expected);
}

TEST_F(IdenticalTextsTest, AFoldedResultListsNothing) {
  const SearchResponse found = Search(Licence());
  EXPECT_GT(found.hits[0].identical, 0);
  EXPECT_TRUE(found.hits[0].identical_chunks.empty());
}

TEST_F(IdenticalTextsTest, AContextContainsATextOnce) {
  for (const ContextPieces pieces : {ContextPieces::kPassages, ContextPieces::kChunks}) {
    ContextRequest request;
    request.search = Licence();
    request.budget_tokens = 2'000;
    request.pieces = pieces;
    ASSERT_OK_AND_ASSIGN(const ContextResponse context, database_->Context(request));
    std::set<std::string> texts;
    for (const ContextPiece& piece : context.pieces) {
      EXPECT_TRUE(texts.insert(piece.chunk.text).second) << piece.chunk.text;
    }
    EXPECT_GT(texts.size(), 7u);
  }
}

class CodePlacesTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .dim = 64, .chunk_tokens = 16, .overlap_tokens = 0});
    for (int file = 0; file < 30; ++file) {
      const std::string name = std::to_string(100 + file);
      std::string text;
      for (int i = 0; i < 1 + file % 9; ++i) {
        text += "// The pump of hall " + name + ", line " + std::to_string(i) +
                ", is stopped by hand.\n";
      }
      WriteFile("src/" + name + ".c", text);
    }
    WriteFile("pumps.md", "# One\n\nA pump is stopped by hand.\n\n# Two\n\nThe pump runs.\n");
    Add();
  }

  static SearchRequest Pumps(bool folds) {
    SearchRequest request;
    request.text = "pump stopped by hand";
    request.mode = SearchMode::kLexical;
    request.k = 1000;
    request.fold_places = folds;
    return request;
  }
};

// The oracle is the ranking of all places.
TEST_F(CodePlacesTest, AFileOfCodeIsOneResultWithItsBestPlace) {
  const SearchResponse each = Search(Pumps(false));
  std::vector<std::string> wanted;
  std::map<std::string, std::vector<uint32_t>> lines;  // of a file, in the order of the ranking
  for (const SearchHit& hit : each.hits) {
    EXPECT_EQ(hit.more_places, 0);
    std::vector<uint32_t>& of = lines[hit.doc.path];
    if (of.empty() || hit.doc.parser != "code") wanted.push_back(hit.chunk.id);
    of.push_back(hit.chunk.start_line);
  }
  const SearchResponse folded = Search(Pumps(true));
  std::vector<std::string> got;
  for (const SearchHit& hit : folded.hits) {
    got.push_back(hit.chunk.id);
    if (hit.doc.parser != "code") continue;
    const std::vector<uint32_t>& of = lines[hit.doc.path];
    EXPECT_EQ(static_cast<size_t>(hit.more_places), of.size() - 1);
    ASSERT_EQ(hit.best_places.size(), std::min<size_t>(of.size() - 1, 5));
    for (size_t i = 0; i < hit.best_places.size(); ++i) {
      EXPECT_EQ(hit.best_places[i].start_line, of[i + 1]);
    }
  }
  EXPECT_EQ(got, wanted);
  EXPECT_EQ(folded.total_hits, each.total_hits) << "the total counts chunks";
  EXPECT_FALSE(folded.next_offset);
}

TEST_F(CodePlacesTest, PagesFitTogether) {
  std::vector<std::string> all;
  for (const SearchHit& hit : Search(Pumps(true)).hits) all.push_back(hit.chunk.id);
  std::vector<std::string> paged;
  SearchRequest request = Pumps(true);
  request.k = 7;
  for (;;) {
    const SearchResponse page = Search(request);
    for (const SearchHit& hit : page.hits) paged.push_back(hit.chunk.id);
    if (!page.next_offset) break;
    request.offset = static_cast<size_t>(*page.next_offset);
  }
  EXPECT_EQ(paged, all);
}

TEST_F(CodePlacesTest, PlacesOfTheOnlyFileAreResults) {
  SearchRequest request = Pumps(true);
  request.scope.filter = "doc.path = 'src/108.c'";
  const SearchResponse response = Search(request);
  EXPECT_EQ(static_cast<int64_t>(response.hits.size()), response.total_hits);
  EXPECT_GT(response.hits.size(), 1u);
}

}  // namespace
}  // namespace recall
