// `recall add --sync` removes the documents whose files are missing from the targets, and no
// others.

#include <filesystem>

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;
namespace fs = std::filesystem;

class SyncTest : public RecallTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Run({"init"}).exit, 0);
    for (const char* name : {"docs/a.md", "docs/b.md", "docs/sub/c.md", "docs/d.txt", "src/e.md"}) {
      Write(name, std::string("text of ") + name + "\n");
    }
    ASSERT_EQ(Run({"add", "docs", "src"}).exit, 0);
  }

  // The JSON answer of an add with --sync.
  Json Sync(Names args, int exit = 0, const RunOptions& options = {}) {
    args.insert(args.begin(), {"add", "--sync", "--json"});
    const RunResult result = Run(args, options);
    EXPECT_EQ(result.exit, exit) << result;
    return result.Json();
  }
  Names Removed(const Names& args) {
    const Json add = Sync(args)["add"];
    EXPECT_EQ(add["removed"], add["removed_paths"].size());
    return add["removed_paths"].get<Names>();
  }
  bool Has(const std::string& path) { return Run({"get", "--", path}).exit == 0; }
};

TEST_F(SyncTest, RemovesWhatIsMissingAndAddsWhatIsNew) {
  fs::remove(Path("docs/a.md"));
  fs::remove_all(Path("docs/sub"));
  Write("docs/new.md", "new\n");
  Write("docs/b.md", "edited\n");
  const Json dry = Sync({"docs", "--dry-run"})["add"];
  EXPECT_EQ(dry["removed_paths"].get<Names>(), (Names{"docs/a.md", "docs/sub/c.md"}));
  EXPECT_TRUE(Has("docs/a.md"));

  const RunResult text = Run({"add", "docs", "--sync"});
  EXPECT_TRUE(text.out.starts_with("Added 1, updated 1, unchanged 1 file, removed 2 documents ("))
      << text;
  EXPECT_FALSE(Has("docs/a.md"));
  EXPECT_FALSE(Has("docs/sub/c.md"));
  EXPECT_TRUE(Has("docs/new.md"));
  EXPECT_EQ(Removed({"docs"}), Names());
  EXPECT_EQ(Run({"doctor"}).exit, 0);
}

TEST_F(SyncTest, WithoutItNothingIsRemoved) {
  fs::remove(Path("docs/a.md"));
  EXPECT_EQ(Run({"add", "docs", "--json"}).Json()["add"]["removed"], 0);
  EXPECT_TRUE(Has("docs/a.md"));
}

TEST_F(SyncTest, OnlyBelowTheTargets) {
  fs::remove(Path("docs/a.md"));
  fs::remove(Path("src/e.md"));
  EXPECT_EQ(Removed({"docs/sub"}), Names());
  EXPECT_EQ(Removed({"docs/b.md"}), Names());
  EXPECT_EQ(Removed({"src"}), (Names{"src/e.md"}));
  EXPECT_TRUE(Has("docs/a.md"));
  EXPECT_EQ(Removed({}), (Names{"docs/a.md"})) << "the current directory";
}

TEST_F(SyncTest, OnlyWhatGlobsAndIgnoresKeep) {
  for (const char* name : {"docs/a.md", "docs/d.txt", "docs/sub/c.md"}) fs::remove(Path(name));
  EXPECT_EQ(Removed({"docs", "--glob", "*.txt", "--dry-run"}), (Names{"docs/d.txt"}));
  EXPECT_EQ(Removed({"docs", "--ignore", "sub", "--ignore", "*.txt"}), (Names{"docs/a.md"}));
  Write("docs/.recallignore", "sub/\n");
  EXPECT_EQ(Removed({"docs"}), (Names{"docs/d.txt"}));
  EXPECT_EQ(Removed({"docs", "--no-ignore-files"}), (Names{"docs/sub/c.md"}));
}

// A file that exists but is now ignored is not missing.
TEST_F(SyncTest, AFileThatIsIgnoredNowStays) {
  Write("docs/.recallignore", "a.md\n");
  EXPECT_EQ(Removed({"docs"}), Names());
  EXPECT_TRUE(Has("docs/a.md"));
}

// As the documents of stores from before hidden files were left out.
TEST_F(SyncTest, HiddenDocumentsStayUnlessHiddenFilesAreTaken) {
  Write("docs/.env", "text\n");
  Write("docs/.ci/a", "text\n");
  ASSERT_EQ(Run({"add", "docs", "--hidden"}).exit, 0);
  EXPECT_EQ(Removed({"docs"}), Names());
  fs::remove(Path("docs/.env"));
  fs::remove_all(Path("docs/.ci"));
  EXPECT_EQ(Removed({"docs"}), Names()) << "this walk would not have found them";
  EXPECT_EQ(Removed({"docs", "--hidden"}), (Names{"docs/.ci/a", "docs/.env"}));
}

TEST_F(SyncTest, OnlyDocumentsOfTheLabelsThatAreGiven) {
  ASSERT_EQ(Run({"add", "docs", "--glob", "a.md", "--tag", "one", "--source", "s"}).exit, 0);
  ASSERT_EQ(Run({"add", "docs", "--glob", "b.md", "--tag", "two"}).exit, 0);
  for (const char* name : {"docs/a.md", "docs/b.md", "docs/d.txt"}) fs::remove(Path(name));
  EXPECT_EQ(Removed({"docs", "--tag", "one", "--dry-run"}), (Names{"docs/a.md"}));
  EXPECT_EQ(Removed({"docs", "--tag", "two", "--dry-run"}), (Names{"docs/b.md"}));
  EXPECT_EQ(Removed({"docs", "--tag", "two", "--source", "s"}), Names());
  EXPECT_EQ(Removed({"docs"}), (Names{"docs/a.md", "docs/b.md", "docs/d.txt"}));
}

TEST_F(SyncTest, ATargetThatIsNotThereIsAnErrorAndNothingIsRemoved) {
  fs::remove(Path("src/e.md"));
  fs::rename(Path("docs"), Path("elsewhere"));
  EXPECT_EQ(Sync({"docs", "src"}, 1)["error"]["code"], "not_found");
  EXPECT_TRUE(Has("docs/a.md"));
  EXPECT_TRUE(Has("src/e.md"));
  const Json json = Sync({"--files-from", "-"}, 3, {.input = "docs\nsrc\n"});
  EXPECT_EQ(json["add"]["removed"], 0);
  EXPECT_EQ(json["add"]["failed"], 1);
  EXPECT_NE(json["warnings"][0].get<std::string>().find("no document was removed, because docs"),
            std::string::npos);
  EXPECT_TRUE(Has("src/e.md"));
}

TEST_F(SyncTest, WhatCannotBeReadIsNotMissing) {
  fs::remove(Path("src/e.md"));
  fs::remove(Path("docs/sub/c.md"));
  for (const char* name : {"", "recall.db", "docs", "src"}) {
    fs::permissions(Path(name), fs::perms::all);
  }
  fs::permissions(Path("docs/sub"), fs::perms::none);
  const RunOptions nobody{.unprivileged = true};
  // The state of files below an unreadable directory is unknown.
  EXPECT_EQ(Sync({"docs", "--dry-run"}, 3, nobody)["add"]["removed"], 0);
  // If a target cannot be read, nothing is removed, not even from the other targets.
  const Json json = Sync({"docs/sub", "src"}, 3, nobody);
  fs::permissions(Path("docs/sub"), fs::perms::all);
  EXPECT_EQ(json["add"]["removed"], 0);
  EXPECT_TRUE(Has("src/e.md"));
  EXPECT_EQ(Removed({"docs", "src"}), (Names{"docs/sub/c.md", "src/e.md"}));
}

TEST_F(SyncTest, NothingIsRemovedWhenTheJobGivesUp) {
  fs::remove(Path("docs/a.md"));
  const Json json =
      Sync({"docs", "--max-errors", "1", "--files-from", "-"}, 3, {.input = "gone\n"});
  EXPECT_EQ(json["add"]["gave_up"], true);
  EXPECT_TRUE(Has("docs/a.md"));
}

TEST_F(SyncTest, ADirectoryInItsPlaceMeansTheFileIsMissing) {
  fs::remove(Path("docs/a.md"));
  Write("docs/a.md/inside.md", "text\n");
  EXPECT_EQ(Removed({"docs"}), (Names{"docs/a.md"}));
  EXPECT_TRUE(Has("docs/a.md/inside.md"));
  fs::remove_all(Path("docs/sub"));
  Write("docs/sub", "a file now\n");
  EXPECT_EQ(Removed({"docs"}), (Names{"docs/sub/c.md"}));
}

// A walk follows a link only if the link is the target; otherwise the documents behind it are kept.
TEST_F(SyncTest, DocumentsBehindALinkAreLeftAlone) {
  Write("real/f.md", "text\n");
  fs::create_directory_symlink("../real", Path("docs/link"));
  ASSERT_EQ(Run({"add", "docs/link"}).exit, 0);
  fs::remove(Path("real/f.md"));
  EXPECT_EQ(Removed({"docs"}), Names());
  EXPECT_EQ(Removed({"docs/link"}), (Names{"docs/link/f.md"}));
}

// Lines and imported documents never had a file, with a time or without one.
TEST_F(SyncTest, DocumentsThatNeverHadAFileStay) {
  ASSERT_EQ(
      Run({"add", "--jsonl", "-", "--source", "wiki"},
          {.input = "{\"path\":\"docs/w\",\"text\":\"x\"}\n"
                    "{\"path\":\"docs/t\",\"text\":\"x\",\"mtime\":\"2026-01-01T00:00:00Z\"}\n"
                    "{\"path\":\"wiki/w\",\"text\":\"x\"}\n"})
          .exit,
      0);
  Write("other/docs/i", "text\n");
  ASSERT_EQ(Run({"init", "other"}).exit, 0);
  ASSERT_EQ(Run({"add", "other/docs", "--store", "other/recall.db"}).exit, 0);
  ASSERT_EQ(Run({"import", "-"}, {.input = Run({"export", "--store", "other/recall.db"}).out}).exit,
            0);
  fs::rename(Path("other/docs/i"), Path("other/docs/m"));
  ASSERT_EQ(Run({"add", "other/docs", "--sync", "--store", "other/recall.db"}).exit, 0);
  ASSERT_EQ(Run({"merge", "other/recall.db"}).exit, 0);
  EXPECT_EQ(Removed({"docs"}), Names());
  const std::pair<const char*, const char*> origins[] = {
      {"docs/w", "line"}, {"docs/t", "line"}, {"docs/i", "import"}, {"docs/m", "import"}};
  for (const auto& [path, origin] : origins) {
    const RunResult verified = Run({"get", "--verify", "--json", path});
    EXPECT_EQ(verified.exit, 0) << path;
    EXPECT_EQ(verified.Json()["get"]["verify"], "no_file") << path;
    EXPECT_NE(verified.out.find("has no source file: it was compared with nothing"),
              std::string::npos)
        << verified;
    EXPECT_EQ(verified.Json()["get"]["doc"]["origin"], origin) << path;
  }
  // Once it has been added from a file it is a document of that file.
  Write("docs/t", "x");
  EXPECT_EQ(Run({"add", "docs/t", "--json"}).Json()["add"]["refreshed"], 1);
  fs::remove(Path("docs/t"));
  EXPECT_EQ(Run({"get", "--verify", "--json", "docs/t"}).Json()["get"]["verify"], "missing");
  EXPECT_EQ(Removed({"docs"}), (Names{"docs/t"}));
}

TEST_F(SyncTest, DocumentsOutsideTheStoresDirectory) {
  Write("out/x.md", "text\n");
  Write("out/y.md", "text\n");
  Write("in/z", "text\n");
  ASSERT_EQ(Run({"init", "in"}).exit, 0);
  const std::string store = Path("in/recall.db");
  const auto add = [&](Names args) {
    args.insert(args.begin(), {"add", "--json", "--store", store});
    return Run(args).Json()["add"];
  };
  EXPECT_EQ(add({"out", "in"})["added"], 3);
  fs::remove(Path("out/x.md"));
  fs::remove(Path("in/z"));
  EXPECT_EQ(add({"in", "--sync", "--dry-run"})["removed_paths"].get<Names>(), (Names{"z"}));
  EXPECT_EQ(add({"out", "--sync", "--dry-run"})["removed_paths"].get<Names>(),
            (Names{Path("out/x.md")}));
  EXPECT_EQ(add({".", "--glob", "*.md", "--sync"})["removed_paths"].get<Names>(),
            (Names{Path("out/x.md")}));
  EXPECT_EQ(add({".", "--glob", "z", "--sync"})["removed_paths"].get<Names>(), (Names{"z"}));
}

}  // namespace
}  // namespace recall
