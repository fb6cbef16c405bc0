// The answers of a store with an LSA model before, between and after its trainings.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "index/write/ingest/ingest.h"
#include "index/write/local/local_store.h"
#include "index/write/training/training.h"
#include "storage/sqlite/connection.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class VectorSpacesTest : public QueryFixture {
 protected:
  void SetUp() override { Create({.embedder = "lsa", .chunk_tokens = 32, .overlap_tokens = 4}); }

  // Texts on two topics, whose words occur together only in some of the texts.
  void WriteTopics(int first, int count) {
    for (int i = first; i < first + count; ++i) {
      const std::string n = std::to_string(i);
      WriteFile("ships/" + n + ".txt", "the harbour captain steered a vessel number" + n + "\n");
      WriteFile("sails/" + n + ".txt", "a vessel with sails and rigging item" + n + "\n");
      WriteFile("bread/" + n + ".txt", "the baker kneaded dough in an oven batch" + n + "\n");
      WriteFile("flour/" + n + ".txt", "dough of rye flour and yeast recipe" + n + "\n");
    }
    Add();
  }

  // All parts of the answers that a user sees, with all bits of the scores.
  std::string Answers(const std::string& snapshot = "") {
    std::string all;
    for (const SearchMode mode :
         {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
      for (const std::string text : {"captain", "rigging vessel", "yeast oven", "number3"}) {
        SearchRequest request;
        request.text = text;
        request.mode = mode;
        request.k = 100;
        request.scope.snapshot = snapshot;
        for (const SearchHit& hit : Search(request).hits) {
          all += hit.chunk.id + " " + std::to_string(hit.score) + "\n";
        }
        all += "--\n";
      }
    }
    return all;
  }

  std::string Token() { return database_->Stats()->store.snapshot; }

  void Sql(const std::string& sql) {
    database_.reset();
    ASSERT_OK_AND_ASSIGN(const auto connection,
                         Connection::Open(StorePath(), {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(connection->Execute(sql));
  }
};

TEST_F(VectorSpacesTest, LsaVectorsFindWhatSharesNoWord) {
  WriteTopics(0, 6);
  const SearchResponse found = Search("captain", SearchMode::kSemantic, 100);
  std::set<std::string> folders;
  for (size_t i = 0; i < 12 && i < found.hits.size(); ++i) {
    folders.insert(found.hits[i].doc.path.substr(0, 5));
  }
  EXPECT_EQ(folders, (std::set<std::string>{"ships", "sails"})) << "sails share no word with it";
  ExpectHealthy();
}

TEST_F(VectorSpacesTest, AStoreWithoutAModelSearchesByWords) {
  const SearchResponse found = Search("captain", SearchMode::kSemantic);
  EXPECT_TRUE(found.hits.empty());
  ASSERT_EQ(found.warnings.size(), 2u);
  EXPECT_EQ(found.warnings[1], "no results: the store has no documents");
  EXPECT_NE(found.warnings[0].find("has no vectors yet"), std::string::npos);
  EXPECT_TRUE(Search("captain").hits.empty());
}

TEST_F(VectorSpacesTest, ASnapshotKeepsItsVectorsWhenAModelIsTrainedAgain) {
  WriteTopics(0, 4);
  const std::string then = Token();
  const std::string before = Answers();
  WriteTopics(4, 1);
  const std::string folded = Token();
  const std::string with_folded = Answers();
  EXPECT_NE(with_folded, before);
  EXPECT_EQ(Number("SELECT count(*) FROM space"), 2) << "one more does not make it learn again";
  WriteTopics(5, 12);
  EXPECT_EQ(Number("SELECT count(*) FROM space"), 3);
  EXPECT_EQ(Answers(then), before);
  EXPECT_EQ(Answers(folded), with_folded);
  ExpectHealthy();

  const std::string now = Answers();
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(Number("SELECT count(*) FROM space"), 1);
  EXPECT_EQ(Number("SELECT count(DISTINCT space) FROM (SELECT space FROM vec_tail UNION ALL "
                   "SELECT space FROM vec_segment)"),
            1);
  EXPECT_EQ(Answers(), now);
  ExpectHealthy();
}

TEST_F(VectorSpacesTest, RemovedAndChangedDocumentsAgreeWithTheSpaceOfTheirTime) {
  WriteTopics(0, 4);
  const std::string then = Token();
  const std::string before = Answers();
  RemoveRequest removal;
  removal.targets = {"ships/1.txt", "flour/2.txt"};
  ASSERT_OK(database_->Remove(removal));
  WriteFile("sails/0.txt", "rigging of another vessel\n");
  WriteTopics(10, 10);
  EXPECT_EQ(Answers(then), before);
  ExpectHealthy();
  const std::string now = Answers();
  ASSERT_OK(database_->Compact({}));
  EXPECT_EQ(Answers(then), before);
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(Answers(), now);
  ExpectHealthy();
}

// Training in many small transactions gives the same store as in a single one.
TEST_F(VectorSpacesTest, PiecesAndThreadsMakeNoDifference) {
  WriteTopics(0, 20);
  const std::string expected = Answers();
  const auto chunks = static_cast<size_t>(Number("SELECT count(*) FROM chunk"));
  for (const size_t pieces : {size_t{1}, size_t{7}, size_t{80}, size_t{1000}}) {
    database_.reset();
    {
      ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath(), {.flush_vectors = 5}));
      std::vector<DerivedDataProgress> told;
      TrainingOptions options{.threads = 3, .always = true, .fill_vectors = pieces};
      options.progress = [&](const DerivedDataProgress& progress) { told.push_back(progress); };
      ASSERT_OK_AND_ASSIGN(const TrainingOutcome outcome,
                           TrainIfDue(*store, kNotCancelled, options));
      EXPECT_EQ(outcome, TrainingOutcome::kTrained);
      ASSERT_EQ(told.size(), 2 + chunks / pieces);
      EXPECT_EQ(told[0].stage, DerivedDataStage::kTraining);
      for (size_t i = 1; i < told.size(); ++i) {
        EXPECT_EQ(told[i].stage, DerivedDataStage::kVectors);
        EXPECT_EQ(told[i].done, static_cast<int64_t>((i - 1) * pieces));
        EXPECT_EQ(told[i].total, static_cast<int64_t>(chunks));
      }
    }
    Reopen();
    EXPECT_EQ(Answers(), expected) << pieces;
    ExpectHealthy();
  }
}

TEST_F(VectorSpacesTest, WhatAnInterruptedProcessLeftIsRemovedByTheNext) {
  WriteTopics(0, 4);
  const std::string before = Answers();
  Sql("INSERT INTO space(embedder, version, dim) SELECT embedder, version, dim FROM space WHERE "
      "id = 2; INSERT INTO vec_tail SELECT 3, chunk, data FROM vec_tail WHERE space = 2 AND "
      "chunk < 5");
  ExpectHealthy();
  Reopen();
  EXPECT_EQ(Answers(), before);
  WriteTopics(4, 12);
  EXPECT_EQ(Number("SELECT count(*) FROM space WHERE since IS NULL"), 0);
  EXPECT_EQ(Number("SELECT count(*) FROM vec_tail WHERE space = 3"), 0);
  ExpectHealthy();
}

// If another process trains a model during an ingest, the new documents get vectors of that model.
TEST_F(VectorSpacesTest, AWriterFollowsAnotherProcessThatTrains) {
  WriteTopics(0, 4);
  database_.reset();
  {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
    ASSERT_OK_AND_ASSIGN(const auto space, OpenSpace(*store, nullptr));
    LocalStore writable(store.get(), space);
    TermBuilder terms(space, kTokenizerVersion);
    WriteFile("new.txt", "a captain, a baker and a vessel\n");
    BuildOptions options;
    options.store_root = dir_.path();
    options.max_file_bytes = 1 << 20;
    FoundFile file;
    file.doc_path = "new.txt";
    std::vector<PreparedDocument> batch = {BuildDocument(file, std::nullopt, options, terms)};
    ASSERT_EQ(batch[0].outcome, PreparedDocument::Outcome::kAdded);
    {
      ASSERT_OK_AND_ASSIGN(const auto other, Store::Open(StorePath()));
      ASSERT_OK_AND_ASSIGN(const TrainingOutcome outcome,
                           TrainIfDue(*other, kNotCancelled, {.always = true}));
      ASSERT_EQ(outcome, TrainingOutcome::kTrained);
    }
    ASSERT_OK_AND_ASSIGN(const auto writing, writable.BeginBatch());
    for (const PreparedDocument& document : batch) ASSERT_OK(writing->Put(document));
    ASSERT_OK(writing->Commit());
  }
  EXPECT_EQ(Number("SELECT count(*) FROM space"), 3);
  EXPECT_EQ(Number("SELECT count(*) FROM vec_tail WHERE space = 2"), 16);
  EXPECT_EQ(Number("SELECT count(*) FROM vec_tail WHERE space = 3"), 17);
  ExpectHealthy();
  Reopen();
  EXPECT_EQ(Search("baker captain", SearchMode::kSemantic).hits.at(0).doc.path, "new.txt");
}

TEST_F(VectorSpacesTest, TheDoctorFindsAndRepairsWhatIsWrongWithThem) {
  WriteTopics(0, 20);
  const std::string expected = Answers();
  database_.reset();
  const std::string sound = dir_ / "sound.db";
  std::filesystem::copy_file(StorePath(), sound);
  const struct {
    const char* sql;
    const char* code;
  } faults[] = {
      {"DELETE FROM space", "segment_space"},
      {"DELETE FROM space WHERE id = 2", "tail_record"},
      {"UPDATE space SET dim = 3 WHERE id = 2", "model_damaged"},
      {"UPDATE space SET dim = 128 WHERE id = 2", "model_damaged"},
      {"UPDATE space SET model = 77 WHERE id = 2", "segment_space"},
      {"UPDATE space SET since = 77 WHERE id = 2", "segment_space"},
      {"UPDATE vec_tail SET space = 9 WHERE space = 2 AND chunk = 3", "tail_record"},
      {"DELETE FROM vec_tail WHERE space = 2 AND chunk = 3", "vector_missing"},
      {"DELETE FROM model_part WHERE kind = 'latent'", "model_damaged"},
      {"DELETE FROM model_part WHERE kind = 'latent_terms/0'", "model_damaged"},
      {"UPDATE model_part SET data = zeroblob(length(data)) WHERE kind = 'latent_terms/0'",
       "model_damaged"},
      {"UPDATE model_part SET data = substr(data, 2) WHERE kind = 'latent'", "model_damaged"},
  };
  for (const auto& fault : faults) {
    database_.reset();
    std::filesystem::copy_file(sound, StorePath(),
                               std::filesystem::copy_options::overwrite_existing);
    Sql(fault.sql);
    ASSERT_OK_AND_ASSIGN(const DoctorReport found, Database::Doctor({.path = StorePath()}));
    EXPECT_TRUE(std::ranges::count(found.findings, fault.code, &DoctorFinding::code))
        << fault.sql << " is not found as " << fault.code;
    ASSERT_OK(Database::Doctor({.path = StorePath(), .fix = true}));
    ExpectHealthy();
    Reopen();
    EXPECT_EQ(Answers(), expected) << fault.sql;
  }
}

// The model was trained when there were fewer texts. A new one would rank differently.
TEST_F(VectorSpacesTest, ADamagedVectorIsRepairedWithTheModelThereIs) {
  WriteTopics(0, 4);
  WriteTopics(4, 3);
  const std::string expected = Answers();
  const auto model = [this] { return Number("SELECT sum(id * 1000 + since) FROM model"); };
  const int64_t before = model();
  const auto repair = [this](const std::string& fault) {
    Sql(fault);
    const auto report = Database::Doctor({.path = StorePath(), .fix = true});
    EXPECT_TRUE(report.has_value());
    ExpectHealthy();
    Reopen();
    return report && report->retrained;
  };
  EXPECT_FALSE(
      repair("UPDATE vec_tail SET data = substr(data, 1, 20) || x'7777' || substr(data, 23) "
             "WHERE space = 2 AND chunk = 3"));
  EXPECT_EQ(model(), before);
  EXPECT_EQ(Answers(), expected);
  EXPECT_FALSE(repair("DELETE FROM vec_tail WHERE space = 2 AND chunk > 20"));
  EXPECT_EQ(Answers(), expected);
  // Without its model the vectors cannot be computed.
  EXPECT_TRUE(repair("DELETE FROM model_part WHERE kind = 'latent'"));
  EXPECT_NE(Answers(), expected) << "otherwise this test cannot tell the models apart";
}

// A repair expires older states and their models. Data of their vector spaces remains until a
// compaction, and is not a fault.
TEST_F(VectorSpacesTest, ARepairLeavesNoFaultInSpacesOfStatesThatItGivesUp) {
  WriteTopics(0, 4);
  WriteTopics(4, 20);
  ASSERT_GT(Number("SELECT count(*) FROM space WHERE model IS NOT NULL"), 1);
  database_.reset();
  Sql("UPDATE doc SET key = key + 1 WHERE id = 3");
  ASSERT_OK_AND_ASSIGN(const DoctorReport report,
                       Database::Doctor({.path = StorePath(), .fix = true}));
  EXPECT_EQ(report.fixed, 1);
  ExpectHealthy();
}

}  // namespace
}  // namespace recall
