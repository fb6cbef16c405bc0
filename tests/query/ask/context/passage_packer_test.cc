#include <map>

#include "index/base/text/tokenizer.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

// The passages that contexts select. Every filler sentence has ten words.
class PassagePackerTest : public QueryFixture {
 protected:
  ContextResponse Context(const std::string& text, int64_t budget,
                          ContextPieces pieces = ContextPieces::kPassages,
                          std::optional<int64_t> diversity = {}) {
    ContextRequest request;
    request.token_counter = kWordsCounter;
    request.search.text = text;
    request.budget_tokens = budget;
    request.diversity = diversity;
    request.pieces = pieces;
    auto response = database_->Context(request);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    return response ? *response : ContextResponse();
  }

  static std::string Filler(int first, int count) {
    std::string text;
    for (int i = first; i < first + count; ++i) {
      const std::string n = std::to_string(i);
      text += "Sentence n" + n + " of this report says nothing of any use. ";
    }
    return text;
  }
};

TEST_F(PassagePackerTest, TheSentenceThatAnswersIsTakenOutOfItsChunk) {
  const std::string answer = "The retry limit of the gateway is seven attempts in a row.";
  WriteFile("report.txt", Filler(0, 10) + answer + " " + Filler(10, 10));
  WriteFile("other.txt", Filler(30, 15));
  Add();
  const ContextResponse context = Context("what is the gateway's retry limit", 14);
  ASSERT_EQ(context.pieces.size(), 1u);
  const ContextPiece& piece = context.pieces[0];
  EXPECT_EQ(piece.chunk.text, answer);
  EXPECT_EQ(piece.chunk.offset, 100u);
  EXPECT_EQ(context.text, "[report.txt:1-1]\n" + answer);
  EXPECT_FALSE(piece.truncated);
  // Whole chunks are packed from their start.
  const ContextResponse chunks =
      Context("what is the gateway's retry limit", 14, ContextPieces::kChunks);
  ASSERT_EQ(chunks.pieces.size(), 1u);
  EXPECT_TRUE(chunks.pieces[0].truncated);
  EXPECT_EQ(chunks.pieces[0].chunk.start_byte, 0u);
}

TEST_F(PassagePackerTest, RareWordsDecideBetweenSentences) {
  WriteFile("a.txt", Filler(0, 3) +
                         "This report and that report are one report of many. "
                         "The word walrus stands in this one, and only once. " +
                         Filler(3, 3));
  for (int i = 0; i < 5; ++i) WriteFile("b" + std::to_string(i) + ".txt", Filler(10 * i, 5));
  Add();
  const ContextResponse context = Context("report walrus", 12);
  ASSERT_EQ(context.pieces.size(), 1u);
  EXPECT_TRUE(context.pieces[0].chunk.text.starts_with("The word walrus"));
}

TEST_F(PassagePackerTest, TheBestPieceStandsFirstThenThoseOfADocumentInReadingOrder) {
  const std::string first = "A marmot digs a burrow of many metres under the meadow.";
  const std::string second = "In summer the marmot eats grass and flowers on the slopes.";
  const std::string best = "The marmot, a marmot among marmots, sleeps through most of winter.";
  WriteFile("m.md", "# Animals\n\n" + Filler(0, 4) + "\n\n" + first + "\n\n" + Filler(4, 8) +
                        "\n\n" + second + "\n\n" + Filler(12, 8) + "\n\n" + best + "\n\n" +
                        Filler(20, 4) + "\n");
  Add();
  const ContextResponse context = Context("marmot digs eats sleeps winter", 40);
  ASSERT_EQ(context.pieces.size(), 3u);
  EXPECT_EQ(context.text, "[m.md:13-13] Animals\n" + best + "\n\n[m.md:5-5] Animals\n" + first +
                              "\n\n[m.md:9-9] Animals\n" + second);
}

TEST_F(PassagePackerTest, AGapCheaperThanACitationIsFilled) {
  const std::string one = "The otter swims in the river near the old mill.";
  const std::string gap = "It is a small and quiet river with clear water.";
  const std::string two = "The otter hunts in the river at night for fish.";
  const std::string heading = "A heading of ever so many words that cost more than they say";
  WriteFile("o.md", "# " + heading + "\n\n" + Filler(0, 6) + "\n\n" + one + "\n\n" + gap + "\n\n" +
                        two + "\n\n" + Filler(6, 6) + "\n");
  Add();
  const ContextResponse context = Context("otter hunts swims", 46);
  ASSERT_EQ(context.pieces.size(), 1u);
  EXPECT_EQ(context.pieces[0].chunk.text, one + "\n\n" + gap + "\n\n" + two);
}

TEST_F(PassagePackerTest, AllThereIsFitsALargeBudget) {
  const std::string text = Filler(0, 40);
  WriteFile("a.txt", text);
  Add();
  const ContextResponse context = Context("report", 2000);
  ASSERT_EQ(context.pieces.size(), 1u);
  EXPECT_EQ(context.pieces[0].chunk.text, text.substr(0, text.size() - 1));
  EXPECT_GT(context.pieces[0].chunk_ids.size(), 1u);
}

TEST_F(PassagePackerTest, DiversityLimitsPiecesOfADocument) {
  std::string text;
  for (int i = 0; i < 6; ++i) {
    text += Filler(4 * i, 4) + "A walrus, the walrus number w" + std::to_string(i) + ", rests. ";
  }
  WriteFile("a.txt", text);
  WriteFile("b.txt", "One walrus more.");
  Add();
  const auto pieces = [&](std::optional<int64_t> most) {
    std::map<std::string, int64_t> count;
    const ContextResponse context = Context("walrus", 70, ContextPieces::kPassages, most);
    for (const ContextPiece& piece : context.pieces) ++count[piece.doc.path];
    EXPECT_EQ(count["b.txt"], 1);
    return count["a.txt"];
  };
  EXPECT_GT(pieces({}), 2);
  EXPECT_EQ(pieces(1), 1);
  EXPECT_LE(pieces(2), 2);
}

}  // namespace
}  // namespace recall
