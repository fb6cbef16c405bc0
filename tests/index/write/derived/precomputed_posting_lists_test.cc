// Precomputed posting lists of common words. Real stores have them from 65,536 chunks on; the tests
// force them.

#include "index/write/derived/posting_list_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "tests/query/maintenance/store_faults.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

const PostingListOptions kSmall = {.chunks_from = 100, .chunks_per_posting = 8};

class PrecomputedPostingListsTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .chunk_tokens = 8, .overlap_tokens = 2});
    WriteTexts("a", 90);
  }

  void WriteTexts(const std::string& folder, int count) {
    std::mt19937_64 random(TestSeed(1) + folder[0]);
    for (int i = 0; i < count; ++i) {
      WriteFile(folder + "/" + std::to_string(i) + ".txt", RandomText(random, 4 + random() % 50));
    }
    Add();
  }

  Status Make(const PostingListOptions& options = kSmall) {
    database_.reset();
    Status made;
    {
      const auto store = Store::Open(StorePath());
      EXPECT_TRUE(store.has_value());
      made = BuildPostingListsIfDue(**store, kNotCancelled, options);
    }
    Reopen();
    return made;
  }

  void Remove(const std::string& name, bool purge) {
    RemoveRequest request;
    request.targets = {dir_ / name};
    request.purge = purge;
    ASSERT_OK(database_->Remove(request));
  }

  int64_t SetsReady() { return Number("SELECT count(*) FROM posting_set WHERE complete"); }
  int64_t ListsReady() {
    return Number(
        "SELECT count(*) FROM posting_list JOIN posting_set ON posting_set.id = "
        "posting_set WHERE complete");
  }
  std::string Token() { return database_->Stats()->store.snapshot; }

  // All parts of the answers that a user sees, with all bits of the scores.
  std::string Answers(const std::string& snapshot = "") {
    std::string all;
    for (const char* text : {"alpha", "memory thread file", "+beta gamma -delta", "\"mu nu\" pi",
                             "om* psi", "index vector search budget chunk sigma"}) {
      for (const char* filter : {"", "doc.path GLOB 'a/1*'"}) {
        for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kLexical}) {
          SearchRequest request;
          request.text = text;
          request.mode = mode;
          request.k = 40;
          request.explain = true;
          request.scope.filter = filter;
          request.scope.snapshot = snapshot;
          const SearchResponse response = Search(request);
          all += std::to_string(response.total_hits) + " of " + text + "\n";
          for (const SearchExplain::Term& term : response.explain->terms) {
            all += term.text + " " + std::to_string(term.matches) + "\n";
          }
          for (const SearchHit& hit : response.hits) {
            char score[64];
            std::snprintf(score, sizeof(score), " %.17g %d\n", hit.score,
                          static_cast<int>(hit.explain->lexical_rank.value_or(0)));
            all += hit.chunk.id + score;
          }
        }
      }
    }
    for (const char* target : {"a/1.txt", "a/20.txt"}) {
      SimilarRequest request;
      request.target = target;
      request.search.scope.snapshot = snapshot;
      const auto similar = database_->Similar(request);
      EXPECT_TRUE(similar.has_value());
      all += similar->words + " near " + target + "\n";
      for (const SearchHit& hit : similar->hits) all += hit.chunk.id + "\n";
    }
    return all;
  }

  // The answers of a copy without posting lists, which reads everything from the full-text index.
  std::string AnswersWithout(const std::string& snapshot = "") {
    const std::string copy = dir_ / "copy.db";
    database_.reset();
    std::filesystem::copy_file(StorePath(), copy);
    RunSql(StorePath(), "DELETE FROM posting_list; DELETE FROM posting_set");
    Reopen();
    const std::string answers = Answers(snapshot);
    database_.reset();
    std::filesystem::rename(copy, StorePath());
    Reopen();
    return answers;
  }
};

TEST_F(PrecomputedPostingListsTest, ChangeNoAnswer) {
  const std::string before = Answers();
  const std::string first = Token();
  ASSERT_OK(Make());
  ASSERT_EQ(SetsReady(), 1);
  ASSERT_GT(ListsReady(), 20);
  EXPECT_EQ(Answers(), before);
  // Documents are added, edited and removed after the lists were made.
  WriteTexts("b", 20);
  std::filesystem::remove(dir_ / "a/12.txt");
  WriteFile("a/13.txt", "alpha beta gamma mu nu memory memory memory");
  Add();
  Remove("a/12.txt", false);
  EXPECT_NE(Answers(), before);
  EXPECT_EQ(Answers(), AnswersWithout());
  EXPECT_EQ(Answers(first), before);
  EXPECT_EQ(SetsReady(), 1);
  ExpectHealthy();
}

TEST_F(PrecomputedPostingListsTest, AreMadeWhenTheyAreDue) {
  const int64_t chunks = Number("SELECT count(*) FROM chunk");
  ASSERT_GT(chunks, 300);
  ASSERT_OK(Make({.chunks_from = chunks + 1}));
  EXPECT_EQ(SetsReady(), 0);
  ASSERT_OK(Make());
  const int64_t end = Number("SELECT end_chunk FROM posting_set");
  EXPECT_GT(end, chunks - 64);
  WriteTexts("b", 3);
  ASSERT_OK(Make());
  EXPECT_EQ(Number("SELECT end_chunk FROM posting_set"), end) << "too few are new";
  WriteTexts("c", 40);
  ASSERT_OK(Make());
  EXPECT_GT(Number("SELECT end_chunk FROM posting_set"), end);
  EXPECT_EQ(Number("SELECT count(*) FROM posting_set"), 1) << "the other is gone";
  EXPECT_EQ(Number("SELECT count(*) FROM posting_list"), ListsReady());
  EXPECT_EQ(Answers(), AnswersWithout());
  ExpectHealthy();
}

// A new vector space has no vectors of versions that were removed before it; the lists have their
// postings, for snapshots of that time.
TEST_F(PrecomputedPostingListsTest, AreTheSameAfterATraining) {
  const std::string before = Token();
  for (int i = 30; i < 60; ++i) Remove("a/" + std::to_string(i) + ".txt", false);
  ASSERT_OK(database_->Embed({.embedder = "lsa"}));
  ASSERT_OK(Make());
  EXPECT_EQ(SetsReady(), 1);
  ExpectHealthy();
  EXPECT_EQ(Answers(), AnswersWithout());
  EXPECT_EQ(Answers(before), AnswersWithout(before));
}

TEST_F(PrecomputedPostingListsTest, TellHowFarTheyAre) {
  std::vector<DerivedDataProgress> told;
  PostingListOptions options = kSmall;
  options.batch_bytes = 500;
  options.progress = [&](const DerivedDataProgress& progress) { told.push_back(progress); };
  ASSERT_OK(Make(options));
  ASSERT_GT(told.size(), 2u);
  EXPECT_EQ(told.front().done, 0);
  EXPECT_EQ(told.back().done, told.back().total);
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].stage, DerivedDataStage::kWords);
    EXPECT_EQ(told[i].total, told.front().total);
    if (i > 0) {
      EXPECT_GE(told[i].done, told[i - 1].done);
    }
  }
}

// After a purge its words are neither found nor in the file.
TEST_F(PrecomputedPostingListsTest, APurgeDeletesThem) {
  ASSERT_OK(Make());
  std::filesystem::remove(dir_ / "a/12.txt");
  Remove("a/12.txt", true);
  EXPECT_EQ(Number("SELECT count(*) FROM posting_set"), 0);
  EXPECT_EQ(Number("SELECT count(*) FROM posting_list"), 0);
  const std::string after = Answers();
  ASSERT_OK(Make());
  EXPECT_EQ(SetsReady(), 1);
  EXPECT_EQ(Answers(), after);
  ExpectHealthy();
}

TEST_F(PrecomputedPostingListsTest, WhatIsNotCompleteIsNotFound) {
  const std::string before = Answers();
  const std::atomic<bool> cancelled = true;
  database_.reset();
  {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
    EXPECT_EQ(BuildPostingListsIfDue(*store, cancelled, kSmall).code(), StatusCode::kCancelled);
  }
  // Like a process killed after it has written one empty list.
  RunSql(StorePath(),
         "INSERT INTO posting_list(posting_set, word, data) SELECT id, CAST('alpha' AS BLOB), "
         "zeroblob(16) FROM posting_set WHERE NOT complete; "
         "DELETE FROM meta WHERE key = 'content_sizes'");
  EXPECT_EQ(Number("SELECT count(*) FROM posting_list"), 1);
  Reopen();
  EXPECT_EQ(Answers(), before);
  ExpectHealthy();
  ASSERT_OK(Make());
  EXPECT_EQ(Number("SELECT count(*) FROM posting_set"), 1);
  EXPECT_EQ(Answers(), before);
  ExpectHealthy();
}

// Another process deletes the lists, or makes its own, while they are written.
TEST_F(PrecomputedPostingListsTest, GiveUpWhenTheyAreDeletedMeanwhile) {
  const std::string expected = Answers();
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
  PostingListOptions options = kSmall;
  options.batch_bytes = 1;
  for (const bool another : {false, true}) {
    PostingListBuilder maker(store.get(), options);
    ASSERT_EQ(maker.Begin(), true);
    ASSERT_EQ(maker.WriteNext(), true);
    ASSERT_EQ(Number("SELECT count(*) FROM posting_list"), 1);
    if (another) {
      ASSERT_OK_AND_ASSIGN(const auto other, Store::Open(StorePath()));
      ASSERT_OK(BuildPostingListsIfDue(*other, kNotCancelled, kSmall));
    } else {
      RunSql(StorePath(), "DELETE FROM posting_list; DELETE FROM posting_set");
    }
    EXPECT_EQ(maker.WriteNext(), false);
    EXPECT_EQ(SetsReady(), another ? 1 : 0);
    EXPECT_EQ(Number("SELECT count(*) FROM posting_list"), ListsReady());
    EXPECT_EQ(Answers(), expected);
  }
  ExpectHealthy();
}

TEST_F(PrecomputedPostingListsTest, TheDoctorFindsAndRepairsWhatIsWrongWithThem) {
  ASSERT_OK(Make());
  const std::string expected = Answers();
  database_.reset();
  const std::string sound = dir_ / "sound.db";
  std::filesystem::copy_file(StorePath(), sound);
  for (const char* fault : {
           "UPDATE posting_list SET data = zeroblob(16) WHERE id = 3",
           "UPDATE posting_list SET data = CAST(substr(data, 1, length(data) - 1) AS BLOB) "
           "WHERE id = 3",
           "UPDATE posting_list SET data = CAST(substr(data, 1, length(data) - 1) || x'07' AS "
           "BLOB) WHERE id = 3",
           "UPDATE posting_list SET data = (SELECT data FROM posting_list WHERE id = 4) WHERE "
           "id = 3",
           "UPDATE posting_list SET word = CAST('nowhere' AS BLOB) WHERE id = 3",
           "UPDATE posting_list SET posting_set = 77 WHERE id = 3",
           "UPDATE posting_set SET end_chunk = end_chunk - 64",
           "UPDATE posting_set SET end_chunk = 6400000",
           "UPDATE posting_set SET end_chunk = end_chunk - 1",
           "UPDATE posting_set SET average_length = average_length * 2",
       }) {
    SCOPED_TRACE(fault);
    database_.reset();
    std::filesystem::copy_file(sound, StorePath(),
                               std::filesystem::copy_options::overwrite_existing);
    RunSql(StorePath(), fault);
    ASSERT_OK_AND_ASSIGN(const DoctorReport found, Database::Doctor({.path = StorePath()}));
    ASSERT_EQ(found.findings.size(), 1u);
    EXPECT_EQ(found.findings.at(0).code, "posting_list");
    ASSERT_OK(Database::Doctor({.path = StorePath(), .fix = true}));
    ExpectHealthy();
    Reopen();
    EXPECT_EQ(Answers(), expected);
  }
}

}  // namespace
}  // namespace recall
