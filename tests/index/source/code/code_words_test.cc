#include "index/source/code/code_words.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace recall {
namespace {

// Each place of `name` in the text that is marked with a bar before it must be found, and no other.
void ExpectMarked(const std::string& path, const std::string& marked, const std::string& name) {
  std::string text;
  std::vector<size_t> wanted;
  for (const char c : marked) {
    if (c == '|') {
      wanted.push_back(text.size());
    } else {
      text += c;
    }
  }
  EXPECT_EQ(FindCodeWords(path, text, name), wanted) << path << ": " << text;
}

TEST(CodeWordsTest, WholeWordsOutsideOfCommentsAndTexts) {
  ExpectMarked("a.cc", "|go(); ergo(); gone(); x.|go(1); // go()\n|go(\"go()\", 'g', |go);", "go");
  ExpectMarked("a.c", "/* go\n go */ |go(); \"\\\" go\"; '\\'' + |go", "go");
  ExpectMarked("a.hpp", "1'000 + |go + R\"x(go )\" go)x\" |go", "go");
  ExpectMarked("a.rs", "fn f<'a>(x: &'a str) { |go(r#\"go \" go\"#, 'g', r\"\\\"); |go }", "go");
  ExpectMarked("A.java", "\"\"\"\n go \" go\n\"\"\" + |go()", "go");
  ExpectMarked("a.go", "`go\n// go` + |go(\"//\") + |go // go", "go");
  ExpectMarked("a.lua", "--[[ go\n go ]] |go() -- go\n|go('go')", "go");
  ExpectMarked("a.hs", "{- go -} |go x -- go\n|go 'g' \"go\"", "go");
  ExpectMarked("a.sh", "|go \"$(|go)\" 'go' $# |go # go", "go");
  ExpectMarked("x.unknown", "|go // |go", "go");
  ExpectMarked("Makefile", "|go: # |go", "go");
}

TEST(CodeWordsTest, CodeWithinTexts) {
  ExpectMarked("a.js", "`go ${ |go(`${|go}`) } go` + 'go ${go}' + |go", "go");
  ExpectMarked("a.py", "f\"go {|go(x)} {{go}}\" + 'go {go}' + |go # go", "go");
  ExpectMarked("a.py", "\"\"\"go\n go\"\"\"\n|go(rf'{|go}')", "go");
  ExpectMarked("a.rb", "\"go #{|go.map { |go }} go\" + |go # go", "go");
  ExpectMarked("a.kt", "\"${|go()} $go\" + |go", "go");
  ExpectMarked("a.swift", "\"\\(|go(1)) go\" + |go", "go");
}

TEST(CodeWordsTest, ErrorsEndWithTheLine) {
  ExpectMarked("a.c", "x = \"go\n|go();\n'", "go");
  ExpectMarked("a.py", "f\"{|go\n|go()", "go");
  ExpectMarked("a.ts", "it's go\n|go", "go");
}

TEST(CodeWordsTest, NamesWithOtherCharacters) {
  ExpectMarked("a.rb", "|go?; go!; x.|go?(1)", "go?");
  ExpectMarked("a.cc", "a.|operator==(b); operator=(c)", "operator==");
  ExpectMarked("a.cc", "x->|~Store()", "~Store");
  EXPECT_EQ(FindCodeWords("a.c", "a", ""), std::vector<size_t>());
}

TEST(CodeWordsTest, AllWordsAreVisitedWhereEachIsFound) {
  const std::string text = "def go(a_1):  # no\n  x = f'{go} no' + 'no'\n  return \"no\", a_1\n";
  std::map<std::string, std::vector<size_t>> visited;
  VisitCodeWords("a.py", text, [&](size_t begin, std::string_view word) {
    visited[std::string(word)].push_back(begin);
  });
  EXPECT_EQ(visited.size(), 6u) << "def go a_1 x f return";
  for (const auto& [word, places] : visited) {
    EXPECT_EQ(places, FindCodeWords("a.py", text, word)) << word;
  }
  EXPECT_EQ(visited["go"].size(), 2u);
}

TEST(CodeWordsTest, AnyBytes) {
  std::mt19937 random(1);
  const std::string letters = "go\"'`\\{}$#/*-[]()\nRrf ";
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t i = random() % 60; i > 0; --i) text += letters[random() % letters.size()];
    for (const char* path : {"a.cc", "a.rs", "a.py", "a.js", "a.rb", "a.lua", "a.hs", "a.swift"}) {
      for (const size_t at : FindCodeWords(path, text, "go")) EXPECT_EQ(text.substr(at, 2), "go");
    }
  }
}

}  // namespace
}  // namespace recall
