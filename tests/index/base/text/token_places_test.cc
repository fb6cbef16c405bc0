#include "index/base/text/token_places.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "index/base/text/tokenizer.h"
#include "index/base/text/utf8.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::string Joined(const TokenPlacer::Tokens& tokens) {
  std::string joined;
  for (const std::string_view word : tokens.words) {
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  return joined;
}

// "token=source text" for each token.
std::string Described(std::string_view text) {
  TokenPlacer placer;
  placer.Find(text);
  std::string described;
  for (const TokenPlacer::Tokens* tokens : {&placer.body(), &placer.compound()}) {
    for (size_t i = 0; i < tokens->words.size(); ++i) {
      const auto [start, end] = tokens->places[i];
      described += (described.empty() ? "" : " ") + std::string(tokens->words[i]) + "=" +
                   std::string(text.substr(start, end - start));
    }
  }
  return described;
}

TEST(TokenPlacesTest, TokensStandWhereTheyAreWritten) {
  EXPECT_EQ(Described("The quick Foxes!"), "the=The quick=quick fox=Foxes");
  EXPECT_EQ(Described("don't"), "don=don t=t dont=don't");
  EXPECT_EQ(Described("getHTTPServer(foo_bar)"),
            "get=get http=HTTP server=Server foo=foo bar=bar gethttpserv=getHTTPServer "
            "foobar=foo_bar");
  EXPECT_EQ(Described("_x_"), "x=x");
  EXPECT_EQ(Described("Caf\u0065\u0301 Straße ﬁne"),
            "cafe=Cafe\u0301 straße=Straße fine=ﬁne strass=Straße");
  EXPECT_EQ(Described("검색은 🚀"), "검색은=검색은 검색=검색 색은=색은 🚀=🚀");
  EXPECT_EQ(Described("parseJSON2XML"),
            "pars=parse json2xml=JSON2XML json=JSON2XML xml=JSON2XML parsejson2xml=parseJSON2XML");
  EXPECT_EQ(Described("9,300.50"), "9=9 300=300 50=50 9300=9,300 9300\uE00850=9,300.50");
  EXPECT_EQ(Described("日本語 text"), "日本=日本 本語=本語 text=text");
  EXPECT_EQ(Described("本"), "本=本");
  EXPECT_EQ(Described("hy\u00ADphen"), "hyphen=hy\u00ADphen");
  // Half-width forms have more characters than the text that they fold to.
  EXPECT_EQ(Described("ｶﾞｲﾄﾞ"), "ガイ=ｶﾞｲﾄﾞ イド=ｶﾞｲﾄﾞ");
  EXPECT_EQ(Described("½"), "1=½ 2=½");
  EXPECT_EQ(Described(" -- "), "");
  EXPECT_EQ(Described("(std::move)"), "std=std move=move stdmove=std::move");
  EXPECT_EQ(Described("in C++."), "in=in c=C cplusplu=C++");
  EXPECT_EQ(Described("use --force"), "us=use forc=force \uE002forc=--force");
}

TEST(TokenPlacesTest, StemsOnlyWordsWithTheLetters) {
  TokenPlacer placer;
  placer.StemOnly("rs");
  placer.Find("Running dogs, Stopping cats: readings in Flying_Ships");
  EXPECT_EQ(Joined(placer.body()), "run dogs stop cats read in flying ship");
  EXPECT_EQ(Joined(placer.compound()), "flyingship");
}

// Those who look for known tokens rely on it (StemOnly).
void ExpectFirstLetterOfWord(std::string_view text) {
  TokenPlacer placer;
  placer.Find(text);
  for (size_t i = 0; i < placer.body().words.size(); ++i) {
    const char letter = text[placer.body().places[i].start];
    if (letter < 'a' || letter > 'z') continue;
    ASSERT_EQ(placer.body().words[i][0], letter) << text;
  }
}

TEST(TokenPlacesTest, StemsBeginWithTheLetterOfTheirWord) {
  for (const char* word :
       {"ies", "sses", "s", "ed", "ing", "eed", "ational", "ization", "e", "y"}) {
    ExpectFirstLetterOfWord(word);
  }
  std::minstd_rand random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::string word;
    for (size_t length = 1 + random() % 8; word.size() < length;)
      word += "adegilnosty"[random() % 11];
    ExpectFirstLetterOfWord(word);
  }
}

void ExpectTokensOfTheIndex(const std::string& text) {
  TokenPlacer placer;
  Tokenizer tokenizer;
  placer.Find(text);
  LexicalText lexical;
  tokenizer.Analyze({}, text, &lexical);
  ASSERT_EQ(Joined(placer.body()), lexical.body) << text;
  ASSERT_EQ(Joined(placer.compound()), lexical.compound) << text;
  TokenPlacer first_placer(1);
  first_placer.Find(text);
  LexicalText first;
  Tokenizer(1).Analyze({}, text, &first);
  ASSERT_EQ(Joined(first_placer.body()), first.body) << text;
  ASSERT_EQ(Joined(first_placer.compound()), first.compound) << text;
  for (const TokenPlacer::Tokens* tokens : {&placer.body(), &placer.compound()}) {
    ASSERT_EQ(tokens->words.size(), tokens->places.size());
    for (size_t i = 0; i < tokens->places.size(); ++i) {
      const auto [start, end] = tokens->places[i];
      ASSERT_LT(start, end);
      ASSERT_LE(end, text.size());
      ASSERT_EQ(FloorToCharacter(text, start), start);
      ASSERT_EQ(FloorToCharacter(text, end), end);
      // Analysing the source text of a token must give the token.
      tokenizer.Analyze({}, text.substr(start, end - start), &lexical);
      const std::string said = " " + lexical.body + " " + lexical.compound + " ";
      ASSERT_NE(said.find(" " + std::string(tokens->words[i]) + " "), said.npos)
          << text << " | " << tokens->words[i] << " | " << text.substr(start, end - start);
    }
  }
}

TEST(TokenPlacesTest, TheTokensAreThoseOfTheIndex) {
  const std::string pieces[] = {
      "a",  "Z",  "é",  "日",     "語",     "ｶ",      "ﾞ",  "7",    "_",   " ",  "\n",
      "-",  "ß",  "ﬁ",  "½",      "\u0301", "\u00AD", "ก",  "า",    "ing", "ed", "Ab",
      "бы", "한", "글", "\xFF",   "。",     "xY",     "s",  "🙂", "ł",   "ة",  "’",
      ",",  "12", "🇩",  "\u200D", "\uFE0F", ".",      "::", "++",   "#",   "C",  "/"};
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t i = random() % 40; i-- > 0;) text += pieces[random() % std::size(pieces)];
    ASSERT_NO_FATAL_FAILURE(ExpectTokensOfTheIndex(text));
  }
}

// ASCII is read byte by byte: parts of identifiers, truncated long words, and words too long to be
// split.
TEST(TokenPlacesTest, AsciiTokensAreThoseOfTheIndex) {
  constexpr std::string_view kLetters = "abeingsedxABXS019_";
  std::mt19937_64 random(TestSeed(9));
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t words = random() % 5; words-- > 0;) {
      const size_t most = round % 8 == 0 ? 150 : 15;
      for (size_t i = random() % most; i-- > 0;) text += kLetters[random() % kLetters.size()];
      text += " -(\n.:#+/"[random() % 9];
    }
    ASSERT_NO_FATAL_FAILURE(ExpectTokensOfTheIndex(text));
  }
}

}  // namespace
}  // namespace recall
