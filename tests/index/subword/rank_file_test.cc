#include "index/subword/rank_file.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <random>

#include "index/subword/byte_level.h"
#include "index/subword/rank_splitter.h"
#include "index/subword/subword_tokenizer.h"
#include "index/subword/text_pattern.h"
#include "storage/base/base64.h"
#include "storage/base/bytes.h"
#include "tests/test_paths.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::string Line(std::string_view token, uint32_t rank) {
  std::string line;
  AppendBase64(AsBytes(token), &line);
  return line + " " + std::to_string(rank) + "\n";
}

// The tokens of the 256 bytes; further tokens start at rank 256.
std::string AllBytes() {
  std::string file;
  for (int byte = 0; byte < 256; ++byte) {
    const char text = static_cast<char>(byte);
    file += Line(std::string_view(&text, 1), static_cast<uint32_t>(byte));
  }
  return file;
}

std::vector<uint32_t> Encode(const SubwordTokenizer& tokenizer, std::string_view text) {
  SubwordEncoder encoder(tokenizer);
  std::vector<uint32_t> ids;
  encoder.Encode(text, &ids);
  return ids;
}

// Adds tokens that are not UTF-8 to `file`, up to a total of `tokens`.
std::string FillUp(std::string file, uint32_t have, uint32_t tokens) {
  for (uint32_t i = have; i < tokens; ++i) file += Line("\xFF\xFE" + std::to_string(i), i);
  return file;
}

// Random texts of unusual characters. The oracle splits them into pieces by the published regular
// expressions in another engine, and merges one pair of tokens after the other.
TEST(RankFileTest, AgreesWithTheReferenceInEachPattern) {
  std::ifstream file(std::string(SourceDir()) + "/tests/index/subword/testdata/ranks.json");
  const Json json = Json::parse(file);
  const std::string ranks = json["ranks"];
  const auto count = static_cast<uint32_t>(std::ranges::count(ranks, '\n'));
  const std::map<std::string, uint32_t> sizes = {
      {"gpt2", 50'257}, {"cl100k", 100'256}, {"o200k", 199'998}};
  size_t cases = 0;
  for (const Json& one : json["cases"]) {
    const std::string pattern = one["pattern"];
    ASSERT_OK_AND_ASSIGN(const SubwordTokenizer tokenizer,
                         SubwordTokenizer::ParseRanks(FillUp(ranks, count, sizes.at(pattern))));
    EXPECT_EQ(NameOf(RankPatternOf(tokenizer.vocabulary_size())), pattern);
    for (size_t i = 0; i < one["texts"].size(); ++i, ++cases) {
      EXPECT_EQ(Encode(tokenizer, one["texts"][i].get<std::string>()),
                one["ids"][i].get<std::vector<uint32_t>>())
          << pattern << ": " << one["texts"][i];
    }
  }
  EXPECT_GE(cases, 200u);
}

// The published expressions.
constexpr std::string_view kGpt2Expression =
    R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr std::string_view kCl100kExpression =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kO200kExpression =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
    R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
    R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

TEST(RankFileTest, CutsWhereThePublishedExpressionsMatch) {
  const std::string characters[] = {
      "a",      "s",      "re",     "LL",         "B",      "T",      "'",      "'",
      " ",      " ",      "\n",     "\r",         "\t",     "/",      ".",      "-",
      "7",      "42",     "_",      "\"",         "\u00E9", "\u00C9", "\u01C5", "\u02B0",
      "\u5B57", "\u0301", "\u0903", "\u20DD",     "\u00A0", "\u3000", "\u0663", "\u2167",
      "\u00BD", "\u017F", "\u200D", "\U0001F642", "\u0130", "\u212A"};
  const struct {
    RankSplitter::EndOfPiece end_of_piece;
    std::string_view expression;
  } patterns[] = {{&EndOfGpt2Piece, kGpt2Expression},
                  {&EndOfCl100kPiece, kCl100kExpression},
                  {&EndOfO200kPiece, kO200kExpression}};
  std::mt19937_64 random(TestSeed(29));
  for (const auto& pattern : patterns) {
    ASSERT_OK_AND_ASSIGN(const TextPattern oracle,
                         TextPattern::Make(Json{{"Regex", pattern.expression}}));
    for (int round = 0; round < 20'000; ++round) {
      std::string text;
      for (size_t i = 1 + random() % 12; i-- > 0;) {
        text += characters[random() % std::size(characters)];
      }
      TextPattern::Matches expected;
      oracle.FindAll(text, &expected);
      TextPattern::Matches found;
      for (size_t at = 0; at < text.size(); at = found.back().second) {
        found.emplace_back(at, pattern.end_of_piece(text, at));
        ASSERT_GT(found.back().second, at) << text;
      }
      ASSERT_EQ(found, expected) << Json(text) << " by " << pattern.expression;
    }
  }
}

TEST(RankFileTest, TheSizeTellsThePattern) {
  EXPECT_EQ(RankPatternOf(256), RankPattern::kGpt2);
  EXPECT_EQ(RankPatternOf(75'000), RankPattern::kGpt2);
  EXPECT_EQ(RankPatternOf(75'001), RankPattern::kCl100k);
  EXPECT_EQ(RankPatternOf(180'000), RankPattern::kCl100k);
  EXPECT_EQ(RankPatternOf(180'001), RankPattern::kO200k);
}

TEST(RankFileTest, TheLowestRankMergesFirstWhateverMadeItsParts) {
  // "abc" has no merge of "ab" and "c" before it: any two adjacent tokens may merge if their
  // concatenation is a token.
  const std::string file =
      AllBytes() + Line("bc", 256) + Line("ab", 257) + Line("abc", 258) + Line("cab", 259);
  ASSERT_OK_AND_ASSIGN(const SubwordTokenizer tokenizer, SubwordTokenizer::ParseRanks(file));
  EXPECT_EQ(Encode(tokenizer, "abc"), (std::vector<uint32_t>{258}));
  EXPECT_EQ(Encode(tokenizer, "abd"), (std::vector<uint32_t>{257, 'd'}));
  EXPECT_EQ(Encode(tokenizer, "abcd"), (std::vector<uint32_t>{258, 'd'}));
  EXPECT_EQ(Encode(tokenizer, "cabc"), (std::vector<uint32_t>{'c', 258}));
  EXPECT_EQ(Encode(tokenizer, "ccab"), (std::vector<uint32_t>{'c', 259}));
  // Ill-formed bytes count as U+FFFD.
  EXPECT_EQ(Encode(tokenizer, "\xFF"), (std::vector<uint32_t>{0xEF, 0xBF, 0xBD}));
  EXPECT_EQ(tokenizer.id_limit(), 260u);
}

TEST(RankFileTest, WhatIsNoRankFileIsRefusedWithItsLine) {
  const auto refusal = [](const std::string& file) {
    const auto tokenizer = SubwordTokenizer::ParseRanks(file);
    EXPECT_FALSE(tokenizer.has_value());
    if (tokenizer) return std::string();
    EXPECT_EQ(tokenizer.error().code(), StatusCode::kCorruption);
    return std::string(tokenizer.error().message());
  };
  EXPECT_EQ(refusal(""), "byte 0 has no token");
  EXPECT_EQ(refusal("a text\n"), "line 1: its token is not base64");
  EXPECT_EQ(refusal(AllBytes() + "YWI=\n"), "line 257: it is not a token and a rank");
  EXPECT_EQ(refusal(AllBytes() + "YWI= x\n"), "line 257: its rank is not a number");
  EXPECT_EQ(refusal(AllBytes() + "YWI= 256\r\n"), "line 257: its rank is not a number");
  EXPECT_EQ(refusal(AllBytes() + "YWI= -1\n"), "line 257: its rank is not a number");
  EXPECT_EQ(refusal(AllBytes() + "YWI= 4294967295\n"), "line 257: its rank is not a number");
  EXPECT_EQ(refusal(AllBytes() + " 256\n"), "line 257: it is not a token and a rank");
  EXPECT_EQ(refusal(AllBytes() + "\n"), "line 257: it is not a token and a rank");
  EXPECT_EQ(refusal(AllBytes() + Line("a", 256)), "line 257: the token is repeated");
  std::string without = AllBytes();
  without.erase(without.find(Line("z", 'z')), Line("z", 'z').size());
  EXPECT_EQ(refusal(without), "byte 122 has no token");
  EXPECT_TRUE(SubwordTokenizer::ParseRanks(AllBytes()).has_value());
}

}  // namespace
}  // namespace recall
