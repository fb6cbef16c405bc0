#include "query/ask/map/signature.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

// The lines of the signature, each as "number:text".
std::string SignatureText(const std::string& path, const std::string& lines,
                          const std::string& name, const std::string& kind = "function") {
  const Symbol symbol{.name = name, .kind = kind, .start_line = 10, .end_line = 90};
  std::string text;
  for (const SignatureLine& line : SignatureOf(path, lines, symbol)) {
    text += (text.empty() ? "" : "|") + std::to_string(line.number) + ":" + line.text;
  }
  return text;
}

TEST(SignatureTest, EndsWhereTheBodyBegins) {
  EXPECT_EQ(SignatureText("a.cc", "int Add(int a, int b) {\n  return a + b;\n}\n", "Add"),
            "10:int Add(int a, int b) {");
  EXPECT_EQ(SignatureText("a.cc", "int Add(int a,\n        int b) const {\n  f();\n}\n", "Add"),
            "10:int Add(int a,|11:        int b) const {");
  EXPECT_EQ(SignatureText("a.cc", "int Add(int a)\n{\n  f();\n}\n", "Add"), "10:int Add(int a)");
  EXPECT_EQ(SignatureText("a.h", "  int size() const { return 3; }\n", "size", "method"),
            "10:  int size() const { return 3; }");
  EXPECT_EQ(SignatureText("a.cc", "constexpr int kAll[] = {\n  1,\n};\n", "kAll", "constant"),
            "10:constexpr int kAll[] = {");
  EXPECT_EQ(SignatureText("a.cc", "Store::Store(int a)\n    : a_(a) {}\n", "Store", "method"),
            "10:Store::Store(int a)");
  EXPECT_EQ(SignatureText("a.c", "#define MAX(a, b) \\\n  ((a) > (b))\n", "MAX", "macro"),
            "10:#define MAX(a, b) \\");
  EXPECT_EQ(
      SignatureText("a.py", "def read(path,\n         size=3) -> int:\n    return 1\n", "read"),
      "10:def read(path,|11:         size=3) -> int:");
  EXPECT_EQ(SignatureText("a.py", "class Store:\n    x = 1\n", "Store", "class"),
            "10:class Store:");
  EXPECT_EQ(SignatureText("a.rb", "def read(path)\n  path\nend\n", "read"), "10:def read(path)");
  EXPECT_EQ(SignatureText("a.go", "func (s *Store) Commit() error {\n\treturn nil\n}\n", "Commit"),
            "10:func (s *Store) Commit() error {");
  EXPECT_EQ(
      SignatureText("a.rs", "fn run<T>(t: T) -> T\nwhere\n    T: Copy,\n{\n    t\n}\n", "run"),
      "10:fn run<T>(t: T) -> T|11:where|12:    T: Copy,");
  EXPECT_EQ(SignatureText("a.cc", "bool operator==(const A& a) const {\n", "operator==", "method"),
            "10:bool operator==(const A& a) const {");
}

TEST(SignatureTest, LeavesOutWhatStandsAbove) {
  EXPECT_EQ(SignatureText("a.py", "@app.route('/read')\ndef read():\n    pass\n", "read"),
            "11:def read():");
  EXPECT_EQ(SignatureText("a.rs", "#[derive(Debug)]\npub struct Store {\n}\n", "Store", "struct"),
            "11:pub struct Store {");
  EXPECT_EQ(
      SignatureText("a.h", "template <typename A,\n          typename B>\nclass Map {\n", "Map"),
      "12:class Map {");
  EXPECT_EQ(SignatureText("a.c", "static int\nread_all(int fd)\n{\n", "read_all"),
            "10:static int|11:read_all(int fd)");
}

TEST(SignatureTest, IsBounded) {
  const std::string many = "int Add(int a,\nint b,\nint c,\nint d,\nint e,\nint f) {\n";
  EXPECT_EQ(SignatureText("a.cc", many, "Add"), "10:int Add(int a,|11:int b,|12:int c,|13:int d,");
  const std::string wide = "def f(" + std::string(300, 'x') + "):\n";
  EXPECT_EQ(SignatureText("a.py", wide, "f").size(), 3 + kMostSignatureBytes + 3);
  const std::string accents = "def f(" + std::string(153, 'x') + "\u00E9\u00E9):\n";
  EXPECT_TRUE(SignatureText("a.py", accents, "f").ends_with("x...")) << "no half of a character";
}

TEST(SignatureTest, AnyTextHasOne) {
  EXPECT_EQ(SignatureText("a.py", "x\n", "missing"), "10:x");
  EXPECT_EQ(SignatureText("noextension", "", "f"), "");
  EXPECT_EQ(SignatureText("a.cc", "int Add(int", "Add"), "10:int Add(int");
}

}  // namespace
}  // namespace recall
