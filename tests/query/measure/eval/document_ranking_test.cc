#include "query/measure/eval/document_ranking.h"

#include <set>

#include "tests/test_util.h"

namespace recall {
namespace {

class DocumentRankingTest : public ::testing::Test {
 protected:
  Result<DocumentRanking> Index(const std::vector<std::string>& documents) {
    CreateOptions settings;
    settings.chunk_tokens = 16;
    settings.overlap_tokens = 0;
    return DocumentRanking::Index(documents, settings, {}, cancel_);
  }
  static std::vector<uint32_t> Ranked(DocumentRanking& ranking, const std::string& text,
                                      size_t count) {
    SearchRequest search;
    search.text = text;
    search.mode = SearchMode::kLexical;
    auto ranked = ranking.Rank(search, count);
    EXPECT_TRUE(ranked.has_value());
    return ranked ? *ranked : std::vector<uint32_t>();
  }

  std::atomic<bool> cancel_ = false;
};

// A paragraph of sixteen words, which is a chunk of its own.
std::string Paragraph(const std::string& word, size_t times) {
  std::string text;
  for (size_t i = 0; i < 16; ++i) text += (i < times ? word : "filler") + " ";
  return text + "\n\n";
}

TEST_F(DocumentRankingTest, ADocumentStandsWhereItsBestChunkDoes) {
  // Document 1 has many chunks with the word once, document 2 one with many occurrences, document 0
  // one with two occurrences and another without the word.
  std::string many;
  for (int i = 0; i < 30; ++i) many += Paragraph("heron", 1);
  ASSERT_OK_AND_ASSIGN(auto ranking,
                       Index({Paragraph("otter", 16) + Paragraph("heron", 2), many,
                              Paragraph("otter", 3) + Paragraph("heron", 9), "nothing of it"}));
  EXPECT_EQ(Ranked(ranking, "heron", 100), (std::vector<uint32_t>{2, 0, 1}));
  EXPECT_EQ(Ranked(ranking, "heron", 2), (std::vector<uint32_t>{2, 0}));
}

TEST_F(DocumentRankingTest, PagesGoOnUntilThereAreEnoughDocuments) {
  // The best 400 chunks belong to two documents; a hundred other documents have the word once.
  std::string best;
  for (int i = 0; i < 200; ++i) best += Paragraph("heron", 8);
  std::vector<std::string> documents = {best, best};
  for (int i = 0; i < 100; ++i) documents.push_back(Paragraph("heron", 1));
  ASSERT_OK_AND_ASSIGN(auto ranking, Index(documents));
  const std::vector<uint32_t> ranked = Ranked(ranking, "heron", 50);
  ASSERT_EQ(ranked.size(), 50u);
  EXPECT_EQ(std::set<uint32_t>(ranked.begin(), ranked.end()).size(), 50u);
  EXPECT_EQ(ranked[0], 0u);
  EXPECT_EQ(ranked[1], 1u);
  EXPECT_EQ(ranked[2], 2u);  // ties are in the order of the collection
  EXPECT_EQ(ranked[49], 49u);
  EXPECT_EQ(Ranked(ranking, "heron", 200).size(), 102u);
}

TEST_F(DocumentRankingTest, LeavesNothingBehind) {
  TempDir temporary;
  const char* const old = std::getenv("TMPDIR");
  const std::string kept = old ? old : "/tmp";
  ::setenv("TMPDIR", temporary.path().c_str(), 1);
  {
    ASSERT_OK_AND_ASSIGN(auto ranking, Index({"heron", "otter"}));
    EXPECT_FALSE(std::filesystem::is_empty(temporary.path()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
  cancel_ = true;
  const auto cancelled = Index({"heron", "otter"});
  ASSERT_FALSE(cancelled.has_value());
  EXPECT_EQ(cancelled.error().code(), StatusCode::kCancelled);
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
  ::setenv("TMPDIR", (temporary / "missing").c_str(), 1);
  const auto homeless = Index({"heron"});
  ASSERT_FALSE(homeless.has_value());
  EXPECT_EQ(homeless.error().code(), StatusCode::kIoError);
  ::setenv("TMPDIR", kept.c_str(), 1);
}

TEST_F(DocumentRankingTest, DocumentsThatAreNoTextAreCounted) {
  ASSERT_OK_AND_ASSIGN(auto ranking, Index({"heron", std::string("heron\0x", 7), ""}));
  EXPECT_EQ(ranking.skipped(), 1);
  EXPECT_EQ(Ranked(ranking, "heron", 10), (std::vector<uint32_t>{0}));
}

}  // namespace
}  // namespace recall
