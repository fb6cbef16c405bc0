#include "tests/index/source/chunk/chunk_test_util.h"

namespace recall {
namespace {

TEST(Parser, NamesRoundTrip) {
  for (const Parser parser :
       {Parser::kAuto, Parser::kPlain, Parser::kMarkdown, Parser::kCode, Parser::kNote}) {
    EXPECT_EQ(ParserFromName(ParserName(parser)), parser);
  }
  EXPECT_EQ(ParserFromName("Markdown"), std::nullopt);
  EXPECT_EQ(ParserFromName(""), std::nullopt);
}

TEST(Parser, AutoGoesByExtension) {
  for (const char* path : {"a.md", "docs/b.markdown", "c.mdx", "README.MD", ".hidden.md"}) {
    EXPECT_EQ(ResolveParser(Parser::kAuto, path), Parser::kMarkdown) << path;
  }
  // The published list of extensions.
  for (const char* extension : {"rs",    "py", "js",   "ts",  "go",   "java", "c",     "cc",
                                "cpp",   "h",  "hpp",  "cs",  "rb",   "php",  "swift", "kt",
                                "scala", "sh", "bash", "zsh", "toml", "yaml", "yml",   "json"}) {
    EXPECT_EQ(ResolveParser(Parser::kAuto, std::string("x.") + extension), Parser::kCode)
        << extension;
  }
  for (const char* path : {"a.txt", "Makefile", "a.md/LICENSE", ".md", "x.", "", "a.rst"}) {
    EXPECT_EQ(ResolveParser(Parser::kAuto, path), Parser::kPlain) << path;
  }
}

TEST(Parser, AnExplicitChoiceWins) {
  EXPECT_EQ(ResolveParser(Parser::kPlain, "a.md"), Parser::kPlain);
  EXPECT_EQ(ResolveParser(Parser::kCode, "a.txt"), Parser::kCode);
}

}  // namespace
}  // namespace recall
