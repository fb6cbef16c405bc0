// In a store of at most a hundred chunks, character n-grams can find chunks that share no word with
// the query.

#include <gtest/gtest.h>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class SmallStoreTest : public QueryFixture {
 protected:
  void WriteNotes() {
    WriteFile("care.md", "Education of autistic children in small groups.");
    WriteFile("bread.md", "Sourdough wants flour, water, salt and patience.");
    WriteFile("ships.md", "The harbour keeps three vessels through the winter.");
    WriteFile("stars.md", "Telescopes of amateurs follow double stars.");
    Add();
  }

  using Names = std::vector<std::string>;
  // The words are not expanded, so only their n-grams can find other forms of them.
  Names Found(const std::string& text, SearchMode mode = SearchMode::kHybrid) {
    SearchRequest request;
    request.text = text;
    request.mode = mode;
    request.expand_words = false;
    return Paths(Search(request));
  }
};

TEST_F(SmallStoreTest, AnotherFormOfAWordOrATypingErrorIsFound) {
  WriteNotes();
  EXPECT_EQ(Found("autism", SearchMode::kLexical), Names());
  EXPECT_EQ(Found("autism"), Names({"care.md"}));
  EXPECT_EQ(Found("sourdogh recipes"), Names({"bread.md"}));
  EXPECT_EQ(Found("telescop"), Names({"stars.md"}));
}

TEST_F(SmallStoreTest, WhatIsNowhereIsNotFoundOrScoresNextToNothing) {
  WriteNotes();
  for (const char* text : {"quantum", "xyzzy", "a", "?"}) {
    const SearchResponse response = Search(text);
    EXPECT_EQ(Paths(response), Names()) << text;
    EXPECT_EQ(response.total_hits, 0) << text;
  }
  // "sourdough" and "plugh" have the same ending.
  for (const SearchHit& hit : Search("xyzzy plugh").hits) EXPECT_LT(hit.score, 0.1);
}

TEST_F(SmallStoreTest, FiltersAndForbiddenWordsHold) {
  WriteNotes();
  SearchRequest request;
  request.text = "autism";
  request.scope.filter = "doc.path != 'care.md'";
  EXPECT_EQ(Paths(Search(request)), Names());
  request.scope.filter = "doc.path = 'care.md'";
  EXPECT_EQ(Paths(Search(request)), Names({"care.md"}));
  EXPECT_EQ(Found("autism -children"), Names());
  EXPECT_EQ(Found("autism +children"), Names({"care.md"}));
  EXPECT_EQ(Found("autism +vessels"), Names({"ships.md"}));

  RemoveRequest remove;
  remove.targets = {dir_ / "care.md"};
  ASSERT_OK(database_->Remove(remove));
  EXPECT_EQ(Found("autism"), Names());
}

TEST_F(SmallStoreTest, OtherFusionsRankWhatTheRetrieversFind) {
  WriteNotes();
  SearchRequest request;
  request.text = "autism";
  request.expand_words = false;
  for (const FusionMethod fusion : {FusionMethod::kWeighted, FusionMethod::kReciprocalRank}) {
    request.ranking.fusion = fusion;
    EXPECT_EQ(Paths(Search(request)), Names());
  }
}

TEST_F(SmallStoreTest, PagesJoinAndTheTotalCountsThem) {
  std::mt19937_64 random(TestSeed(5));
  for (int i = 0; i < 12; ++i) WriteFile(std::to_string(i) + ".txt", RandomText(random, 300));
  WriteNotes();
  ASSERT_LE(database_->Stats()->store.chunks, 100);
  for (const char* text : {"alphabet memories", "gammas indexing", "autism vessel", "thetas"}) {
    const SearchResponse whole = Search(text, SearchMode::kHybrid, 100);
    EXPECT_EQ(whole.total_hits, static_cast<int64_t>(whole.hits.size())) << text;
    EXPECT_FALSE(whole.hits.empty()) << text;
    SearchRequest page;
    page.text = text;
    page.k = 3;
    Names joined;
    for (page.offset = 0; page.offset < whole.hits.size(); page.offset += page.k) {
      for (const SearchHit& hit : Search(page).hits) joined.push_back(hit.chunk.id);
    }
    Names ids;
    for (const SearchHit& hit : whole.hits) ids.push_back(hit.chunk.id);
    EXPECT_EQ(joined, ids) << text;
  }
}

// A word that occurs in one chunk has no vector in a model of the store's own texts.
TEST_F(SmallStoreTest, ASemanticSearchForAWordWithoutAVectorFindsItsChunk) {
  std::mt19937_64 random(TestSeed(6));
  for (int i = 0; i < 150; ++i) WriteFile(std::to_string(i) + ".txt", RandomText(random, 120));
  WriteFile("quokka.txt", "The quokka hears alpha beta gamma delta, memory thread file index.");
  Add();
  SearchRequest request;
  request.mode = SearchMode::kSemantic;
  request.text = "quokka zyzzyva";
  const SearchResponse found = Search(request);
  ASSERT_FALSE(found.hits.empty());
  EXPECT_EQ(found.hits[0].doc.path, "quokka.txt");
  ASSERT_EQ(found.warnings.size(), 1u);
  EXPECT_NE(found.warnings[0].find("knows no word of the query"), std::string::npos);
  // The filter holds for the examples, too, and a word that occurs nowhere is a reason.
  request.scope.filter = "doc.path != 'quokka.txt'";
  EXPECT_EQ(Paths(Search(request)), Names());
  request.scope.filter = "";
  request.text = "zyzzyva";
  const SearchResponse nothing = Search(request);
  EXPECT_EQ(Paths(nothing), Names());
  ASSERT_EQ(nothing.warnings.size(), 1u);
  EXPECT_EQ(nothing.warnings[0], "no results: the model of the store knows no word of the query");
}

// In larger stores, only chunks that a retriever proposes are results.
TEST_F(SmallStoreTest, EndsAtAHundredChunks) {
  WriteNotes();
  for (int i = 0; i < 96; ++i)
    WriteFile("more/" + std::to_string(i) + ".txt", "zulu " + std::to_string(i));
  Add();
  ASSERT_EQ(database_->Stats()->store.chunks, 100);
  EXPECT_EQ(Found("autism"), Names({"care.md"}));
  WriteFile("more/last.txt", "zulu");
  Add();
  EXPECT_EQ(Found("autism"), Names());
}

}  // namespace
}  // namespace recall
