#include "index/source/code/code_grammar.h"

#include <gtest/gtest.h>

#include "index/source/chunk/code_outline.h"
#include "index/source/code/grammar_notes.h"
#include "index/source/code/linked_grammars.h"
#include "index/source/code/node_rules.h"
#include "index/source/code/outline_check.h"

namespace recall {
namespace {

TEST(CodeGrammarTest, TheExtensionSaysTheLanguage) {
  EXPECT_EQ(LanguageOf("a/b/store.cc", ""), "cpp");
  EXPECT_EQ(LanguageOf("STORE.CPP", ""), "cpp");
  EXPECT_EQ(LanguageOf("store.py.gz", ""), "python");
  EXPECT_EQ(LanguageOf("store.rs.XZ", ""), "rust");
  EXPECT_EQ(LanguageOf("a.jsx", ""), "javascript");
  EXPECT_EQ(LanguageOf("a.mts", ""), "typescript");
  EXPECT_EQ(LanguageOf("a.tsx", ""), "tsx");
  EXPECT_EQ(LanguageOf("build.gradle.kts", ""), "kotlin");
  EXPECT_EQ(LanguageOf("test.exs", ""), "elixir");
  for (const std::string_view other :
       {"Makefile", ".bashrc", "a.txt", "a.py/b", "a.", "", "a.gz"}) {
    EXPECT_EQ(LanguageOf(other, ""), "") << other;
  }
}

TEST(CodeGrammarTest, AHeaderIsOfCppIfItsTextShowsIt) {
  for (const std::string_view text :
       {"namespace a {\n}", "  class A;", "template <typename T>\nstruct A;",
        "int f(std::string a);", "// Reads docs/*.md.\nnamespace a {", "/* a */\nusing A = int;"}) {
    EXPECT_EQ(LanguageOf("a.h", text), "cpp") << text;
  }
  for (const std::string_view text :
       {"", "struct a { int x; };", "/* A\nclass of\n   template functions. */\nint f(void);",
        "int class_of(int);", "#define F(a) a::b", "int f(void); // like A::f",
        "const char *s = \"a::b\";"}) {
    EXPECT_EQ(LanguageOf("a.h", text), "c") << text;
  }
}

TEST(CodeGrammarTest, GrammarsHaveTheirVersion) {
  for (const LinkedGrammar& grammar : LinkedGrammars()) {
    EXPECT_FALSE(NodeRulesOf(grammar.language).empty()) << grammar.language;
    if (grammar.language == "python") {
      EXPECT_EQ(GrammarFor("a.py", ""), "python-" + std::string(grammar.version));
    }
    // And the revision of our rules, where they have changed.
    if (grammar.language == "cpp") {
      EXPECT_EQ(GrammarFor("a.cc", ""), "cpp-" + std::string(grammar.version) + "+1");
    }
  }
  EXPECT_EQ(GrammarFor("a.txt", ""), "");
}

TEST(CodeGrammarTest, WhatIsMissingIsNamed) {
  const std::string_view languages[] = {"kotlin", "lua", "swift"};
  EXPECT_EQ(WithoutGrammarsNote(languages, 0),
            "recall was built without grammars (./x build fetches them)");
  EXPECT_EQ(
      WithoutGrammarsNote(languages, 3),
      "recall was built without the grammars of kotlin, lua and swift (./x build fetches them)");
  EXPECT_EQ(WithoutGrammarsNote(std::span(languages, 1), 1),
            "recall was built without the grammar of kotlin (./x build fetches it)");
}

TEST(CodeOutlineTest, KindsHaveNames) {
  EXPECT_EQ(SymbolKindName(SymbolKind::kNamespace), "namespace");
  EXPECT_EQ(SymbolKindName(SymbolKind::kTrait), "trait");
  EXPECT_EQ(SymbolKindName(SymbolKind::kMethod), "method");
  EXPECT_EQ(SymbolKindName(SymbolKind::kVariable), "variable");
}

TEST(CodeOutlineTest, NamesAreCleaned) {
  EXPECT_EQ(CleanSymbolName("operator \n\t new"), "operator new");
  EXPECT_EQ(CleanSymbolName(" \x01 "), "");
  EXPECT_EQ(CleanSymbolName("caf\xC3"), "caf\xEF\xBF\xBD");
  const std::string longest = CleanSymbolName(std::string(150, 'a') + std::string(100, 'b'));
  EXPECT_EQ(longest.size(), kMostSymbolName);
  std::string accents;
  for (int i = 0; i < 200; ++i) accents += "a\xCC\x81";
  EXPECT_EQ(CleanSymbolName(accents).size(), 199U);  // not within a character
}

class SoundOutlineTest : public ::testing::Test {
 protected:
  SoundOutlineTest() {
    outline_.definitions = {{0, 50, 5, SymbolKind::kClass, "A", -1},
                            {10, 20, 10, SymbolKind::kMethod, "f", 0},
                            {20, 40, 22, SymbolKind::kMethod, "g", 0},
                            {60, 70, 60, SymbolKind::kFunction, "h", -1}};
    outline_.cuts = {{0, 1}, {10, 3}, {60, 1}};
  }
  bool sound() const { return IsSoundOutline(outline_, 100); }
  Definition& at(size_t i) { return outline_.definitions[i]; }

  CodeOutline outline_;
};

TEST_F(SoundOutlineTest, KeepsItsPromises) { EXPECT_TRUE(sound()); }
TEST_F(SoundOutlineTest, EndsInTheText) {
  at(3).end_byte = 101;
  EXPECT_FALSE(sound());
}
TEST_F(SoundOutlineTest, Ascends) {
  std::swap(at(1), at(2));
  EXPECT_FALSE(sound());
}
TEST_F(SoundOutlineTest, SiblingsDoNotOverlap) {
  at(1).end_byte = 21;
  EXPECT_FALSE(sound());
}
TEST_F(SoundOutlineTest, ChildrenLieWithin) {
  at(2).end_byte = 51;
  EXPECT_FALSE(sound());
}
TEST_F(SoundOutlineTest, ParentsComeBefore) {
  at(1).parent = 1;
  EXPECT_FALSE(sound());
  at(1).parent = -2;
  EXPECT_FALSE(sound());
}
TEST_F(SoundOutlineTest, CodeIsNotEmpty) {
  at(3).code_byte = 70;
  EXPECT_FALSE(sound());
  at(3).code_byte = 59;
  EXPECT_FALSE(sound());
}
TEST_F(SoundOutlineTest, NamesAreClean) {
  for (const std::string& name :
       {std::string(), std::string("a\nb"), std::string("\xFF"), std::string(201, 'a')}) {
    at(3).name = name;
    EXPECT_FALSE(sound()) << name;
  }
}
TEST_F(SoundOutlineTest, CutsAscendInTheText) {
  outline_.cuts = {{10, 1}, {10, 1}};
  EXPECT_FALSE(sound());
  outline_.cuts = {{100, 1}};
  EXPECT_FALSE(sound());
}
TEST_F(SoundOutlineTest, EntriesAreLimited) {
  outline_.cuts.clear();
  for (uint64_t i = 0; i < 14; ++i) outline_.cuts.push_back({i, 1});
  EXPECT_FALSE(sound());
}

}  // namespace
}  // namespace recall
