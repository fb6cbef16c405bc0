// `add --known`: what the store has of a directory is brought up to date with its files.

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/cli/recall_process.h"
#include "tests/git_sandbox.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class KnownProcessTest : public RecallTest {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"init"}).exit, 0); }

  nlohmann::ordered_json Known(const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"add", "--known", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json()["add"];
  }
  std::string Documents() { return Run({"ls"}).out; }
  bool HasDocument(const std::string& path) { return Run({"get", path}).exit == 0; }
};

TEST_F(KnownProcessTest, ChangedNewAndDeletedFiles) {
  Write("kept.md", "The heron stands.\n");
  Write("edited.md", "The heron flies.\n");
  Write("sub/deleted.md", "The heron eats.\n");
  ASSERT_EQ(Run({"add", "."}).exit, 0);
  Write("edited.md", "The crane flies.\n");
  fs::remove_all(Path("sub"));
  Write("new.md", "The stork nests.\n");
  Write("below/new.md", "The stork hunts.\n");
  const auto add = Known();
  ExpectSums(add);
  EXPECT_EQ(add["added"], 2);
  EXPECT_EQ(add["updated"], 1);
  EXPECT_EQ(add["unchanged"], 1);
  EXPECT_EQ(add["removed_paths"], nlohmann::ordered_json::array({"sub/deleted.md"}));
  EXPECT_EQ(Run({"get", "edited.md"}).out, "The crane flies.\n");
  EXPECT_TRUE(HasDocument("new.md"));
  EXPECT_TRUE(HasDocument("below/new.md"));
  const auto again = Known();
  EXPECT_EQ(again["unchanged"], 4);
  EXPECT_EQ(again["found"], 4);
}

TEST_F(KnownProcessTest, DryRunChangesNothing) {
  Write("a.md", "The heron stands.\n");
  Write("b.md", "The heron flies.\n");
  ASSERT_EQ(Run({"add", "."}).exit, 0);
  Write("a.md", "The crane stands.\n");
  fs::remove(Path("b.md"));
  Write("c.md", "The stork nests.\n");
  const auto add = Known({"--dry-run"});
  EXPECT_EQ(add["updated"], 1);
  EXPECT_EQ(add["removed"], 1);
  EXPECT_EQ(add["added"], 1);
  EXPECT_EQ(Run({"get", "--no-check", "a.md"}).out, "The heron stands.\n");
  EXPECT_TRUE(HasDocument("b.md"));
  EXPECT_FALSE(HasDocument("c.md"));
}

// Files that nobody has chosen stay out: of another kind, in a directory that was not added,
// ignored, hidden.
TEST_F(KnownProcessTest, OtherFilesAreNotTaken) {
  Write("docs/a.md", "The heron stands.\n");
  Write("docs/code.cc", "int heron;\n");
  Write("top.md", "The heron flies.\n");
  ASSERT_EQ(Run({"add", "docs", "--glob", "*.md"}).exit, 0);
  Write("docs/new.cc", "int crane;\n");
  Write("docs/new.md", "The crane flies.\n");
  Write("docs/ignored.md", "The stork nests.\n");
  Write("docs/.hidden.md", "The stork hides.\n");
  Write(".recallignore", "ignored.md\n");
  EXPECT_EQ(Known()["added"], 1);
  EXPECT_TRUE(HasDocument("docs/new.md"));
}

TEST_F(KnownProcessTest, ADirectoryThatWasAddedAsAWholeIsContinued) {
  Write("README.md", "The heron stands.\n");
  Write("LICENSE", "The heron may be copied.\n");
  Write("src/a/a.cc", "int heron;\n");
  ASSERT_EQ(Run({"add", "."}).exit, 0);
  Write("src/b/b.cc", "int crane;\n");
  Write("b.py", "stork = 1\n");
  EXPECT_EQ(Known()["added"], 1);
  EXPECT_TRUE(HasDocument("src/b/b.cc"));
}

// Most files of the top directory were left out, so it says nothing of others.
TEST_F(KnownProcessTest, SingleFilesOfADirectoryAreNotAllOfIt) {
  Write("README.md", "The heron stands.\n");
  Write("LICENSE", "The heron may be copied.\n");
  Write("setup.py", "heron = 1\n");
  Write("docs/example.py", "heron = 2\n");
  Write("src/a.py", "heron = 3\n");
  ASSERT_EQ(Run({"add", "README.md", "docs"}).exit, 0);
  Write("docs/deep/new.py", "crane = 1\n");
  Write("src/new.py", "crane = 2\n");
  EXPECT_EQ(Known()["added"], 1);
  EXPECT_TRUE(HasDocument("docs/deep/new.py"));
}

TEST_F(KnownProcessTest, OnlyBelowThePaths) {
  Write("a/x.md", "The heron stands.\n");
  Write("b/x.md", "The heron flies.\n");
  ASSERT_EQ(Run({"add", "."}).exit, 0);
  for (const char* name : {"a/x.md", "b/x.md", "a/y.md", "b/y.md"}) Write(name, "The crane.\n");
  EXPECT_EQ(Known({"a"})["updated"], 1);
  EXPECT_TRUE(HasDocument("a/y.md"));
  EXPECT_FALSE(HasDocument("b/y.md"));
  EXPECT_EQ(Run({"get", "--no-check", "b/x.md"}).out, "The heron flies.\n");
}

// A branch without any of the files removes all documents; the one before brings them back.
TEST_F(KnownProcessTest, WhatWasRemovedComesBackAsItWas) {
  const std::string text = "---\ntitle: One\n---\n\nThe heron stands.\n";
  const auto write = [&] {
    Write("docs/a.md", text);
    Write("docs/b.md", text);
  };
  write();
  ASSERT_EQ(Run({"add", "docs/a.md", "--tag", "t", "--source", "s", "--extract-meta"}).exit, 0);
  ASSERT_EQ(Run({"add", "docs/b.md", "--parser", "plain", "--lang", "de"}).exit, 0);
  const auto rows = [&] {
    return Run({"query",
                "FROM doc ORDER BY doc.path ASC "
                "SELECT doc.path, doc.id, doc.tag, doc.source, doc.parser, doc.lang, "
                "doc.meta.title"})
        .out;
  };
  const std::string before = rows();
  for (const char* part : {"One", "plain", "de"}) {
    EXPECT_NE(before.find(part), std::string::npos) << before;
  }
  fs::remove_all(Path("docs"));
  EXPECT_EQ(Known()["removed"], 2);
  EXPECT_EQ(Documents(), "");
  write();
  EXPECT_EQ(Known()["added"], 2);
  EXPECT_EQ(rows(), before);
}

TEST_F(KnownProcessTest, WhatAUserRemovedStaysRemovedUntilItsFileChanges) {
  Write("a.md", "The heron stands.\n");
  Write("b.md", "The heron flies.\n");
  ASSERT_EQ(Run({"add", "."}).exit, 0);
  ASSERT_EQ(Run({"rm", "a.md"}).exit, 0);
  EXPECT_EQ(Known()["added"], 0);
  EXPECT_FALSE(HasDocument("a.md"));
  Write("a.md", "The heron rests.\n");
  EXPECT_EQ(Known()["added"], 1);
  EXPECT_TRUE(HasDocument("a.md"));
}

TEST_F(KnownProcessTest, NewFilesAreAddedAsTheOthersThere) {
  Write("lib/a.md", "The heron stands.\n");
  ASSERT_EQ(Run({"add", "--root", Path("lib"), "--as", "manual", "--tag", "t", "lib"}).exit, 0);
  Write("lib/deep/b.md", "The crane flies.\n");
  EXPECT_EQ(Known()["added"], 1);
  const auto doc = Run({"get", "--json", "manual/deep/b.md"}).Json()["get"]["doc"];
  EXPECT_EQ(doc["tag"], "t");
}

TEST_F(KnownProcessTest, SecretsStayRedacted) {
  const std::string key = std::string("AKIA") + "Q3EGRZ5YXN2KDLTP";
  Write("a.md", "The heron has the key " + key + ".\n");
  ASSERT_EQ(Run({"add", ".", "--secrets", "redact"}).exit, 0);
  ASSERT_EQ(Run({"get", "a.md"}).out.find(key), std::string::npos);
  Write("a.md", "The crane has the key " + key + ".\n");
  EXPECT_EQ(Known()["updated"], 1);
  const std::string text = Run({"get", "a.md"}).out;
  EXPECT_NE(text.find("The crane"), std::string::npos) << text;
  EXPECT_EQ(text.find(key), std::string::npos) << text;
}

TEST_F(KnownProcessTest, NothingHappensWithoutDocumentsOrStore) {
  Write("a.md", "The heron stands.\n");
  EXPECT_EQ(Known()["found"], 0);
  EXPECT_EQ(Documents(), "");
  // Documents without files are neither up to date nor examples.
  Write("lines.jsonl", "{\"path\": \"line.md\", \"text\": \"The crane.\"}\n");
  ASSERT_EQ(Run({"add", "--jsonl", "lines.jsonl"}).exit, 0);
  EXPECT_EQ(Known()["added"], 0);
  EXPECT_TRUE(HasDocument("line.md"));
  Write("elsewhere/a.md", "The heron stands.\n");
  EXPECT_EQ(Run({"add", "--known", "--store", Path("missing.db")}).exit, 3);
  EXPECT_FALSE(fs::exists(Path("missing.db")));
}

TEST_F(KnownProcessTest, FlagsThatSayHowToAddAreRefused) {
  Write("a.md", "The heron stands.\n");
  ASSERT_EQ(Run({"add", "."}).exit, 0);
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"--sync"},
                                             {"--tag", "t"},
                                             {"--glob", "*.md"},
                                             {"--parser", "plain"},
                                             {"--jsonl", "lines.jsonl"}}) {
    std::vector<std::string> args = {"add", "--known"};
    args.insert(args.end(), flags.begin(), flags.end());
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 2) << result;
    EXPECT_NE(result.err.find("--known and " + flags.front() + " cannot be combined"),
              std::string::npos)
        << result;
  }
  EXPECT_EQ(Run({"add", "--known", "missing"}).exit, 1);
}

// A run that has read a file, and is slow to write it, must not hide what the file became
// meanwhile, although the run that was started for that found nothing to do.
TEST_F(KnownProcessTest, TheLastStateOfAFileWins) {
  Write("answer.sh",
        "while read line; do\n"
        "  if [ -e " +
            QuotedWord(Path("hold")) +
            " ]; then\n"
            "    echo held > " +
            QuotedWord(Path("held")) + "; read go < " + QuotedWord(Path("go")) +
            "\n"
            "  fi\n"
            "  echo '[1,0,0,0,0,0,0,0]'\n"
            "done\n");
  Write("settings.toml",
        "[embedders.mine]\nkind = \"command\"\nmodel = \"m\"\ndim = 8\n"
        "command = [\"/bin/sh\", \"" +
            Path("answer.sh") + "\"]\n");
  const std::vector<std::string> known = {"add", "--known", "docs", "--config",
                                          Path("settings.toml")};
  Write("docs/a.md", "The heron stands.\n");
  ASSERT_EQ(Run({"add", "docs"}).exit, 0);
  ASSERT_EQ(Run({"embed", "--as", "mine", "--config", Path("settings.toml")}).exit, 0);
  for (const char* fifo : {"held", "go"}) ASSERT_EQ(::mkfifo(Path(fifo).c_str(), 0600), 0);

  Write("docs/a.md", "The crane flies.\n");
  Write("hold", "");
  const int held = ::open(Path("held").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const int go = ::open(Path("go").c_str(), O_RDWR | O_CLOEXEC);
  const pid_t slow = Start(known);
  pollfd polled = {held, POLLIN, 0};
  ASSERT_EQ(::poll(&polled, 1, 20'000), 1) << "the file was not read";
  Erase("hold");
  Write("docs/a.md", "The heron stands.\n");
  EXPECT_EQ(Run(known).exit, 0);
  EXPECT_EQ(::write(go, "go\n", 3), 3);
  EXPECT_EQ(Wait(slow).exit, 0);
  EXPECT_EQ(Run({"get", "--no-check", "docs/a.md"}).out, "The heron stands.\n");
  ::close(held);
  ::close(go);
}

}  // namespace
}  // namespace recall
