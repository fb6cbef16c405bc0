// When a store trains its LSA model, and which answers that changes.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "storage/sqlite/connection.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class TrainingTest : public QueryFixture {
 protected:
  void WriteTexts(int first, int count) {
    for (int i = first; i < first + count; ++i) {
      WriteFile("t" + std::to_string(i) + ".txt",
                "colour number" + std::to_string(i) + " painting");
    }
    Add();
  }

  // "since:chunks" of every model, the oldest first.
  std::string Models() {
    return Text(
        "SELECT coalesce(group_concat(since || ':' || chunks, ' '), '') FROM "
        "(SELECT since, chunks FROM model ORDER BY id)");
  }
  std::string Text(const std::string& sql) {
    const auto connection = Connection::Open(StorePath(), {});
    EXPECT_TRUE(connection.has_value());
    return (*connection)->QueryText(sql).value_or("?");
  }

  void Forget(const std::string& also = "") {
    Execute("DELETE FROM model; DELETE FROM model_part;" + also);
  }
  void Execute(const std::string& sql) {
    database_.reset();
    const auto connection = Connection::Open(StorePath(), {.mode = ConnectionMode::kReadWrite});
    ASSERT_TRUE(connection.has_value());
    ASSERT_OK((*connection)->Execute(sql));
  }

  double BestNgrams(const std::string& text, const std::string& snapshot = "") {
    SearchRequest request;
    request.text = text;
    request.explain = true;
    request.scope.snapshot = snapshot;
    const SearchResponse response = Search(request);
    return response.hits.empty() ? -1 : response.hits[0].explain->ngrams.value_or(0);
  }
};

TEST_F(TrainingTest, WhenChunksHaveDoubled) {
  Create({});
  EXPECT_EQ(Models(), "");
  WriteTexts(0, 4);
  EXPECT_EQ(Models(), "3:4") << "after the texts and their words";
  WriteTexts(4, 3);
  EXPECT_EQ(Models(), "3:4") << "seven are not yet twice as many";
  Add();
  EXPECT_EQ(Models(), "3:4") << "nothing was added";
  WriteTexts(7, 1);
  EXPECT_EQ(Models(), "3:4 6:8");
}

TEST_F(TrainingTest, ASnapshotKeepsTheModelOfItsTime) {
  Create({});
  WriteTexts(0, 4);
  const std::string then = database_->Stats()->store.snapshot;
  const double before = BestNgrams("coloured paintings");
  EXPECT_GT(before, 0);
  WriteTexts(4, 30);
  EXPECT_NE(BestNgrams("coloured paintings"), before);
  EXPECT_EQ(BestNgrams("coloured paintings", then), before);
}

TEST_F(TrainingTest, CompactionDropsModelsWithTheirSnapshotsAndTrainsWhatIsMissing) {
  Create({.embedder = "hash"});
  WriteTexts(0, 4);
  WriteTexts(4, 4);
  const std::string both = Models();
  EXPECT_EQ(std::ranges::count(both, ' '), 1);
  ASSERT_OK(database_->Compact({}));
  EXPECT_EQ(Models(), both) << "snapshots of the last day use them";
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(Models(), both.substr(both.find(' ') + 1));
  Forget();
  Reopen();
  EXPECT_EQ(BestNgrams("coloured paintings"), 0) << "how common they are is unknown";
  ASSERT_OK(database_->Compact({}));
  EXPECT_NE(Models(), "");
}

TEST_F(TrainingTest, ADamagedTextIsLeftOut) {
  Create({});
  WriteTexts(0, 4);
  Forget("UPDATE text_block SET data = x'00' WHERE id = 1");
  Reopen();
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_NE(Models(), "");
  database_.reset();
  Forget();
  const auto report = Database::Doctor({.path = StorePath(), .fix = true});
  ASSERT_TRUE(report.has_value()) << report.error().ToString();
}

// Its vector is computed from the full-text index, which still contains its words.
TEST_F(TrainingTest, TheChunkOfADamagedTextKeepsTheVectorOfItsWords) {
  Create({.chunk_tokens = 16, .overlap_tokens = 0});
  std::mt19937_64 random(TestSeed(7));
  const std::string words = "alpha gamma epsilon kappa sigma omega";
  WriteFile("many.txt", RandomText(random, 20'000));
  WriteFile("one.txt", words);
  Add();
  const std::string block = "(SELECT first_block FROM doc WHERE path = 'one.txt')";
  const std::string good = Text("SELECT hex(data) FROM text_block WHERE id = " + block);
  const std::string models = Models();
  Execute("UPDATE text_block SET data = x'00' WHERE id = " + block);
  Reopen();
  EmbedRequest anew;
  anew.embedder = "lsa";
  anew.again = true;
  ASSERT_OK(database_->Embed(anew));
  EXPECT_NE(Models(), models);
  Execute("UPDATE text_block SET data = x'" + good + "' WHERE id = " + block);
  ExpectHealthy();
}

TEST_F(TrainingTest, AnEmptyStoreHasNothingToTrainOn) {
  Create({});
  WriteFile("empty.txt", "");
  Add();
  EXPECT_EQ(Models(), "");
  EXPECT_TRUE(Search("anything").hits.empty());
}

TEST_F(TrainingTest, NgramsFindWhatStemsDoNot) {
  Create({});
  WriteFile("right.txt", "the retrieval of documents from archives, index and search");
  WriteFile("wrong.txt", "index of cooking recipes for large families and their guests");
  WriteFile("other.txt", "a third text about gardening");
  Add();
  // Both contain "index", but only one has a word similar to the misspelled one.
  const SearchResponse response = Search("retreival index");
  ASSERT_EQ(response.hits.size(), 2u);
  EXPECT_EQ(response.hits[0].doc.path, "right.txt");
}

}  // namespace
}  // namespace recall
