#include "tests/index/source/chunk/chunk_test_util.h"

namespace recall {
namespace {

using Texts = std::vector<std::string>;

// An outline of definitions that the test finds by what they contain.
class OutlineMaker {
 public:
  explicit OutlineMaker(std::string text) : text_(std::move(text)) {}

  // A definition of `lines`, which the text contains once.
  int32_t Add(std::string_view lines, std::string name, SymbolKind kind = SymbolKind::kFunction,
              int32_t parent = -1) {
    const size_t start = text_.find(lines);
    EXPECT_NE(start, text_.npos) << lines;
    outline_.definitions.push_back({.start_byte = start,
                                    .end_byte = start + lines.size(),
                                    .code_byte = start,
                                    .kind = kind,
                                    .name = std::move(name),
                                    .parent = parent});
    return static_cast<int32_t>(outline_.definitions.size()) - 1;
  }
  void Extend(int32_t definition) {
    outline_.definitions[static_cast<size_t>(definition)].extends = true;
  }
  void Cut(std::string_view at, uint32_t depth) {
    const size_t start = text_.find(at);
    EXPECT_NE(start, text_.npos) << at;
    outline_.cuts.push_back({start, depth});
  }

  std::vector<ChunkSpan> Chunks(uint32_t tokens) const {
    return ChunkText(text_, Parser::kCode, {tokens, 0}, &outline_);
  }
  Texts Outline(uint32_t tokens) const {
    Texts texts;
    for (const ChunkSpan& span : Chunks(tokens)) {
      texts.push_back("[" + span.heading + "] " + std::string(TextOf(text_, span)));
    }
    return texts;
  }
  // "kind scope > name" of the symbols of each chunk; in brackets what begins elsewhere.
  Texts Symbols(uint32_t tokens) const {
    Texts texts;
    for (const ChunkSpan& span : Chunks(tokens)) {
      std::string all;
      for (const Symbol& symbol : span.symbols) {
        std::string one = symbol.kind + " " + (symbol.scope.empty() ? "" : symbol.scope + " > ") +
                          symbol.name + ":" + std::to_string(symbol.start_line) + "-" +
                          std::to_string(symbol.end_line);
        if (!symbol.begins) one = "(" + one + ")";
        all += (all.empty() ? "" : ", ") + one;
      }
      texts.push_back(all);
    }
    return texts;
  }

 private:
  std::string text_;
  CodeOutline outline_;
};

constexpr std::string_view kOne = "def one():\n    a b c d e f g\n";
constexpr std::string_view kTwo = "def two():\n    h i j k l m n\n";

TEST(OutlineChunker, ADefinitionThatFitsIsNotCut) {
  OutlineMaker maker(std::string(kOne) + "\n" + std::string(kTwo));
  maker.Add(kOne, "one");
  maker.Add(kTwo, "two");
  EXPECT_EQ(maker.Outline(12),
            (Texts{"[one] def one():\n    a b c d e f g", "[two] def two():\n    h i j k l m n"}));
}

TEST(OutlineChunker, NeighboursShareAChunkUnderTheirScopeAndNames) {
  OutlineMaker maker(std::string(kOne) + "\n" + std::string(kTwo));
  maker.Add(kOne, "one");
  maker.Add(kTwo, "two");
  EXPECT_EQ(maker.Outline(20),
            Texts{"[one, two] def one():\n    a b c d e f g\n\ndef two():\n    h i j k l m n"});
  EXPECT_EQ(maker.Symbols(20), Texts{"function one:1-2, function two:4-5"});
}

TEST(OutlineChunker, AClassThatFitsIsOneChunk) {
  OutlineMaker maker("class A:\n  def one(): a\n  def two(): b\n");
  const int32_t a =
      maker.Add("class A:\n  def one(): a\n  def two(): b\n", "A", SymbolKind::kClass);
  maker.Add("  def one(): a\n", "one", SymbolKind::kMethod, a);
  maker.Add("  def two(): b\n", "two", SymbolKind::kMethod, a);
  EXPECT_EQ(maker.Outline(32), Texts{"[A] class A:\n  def one(): a\n  def two(): b"});
  EXPECT_EQ(maker.Symbols(32), Texts{"class A:1-3, method A > one:2-2, method A > two:3-3"});
}

TEST(OutlineChunker, AClassThatIsTooLargeIsCutAtItsMembers) {
  const std::string one = "  def one():\n    a b c d\n";
  const std::string two = "  def two():\n    e f g h\n";
  const std::string text = "class A:\n  x y z 1 2 3 4 5\n" + one + two;
  OutlineMaker maker(text);
  const int32_t a = maker.Add(text, "A", SymbolKind::kClass);
  maker.Add(one, "one", SymbolKind::kMethod, a);
  maker.Add(two, "two", SymbolKind::kMethod, a);
  EXPECT_EQ(maker.Outline(12), (Texts{"[A] class A:\n  x y z 1 2 3 4 5",
                                      "[A > one, two]   def one():\n    a b c d\n  def two():\n"
                                      "    e f g h"}));
  EXPECT_EQ(maker.Symbols(12), (Texts{"class A:1-6", "method A > one:3-4, method A > two:5-6"}));
}

TEST(OutlineChunker, ASmallHeadStaysWithTheFirstMember) {
  const std::string one = "  def one():\n    a b c d e f\n";
  const std::string two = "  def two():\n    g h i j k l\n";
  OutlineMaker maker("class A:\n" + one + two);
  const int32_t a = maker.Add("class A:\n" + one + two, "A", SymbolKind::kClass);
  maker.Add(one, "one", SymbolKind::kMethod, a);
  maker.Add(two, "two", SymbolKind::kMethod, a);
  EXPECT_EQ(maker.Outline(12), (Texts{"[A > one] class A:\n  def one():\n    a b c d e f",
                                      "[A > two]   def two():\n    g h i j k l"}));
}

// The last method of one class and the first of the next: what they share is what encloses both.
TEST(OutlineChunker, NeighboursOfTwoScopesAreNamedByTheScopesThatDiffer) {
  const std::string a1 = "  def a1():\n    1 2 3 4 5 6\n";
  const std::string a2 = "  def a2():\n    7 8\n";
  const std::string b = "def b():\n  9\n";
  OutlineMaker maker("class A:\n" + a1 + a2 + b);
  const int32_t a = maker.Add("class A:\n" + a1 + a2, "A", SymbolKind::kClass);
  maker.Add(a1, "a1", SymbolKind::kMethod, a);
  maker.Add(a2, "a2", SymbolKind::kMethod, a);
  maker.Add(b, "b");
  EXPECT_EQ(maker.Outline(10), (Texts{"[A > a1] class A:\n  def a1():\n    1 2 3 4 5 6",
                                      "[A, b]   def a2():\n    7 8\ndef b():\n  9"}));
}

TEST(OutlineChunker, AHeadingNamesDefinitionsUpToALimit) {
  std::string text;
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) {
    names.push_back(std::string(40, static_cast<char>('a' + i)));
    text += names.back() + "\n";
  }
  OutlineMaker maker(text);
  for (const std::string& name : names) maker.Add(name, name, SymbolKind::kConstant);
  const auto chunks = maker.Chunks(64);
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0].heading,
            names[0] + ", " + names[1] + ", " + names[2] + ", " + names[3] + ", " + names[4]);
  EXPECT_EQ(chunks[0].symbols.size(), 12u);
}

TEST(OutlineChunker, AFunctionThatIsTooLargeIsCutAtStatementsOfTheLeastDepth) {
  const std::string text =
      "def f():\n    if a:\n        b c d\n        e f g\n    if h:\n        i j k\n";
  OutlineMaker maker(text);
  maker.Add(text, "f");
  maker.Cut("    if a", 2);
  maker.Cut("        b c", 4);
  maker.Cut("        e f", 4);
  maker.Cut("    if h", 2);
  maker.Cut("        i j", 4);
  EXPECT_EQ(maker.Outline(10), (Texts{"[f] def f():\n    if a:\n        b c d\n        e f g",
                                      "[f]     if h:\n        i j k"}));
  EXPECT_EQ(maker.Outline(5), (Texts{"[f] def f():\n    if a:", "[f]         b c d",
                                     "[f]         e f g", "[f]     if h:\n        i j k"}));
  EXPECT_EQ(maker.Symbols(10), (Texts{"function f:1-6", "(function f:1-6)"}));
}

// Who asks for a type wants its definition, not each of its extensions; their members have its
// name.
TEST(OutlineChunker, AnExtensionIsAScopeButNoSymbol) {
  const std::string text = "extension A {\n" + std::string(kOne) + std::string(kTwo) + "}\n";
  OutlineMaker maker(text);
  const int32_t extension = maker.Add(text.substr(0, text.size() - 1), "A", SymbolKind::kClass);
  maker.Extend(extension);
  maker.Add(kOne, "one", SymbolKind::kMethod, extension);
  maker.Add(kTwo, "two", SymbolKind::kMethod, extension);
  EXPECT_EQ(maker.Symbols(40), Texts{"method A > one:2-3, method A > two:4-5"});
  EXPECT_TRUE(maker.Outline(40)[0].starts_with("[A] extension A {"));
  OutlineMaker empty("extension A {\n}\n");
  empty.Extend(empty.Add("extension A {\n}", "A", SymbolKind::kClass));
  EXPECT_EQ(empty.Symbols(40), Texts{""});
}

TEST(OutlineChunker, ALoneClosingBracketStaysWithWhatPrecedesIt) {
  const std::string body = "  void f() {\n    a b c\n    d e f\n  }\n";
  OutlineMaker maker("class A {\n" + body + "};\n");
  const int32_t a = maker.Add("class A {\n" + body + "};", "A", SymbolKind::kClass);
  maker.Add(body, "f", SymbolKind::kMethod, a);
  const Texts chunks = maker.Outline(8);
  ASSERT_FALSE(chunks.empty());
  EXPECT_EQ(chunks.back(), "[A > f]     d e f\n  }\n};");
}

TEST(OutlineChunker, ACommentIsOfTheDefinitionAndItsLinesAreNot) {
  const std::string text = "// Adds.\nint Add();\n";
  CodeOutline outline;
  outline.definitions.push_back({.start_byte = 0,
                                 .end_byte = text.size() - 1,
                                 .code_byte = 9,
                                 .kind = SymbolKind::kFunction,
                                 .name = "Add"});
  const auto chunks = ChunkText(text, Parser::kCode, {}, &outline);
  ASSERT_EQ(chunks.size(), 1u);
  ASSERT_EQ(chunks[0].symbols.size(), 1u);
  EXPECT_EQ(chunks[0].symbols[0], (Symbol{.name = "Add",
                                          .kind = "function",
                                          .scope = "",
                                          .start_line = 2,
                                          .end_line = 2,
                                          .begins = true}));
}

TEST(OutlineChunker, AQualifiedNameIsDividedIntoScopeAndName) {
  const std::string text = "void Store::Commit() {}\n";
  OutlineMaker maker(text);
  maker.Add(text, "Store::Commit", SymbolKind::kMethod);
  EXPECT_EQ(maker.Outline(9), Texts{"[Store > Commit] void Store::Commit() {}"});
  const auto chunks = maker.Chunks(9);
  EXPECT_EQ(chunks[0].symbols[0].name, "Commit");
  EXPECT_EQ(chunks[0].symbols[0].scope, "Store");
}

}  // namespace
}  // namespace recall
