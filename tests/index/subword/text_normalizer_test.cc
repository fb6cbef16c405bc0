#include "index/subword/text_normalizer.h"
#include "index/subword/normalizer_factory.h"

#include "index/subword/charsmap_normalizer.h"
#include "storage/base/base64.h"
#include "storage/base/bytes.h"
#include "tests/index/subword/charsmap_builder.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::string Normal(const std::string& json, std::string_view text) {
  const auto normalizer = MakeTextNormalizer(Json::parse(json));
  if (!normalizer) return normalizer.error().ToString();
  std::string out = "<";  // existing text is kept
  (*normalizer)->Append(text, &out);
  return out.substr(1);
}

TEST(TextNormalizerTest, Bert) {
  const std::string all = R"({"type":"BertNormalizer"})";
  EXPECT_EQ(Normal(all, "Caf\u00e9\tCAFE\u0301 \u4e2dx"), "cafe cafe  \u4e2d x");
  EXPECT_EQ(Normal(all, "a\u0000b\u200bc\ufffdd\u0085e\u00a0f"), "a");  // ends at the NUL
  EXPECT_EQ(Normal(all, std::string_view("a\0b\u200bc\ufffdd\u0085e\u00a0f", 17)), "abcde f");
  EXPECT_EQ(Normal(all, "\u0130\uac00"), "i\u1100\u1161");
  const std::string none = R"({"type":"BertNormalizer","clean_text":false,
      "handle_chinese_chars":false,"strip_accents":false,"lowercase":false})";
  EXPECT_EQ(Normal(none, "Caf\u00e9\t\u4e2d\u200b"), "Caf\u00e9\t\u4e2d\u200b");
  // By default, accents are stripped if the text is lowercased.
  EXPECT_EQ(Normal(R"({"type":"BertNormalizer","lowercase":false})", "\u00c9"), "\u00c9");
  EXPECT_EQ(Normal(R"({"type":"BertNormalizer","lowercase":false,"strip_accents":true})", "\u00c9"),
            "E");
}

TEST(TextNormalizerTest, UnicodeForms) {
  EXPECT_EQ(Normal(R"({"type":"NFC"})", "xe\u0301y\u1100\u1161"), "x\u00e9y\uac00");
  EXPECT_EQ(Normal(R"({"type":"NFD"})", "x\u00e9y"), "xe\u0301y");
  EXPECT_EQ(Normal(R"({"type":"NFKC"})", "\ufb01 \u2460 e\u0301"), "fi 1 \u00e9");
  EXPECT_EQ(Normal(R"({"type":"NFKD"})", "\ufb01\u00e9"), "fie\u0301");
}

// Long runs of non-ASCII text are normalised piece by piece.
TEST(TextNormalizerTest, LongTextsAreWholeAndTakeNoTime) {
  std::string composed;
  std::string decomposed;
  for (int i = 0; i < 50'000; ++i) {
    composed += "\u00e9";
    decomposed += "e\u0301";
  }
  EXPECT_EQ(Normal(R"({"type":"NFD"})", composed), decomposed);
  EXPECT_EQ(Normal(R"({"type":"NFC"})", decomposed), composed);
  // Marks above and below alternate, so that canonical ordering moves them far.
  std::string marks = "a";
  for (int i = 0; i < 100'000; ++i) marks += "\u0301\u0323";
  EXPECT_EQ(Normal(R"({"type":"NFD"})", marks).size(), marks.size());
}

TEST(TextNormalizerTest, SmallOnes) {
  EXPECT_EQ(Normal(R"({"type":"Lowercase"})", "\u0130\u03a3 ABC"), "i\u0307\u03c3 abc");
  EXPECT_EQ(Normal(R"({"type":"StripAccents"})", "e\u0301\u00e9\u0903"), "e\u00e9");
  EXPECT_EQ(Normal(R"({"type":"Strip"})", " \u00a0a b\u3000"), "a b");
  EXPECT_EQ(Normal(R"({"type":"Strip","strip_right":false})", " a "), "a ");
  EXPECT_EQ(Normal(R"({"type":"Strip","strip_left":false})", " a "), " a");
  EXPECT_EQ(Normal(R"({"type":"Strip"})", " \t"), "");
  EXPECT_EQ(Normal(R"({"type":"Prepend","prepend":"_"})", "a"), "_a");
  EXPECT_EQ(Normal(R"({"type":"Prepend","prepend":"_"})", ""), "");
  EXPECT_EQ(Normal(R"({"type":"Nmt"})", "a\u200bb\u0001c\u2581d\u0085"), "a bc d\u0085");
  EXPECT_EQ(Normal(R"({"type":"ByteLevel"})", "a \u00e9\n"), "a\u0120\u00c3\u00a9\u010a");
  EXPECT_EQ(Normal(R"({"type":"Replace","pattern":{"String":" "},"content":"\u2581"})", "a b "),
            "a\u2581b\u2581");
  EXPECT_EQ(Normal(R"({"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "})", "a   b c"),
            "a b c");
  EXPECT_EQ(Normal(R"({"type":"Replace","pattern":{"Regex":"x*"},"content":"-"})", "axxb"), "a-b");
  EXPECT_EQ(Normal(R"({"type":"Sequence","normalizers":[{"type":"NFD"},{"type":"StripAccents"},
      {"type":"Lowercase"}]})",
                   "\u00c9A"),
            "ea");
  EXPECT_EQ(Normal(R"({"type":"Sequence","normalizers":[]})", "A"), "A");
}

TEST(TextNormalizerTest, Precompiled) {
  const std::string bytes = CharsmapBuilder::Build({{"\ufb01", "fi"},
                                                    {"\u0001", ""},
                                                    {"\t", " "},
                                                    {"e\u0301", "\u00e9"},
                                                    {"\uff21", "A"},
                                                    {"\r\n", "\n"}});
  std::string encoded;
  AppendBase64(AsBytes(bytes), &encoded);
  const std::string json = R"({"type":"Precompiled","precompiled_charsmap":")" + encoded + "\"}";
  EXPECT_EQ(Normal(json, "\ufb01x\uff21\ta\u0001b"), "fixA ab");
  EXPECT_EQ(Normal(json, "e\u0301\r\n"), "\u00e9\n");
  // A cluster longer than any key is looked up character by character.
  EXPECT_EQ(Normal(json, "\uff21\u0301\u0301"), "A\u0301\u0301");
  EXPECT_EQ(Normal(R"({"type":"Precompiled","precompiled_charsmap":""})", "\ufb01"), "\ufb01");
}

TEST(TextNormalizerTest, DamagedCharsmapsAreRefusedOrHarmless) {
  const std::string bytes =
      CharsmapBuilder::Build({{"\ufb01", "fi"}, {"ab", "c"}, {"a", "\u00e9"}});
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {1, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      for (const std::string& given : {damaged, bytes.substr(0, i)}) {
        const auto made = CharsmapNormalizer::Parse(given);
        if (!made) continue;
        std::string out;
        made->Append("\ufb01 a ab \u00e9\u0301", &out);
        EXPECT_LT(out.size(), 100u);
      }
    }
  }
}

TEST(TextNormalizerTest, WhatIsUnknownIsNamed) {
  const auto error = [](const std::string& json) {
    const auto made = MakeTextNormalizer(Json::parse(json));
    return made ? "made" : made.error().ToString();
  };
  EXPECT_EQ(error(R"({"type":"Reverse"})"),
            "unsupported: tokenizer.json: the normalizer \"Reverse\" is not supported");
  EXPECT_EQ(error(R"({"type":"Replace","pattern":{"Regex":"(?<=a)b"},"content":""})"),
            "unsupported: tokenizer.json: the regular expression \"(?<=a)b\" is not supported");
  EXPECT_EQ(error(R"({})"), "corruption: tokenizer.json: bad normalizer: it has no type");
  EXPECT_EQ(error(R"({"type":"Strip","strip_left":1})"),
            "corruption: tokenizer.json: bad strip_left");
  EXPECT_EQ(error(R"({"type":"Precompiled","precompiled_charsmap":"!"})"),
            "corruption: tokenizer.json: bad precompiled_charsmap");
}

// A file of a few hundred bytes must not exhaust the memory.
TEST(TextNormalizerTest, GrowthIsBounded) {
  Json parts = Json::array();
  for (int i = 0; i < 60; ++i) {
    parts.push_back({{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}});
  }
  const Json sequence = {{"type", "Sequence"}, {"normalizers", parts}};
  EXPECT_LT(Normal(sequence.dump(), "aaaa").size(), size_t{1} << 20);
}

}  // namespace
}  // namespace recall
