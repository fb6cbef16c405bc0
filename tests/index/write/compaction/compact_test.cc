// Compaction changes the file but does not change any answer.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "index/embed/lsa/stem_hash.h"
#include "storage/sqlite/connection.h"
#include "storage/store/store.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class CompactTest : public QueryFixture {
 protected:
  void Remove(const std::string& name) {
    RemoveRequest remove;
    remove.targets = {dir_ / name};
    ASSERT_OK(database_->Remove(remove));
  }

  std::string Answers() {
    std::ostringstream out;
    for (const char* text : {"alpha", "memory thread", "\"budget chunk\"", "omega*"}) {
      for (const SearchHit& hit : Search(text, SearchMode::kHybrid, 50).hits) {
        out << hit.score << ' ' << hit.chunk.id << '\n';
      }
    }
    return out.str();
  }
};

TEST_F(CompactTest, DeletesWhatWasRemovedAndAnswersAsBefore) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 60; ++i) {
    WriteFile(std::to_string(i) + ".txt", RandomText(random, 3000));
  }
  Add();
  for (int i = 0; i < 40; ++i) Remove(std::to_string(i) + ".txt");
  const std::string before = Answers();
  const int64_t removed = database_->Stats()->removed_chunks;
  ASSERT_GT(removed, 0);

  ASSERT_OK_AND_ASSIGN(const CompactReport kept, database_->Compact({}));
  EXPECT_EQ(kept.purged_docs, 0) << "snapshots of the last day still need them";
  EXPECT_EQ(database_->Stats()->removed_chunks, removed);
  EXPECT_EQ(Answers(), before);

  std::vector<std::string> stages;
  std::vector<int64_t> deleted;
  ASSERT_OK_AND_ASSIGN(const CompactReport report,
                       database_->Compact({.keep_nanos = 0}, [&](const CompactProgress& step) {
                         if (stages.empty() || stages.back() != step.doing) {
                           stages.emplace_back(step.doing);
                         }
                         if (step.total > 0) {
                           EXPECT_EQ(step.total, removed) << step.doing;
                           deleted.push_back(step.done);
                         }
                       }));
  EXPECT_EQ(report.purged_docs, 40);
  EXPECT_EQ(report.purged_chunks, removed);
  EXPECT_LT(report.bytes_after, report.bytes_before);
  EXPECT_EQ(stages.size(), 6u);
  ASSERT_FALSE(deleted.empty());
  EXPECT_EQ(deleted.front(), 0);
  EXPECT_TRUE(std::ranges::is_sorted(deleted));
  const StatsReport stats = *database_->Stats();
  EXPECT_EQ(stats.removed_docs, 0);
  EXPECT_EQ(stats.removed_chunks, 0);
  EXPECT_EQ(stats.segment_vectors + stats.delta_vectors, stats.store.chunks);
  EXPECT_EQ(Answers(), before);
  Reopen();
  EXPECT_EQ(Answers(), before);
}

TEST_F(CompactTest, TellsTheProgressOfWhatItComputesAgain) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 60; ++i) {
    WriteFile(std::to_string(i) + ".txt", RandomText(random, 3000));
  }
  Add();
  ASSERT_GT(database_->Stats()->store.chunks, 256) << "enough for a forward index";
  std::vector<DerivedDataProgress> computed;
  ASSERT_OK(database_->Compact({.forget = true}, [&](const CompactProgress& step) {
    if (step.derived) computed.push_back(*step.derived);
  }));
  ASSERT_FALSE(computed.empty());
  EXPECT_EQ(computed.front().stage, DerivedDataStage::kTraining);
  EXPECT_EQ(computed.back().stage, DerivedDataStage::kChunkWords);
  EXPECT_GT(computed.back().total, 0);
  for (const DerivedDataProgress& step : computed) EXPECT_LE(step.done, step.total);
}

TEST_F(CompactTest, CancelledAtAnyStepItLeavesASoundStoreAndGoesOnLater) {
  std::mt19937_64 random(4);
  for (int stop = 1;; ++stop) {
    Create({.chunk_tokens = 32, .overlap_tokens = 0});
    for (int i = 0; i < 12; ++i) WriteFile(std::to_string(i) + ".txt", RandomText(random, 300));
    Add();
    for (int i = 0; i < 6; ++i) Remove(std::to_string(i) + ".txt");
    const std::string before = Answers();
    int steps = 0;
    const auto outcome = database_->Compact({.keep_nanos = 0}, [&](const CompactProgress&) {
      if (++steps == stop) database_->Cancel();
    });
    Reopen();
    EXPECT_EQ(Answers(), before) << stop;
    if (outcome) {
      EXPECT_GT(stop, 4);
      return;
    }
    EXPECT_EQ(outcome.error().code(), StatusCode::kCancelled) << outcome.error().ToString();
    ASSERT_OK_AND_ASSIGN(const CompactReport rest, database_->Compact({.keep_nanos = 0}));
    EXPECT_EQ(database_->Stats()->removed_docs, 0) << rest.purged_docs;
    EXPECT_EQ(Answers(), before) << stop;
  }
}

// After a secure compaction no byte of deleted names, labels, words and metadata is in the file.
TEST_F(CompactTest, SecureLeavesNothingThatWasDeleted) {
  WriteFile("keep.txt", "alpha beta gamma");
  WriteFile("xyzzysecretname.md",
            "---\nowner: xyzzysecretowner\n---\n# xyzzysecrettitle\nxyzzysecretword");
  AddRequest request;
  request.paths = {dir_.path()};
  request.extract_meta = true;
  request.tag = "xyzzysecrettag";
  Add(request);
  request.tag = "plain";
  Add(request);
  Remove("xyzzysecretname.md");
  EXPECT_NE(ReadWhole(StorePath()).find("xyzzysecret"), std::string::npos);
  ASSERT_OK(database_->Compact({.keep_nanos = 0, .secure = true}));
  EXPECT_EQ(ReadWhole(StorePath()).find("xyzzysecret"), std::string::npos);
  EXPECT_EQ(ReadWhole(StorePath() + "-wal").find("xyzzysecret"), std::string::npos);
  EXPECT_EQ(Search("alpha").hits.size(), 1u);
}

// A trained model contains the words of its texts as hashes.
TEST_F(CompactTest, SecureAndPurgeDeleteWhatWasTrainedOnThePurgedWords) {
  const uint64_t hash = HashStem("xyzzyword");
  const std::string needle(reinterpret_cast<const char*>(&hash), sizeof(hash));
  for (const bool purge : {true, false}) {
    std::mt19937_64 random(8);
    for (int i = 0; i < 30; ++i) {
      WriteFile(std::to_string(i) + ".txt", RandomText(random, 3000));
    }
    WriteFile("secret1.txt", "xyzzyword alpha beta gamma");
    WriteFile("secret2.txt", "xyzzyword alpha memory thread");
    Add();
    ASSERT_NE(ReadWhole(StorePath()).find(needle), std::string::npos) << "or this tests nothing";
    RemoveRequest remove;
    remove.targets = {dir_ / "secret1.txt", dir_ / "secret2.txt"};
    remove.purge = purge;
    ASSERT_OK(database_->Remove(remove));
    if (!purge) {
      ASSERT_OK(database_->Compact({.keep_nanos = 0}));
      EXPECT_NE(ReadWhole(StorePath()).find(needle), std::string::npos) << "answers stay the same";
      ASSERT_OK(database_->Compact({.secure = true}));
    }
    EXPECT_EQ(ReadWhole(StorePath()).find(needle), std::string::npos) << purge;
    EXPECT_FALSE(Search("alpha").hits.empty());

    // The same for the last documents of the store.
    remove.targets = {dir_.path()};
    remove.purge = true;
    ASSERT_OK(database_->Remove(remove));
    EXPECT_EQ(database_->Stats()->store.chunks, 0);
    const uint64_t other = HashStem("alpha");
    EXPECT_EQ(ReadWhole(StorePath()).find({reinterpret_cast<const char*>(&other), 8}),
              std::string::npos);
    ExpectHealthy();
  }
}

// If another process holds the write lock, the model cannot be trained again, and `secure` must
// fail.
TEST_F(CompactTest, SecureFailsWhereNoModelCanBeTrainedAgain) {
  WriteFile("a.txt", "alpha beta");
  Add();
  Reopen({.busy_timeout_ms = 50});
  ASSERT_OK_AND_ASSIGN(const auto other, Store::Open(StorePath(), {}));
  std::unique_ptr<WriteTransaction> held;
  const auto secure = database_->Compact({.secure = true}, [&](const CompactProgress& step) {
    if (step.derived) return;
    held.reset();
    if (step.doing != "training on the texts") return;
    ASSERT_OK_AND_ASSIGN(held, other->BeginWrite());
  });
  held.reset();
  ASSERT_FALSE(secure.has_value());
  EXPECT_EQ(secure.error().code(), StatusCode::kBusy) << secure.error().ToString();
  ASSERT_OK(database_->Compact({.secure = true}));
}

// If a reader of an old commit keeps bytes in the WAL, `secure` must fail.
TEST_F(CompactTest, SecureFailsWhileAReaderHoldsAnOldCommit) {
  WriteFile("a.txt", "alpha");
  Add();
  auto reader = Connection::Open(StorePath(), {.mode = ConnectionMode::kReadOnly});
  ASSERT_TRUE(reader.has_value());
  ASSERT_OK((*reader)->Execute("BEGIN; SELECT count(*) FROM doc"));
  Remove("a.txt");
  Reopen({.busy_timeout_ms = 50});
  const auto secure = database_->Compact({.keep_nanos = 0, .secure = true});
  ASSERT_FALSE(secure.has_value());
  EXPECT_EQ(secure.error().code(), StatusCode::kBusy) << secure.error().ToString();
  reader->reset();
  ASSERT_OK(database_->Compact({.keep_nanos = 0, .secure = true}));
}

}  // namespace
}  // namespace recall
