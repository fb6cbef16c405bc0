#include "index/subword/subword_model.h"

#include <random>

#include "index/base/text/utf8.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Ids = std::vector<uint32_t>;

SubwordModelResult Read(const Json& json) {
  const std::string text = Json{{"model", json}}.dump();
  RECALL_ASSIGN(TokenizerFile file, TokenizerFile::Parse(text));
  return MakeSubwordModel(file.root["model"], std::move(file.tokens));
}

std::unique_ptr<SubwordModel> Make(const Json& json) {
  auto made = Read(json);
  EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().ToString());
  return made ? std::move(*made) : nullptr;
}

Ids Cut(const SubwordModel& model, std::string_view piece) {
  Ids ids = {77};  // existing ids are kept
  model.Append(piece, &ids);
  EXPECT_EQ(ids[0], 77u);
  return {ids.begin() + 1, ids.end()};
}

std::string Refusal(const Json& json) {
  const auto made = Read(json);
  return made ? "made" : made.error().ToString();
}

TEST(SubwordVocabularyTest, FindsWhatWasAddedAndNothingElse) {
  SubwordVocabulary vocabulary;
  EXPECT_FALSE(vocabulary.Find("a").has_value());
  for (uint32_t i = 0; i < 5000; ++i) vocabulary.Add("t" + std::to_string(i), 2 * i);
  vocabulary.Add("t7", 1);
  EXPECT_EQ(vocabulary.size(), 5000u);
  EXPECT_EQ(vocabulary.max_id(), 9998u);
  for (uint32_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(vocabulary.Find("t" + std::to_string(i)), i == 7 ? 1 : 2 * i);
    EXPECT_FALSE(vocabulary.Find("u" + std::to_string(i)).has_value());
  }
  size_t size = 0;
  EXPECT_EQ(vocabulary.FindLongest("t12345", &size), 2468u);
  EXPECT_EQ(size, 5u);
  EXPECT_FALSE(vocabulary.FindLongest("x", &size).has_value());
  EXPECT_FALSE(vocabulary.FindLongest("", &size).has_value());
}

TEST(SubwordModelTest, WordPiece) {
  const auto model = Make(Json::parse(R"({"type":"WordPiece","unk_token":"[UNK]",
      "continuing_subword_prefix":"##","max_input_chars_per_word":6,
      "vocab":{"[UNK]":0,"un":1,"##aff":2,"##able":3,"unaff":4,"##a":5,"\u00e9":6,"##\u00e9":7}})"));
  EXPECT_EQ(Cut(*model, "unaff"), (Ids{4}));
  EXPECT_EQ(Cut(*model, "unable"), (Ids{1, 3}));
  EXPECT_EQ(Cut(*model, "una\u00e9"), (Ids{1, 5, 7}));
  EXPECT_EQ(Cut(*model, "unx"), (Ids{0}));  // nothing of the word is kept
  EXPECT_EQ(Cut(*model, "x"), (Ids{0}));
  EXPECT_EQ(Cut(*model, "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"), (Ids{6, 7, 7, 7, 7, 7}));
  EXPECT_EQ(Cut(*model, "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"), (Ids{0}));  // too long
}

TEST(SubwordModelTest, WordLevel) {
  const auto model =
      Make(Json::parse(R"({"type":"WordLevel","unk_token":"[UNK]","vocab":{"[UNK]":3,"a":5}})"));
  EXPECT_EQ(Cut(*model, "a"), (Ids{5}));
  EXPECT_EQ(Cut(*model, "b"), (Ids{3}));
  EXPECT_EQ(Cut(*Make(Json::parse(R"({"type":"WordLevel","vocab":{"a":5}})")), "b"), Ids());
}

Json SmallBpe() {
  return Json::parse(R"({"type":"BPE","unk_token":"<unk>",
      "vocab":{"<unk>":0,"a":1,"b":2,"c":3,"ab":4,"bc":5,"abc":6,"abcd":7,"<0x64>":8,"cc":9},
      "merges":["b c","a b","a bc",["c","c"]]})");
}

TEST(SubwordModelTest, BpeMergesByRankThenFromTheLeft) {
  const auto model = Make(SmallBpe());
  EXPECT_EQ(Cut(*model, "abc"), (Ids{6}));  // "bc" is merged before "ab"
  EXPECT_EQ(Cut(*model, "ab"), (Ids{4}));
  EXPECT_EQ(Cut(*model, "ccc"), (Ids{9, 3}));
  EXPECT_EQ(Cut(*model, "abab"), (Ids{4, 4}));
  EXPECT_EQ(Cut(*model, "axxb"), (Ids{1, 0, 0, 2}));
}

TEST(SubwordModelTest, BpeOptions) {
  Json json = SmallBpe();
  json["fuse_unk"] = true;
  EXPECT_EQ(Cut(*Make(json), "axxb"), (Ids{1, 0, 2}));
  json["byte_fallback"] = true;
  EXPECT_EQ(Cut(*Make(json), "adx"), (Ids{1, 8, 0}));
  json["ignore_merges"] = true;
  EXPECT_EQ(Cut(*Make(json), "abcd"), (Ids{7}));
  json["unk_token"] = nullptr;
  EXPECT_EQ(Cut(*Make(json), "ax"), (Ids{1}));
  const auto affixed = Make(Json::parse(R"({"type":"BPE","continuing_subword_prefix":"##",
      "end_of_word_suffix":"</w>","vocab":{"a":1,"##b":2,"##b</w>":3,"a</w>":4,"ab</w>":5},
      "merges":["a ##b</w>"]})"));
  EXPECT_EQ(Cut(*affixed, "ab"), (Ids{5}));
  EXPECT_EQ(Cut(*affixed, "a"), (Ids{4}));
  EXPECT_EQ(Cut(*affixed, "abb"), (Ids{1, 2, 3}));
}

TEST(SubwordModelTest, UnigramTakesTheLikeliestCut) {
  const auto model = Make(Json::parse(R"({"type":"Unigram","unk_id":0,
      "vocab":[["<unk>",0],["a",-2],["b",-2],["ab",-3],["abb",-6],["bb",-1],["\u00e9",-1]]})"));
  EXPECT_EQ(Cut(*model, "ab"), (Ids{3}));
  EXPECT_EQ(Cut(*model, "abb"), (Ids{1, 5}));               // score -3 compared with -5 and -6
  EXPECT_EQ(Cut(*model, "axyb\u00e9"), (Ids{1, 0, 2, 6}));  // unknown: "xy" is one token
  EXPECT_EQ(Cut(*model, ""), Ids());
}

TEST(SubwordModelTest, UnigramFallsBackToBytes) {
  Json json = Json::parse(R"({"type":"Unigram","unk_id":0,"byte_fallback":true,
      "vocab":[["<unk>",0],["a",-1],["<0xC3>",-5],["<0xA9>",-5]]})");
  EXPECT_EQ(Cut(*Make(json), "a\u00e9"), (Ids{1, 2, 3}));
  EXPECT_EQ(Cut(*Make(json), "ax"), (Ids{1, 0}));
  json["unk_id"] = nullptr;
  EXPECT_EQ(Cut(*Make(json), "ax"), (Ids{1}));
}

// The best score over all ways to segment the text.
double BestScore(const std::map<std::string, double>& scores, const std::string& text) {
  if (text.empty()) return 0;
  double best = -1e300;
  for (size_t size = 1; size <= text.size(); ++size) {
    const auto found = scores.find(text.substr(0, size));
    if (found != scores.end()) {
      best = std::max(best, found->second + BestScore(scores, text.substr(size)));
    }
  }
  return best;
}

TEST(SubwordModelTest, UnigramAgreesWithTryingEverything) {
  std::mt19937_64 random(TestSeed(3));
  for (int round = 0; round < 200; ++round) {
    std::map<std::string, double> scores;
    const auto score = [&] { return -static_cast<double>(random() % 1000) / 64; };
    for (const char* letter : {"a", "b", "c"}) scores[letter] = score();
    for (int i = 0; i < 12; ++i) {
      std::string token;
      for (size_t left = 2 + random() % 3; left > 0; --left) token += "abc"[random() % 3];
      scores[token] = score();
    }
    Json json = {{"type", "Unigram"}, {"unk_id", nullptr}, {"vocab", Json::array()}};
    std::vector<std::string> tokens;
    for (const auto& [token, value] : scores) {
      tokens.push_back(token);
      json["vocab"].push_back(Json::array({token, value}));
    }
    const auto model = Make(json);
    std::string text;
    for (int i = 0; i < 9; ++i) text += "abc"[random() % 3];
    std::string joined;
    double total = 0;
    for (const uint32_t id : Cut(*model, text)) {
      joined += tokens[id];
      total += scores[tokens[id]];
    }
    EXPECT_EQ(joined, text);
    EXPECT_NEAR(total, BestScore(scores, text), 1e-9) << text;
  }
}

TEST(SubwordModelTest, WhatDoesNotFitIsRefused) {
  EXPECT_EQ(Refusal(Json::parse(R"({"type":"Neural"})")),
            "unsupported: tokenizer.json: the model \"Neural\" is not supported");
  EXPECT_EQ(Refusal(Json::parse(R"({"type":"WordPiece","vocab":[]})")),
            "corruption: tokenizer.json: bad vocab");
  EXPECT_EQ(Refusal(Json::parse(R"({"type":"WordPiece","vocab":{"a":-1}})")),
            "corruption: tokenizer.json: bad vocab: a token has no number");
  EXPECT_EQ(Refusal(Json::parse(R"({"type":"Unigram","vocab":[["a"]]})")),
            "corruption: tokenizer.json: bad vocab: a token has no score");
  EXPECT_EQ(Refusal(Json::parse(R"({"type":"Unigram","vocab":[["a",0]],"unk_id":1})")),
            "corruption: tokenizer.json: bad unk_id");
  Json bpe = SmallBpe();
  bpe["dropout"] = 0.1;
  EXPECT_EQ(Refusal(bpe), "unsupported: tokenizer.json: the option \"dropout\" is not supported");
  bpe = SmallBpe();
  bpe["merges"].push_back("b a");
  EXPECT_EQ(Refusal(bpe), "corruption: tokenizer.json: bad merges: a result is not a token");
  bpe["merges"] = {"x y"};
  EXPECT_EQ(Refusal(bpe), "corruption: tokenizer.json: bad merges: an operand is not a token");
  bpe["merges"] = {"a"};
  EXPECT_EQ(Refusal(bpe), "corruption: tokenizer.json: bad merges");
}

}  // namespace
}  // namespace recall
