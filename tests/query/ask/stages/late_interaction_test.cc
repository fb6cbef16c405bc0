// The stage late-interaction, compared with a naive version that embeds each word as a text of its
// own and compares all pairs of words, and checked on an example.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "index/embed/factory/embedding_space.h"
#include "simd/kernels.h"
#include "tests/query/ask/stages/stage_fixture.h"

namespace recall {
namespace {

class LateInteractionTest : public StageFixture {
 protected:
  // The vector of a text that consists of this stem; zeros if the model does not contain it.
  std::vector<double> VectorOf(Embedder& embedder, const std::string& stem) {
    std::vector<float> vector(embedder.identity().dim);
    const std::string_view body = stem;
    EXPECT_OK(embedder.EmbedStems(std::span(&body, 1), vector));
    return {vector.begin(), vector.end()};
  }
  static double Cosine(const std::vector<double>& a, const std::vector<double>& b) {
    double product = 0;
    for (size_t i = 0; i < a.size(); ++i) product += a[i] * b[i];
    return std::clamp(product, 0.0, 1.0);
  }
  static bool IsKnown(const std::vector<double>& vector) { return Cosine(vector, vector) > 0.5; }

  // "car" and "automobile" occur with the same words, "bread" with others. There are as many
  // subjects as dimensions, so that no dimension separates the two synonyms.
  void FillWithCompany() {
    Create({.dim = 8});
    std::mt19937_64 random(3);
    const auto write = [&](const std::string& name, const std::string& about,
                           const std::vector<std::string>& company) {
      std::string text = about;
      for (int word = 0; word < 12; ++word) text += " " + company[random() % company.size()];
      WriteFile(name, text + "\n");
    };
    for (int i = 0; i < 20; ++i) {
      const std::string number = std::to_string(i) + ".txt";
      write("car" + number, i % 2 == 0 ? "car" : "automobile",
            {"engine", "wheel", "driver", "road", "fuel", "garage", "brake"});
      write("bread" + number, "bread",
            {"oven", "flour", "baker", "dough", "yeast", "crust", "butter"});
      for (char subject = 'a'; subject < 'g'; ++subject) {
        std::vector<std::string> words;
        for (char word = 'a'; word < 'h'; ++word) words.push_back({'q', subject, word, 'x'});
        write(subject + number, "notes", words);
      }
    }
    WriteFile("other/a.txt", "How to repair the old bread in winter.\n");
    WriteFile("other/b.txt", "How to repair the old car in winter.\n");
    Add();
  }
};

TEST_F(LateInteractionTest, IsTheMeanOfTheNearestWordsByBruteForce) {
  FillStore();
  std::map<std::string, double> holders;
  QueryRequest all;
  all.rql = "FROM chunk SELECT chunk.text, chunk.heading";
  all.default_limit = 100'000;
  ASSERT_OK_AND_ASSIGN(const QueryResponse chunks, database_->Query(all));
  for (const QueryRow& row : chunks.rows) {
    const std::vector<std::string> stems = Stems(row.chunk->heading, row.chunk->text);
    for (const std::string& stem : std::set(stems.begin(), stems.end())) ++holders[stem];
  }
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
  ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginRead());
  ASSERT_OK_AND_ASSIGN(const auto space, EmbeddingSpace::Open(*transaction));
  ASSERT_OK(space->Load(StoredModels(transaction->connection())));
  const auto embedder = space->NewEmbedder();
  ASSERT_TRUE(embedder->TakesStems());
  std::map<std::string, std::vector<double>> vectors;
  for (const auto& [stem, count] : holders) vectors[stem] = VectorOf(*embedder, stem);

  const std::vector<std::string> asked = Stems("", Request().text);
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical}) {
    mode_ = mode;
    const std::vector<SearchHit> head = Head();
    std::vector<double> evidence;
    double most = 0;
    for (const SearchHit& hit : head) {
      double sum = 0;
      double total = 0;
      for (const std::string& wanted : asked) {
        if (!IsKnown(vectors[wanted])) continue;
        const double idf = std::log(static_cast<double>(chunks.rows.size()) / holders[wanted]);
        double nearest = 0;
        for (const std::string& stem : Stems(hit)) {
          const double cosine = stem == wanted ? 1 : Cosine(vectors[wanted], vectors[stem]);
          nearest = std::max(nearest, cosine);
        }
        sum += idf * nearest;
        total += idf;
      }
      ASSERT_GT(total, 0);
      evidence.push_back(sum / total);
      most = std::max(most, evidence.back());
    }
    std::map<std::string, double> expected;  // by chunk id
    for (size_t i = 0; i < head.size(); ++i) {
      expected[head[i].chunk.id] = (head[i].score + .4 * evidence[i] / most * head[0].score) / 1.4;
    }
    const SearchResponse found = Search(Request("late-interaction:weight=0.4"));
    ASSERT_EQ(found.explain->stages[0].ranked, 100);
    size_t moved = 0;
    for (size_t i = 0; i < 100; ++i) {
      const SearchHit& hit = found.hits[i];
      ASSERT_TRUE(expected.contains(hit.chunk.id));
      EXPECT_NEAR(hit.score, expected[hit.chunk.id], 1e-5);
      moved += hit.explain->stages[0].was != hit.explain->stages[0].rank;
    }
    EXPECT_GT(moved, 10u);
  }
}

TEST_F(LateInteractionTest, AWordThatKeepsTheSameCompanyLiftsAText) {
  FillWithCompany();
  SearchRequest request;
  request.text = "automobile repair";
  request.expand_words = false;  // the lexicon knows these words, too
  request.mode = SearchMode::kLexical;
  request.k = 100;
  request.explain = true;
  const auto place_of = [&](const SearchResponse& found, const std::string& path) {
    for (size_t i = 0; i < found.hits.size(); ++i) {
      if (found.hits[i].doc.path == path) return i;
    }
    return found.hits.size();
  };
  const SearchResponse plain = Search(request);
  ASSERT_EQ(plain.hits[place_of(plain, "other/a.txt")].score,
            plain.hits[place_of(plain, "other/b.txt")].score);
  EXPECT_LT(place_of(plain, "other/a.txt"), place_of(plain, "other/b.txt"));
  request.ranking.stages = "late-interaction";
  const SearchResponse late = Search(request);
  EXPECT_LT(place_of(late, "other/b.txt"), place_of(late, "other/a.txt"));
  const StageEffect& effect = late.hits[place_of(late, "other/b.txt")].explain->stages[0];
  EXPECT_NE(effect.note.find("automobil ~ car "), std::string::npos) << effect.note;
}

TEST_F(LateInteractionTest, EveryCpuGivesTheSameBits) {
  FillStore(40);
  std::vector<std::pair<std::string, double>> first;
  for (const std::string& target : SupportedSimdTargets()) {
    ASSERT_TRUE(ForceSimdTarget(target));
    std::vector<std::pair<std::string, double>> ranking;
    for (const SearchHit& hit : Hits("late-interaction:weight=1")) {
      ranking.emplace_back(hit.chunk.id, hit.score);
    }
    ForceSimdTarget("");
    if (first.empty()) first = ranking;
    EXPECT_EQ(ranking, first) << target;
  }
}

TEST_F(LateInteractionTest, LongQuestionsAndThoseOfUnknownWordsAreAnswered) {
  FillStore(40);
  WriteFile("once.txt", "walrus");  // a model contains only words of two or more texts
  Add();
  SearchRequest request = Request("late-interaction");
  std::mt19937_64 random(9);
  request.text += " " + RandomText(random, 3000);
  EXPECT_GT(Search(request).hits.size(), 100u);
  request.text = "walrus";
  const SearchResponse unknown = Search(request);
  ASSERT_FALSE(unknown.hits.empty());
  ASSERT_EQ(unknown.explain->stages.size(), 1u);
  EXPECT_EQ(unknown.explain->stages[0].note, "no word of the query has a usable vector");
  request.ranking.stages.clear();
  const SearchResponse plain = Search(request);
  ASSERT_EQ(unknown.hits.size(), plain.hits.size());
  for (size_t i = 0; i < plain.hits.size(); ++i) {
    EXPECT_EQ(unknown.hits[i].score, plain.hits[i].score);
  }
}

TEST_F(LateInteractionTest, SpacesWithoutVectorsOfTermsAreOneError) {
  const std::string which = "only lsa, after training, and model2vec have vectors of terms";
  WriteFile("a.txt", "alpha memory");
  Add();
  const auto early = database_->Search(Request("late-interaction"));
  ASSERT_FALSE(early.has_value());
  EXPECT_EQ(early.error().ToString(),
            "invalid_argument: the stage late-interaction: the store has no vectors of "
            "terms yet");
  EXPECT_TRUE(early.error().hint().starts_with(which)) << early.error().hint();
  Create({.embedder = "hash"});
  Add();
  const auto hashed = database_->Search(Request("late-interaction"));
  ASSERT_FALSE(hashed.has_value());
  EXPECT_EQ(hashed.error().ToString(),
            "invalid_argument: the stage late-interaction: the vectors of \"hash\" are vectors of "
            "whole texts, not of terms");
  EXPECT_EQ(hashed.error().hint(), which);
}

}  // namespace
}  // namespace recall
