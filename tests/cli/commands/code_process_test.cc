// Source code that is cut along its definitions, as a user sees it. Built with grammars only.

#include "tests/cli/recall_process.h"
#include "tests/cli/run/reference/console_pages.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kClock = R"(import time


class Clock:
    """Keeps the time."""

    def now(self):
        return time.time()

    @property
    def zone(self):
        return "UTC"


def parse_zone(text):
    return text.strip()
)";

constexpr const char* kStore = R"(#include "store.h"

namespace db {

// Writes all pages.
void Store::Commit() {
  for (auto& page : pages_) page.Write();
}

struct Page {
  void Write();
  int size = 0;
};

}  // namespace db
)";

class CodeTest : public RecallTest {
 protected:
  void SetUp() override {
    // Chunks of a few words, so that each definition is one.
    ASSERT_EQ(Run({"init", "--chunk-tokens", "12", "--overlap-tokens", "2"}).exit, 0);
    Write("clock.py", kClock);
    Write("store.cc", kStore);
  }

  // "path:first-last kind scope > name" of the definitions that `symbols` finds.
  std::vector<std::string> Symbols(std::vector<std::string> args) {
    args.insert(args.begin(), {"symbols", "--json"});
    const Json answer = Run(args).Json();
    EXPECT_EQ(answer["ok"], true) << answer;
    std::vector<std::string> found;
    for (const Json& row : answer["results"]) {
      const std::string scope = row["scope"];
      found.push_back(row["doc"]["path"].get<std::string>() + ":" + row["start_line"].dump() + "-" +
                      row["end_line"].dump() + " " + row["kind"].get<std::string>() + " " +
                      (scope.empty() ? "" : scope + " > ") + row["name"].get<std::string>());
    }
    return found;
  }

  std::vector<std::string> Headings(const std::string& filter) {
    const Json answer =
        Run({"query", "--json", "FROM chunk FILTER " + filter + " SELECT chunk.heading"}).Json();
    std::vector<std::string> headings;
    for (const Json& row : answer["results"]) headings.push_back(row["chunk"]["heading"]);
    EXPECT_EQ(answer["ok"], true) << answer;
    return headings;
  }

  using Texts = std::vector<std::string>;
};

TEST_F(CodeTest, DefinitionsAreFoundByName) {
  ASSERT_EQ(Run({"add"}).exit, 0);
  EXPECT_EQ(Symbols({"now"}), Texts{"clock.py:7-8 method Clock > now"});
  EXPECT_EQ(Symbols({"Clock"}), Texts{"clock.py:4-12 class Clock"});
  EXPECT_EQ(Symbols({"Commit"}), Texts{"store.cc:6-8 method db > Store > Commit"});
  EXPECT_EQ(Symbols({"Store::Commit"}), Symbols({"Commit"}));
  EXPECT_EQ(Symbols({"Clock.*"}),
            (Texts{"clock.py:7-8 method Clock > now", "clock.py:11-12 method Clock > zone"}));
  EXPECT_EQ(Symbols({"*zone", "--kind", "function"}), Texts{"clock.py:15-16 function parse_zone"});
  EXPECT_EQ(Symbols({"*", "--filter", "doc.path = 'clock.py'", "-k", "2"}).size(), 2u);
  EXPECT_EQ(Symbols({"commit"}), Texts{}) << "names are compared exactly";
  EXPECT_EQ(Symbols({"parse?zone"}), Symbols({"parse_zone"}));
  EXPECT_EQ(Symbols({"parse_*"}), Symbols({"parse_zone"}));
  EXPECT_EQ(Symbols({"_arse*"}), Texts{}) << "_ and % are no wildcards";
  const RunResult wrong = Run({"symbols", "now", "--kind", "methods"});
  EXPECT_EQ(wrong.exit, 2) << wrong;
  EXPECT_NE(wrong.err.find("did you mean method?"), std::string::npos) << wrong;
}

TEST_F(CodeTest, APlaceIsACitationThatGetReads) {
  ASSERT_EQ(Run({"add"}).exit, 0);
  const std::string line = Run({"symbols", "parse_zone"}).out;
  EXPECT_EQ(line, "clock.py:15-16\tfunction\tparse_zone\n");
  EXPECT_EQ(Run({"get", line.substr(0, line.find('\t'))}).out,
            "def parse_zone(text):\n    return text.strip()\n");
}

TEST_F(CodeTest, ChunksAreDefinitionsAndFilterByThem) {
  ASSERT_EQ(Run({"add"}).exit, 0);
  // Its second chunk is a part of it.
  EXPECT_EQ(Headings("chunk.symbol = 'Commit'"),
            (Texts{"db > Store > Commit", "db > Store > Commit"}));
  EXPECT_EQ(Headings("chunk.kind = 'struct'"), Texts{"db > Page"});
  EXPECT_EQ(Headings("chunk.symbol LIKE 'parse%'"), Texts{"Clock, parse_zone"});
}

TEST_F(CodeTest, CodeInOtherCharsetsIsCutAsCode) {
  Write("heron.py", "def heron():\n    # pr\xE9\x66\xE8rent la for\xEAt\n    return 1\n");
  ASSERT_EQ(Run({"add", "--code-chunker", "plain"}).exit, 0);
  EXPECT_EQ(Symbols({"heron"}), Texts{});
  ASSERT_EQ(Run({"add", "--rechunk"}).exit, 0);
  EXPECT_EQ(Run({"symbols", "heron"}).out, "heron.py:1-3\tfunction\theron\n");
  EXPECT_NE(Run({"get", "heron.py:2"}).out.find("préfèrent la forêt"), std::string::npos);
}

TEST_F(CodeTest, AddKeepsTheChunksOfAnotherBuildUntilItIsAsked) {
  ASSERT_EQ(Run({"add", "--code-chunker", "plain"}).exit, 0);
  EXPECT_EQ(Symbols({"*"}), Texts{});
  EXPECT_NE(Run({"symbols", "now"}).err.find("--rechunk"), std::string::npos);
  const Json again = Run({"add", "--json"}).Json();
  EXPECT_EQ(again["add"]["unchanged"], 2) << again;
  EXPECT_EQ(Symbols({"*"}), Texts{});

  EXPECT_EQ(Run({"add", "--rechunk", "--json"}).Json()["add"]["updated"], 2);
  EXPECT_EQ(Symbols({"Page"}), Texts{"store.cc:10-13 struct db > Page"});
  EXPECT_EQ(Run({"add", "--rechunk", "--json"}).Json()["add"]["unchanged"], 2)
      << "by the same grammar";

  EXPECT_EQ(Run({"add", "--rechunk", "--json"}, {.env = {{"RECALL_CODE_CHUNKER", "plain"}}})
                .Json()["add"]["updated"],
            2);
  EXPECT_EQ(Symbols({"*"}), Texts{});
}

TEST_F(CodeTest, WithoutTheLibraryItIsSaidAndCanBeMadeGood) {
  Write("broken/libtree-sitter.so.0", "no library\n");
  const RunResult without =
      Run({"add", "clock.py", "store.cc"}, {.env = {{"LD_LIBRARY_PATH", Path("broken")}}});
  EXPECT_EQ(without.exit, 0) << without;
  EXPECT_NE(without.err.find("libtree-sitter0"), std::string::npos) << without;
  EXPECT_EQ(Symbols({"*"}), Texts{});
  const RunResult with = Run({"add", "clock.py", "store.cc", "--rechunk"});
  EXPECT_EQ(with.err.find("libtree-sitter0"), std::string::npos) << with;
  EXPECT_EQ(Symbols({"now"}), Texts{"clock.py:7-8 method Clock > now"});
}

TEST_F(CodeTest, AChangedFileHasTheSymbolsOfItsNewText) {
  ASSERT_EQ(Run({"add"}).exit, 0);
  const std::string before = Run({"ls", "--json"}).Json()["query"]["snapshot"];
  Write("clock.py", "def later():\n    return 1\n");
  ASSERT_EQ(Run({"add"}).exit, 0);
  EXPECT_EQ(Symbols({"now"}), Texts{});
  EXPECT_EQ(Symbols({"later"}), Texts{"clock.py:1-2 function later"});
  EXPECT_EQ(Symbols({"now", "--snapshot", before}), Texts{"clock.py:7-8 method Clock > now"});
  ASSERT_EQ(Run({"compact"}).exit, 0);
  EXPECT_EQ(Run({"doctor"}).exit, 0);
  ASSERT_EQ(Run({"rm", "clock.py"}).exit, 0);
  EXPECT_EQ(Symbols({"later"}), Texts{});
}

TEST_F(CodeTest, BrokenCodeIsNoError) {
  Write("clock.py", std::string(5000, '(') + "\n))) def class ((( %%% \x01\n");
  const RunResult added = Run({"add"});
  EXPECT_EQ(added.exit, 0) << added;
  EXPECT_EQ(Run({"query", "FROM chunk FILTER doc.path = 'clock.py' SELECT chunk.id"}).exit, 0);
  EXPECT_EQ(Symbols({"Commit"}).size(), 1u);
  EXPECT_EQ(Run({"doctor"}).exit, 0);
}

TEST_F(CodeTest, MembersOfArchivesAndLinesHaveSymbols) {
  Write("docs.jsonl", "{\"path\":\"mail/fix.py\",\"text\":\"def fix():\\n    return 1\\n\"}\n");
  ASSERT_EQ(Run({"add", "--jsonl", "docs.jsonl"}).exit, 0);
  EXPECT_EQ(Symbols({"fix"}), Texts{"mail/fix.py:1-2 function fix"});
}

TEST_F(CodeTest, VersionNamesTheGrammars) {
  const Json version = Run({"version", "--json"}).Json();
  bool has_python = false;
  for (const Json& name : version["version"]["grammars"]) {
    has_python |= name.get<std::string>().starts_with("python-");
  }
  EXPECT_TRUE(has_python) << version;
}

class CodePagesTest : public RecallTest {};

TEST_F(CodePagesTest, CommandsPrintWhatIsShown) {
  size_t count = 0;
  for (const std::string& page : ConsolePagesOfCode()) {
    RunConsolePage(page, Path("home" + std::to_string(++count)));
  }
  EXPECT_GE(count, 2u);
}

}  // namespace
}  // namespace recall
