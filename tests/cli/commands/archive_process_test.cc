// `recall add ARCHIVE`: members become documents, and adding again updates them.

#include <filesystem>

#include "tests/cli/recall_process.h"
#include "tests/index/source/archive/archive_maker.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;
using Members = std::vector<MadeMember>;
namespace fs = std::filesystem;

const Members kThree = {
    {"a.md", "# Heron\n\nwaits\n"}, {"sub/b.txt", "swift flies\n"}, {"c.txt", "owl\n"}};

class ArchiveTest : public RecallTest {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"init"}).exit, 0); }

  void Pack(const std::string& name, const Members& members) {
    const std::string suffix = name.substr(name.find('.') + 1);
    Write(name, MakeArchive(suffix == "tgz" ? "tar.gz" : suffix, members));
  }
  Json Answer(Names args, int exit = 0) {
    args.insert(args.begin(), {"add", "--json"});
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, exit) << result;
    return result.Json();
  }
  Json Add(const Names& args, int exit = 0) { return Answer(args, exit)["add"]; }
  // The counts that are not 0, as text.
  static std::string Counts(const Json& add) {
    std::string counts;
    for (const char* name :
         {"added", "updated", "refreshed", "unchanged", "skipped", "failed", "removed"}) {
      if (add[name] == 0) continue;
      counts += (counts.empty() ? "" : " ") + std::string(name) + " " + add[name].dump();
    }
    return counts;
  }
  Names Paths() {
    Names paths;
    const Json answer = Run({"query", "--json", "FROM doc SELECT doc.path"}).Json();
    for (const Json& row : answer["results"]) paths.push_back(row["doc"]["path"]);
    return paths;
  }
};

class EveryArchiveTest : public ArchiveTest, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kinds, EveryArchiveTest,
                         testing::Values("x.tar", "x.tar.gz", "x.tgz", "x.tar.zst", "x.tar.xz",
                                         "x.tar.bz2", "x.zip"));

TEST_P(EveryArchiveTest, MembersAreDocumentsAndAddedAgainUnchanged) {
  const std::string x = GetParam();
  Pack(x, kThree);
  EXPECT_EQ(Counts(Add({x})), "added 3");
  EXPECT_EQ(Paths(), (Names{x + "!/a.md", x + "!/c.txt", x + "!/sub/b.txt"}));
  EXPECT_EQ(Run({"get", x + "!/sub/b.txt"}).out, "swift flies\n");
  const Json hit = Run({"search", "--json", "heron"}).Json()["results"][0];
  EXPECT_EQ(hit["doc"]["path"], x + "!/a.md");
  EXPECT_EQ(hit["chunk"]["heading"], "Heron") << "Markdown by its name";
  const std::string store = Read("recall.db");
  EXPECT_EQ(Counts(Add({x})), "unchanged 3");
  EXPECT_EQ(Counts(Add({x, "--sync"})), "unchanged 3");
  EXPECT_EQ(Counts(Add({x, "--mtime-only"})), "unchanged 3");
  EXPECT_EQ(Read("recall.db"), store);
}

TEST_P(EveryArchiveTest, EditsUpdateAndSyncRemovesWhatIsMissing) {
  const std::string x = GetParam();
  Pack(x, kThree);
  Add({x});
  Pack(x, {kThree[0], {"c.txt", "owl hunts\n"}, {"d.txt", "new\n"}});
  EXPECT_EQ(Counts(Add({x, "--sync", "--dry-run"})), "added 1 updated 1 unchanged 1 removed 1");
  EXPECT_EQ(Counts(Add({x})), "added 1 updated 1 unchanged 1");
  const Json synced = Add({x, "--sync"});
  EXPECT_EQ(Counts(synced), "unchanged 3 removed 1");
  EXPECT_EQ(synced["removed_paths"], Json({x + "!/sub/b.txt"}));
  EXPECT_EQ(Paths(), (Names{x + "!/a.md", x + "!/c.txt", x + "!/d.txt"}));
}

TEST_P(EveryArchiveTest, VerifyLooksIntoTheArchive) {
  const std::string x = GetParam();
  Pack(x, kThree);
  Add({x});
  const std::string member = x + "!/c.txt";
  EXPECT_EQ(Run({"get", "--verify", member}).exit, 0);
  Pack(x, {{"c.txt", "another\n"}});
  EXPECT_EQ(Run({"get", "--verify", member, "--json"}).Json()["error"]["code"], "verify_failed");
  Pack(x, {{"d.txt", "owl\n"}});
  EXPECT_EQ(Run({"get", "--verify", member}).exit, 1);
  EXPECT_EQ(Run({"get", "--verify", member, "--json"}).Json()["get"]["verify"], "missing");
  // Without the archive there is nothing to compare with.
  Erase(x);
  const RunResult verified = Run({"get", "--verify", member, "--json"});
  EXPECT_EQ(verified.exit, 0);
  EXPECT_EQ(verified.Json()["get"]["verify"], "no_file");
  EXPECT_EQ(verified.Json()["get"]["doc"]["origin"], "member");
}

// Members before the damage are added, the archive counts as one failure, and no document is
// removed.
TEST_P(EveryArchiveTest, TruncatedOnesAreOneFailure) {
  const std::string x = GetParam();
  Members members;
  for (int i = 0; i < 40; ++i) {
    std::string text;
    for (int j = 0; j < 1500; ++j) text += "w" + std::to_string(i * 7919 + j * j) + "\n";
    members.push_back({"m" + std::to_string(i) + ".txt", text});
  }
  Pack(x, members);
  const std::string whole = Read(x);
  Write(x, whole.substr(0, whole.size() / 2 + 77));
  const Json answer = Answer({x}, 3);
  const Json& add = answer["add"];
  EXPECT_EQ(answer["error"]["code"], "io_error");
  EXPECT_EQ(add["failed"], 1) << add;
  EXPECT_EQ(add["failures"][0]["path"], x);
  EXPECT_FALSE(add["failures"][0]["reason"].get<std::string>().empty());
  const size_t before = Paths().size();
  EXPECT_EQ(add["added"], before);
  if (x == "x.zip") {
    EXPECT_EQ(before, 0u) << "the directory of a zip is at its end";
  } else if (x == "x.tar.bz2") {
    EXPECT_EQ(before, 0u) << "these members are one block";
  } else {
    EXPECT_GT(before, 5u);
    EXPECT_LT(before, 40u);
    EXPECT_NE(add["failures"][0]["reason"].get<std::string>().find(" m"), std::string::npos);
  }
  Write(x, whole);
  Add({x});
  EXPECT_EQ(Paths().size(), 40u);
  Write(x, whole.substr(0, whole.size() / 2 + 77));
  EXPECT_EQ(Add({x, "--sync"}, 3)["removed"], 0);
  EXPECT_EQ(Paths().size(), 40u);
}

TEST_P(EveryArchiveTest, TheStoreIsTheSameForAnyNumberOfThreads) {
  const std::string x = GetParam();
  Members members;
  for (int i = 0; i < 30; ++i) {
    members.push_back({"m" + std::to_string(i) + ".txt", "word" + std::to_string(i) + " bird\n"});
  }
  members.push_back({"m3.txt", "later\n"});
  Pack(x, members);
  Names exports;
  for (const char* threads : {"1", "4"}) {
    const std::string store = std::string(threads) + ".db";
    ASSERT_EQ(Run({"init", store}).exit, 0);
    ASSERT_EQ(Run({"add", x, "--threads", threads, "--store", store}).exit, 0);
    exports.push_back(Run({"export", "--store", store}).out);
  }
  // The first line of an export has a random identity.
  for (std::string& text : exports) text = text.substr(text.find('\n'));
  EXPECT_EQ(exports[0], exports[1]);
  EXPECT_GT(exports[0].size(), 1000u);
}

TEST_F(ArchiveTest, InDirectoriesTheyAreOpenedOnRequestAlone) {
  Pack("d/x.tar", kThree);
  Write("d/note.txt", "note\n");
  EXPECT_EQ(Counts(Add({"d"})), "added 1 skipped 1");
  EXPECT_EQ(Paths(), Names{"d/note.txt"});
  EXPECT_EQ(Counts(Add({"d", "--archives"})), "added 3 unchanged 1");
  // A sync that does not open the archive, or that finds no archive, removes none of its members.
  EXPECT_EQ(Counts(Add({"d", "--sync"})), "unchanged 1 skipped 1");
  Pack("d/x.tar", {kThree[0]});
  EXPECT_EQ(Counts(Add({"d", "--sync", "--archives"})), "unchanged 2 removed 2");
  Erase("d/x.tar");
  EXPECT_EQ(Counts(Add({"d", "--sync"})), "unchanged 1");
  EXPECT_EQ(Paths(), (Names{"d/note.txt", "d/x.tar!/a.md"}));
  EXPECT_EQ(Run({"rm", "d/x.tar"}).exit, 0);
  EXPECT_EQ(Paths(), Names{"d/note.txt"});
}

TEST_F(ArchiveTest, GlobsAndIgnoresChooseMembers) {
  Pack("d/x.zip", kThree);
  Write("d/z.md", "note\n");
  EXPECT_EQ(Counts(Add({"d", "--archives", "--glob", "*.md"})), "added 2");
  EXPECT_EQ(Paths(), (Names{"d/x.zip!/a.md", "d/z.md"}));
  EXPECT_EQ(Counts(Add({"d/x.zip", "--ignore", "sub/"})), "added 1 unchanged 1");
  EXPECT_EQ(Counts(Add({"d", "--archives", "--ignore", "*.zip"})), "unchanged 1");
  // A sync removes only members that its globs match.
  Pack("d/x.zip", {{"c.txt", "owl\n"}});
  EXPECT_EQ(Counts(Add({"d/x.zip", "--sync", "--glob", "*.txt"})), "unchanged 1");
  EXPECT_EQ(Counts(Add({"d/x.zip", "--sync"})), "unchanged 1 removed 1");
}

TEST_F(ArchiveTest, HostileMembersAreSkippedWithTheReason) {
  Pack("x.tar", {{"/etc/passwd", "root\n"},
                 {"../../up.txt", "up\n"},
                 {"soft.txt", "", AE_IFLNK, "/etc/passwd"},
                 {"device", "", AE_IFBLK},
                 {"b\xFF.txt", "bytes\n"},
                 {"binary.dat", std::string("a\0b", 3)},
                 {".git/config", "never\n"},
                 {"fine.txt", "fine\n"}});
  const Json answer = Answer({"x.tar"});
  EXPECT_EQ(Counts(answer["add"]), "added 1 skipped 6");
  EXPECT_EQ(Paths(), Names{"x.tar!/fine.txt"});
  const Names warnings = answer["warnings"].get<Names>();
  for (const char* warning :
       {"skip x.tar!//etc/passwd: its name is absolute",
        "skip x.tar!/../../up.txt: its name leads out of the archive",
        "skip x.tar!/soft.txt: it is a symbolic link", "skip x.tar!/device: it is a device",
        "skip x.tar!/b\\xff.txt: its name is not UTF-8",
        "skip x.tar!/binary.dat: it is not text: it has a NUL at byte 1"}) {
    EXPECT_EQ(std::ranges::count(warnings, warning), 1) << warning << answer;
  }
  EXPECT_FALSE(fs::exists(Path("../up.txt")));
}

TEST_F(ArchiveTest, BombsEndAtTheLimits) {
  Pack("x.zip",
       {{"a.txt", "first\n"}, {"bomb.txt", std::string(3 << 20, 'a')}, {"z.txt", "last\n"}});
  const Json member = Answer({"x.zip", "--max-file-size", "1M"});
  EXPECT_EQ(Counts(member["add"]), "added 2 skipped 1");
  EXPECT_NE(member["warnings"][0].get<std::string>().find("exceeds the limit of 1048576"),
            std::string::npos)
      << member;
  for (const char* name : {"y.zip", "y.tar.zst"}) {
    Pack(name, {{"a.txt", "first\n"}, {"b.txt", std::string(3 << 20, 'b')}, {"z.txt", "last\n"}});
    const Json whole = Add({name, "--max-archive-size", "1M"}, 3);
    EXPECT_EQ(Counts(whole), "added 1 failed 1") << name;
    EXPECT_EQ(whole["failures"][0]["path"], name);
    EXPECT_NE(whole["failures"][0]["reason"].get<std::string>().find(
                  "its contents exceed the limit of 1048576 bytes"),
              std::string::npos);
  }
}

// If two members have the same name, the later one counts, whatever its type, on each run.
TEST_F(ArchiveTest, OfOneNameTheLastMemberCounts) {
  Pack("x.tar", {{"a.txt", "old\n"},
                 {"b.txt", "b\n"},
                 {"./a.txt", "new\n"},
                 {"l.txt", "text\n"},
                 {"l.txt", "", AE_IFLNK, "a.txt"}});
  EXPECT_EQ(Counts(Add({"x.tar"})), "added 2 skipped 1");
  EXPECT_EQ(Run({"get", "x.tar!/a.txt"}).out, "new\n");
  EXPECT_EQ(Counts(Add({"x.tar"})), "unchanged 2 skipped 1");
}

TEST_F(ArchiveTest, TimesAndLabelsAreThoseOfFiles) {
  Pack("x.tar", {{"a.txt", "a\n", AE_IFREG, "", 1'600'000'000}});
  Add({"x.tar", "--tag", "old", "--source", "backup"});
  const Json doc = Run({"query", "--json", "FROM doc SELECT doc.*"}).Json()["results"][0]["doc"];
  EXPECT_EQ(doc["mtime"], "2020-09-13T12:26:40Z");
  EXPECT_EQ(doc["tag"], "old");
  EXPECT_EQ(doc["source"], "backup");
  Pack("x.tar", {{"a.txt", "a\n", AE_IFREG, "", 1'600'000'001}});
  EXPECT_EQ(Counts(Add({"x.tar"})), "refreshed 1");
}

TEST_F(ArchiveTest, RmByTheArchivesName) {
  Pack("x.tar", kThree);
  Write("x.txt", "stays\n");
  Add({"x.tar", "x.txt"});
  EXPECT_EQ(Run({"rm", "x.tar", "--json"}).Json()["rm"]["removed"].size(), 3u);
  EXPECT_EQ(Paths(), Names{"x.txt"});
}

TEST_F(ArchiveTest, WhatIsNoArchiveHasFailedAndStopsNoOther) {
  Write("x.zip", "just text\n");
  Write("y.txt", "fine\n");
  const Json add = Add({"x.zip", "y.txt"}, 3);
  EXPECT_EQ(Counts(add), "added 1 failed 1");
  EXPECT_NE(add["failures"][0]["reason"].get<std::string>().find("it is not a supported archive"),
            std::string::npos);
}

// A directory whose name looks like the inside of an archive is a directory.
TEST_F(ArchiveTest, DirectoriesWithSuchANameAreDirectories) {
  Write("d/x.tar!/a.txt", "a\n");
  EXPECT_EQ(Counts(Add({"d"})), "added 1");
  EXPECT_EQ(Counts(Add({"d", "--sync"})), "unchanged 1");
  EXPECT_EQ(Run({"get", "--verify", "d/x.tar!/a.txt"}).exit, 0);
}

TEST_F(ArchiveTest, LinesAndArchivesExcludeEachOther) {
  Write("x.jsonl", "{\"path\":\"a\",\"text\":\"b\"}\n");
  EXPECT_EQ(Run({"add", "--jsonl", "x.jsonl", "--archives"}).exit, 2);
}

}  // namespace
}  // namespace recall
