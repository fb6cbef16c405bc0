#include "index/search/lexical_query/lexical_query.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/test_util.h"

namespace recall {
namespace {

std::string Show(const FtsPhrase& phrase) {
  std::string shown;
  for (const std::string& token : phrase.tokens) shown += (shown.empty() ? "" : " ") + token;
  return shown + (phrase.prefix ? "*" : "");
}

// Prints a query, for example "+[foo bar
// foobar]x2 -[a*]": occur, phrases, count.
std::string Show(const LexicalQuery& query) {
  std::string shown;
  for (const LexicalClause& clause : query.clauses) {
    if (!shown.empty()) shown += ' ';
    if (clause.occur == LexicalClause::Occur::kMust) shown += '+';
    if (clause.occur == LexicalClause::Occur::kMustNot) shown += '-';
    std::string phrases;
    for (const FtsPhrase& phrase : clause.any_of) {
      phrases += (phrases.empty() ? "" : "|") + Show(phrase);
    }
    shown += '[' + phrases + ']';
    if (clause.count > 1) shown += 'x' + std::to_string(clause.count);
  }
  return shown;
}

std::string Parse(std::string_view text) {
  Tokenizer tokenizer;
  return Show(ParseLexicalQuery(text, tokenizer));
}

struct QueryCase {
  const char* text;
  const char* clauses;
};

TEST(LexicalQuery, UnderstandsWordsAndOperators) {
  const QueryCase cases[] = {
      {"", ""},
      {"red apples", "[red] [appl]"},
      {"red OR apples", "[red] [appl]"},
      {"apple apples APPLE", "[appl]x3"},
      {"\"red apples\"", "+[red appl]"},
      {"\"red\" red", "[red]x2"},
      {"\"red apples\" pie", "[red] [appl] [red appl] [pie]"},
      {"who wrote \"the red apple\"", "[wrote] [red] [appl] [the red appl]"},
      {"\"red apples\" \"green pears\"", "[red] [appl] [red appl] [green] [pear] [green pear]"},
      {"\"red apples\" -\"green pears\"", "+[red appl] -[green pear]"},
      {"+red -apples", "+[red] -[appl]"},
      {"+\"red apples\" -\"green pears\"", "+[red appl] -[green pear]"},
      {"appl*", "[appl*]"},
      {"+appl* -pea*", "+[appl*] -[pea*]"},
      {"technologies*", "[technologies*|technolog]"},
      {"runni*", "[runni*]"},
      {"+red red", "+[red] [red]"},
      {"std::vector a.b", "[std] [vector] [stdvector] [b]"},
      {"+std::vector", "+[std vector|stdvector]"},
      {"-foo-bar", "-[foo bar|foobar]"},
      {"red-appl*", "[red] [appl*]"},
      {"+red-appl*", "+[red appl*]"},
      {"(red AND apple) NOT pear NEAR(x y)", "[red] [appl] [pear] [near] [x] [y]"},
      {"body:red ^apple {red} col:*", "[bodi] [red]x2 [appl] [col*]"},
  };
  for (const QueryCase& c : cases) EXPECT_EQ(Parse(c.text), c.clauses) << c.text;
}

TEST(LexicalQuery, IdentifiersAreAskedForInPartsAndWhole) {
  EXPECT_EQ(Parse("fooBar"), "[foo] [bar] [foobar]");
  EXPECT_EQ(Parse("foo_bar fooBar"), "[foo]x2 [bar]x2 [foobar]x2");
  EXPECT_EQ(Parse("foobar"), "[foobar]");
  EXPECT_EQ(Parse("+fooBar"), "+[foo bar|foobar]");
  EXPECT_EQ(Parse("-fooBar"), "-[foo bar|foobar]");
  EXPECT_EQ(Parse("\"fooBar\""), "+[foo bar|foobar]");
  EXPECT_EQ(Parse("\"call fooBar\""), "+[call foo bar]");
  EXPECT_EQ(Parse("\"fooBar\" x"), "[foo] [bar] [foobar] [foo bar|foobar] [x]");
  EXPECT_EQ(Parse("fooBa*"), "[foo ba*|fooba*]");
  EXPECT_EQ(Parse("isOpen"), "[open] [isopen]");  // a part may be a stop word
}

TEST(LexicalQuery, NamesAreAskedForInPartsAndWhole) {
  EXPECT_EQ(Parse("std::move"), "[std] [move] [stdmove]");
  EXPECT_EQ(Parse("node.js e-mail"), "[node] [js] [nodej] [e] [mail] [email]");
  EXPECT_EQ(Parse("--memory-limit"), "[memori] [limit] [memorylimit]");
  EXPECT_EQ(Parse("out-of-date"), "[out] [date] [outofd]");
  EXPECT_EQ(Parse("\"std::move\""), "+[std move|stdmove]");
  EXPECT_EQ(Parse("\"call std::move\""), "+[call std move]");
  EXPECT_EQ(Parse("C++ C# .NET"), "[c]x2 [cplusplu] [csharp] [net] [dotnet]");
  // The words of a marked name are not the name.
  EXPECT_EQ(Parse("+C++ parser"), "+[cplusplu] [parser]");
  EXPECT_EQ(Parse("parser -C++"), "[parser] -[cplusplu]");
  EXPECT_EQ(Parse("\"C++\""), "+[cplusplu]");
  EXPECT_EQ(Parse("parser -\"--force\""), "[parser] -[\uE002forc]");
  EXPECT_EQ(Parse("th-is law"), "[th] [law]") << "the name is a function word";
  Tokenizer first(1);
  EXPECT_EQ(Show(ParseLexicalQuery("std::move C++", first)), "[std] [move] [c]");
  Tokenizer tokenizer;
  const LexicalQuery query = ParseLexicalQuery("use std::move", tokenizer);
  EXPECT_EQ(query.clauses.back().text, "std::move");
  EXPECT_TRUE(query.clauses.back().optional);
}

TEST(LexicalQuery, PlainWordsAreAskedForInPaths) {
  const auto words = [](std::string_view text, uint32_t version = kTokenizerVersion) {
    Tokenizer tokenizer(version);
    std::string shown;
    for (const PathWord& word : ParseLexicalQuery(text, tokenizer).path_words) {
      EXPECT_TRUE(word.token.starts_with("\uE000")) << text;
      shown += (shown.empty() ? "" : " ") + word.token.substr(3);
      if (word.count > 1) shown += 'x' + std::to_string(word.count);
    }
    return shown;
  };
  EXPECT_EQ(words("who maintains bash in debian"), "maintain bash debian");
  EXPECT_EQ(words("bash bash 42 b"), "bashx2 42");
  EXPECT_EQ(words("bash bash 42 b", 2), "bashx2");
  EXPECT_EQ(words("+bash -debian \"a phrase\" pre*"), "phrase");
  EXPECT_EQ(words("bash", 1), "");
}

TEST(LexicalQuery, ScriptsWithoutSpacesAreAskedForInBigrams) {
  EXPECT_EQ(Parse("日本語"), "[日本] [本語]");
  EXPECT_EQ(Parse("\"日本語\""), "+[日本 本語]");
  EXPECT_EQ(Parse("+日本語"), "+[日本 本語]");
  EXPECT_EQ(Parse("日*"), "[日*]");
  // The index has a lone character only where the text has it alone.
  EXPECT_EQ(Parse("日"), "[日*]");
  EXPECT_EQ(Parse("日 -語"), "[日*] -[語*]");
  EXPECT_EQ(Parse("日 +本"), "[日] +[本*]");
  EXPECT_EQ(Parse("\"日\""), "+[日*]");
  EXPECT_EQ(Parse("検索　-日本"), "[検索] -[日本]");  // an ideographic space
}

TEST(LexicalQuery, FunctionWordsGoUnlessNothingElseIsAsked) {
  EXPECT_EQ(Parse("what is the history of the apple"), "[histori] [appl]");
  EXPECT_EQ(Parse("to be or not to be"), "[to]x2 [be]x2 [or] [not]");
  EXPECT_EQ(Parse("The"), "[the]");
  EXPECT_EQ(Parse("the -apple"), "[the] -[appl]");
  EXPECT_EQ(Parse("the +apple"), "+[appl]");
  EXPECT_EQ(Parse("+the apple"), "+[the] [appl]");
  EXPECT_EQ(Parse("apple \"the who\""), "[appl] [the who]");
  EXPECT_EQ(Parse("apple -the"), "[appl] -[the]");
  EXPECT_EQ(Parse("apple the*"), "[appl] [the*]");
  EXPECT_EQ(Parse("OR"), "[or]");
  EXPECT_EQ(Parse("OR apple"), "[appl]");
  EXPECT_EQ(Parse("apple OR"), "[appl]");
  EXPECT_EQ(Parse("\"OR\" apple"), "[or] [appl]");
}

// Prose does not lose words to a dash.
TEST(LexicalQuery, AnExclusionMustBeMeant) {
  const QueryCase cases[] = {
      // Options of commands.
      {"git commit -a", "[git] [commit]"},
      {"how to list files -l", "[list] [file] [l]"},
      {"rm -rf", "[rm] [rf]"},
      {"find src -name main", "[find] [src] [name] [main]"},
      {"lower case (lowercase -o)", "[lower] [case] [lowercas] [o]"},
      {"apple (or pear -plum) -fig", "[appl] [pear] [plum] -[fig]"},
      // Questions.
      {"what is valgrind -memcheck", "[valgrind] [memcheck]"},
      {"does valgrind have -memcheck?", "[valgrind] [memcheck]"},
      {"apple -pear？", "[appl] [pear]"},
      // Meant.
      {"licence -curl", "[licenc] -[curl]"},
      {"-curl licence", "-[curl] [licenc]"},
      {"apple -pear +fig -plum", "[appl] -[pear] +[fig] -[plum]"},
      {"apple -\"c\"", "[appl] -[c]"},
      {"what is apple -\"pear\"?", "[appl] -[pear]"},
      {"apple -日", "[appl] -[日*]"},
      {"apple -fig*", "[appl] -[fig*]"},
  };
  for (const QueryCase& c : cases) EXPECT_EQ(Parse(c.text), c.clauses) << c.text;
}

TEST(LexicalQuery, APastedTextHasNoOperators) {
  const QueryCase cases[] = {
      {"fails here\n--- a/sum.c\n+++ b/sum.c\n-return left;\n+return right;",
       "[fail] [sum]x2 [c]x2 [b] [return]x2 [left] [right]"},
      {"\"apple pear\"\n-\"fig\"", "[appl] [pear] [fig]"},
      {"apple\nplum*", "[appl] [plum]"},
      // One line, whatever is around it.
      {"\n  apple -pear\r\n", "[appl] -[pear]"},
  };
  for (const QueryCase& c : cases) EXPECT_EQ(Parse(c.text), c.clauses) << c.text;
}

TEST(LexicalQuery, WhatIsNoOperatorIsText) {
  const QueryCase cases[] = {
      {"-", ""},
      {"+ - * \" OR", "[or]"},
      {"\"", ""},
      {"\"\"\"", ""},
      {"\"red apple", "[red] [appl]"},
      {"red\" apple", "[red] [appl]"},
      {"red\"green apple\"blue", "[red] [green] [appl] [green appl] [blue]"},
      {"red - apple", "[red] [appl]"},
      {"git --verbose", "[git] [verbos] [\uE002verbos]"},
      {"++red -+apple +-pear", "[red] [appl] [pear]"},
      {"C++ a+b well-known", "[c] [cplusplu] [b] [well] [known] [wellknown]"},
      {"* ** red**", "[red*]"},
      {"+\"\" red", "[red]"},
      {"+* -\" red", "[red]"},
      {"\xFF\xFE red\x80", "[red]"},
      {"♪♫ ░ !?", "[♪] [♫]"},
      {"apple;DROP TABLE doc--", "[appl] [drop] [tabl] [doc]"},
  };
  for (const QueryCase& c : cases) EXPECT_EQ(Parse(c.text), c.clauses) << c.text;
  EXPECT_EQ(Parse(std::string_view("red\0-apple\0", 11)), "[red] [appl]");
}

TEST(LexicalQuery, LiteralTextHasNoOperators) {
  Tokenizer tokenizer;
  const auto parse = [&](std::string_view text) {
    return Show(ParseLiteralQuery(text, tokenizer));
  };
  EXPECT_EQ(parse("+red -\"green apple\" pea* OR plum"), "[red] [green] [appl] [pea] [plum]");
  EXPECT_EQ(parse("fooBar the foo"), "[foo]x2 [bar] [foobar]");
  EXPECT_EQ(parse("the"), "[the]");
  EXPECT_EQ(parse("\"\"+-*"), "");
}

TEST(LexicalQuery, ExplainsWhatItUnderstood) {
  Tokenizer tokenizer;
  const auto query = ParseLexicalQuery("Running +\"Red Apples\" tech* fooBar", tokenizer);
  std::vector<std::string> texts;
  for (const LexicalClause& clause : query.clauses) texts.push_back(clause.text);
  EXPECT_EQ(texts, std::vector<std::string>(
                       {"running", "\"red apples\"", "tech*", "foo", "bar", "foobar"}));
}

TEST(LexicalQuery, HugeTextsAreLimited) {
  std::string words;
  for (int i = 0; i < 50000; ++i) words += " w" + std::to_string(i % 9999);
  Tokenizer tokenizer;
  EXPECT_EQ(ParseLexicalQuery(words, tokenizer).clauses.size(), kMaxQueryClauses);
  const auto phrase = ParseLexicalQuery('"' + words + '"', tokenizer);
  ASSERT_EQ(phrase.clauses.size(), 1u);
  EXPECT_EQ(phrase.clauses[0].any_of[0].tokens.size(), kMaxPhraseTokens);
  EXPECT_TRUE(ParseLexicalQuery(std::string(100000, '"'), tokenizer).Empty());
  EXPECT_TRUE(ParseLexicalQuery(std::string(100000, '-'), tokenizer).Empty());
  std::string alternating;
  for (int i = 0; i < 50000; ++i) alternating += "\"a\" ";
  EXPECT_EQ(Show(ParseLexicalQuery(alternating, tokenizer)), "[a]x50000");
}

TEST(LexicalQuery, EveryClauseOfAnyBytesCanBeLookedUp) {
  std::mt19937_64 random(TestSeed(1));
  const std::string kAlphabet = "ab \"*+-_:()^{}OR\t";
  Tokenizer tokenizer;
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 24, ' ');
    for (char& c : text) {
      c = random() % 8 ? kAlphabet[random() % kAlphabet.size()] : static_cast<char>(random());
    }
    for (const LexicalClause& clause : ParseLexicalQuery(text, tokenizer).clauses) {
      ASSERT_FALSE(clause.any_of.empty()) << text;
      ASSERT_FALSE(clause.text.empty()) << text;
      ASSERT_GE(clause.count, 1u);
      for (const FtsPhrase& phrase : clause.any_of) {
        ASSERT_FALSE(phrase.tokens.empty()) << text;
        for (const std::string& token : phrase.tokens) ASSERT_FALSE(token.empty()) << text;
      }
    }
  }
}

}  // namespace
}  // namespace recall
