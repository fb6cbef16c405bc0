// With several threads, retrievers run in parallel and texts are scored while others are read. The
// results must equal those of one thread.

#include "tests/query/query_fixture.h"
#include "tests/storage/segment/segment_test_util.h"

namespace recall {
namespace {

class ThreadsTest : public QueryFixture {
 protected:
  void SetUp() override {
    CreateOptions options;
    options.chunk_tokens = 24;
    options.overlap_tokens = 4;
    Create(options);
    Reopen({.flush_vectors = 64});
    for (int file = 0; file < 60; ++file) {
      WriteFile("docs/f" + std::to_string(file) + ".md", "# " + Words(2) + "\n\n" + Words(120));
    }
    Add();
  }

  std::string Words(size_t count) {
    static constexpr const char* kWords[] = {"storage", "engine",  "page",   "tree",   "lock",
                                             "reader",  "writer",  "commit", "vector", "filter",
                                             "token",   "segment", "index",  "query",  "rank"};
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      // The first words are more frequent.
      const size_t word = random_() % 15 * (random_() % 15) / 15;
      text += (i == 0 ? "" : " ") + std::string(kWords[word]);
      if (random_() % 20 == 0) text += std::to_string(random_() % 50);
    }
    return text;
  }

  static std::string Describe(const SearchResponse& response) {
    std::string text = std::to_string(response.total_hits);
    for (const std::string& warning : response.warnings) text += "\n! " + warning;
    for (const SearchHit& hit : response.hits) {
      char score[40];
      std::snprintf(score, sizeof score, " %a ", hit.score);
      text += "\n" + hit.chunk.id + score;
      if (hit.explain && hit.explain->ngrams) text += std::to_string(*hit.explain->ngrams);
    }
    return text;
  }

  std::mt19937_64 random_{TestSeed(5)};
};

TEST_F(ThreadsTest, AnswersAreThoseOfOne) {
  for (int round = 0; round < 120; ++round) {
    SearchRequest request;
    request.text = round % 30 == 7 ? "..." : Words(1 + random_() % 4);
    if (round % 5 == 1) request.text += " -commit";
    if (round % 5 == 2) request.text += " +page";
    if (round % 4 == 3) request.scope.filter = "doc.path LIKE '%/f1%'";
    request.k = 1 + random_() % 30;
    request.explain = round % 2 == 0;
    const std::string alone = Describe(Search(request));
    request.chunks_per_retriever = 0;
    for (const uint32_t threads : {1u, 2u, 5u}) {
      request.threads = threads;
      EXPECT_EQ(Describe(Search(request)), alone) << request.text << ", " << threads;
    }
  }
}

// A failure while texts are scored, or while the semantic retriever runs: the other thread must end
// before the answer is returned.
TEST_F(ThreadsTest, AFailureEndsBothThreads) {
  SearchRequest request;
  request.text = "storage engine";
  request.threads = 2;
  request.chunks_per_retriever = 0;
  for (const char* damage : {"UPDATE text_block SET data = x'00'",
                             "UPDATE lexicon_data SET block = x'00' WHERE id > 1 << 30"}) {
    database_.reset();
    testing::RunSql(StorePath(), damage);
    Reopen();
    for (int round = 0; round < 10; ++round) {
      const auto response = database_->Search(request);
      ASSERT_FALSE(response.has_value()) << damage;
      EXPECT_EQ(response.error().code(), StatusCode::kCorruption) << response.error().ToString();
      const bool of_text = response.error().message().find("text block") != std::string::npos;
      EXPECT_EQ(of_text, std::string(damage).starts_with("UPDATE text"))
          << response.error().ToString();
    }
  }
}

}  // namespace
}  // namespace recall
