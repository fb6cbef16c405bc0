#include "index/base/text/tokenizer.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "index/base/text/utf8.h"
#include "tests/test_util.h"

namespace recall {
namespace {

LexicalText Analyze(std::string_view text, std::string_view heading = "") {
  LexicalText lexical;
  Tokenizer().Analyze(heading, text, &lexical);
  return lexical;
}

LexicalText AnalyzeAs(uint32_t version, std::string_view text) {
  LexicalText lexical;
  Tokenizer(version).Analyze("", text, &lexical);
  return lexical;
}

LexicalText AnalyzeIn(Tokenizer& tokenizer, std::string_view language, std::string_view text) {
  LexicalText lexical;
  tokenizer.SetLanguage(language);
  tokenizer.Analyze("", text, &lexical);
  return lexical;
}

std::vector<std::string> Split(const std::string& tokens) {
  std::istringstream stream(tokens);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

struct Case {
  const char* text;
  const char* body;
  const char* compound = "";
};

TEST(Tokenizer, DividesFoldsAndStems) {
  const Case cases[] = {
      {"", ""},
      {" \t\n.,;!?()[]{}<>/\\|@#$%^&*+-=~`'\"", ""},
      {"The quick brown Foxes", "the quick brown fox"},
      {"don't — “quoted”…", "don t quot"},
      {"kebab-case a/b/c.txt", "kebab case a b c txt", "kebabcas"},
      {"UTF8 sha256 3.14 1e9", "utf8 sha256 3 14 1e9"},
      {"as is us IT", "as is us it"},  // words of two letters are not stemmed
      {"technology technological", "technolog technolog"},
      {"Café CAFÉ Cafe\u0301 cafe", "cafe cafe cafe cafe"},
      {"naïve Ångström über Straße", "naiv angstrom uber straße"},
      {"ﬁne ｆｕｌｌ　ｗｉｄｔｈ x² ① ½ ℡ ™", "fine full width x2 1 1 2 tel tm"},
      {"ΟΔΟΣ οδός Ὀδυσσεύς", "οδοσ οδοσ οδυσσευσ"},
      {"Привет ЁЛКА ёлка Йод", "привет елка елка иод"},
      {"İstanbul ISTANBUL", "istanbul istanbul"},
      {"한국어 텍스트", "한국어 텍스트"},
      {"हिन्दी भाषा", "हिन्दी भाषा"},  // marks stay inside words
      {"العَرَبِيَّة", "العَرَبِيَّة"},
      {"hy\u00ADphen zero\u200Bwidth join\u2060ed ❤\uFE0F", "hyphen zero width join"},
      {"\u0301\u0301 \uFE0F", ""},  // a mark alone is not a word
  };
  for (const Case& c : cases) {
    const LexicalText lexical = AnalyzeAs(2, c.text);
    EXPECT_EQ(Analyze(c.text).body, c.body) << c.text;
    EXPECT_EQ(lexical.body, c.body) << c.text;
    EXPECT_EQ(lexical.compound, c.compound) << c.text;
    EXPECT_EQ(lexical.tokens, Split(lexical.body).size()) << c.text;
  }
}

// Text without a word, which was once read again from each of its bytes: for an hour in this test.
TEST(Tokenizer, ALongRunOfSeparatorsIsReadOnce) {
  std::string text(32'000'000, '{');
  text += "end";
  EXPECT_EQ(Analyze(text).body, "end");
  text.resize(text.size() - 3);
  EXPECT_EQ(Analyze(text).body, "");
}

TEST(Tokenizer, ScriptsWithoutSpacesBecomeBigrams) {
  const Case cases[] = {
      {"日本語", "日本 本語"},
      {"字", "字"},
      {"中文，字。", "中文 字"},
      {"ｶﾞｷﾞ がぎ", "ガギ がぎ"},  // half-width; voiced marks are composed
      {"日本語のAPIを使う", "日本 本語 語の api を使 使う"},
      {"สวัสดี", "สว วั ัส สด ดี"},
      {"ພາສາ", "ພາ າສ ສາ"},
      {"မြန်မာ", "မြ ြန န် ်မ မာ"},
      {"ខ្មែរ", "ខ្ ្ម មែ ែរ"},
      {"葛\U000E0100飾", "葛飾"},  // a variation selector is ignored
      {"𠮷野家", "𠮷野 野家"},
  };
  for (const Case& c : cases) {
    const LexicalText lexical = Analyze(c.text);
    EXPECT_EQ(lexical.body, c.body) << c.text;
    EXPECT_EQ(lexical.compound, "") << c.text;
    EXPECT_EQ(lexical.tokens, Split(lexical.body).size()) << c.text;
  }
}

TEST(Tokenizer, IdentifiersAreIndexedInPartsAndWhole) {
  const Case cases[] = {
      {"fooBar", "foo bar", "foobar"},
      {"FooBar", "foo bar", "foobar"},
      {"foo_bar", "foo bar", "foobar"},
      {"FOO_BAR", "foo bar", "foobar"},
      {"foobar", "foobar", ""},
      {"HTTPRequests", "http request", "httprequest"},  // stemmed like the separate words
      {"parseHTTPRequest_v2", "pars http request v2", "parsehttprequestv2"},
      {"utf8Decoder", "utf8 decod", "utf utf8decoder"},
      {"__init__", "init", ""},
      {"_private", "privat", ""},
      {"kMax", "k max", "kmax"},
      {"CPUs and URLs", "cpu and url", ""},  // a plural s does not start a part
      {"5Mb", "5mb", "5 mb"},
      {"MD5SUM", "md5sum", "md sum"},
      {"parse_json2xml a1b2c3 de12345fg", "pars json2xml a1b2c3 de12345fg",
       "json xml parsejson2xml"},
      {"x86_64", "x86 64", "x8664"},
      {"fooBär été_Über", "foo bar et uber", "baer foobar ueber eteub"},
      {"ПриветМир", "привет мир", "приветмир"},
      {"std::vectorSize", "std vector size", "vectors stdvectors"},
  };
  for (const Case& c : cases) {
    const LexicalText lexical = Analyze(c.text);
    EXPECT_EQ(lexical.body, c.body) << c.text;
    EXPECT_EQ(lexical.compound, c.compound) << c.text;
    EXPECT_EQ(lexical.tokens, Split(lexical.body).size()) << c.text;
  }
}

// The marks that stand before the words of #include and --force.
constexpr const char* kHash = "\uE001";
constexpr const char* kDash = "\uE002";

TEST(Tokenizer, NamesAreIndexedInPartsAndWhole) {
  const std::string include = std::string(kHash) + "includ";
  const std::string force = std::string(kDash) + "forc";
  const Case cases[] = {
      {"std::move", "std move", "stdmove"},
      {"(std::move).", "std move", "stdmove"},
      {"node.js", "node js", "nodej"},
      {"a.b.c", "a b c", "abc"},
      {"memory-limit --memory-limit", "memori limit memori limit", "memorylimit memorylimit"},
      {"e-mail", "e mail", "email"},  // also finds the plain word
      {"utf-8", "utf 8", "utf8"},
      {"foo_bar.baz", "foo bar baz", "foobar foobarbaz"},
      {"Müller-Lüdenscheidt", "muller ludenscheidt", "mullerludenscheidt"},
      {"C++", "c", "cplusplu"},  // like the plain word cplusplus
      {"C++17, g++", "c 17 g", "cplusplu gplusplu"},
      {"C# F#.", "c f", "csharp fsharp"},
      {".NET (.bashrc)", "net bashrc", "dotnet dotbashrc"},
      {"~/.bashrc", "bashrc", "dotbashrc"},
      {"#include <x>", "includ x", include.c_str()},
      {"use --force", "us forc", force.c_str()},
      // Sentences, versions, dates, paths, addresses and formulas have none.
      {"The end. Then", "the end then"},
      {"end.", "end"},
      {"1.2.3 2020-01-02 3-d", "1 2 3 2020 01 02 3 d"},
      {"/usr/share/foo-bar foo-bar/x", "usr share foo bar foo bar x"},
      {"a@b.org http://b.org/ \\foo.bar", "a b org http b org foo bar"},
      {"a.b.c.d e.g. a.b", "a b c d e g a b"},
      {"libfoo-2.1 TLS1.3", "libfoo 2 1 tls1 3", "libfoo2"},
      {"-a --- word -- word a--b", "a word word a b"},
      {"a+b a++++b c## 5++ #1 &#x41; a#b", "a b a b c 5 1 x41 a b"},
      {"foo- -foo foo: :foo ...foo", "foo foo foo foo foo"},
      {"日本.foo foo.日本", "日本 foo foo 日本"},
  };
  for (const Case& c : cases) {
    const LexicalText lexical = AnalyzeAs(2, c.text);
    EXPECT_EQ(Analyze(c.text).body, c.body) << c.text;
    EXPECT_EQ(lexical.body, c.body) << c.text;
    EXPECT_EQ(lexical.compound, c.compound) << c.text;
    EXPECT_EQ(lexical.tokens, Split(lexical.body).size()) << c.text;
    const LexicalText before = AnalyzeAs(1, c.text);
    EXPECT_EQ(before.body, c.body) << c.text;
    EXPECT_EQ(before.compound, std::string_view(c.text).starts_with("foo_bar") ? "foobar" : "");
  }
}

// The names of an ASCII text, in the words of the documentation, with regular expressions.
std::vector<std::string> NamesOf(const std::string& text) {
  const std::regex chains("\\w+((-|::|\\.(?!\\d))\\w+)*");
  const std::regex joined("[a-zA-Z_]\\w*((-|::|\\.)\\w+){1,2}");
  const std::regex word("[a-zA-Z]\\w*");
  std::vector<std::string> names;
  for (std::sregex_iterator chain(text.begin(), text.end(), chains), end; chain != end; ++chain) {
    const std::string found = chain->str();
    const std::string before = text.substr(0, static_cast<size_t>(chain->position()));
    const std::string after = text.substr(before.size() + found.size());
    const auto precedes = [&](const char* pattern) {
      return std::regex_search(before, std::regex(std::string(pattern) + "$"));
    };
    const auto follows = [&](const char* pattern) {
      return std::regex_search(after, std::regex(std::string("^") + pattern));
    };
    if (found.size() > 32) continue;
    if (std::regex_match(found, joined) && found.size() >= 4) {
      if (!precedes("[/@\\\\]") && !follows("[/@\\\\]")) names.push_back(found);
    } else if (std::regex_match(found, word)) {
      const std::string mark = before.empty() ? "" : before.substr(before.size() - 1);
      if (follows("\\+\\+(?!\\+)")) {
        names.push_back(found + "++");
      } else if (found.size() == 1 && follows("#(?![\\w#])")) {
        names.push_back(found + "#");
      } else if (precedes("(^|[\\s(\\[`/])[.#]")) {
        names.push_back(mark + found);
      } else if (precedes("(^|[^\\w-])--")) {
        names.push_back("--" + found);
      }
    }
  }
  return names;
}

TEST(Tokenizer, NamesAreThoseOfTheDocumentation) {
  const std::string kPieces[] = {"a", "B",  "foo", "7", "_", ".", "-", ":",  "::",  "+",     "++",
                                 "#", "--", " ",   "(", "/", "@", "`", "\n", "x-y", "longer"};
  std::mt19937_64 random(TestSeed(11));
  Tokenizer tokenizer;
  for (int round = 0; round < 1500; ++round) {
    std::string text;
    for (uint64_t i = random() % 14; i > 0; --i) text += kPieces[random() % std::size(kPieces)];
    std::vector<std::string> names;
    for (const Tokenizer::Word& word : tokenizer.AnalyzeQuery(text)) {
      if (!word.name.empty()) names.push_back(word.name_text);
    }
    // A part of underscores only is not a word.
    std::vector<std::string> expected = NamesOf(text);
    std::erase_if(expected, [](const std::string& name) {
      return std::regex_search(name, std::regex("(^|[.:-])_+($|[.:-])"));
    });
    ASSERT_EQ(names, expected) << text;
  }
}

TEST(Tokenizer, WordsOfAPathHaveTokensOfTheirOwn) {
  const auto words = [](std::string_view path) {
    std::string shown;
    for (const std::string& token : Split(Tokenizer().AnalyzePath(path))) {
      EXPECT_TRUE(token.starts_with("\uE000")) << path;
      shown += (shown.empty() ? "" : " ") + token.substr(3);
    }
    return shown;
  };
  EXPECT_EQ(words("bash/copyright"), "bash copyright");
  EXPECT_EQ(words("usr/share/doc/bash/copyright"), "bash copyright");
  EXPECT_EQ(words("README.md"), "readm");
  EXPECT_EQ(words("/notes.d/.profile"), "note profil");
  EXPECT_EQ(words("src/tokenPlacer_test.cc"), "src token placer test");
  EXPECT_EQ(words("the/of.txt"), "") << "function words";
  EXPECT_EQ(words("2024/12345"), "2024 12345");
  EXPECT_EQ(Tokenizer(2).AnalyzePath("2024/12345"), "") << "numbers";
  EXPECT_EQ(words("Straße"), "strass");
  EXPECT_EQ(Tokenizer(2).AnalyzePath("Straße", "title"), "\uE000straße");
  EXPECT_EQ(Tokenizer().AnalyzePath("a/bash.txt", "The bash of 2024"), "\uE000bash \uE0002024");
  EXPECT_EQ(words("a/a-b-c1.txt"), "c1");
  EXPECT_EQ(words("bash/bash-bash.txt"), "bash") << "once";
  EXPECT_EQ(words("メモ/日本語.txt"), "メモ 日本 本語");
  EXPECT_EQ(words("p\xE9th\xFF/x"), "th");
  EXPECT_EQ(words(""), "");
  EXPECT_EQ(words("///"), "");
  EXPECT_EQ(Tokenizer(1).AnalyzePath("bash/copyright"), "");

  Tokenizer tokenizer;
  LexicalText lexical;
  tokenizer.Analyze("", "fooBar", &lexical, tokenizer.AnalyzePath("bash/x"));
  EXPECT_EQ(lexical.compound, "foobar \uE000bash");
  EXPECT_EQ(lexical.tokens, 2u) << "not a part of the length";
}

TEST(Tokenizer, AHeadingThatTheTextStartsWithCountsOnce) {
  EXPECT_EQ(Analyze("Run the setup.", "Guide > Install").body, "guid instal run the setup");
  EXPECT_EQ(Analyze("## Install\nRun it.", "Guide > Install").body, "guid instal run it");
  EXPECT_EQ(Analyze("Install\n=======\nRun it.", "Guide > Install").body, "guid instal run it");
  EXPECT_EQ(Analyze("\n# *Install* #\nRun it.", "Install").body, "instal run it");
  EXPECT_EQ(Analyze("# A > B\nText", "Top > A > B").body, "top a b text");
  EXPECT_EQ(Analyze("# B\nText", "Top > A > B").body, "top a b text");
  EXPECT_EQ(Analyze("Installation notes", "Guide > Install").body, "guid instal instal note");
  EXPECT_EQ(Analyze("", "Guide > Install").body, "guid instal");
  EXPECT_EQ(Analyze("# fooBar\nx", "Api > fooBar").compound, "foobar");
}

TEST(Tokenizer, LongWordsAreCutNotLost) {
  const std::string same(200, 'q');
  EXPECT_EQ(Analyze(same).body, std::string(kMaxTokenBytes, 'q'));
  EXPECT_EQ(Analyze(same).body, Analyze(same + "q").body);
  std::string accents;
  for (int i = 0; i < 100; ++i) accents += "ß";
  EXPECT_EQ(Analyze("a" + accents).body.size(), kMaxTokenBytes - 1);  // only whole characters
  // A line of base64 is not split like an identifier.
  std::string encoded;
  while (encoded.size() < 64) encoded += "aGVsbG8gd29ybGQh";
  encoded.resize(64);
  EXPECT_EQ(Analyze(encoded).tokens, 1u);
}

TEST(Tokenizer, HugeSegmentsTakeLinearTime) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "aB_";
  EXPECT_EQ(Analyze(text).tokens, 400000u);
  text.clear();
  for (int i = 0; i < 300000; ++i) text += i % 2 ? "\u0327" : "\u05B0";  // marks out of order
  EXPECT_LE(Analyze("x" + text).tokens, 1u);
  text.clear();
  for (int i = 0; i < 200000; ++i) text += "漢";
  EXPECT_EQ(Analyze(text).tokens, 199999u);
  std::string heading;
  for (int i = 0; i < 100000; ++i) heading += " > ";
  EXPECT_EQ(Analyze("word", heading).body, "word");
}

TEST(Tokenizer, QueriesAreReadAsTextIs) {
  Tokenizer tokenizer;
  const auto words = tokenizer.AnalyzeQuery("Running fooTests 日本語 sha256");
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[0].stems, std::vector<std::string>({"run"}));
  EXPECT_EQ(words[0].surface, "running");
  EXPECT_EQ(words[0].whole, "");
  EXPECT_EQ(words[1].stems, std::vector<std::string>({"foo", "test"}));
  EXPECT_EQ(words[1].surface, "footests");
  EXPECT_EQ(words[1].whole, "footest");
  EXPECT_EQ(words[1].whole, Analyze("footests").body);  // also finds the plain word
  EXPECT_EQ(words[2].stems, std::vector<std::string>({"日本", "本語"}));
  EXPECT_EQ(words[2].surface, "日本語");
  EXPECT_EQ(words[3].surface, "sha256");

  const auto names = tokenizer.AnalyzeQuery("x std::move_it C++");
  ASSERT_EQ(names.size(), 4u);
  EXPECT_EQ(names[1].name, "");
  EXPECT_EQ(names[2].whole, "moveit");
  EXPECT_EQ(names[2].name, "stdmoveit");
  EXPECT_EQ(names[2].name_text, "std::move_it");
  EXPECT_EQ(names[2].name_words, 2u);
  EXPECT_FALSE(names[2].name_is_marked);
  EXPECT_EQ(names[3].name, "cplusplu");
  EXPECT_EQ(names[3].name_words, 1u);
  EXPECT_TRUE(names[3].name_is_marked);
  EXPECT_EQ(Tokenizer(1).AnalyzeQuery("C++").front().name, "");
  EXPECT_TRUE(tokenizer.AnalyzeQuery("... \xFF -").empty());
}

// A text that mixes scripts, identifiers, symbols and ill-formed bytes.
std::string RandomText(std::mt19937_64& random) {
  static const std::vector<std::string> kPieces = {
      "fooBar", "snake_case", "Word", "running", "日本語",     "é",      "E\u0301",
      "\xFF",   "\xE2\x82",   "ｶﾞ",   "½",       "ß",          "_",      "-",
      " ",      "\n",         "99",   "กำ",      "Ω",          "\u200D", "\u0345",
      "ǅ",      "ﷺ",          "㍿",   "℀",       "\U0001F642", "́",       ".",
      "::",     "++",         "#",    "--",      "a",          "C",      "/"};
  std::string text;
  for (uint64_t i = random() % 12; i > 0; --i) {
    const uint64_t kind = random() % 8;
    if (kind == 0) {
      text += static_cast<char>(random());
    } else if (kind == 1) {
      const auto code_point = static_cast<uint32_t>(random() % 0x30000);
      AppendUtf8(code_point, &text);
    } else {
      text += kPieces[random() % kPieces.size()];
    }
  }
  return text;
}

bool IsTokenText(std::string_view text) {
  char before = ' ';
  for (const char c : text) {
    const bool token =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (!token && (c != ' ' || before == ' ')) return false;
    before = c;
  }
  return text.empty() || before != ' ';
}

// The tokens of a query text, and of a text: those of version 2, and the further ones apart.
TEST(Tokenizer, AnyBytesGiveWellFormedTokensThatQueriesFind) {
  std::mt19937_64 random(TestSeed(3));
  Tokenizer warm;
  Tokenizer second(2);
  LexicalText lexical;
  for (int round = 0; round < 30000; ++round) {
    const std::string text = RandomText(random);
    warm.Analyze("", text, &lexical);
    ASSERT_TRUE(IsTokenText(lexical.body)) << text;
    ASSERT_TRUE(IsTokenText(lexical.compound)) << text;
    ASSERT_TRUE(IsValidUtf8(lexical.body + lexical.compound)) << text;
    ASSERT_EQ(lexical.tokens, Split(lexical.body).size()) << text;
    std::string stems;
    std::string wholes;
    std::string without_names;
    const auto add = [](const std::string& token, std::string* to) {
      if (!token.empty()) *to += (to->empty() ? "" : " ") + token;
    };
    for (const Tokenizer::Word& word : second.AnalyzeQuery(text)) {
      for (const std::string& stem : word.stems) add(stem, &stems);
      add(word.whole, &wholes);
      add(word.whole, &without_names);
      add(word.name, &wholes);
    }
    ASSERT_EQ(stems, lexical.body) << text;
    const LexicalText middle = AnalyzeAs(2, text);
    ASSERT_EQ(middle.body, lexical.body) << text;
    ASSERT_EQ(middle.compound, wholes) << text;
    const LexicalText before = AnalyzeAs(1, text);
    ASSERT_EQ(before.body, lexical.body) << text;
    ASSERT_EQ(before.compound, without_names) << text;
    // What a query asks for is what a text has: all pieces and symbols, and each other spelling.
    const std::vector<std::string> compound = Split(lexical.compound);
    const std::multiset<std::string> has(compound.begin(), compound.end());
    for (const std::string& token : Split(middle.compound)) ASSERT_TRUE(has.contains(token));
    for (const Tokenizer::Word& word : warm.AnalyzeQuery(text)) {
      ASSERT_EQ(word.stems.size(), word.variants.size());
      if (word.is_symbol) {
        ASSERT_TRUE(has.contains(word.stems.at(0))) << text;
      }
      ASSERT_TRUE(word.joined.empty() || has.contains(word.joined)) << text;
      for (const std::string& piece : word.pieces) ASSERT_TRUE(has.contains(piece)) << text;
      for (const auto& variants : word.variants) {
        for (const std::string& variant : variants) ASSERT_TRUE(has.contains(variant)) << text;
      }
    }
  }
}

// What version 3 has beside the tokens of version 2.
TEST(Tokenizer, OtherSpellingsPiecesAndSymbols) {
  const Case cases[] = {
      {"Straße ẞ Größe", "straße ß große", "strass ss gross groess"},
      {"Łódź Đorđe Œuvre Ærø Þór ħ ŋ", "łodz đorđe œuvre ærø þor ħ ŋ",
       "lodz dord oeuvr aero thor h ng"},
      {"Işık ıspanak İzmir", "isık ıspanak izmir", "isik ispanak"},
      {"العالم بالعالم وكتاب", "العالم بالعالم وكتاب", "عالم عالم كتاب"},
      {"مدرسة إلى كـتاب", "مدرسة إلى كـتاب", "مدرس ال كتاب"},
      {"השלום ירושלים", "השלום ירושלים", "שלום"},
      {"क़लम ज़रा", "क़लम ज़रा", "कलम जरा जर"},
      {"Столицей Й и\u0306 книгой", "столицеи и и книгои", "столиц книг"},
      {"검색은 한 API를", "검색은 한 api를", "검색 색은 api 를"},
      {"go 🚀🚀 👩‍💻 ❤️❤ 🇩🇪🇫🇷 👍🏽 ✅", "go",
       "🚀 🚀 👩‍💻 ❤ ❤ 🇩🇪 🇫🇷 👍 ✅"},
      {"a → b ≠ c │ ░ ⠋ \xFF + |", "a b c", "→ ≠"},
      {"1.2.3 v3.11.0rc2.", "1 2 3 v3 11 0rc2", "1\uE0082\uE0083 3\uE00811\uE0080rc2"},
      {"192.168.10.42, 38.101", "192 168 10 42 38 101", "192\uE008168\uE00810\uE00842 38\uE008101"},
      {"$4,200/seat 1,234,567.89 1,2 12,3456", "4 200 seat 1 234 567 89 1 2 12 3456",
       "4200 1234567 1234567\uE00889"},
      {"2024-03-15T10:20 555-0142 15/03/2024 1/2", "2024 03 15t10 20 555 0142 15 03 2024 1 2",
       "2024\uE00803\uE00815 555\uE0080142 15\uE00803\uE0082024"},
      {"5GB python3 sha256sum mp3 3fa85f64", "5gb python3 sha256sum mp3 3fa85f64",
       "5 gb python sha sum"},
      {"Köln Ålborg ku\u0308hl", "koln alborg kuhl", "koeln aalborg kuehl"},
      {"Acme™ Theorem¹ x²", "acmetm theorem1 x2", "acm theorem"},
      {"don't O’Reilly's the dogs' John's", "don t o reilli s the dog john s", "dont oreilli"},
  };
  for (const Case& c : cases) {
    const LexicalText lexical = Analyze(c.text);
    EXPECT_EQ(lexical.body, c.body) << c.text;
    EXPECT_EQ(lexical.compound, c.compound) << c.text;
  }
}

TEST(Tokenizer, TheCacheChangesNothing) {
  std::mt19937_64 random(TestSeed(4));
  Tokenizer warm;
  LexicalText lexical;
  // More different words than the cache can hold.
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "w" + std::to_string(random() % 80000) + "Running ";
  for (int round = 0; round < 2; ++round) warm.Analyze("", text, &lexical);
  const LexicalText cold = Analyze(text);
  EXPECT_EQ(lexical.body, cold.body);
  EXPECT_EQ(lexical.compound, cold.compound);
  EXPECT_EQ(lexical.tokens, cold.tokens);
  for (int i = 0; i < 300; ++i) {
    const std::string piece = RandomText(random);
    warm.Analyze("", piece, &lexical);
    EXPECT_EQ(lexical.body, Analyze(piece).body);
    EXPECT_EQ(lexical.compound, Analyze(piece).compound);
  }
}

// Segments are queued while their cache entries are on the way; names stand among them.
TEST(Tokenizer, SegmentsAndNamesKeepTheirOrder) {
  std::string text;
  LexicalText expected;
  for (int i = 0; i < 200; ++i) {
    const std::string number = std::to_string(i);
    std::string piece = "node" + number + ".js fooBar" + number + " é" + number;
    for (int j = 0; j < i % 7; ++j) piece += " --force" + number;
    const LexicalText alone = Analyze(piece);
    expected.body += (i == 0 ? "" : " ") + alone.body;
    expected.compound += (i == 0 ? "" : " ") + alone.compound;
    expected.tokens += alone.tokens;
    text += piece + "\n";
  }
  Tokenizer tokenizer;
  LexicalText lexical;
  for (int round = 0; round < 3; ++round) {
    tokenizer.Analyze("", text, &lexical);
    EXPECT_EQ(lexical.body, expected.body);
    EXPECT_EQ(lexical.compound, expected.compound);
    EXPECT_EQ(lexical.tokens, expected.tokens);
  }
}

TEST(Tokenizer, FoldedWordsFoldToThemselves) {
  std::mt19937_64 random(TestSeed(5));
  Tokenizer tokenizer;
  for (int round = 0; round < 30000; ++round) {
    for (const Tokenizer::Word& word : tokenizer.AnalyzeQuery(RandomText(random))) {
      if (word.is_symbol) continue;
      const auto again = tokenizer.AnalyzeQuery(word.surface);
      ASSERT_EQ(again.size(), 1u) << word.surface;
      ASSERT_EQ(again[0].surface, word.surface);
    }
  }
}

// FTS5's `ascii` tokenizer must produce exactly the tokens that we wrote.
TEST(Tokenizer, Fts5IndexesExactlyOurTokens) {
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &connection), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(connection,
                         "CREATE VIRTUAL TABLE t USING fts5(body, compound, tokenize='ascii');"
                         "CREATE VIRTUAL TABLE v USING fts5vocab(t, 'row'); BEGIN",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  std::mt19937_64 random(TestSeed(6));
  std::set<std::string> expected;
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(connection, "INSERT INTO t VALUES(?1, ?2)", -1, &statement, nullptr);
  for (int i = 0; i < 2000; ++i) {
    const LexicalText lexical = Analyze(RandomText(random));
    for (const std::string& tokens : {lexical.body, lexical.compound}) {
      for (const std::string& token : Split(tokens)) expected.insert(token);
    }
    sqlite3_bind_text(statement, 1, lexical.body.c_str(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 2, lexical.compound.c_str(), -1, SQLITE_TRANSIENT);
    EXPECT_EQ(sqlite3_step(statement), SQLITE_DONE);
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  std::set<std::string> found;
  sqlite3_prepare_v2(connection, "SELECT term FROM v", -1, &statement, nullptr);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    found.insert(reinterpret_cast<const char*>(sqlite3_column_text(statement, 0)));
  }
  sqlite3_finalize(statement);
  sqlite3_close(connection);
  EXPECT_EQ(found, expected);
  EXPECT_GT(found.size(), 1000u);
}

TEST(TokenizerLanguages, WordsHaveTheStemsOfTheirLanguageBesideThem) {
  Tokenizer tokenizer;
  EXPECT_EQ(AnalyzeIn(tokenizer, "de", "alte Häuser").body, "alt hauser");
  EXPECT_EQ(AnalyzeIn(tokenizer, "de", "alte Häuser").compound, "haeuser haus");
  EXPECT_EQ(AnalyzeIn(tokenizer, "", "alte Häuser").compound, "haeuser");
  EXPECT_EQ(AnalyzeIn(tokenizer, "en", "alte Häuser").compound, "haeuser");
  EXPECT_EQ(AnalyzeIn(tokenizer, "de", "fooBars").compound, "foobar");  // no word of German
  Tokenizer older(2);
  EXPECT_EQ(AnalyzeIn(older, "de", "Häuser").compound, "");
}

// The tokens of a segment are cached by language.
TEST(TokenizerLanguages, TheTokensOfATextDependOnNothingBefore) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "Häuser evlerimizden maisons ";
  Tokenizer used;
  for (const char* language : {"de", "tr", "", "de", "fr", "tr", "en", "de"}) {
    Tokenizer fresh;
    EXPECT_EQ(AnalyzeIn(used, language, text).compound, AnalyzeIn(fresh, language, text).compound);
  }
}

TEST(TokenizerLanguages, WordsOfAQuestionHaveTheirStemsInEachLanguage) {
  Tokenizer tokenizer;
  EXPECT_TRUE(tokenizer.QuestionLanguages("Häuser").empty());
  const std::vector<std::string> stored = {"de", "en", "tr"};
  tokenizer.SetSearchedLanguages(stored);
  const auto languages = tokenizer.QuestionLanguages("Häuser");
  EXPECT_EQ(languages, (std::vector<std::string>{"de", "tr"}));
  const auto words = tokenizer.AnalyzeQuery("Häuser", languages);
  ASSERT_EQ(words.size(), 1u);
  EXPECT_EQ(words[0].stems, std::vector<std::string>{"hauser"});
  EXPECT_EQ(words[0].forms.front(), "haus");
  EXPECT_TRUE(tokenizer.AnalyzeQuery("Häuser")[0].forms.empty());
}

}  // namespace
}  // namespace recall
