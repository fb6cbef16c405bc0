#include "index/subword/tokenizer_file.h"

#include <cmath>
#include <map>
#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

// The oracle: the vocabulary as the JSON library reads it.
struct VocabularyTokens {
  std::map<std::string, uint32_t> numbers;
  std::vector<double> scores;
  bool operator==(const VocabularyTokens&) const = default;
};

VocabularyTokens Read(const TokenizerFile& file) {
  VocabularyTokens made;
  const SubwordVocabulary& vocabulary = file.tokens.vocabulary;
  for (size_t i = 0; i < vocabulary.size(); ++i) {
    made.numbers[std::string(vocabulary.token(i))] = vocabulary.id(i);
  }
  made.scores = file.tokens.scores;
  return made;
}

VocabularyTokens ExpectedTokens(const Json& vocab) {
  VocabularyTokens expected;
  for (size_t i = 0; vocab.is_array() && i < vocab.size(); ++i) {
    expected.numbers[vocab[i][0]] = static_cast<uint32_t>(i);
    expected.scores.push_back(vocab[i][1]);
  }
  if (!vocab.is_object()) return expected;
  for (const auto& [token, id] : vocab.items()) expected.numbers[token] = id;
  return expected;
}

void ExpectAsTheLibrary(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  const auto file = TokenizerFile::Parse(text);
  ASSERT_EQ(file.has_value(), json.is_object()) << text;
  if (!file) return;
  Json vocab;
  if (json.contains("model") && json["model"].is_object() && file->tokens.fault.empty() &&
      file->tokens.shape != ModelTokens::Shape::kNone) {
    vocab = std::exchange(json["model"]["vocab"], nullptr);
  }
  EXPECT_EQ(Read(*file), file->tokens.fault.empty() ? ExpectedTokens(vocab) : Read(*file)) << text;
  EXPECT_EQ(file->root, json) << text;
}

TEST(TokenizerFileTest, TokensAreThoseOfTheLibrary) {
  for (const char* text :
       {R"({"model":{"type":"WordPiece","vocab":{"a":0,"\u00e9\"\\\/\b\f\n\r\t":7}}})",
        "\xEF\xBB\xBF { \"x\" : [ {\"]\":\"}\"} , 1e3 ] ,\n\t\"model\" :\r{ \"vocab\" : { } } } ",
        R"({"model":{"\u0076ocab":{"\ud83d\ude00":2147483647,"z":1,"z":0}},"y":[[],{}]})",
        R"({"model":{"vocab":[["<unk>",0],["a",-1.5],["b",-2e-3],["c",1E+2],["d",-0.0]]}})",
        R"({"model":{"vocab":[["tiny",1e-400],["small",5e-324],["nearly",0.1],["n",-7]]}})",
        R"({"model":{"vocab":{"a":1}},"model":{"type":"Unigram","vocab":[["b",2]]}})",
        R"({"model":{"vocab":{"a":1},"vocab":null},"vocab":{"c":3}})",
        R"({"model":[{"vocab":{"a":1}}]})", R"({"model":{"vocab":{"a":1}},"model":3})",
        R"({"other":{"vocab":{"a":"x"}},"model":{"nested":{"vocab":{"a":1}}}})", "{}", "[]", "",
        "{", "{}x", "3"}) {
    ExpectAsTheLibrary(text);
  }
}

TEST(TokenizerFileTest, WhatIsNoJsonIsRefusedAndWhatIsNoVocabularyIsKnown) {
  for (const char* text :
       {R"({"model":{"vocab":{"a":01}}})", R"({"model":{"vocab":{"a":1,}}})",
        R"({"model":{"vocab":{"a" 1}}})", R"({"model":{"vocab":{"\x":1}}})",
        R"({"model":{"vocab":{"\ud800":1}}})", R"({"model":{"vocab":{"\udc00\ud800":1}}})",
        R"({"model":{"vocab":{"\u12g4":1}}})", "{\"model\":{\"vocab\":{\"\n\":1}}}",
        "{\"model\":{\"vocab\":{\"\xC3\":1}}}", "{\"model\":{\"vocab\":{\"\xED\xA0\x80\":1}}}",
        R"({"model":{"vocab":[["a",1e999]]}})", R"({"model":{"vocab":[["a",.5]]}})",
        R"({"model":{"vocab":[["a",1.]]}})", R"({"model":{"vocab":[["a",-]]}})",
        R"({"model":{"vocab":[["a",+1]]}})", R"({"model":{"vocab":{"a":1}},"x":[}})",
        R"({"model":{"vocab":{"a":1}]})", R"({"model":{"vocab":{"a":1}}} {})"}) {
    EXPECT_FALSE(TokenizerFile::Parse(text).has_value()) << text;
    ExpectAsTheLibrary(text);
  }
  const auto fault = [](std::string_view vocab) {
    const std::string text = "{\"model\":{\"vocab\":" + std::string(vocab) + "}}";
    const auto file = TokenizerFile::Parse(text);
    return file ? file->tokens.fault : "refused";
  };
  EXPECT_EQ(fault(R"({"a":1})"), "");
  for (const char* bad : {R"({"a":1.0})", R"({"a":-1})", R"({"a":2147483648})", R"({"a":"1"})",
                          R"({"a":1,"b":{}})", R"({"a":99999999999999999999})", R"({"a":1e0})"}) {
    EXPECT_EQ(fault(bad), "vocab: a token has no number") << bad;
  }
  for (const char* bad :
       {R"([["a"]])", R"([["a",1,2]])", R"([[1,1]])", R"(["a"])", R"([["a","1"]])"}) {
    EXPECT_EQ(fault(bad), "vocab: a token has no score") << bad;
  }
}

TEST(TokenizerFileTest, MergesAreKeptWhateverTheyLookLike) {
  const std::string text =
      R"({"model":{"merges":["a b",["\u0061 x","\u00e9"],"\u0120 t"],"vocab":{"a":0}}})";
  ASSERT_OK_AND_ASSIGN(const TokenizerFile file, TokenizerFile::Parse(text));
  const std::vector<ModelTokens::Merge> expected = {{"a", "b"}, {"a x", "\u00e9"}, {"\u0120", "t"}};
  EXPECT_EQ(file.tokens.merges, expected);
  EXPECT_TRUE(file.root["model"]["merges"].is_null());
  ASSERT_OK_AND_ASSIGN(const TokenizerFile bad,
                       TokenizerFile::Parse(R"({"model":{"merges":["a b c"]}})"));
  EXPECT_TRUE(bad.tokens.has_merges);
  EXPECT_TRUE(bad.tokens.bad_merges);
}

std::string RandomToken(std::mt19937_64& random) {
  static constexpr std::string_view kParts[] = {
      "a", "bc", "##", "\"", "\\", "\n", "\u00e9", "\u4e2d", "\U0001F600", "\x7f", "\x01", " "};
  std::string token;
  for (size_t left = random() % 6; left > 0; --left) token += kParts[random() % std::size(kParts)];
  return token;
}

TEST(TokenizerFileTest, FilesMadeAtRandomAndDamagedAreReadAsTheLibraryReadsThem) {
  std::mt19937_64 random(TestSeed(7));
  for (int round = 0; round < 400; ++round) {
    Json vocab = random() % 2 == 0 ? Json::object() : Json::array();
    for (size_t left = random() % 30; left > 0; --left) {
      const std::string token = RandomToken(random);
      if (vocab.is_object()) {
        vocab[token] = random() % 100'000;
      } else if (vocab.size() < 30) {
        vocab.push_back({token, -std::ldexp(static_cast<double>(random() >> 11), -45)});
      }
    }
    const Json json = {{"added_tokens", Json::array({{{"content", RandomToken(random)}}})},
                       {"model", {{"type", "WordPiece"}, {"vocab", vocab}}}};
    std::string text = json.dump(static_cast<int>(random() % 3) - 1, ' ', random() % 2 == 0);
    ExpectAsTheLibrary(text);
    text[random() % text.size()] = "\"\\{}[],:0 x\xC3"[random() % 12];
    ExpectAsTheLibrary(text);
    ExpectAsTheLibrary(text.substr(0, random() % text.size()));
  }
}

}  // namespace
}  // namespace recall
