#include "cli/show/browse/search_worker.h"

#include <gtest/gtest.h>

#include <fstream>
#include <future>

#include "storage/base/thread_start.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class SearchWorkerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 50; ++i) {
      std::ofstream(directory_ / std::to_string(i) + ".md") << "number " << i << " of the words\n";
    }
    ASSERT_OK_AND_ASSIGN(const auto database, Database::Create(path_, {}));
    AddRequest request;
    request.paths = {directory_.path()};
    ASSERT_OK(database->Add(request));
  }

  void Start(std::vector<SearchPreset> presets = {{"", SearchRequest()}}) {
    ASSERT_OK_AND_ASSIGN(
        worker_, SearchWorker::Start([this] { return Database::Open(path_); }, std::move(presets),
                                     [this] {
                                       const std::lock_guard lock(mutex_);
                                       ++answers_;
                                       answered_.notify_all();
                                     }));
  }

  // Waits for the answer to this question; answers to others are left out.
  BrowseAnswer AnswerTo(uint64_t number) {
    std::unique_lock lock(mutex_);
    for (;;) {
      answered_.wait(lock, [this] { return answers_ > 0; });
      answers_ = 0;
      lock.unlock();
      auto answer = worker_->Take();
      if (answer && answer->number == number) return *std::move(answer);
      lock.lock();
    }
  }

  TempDir directory_;
  std::string path_ = directory_ / "recall.db";
  std::mutex mutex_;
  std::condition_variable answered_;
  int answers_ = 0;
  std::unique_ptr<SearchWorker> worker_;  // ends before what it uses
};

TEST_F(SearchWorkerTest, AnswersTheLastOfManyQuestions) {
  Start();
  for (uint64_t i = 1; i <= 100; ++i) {
    worker_->Ask({i, "number " + std::to_string(i % 50), ""});
    if (i % 3 == 0) worker_->Cancel();
    if (i % 7 == 0) worker_->Take();
  }
  const BrowseAnswer answer = AnswerTo(100);
  ASSERT_OK(answer.status);
  EXPECT_EQ(answer.found->hits[0].doc.path, "0.md");
}

TEST_F(SearchWorkerTest, AnErrorIsAnAnswer) {
  Start();
  worker_->Ask({1, "words", "doc.nothing = 1"});
  EXPECT_EQ(AnswerTo(1).status.code(), StatusCode::kInvalidArgument);
  worker_->Ask({2, "words", "doc.path = '7.md'"});
  EXPECT_EQ(AnswerTo(2).found->hits.size(), 1u);
}

TEST_F(SearchWorkerTest, AStoreThatCannotBeOpenedIsAnErrorEachTime) {
  path_ = directory_ / "missing.db";
  Start();
  for (const uint64_t number : {1, 2}) {
    worker_->Ask({number, "words", ""});
    EXPECT_EQ(AnswerTo(number).status.code(), StatusCode::kStoreNotFound);
  }
}

TEST_F(SearchWorkerTest, AsksWithThePresetOfTheQuestion) {
  SearchRequest few;
  few.scope.filter = "doc.path = '7.md' OR doc.path = '8.md'";
  Start({{"", SearchRequest()},
         {"few", few},
         {"broken", Fail(Status::InvalidArgument("stages: no such stage"))}});
  const std::string words = "number words";
  worker_->Ask({1, words, "", 1});
  EXPECT_EQ(AnswerTo(1).found->hits.size(), 2u);
  worker_->Ask({2, words, "doc.path != '7.md' OR doc.path = '9.md'", 1});
  const BrowseAnswer both = AnswerTo(2);
  ASSERT_OK(both.status);
  ASSERT_EQ(both.found->hits.size(), 1u) << "both filters hold";
  EXPECT_EQ(both.found->hits[0].doc.path, "8.md");
  worker_->Ask({5, "  ", "doc.path != '7.md'", 1});
  const BrowseAnswer listed = AnswerTo(5);
  ASSERT_OK(listed.status);
  EXPECT_TRUE(listed.listed);
  ASSERT_EQ(listed.found->hits.size(), 1u);
  EXPECT_EQ(listed.found->hits[0].doc.path, "8.md");
  worker_->Ask({3, words, "", 2});
  EXPECT_EQ(AnswerTo(3).status.message(), "stages: no such stage");
  worker_->Ask({4, words, "", 0});
  EXPECT_GT(AnswerTo(4).found->hits.size(), 2u);
}

TEST_F(SearchWorkerTest, TheFirstScreenHasWhatIsDueAndTheNewestOfEachKind) {
  {
    ASSERT_OK_AND_ASSIGN(const auto database, Database::Open(path_));
    SaveRequest note;
    note.note.type = "lesson";
    note.note.title = "Focus";
    note.at = ParseRfc3339Date("2026-01-01");
    ASSERT_OK(database->Save(note));
  }
  Start();
  worker_->Ask({1, "", ""});
  const BrowseAnswer first = AnswerTo(1);
  ASSERT_OK(first.status);
  EXPECT_TRUE(first.listed);
  EXPECT_EQ(first.due, 1);
  EXPECT_EQ(first.sections,
            (std::vector<ListSection>{{"Due for review", 0}, {"Notes", 1}, {"Documents", 2}}));
  ASSERT_GT(first.found->hits.size(), 2u);
  EXPECT_EQ(first.found->hits[0].doc.path, "notes/focus.md");
  EXPECT_EQ(first.found->hits[1].doc.path, "notes/focus.md");
  EXPECT_EQ(first.found->hits[2].doc.parser, "markdown");
  EXPECT_EQ(first.found->store.docs, 51);

  // Within the filter, of what there is.
  worker_->Ask({2, " ", "doc.path = '7.md'"});
  const BrowseAnswer within = AnswerTo(2);
  ASSERT_OK(within.status);
  EXPECT_EQ(within.sections, (std::vector<ListSection>{{"Documents", 0}}));
  EXPECT_EQ(within.found->hits.size(), 1u);
}

TEST_F(SearchWorkerTest, NeedsAThread) {
  const ThreadShortage shortage(0);
  const auto worker =
      SearchWorker::Start([this] { return Database::Open(path_); }, {{"", SearchRequest()}}, [] {});
  ASSERT_FALSE(worker);
  EXPECT_EQ(worker.error().code(), StatusCode::kLimitExceeded);
}

}  // namespace
}  // namespace recall
