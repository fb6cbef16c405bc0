// The fusion `parts`: words, meaning and triggers.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

constexpr double kPartsError = 5e-7;

class PartsRankingTest : public QueryFixture {
 protected:
  void AddNotes() {
    AddRequest request;
    request.extract_meta = true;
    Add(request);
  }

  void WriteNote(const std::string& name, const std::string& triggers, const std::string& text,
                 const std::string& more = "") {
    WriteFile(name, "---\nrecall_when: " + triggers + "\n" + more + "---\n" + text + "\n");
  }

  SearchRequest Parts(const std::string& text, PartWeights weights = {}) {
    SearchRequest request;
    request.text = text;
    request.ranking.fusion = FusionMethod::kParts;
    request.ranking.parts = weights;
    request.explain = true;
    request.k = 100'000;
    request.identical = IdenticalChunks::kKeep;
    return request;
  }

  // Notes of one or two chunks with random words and triggers.
  void FillStore(const std::string& embedder) {
    Create({.embedder = embedder, .chunk_tokens = 24, .overlap_tokens = 4});
    std::mt19937_64 random(7);
    for (int i = 0; i < 150; ++i) {
      std::string triggers;
      for (const char* word : {"alpha", "alphabet", "memory", "index", "indexes", "gamma"}) {
        if (random() % 6 == 0) triggers += std::string(triggers.empty() ? "" : ", ") + word;
      }
      const std::string tag = i % 3 == 0 ? "tag: third\n" : "";
      WriteNote("n" + std::to_string(i) + ".md", "[" + triggers + "]",
                RandomText(random, 10 + random() % 30), tag);
    }
    AddNotes();
  }
};

TEST_F(PartsRankingTest, IsTheWeightedMeanOfWhatIsExplained) {
  FillStore("hash");
  const SearchResponse found = Search(Parts("alpha memory index"));
  ASSERT_GT(found.hits.size(), 100u);
  EXPECT_EQ(found.total_hits, static_cast<int64_t>(found.hits.size()));
  EXPECT_EQ(found.explain->fusion, FusionMethod::kParts);
  EXPECT_EQ(found.explain->calibration, 1);
  EXPECT_EQ(found.explain->combined_candidates, found.total_hits);
  SearchRequest words = Parts("alpha memory index");
  words.mode = SearchMode::kLexical;
  std::map<std::string, double> by_words;
  for (const SearchHit& hit : Search(words).hits) by_words[hit.chunk.id] = hit.score;
  double previous = 1;
  int64_t triggered = 0;
  for (const SearchHit& hit : found.hits) {
    ASSERT_TRUE(hit.explain->evidence);
    const PartEvidence& evidence = *hit.explain->evidence;
    ASSERT_TRUE(evidence.meaning);
    EXPECT_NEAR(hit.score, .5 * evidence.words + .3 * *evidence.meaning + .2 * evidence.triggers,
                1e-12);
    EXPECT_NEAR(hit.score, hit.explain->parts.Sum(), 1e-12);
    EXPECT_EQ(*evidence.meaning, std::max(*hit.explain->semantic, 0.0));
    const auto word_score = by_words.find(hit.chunk.id);
    EXPECT_NEAR(evidence.words, word_score == by_words.end() ? 0 : word_score->second, 1e-12);
    if (hit.chunk.start_byte > 0) {
      EXPECT_EQ(evidence.triggers, 0) << "only the first chunk has them";
    }
    triggered += evidence.triggers > 0;
    EXPECT_LE(hit.score, previous);
    previous = hit.score;
  }
  EXPECT_GT(triggered, 50);
  EXPECT_EQ(found.explain->trigger_candidates, triggered);
}

TEST_F(PartsRankingTest, TriggersAloneProposeANote) {
  Create({.embedder = "hash"});
  WriteNote("meant.md", "[deploying on friday]", "Nothing of the kind.");
  WriteNote("other.md", "[cooking]", "Something else.");
  AddNotes();
  // The card is text of the first chunk, so the word itself is found by words, too; a part of it
  // only by the triggers.
  const SearchResponse found = Search(Parts("frid"));
  ASSERT_EQ(found.hits.size(), 1u);
  EXPECT_EQ(found.hits[0].doc.path, "meant.md");
  EXPECT_NEAR(found.hits[0].explain->evidence->triggers, .35, kPartsError);
  EXPECT_FALSE(found.hits[0].explain->lexical_rank);
}

TEST_F(PartsRankingTest, TheFilterAppliesToTriggersFirst) {
  FillStore("hash");
  SearchRequest request = Parts("alpha memory index");
  std::map<std::string, double> within;
  for (const SearchHit& hit : Search(request).hits) {
    if (hit.doc.meta_json->find("third") != std::string::npos) within[hit.chunk.id] = hit.score;
  }
  request.scope.filter = "doc.meta.tag = 'third'";
  const SearchResponse found = Search(request);
  ASSERT_EQ(found.hits.size(), within.size());
  for (const SearchHit& hit : found.hits) EXPECT_EQ(hit.score, within.at(hit.chunk.id));
}

TEST_F(PartsRankingTest, OperatorsApplyToTriggers) {
  for (const std::string embedder : {"hash", "given"}) {
    SCOPED_TRACE(embedder);
    Create({.embedder = embedder, .dim = embedder == "given" ? 8u : 256u});
    WriteNote("a.md", "[cors]", "One about Safari.");
    WriteNote("b.md", "[cors]", "One about Firefox.");
    AddNotes();
    EXPECT_EQ(Search(Parts("cors")).total_hits, 2);
    EXPECT_EQ(Paths(Search(Parts("cors -firefox"))), std::vector<std::string>{"a.md"});
    EXPECT_EQ(Paths(Search(Parts("cors +firefox"))), std::vector<std::string>{"b.md"});
  }
}

TEST_F(PartsRankingTest, WithoutVectorsWordsAndTriggersRemain) {
  FillStore("given");
  const SearchResponse found = Search(Parts("alpha memory index"));
  ASSERT_GT(found.hits.size(), 100u);
  EXPECT_EQ(found.explain->fusion, FusionMethod::kParts);
  for (const SearchHit& hit : found.hits) {
    const PartEvidence& evidence = *hit.explain->evidence;
    EXPECT_FALSE(evidence.meaning);
    EXPECT_NEAR(hit.score, .68 * evidence.words + .32 * evidence.triggers, 1e-12);
  }
}

// In one store: a note with a vector, and one without.
TEST_F(PartsRankingTest, AChunkWithoutAVectorIsNotHeldAgainstIt) {
  Create({.embedder = "given", .dim = 8});
  WriteFile("notes.jsonl",
            R"({"path": "with.md", "text": "cors", "embedding": [1, 1, 0, 0, 0, 0, 0, 0]})"
            "\n"
            R"({"path": "without.md", "text": "cors", "meta": {"recall_when": ["cors", 404]}})"
            "\n");
  AddRequest add;
  add.jsonl = dir_ / "notes.jsonl";
  Add(add);
  SearchRequest request = Parts("cors 404");
  request.ranking.embedding = {1, 0, 0, 0, 0, 0, 0, 0};
  const SearchResponse found = Search(request);
  ASSERT_EQ(found.hits.size(), 2u);
  for (const SearchHit& hit : found.hits) {
    const PartEvidence& evidence = *hit.explain->evidence;
    if (hit.doc.path == "with.md") {
      ASSERT_TRUE(evidence.meaning);
      EXPECT_NEAR(*evidence.meaning, .7071, .01);
    } else {
      EXPECT_FALSE(evidence.meaning);
      EXPECT_NEAR(evidence.triggers, 1, kPartsError);  // a number is a trigger, too
      EXPECT_NEAR(hit.score, .68 * evidence.words + .32, kPartsError);
    }
  }
}

TEST_F(PartsRankingTest, WeightsOfZeroLeaveNoHitsWithoutEvidence) {
  FillStore("hash");
  const SearchResponse found =
      Search(Parts("alpha memory index", {.words = 0, .meaning = 0, .triggers = 1}));
  ASSERT_GT(found.hits.size(), 50u);
  EXPECT_EQ(found.total_hits, static_cast<int64_t>(found.hits.size()));
  for (const SearchHit& hit : found.hits) {
    EXPECT_GT(hit.score, 0);
    EXPECT_NEAR(hit.score, hit.explain->evidence->triggers, 1e-12);
  }
}

TEST_F(PartsRankingTest, PagesOfAnySizeAreTheOneRanking) {
  FillStore("hash");
  SearchRequest request = Parts("alpha memory index");
  const std::vector<SearchHit> whole = Search(request).hits;
  for (const size_t k : {1u, 7u, 43u}) {
    request.k = k;
    for (request.offset = 0; request.offset < whole.size(); request.offset += k) {
      const SearchResponse page = Search(request);
      ASSERT_EQ(page.hits.size(), std::min(k, whole.size() - request.offset));
      EXPECT_EQ(page.total_hits, static_cast<int64_t>(whole.size()));
      for (size_t i = 0; i < page.hits.size(); ++i) {
        EXPECT_EQ(page.hits[i].chunk.id, whole[request.offset + i].chunk.id);
        EXPECT_EQ(page.hits[i].score, whole[request.offset + i].score);
      }
    }
  }
}

// Triggers are read at the commit that is asked for.
TEST_F(PartsRankingTest, OlderCommitsHaveTheirOwnTriggers) {
  Create({.embedder = "hash"});
  WriteNote("a.md", "[kubernetes]", "One.");
  AddNotes();
  const std::string before = Search(Parts("kubernetes")).store.snapshot;
  WriteNote("a.md", "[terraform]", "One.");
  AddNotes();
  SearchRequest request = Parts("kubernetes");
  EXPECT_EQ(Search(request).total_hits, 0);
  request.scope.snapshot = before;
  ASSERT_EQ(Search(request).total_hits, 1);
  EXPECT_NEAR(Search(request).hits[0].explain->evidence->triggers, 1, kPartsError);
}

TEST_F(PartsRankingTest, OtherModesHaveOneRetriever) {
  FillStore("hash");
  for (const SearchMode mode : {SearchMode::kLexical, SearchMode::kSemantic}) {
    SearchRequest request = Parts("alpha memory index");
    request.mode = mode;
    const SearchResponse found = Search(request);
    EXPECT_EQ(found.explain->fusion, FusionMethod::kDefault);
    EXPECT_FALSE(found.hits.front().explain->evidence);
  }
}

}  // namespace
}  // namespace recall
