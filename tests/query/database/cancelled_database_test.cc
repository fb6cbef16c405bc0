// A question must end soon after its asker has left. These tests cancel at points that do not
// depend on time: before a call, and at each event of a stage within one.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class CancelledDatabaseTest : public QueryFixture {
 protected:
  void SetUp() override {
    QueryFixture::SetUp();
    for (int i = 0; i < 20; ++i) {
      WriteFile("note" + std::to_string(i) + ".md",
                "# Note " + std::to_string(i) + "\n\nThe gateway restarts at midnight.\n");
    }
    Add();
  }

  SearchRequest Question() const {
    SearchRequest request;
    request.text = "gateway restarts at midnight";
    return request;
  }
};

TEST_F(CancelledDatabaseTest, AnswersNoLaterCall) {
  database_->Cancel();
  const auto code = [](const auto& result) {
    return result ? StatusCode::kOk : result.error().code();
  };
  EXPECT_EQ(code(database_->Search(Question())), StatusCode::kCancelled);
  SimilarRequest similar;
  similar.target = "note1.md";
  EXPECT_EQ(code(database_->Similar(similar)), StatusCode::kCancelled);
  ContextRequest context;
  context.search = Question();
  EXPECT_EQ(code(database_->Context(context)), StatusCode::kCancelled);
  QueryRequest query;
  query.rql = "FROM chunk LIMIT 3";
  EXPECT_EQ(code(database_->Query(query)), StatusCode::kCancelled);
  EXPECT_EQ(code(database_->List({})), StatusCode::kCancelled);
  GetRequest get;
  get.target = "note1.md";
  EXPECT_EQ(code(database_->Get(get)), StatusCode::kCancelled);
  EXPECT_EQ(code(database_->Stats()), StatusCode::kCancelled);
}

// Counts the events of a question, and then asks it once for each, cancelled there.
TEST_F(CancelledDatabaseTest, NoAnswerIsGivenAfterIt) {
  for (const bool packs : {false, true}) {
    size_t cancel_at = 0;
    size_t events = 0;
    OpenOptions options;
    options.on_stage = [&](const StageEvent&) {
      if (++events == cancel_at) database_->Cancel();
    };
    const auto ask = [&] {
      Reopen(options);
      events = 0;
      if (!packs) return database_->Search(Question()).has_value();
      ContextRequest context;
      context.search = Question();
      return database_->Context(context).has_value();
    };
    ASSERT_TRUE(ask());
    const size_t all = events;
    ASSERT_GE(all, 6U);
    for (cancel_at = 1; cancel_at <= all; ++cancel_at) {
      EXPECT_FALSE(ask()) << "cancelled at event " << cancel_at << " of " << all;
    }
  }
}

}  // namespace
}  // namespace recall
