// Changing the embedder of a store: its answers before, during and after.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "index/embed/factory/configured_embedders.h"
#include "index/write/training/reembedding.h"
#include "storage/sqlite/connection.h"
#include "tests/query/query_fixture.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

class ReembedTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "lsa", .chunk_tokens = 32, .overlap_tokens = 4});
    std::mt19937_64 random(5);
    for (int i = 0; i < 30; ++i) {
      WriteFile("texts/" + std::to_string(i) + ".txt", RandomText(random, 100));
    }
    Add();
    Reopen(With({Letters()}));
  }

  // An embedder that runs a program, whose vectors count letters.
  EmbedderConfig Letters(const std::string& model = "") const {
    EmbedderConfig config;
    config.name = "letters";
    config.kind = EmbedderKind::kCommand;
    config.command = {BuildDir() + "/tests/index/answer_program", "letters", dir_ / "lines-left"};
    config.model = model;
    return config;
  }

  static OpenOptions With(std::vector<EmbedderConfig> embedders) {
    OpenOptions options;
    options.embedders = std::move(embedders);
    return options;
  }

  // From now on the program fails after `lines` lines.
  void LimitLines(int lines) { WriteFile("lines-left", std::to_string(lines)); }
  void UnlimitLines() { std::filesystem::remove(dir_ / "lines-left"); }

  // All parts of the answers that a user sees, with all bits of the scores.
  std::string Answers(Database& database, SearchMode mode, const std::string& snapshot = "") {
    std::string all;
    for (const std::string text : {"alpha", "omega thread", "budget"}) {
      SearchRequest request;
      request.text = text;
      request.mode = mode;
      request.k = 1000;
      request.scope.snapshot = snapshot;
      auto found = database.Search(request);
      EXPECT_TRUE(found.has_value()) << found.error().ToString();
      if (!found) return all;
      for (const SearchHit& hit : found->hits) {
        all += hit.chunk.id + " " + std::to_string(hit.score) + "\n";
      }
      all += "--\n";
    }
    return all;
  }
  std::string Answers(SearchMode mode = SearchMode::kHybrid) { return Answers(*database_, mode); }

  std::string Token() { return database_->Stats()->store.snapshot; }

  int64_t Unfinished() { return Number("SELECT count(*) FROM space WHERE since IS NULL"); }

  // Embeds in transactions of ten vectors, with one thread.
  Result<ReembeddingReport> ReembedByTens() {
    auto store = Store::Open(StorePath(), {});
    EXPECT_TRUE(store.has_value());
    const ConfiguredEmbedders embedders({Letters()});
    ReembeddingOptions options;
    options.embedder = "letters";
    options.fill_vectors = 10;
    return Reembed(**store, &embedders, kNotCancelled, options);
  }
};

double LetterCosine(const std::string& a, const std::string& b) {
  double counts[2][26] = {};
  for (int side = 0; side < 2; ++side) {
    // The program reads {"text":"..."}, with newlines as \n.
    for (const char c : R"({"text":""})" + (side == 0 ? a : b)) {
      if (c >= 'a' && c <= 'z') ++counts[side][c - 'a'];
      if (c == '\n') ++counts[side]['n' - 'a'];
    }
  }
  double dot = 0;
  double squares[2] = {};
  for (int i = 0; i < 26; ++i) {
    dot += counts[0][i] * counts[1][i];
    for (int side = 0; side < 2; ++side) squares[side] += counts[side][i] * counts[side][i];
  }
  return dot / std::sqrt(squares[0] * squares[1]);
}

TEST_F(ReembedTest, SearchesUseTheVectorsOfTheOtherEmbedder) {
  const int64_t chunks = database_->Stats()->store.chunks;
  ASSERT_OK_AND_ASSIGN(const EmbedReport report, database_->Embed({.embedder = "letters"}));
  EXPECT_EQ(report.chunks, chunks);
  EXPECT_EQ(report.dim, 32u);
  EXPECT_EQ(database_->Stats()->embedder, "letters");
  WriteFile("texts/late.txt", "zzz alpha jazz");
  Add();
  const SearchResponse found = Search("alpha jazz", SearchMode::kSemantic, 1000);
  ASSERT_EQ(static_cast<int64_t>(found.hits.size()), chunks + 1) << "each of them has a vector";
  EXPECT_EQ(found.hits.at(0).doc.path, "texts/late.txt");
  double before = 1;
  for (const SearchHit& hit : found.hits) {
    const double cosine = LetterCosine("alpha jazz", hit.chunk.text);
    EXPECT_LE(cosine, before + 0.02) << "in the order of cosines, but for the rounding of vectors";
    before = std::min(before, cosine);
  }
  ExpectHealthy();
}

TEST_F(ReembedTest, SnapshotsOfBeforeAnswerAsTheyDid) {
  const std::string then = Token();
  const std::string before = Answers();
  ASSERT_OK(database_->Embed({.embedder = "letters"}));
  EXPECT_NE(Answers(), before);
  EXPECT_EQ(Answers(*database_, SearchMode::kHybrid, then), before);
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(Number("SELECT count(*) FROM space"), 1);
  EXPECT_EQ(database_->Stats()->embedder, "letters") << "compaction learns no vectors then";
  ExpectHealthy();
}

TEST_F(ReembedTest, WordsAreFoundWhereTheEmbedderIsNotConfigured) {
  ASSERT_OK(database_->Embed({.embedder = "letters"}));
  const std::string words = Answers(SearchMode::kLexical);
  const int64_t docs = database_->Stats()->store.docs;
  Reopen();
  EXPECT_EQ(Answers(SearchMode::kLexical), words);
  SearchRequest request;
  request.text = "alpha";
  const auto hybrid = database_->Search(request);
  ASSERT_FALSE(hybrid.has_value());
  EXPECT_EQ(hybrid.error().code(), StatusCode::kNotFound);
  EXPECT_NE(hybrid.error().message().find("\"letters\""), std::string::npos);
  WriteFile("texts/late.txt", "zzz");
  AddRequest late;
  late.paths = {dir_ / "texts"};
  EXPECT_FALSE(database_->Add(late).has_value());
  EXPECT_EQ(database_->Stats()->store.docs, docs) << "nothing half added";
  ExpectHealthy();
}

TEST_F(ReembedTest, AChangedEmbedderIsRefusedUntilAllIsEmbeddedAgain) {
  ASSERT_OK(database_->Embed({.embedder = "letters"}));
  Reopen(With({Letters("another")}));
  SearchRequest request;
  request.text = "alpha";
  const auto found = database_->Search(request);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(found.error().hint().find("recall embed --as letters"), std::string::npos);
  ASSERT_OK_AND_ASSIGN(const EmbedReport again, database_->Embed({.embedder = "letters"}));
  EXPECT_FALSE(again.already);
  EXPECT_FALSE(Search("alpha").hits.empty());
}

TEST_F(ReembedTest, WhatFailsHalfWayChangesNoAnswerAndGoesOnFromThere) {
  const std::string before = Answers();
  LimitLines(25);
  const auto failed = ReembedByTens();
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code(), StatusCode::kIoError);
  EXPECT_EQ(Answers(), before);
  EXPECT_EQ(Unfinished(), 1);
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(Unfinished(), 1) << "it can be resumed after a compaction";
  ExpectHealthy();

  // In between, a document that was embedded is purged, and another one is added.
  RemoveRequest remove;
  remove.targets = {dir_ / "texts/0.txt"};
  remove.purge = true;
  ASSERT_OK(database_->Remove(remove));
  WriteFile("texts/late.txt", "zzz alpha jazz");
  AddRequest late;
  late.paths = {dir_ / "texts/late.txt"};
  Add(late);
  UnlimitLines();
  ASSERT_OK_AND_ASSIGN(const ReembeddingReport rest, ReembedByTens());
  EXPECT_GT(rest.resumed, 0);
  EXPECT_LE(rest.resumed, 20);
  EXPECT_EQ(rest.resumed + rest.chunks, database_->Stats()->store.chunks);
  EXPECT_EQ(Unfinished(), 0);
  const std::string resumed = Answers();
  ASSERT_OK(database_->Embed({.embedder = "letters", .again = true}));
  EXPECT_EQ(Answers(), resumed) << "as if nothing had interrupted it";
  ExpectHealthy();
}

TEST_F(ReembedTest, WhatOthersAddMeanwhileHasVectorsToo) {
  ASSERT_OK_AND_ASSIGN(const auto other, Database::Open(StorePath(), With({Letters()})));
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath(), {}));
  const ConfiguredEmbedders embedders({Letters()});
  ReembeddingOptions options;
  options.embedder = "letters";
  options.fill_vectors = 10;
  int added = 0;
  const auto add_one = [&](int64_t, int64_t) {
    if (added++ >= 30) return;
    const std::string name = "late/" + std::to_string(added) + ".txt";
    WriteFile(name, "zzz alpha jazz " + std::to_string(added));
    AddRequest add;
    add.paths = {dir_ / name};
    ASSERT_OK(other->Add(add));
  };
  ASSERT_OK(Reembed(*store, &embedders, kNotCancelled, options, add_one));
  ASSERT_GE(added, 10) << "or this tests little";
  const int64_t chunks = database_->Stats()->store.chunks;
  EXPECT_EQ(static_cast<int64_t>(Search("alpha", SearchMode::kSemantic, 1000).hits.size()), chunks);
  ExpectHealthy();
}

TEST_F(ReembedTest, TwoAtTheSameDoNotMixTheirVectors) {
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath(), {}));
  const ConfiguredEmbedders embedders({Letters()});
  ReembeddingOptions options;
  options.embedder = "letters";
  options.fill_vectors = 10;
  bool interfered = false;
  const auto interfere = [&](int64_t, int64_t) {
    if (std::exchange(interfered, true)) return;
    LimitLines(15);  // resumes the other one's work, and fails
    EXPECT_FALSE(ReembedByTens().has_value());
    UnlimitLines();
  };
  const auto overtaken = Reembed(*store, &embedders, kNotCancelled, options, interfere);
  ASSERT_FALSE(overtaken.has_value());
  EXPECT_EQ(overtaken.error().code(), StatusCode::kBusy);
  ExpectHealthy();
  ASSERT_OK_AND_ASSIGN(const ReembeddingReport rest, ReembedByTens());
  EXPECT_EQ(rest.resumed, 20);
  ExpectHealthy();
}

TEST_F(ReembedTest, AnotherEmbedderDropsWhatIsUnfinished) {
  for (const std::string name : {"hash", "lsa"}) {
    LimitLines(25);
    ASSERT_FALSE(ReembedByTens().has_value());
    ASSERT_EQ(Unfinished(), 1);
    ASSERT_OK_AND_ASSIGN(const EmbedReport report, database_->Embed({.embedder = name}));
    EXPECT_FALSE(report.already);
    EXPECT_EQ(Unfinished(), 0);
    LimitLines(25);
    ASSERT_FALSE(ReembedByTens().has_value());
    ASSERT_OK_AND_ASSIGN(const EmbedReport same, database_->Embed({.embedder = name}));
    EXPECT_TRUE(same.already);
    EXPECT_EQ(Unfinished(), 0);
  }
}

TEST_F(ReembedTest, LsaVectorsComeBackAsTheyWouldBe) {
  ASSERT_OK(database_->Embed({.embedder = "letters"}));
  std::vector<std::pair<int64_t, int64_t>> told;
  ASSERT_OK(database_->Embed(
      {.embedder = "lsa"}, [&](int64_t done, int64_t chunks) { told.emplace_back(done, chunks); }));
  EXPECT_EQ(database_->Stats()->embedder, "lsa");
  const int64_t chunks = Number("SELECT count(*) FROM chunk");
  EXPECT_EQ(told, (std::vector<std::pair<int64_t, int64_t>>{{0, 0}, {0, chunks}}));
  const std::string twin_path = dir_ / "twin.db";
  ASSERT_OK_AND_ASSIGN(const auto twin,
                       Database::Create(twin_path, {.chunk_tokens = 32, .overlap_tokens = 4}));
  AddRequest request;
  request.paths = {dir_ / "texts"};
  ASSERT_OK(twin->Add(request));
  EXPECT_EQ(Answers(), Answers(*twin, SearchMode::kHybrid));
}

TEST_F(ReembedTest, AnEmptyStoreTakesAnyEmbedder) {
  Create({.embedder = "hash"});
  Reopen(With({Letters()}));
  for (const std::string name : {"letters", "lsa", "hash", "lsa"}) {
    ASSERT_OK_AND_ASSIGN(const EmbedReport report, database_->Embed({.embedder = name}));
    EXPECT_EQ(report.embedder, name);
    EXPECT_EQ(report.chunks, 0);
    EXPECT_EQ(database_->Stats()->embedder, name);
  }
  Add();
  EXPECT_EQ(database_->Stats()->embedder, "lsa");
  EXPECT_FALSE(Search("alpha", SearchMode::kSemantic).hits.empty());
  ExpectHealthy();
}

TEST_F(ReembedTest, AnUnknownEmbedderIsRefusedByName) {
  const std::string before = Answers();
  const auto unknown = database_->Embed({.embedder = "bert"});
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code(), StatusCode::kNotFound);
  EXPECT_NE(unknown.error().hint().find("lsa, hash, letters"), std::string::npos);
  EXPECT_EQ(Answers(), before);
}

// The doctor must not run the program to compute damaged vectors again; it tells the user how.
TEST_F(ReembedTest, DoctorSaysHowToMakeDamagedVectorsAgain) {
  ASSERT_OK(database_->Embed({.embedder = "letters"}));
  database_.reset();
  {
    ASSERT_OK_AND_ASSIGN(const auto connection,
                         Connection::Open(StorePath(), {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(connection->Execute("DELETE FROM vec_tail WHERE chunk = 3"));
  }
  ASSERT_OK_AND_ASSIGN(const DoctorReport report,
                       Database::Doctor({.path = StorePath(), .fix = true}));
  EXPECT_GT(report.errors, 0);
  std::string advice;
  for (const DoctorFinding& finding : report.findings) advice += finding.obstacle + "\n";
  EXPECT_NE(advice.find("recall embed --again --as letters"), std::string::npos) << advice;
  Reopen(With({Letters()}));
  ASSERT_OK(database_->Embed({.embedder = "letters", .again = true}));
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  ExpectHealthy();
}

// Nor may it drop the vectors when it repairs other data.
TEST_F(ReembedTest, DoctorKeepsTheVectorsWhenItRemakesOtherThings) {
  ASSERT_OK(database_->Embed({.embedder = "letters"}));
  const std::string before = Answers(SearchMode::kSemantic);
  for (const char* damage : {"UPDATE model_part SET data = x'00'", "DROP TABLE doc_meta"}) {
    database_.reset();
    ASSERT_OK_AND_ASSIGN(auto connection,
                         Connection::Open(StorePath(), {.mode = ConnectionMode::kReadWrite}));
    connection->Execute(damage).IgnoreError();
    connection.reset();
    ASSERT_OK(Database::Doctor({.path = StorePath(), .fix = true}));
    Reopen(With({Letters()}));
    EXPECT_EQ(Answers(SearchMode::kSemantic), before) << damage;
    ExpectHealthy();
  }
}

}  // namespace
}  // namespace recall
