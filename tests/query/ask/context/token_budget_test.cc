// Budgets in tokens of a model, estimated or of a vocabulary: they hold for the whole output, even
// if tokens span the borders between the packed pieces.

#include <map>
#include <nlohmann/json.hpp>

#include "index/base/text/tokenizer.h"
#include "index/base/text/utf8.h"
#include "index/subword/subword_tokenizer.h"
#include "index/subword/token_estimate.h"
#include "query/ask/passages/token_counter.h"
#include "storage/base/base64.h"
#include "storage/base/ids.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

using Json = nlohmann::json;

std::string Line(std::string_view token, size_t rank) {
  std::string line;
  AppendBase64({reinterpret_cast<const uint8_t*>(token.data()), token.size()}, &line);
  return line + " " + std::to_string(rank) + "\n";
}

// The 256 bytes, and the words of RandomText with a leading space: about a token per word.
std::string RankFile() {
  std::string file;
  size_t rank = 0;
  for (; rank < 256; ++rank) {
    const char byte = static_cast<char>(rank);
    file += Line(std::string_view(&byte, 1), rank);
  }
  for (const std::string word : {" alpha", " beta", " gamma", " delta", " memory", " thread"}) {
    for (size_t size = 2; size <= word.size(); ++size) {
      const std::string line = Line(word.substr(0, size), rank);
      if (file.find("\n" + line.substr(0, line.find(' ') + 1)) != file.npos) continue;
      file += line;
      ++rank;
    }
  }
  return file;
}

Json CharacterVocabulary() {
  Json vocabulary = Json::object();
  for (int c = 0x20; c < 0x7F; ++c) vocabulary[std::string(1, static_cast<char>(c))] = c;
  vocabulary["\n"] = 10;
  vocabulary["?"] = 0;
  return vocabulary;
}

// A vocabulary whose tokens span the borders between pieces: a letter merges with the white space
// after it, and the next word, without its leading space, splits into letters. So the whole text
// has many more tokens than the sum of its parts.
std::string GreedyBorders() {
  Json vocabulary = CharacterVocabulary();
  Json merges = Json::array();
  uint32_t next = 1000;
  const auto merge = [&](const std::string& left, const std::string& right) {
    merges.push_back(Json::array({left, right}));
    if (!vocabulary.contains(left + right)) vocabulary[left + right] = next++;
  };
  for (char c = 'a'; c <= 'z'; ++c) {
    merge(std::string(1, c), " ");
    merge(std::string(1, c), "\n");
  }
  for (const std::string word : {" alpha", "\nalpha", " beta", "\nbeta", " memory", "\nmemory"}) {
    for (size_t size = 1; size < word.size(); ++size) {
      merge(word.substr(0, size), word.substr(size, 1));
    }
  }
  return Json{
      {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}, {"unk_token", "?"}}}}
      .dump();
}

std::string WordPiece() {
  Json vocabulary = {{"[UNK]", 0}, {"alpha", 1}, {"be", 2}, {"##ta", 3}, {"memory", 4}};
  for (char c = '!'; c <= 'z'; ++c) {
    vocabulary.emplace(std::string(1, c), vocabulary.size());
    vocabulary.emplace("##" + std::string(1, c), vocabulary.size());
  }
  return Json{{"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
              {"model", {{"type", "WordPiece"}, {"unk_token", "[UNK]"}, {"vocab", vocabulary}}}}
      .dump();
}

std::string Unigram() {
  Json vocabulary = Json::array({Json::array({"<unk>", -20.0}), Json::array({"\u2581", -3.0})});
  for (char c = '!'; c <= 'z'; ++c) vocabulary.push_back({std::string(1, c), -6.0});
  for (const char* word : {"\u2581alpha", "\u2581mem", "ory", "\u2581beta", "ta\u2581ga"}) {
    vocabulary.push_back({word, -5.0});
  }
  return Json{{"pre_tokenizer",
               {{"type", "Metaspace"},
                {"replacement", "\u2581"},
                {"prepend_scheme", "first"},
                {"split", false}}},
              {"model", {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", vocabulary}}}}
      .dump();
}

class TokenBudgetTest : public QueryFixture {
 protected:
  void SetUp() override { Create({.chunk_tokens = 40, .overlap_tokens = 10}); }

  std::string Vocabulary(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(vocabularies_.path());
    std::ofstream(vocabularies_ / name, std::ios::binary) << text;
    return vocabularies_ / name;
  }

  // Counts with a new tokenizer without a cache.
  static int64_t Count(const std::string& path, const std::string& text) {
    if (path == kEstimateCounter) return EstimateTokens(text);
    if (path == kWordsCounter) return static_cast<int64_t>(CountTokens(text));
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto tokenizer = bytes.starts_with('{') ? SubwordTokenizer::Parse(bytes)
                                                  : SubwordTokenizer::ParseRanks(bytes);
    EXPECT_TRUE(tokenizer.has_value()) << tokenizer.error().ToString();
    SubwordEncoder encoder(*tokenizer);
    std::vector<uint32_t> ids;
    encoder.Encode(text, &ids);
    return static_cast<int64_t>(ids.size());
  }

  ContextResponse Context(const ContextRequest& request) {
    auto response = database_->Context(request);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    return response ? *response : ContextResponse();
  }

  TempDir vocabularies_;
};

TEST_F(TokenBudgetTest, HoldsForAllThatIsPrintedWithAnyCounter) {
  std::mt19937_64 random(TestSeed(17));
  for (int i = 0; i < 12; ++i) {
    WriteFile("f" + std::to_string(i) + (i % 2 ? ".md" : ".txt"),
              (i % 2 ? "# Title of `it`\n\n" : "") + RandomText(random, 50 + random() % 400));
  }
  Add();
  const std::string counters[] = {std::string(kEstimateCounter),
                                  std::string(kWordsCounter),
                                  Vocabulary("ranks", RankFile()),
                                  Vocabulary("greedy.json", GreedyBorders()),
                                  Vocabulary("wordpiece.json", WordPiece()),
                                  Vocabulary("unigram.json", Unigram())};
  std::map<std::string, int64_t> budgets;
  std::map<std::string, int64_t> used;
  for (int round = 0; round < 720; ++round) {
    ContextRequest request;
    request.token_counter = counters[round % 6];
    request.search.text = RandomText(random, 1 + random() % 4);
    request.budget_tokens = 1 + static_cast<int64_t>(random() % (round % 3 ? 400 : 3000));
    request.citations = round / 6 % 2;
    request.pieces = round / 12 % 2 ? ContextPieces::kPassages : ContextPieces::kChunks;
    request.form = round / 24 % 2 ? ContextForm::kText : ContextForm::kMarkdown;
    request.expand = round % 5 < 3 ? 0 : static_cast<int64_t>(random() % 4);
    const ContextResponse context = Context(request);
    const int64_t printed = Count(request.token_counter, context.text + "\n");
    EXPECT_EQ(context.used_tokens, Count(request.token_counter, context.text));
    EXPECT_LE(context.used_tokens, request.budget_tokens) << request.token_counter;
    EXPECT_TRUE(context.text.empty() || printed <= request.budget_tokens) << printed;
    EXPECT_EQ(context.text.empty(), context.pieces.empty());
    for (const ContextPiece& piece : context.pieces) EXPECT_FALSE(piece.chunk.text.empty());
    if (request.budget_tokens < 200 || request.budget_tokens > 1000) continue;
    budgets[request.token_counter] += request.budget_tokens;
    used[request.token_counter] += context.used_tokens;
  }
  // A budget must also be used, not only obeyed.
  for (const auto& [counter, budget] : budgets) {
    EXPECT_GE(used[counter], budget * 3 / 4) << counter;
  }
}

TEST_F(TokenBudgetTest, TheAnswerSaysWhatCounted) {
  WriteFile("a.txt", "alpha beta gamma delta\n");
  Add();
  ContextRequest request;
  request.search.text = "beta";
  const ContextResponse estimate = Context(request);
  EXPECT_EQ(estimate.token_counter, "estimate");
  EXPECT_EQ(estimate.vocabulary_hash, "");
  EXPECT_EQ(estimate.used_tokens, EstimateTokens(estimate.text));
  request.token_counter = kWordsCounter;
  const ContextResponse words = Context(request);
  EXPECT_EQ(words.token_counter, "whitespace");
  EXPECT_EQ(words.vocabulary_hash, "");
  EXPECT_EQ(words.used_tokens, 5);
  request.token_counter = Vocabulary("ranks", RankFile());
  const ContextResponse ranks = Context(request);
  EXPECT_EQ(ranks.token_counter, "ranks/gpt2");
  EXPECT_EQ(ranks.vocabulary_hash, ToHex(Sha256(RankFile())));
  EXPECT_EQ(ranks.text, words.text);
  // "[a.txt:1-1]\nalpha beta gamma delta": the bytes of the citation line and of the first word are
  // tokens, and so are three words.
  EXPECT_EQ(ranks.used_tokens, 11 + 1 + 5 + 3);
  request.token_counter = Vocabulary("other.json", WordPiece());
  EXPECT_EQ(Context(request).token_counter, "tokenizer.json");
}

// One token more in the budget gives at most one token more of text, down to a budget for one
// character.
TEST_F(TokenBudgetTest, WhatDoesNotFitIsCutAtAWordElseAtACharacter) {
  const std::string words = "memory alphabet of a kind that no vocabulary of this test has whole\n";
  WriteFile("words.txt", words);
  std::string wide;
  for (int i = 0; i < 300; ++i) wide += i % 2 ? "\u5B57" : "\u6587";
  WriteFile("wide.txt", wide);
  Add();
  ContextRequest request;
  request.token_counter = Vocabulary("ranks", RankFile());
  request.citations = false;
  for (const bool chunks : {false, true}) {
    request.pieces = chunks ? ContextPieces::kChunks : ContextPieces::kPassages;
    request.search.text = "alphabet kind";
    size_t last = 0;
    for (int64_t budget = 1; budget < 40; ++budget) {
      request.budget_tokens = budget;
      const ContextResponse context = Context(request);
      EXPECT_GE(context.text.size(), last) << "budget " << budget;
      last = context.text.size();
      if (context.pieces.empty()) continue;
      EXPECT_TRUE(context.pieces[0].truncated);
      if (context.text.size() < 6) continue;  // inside the first word
      EXPECT_NE(words.find(context.text + " "), std::string::npos) << context.text;
    }
    request.search.text = "\u5B57\u6587";
    for (int64_t budget = 5; budget < 40; ++budget) {
      request.budget_tokens = budget;
      const ContextResponse context = Context(request);
      EXPECT_TRUE(IsValidUtf8(context.text));
      // Each character has three bytes, and each byte is a token. A separator of two newlines is
      // always reserved.
      EXPECT_EQ(context.text.size(), static_cast<size_t>(budget - 2) / 3 * 3) << budget;
      EXPECT_EQ(context.text, wide.substr(0, context.text.size()));
    }
  }
}

// With this vocabulary a newline splits a word of one token into six.
TEST_F(TokenBudgetTest, TheNewlineThatEndsWhatIsPrintedCounts) {
  Json vocabulary = CharacterVocabulary();
  Json merges = Json::array({Json::array({"y", "\n"})});
  vocabulary["y\n"] = 200;
  for (const std::string tail : {"y", "ry", "ory", "mory", "emory"}) {
    const std::string whole = "memory";
    const std::string next = whole.substr(whole.size() - tail.size() - 1);
    vocabulary[next] = 200 + next.size();
    merges.push_back(Json::array({next.substr(0, 1), tail}));
  }
  WriteFile("m.txt", "memory\n");
  Add();
  ContextRequest request;
  request.search.text = "memory";
  request.citations = false;
  request.token_counter = Vocabulary(
      "newline.json",
      Json{{"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}}}}.dump());
  ASSERT_EQ(Count(request.token_counter, "memory"), 1);
  ASSERT_EQ(Count(request.token_counter, "memory\n"), 6);
  for (const auto pieces : {ContextPieces::kPassages, ContextPieces::kChunks}) {
    request.pieces = pieces;
    for (int64_t budget = 1; budget < 10; ++budget) {
      request.budget_tokens = budget;
      const ContextResponse context = Context(request);
      if (!context.text.empty()) {
        EXPECT_LE(Count(request.token_counter, context.text + "\n"), budget);
      }
      EXPECT_EQ(context.text == "memory", budget >= 6) << budget << ": " << context.text;
    }
  }
}

TEST_F(TokenBudgetTest, EachFailureHasItsCode) {
  WriteFile("a.txt", "alpha beta\n");
  Add();
  ContextRequest request;
  request.search.text = "beta";
  const auto code = [&](const std::string& path) {
    request.token_counter = path;
    const auto response = database_->Context(request);
    return response ? StatusCode::kOk : response.error().code();
  };
  EXPECT_EQ(code(vocabularies_ / "absent"), StatusCode::kNotFound);
  EXPECT_EQ(code(Vocabulary("text", "no vocabulary")), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Vocabulary("new.json", "{\"model\":{\"type\":\"Telepathy\"}}")),
            StatusCode::kUnsupported);
  EXPECT_EQ(code(Vocabulary("ranks", RankFile())), StatusCode::kOk);
}

// The longest prefix that fits, compared with trying each one.
TEST_F(TokenBudgetTest, ThePrefixIsTheLongestThatFits) {
  std::mt19937_64 random(TestSeed(3));
  for (const std::string& which : {std::string(kEstimateCounter), std::string(kWordsCounter),
                                   Vocabulary("ranks", RankFile())}) {
    ASSERT_OK_AND_ASSIGN(TokenCounter counter, TokenCounter::Open(which));
    for (int round = 0; round < 60; ++round) {
      const std::string text = RandomText(random, 1 + random() % 120);
      const int64_t most = 1 + static_cast<int64_t>(random() % 400);
      size_t best_word = 0;
      size_t best_byte = 0;
      for (size_t size = 1; size <= text.size(); ++size) {
        if (counter.Count(text.substr(0, size)) > most) continue;
        best_byte = size;
        const bool ends_word = text[size - 1] > ' ' && (size == text.size() || text[size] <= ' ');
        if (ends_word || size == text.size()) best_word = size;
      }
      EXPECT_EQ(counter.PrefixThatFits(text, most), best_word > 0 ? best_word : best_byte)
          << which << ", " << most << " of " << text;
    }
  }
}

}  // namespace
}  // namespace recall
