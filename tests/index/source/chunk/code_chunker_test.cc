#include "tests/index/source/chunk/chunk_test_util.h"

namespace recall {
namespace {

Texts CutCode(std::string_view text, uint32_t chunk_tokens, uint32_t overlap = 0) {
  return ChunkTexts(text, Parser::kCode, {chunk_tokens, overlap});
}

TEST(CodeChunker, NeighboursShareAChunk) {
  EXPECT_EQ(CutCode("import os\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n", 16),
            (Texts{"import os\n\ndef f():\n    return 1\n\ndef g():\n    return 2"}));
}

TEST(CodeChunker, PartsAtDefinitions) {
  EXPECT_EQ(CutCode("fn a() {\n  one\n}\nfn b() {\n  two\n}\n", 6),
            (Texts{"fn a() {\n  one\n}", "fn b() {\n  two\n}"}));
}

TEST(CodeChunker, PartsAtBlankLinesBeforeUnindentedLines) {
  EXPECT_EQ(CutCode("int a() {\n  x;\n\n  y;\n}\n\nint b() {\n  z;\n}\n", 7),
            (Texts{"int a() {\n  x;\n\n  y;\n}", "int b() {\n  z;\n}"}));
}

TEST(CodeChunker, ABracketAfterABlankLineStaysWithItsBlock) {
  EXPECT_EQ(CutCode("f() {\n  x;\n\n}\n\ng() {\n  y;\n}\n", 6),
            (Texts{"f() {\n  x;\n\n}", "g() {\n  y;\n}"}));
}

TEST(CodeChunker, CommentsAndDecoratorsStayWithTheirDefinition) {
  EXPECT_EQ(CutCode("x = 1\ny = 2\n# Adds.\n@cached\ndef add(a, b):\n    return a + b\n", 12),
            (Texts{"x = 1\ny = 2", "# Adds.\n@cached\ndef add(a, b):\n    return a + b"}));
  EXPECT_EQ(CutCode("struct A;\n/// Doc of b.\n#[inline]\npub(crate) async fn b() {}\n", 11),
            (Texts{"struct A;", "/// Doc of b.\n#[inline]\npub(crate) async fn b() {}"}));
}

TEST(CodeChunker, ACommentApartBelongsToNoDefinition) {
  EXPECT_EQ(CutCode("# License text here\n\ndef f(): pass\n", 4),
            (Texts{"# License text here", "def f(): pass"}));
}

TEST(CodeChunker, AClassPartsAtItsMethodsAndKeepsItsFirst) {
  EXPECT_EQ(CutCode("class A:\n    def one(self):\n        return 1\n    def two(self):\n"
                    "        return 2\n",
                    6),
            (Texts{"class A:\n    def one(self):\n        return 1",
                   "    def two(self):\n        return 2"}));
}

TEST(CodeChunker, DeeplyIndentedDefinitionsDoNotPart) {
  const std::string text = "def f():\n        def g():\n            pass\n        return g\n";
  EXPECT_EQ(CutCode(text, 7), (Texts{text.substr(0, text.size() - 1)}));
}

TEST(CodeChunker, KeepsIndentationOfTheFirstLine) {
  const Texts chunks = CutCode("void f() {\n  a;\n  b;\n  c;\n  d;\n  e;\n  f;\n}\n", 4);
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[1], "  b;\n  c;\n  d;\n  e;");
}

TEST(CodeChunker, WindowsPreferBlankLines) {
  EXPECT_EQ(CutCode("f() {\n  a b c\n  d e\n\n  g h\n  i j k l\n}\n", 9),
            (Texts{"f() {\n  a b c\n  d e", "  g h\n  i j k l\n}"}));
}

TEST(CodeChunker, WordsAreNotDefinitions) {
  // If `type: x` or `class = 3` were definitions, each would start a chunk.
  EXPECT_EQ(CutCode("a: 1\ntype: x\nclass = 3\ndefault: y\n", 9),
            (Texts{"a: 1\ntype: x\nclass = 3\ndefault: y"}));
  EXPECT_EQ(CutCode("a: 1\ntype: x\nclass = 3\nenum: z\n", 4),
            (Texts{"a: 1\ntype: x", "class = 3", "enum: z"}));
}

TEST(CodeChunker, KnowsDefinitionsOfManyLanguages) {
  for (const char* line :
       {"fn f() {}", "pub(crate) unsafe fn f() {}", "extern \"C\" fn f() {}", "impl<T> A for B {}",
        "export default function () {}", "async function* gen() {}", "func (r *T) M() {}",
        "public static class C {}", "enum class E {}", "data class P(val x: Int)", "interface I {",
        "macro_rules! m {", "type Alias = u8;", "trait T {}", "namespace n {", "suspend fun f() {}",
        "case class C()", "typedef struct {", "struct"}) {
    const std::string text = std::string("x y z\n") + line + "\n";
    EXPECT_EQ(CutCode(text, 8), (Texts{"x y z\n" + std::string(line)})) << line;
    EXPECT_EQ(CutCode("x y z a b c\n" + std::string(line) + "\n", 6),
              (Texts{"x y z a b c", std::string(line)}))
        << line;
  }
}

TEST(CodeChunker, HasNoHeadings) {
  for (const ChunkSpan& span : ChunkText("# Title\n\nclass A: pass\n", Parser::kCode, {})) {
    EXPECT_EQ(span.heading, "");
  }
}

}  // namespace
}  // namespace recall
