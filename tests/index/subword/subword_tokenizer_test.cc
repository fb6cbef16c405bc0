#include "index/subword/subword_tokenizer.h"

#include <fstream>

#include "tests/test_paths.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Ids = std::vector<uint32_t>;

Ids EncodeIds(const SubwordTokenizer& tokenizer, std::string_view text) {
  SubwordEncoder encoder(tokenizer);
  Ids ids;
  encoder.Encode(text, &ids);
  Ids again;
  encoder.Encode(text, &again);  // uses the cache
  EXPECT_EQ(again, ids) << text;
  return ids;
}

// Random tokenizers and texts of unusual characters. The expected ids are those of version 0.22 of
// Hugging Face's own library.
TEST(SubwordTokenizerTest, AgreesWithTheReference) {
  std::ifstream file(std::string(SourceDir()) + "/tests/index/subword/testdata/reference.jsonl");
  size_t cases = 0;
  for (std::string line; std::getline(file, line); ++cases) {
    const Json json = Json::parse(line);
    ASSERT_OK_AND_ASSIGN(const SubwordTokenizer tokenizer,
                         SubwordTokenizer::Parse(json["tokenizer"].dump()));
    for (size_t i = 0; i < json["texts"].size(); ++i) {
      EXPECT_EQ(EncodeIds(tokenizer, json["texts"][i].get<std::string>()),
                json["ids"][i].get<Ids>())
          << "line " << cases + 1 << ", text " << json["texts"][i];
    }
  }
  EXPECT_GE(cases, 50u);
}

Json Bert() {
  return Json::parse(R"({"added_tokens":[
      {"id":1,"content":"[SEP]","special":true,"normalized":false},
      {"id":9,"content":"New York","normalized":true},
      {"id":10,"content":"<x>","special":true,"normalized":false,"lstrip":true,"rstrip":true},
      {"id":11,"content":"now","normalized":false,"single_word":true}],
    "normalizer":{"type":"BertNormalizer"},"pre_tokenizer":{"type":"BertPreTokenizer"},
    "post_processor":{"type":"Anything"},"truncation":{"max_length":1},
    "model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0,"[SEP]":2,"new":3,"york":4,
      "x":5,"##s":6,"know":7,",":8}}})");
}

TEST(SubwordTokenizerTest, AddedTokensComeFirst) {
  ASSERT_OK_AND_ASSIGN(const SubwordTokenizer tokenizer, SubwordTokenizer::Parse(Bert().dump()));
  EXPECT_EQ(tokenizer.id_limit(), 12u);
  EXPECT_EQ(tokenizer.unknown_id(), 0u);
  EXPECT_EQ(EncodeIds(tokenizer, "x[SEP]x"), (Ids{5, 2, 5}));  // the id of the vocabulary
  EXPECT_EQ(EncodeIds(tokenizer, "NEW YORKS new, york"), (Ids{9, 0, 3, 8, 4}));
  EXPECT_EQ(EncodeIds(tokenizer, "xs now know NOW"), (Ids{5, 6, 11, 7, 0}));
  EXPECT_EQ(EncodeIds(tokenizer, "x \u3000<x> \nx"), (Ids{5, 10, 5}));
  EXPECT_EQ(EncodeIds(tokenizer, ""), Ids());
}

TEST(SubwordTokenizerTest, BytesThatAreNoTextCountAsUnknown) {
  ASSERT_OK_AND_ASSIGN(
      const SubwordTokenizer tokenizer,
      SubwordTokenizer::Parse(
          R"({"model":{"type":"Unigram","unk_id":0,"vocab":[["?",0],["a",0],["\ufffd",0]]}})"));
  EXPECT_EQ(EncodeIds(tokenizer, "a\xff\xc3"), (Ids{1, 2, 2}));
  EXPECT_EQ(EncodeIds(tokenizer, "a\xed\xa0\x80"), (Ids{1, 2, 2, 2}));
}

// Pieces that are cached, and pieces that are too long or have too many tokens for the cache.
TEST(SubwordTokenizerTest, RememberedPiecesAreTheirOwn) {
  ASSERT_OK_AND_ASSIGN(
      const SubwordTokenizer tokenizer,
      SubwordTokenizer::Parse(R"({"pre_tokenizer":{"type":"WhitespaceSplit"},"model":
          {"type":"Unigram","unk_id":0,"vocab":[["?",0],["a",-1],["b",-1]]}})"));
  SubwordEncoder encoder(tokenizer);
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (size_t size = 1; size < 50; ++size) {
      std::string text(size, 'a');
      text.back() = 'b';
      Ids expected(size, 1);
      expected.back() = 2;
      Ids ids;
      encoder.Encode(text, &ids);
      EXPECT_EQ(ids, expected);
    }
  }
}

// The time is linear in the length of texts, words and runs of any kind.
TEST(SubwordTokenizerTest, LongTextsAreCutInTheTimeOfTheirLength) {
  Json json = Json::parse(R"({"added_tokens":[{"id":2,"content":" ","lstrip":true,
      "normalized":false}],"model":{"type":"Unigram","unk_id":0,"vocab":[["?",0],["a",-1]]}})");
  ASSERT_OK_AND_ASSIGN(const SubwordTokenizer spaces, SubwordTokenizer::Parse(json.dump()));
  constexpr size_t kSize = 1'000'000;
  EXPECT_EQ(EncodeIds(spaces, std::string(kSize, ' ')), Ids(kSize, 2));
  EXPECT_EQ(EncodeIds(spaces, std::string(kSize, 'a')), Ids(kSize, 1));
  json["added_tokens"][0]["rstrip"] = true;
  ASSERT_OK_AND_ASSIGN(const SubwordTokenizer stripping, SubwordTokenizer::Parse(json.dump()));
  EXPECT_EQ(EncodeIds(stripping, std::string(kSize, ' ')), Ids{2});
}

TEST(SubwordTokenizerTest, WhatIsNoTokenizerIsRefused) {
  const auto error = [](std::string_view json) {
    const auto made = SubwordTokenizer::Parse(json);
    return made ? "made" : made.error().ToString();
  };
  EXPECT_EQ(error("{"), "corruption: tokenizer.json: bad file: it is not a JSON object");
  EXPECT_EQ(error("[]"), "corruption: tokenizer.json: bad file: it is not a JSON object");
  EXPECT_EQ(error("{}"), "corruption: tokenizer.json: bad file: it has no model");
  Json json = Bert();
  json["added_tokens"].push_back({{"content", "new one"}});
  EXPECT_EQ(error(json.dump()), "corruption: tokenizer.json: bad added_tokens: a token has no id");
}

TEST(SubwordTokenizerTest, EveryCutAndEveryFlippedByteIsRefusedOrHarmless) {
  const std::string whole = Bert().dump();
  for (size_t i = 0; i < whole.size(); ++i) {
    std::vector<std::string> damaged = {whole.substr(0, i)};
    for (const int flip : {1, 0x10, 0x80}) {
      damaged.push_back(whole);
      damaged.back()[i] = static_cast<char>(damaged.back()[i] ^ flip);
    }
    for (const std::string& json : damaged) {
      const auto tokenizer = SubwordTokenizer::Parse(json);
      if (!tokenizer) continue;
      for (const uint32_t id : EncodeIds(*tokenizer, "New Yorks [SEP] <x>, now")) {
        EXPECT_LT(id, tokenizer->id_limit());
      }
    }
  }
}

}  // namespace
}  // namespace recall
