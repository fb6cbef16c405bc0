#include "tests/layering/code_size.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/layering/layering_rules.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

// What fits on a screen or two is read as a whole.
constexpr size_t kLongestFunction = 70;
constexpr size_t kLongestSource = 600;

TEST(CodeSizeTest, FunctionsAndSourcesAreShort) {
  size_t functions = 0;
  for (const SourceFile& file : ProductSources(SourceDir())) {
    const auto lines = static_cast<size_t>(std::ranges::count(file.text, '\n'));
    EXPECT_LE(lines, kLongestSource) << file.path;
    for (const FunctionSize& function : FunctionsOf(file.text)) {
      ++functions;
      EXPECT_LE(function.lines, kLongestFunction)
          << file.path << ":" << function.line << ": " << function.head;
    }
  }
  EXPECT_GT(functions, 5000u) << "the functions were not found";
}

// Controls: the lengths must be found.
TEST(CodeSizeRulesTest, MeasuresFunctionsOfNamespacesAndClasses) {
  const auto functions = FunctionsOf(
      "namespace a {\n"
      "\n"
      "struct S {\n"
      "  int f() {\n"
      "    if (true) {\n"
      "      return 1;\n"
      "    }\n"
      "    return 2;\n"
      "  }\n"
      "  int x = 0;\n"
      "};\n"
      "\n"
      "// A comment that ends with {\n"
      "std::string Long(int first,\n"
      "                 int second) {\n"
      "  const auto g = [](int y) {\n"
      "    return y;\n"
      "  };\n"
      "  return {};\n"
      "}\n"
      "\n"
      "const Row kRows[] = {\n"
      "    {1, f(2)},\n"
      "};\n"
      "\n"
      "}  // namespace a\n");
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].line, 4u);
  EXPECT_EQ(functions[0].lines, 6u);
  EXPECT_EQ(functions[0].head, "int f() {");
  EXPECT_EQ(functions[1].line, 14u);
  EXPECT_EQ(functions[1].lines, 7u);
}

TEST(CodeSizeRulesTest, TypesAndTablesAreNoFunctions) {
  EXPECT_TRUE(FunctionsOf("class C final : public B(x) {\n};\n"
                          "constexpr auto kTable = Make({\n});\n"
                          "const std::map<int, F> kMap = {\n    {1, g()},\n};\n")
                  .empty());
}

}  // namespace
}  // namespace recall
