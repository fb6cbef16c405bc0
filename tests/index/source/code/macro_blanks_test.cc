#include "index/source/code/macro_blanks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

// The text with each blanked byte as `_`, so that expectations show what is gone and where.
std::string Shown(std::string_view text) {
  std::string shown = BlankMacros(text);
  EXPECT_EQ(shown.size(), text.size());
  for (size_t i = 0; i < shown.size() && i < text.size(); ++i) {
    if (shown[i] != text[i]) {
      EXPECT_EQ(shown[i], ' ') << "at " << i << " of " << text;
      shown[i] = '~';
    }
  }
  return shown;
}

// What Shown answers if the bytes with `~` are blanked, which may be spaces in the text.
std::string Expected(std::string_view text, std::string shown) {
  EXPECT_EQ(shown.size(), text.size()) << text;
  for (size_t i = 0; i < std::min(shown.size(), text.size()); ++i) {
    if (text[i] == ' ') shown[i] = ' ';
  }
  return shown;
}

void ExpectShown(std::string_view text, std::string_view shown) {
  EXPECT_EQ(Shown(text), Expected(text, std::string(shown)));
}

struct BlankedSample {
  std::string_view text;
  std::string_view shown;
};

TEST(MacroBlanksTest, MacrosInHeadsOfClassesAreBlanked) {
  for (const auto& [text, shown] : std::to_array<BlankedSample>({
           {"class API_EXPORT Widget : public Base {", "class ~~~~~~~~~~ Widget : public Base {"},
           {"struct API Bar final {", "struct ~~~ Bar final {"},
           {"struct API Bar final : Base<int> {", "struct ~~~ Bar final : Base<int> {"},
           {"union API Bar { int a; };", "union ~~~ Bar { int a; };"},
           {"enum class API Mode : int { A };", "enum class ~~~ Mode : int { A };"},
           {"enum API Mode { A };", "enum ~~~ Mode { A };"},
           {"class API(1, (2)) Widget {\n public:", "class ~~~~~~~~~~~ Widget {\n public:"},
           {"class API VISIBLE Widget {\n public:", "class ~~~ ~~~~~~~ Widget {\n public:"},
           {"class API\n  Widget\n{\n public:", "class ~~~\n  Widget\n{\n public:"},
           {"class API ns::Widget : Base {", "class ~~~ ns::Widget : Base {"},
           {"class API WIDGET : Base {", "class ~~~ WIDGET : Base {"},
           {"class API alignas(8) Widget : Base {", "class ~~~ alignas(8) Widget : Base {"},
           {"template <> struct API Hash<int> { int a; };",
            "template <> struct ~~~ Hash<int> { int a; };"},
           {"class Widget FINAL : public Base {", "class Widget ~~~~~ : public Base {"},
           {"class API Widget FINAL : public Base {", "class ~~~ Widget ~~~~~ : public Base {"},
           {"class API Widget : public A<decltype(f())>, B(int) {",
            "class ~~~ Widget : public A<decltype(f())>, B(int) {"},
           {"void f() { class API Local { int a; }; }", "void f() { class ~~~ Local { int a; }; }"},
           {"typedef struct PACKED point { int x; } point;",
            "typedef struct ~~~~~~ point { int x; } point;"},
           {"namespace std VISIBLE(default)\n{", "namespace std ~~~~~~~~~~~~~~~~\n{"},
       })) {
    ExpectShown(text, shown);
  }
}

TEST(MacroBlanksTest, TypesAndNamesInCapitalsStay) {
  for (const std::string_view text : {
           "class FOO {",
           "class FOO final {",
           "class FOO : public Base {",
           "struct FOO bar;",
           "struct FOO bar, baz;",
           "struct FOO bar(int);",
           "struct FOO bar(int) { return x; }",
           "struct FOO *f() { return 0; }",
           "struct FOO *p;",
           "struct FOO bar = {1, 2};",
           "struct FOO bar{1, 2};",
           "struct FOO bar[] = {{1}, {2}};",
           "void f() { struct FOO bar{}; }",
           "struct S { enum COLOR c : 3; };",
           "struct S { struct FOO bar : 3; };",
           "enum FOO bar;",
           "enum { FOO, BAR };",
           "enum {\n FOO\n};",
           "enum X {\n FOO,\n BAR\n};",
           "int x[] = {\n FOO\n};",
           "FOO bar;",
           "FOO bar = 1;",
           "FOO bar(int);",
           "const FOO bar(int);",
           "a::FOO bar(int);",
           "FOO bar(int) { return 1; }",
           "FOO* bar();",
           "FOO& bar();",
           "FOO bar UNUSED;",
           "const FOO bar;",
           "FOO const bar = 1;",
           "FOO<int> bar;",
           "FOO::Bar bar;",
           "FOO Bar::baz(int) { }",
           "FOO operator+(FOO a, FOO b);",
           "STACK_OF(X509)* certificates();",
           "STACK_OF(X509) certificates;",
           "BOOL\nFooBar(int x)\n{ }",
           "API(void)\nfoo_bar(int x);",
           "TEST(Suite, Case) {\n  FOO bar;\n}",
           "TEST_F(Suite, Case)\n{\n}",
           "DEFINE(x);",
           "struct URL {\n  URL(int x) : x_(x) {}\n  URL() = default;\n  ~URL();\n};",
           "struct URL {\n  URL()\n  {\n  }\n};",
           "void f() {\n  CHECK(x)\n  g();\n  FOO_LOCK\n  int y = 0;\n  RETURN int(3);\n}",
           "template <class FOO, class BAR> void f(FOO a, BAR b);",
           "struct S { UINT : 3; };",
           "int f(FOO a, BAR b);",
           "decltype(x) FOO;",
       }) {
    EXPECT_EQ(Shown(text), text);
  }
}

TEST(MacroBlanksTest, MacrosInFrontOfDeclarationsAreBlanked) {
  for (const auto& [text, shown] : std::to_array<BlankedSample>({
           {"API int f(int);", "~~~ int f(int);"},
           {"API const char* f(int);", "~~~ const char* f(int);"},
           {"API Item f(int);", "~~~ Item f(int);"},
           {"API Item* f(int);", "~~~ Item* f(int);"},
           {"API ns::Item<int>& f(int);", "~~~ ns::Item<int>& f(int);"},
           {"API Item& operator=(const Item&);", "~~~ Item& operator=(const Item&);"},
           {"API INLINE int f();", "~~~ ~~~~~~ int f();"},
           {"DEPRECATED(\"x\") int f();", "~~~~~~~~~~~~~~~ int f();"},
           {"extern \"C\" API int f();", "extern \"C\" ~~~ int f();"},
           {"template <typename T>\nAPI T f();\n", "template <typename T>\n~~~ T f();\n"},
           {"static API int f() { FOO bar; }", "static ~~~ int f() { FOO bar; }"},
           {"int CALL f(int);", "int ~~~~ f(int);"},
           {"void* CALL f(int) {}", "void* ~~~~ f(int) {}"},
           {"struct S { API ~S(); };", "struct S { ~~~ ~S(); };"},
           {"API class Widget;", "~~~ class Widget;"},
           {"int f(int) CONST;", "int f(int) ~~~~~;"},
           {"int f(int) const NOTHROW OVERRIDE { FOO; }",
            "int f(int) const ~~~~~~~ ~~~~~~~~ { FOO; }"},
           {"Item* CALL f(int);", "Item* ~~~~ f(int);"},
           {"List<int> CALL f(int);", "List<int> ~~~~ f(int);"},
           {"ns::Item Item::f() FORMAT(1, 2);", "ns::Item Item::f() ~~~~~~~~~~~~;"},
       })) {
    ExpectShown(text, shown);
  }
}

TEST(MacroBlanksTest, MacrosOnTheirOwnLinesAreBlanked) {
  ExpectShown("BEGIN_DECLS\n\nint f(int);\nItem g(int);\n\nEND_DECLS\n",
              "~~~~~~~~~~~\n\nint f(int);\nItem g(int);\n\n~~~~~~~~~\n");
  ExpectShown(
      "class W : public Q {\n  Q_OBJECT\n  PROPERTY(int x READ y)\n  PROPERTY(int z)\n"
      "  DISABLE_COPY(W)\n  W(int);\n public SLOTS:\n  void f();\n SIGNALS:\n  void g();\n"
      "  FIELDS\n  MORE_FIELDS\n};\n",
      "class W : public Q {\n  ~~~~~~~~\n  ~~~~~~~~~~~~~~~~~~~~~~\n  ~~~~~~~~~~~~~~~\n"
      "  ~~~~~~~~~~~~~~~\n  W(int);\n public ~~~~~:\n  void f();\n ~~~~~~~~\n  void g();\n"
      "  ~~~~~~\n  ~~~~~~~~~~~\n};\n");
  ExpectShown("/* A. */\nAPI\n#if X\nint f();\n#endif\nAPI",
              "/* A. */\n~~~\n#if X\nint f();\n#endif\n~~~");
}

TEST(MacroBlanksTest, CommentsLiteralsAndDirectivesStay) {
  for (const std::string_view text : {
           "/*\nAPI int f();\n*/\n// class API Widget {\nint x;\n",
           "// goes on \\\nAPI int f();\n",
           "#define DECLARE(x) \\\n  API int f(); \\\n  class API Widget { }\n",
           "#define X /* goes\nAPI int f();\n*/ API int g();\n",
           "# include <API int f();>\n",
           "const char* x = R\"(\nAPI int f();\n)\";\n",
           "const char* x = R\"ab()\"\nAPI int f();\n)ab\";\n",
           "const char* x = \"\\\"; class API Widget { int x; }\";\n",
           "const char x = '\"'; const char* y = \"API int f();\";\n",
           "#error don't\n",
       }) {
    EXPECT_EQ(Shown(text), text);
  }
  ExpectShown("#error don't\nAPI int f();", "#error don't\n~~~ int f();");
  ExpectShown("int x = 1'000;\nAPI int f();", "int x = 1'000;\n~~~ int f();");
  ExpectShown("class API /* why */ Widget { int x; };", "class ~~~ /* why */ Widget { int x; };");
}

// Both branches of a condition open a brace that is closed once.
TEST(MacroBlanksTest, BranchesOfConditionsOpenTheSameBrace) {
  ExpectShown(
      "#if A\nvoid f(int) {\n#else\nvoid f() {\n#endif\n  CHECK(1)\n  int x;\n}\n"
      "API int g();\n",
      "#if A\nvoid f(int) {\n#else\nvoid f() {\n#endif\n  CHECK(1)\n  int x;\n}\n"
      "~~~ int g();\n");
}

// Any bytes: as long as before, the same but for spaces, line breaks kept; blanking what is blanked
// changes nothing else than macros that were hidden behind macros.
TEST(MacroBlanksTest, AnyBytesKeepTheirOffsets) {
  const std::vector<std::string> parts = {"class ",     "struct ", "enum ",
                                          "API ",       "FOO",     "(",
                                          ")",          "{",       "}",
                                          "<",          ">",       ":",
                                          "::",         ";",       "\n",
                                          "#if ",       "#",       "/*",
                                          "*/",         "//",      "\"",
                                          "R\"(",       "'",       "\\\n",
                                          "int ",       "name ",   "= ",
                                          "[",          "]",       "~",
                                          ",",          "final ",  "template ",
                                          "namespace ", "public ", "\r\n",
                                          "\xFF",       "1'0",     "extern \"C\" "};
  std::mt19937_64 random(TestSeed(7));
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (uint64_t i = random() % 60; i > 0; --i) text += parts[random() % parts.size()];
    const std::string blanked = BlankMacros(text);
    ASSERT_EQ(blanked.size(), text.size()) << text;
    for (size_t i = 0; i < text.size(); ++i) {
      if (blanked[i] == text[i]) continue;
      ASSERT_EQ(blanked[i], ' ') << text;
      ASSERT_NE(text[i], '\n') << text;
    }
  }
}

TEST(MacroBlanksTest, DeepAndLongInputEnds) {
  for (const std::string_view part :
       {"FOO ", "class FOO ", "class FOO a : ", "class FOO a : b<", "a<", "{", "(", "FOO(", "FOO\n",
        "FOO a::", "#if\nclass FOO a {", "template <", "public FOO "}) {
    std::string text;
    while (text.size() < (1 << 20)) text += part;
    EXPECT_EQ(BlankMacros(text).size(), text.size());
  }
}

}  // namespace
}  // namespace recall
