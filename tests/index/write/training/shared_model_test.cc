// Stores that have the model of another one.

#include "index/write/training/shared_model.h"

#include <gtest/gtest.h>

#include <map>

#include "index/write/training/training.h"
#include "storage/sqlite/connection.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

// database_ is the store that adopts the model of `teacher.db`, which has texts on two topics.
class SharedModelTest : public QueryFixture {
 protected:
  void SetUp() override {
    const auto teacher = Must(Database::Create(Teacher(), {.dim = 64, .ann_seed = 7}));
    for (int i = 0; i < 12; ++i) {
      const std::string n = std::to_string(i);
      WriteFile("lessons/ships" + n, "the harbour captain steered a vessel number" + n + "\n");
      WriteFile("lessons/sails" + n, "a vessel with sails and rigging item" + n + "\n");
      WriteFile("lessons/bread" + n, "the baker kneaded dough in an oven batch" + n + "\n");
      WriteFile("lessons/flour" + n, "dough of rye flour and yeast recipe" + n + "\n");
    }
    ASSERT_OK(teacher->Add(Of({"lessons"})));
    Create({.model_of = Teacher()});
  }

  AddRequest Of(const std::vector<std::string>& names) const {
    AddRequest request;
    for (const std::string& name : names) request.paths.push_back(dir_ / name);
    return request;
  }
  std::string Teacher() const { return dir_ / "teacher.db"; }

  // The cosine of each path with a question.
  static std::map<std::string, double> Cosines(Database& database, const std::string& text) {
    SearchRequest request;
    request.text = text;
    request.mode = SearchMode::kSemantic;
    request.k = 1000;
    std::map<std::string, double> cosines;
    const SearchResponse found = Must(database.Search(request));
    for (const SearchHit& hit : found.hits) cosines[hit.doc.path] = hit.score;
    return cosines;
  }

  std::string Version() { return Must(database_->Embed({.embedder = "lsa"})).version; }
  bool IsShared() { return Must(database_->Stats()).shared_model; }
  TrainingOutcome Train(const TrainingOptions& options) {
    database_.reset();
    const TrainingOutcome outcome =
        Must(TrainIfDue(*Must(Store::Open(StorePath())), kNotCancelled, options));
    Reopen();
    return outcome;
  }
  void WriteNews(int first, int count) {
    for (int i = first; i < first + count; ++i) {
      WriteFile("news/" + std::to_string(i), "a newsword" + std::to_string(i) + " of the vessel\n");
    }
    Add(Of({"news"}));
  }
};

TEST_F(SharedModelTest, TheFirstTextIsFoundByAWordOfTheSameTopic) {
  WriteFile("one", "a vessel\n");
  WriteFile("two", "an oven\n");
  Add(Of({"one", "two"}));
  const auto cosines = Cosines(*database_, "captain");
  ASSERT_TRUE(cosines.contains("one"));
  EXPECT_GT(cosines.at("one"), 0.3);
  const double other = cosines.contains("two") ? cosines.at("two") : 0;
  EXPECT_LT(other, cosines.at("one") / 2);
  ExpectHealthy();
}

TEST_F(SharedModelTest, HasTheSettingsOfTheOtherStore) {
  const StatsReport stats = Must(database_->Stats());
  EXPECT_EQ(stats.dim, 64);
  EXPECT_EQ(stats.ann_seed, 7U);
  EXPECT_TRUE(stats.shared_model);
  EXPECT_FALSE(stats.model_due);
  EXPECT_FALSE(Must(Must(Database::Open(Teacher(), {}))->Stats()).shared_model);
}

// The bytes of vectors do not depend on the store that a text is in.
TEST_F(SharedModelTest, ATextHasTheSameCosineInEachStoreWithTheModel) {
  Add(Of({"lessons"}));
  const auto teacher = Must(Database::Open(Teacher(), {}));
  for (const char* text : {"captain", "rigging of sails", "yeast in the oven", "baker"}) {
    const auto cosines = Cosines(*database_, text);
    EXPECT_GE(cosines.size(), 24U);
    EXPECT_EQ(cosines, Cosines(*teacher, text)) << text;
  }
}

TEST_F(SharedModelTest, IsKeptWhileTheStoreGrows) {
  const std::string version = Version();
  for (int round = 0; round < 6; ++round) {
    WriteNews(1 << round, 1 << round);
    EXPECT_EQ(Version(), version) << round;
  }
  EXPECT_EQ(Number("SELECT count(*) FROM model"), 1);
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  ASSERT_OK(database_->Compact({.secure = true}));
  EXPECT_EQ(Version(), version);
  EXPECT_TRUE(IsShared());
  ExpectHealthy();
}

TEST_F(SharedModelTest, ALargeStoreGetsAnIndexOfItsOwnVocabulary) {
  WriteNews(0, 20);
  const std::string version = Version();
  const auto before = Cosines(*database_, "captain");
  const std::string parts =
      "SELECT count(*) FROM model_part WHERE model = (SELECT max(id) FROM model) AND kind ";
  const int64_t shared = Number(parts + "NOT LIKE 'term%'");
  EXPECT_EQ(Number(parts + "LIKE 'term%'"), 0);
  EXPECT_EQ(Train({.term_index_from = 30}), TrainingOutcome::kNotDue);
  EXPECT_EQ(Train({.term_index_from = 20}), TrainingOutcome::kTrained);
  EXPECT_EQ(Train({.term_index_from = 20}), TrainingOutcome::kNotDue);
  EXPECT_GT(Number(parts + "LIKE 'term%'"), 0);
  EXPECT_EQ(Number(parts + "NOT LIKE 'term%'"), shared);
  WriteNews(20, 19);
  EXPECT_EQ(Train({.term_index_from = 20}), TrainingOutcome::kNotDue);
  WriteNews(39, 1);
  EXPECT_EQ(Train({.term_index_from = 20}), TrainingOutcome::kTrained);
  // Words of purged texts are not kept.
  EXPECT_EQ(Train({.always = true, .term_index_from = 20}), TrainingOutcome::kTrained);
  EXPECT_EQ(Version(), version);
  EXPECT_TRUE(IsShared());
  const auto after = Cosines(*database_, "captain");
  for (const auto& [path, cosine] : before) EXPECT_EQ(after.at(path), cosine) << path;
  ExpectHealthy();
}

TEST_F(SharedModelTest, AStoreWithTextsAdoptsAModelAndReturnsToItsOwn) {
  Create({.dim = 64, .ann_seed = 7});
  WriteNews(0, 20);
  Add(Of({"lessons"}));
  const std::string own = Version();
  const EmbedReport adopted = Must(database_->Embed({.embedder = "lsa", .model_of = Teacher()}));
  EXPECT_NE(adopted.version, own);
  EXPECT_EQ(adopted.chunks, 68);
  EXPECT_TRUE(IsShared());
  EXPECT_TRUE(Must(database_->Embed({.embedder = "lsa", .model_of = Teacher()})).already);
  EXPECT_TRUE(Must(database_->Embed({.embedder = "lsa"})).already);
  ExpectHealthy();
  EXPECT_EQ(Must(database_->Embed({.embedder = "lsa", .again = true})).version, own);
  EXPECT_FALSE(IsShared());
  EXPECT_EQ(Number("SELECT count(*) FROM meta WHERE key = 'shared_model'"), 0);
  ExpectHealthy();
}

// As after a training by a program that does not know the row.
TEST_F(SharedModelTest, ARowThatNamesAnotherModelIsVoid) {
  WriteNews(0, 20);
  database_.reset();
  {
    const auto connection =
        Must(Connection::Open(StorePath(), {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(connection->Execute("UPDATE meta SET value = value + 1 WHERE key = 'shared_model'"));
  }
  Reopen();
  EXPECT_FALSE(IsShared());
  ExpectHealthy();
}

TEST_F(SharedModelTest, WhatHasNoModelCannotBeAdopted) {
  const std::string path = dir_ / "new.db";
  const auto refused = [&](const CreateOptions& options) {
    const auto created = Database::Create(path, options);
    EXPECT_FALSE(created);
    EXPECT_FALSE(std::filesystem::exists(path));
    return created ? StatusCode::kOk : created.error().code();
  };
  Create({});
  EXPECT_EQ(refused({.model_of = StorePath()}), StatusCode::kNotFound) << "no texts";
  Create({.embedder = "hash"});
  WriteNews(0, 20);
  EXPECT_EQ(refused({.model_of = StorePath()}), StatusCode::kNotFound) << "another embedder";
  EXPECT_EQ(refused({.model_of = dir_ / "none.db"}), StatusCode::kNotFound);
  EXPECT_EQ(refused({.embedder = "hash", .model_of = Teacher()}), StatusCode::kInvalidArgument);
  const auto other_seed = database_->Embed({.embedder = "lsa", .model_of = Teacher()});
  ASSERT_FALSE(other_seed);
  EXPECT_NE(other_seed.error().message().find("ann_seed 7"), std::string::npos);
}

}  // namespace
}  // namespace recall
