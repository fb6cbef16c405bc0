#include <algorithm>
#include <map>

#include "index/base/text/tokenizer.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class ContextTest : public QueryFixture {
 protected:
  ContextResponse Context(const std::string& text, int64_t budget,
                          std::optional<int64_t> diversity = {}, bool citations = true,
                          ContextPieces pieces = ContextPieces::kPassages,
                          ContextForm form = ContextForm::kText, int64_t expand = 0) {
    ContextRequest request;
    request.token_counter = kWordsCounter;
    request.search.text = text;
    request.budget_tokens = budget;
    request.diversity = diversity;
    request.citations = citations;
    request.pieces = pieces;
    request.form = form;
    request.expand = expand;
    auto response = database_->Context(request);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    return response ? *response : ContextResponse();
  }
};

TEST_F(ContextTest, NeverOverBudgetNeverAByteTwiceAlwaysTheSourcesBytes) {
  CreateOptions options;
  options.chunk_tokens = 40;
  options.overlap_tokens = 15;
  Create(options);
  std::mt19937_64 random(TestSeed(11));
  std::map<std::string, std::string> texts;
  for (int i = 0; i < 12; ++i) {
    const std::string name = "f" + std::to_string(i) + (i % 2 ? ".md" : ".txt");
    texts[name] = (i % 2 ? "# Title\n\n" : "") + RandomText(random, 50 + random() % 400);
    WriteFile(name, texts[name]);
  }
  Add();
  for (int round = 0; round < 240; ++round) {
    const int64_t budget = 1 + static_cast<int64_t>(random() % (round % 3 ? 300 : 3000));
    const std::string query = RandomText(random, 1 + random() % 4);
    const bool citations = round % 2;
    const auto pieces = round % 4 < 2 ? ContextPieces::kPassages : ContextPieces::kChunks;
    const auto form = round % 8 < 4 ? ContextForm::kText : ContextForm::kMarkdown;
    const int64_t expand = round % 5 < 3 ? 0 : static_cast<int64_t>(random() % 4);
    const ContextResponse context = Context(query, budget, {}, citations, pieces, form, expand);
    EXPECT_LE(context.used_tokens, budget);
    EXPECT_EQ(context.used_tokens, static_cast<int64_t>(CountTokens(context.text)));
    std::map<std::string, std::vector<bool>> seen;
    std::map<std::string, uint64_t> reached;  // the end of the last passage of each document
    for (const ContextPiece& piece : context.pieces) {
      const ChunkView& chunk = piece.chunk;
      const std::string& source = texts.at(piece.doc.path);
      ASSERT_LE(chunk.end_byte, source.size());
      EXPECT_EQ(chunk.text, source.substr(chunk.start_byte, chunk.end_byte - chunk.start_byte));
      EXPECT_NE(context.text.find(chunk.text), std::string::npos);
      const auto line_of = [&](uint64_t byte) {
        return 1 + std::count(source.begin(), source.begin() + static_cast<ptrdiff_t>(byte), '\n');
      };
      EXPECT_EQ(chunk.start_line, line_of(chunk.start_byte));
      EXPECT_EQ(chunk.end_line, line_of(chunk.end_byte - 1));
      EXPECT_EQ(chunk.offset, CountTokens(source.substr(0, chunk.start_byte)));
      EXPECT_EQ(chunk.tokens, CountTokens(chunk.text));
      EXPECT_FALSE(piece.chunk_ids.empty());
      const bool first = &piece == &context.pieces.front();  // the best one
      if (pieces == ContextPieces::kPassages && !first) {
        EXPECT_GE(chunk.start_byte, reached[piece.doc.path]);
        reached[piece.doc.path] = chunk.end_byte;
      }
      auto& bytes = seen[piece.doc.path];
      bytes.resize(source.size());
      for (uint64_t i = chunk.start_byte; i < chunk.end_byte; ++i) {
        EXPECT_FALSE(bytes[i]) << "byte " << i << " of " << piece.doc.path << " twice";
        bytes[i] = true;
      }
    }
  }
}

TEST_F(ContextTest, NeighboursOfOneDocumentBecomeOnePassage) {
  CreateOptions options;
  options.chunk_tokens = 20;
  options.overlap_tokens = 5;
  Create(options);
  std::string text;
  for (int i = 0; i < 60; ++i) text += "needle" + std::string(i % 7 == 0 ? "\n" : " ");
  WriteFile("a.txt", text);
  Add();
  const ContextResponse context = Context("needle", 1000);
  ASSERT_EQ(context.pieces.size(), 1u);
  EXPECT_GT(context.pieces[0].chunk_ids.size(), 2u);
  EXPECT_EQ(CountTokens(context.pieces[0].chunk.text), 60u);
  EXPECT_FALSE(context.pieces[0].truncated);
}

TEST_F(ContextTest, WhatDoesNotFitIsCutToAPrefixOfWholeTokens) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "word" + std::to_string(i) + " ";
  WriteFile("a.txt", text);
  Add();
  const ContextResponse context = Context("word5", 31);
  ASSERT_EQ(context.pieces.size(), 1u);
  EXPECT_TRUE(context.pieces[0].truncated);
  EXPECT_EQ(context.used_tokens, 31);  // one token of citation, thirty of text
  EXPECT_TRUE(context.pieces[0].chunk.text.ends_with("word29"));
  EXPECT_EQ(context.text.substr(0, 11), "[a.txt:1-1]");
}

TEST_F(ContextTest, DiversityCapsTheChunksOfADocument) {
  CreateOptions options;
  options.chunk_tokens = 10;
  options.overlap_tokens = 0;
  Create(options);
  std::string text;
  for (int i = 0; i < 30; ++i) text += "shared common words here again and more to say now.\n\n";
  WriteFile("a.txt", text);
  WriteFile("b.txt", "shared common words");
  Add();
  const ContextResponse context = Context("shared common words", 1000, 2);
  std::map<std::string, size_t> chunks;
  for (const ContextPiece& piece : context.pieces) {
    chunks[piece.doc.path] += piece.chunk_ids.size();
  }
  EXPECT_EQ(chunks["a.txt"], 2u);
  EXPECT_EQ(chunks["b.txt"], 1u);
  EXPECT_TRUE(Context("shared", 1000, 0).pieces.empty());
}

TEST_F(ContextTest, CopiesOfTheBestTextHideNoOther) {
  for (int i = 0; i < 60; ++i) {
    WriteFile("copy" + std::to_string(i) + ".txt", "the frobnicator needs oil twice a week");
  }
  WriteFile("other.txt",
            "a frobnicator is happy with oil of any colour, but prefers the yellow one");
  Add();
  const ContextResponse context = Context("which oil does the frobnicator need", 300);
  ASSERT_EQ(context.pieces.size(), 2u);
  EXPECT_TRUE(context.pieces[0].doc.path.starts_with("copy"));
  EXPECT_EQ(context.pieces[1].doc.path, "other.txt");
}

TEST_F(ContextTest, BudgetMustBePositive) {
  ContextRequest request;
  request.token_counter = kWordsCounter;
  request.search.text = "x";
  request.budget_tokens = 0;
  EXPECT_EQ(database_->Context(request).error().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace recall
