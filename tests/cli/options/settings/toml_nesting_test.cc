#include "cli/options/settings/toml_nesting.h"

#include <gtest/gtest.h>

#include <string>

namespace recall {
namespace {

std::string Repeated(std::string_view text, size_t times) {
  std::string repeated;
  for (size_t i = 0; i < times; ++i) repeated += text;
  return repeated;
}

TEST(TomlNestingTest, AKeyHasAtMostSixteenParts) {
  for (const std::string part : {".k", " . k", ".\"q\"", ".'q.q.q'"}) {
    const std::string fits = "k" + Repeated(part, 15);
    const std::string deep = "k" + Repeated(part, 16);
    for (const std::string before : {"", "a = 1\n", "a = {b = 1, ", "# x\r\n"}) {
      EXPECT_EQ(LineOfDeepToml(before + fits + " = 1"), std::nullopt) << part;
      EXPECT_NE(LineOfDeepToml(before + deep + " = 1"), std::nullopt) << part;
    }
    EXPECT_EQ(LineOfDeepToml("[" + fits + "]\n" + fits + " = 1"), std::nullopt);
    EXPECT_EQ(LineOfDeepToml("\n\n[[" + deep + "]]"), 3u);
  }
}

TEST(TomlNestingTest, SixteenBracketsMayBeOpen) {
  EXPECT_EQ(LineOfDeepToml("a = " + Repeated("[", 16) + Repeated("]", 16)), std::nullopt);
  EXPECT_EQ(LineOfDeepToml("a = " + Repeated("[\n", 17)), 17u);
  EXPECT_EQ(LineOfDeepToml(Repeated("[a]\n[[b]]\nc = [{d = []}]\n", 100)), std::nullopt);
  EXPECT_NE(LineOfDeepToml("a = " + Repeated("[{b=", 9)), std::nullopt);
}

// What is in a string or a comment is no structure, and what follows it is.
TEST(TomlNestingTest, StringsAndCommentsAreSkippedExactly) {
  const std::string deep = "\nk" + Repeated(".k", 20) + " = 1";
  const std::string dots = Repeated(".[{", 20);
  const std::string texts[] = {
      "\"" + dots + "\"",
      "'" + dots + "'",
      "\"\\\"" + dots + "\"",
      "\"\\\\\"",
      "'\\'",
      "\"\"",
      "''",
      "\"\"\"" + dots + "\n\" \"\" \\\"\"\" " + dots + "\"\"\"",
      "'''" + dots + "\n' '' " + dots + "'''",
      "\"\"\"a\"\"\"\"\"",
      "'''a'''''",
      "'''a''''",
      "\"\"\"\"\"\"",
      "1 # " + dots + " \"\"\" '''",
  };
  for (const std::string& text : texts) {
    EXPECT_EQ(LineOfDeepToml("a = " + text), std::nullopt) << text;
    EXPECT_NE(LineOfDeepToml("a = " + text + deep), std::nullopt) << text;
  }
}

TEST(TomlNestingTest, AnyBytesAreScannedToTheirEnd) {
  for (const std::string_view text :
       {"", "\"", "'", "\"\"\"", "'''", "\"\\", "\"\"\"\\", "#", "]]]", "a = '''x''", "\xff\xfe"}) {
    EXPECT_EQ(LineOfDeepToml(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace recall
