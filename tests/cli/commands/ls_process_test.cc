// `recall ls`: which documents are listed, and in which form.

#include <algorithm>

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

class LsTest : public RecallTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Run({"init"}).exit, 0);
    for (const char* name : {"README.md", "docs/a.md", "docs/deep/b.md", "docs/deep/c.txt",
                             "docsx/d.md", "odd/a[1].md", "odd/it's.md"}) {
      Write(name, "# Title\n\nwords of " + std::string(name) + "\n");
    }
    ASSERT_EQ(Run({"add", "docs", "docsx", "odd", "--tag", "t"}).exit, 0);
    ASSERT_EQ(Run({"add", "README.md"}).exit, 0);
  }

  // The paths that `ls` lists with these arguments.
  std::vector<std::string> Paths(std::vector<std::string> args, RunOptions options = {}) {
    args.insert(args.begin(), {"ls", "--json"});
    std::vector<std::string> paths;
    const Json answer = Run(args, std::move(options)).Json();
    for (const Json& row : answer["results"]) paths.push_back(row["doc"]["path"]);
    EXPECT_EQ(answer["ok"], true) << answer;
    return paths;
  }

  using Names = std::vector<std::string>;
};

TEST_F(LsTest, ListsAllDocumentsByPath) {
  EXPECT_EQ(Paths({}), (Names{"README.md", "docs/a.md", "docs/deep/b.md", "docs/deep/c.txt",
                              "docsx/d.md", "odd/a[1].md", "odd/it's.md"}));
  EXPECT_EQ(Paths({"."}), Paths({}));
}

TEST_F(LsTest, APathIsADocumentOrADirectoryButNotThePrefixOfAName) {
  EXPECT_EQ(Paths({"docs"}), (Names{"docs/a.md", "docs/deep/b.md", "docs/deep/c.txt"}));
  EXPECT_EQ(Paths({"docs/"}), Paths({"docs"}));
  EXPECT_EQ(Paths({"docs/a.md", "README.md"}), (Names{"README.md", "docs/a.md"}));
  EXPECT_EQ(Paths({Path("docs/deep")}), (Names{"docs/deep/b.md", "docs/deep/c.txt"}));
}

TEST_F(LsTest, APatternWithoutASlashMatchesNamesAtAnyDepth) {
  EXPECT_EQ(Paths({"*.txt"}), (Names{"docs/deep/c.txt"}));
  EXPECT_EQ(Paths({"docs/*.md"}), (Names{"docs/a.md"}));
  EXPECT_EQ(Paths({"docs/**/*.md"}), (Names{"docs/a.md", "docs/deep/b.md"}));
  EXPECT_EQ(Paths({"nothing*"}), Names{});
}

TEST_F(LsTest, CaseIsIgnoredIfNothingHasTheExactName) {
  EXPECT_EQ(Paths({"readme*"}), (Names{"README.md"}));
  EXPECT_EQ(Paths({"Docs/*.MD"}), (Names{"docs/a.md"}));
  EXPECT_EQ(Paths({"DOCS/deep"}), (Names{"docs/deep/b.md", "docs/deep/c.txt"}));
  Write("odd/A.md", "upper\n");
  ASSERT_EQ(Run({"add", "odd"}).exit, 0);
  EXPECT_EQ(Paths({"odd/a*"}), (Names{"odd/a[1].md"}));
}

TEST_F(LsTest, GetTakesPatterns) {
  const RunResult all = Run({"get", "docs/**/*.md", "README.md"});
  EXPECT_EQ(all.exit, 0) << all;
  for (const std::string name : {"docs/a.md", "docs/deep/b.md", "README.md"}) {
    EXPECT_NE(all.out.find("words of " + name), std::string::npos) << all;
  }
  EXPECT_EQ(all.out.find("c.txt"), std::string::npos) << all;
  EXPECT_NE(Run({"get", "odd/a[1].md"}).out.find("words of odd/a[1].md"), std::string::npos);
  EXPECT_EQ(Run({"get", "nothing*"}).exit, 1);
  // A name with the characters of patterns means that document alone.
  Write("odd/a1.md", "other words\n");
  ASSERT_EQ(Run({"add", "odd"}).exit, 0);
  const RunResult named = Run({"get", "odd/a[1].md"});
  EXPECT_NE(named.out.find("words of odd/a[1].md"), std::string::npos) << named;
  EXPECT_EQ(named.out.find("other words"), std::string::npos) << named;
  EXPECT_NE(Run({"get", "odd/a[2-9].md", "odd/a?.md"}).out.find("other words"), std::string::npos);
}

TEST_F(LsTest, NamesWithTheCharactersOfPatternsAndQuotesAreNames) {
  EXPECT_EQ(Paths({"odd/a[1].md"}), (Names{"odd/a[1].md"}));
  EXPECT_EQ(Paths({"odd/it's.md"}), (Names{"odd/it's.md"}));
  // No valid pattern.
  Write("odd/[x", "text\n");
  ASSERT_EQ(Run({"add", "odd"}).exit, 0);
  EXPECT_EQ(Paths({"odd/[x"}), (Names{"odd/[x"}));
  EXPECT_EQ(Run({"ls", "["}).exit, 1);
}

TEST_F(LsTest, PathsAreTakenFromTheWorkingDirectoryAndFromTheStore) {
  const RunOptions docs = {.directory = Path("docs")};
  EXPECT_EQ(Paths({"deep"}, docs), (Names{"docs/deep/b.md", "docs/deep/c.txt"}));
  EXPECT_EQ(Paths({"docs/deep"}, docs), Paths({"deep"}, docs));
  EXPECT_EQ(Paths({"."}, docs), Paths({"docs"}));
}

TEST_F(LsTest, FiltersPagesAndSnapshotsAreThoseOfQuery) {
  EXPECT_EQ(Paths({"docs", "--filter", "doc.path LIKE '%.md' AND doc.tag = 't'"}),
            (Names{"docs/a.md", "docs/deep/b.md"}));
  EXPECT_EQ(Paths({"--filter", "doc.tag IS NULL"}), (Names{"README.md"}));
  EXPECT_EQ(Paths({"-k", "2", "--offset", "1"}), (Names{"docs/a.md", "docs/deep/b.md"}));
  const Json page = Run({"ls", "--json", "-k", "2"}).Json();
  EXPECT_EQ(page["stats"]["total_hits"], 7);
  EXPECT_EQ(page["next_offset"], 2);
  const std::string before = page["query"]["snapshot"];
  ASSERT_EQ(Run({"rm", "docs"}).exit, 0);
  EXPECT_EQ(Paths({"docs", "--snapshot", before}).size(), 3u);
  for (const std::string past : {"yesterday", "-7d", "7d", "2020-01", "2020-01-01"}) {
    EXPECT_EQ(Run({"ls", "README.md", "--snapshot", past}).exit, 1) << past;
  }
  EXPECT_EQ(Paths({"README.md", "--snapshot", "now"}), Names{"README.md"});
  const RunResult wrong = Run({"ls", "--filter", "doc.tg = 't'"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("did you mean doc.tag?"), std::string::npos) << wrong;
}

TEST_F(LsTest, WhatIsNotThereIsAnErrorUnlessItIsAPattern) {
  const RunResult none = Run({"ls", "nosuch"});
  EXPECT_EQ(none.exit, 1) << none;
  EXPECT_NE(none.err.find("'nosuch'"), std::string::npos) << none;
  EXPECT_EQ(Run({"ls", "--json", "nosuch"}).Json()["error"]["code"], "not_found");
}

TEST_F(LsTest, PipesGetCellsAndTerminalsATable) {
  const RunResult piped = Run({"ls", "docs/a.md"});
  EXPECT_TRUE(piped.out.starts_with("docs/a.md\t28\t1\t20")) << piped;
  EXPECT_TRUE(piped.out.ends_with("Z\tt\tfile\n")) << piped;
  const RunResult shown = Run({"ls", "docs/a.md"}, {.terminal = true});
  EXPECT_NE(shown.out.find("path"), std::string::npos) << shown;
  EXPECT_NE(shown.out.find("28 B"), std::string::npos) << shown;
  const RunResult below =
      Run({"ls", "deep/b.md", "--color", "never"}, {.directory = Path("docs"), .terminal = true});
  EXPECT_NE(below.out.find("\ndeep/b.md"), std::string::npos) << below;
}

}  // namespace
}  // namespace recall
