// Adding from lists of file names (--files-from), in files and on standard input.

#include <filesystem>

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

class FilesFromTest : public RecallTest {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"init"}).exit, 0); }

  Json Add(std::vector<std::string> args, const RunOptions& options, int exit) {
    args.insert(args.begin(), {"add", "--json"});
    const RunResult result = Run(args, options);
    EXPECT_EQ(result.exit, exit) << result;
    return result.Json();
  }
  bool Has(const std::string& path) { return Run({"get", "--", path}).exit == 0; }
};

// Every name in the list is counted once.
TEST_F(FilesFromTest, TakesOneNameALineFromAFileOrStandardInput) {
  for (const char* name : {"a.md", "with space.md", "-dash.md", "other.md"}) Write(name, "text\n");
  Write("list", "a.md\n\nwith space.md\n-dash.md\na.md\n");
  const Json add = Add({"--files-from", "list"}, {}, 0)["add"];
  EXPECT_EQ(add["added"], 3);
  EXPECT_EQ(add["found"], 3);
  EXPECT_FALSE(Has("other.md"));
  EXPECT_FALSE(Has("list"));
  EXPECT_EQ(Add({"--files-from", "-"}, {.input = "other.md\nlist"}, 0)["add"]["added"], 2);
}

TEST_F(FilesFromTest, NamesEndedByNulMayHoldNewlines) {
  Write("new\nline.md", "text\n");
  Write("b.md", "text\n");
  const std::string names("new\nline.md\0b.md\0", 17);
  EXPECT_EQ(Add({"--files-from", "-", "--null"}, {.input = names}, 0)["add"]["added"], 2);
  EXPECT_TRUE(Has("new\nline.md"));
}

TEST_F(FilesFromTest, NamesAreRelativeToTheCurrentDirectory) {
  Write("sub/a.md", "text\n");
  Write("a.md", "another\n");
  const RunOptions in_sub{.directory = Path("sub"), .input = "a.md\n../a.md\n" + Path("a.md")};
  EXPECT_EQ(Add({"--files-from", "-"}, in_sub, 0)["add"]["added"], 2);
  EXPECT_EQ(Run({"get", "sub/a.md"}).out, "text\n");
  EXPECT_EQ(Run({"get", "a.md"}).out, "another\n");
}

TEST_F(FilesFromTest, DirectoriesAreWalkedAndPathsMayBeGivenToo) {
  Write("docs/a.md", "text\n");
  Write("docs/b.txt", "text\n");
  Write("src/c.md", "text\n");
  const Json add =
      Add({"--files-from", "-", "--glob", "*.md", "src"}, {.input = "docs\n"}, 0)["add"];
  EXPECT_EQ(add["added"], 2);
  EXPECT_FALSE(Has("docs/b.txt"));
}

TEST_F(FilesFromTest, ANameThatDoesNotExistHasFailedAndStopsNoOther) {
  Write("a.md", "text\n");
  const std::string names = "gone\na.md\nbad\xff\ngone\na.md/below\n";
  const Json json = Add({"--files-from", "-"}, {.input = names}, 3);
  EXPECT_EQ(json["error"]["code"], "io_error");
  EXPECT_EQ(json["add"]["added"], 1);
  EXPECT_EQ(json["add"]["failed"], 3) << "each name once";
  ExpectSums(json["add"]);
  const Json& failures = json["add"]["failures"];
  ASSERT_EQ(failures.size(), 3u) << json;
  EXPECT_EQ(failures[0]["path"], "a.md/below");
  EXPECT_EQ(failures[1]["path"], "bad\\xff");
  EXPECT_EQ(failures[2]["path"], "gone");
  EXPECT_EQ(failures[2]["reason"], "no such file or directory");
  EXPECT_EQ(json["warnings"].size(), 3u);

  // A missing PATH is an error, reported before anything is added.
  EXPECT_EQ(Add({"--files-from", "-", "nowhere"}, {.input = "a.md\n"}, 1)["error"]["code"],
            "not_found");
}

TEST_F(FilesFromTest, AnEmptyListIsNothingToDo) {
  Write("a.md", "text\n");
  EXPECT_EQ(Add({"--files-from", "-"}, {.input = ""}, 0)["add"]["found"], 0);
}

TEST_F(FilesFromTest, WhatIsNoListOfNamesIsRefused) {
  Write("a.md", "text\n");
  const auto refused = [&](const std::vector<std::string>& args, const RunOptions& options = {}) {
    EXPECT_EQ(Add(args, options, 2)["error"]["code"], "invalid_argument");
  };
  refused({"--files-from", "-"}, {.input = std::string("a.md\0b.md\0", 10)});
  refused({"--files-from", "-"}, {.input = "a.md\n" + std::string(70'000, 'x')});
  refused({"--null", "a.md"});
  refused({"--files-from", ""});
  refused({"--files-from", "."});
  EXPECT_EQ(Add({"--files-from", "nowhere"}, {}, 1)["error"]["code"], "not_found");
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 0);
}

TEST_F(FilesFromTest, GivesUpAfterSoManyFailures) {
  for (const char* name : {"a.md", "b.md", "c.md", "d.md"}) Write(name, "text\n");
  std::filesystem::permissions(Path("b.md"), std::filesystem::perms::none);
  std::filesystem::permissions(Path("c.md"), std::filesystem::perms::none);
  for (const char* name : {"", "recall.db"}) {
    std::filesystem::permissions(Path(name), std::filesystem::perms::all);
  }
  const Json json = Add({"--max-errors", "2"}, {.unprivileged = true}, 3);
  EXPECT_EQ(json["add"]["gave_up"], true);
  EXPECT_EQ(json["add"]["added"], 1) << "what came before is kept";
  EXPECT_EQ(json["add"]["failed"], 2);
  EXPECT_NE(json["error"]["message"].get<std::string>().find("gave up after 2"), std::string::npos);
  const Json all = Add({"--max-errors", "3"}, {.unprivileged = true}, 3);
  EXPECT_EQ(all["add"]["gave_up"], false);
  EXPECT_EQ(all["add"]["added"], 1);
  EXPECT_EQ(all["add"]["unchanged"], 1);
  ExpectSums(all["add"]);
}

TEST_F(FilesFromTest, ADirectoryThatCannotBeReadHasFailed) {
  Write("closed/a.md", "text\n");
  Write("open/b.md", "text\n");
  std::filesystem::permissions(Path("closed"), std::filesystem::perms::none);
  for (const char* name : {"", "recall.db"}) {
    std::filesystem::permissions(Path(name), std::filesystem::perms::all);
  }
  const Json json = Add({"."}, {.unprivileged = true}, 3);
  std::filesystem::permissions(Path("closed"), std::filesystem::perms::all);
  EXPECT_EQ(json["add"]["added"], 1);
  EXPECT_EQ(json["add"]["failed"], 1);
  EXPECT_EQ(json["add"]["failures"][0]["path"], "closed") << json;
  ExpectSums(json["add"]);
}

}  // namespace
}  // namespace recall
