// Adding and removing documents: `recall add` and `recall rm`.

#include <csignal>
#include <filesystem>

#include "tests/cli/recall_process.h"
#include "tests/index/source/archive/archive_maker.h"

namespace recall {
namespace {

using AddTest = RecallTest;

TEST_F(AddTest, SaysWhatItDid) {
  Write("a.md", "alpha\n");
  Write("b.md", "beta\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult first = Run({"add"});
  EXPECT_EQ(first.exit, 0) << first;
  EXPECT_TRUE(first.out.starts_with("Added 2, updated 0, unchanged 0 files (2 chunks, 11 B) in "))
      << first;
  EXPECT_EQ(first.err, "");
}

// Other programs save a note by `add TYPE TITLE`.
TEST_F(AddTest, WhoeverMeansANoteIsToldHowToSaveIt) {
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult quoted = Run({"add", "bug", "CORS on Safari"});
  EXPECT_EQ(quoted.exit, Run({"add", "nowhere"}).exit) << quoted;
  EXPECT_NE(quoted.err.find("error: no such file or directory: bug\n"), std::string::npos)
      << quoted;
  EXPECT_NE(quoted.err.find("recall save bug 'CORS on Safari'"), std::string::npos) << quoted;
  EXPECT_NE(Run({"add", "decision", "Use", "SQLite"}).err.find("recall save decision 'Use SQLite'"),
            std::string::npos);
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"add", "bug"}, {"add", "src", "bug"}}) {
    const RunResult paths = Run(args);
    EXPECT_NE(paths.err.find("nothing was added"), std::string::npos) << paths;
    EXPECT_EQ(paths.err.find("recall save"), std::string::npos) << paths;
  }
  Write("bug/a.md", "alpha\n");
  Write("b.md", "beta\n");
  EXPECT_EQ(Run({"add", "bug", "b.md"}).exit, 0);
}

TEST_F(AddTest, UnchangedFilesChangeNothing) {
  MakeSmallStore();
  const auto before = Run({"stats", "--json"}).Json();
  const std::string answer = Run({"search", "--json", "segments"}).out;
  const auto again = Run({"add", "--json"}).Json();
  EXPECT_EQ(again["ok"], true);
  EXPECT_EQ(again["add"]["unchanged"], 3);
  EXPECT_EQ(again["add"]["added"], 0);
  EXPECT_EQ(again["add"]["updated"], 0);
  EXPECT_EQ(again["add"]["chunks"], 0);
  EXPECT_EQ(again["stats"]["total_hits"], 0);
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["snapshot"], before["stats"]["snapshot"]);
  EXPECT_EQ(Run({"search", "--json", "segments"}).out, answer);
}

TEST_F(AddTest, FrontMatterThatIsNotReadAsItIsGetsAWarning) {
  std::string keys = "status: open\n";
  for (int i = 0; i < 10'000; ++i) keys += "k" + std::to_string(i) + ": v\n";
  Write("large.md", "---\n" + keys + "---\nneedle\n");
  Write("open.md", "---\nstatus: [open\n---\nneedle\n");
  Write("sound.md", "---\nstatus: open\n---\nneedle\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  const std::string large = "front matter of large.md: it is larger than 64 KiB and was not read";
  const std::string open =
      "front matter of open.md: it is not valid YAML (line 3) and was read as plain lines";
  const RunResult added = Run({"add", "--extract-meta", "--json"});
  EXPECT_EQ(added.exit, 0) << added;
  EXPECT_EQ(added.Json()["warnings"], (std::vector<std::string>{large, open}));
  const RunResult again = Run({"add", "--extract-meta"});
  EXPECT_NE(again.err.find(large), std::string::npos) << again;
  EXPECT_NE(again.err.find(open), std::string::npos) << again;
  EXPECT_EQ(Run({"add"}).err, "");
}

TEST_F(AddTest, EditsReplaceAndComeBack) {
  ASSERT_EQ(Run({"init"}).exit, 0);
  const std::string first = "first version about walruses\n";
  const std::string second = "second version about penguins\n";
  Write("a.md", first);
  ASSERT_EQ(Run({"add"}).exit, 0);
  const auto id = Run({"get", "a.md", "--json"}).Json()["get"]["doc"]["id"];

  Write("a.md", second);
  EXPECT_EQ(Run({"add", "--json"}).Json()["add"]["updated"], 1);
  EXPECT_EQ(Run({"get", "a.md"}).out, second);
  EXPECT_EQ(Run({"search", "--bm25", "walruses"}).out, "");
  EXPECT_NE(Run({"search", "--bm25", "penguins"}).out, "");

  Write("a.md", first);
  EXPECT_EQ(Run({"add", "--json"}).Json()["add"]["updated"], 1);
  EXPECT_EQ(Run({"get", "a.md"}).out, first);
  EXPECT_EQ(Run({"get", "a.md", "--json"}).Json()["get"]["doc"]["id"], id);
  EXPECT_EQ(Run({"search", "--bm25", "penguins"}).out, "");
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 1);
}

TEST_F(AddTest, RemovedDocumentsCanBeAddedAgain) {
  MakeSmallStore();
  ASSERT_EQ(Run({"rm", "docs/guide.md"}).exit, 0);
  EXPECT_EQ(Run({"get", "docs/guide.md"}).exit, 1);
  EXPECT_EQ(Run({"add", "--json"}).Json()["add"]["added"], 1);
  EXPECT_EQ(Run({"get", "docs/guide.md"}).out, Read("docs/guide.md"));
}

TEST_F(AddTest, BinariesAreSkippedWithAWarning) {
  Write("a.md", "text\n");
  Write("image.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16));
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult text = Run({"add"});
  EXPECT_EQ(text.exit, 0) << text;
  EXPECT_NE(text.err.find("warning: "), std::string::npos) << text;
  EXPECT_NE(text.err.find("image.png"), std::string::npos) << text;
  EXPECT_NE(text.out.find("skipped 1 file"), std::string::npos) << text;
  const auto json = Run({"add", "--json"}).Json();
  EXPECT_EQ(json["add"]["skipped"], 1);
  EXPECT_EQ(json["warnings"].size(), 1u);
}

TEST_F(AddTest, TooManySkippedFilesAreAFailureInTheEnd) {
  Write("a.md", "text\n");
  Write("image.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16));
  Write("other.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16));
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult text = Run({"add", "--max-skipped", "1"});
  EXPECT_EQ(text.exit, 2) << text;
  EXPECT_NE(text.out.find("Added 1, updated 0, unchanged 0, skipped 2 files"), std::string::npos);
  EXPECT_NE(text.err.find("error: skipped 2 files, more than the 1 of --max-skipped\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(Run({"get", "a.md"}).out, "text\n");
  const auto json = Run({"add", "--json", "--max-skipped", "0"}).Json();
  EXPECT_EQ(json["error"]["code"], "limit_exceeded");
  EXPECT_EQ(json["add"]["skipped"], 2);
  EXPECT_EQ(Run({"add", "--max-skipped", "2"}).exit, 0);
}

TEST_F(AddTest, ManySkippedFilesAreSummedUpInText) {
  for (int i = 0; i < 1200; ++i) {
    const std::string suffix = i < 1100 ? ".png" : i < 1190 ? ".GIF" : "";
    Write("b" + std::to_string(i) + suffix, std::string("\0\xff", 2));
  }
  for (int i = 0; i < 3; ++i) Write("large" + std::to_string(i) + ".txt", std::string(5000, 'x'));
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult text = Run({"add", "--max-file-size", "4KiB"});
  EXPECT_EQ(text.err.substr(0, text.err.find('\n')),
            "warning: skipped 1,200 files that are not text (.png 1,100, .gif 90, without suffix "
            "10); --verbose names them");
  EXPECT_EQ(std::count(text.err.begin(), text.err.end(), '\n'), 4) << text;
  EXPECT_NE(text.err.find("warning: skip large2.txt: its 5000 bytes"), std::string::npos) << text;
  const RunResult verbose = Run({"add", "--verbose", "--max-file-size", "4KiB"});
  EXPECT_EQ(std::count(verbose.err.begin(), verbose.err.end(), '\n'), 1203) << verbose;
  const auto json = Run({"add", "--json", "--max-file-size", "4KiB"}).Json();
  EXPECT_EQ(json["warnings"].size(), 1203u);
  EXPECT_EQ(json["add"]["skipped_by"].dump(),
            R"([{"reason":"not_text","suffix":".png","count":1100},)"
            R"({"reason":"not_text","suffix":".gif","count":90},)"
            R"({"reason":"not_text","suffix":"","count":10},)"
            R"({"reason":"too_large","suffix":".txt","count":3}])");
}

// As gzip does; zstd and xz refuse such files.
TEST_F(AddTest, BytesAfterACompressedTextAreIgnoredWithAWarning) {
  Write("a.gz", Compressed("gz", "the heron waits\n") + "junk\n");
  Write("padded.gz", Compressed("gz", "the owl waits\n") + std::string(512, '\0'));
  Write("b.xz", Compressed("xz", "the swift waits\n") + "junk\n");
  Write("c.zst", Compressed("zst", "the stork waits\n") + "junk\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  for (const char* outcome : {"added", "unchanged"}) {
    const auto json = Run({"add", "--json"}).Json();
    EXPECT_EQ(json["add"][outcome], 2) << json;
    EXPECT_EQ(json["add"]["skipped"], 2) << json;
    ASSERT_EQ(json["warnings"].size(), 3u) << json;
    EXPECT_EQ(json["warnings"][0], "a.gz: ignored 5 bytes after the compressed text");
    EXPECT_TRUE(json["warnings"][1].get<std::string>().starts_with("skip b.xz: it is damaged: "));
    EXPECT_TRUE(json["warnings"][2].get<std::string>().starts_with("skip c.zst: it is damaged: "));
  }
  EXPECT_EQ(Run({"get", "a.gz", "--verify"}).out, "the heron waits\n");
}

TEST_F(AddTest, CompressedFilesAreTexts) {
  Write("changelog.gz", Compressed("gz", "the heron waits\n"));
  Write("d/guide.md.xz", Compressed("xz", "# Owl\n\nflies at night\n"));
  Write("d/log.zst", Compressed("zst", "a swift sleeps\n"));
  Write("d/logs.tar.gz", MakeArchive("tar.gz", {{"a.txt", "in an archive\n"}}));
  Write("d/image.gz", Compressed("gz", std::string("\x89PNG\0\0", 6)));
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult added = Run({"add"});
  EXPECT_TRUE(added.out.starts_with("Added 3, updated 0, unchanged 0, skipped 2 files")) << added;
  EXPECT_EQ(Run({"get", "changelog.gz"}).out, "the heron waits\n");
  const auto hit = Run({"search", "--json", "--bm25", "night"}).Json()["results"][0];
  EXPECT_EQ(hit["doc"]["path"], "d/guide.md.xz");
  EXPECT_EQ(hit["chunk"]["heading"], "Owl") << "Markdown by its name";
  EXPECT_EQ(Run({"add", "--json", "--sync"}).Json()["add"]["unchanged"], 3);
  EXPECT_EQ(Run({"get", "d/log.zst", "--verify"}).exit, 0);
  Write("d/log.zst", Compressed("zst", "a swift wakes\n"));
  EXPECT_EQ(Run({"get", "d/log.zst", "--verify"}).exit, 1);
  EXPECT_EQ(Run({"add", "--json"}).Json()["add"]["updated"], 1);
  Erase("changelog.gz");
  EXPECT_EQ(Run({"add", "--json", "--sync"}).Json()["add"]["removed_paths"].dump(),
            R"(["changelog.gz"])");
  EXPECT_EQ(Run({"add", "--json", "--max-file-size", "8"}).Json()["add"]["skipped_by"][0]["reason"],
            "too_large");
}

// Documents that are named by another directory than the store's.
class RootsTest : public RecallTest {
 protected:
  void SetUp() override {
    for (const char* name : {"out/lib/a.h", "out/lib/deep/b.h", "out/c.md", "work/w.md"}) {
      Write(name, std::string("text of ") + name + "\n");
    }
    ASSERT_EQ(Run({"init", "work"}).exit, 0);
  }
  RunResult In(std::vector<std::string> args) {
    args.insert(args.begin() + 1, {"--store", Path("work/recall.db")});
    return Run(args);
  }
  nlohmann::ordered_json Add(std::vector<std::string> args) {
    args.insert(args.begin(), {"add", "--json"});
    const RunResult result = In(args);
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json()["add"];
  }
  std::string Paths() {
    return In({"query", "FROM doc ORDER BY doc.path ASC SELECT doc.path"}).out;
  }
};

TEST_F(RootsTest, NameDocumentsOnEveryMachineAlike) {
  EXPECT_EQ(Add({"out", "--as", "theirs"})["added"], 3);
  EXPECT_EQ(Add({"work"})["added"], 1);
  EXPECT_EQ(Paths(), "theirs/c.md\ntheirs/lib/a.h\ntheirs/lib/deep/b.h\nw.md\n");
  EXPECT_EQ(Add({"out", "--as", "theirs/"})["unchanged"], 3);
  EXPECT_EQ(Add({"out/lib", "--root", "out", "--as", "theirs"})["unchanged"], 2) << "same names";
  EXPECT_EQ(Add({"out/c.md", "--as", "theirs"})["unchanged"], 1);
  EXPECT_EQ(Run({"doctor", "--store", Path("work/recall.db")}).exit, 0);
}

TEST_F(RootsTest, NameDocumentsRelativeToADirectory) {
  EXPECT_EQ(Add({"out/lib", "--root", "out"})["added"], 2);
  EXPECT_EQ(Paths(), "lib/a.h\nlib/deep/b.h\n");
  EXPECT_EQ(In({"get", "lib/a.h", "--verify"}).exit, 0);
  EXPECT_EQ(In({"get", Path("out/lib/a.h"), "--verify"}).exit, 0) << "the path of the file";
  Write("out/lib/a.h", "another text\n");
  EXPECT_EQ(In({"get", "lib/a.h", "--verify"}).exit, 1);
  EXPECT_EQ(In({"rm", "out/lib/a.h"}).exit, 0);
  EXPECT_EQ(Paths(), "lib/deep/b.h\n");
}

TEST_F(RootsTest, SyncFindsTheFiles) {
  Add({"out", "--as", "theirs"});
  Add({"work"});
  Erase("out/c.md");
  EXPECT_EQ(Add({"work", "--sync"})["removed"], 0) << "theirs/ is not below work";
  EXPECT_EQ(Add({"out", "--as", "theirs", "--sync", "--dry-run"})["removed_paths"].dump(),
            R"(["theirs/c.md"])");
  EXPECT_EQ(Add({"out", "--as", "theirs", "--sync"})["removed"], 1);
  std::filesystem::rename(Path("out"), Path("gone"));
  std::filesystem::create_directory(Path("empty"));
  EXPECT_EQ(Add({"work", "--sync"})["removed"], 0) << "a directory that is not mounted";
  EXPECT_EQ(In({"get", "theirs/lib/a.h", "--verify"}).exit, 1);
  EXPECT_EQ(Add({"gone", "--as", "theirs", "--sync"})["unchanged"], 2) << "it has moved";
  EXPECT_EQ(In({"get", "theirs/lib/a.h", "--verify"}).exit, 0);
  Erase("gone/lib/a.h");
  EXPECT_EQ(Add({"gone", "--as", "theirs", "--sync"})["removed_paths"].dump(),
            R"(["theirs/lib/a.h"])");
}

TEST_F(RootsTest, ArchivesAreNamedSoToo) {
  Write("out/x.tar", MakeArchive("tar", {{"m.txt", "a member\n"}}));
  EXPECT_EQ(Add({"out/x.tar", "--root", "out"})["added"], 1);
  EXPECT_EQ(Paths(), "x.tar!/m.txt\n");
  EXPECT_EQ(In({"get", "x.tar!/m.txt", "--verify"}).exit, 0);
  EXPECT_EQ(Add({"out/x.tar", "--root", "out", "--sync"})["removed"], 0);
}

TEST_F(RootsTest, FaultsAreExplained) {
  const auto fault = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"add", "--json"});
    return In(args).Json()["error"]["message"].get<std::string>();
  };
  EXPECT_EQ(fault({"work", "--root", "out"}), "work is not below --root out");
  EXPECT_EQ(fault({"out", "work", "--as", "x"}),
            "--as needs one PATH, or --root DIR that contains them all");
  EXPECT_EQ(fault({"out", "--root", "none"}), "no such directory: none");
  for (const char* prefix : {"/x", "../x", "a//b", "."}) {
    EXPECT_EQ(fault({"out", "--as", prefix}),
              "--as " + std::string(prefix) + " is not a prefix of document paths");
  }
  EXPECT_EQ(Paths(), "");
}

class SecretsTest : public RecallTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Run({"init"}).exit, 0);
    Write("a.md", "one\ntwo " + key_ + "\nthree needle\n");
    Write("b.md", "needle\n");
  }
  nlohmann::ordered_json Add(std::vector<std::string> args) {
    args.insert(args.begin(), {"add", "--json"});
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 0) << result;
    EXPECT_EQ((result.out + result.err).find(key_), std::string::npos) << "names no secret";
    return result.Json();
  }

  const std::string key_ = "AK" + std::string("IAQYLPMN5HHHFPZAM2");
  const std::string place_ = R"([{"path":"a.md","line":2,"kind":"aws-access-key-id"}])";
};

TEST_F(SecretsTest, AreReportedWhenTheyAreNew) {
  const auto json = Add({});
  EXPECT_EQ(json["add"]["secrets"].dump(), place_);
  EXPECT_EQ(json["add"]["secrets_found"], 1);
  EXPECT_EQ(json["warnings"].size(), 2u);
  EXPECT_EQ(json["warnings"][1], "credential in a.md, line 2: aws-access-key-id");
  EXPECT_EQ(Run({"get", "a.md"}).out, Read("a.md"));
  EXPECT_EQ(Add({})["add"]["secrets_found"], 0) << "unchanged";
}

TEST_F(SecretsTest, AreReplacedOnRequest) {
  EXPECT_EQ(Add({"--secrets", "redact"})["add"]["secrets"].dump(), place_);
  EXPECT_EQ(Run({"get", "a.md"}).out, "one\ntwo [redacted: aws-access-key-id]\nthree needle\n");
  EXPECT_EQ(Add({"--secrets", "redact"})["add"]["unchanged"], 2);
  EXPECT_EQ(Run({"search", "--bm25", key_}).out, "");
  // The file is redacted before it is compared.
  EXPECT_EQ(Run({"get", "a.md", "--verify"}).exit, 0);
  EXPECT_EQ(Run({"get", "a.md:3:1", "--verify"}).exit, 0);
  Write("a.md", "one\ntwo " + key_ + "\nthree needles\n");
  EXPECT_EQ(Run({"get", "a.md", "--verify"}).exit, 1);
  EXPECT_EQ(Run({"get", "a.md:2:1", "--verify"}).exit, 0);
  EXPECT_EQ(Add({"--secrets", "keep"})["add"]["updated"], 1);
  EXPECT_EQ(Run({"get", "a.md"}).out, Read("a.md"));
}

TEST_F(SecretsTest, FilesAreSkippedOnRequest) {
  const auto json = Add({"--secrets", "skip"});
  EXPECT_EQ(json["add"]["added"], 1);
  EXPECT_EQ(json["add"]["skipped_by"][0]["reason"], "secrets");
  EXPECT_EQ(json["add"]["secrets"].dump(), place_);
  EXPECT_EQ(json["warnings"][0], "skip a.md: line 2 contains a credential (aws-access-key-id)");
  EXPECT_EQ(Run({"get", "a.md"}).exit, 1);
}

// `skip` says that what was added before stays, and how to remove it.
TEST_F(SecretsTest, SkippedFilesMayBeInTheStore) {
  Add({});
  auto json = Add({"--secrets", "skip"});
  EXPECT_EQ(json["add"]["unchanged"], 1);
  EXPECT_EQ(json["add"]["skipped"], 1);
  EXPECT_EQ(json["add"]["secrets_in_store"].dump(), R"(["a.md"])");
  ASSERT_EQ(json["warnings"].size(), 2u);
  EXPECT_EQ(
      json["warnings"][0],
      "1 document that was added before stays in the store: a.md; `recall rm` removes it, and "
      "`recall rm --purge` also its text from the file");
  EXPECT_EQ(json["warnings"][1], "skip a.md: line 2 contains a credential (aws-access-key-id)");
  const std::string before = Read("a.md");
  Write("a.md", "changed " + key_ + "\n");
  for (int i = 0; i < 4; ++i) Write("c" + std::to_string(i), key_ + "\n");
  Add({"c0", "c1", "c2", "c3"});
  json = Add({"--secrets", "skip"});
  EXPECT_EQ(json["add"]["secrets_in_store"].dump(), R"(["a.md","c0","c1","c2","c3"])");
  EXPECT_EQ(json["warnings"][0],
            "5 documents that were added before stay in the store: a.md, c0, c1 and 2 more; "
            "`recall rm` removes them, and `recall rm --purge` also their texts from the file");
  EXPECT_EQ(Run({"get", "a.md"}).out, before);
  ASSERT_EQ(Run({"rm", "a.md", "c0", "c1", "c2", "c3"}).exit, 0);
  json = Add({"--secrets", "skip"});
  EXPECT_EQ(json["add"]["secrets_in_store"].dump(), "[]");
  EXPECT_EQ(json["add"]["skipped"], 5);
}

TEST_F(SecretsTest, RedactAlsoKnowsNamesAndRulesOfTheUser) {
  const std::string password =
      "Zx81Qw92"
      "Er73";
  Write("b.md", "password = " + password + "\nACME-123456\n");
  Write("own.toml", "[[secrets.rule]]\nid = \"acme\"\npattern = \"ACME-([0-9]+)\"\n");
  EXPECT_EQ(Add({"b.md"})["add"]["secrets_found"], 0) << "only formats are warned of";
  const auto json = Add({"b.md", "--secrets", "redact", "--config", Path("own.toml")});
  EXPECT_EQ(
      json["add"]["secrets"].dump(),
      R"([{"path":"b.md","line":1,"kind":"password"},{"path":"b.md","line":2,"kind":"acme"}])");
  const auto shown = Run({"get", "b.md", "--verify", "--config", Path("own.toml")});
  EXPECT_EQ(shown.exit, 0);
  EXPECT_NE(shown.out.find("password = [redacted: password]\nACME-[redacted: acme]"),
            std::string::npos);
}

TEST_F(SecretsTest, TheSettingIsTheDefault) {
  Write("recall.toml", "secrets = \"redact\"\n");
  EXPECT_EQ(Add({"a.md"})["add"]["secrets_found"], 1);
  EXPECT_NE(Run({"get", "a.md"}).out.find("[redacted: "), std::string::npos);
  EXPECT_EQ(Add({"a.md", "--secrets", "keep"})["add"]["updated"], 1);
  EXPECT_EQ(Run({"add", "--secrets", "hide"}).exit, 2);
}

TEST_F(SecretsTest, LinesAndMembersOfArchivesAreTextsToo) {
  Write("x.tar", MakeArchive("tar", {{"in/c.txt", "k=" + key_ + "\n"}}));
  EXPECT_EQ(Add({"x.tar", "--secrets", "redact"})["add"]["secrets"].dump(),
            R"([{"path":"x.tar!/in/c.txt","line":1,"kind":"aws-access-key-id"}])");
  EXPECT_EQ(Run({"get", "x.tar!/in/c.txt", "--verify"}).out, "k=[redacted: aws-access-key-id]\n");
  Write("l.jsonl", "{\"path\":\"n\",\"text\":\"a\\n" + key_ + "\"}\n");
  EXPECT_EQ(Add({"--jsonl", "l.jsonl"})["add"]["secrets"].dump(),
            R"([{"path":"n","line":2,"kind":"aws-access-key-id"}])");
}

// Labels are stored as the text is: they reach the same readers.
TEST_F(SecretsTest, LabelsOfLinesAreRedactedToo) {
  const std::string password =
      "Zx81Qw92"
      "Er73";
  const std::string url = "https://bob:" + password + "@h/x";
  Write("l.jsonl", nlohmann::json{{"path", "n"},
                                  {"text", "needle"},
                                  {"tag", "see " + key_},
                                  {"source", url},
                                  {"meta", {{"password", password}, {"title", "of " + key_}}}}
                           .dump() +
                       "\n");
  const std::string place = R"({"path":"n","line":0,"kind":"aws-access-key-id"})";
  EXPECT_EQ(Add({"--jsonl", "l.jsonl"})["add"]["secrets"].dump(), "[" + place + "," + place + "]")
      << "formats only";
  const auto json = Add({"--jsonl", "l.jsonl", "--secrets", "redact"});
  EXPECT_EQ(json["add"]["secrets"].size(), 4u) << json;
  const auto doc = Run({"get", "n", "--json"}).Json()["get"]["doc"];
  EXPECT_EQ(doc["tag"], "see [redacted: aws-access-key-id]");
  EXPECT_EQ(doc["source"], "https://bob:[redacted: url-password]@h/x");
  EXPECT_EQ(doc["meta"]["password"], "[redacted: password]");
  EXPECT_EQ(doc["meta"]["title"], "of [redacted: aws-access-key-id]");
  EXPECT_EQ(Add({"--jsonl", "l.jsonl", "--secrets", "redact"})["add"]["unchanged"], 1);
  EXPECT_EQ(Add({"--jsonl", "l.jsonl", "--secrets", "skip"})["add"]["skipped"], 1);
}

// Half a secret is not recognised: facts of a file are cut between words.
TEST_F(SecretsTest, NoHalfOfASecretStaysInFacts) {
  std::string words;
  while (words.size() < 1990) words += "words ";
  Write("page.html", "<html><head><title>t</title><meta name=\"description\" content=\"" + words +
                         key_ + " x\"></head><body><p>needle</p></body></html>");
  while (words.size() < 8180) words += "words ";
  Write("mail.eml", "From: a@h\nTo: b@h\nSubject: " + words + key_ + " x\n\nneedle\n");
  Add({"page.html", "mail.eml", "--secrets", "redact"});
  for (const auto& [path, fact] :
       {std::pair("page.html", "description"), std::pair("mail.eml", "subject")}) {
    const auto meta = Run({"get", path, "--json"}).Json()["get"]["doc"]["meta"];
    const std::string stored = meta[fact];
    EXPECT_GT(stored.size(), 1900u);
    EXPECT_EQ(stored.find(key_.substr(0, 4)), std::string::npos) << stored;
  }
}

TEST_F(AddTest, LargeFilesAreSkippedWithAWarning) {
  Write("big.md", std::string(5000, 'x'));
  Write("small.md", "x\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult result = Run({"add", "--max-file-size", "4KiB"});
  EXPECT_EQ(result.exit, 0);
  EXPECT_NE(result.err.find("big.md"), std::string::npos) << result;
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 1);
}

TEST_F(AddTest, ALimitOfMemoryMakesNoDifferenceButToLargeFiles) {
  for (int i = 0; i < 40; ++i) {
    Write("d/" + std::to_string(i) + ".md", "# " + std::to_string(i) + "\n\nA text of its own.\n");
  }
  Write("d/large.txt", std::string(57 << 20, ' ') + "the end");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(Run({"init", "other.db"}).exit, 0);
  const RunResult limited = Run({"add", "d", "--memory-limit", "320MiB"});
  EXPECT_EQ(limited.exit, 0) << limited;
  EXPECT_NE(limited.err.find("skip d/large.txt"), std::string::npos) << limited;
  EXPECT_EQ(Run({"add", "d", "--ignore", "large.txt", "--store", "other.db"}).exit, 0);
  EXPECT_EQ(Run({"export"}).out, Run({"export", "--store", "other.db"}).out);
  const RunResult refused = Run({"add", "d", "--memory-limit", "319MiB"});
  EXPECT_EQ(refused.exit, 2) << refused;
  EXPECT_NE(refused.err.find("320MiB"), std::string::npos) << refused;
}

TEST_F(AddTest, MissingPathsAreNamedAndNothingIsAdded) {
  Write("a.md", "text\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult result = Run({"add", "a.md", "nowhere"});
  EXPECT_EQ(result.exit, 1) << result;
  EXPECT_NE(result.err.find("nowhere"), std::string::npos);
  EXPECT_NE(result.err.find("hint: "), std::string::npos);
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 0);
  EXPECT_EQ(Run({"add", "nowhere", "--json"}).Json()["error"]["code"], "not_found");
}

TEST_F(AddTest, GlobsAndIgnoresChoose) {
  Write("a.md", "alpha\n");
  Write("b.txt", "beta\n");
  Write("c.c", "gamma\n");
  Write("sub/d.md", "delta\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  const auto paths = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"add", "--dry-run", "--json"});
    return Run(args).Json()["add"]["added"].get<int>();
  };
  EXPECT_EQ(paths({}), 4);
  EXPECT_EQ(paths({"--glob", "*.md"}), 2);
  EXPECT_EQ(paths({"--glob", "*.md", "--glob", "*.txt"}), 3);
  EXPECT_EQ(paths({"--ignore", "*.md", "--ignore", "*.c"}), 1);
  EXPECT_EQ(paths({"--glob", "*.md", "--ignore", "sub/"}), 1);
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 0);
}

TEST_F(AddTest, IgnoreFilesAreHonoured) {
  Write(".git/config", "");
  Write(".gitignore", "build/\n");
  Write(".recallignore", "*.log\n");
  Write("a.md", "alpha\n");
  Write("b.log", "beta\n");
  Write("build/c.md", "gamma\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(Run({"add"}).exit, 0);
  EXPECT_EQ(Run({"get", "a.md"}).exit, 0);
  EXPECT_EQ(Run({"get", "b.log"}).exit, 1);
  EXPECT_EQ(Run({"get", "build/c.md"}).exit, 1);
  ASSERT_EQ(Run({"add", "--no-ignore-files"}).exit, 0);
  EXPECT_EQ(Run({"get", "b.log"}).exit, 0);
  EXPECT_EQ(Run({"get", "build/c.md"}).exit, 0);
}

// A result that is smaller than expected says why.
TEST_F(AddTest, SaysWhatItLeftOutWhenThatIsMoreThanItTook) {
  Write(".git/config", "");
  Write(".gitignore", "/*\n");
  for (const char* name : {"kernel/a.c", "Makefile", ".env"}) Write(name, "text\n");
  ASSERT_EQ(Run({"init", "s"}).exit, 0);
  const auto add = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"add", "--store", "s/recall.db", "--stable"});
    return Run(args);
  };
  EXPECT_EQ(add({}).out,
            "Added 0, updated 0, unchanged 0 files (0 chunks, 0 B)\n"
            "left out: 3 files and 2 directories by .gitignore (--no-ignore-files takes them)\n");
  EXPECT_EQ(add({"--no-ignore-files", "--dry-run"}).out,
            "Would add 2, update 0, leave 0 files (0 chunks, 10 B)\n")
      << "two hidden files are not more than two files";
  Erase("Makefile");
  EXPECT_EQ(add({"--no-ignore-files", "--dry-run"}).out,
            "Would add 1, update 0, leave 0 files (0 chunks, 5 B)\n"
            "left out: 2 hidden files (--hidden takes them)\n");
  EXPECT_EQ(add({"--no-ignore-files", "--hidden", "--dry-run", "--quiet"}).out, "");
  const auto json = add({"--no-ignore-files", "--json"}).Json()["add"];
  EXPECT_EQ(json["left_out"]["hidden"]["files"], 2);
  EXPECT_EQ(json["left_out"]["hidden"]["directories"], 0);
  EXPECT_EQ(json["left_out"]["gitignore"]["files"], 0);
  EXPECT_EQ(json["found"], 1);
}

TEST_F(AddTest, HiddenFilesAreTakenIfNamed) {
  for (const char* name : {"a.md", ".env", ".github/ci.yml", "d/.x"}) Write(name, "text\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  EXPECT_EQ(Run({"add", "--json"}).Json()["add"]["added"], 1);
  EXPECT_EQ(Run({"add", ".env", "--json"}).Json()["add"]["added"], 1);
  EXPECT_EQ(Run({"add", "--files-from", "-", "--json"}, {.input = ".github\nd/.x\n"})
                .Json()["add"]["added"],
            2);
  EXPECT_EQ(Run({"add", "--hidden", "--json"}).Json()["add"]["unchanged"], 4);
}

TEST_F(AddTest, LabelsAndMetadataComeBack) {
  Write("a.md", "---\ntitle: A Title\n---\n\n# Heading\n\nbody\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(
      Run({"add", "--tag", "[notes]", "--source", "wiki", "--extract-meta", "--parser", "markdown"})
          .exit,
      0);
  const auto doc = Run({"get", "a.md", "--json"}).Json()["get"]["doc"];
  EXPECT_EQ(doc["tag"], "[notes]");
  EXPECT_EQ(doc["source"], "wiki");
  EXPECT_EQ(doc["meta"]["title"], "A Title");
  EXPECT_EQ(doc["parser"], "markdown");
}

TEST_F(AddTest, OddFileNamesGoInAndOut) {
  const std::string names[] = {"with space.md", "new\nline.md", "\xE6\x97\xA5\xE6\x9C\xAC.md",
                               "-dash.md",      "quo'te\".md",  "a:1:2.md",
                               "[set].md",      "tab\there.md"};
  for (const std::string& name : names) Write(name, "text of " + name + "\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult added = Run({"add", "--json"});
  EXPECT_EQ(added.exit, 0) << added;
  EXPECT_EQ(added.Json()["add"]["added"], std::size(names));
  for (const std::string& name : names) {
    const RunResult got = Run({"get", "--json", "--", name});
    EXPECT_EQ(got.exit, 0) << name << got;
    EXPECT_EQ(got.Json()["get"]["doc"]["path"], name);
    EXPECT_EQ(Run({"get", "--", name}).out, "text of " + name + "\n");
  }
  const RunResult search = Run({"search", "text", "-k", "20"});
  EXPECT_NE(search.out.find("new\\nline.md:1-"), std::string::npos) << search;
  for (const std::string& name : names) EXPECT_EQ(Run({"rm", "--", name}).exit, 0) << name;
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 0);
}

TEST_F(AddTest, NamesThatAreNotUtf8DoNotStopTheOthers) {
  Write("bad\xff.md", "walrus\n");
  Write("good.md", "penguin\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult added = Run({"add", "--json"});
  EXPECT_EQ(added.Json()["schema_version"], "2") << added;
  EXPECT_EQ(Run({"get", "good.md"}).exit, 0);
  const RunResult missing = Run({"get", "no\xff", "--json"});
  EXPECT_EQ(missing.exit, 1);
  EXPECT_EQ(missing.Json()["error"]["code"], "not_found");
}

TEST_F(AddTest, UnreadableFilesAreReportedAndTheRestIsAdded) {
  Write("a.md", "alpha\n");
  Write("secret.md", "beta\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  std::filesystem::permissions(Path("secret.md"), std::filesystem::perms::none);
  for (const char* name : {"", "recall.db"}) {
    std::filesystem::permissions(Path(name), std::filesystem::perms::all);
  }
  const RunResult result = Run({"add", "--json"}, {.unprivileged = true});
  EXPECT_EQ(result.exit, 3) << result;
  const auto json = result.Json();
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["add"]["failed"], 1);
  EXPECT_EQ(json["add"]["added"], 1);
  EXPECT_EQ(json["error"]["code"], "io_error");
  EXPECT_NE(json["warnings"][0].get<std::string>().find("secret.md"), std::string::npos);
}

TEST_F(AddTest, ReadOnlyPlacesAreReadableAndSaySoWhenWritten) {
  MakeSmallStore();
  const std::string answer = Run({"search", "--json", "segments"}).out;
  std::filesystem::permissions(Path("recall.db"), std::filesystem::perms(0444));
  std::filesystem::permissions(directory(), std::filesystem::perms(0555));
  const RunResult search = Run({"search", "--json", "segments"}, {.unprivileged = true});
  EXPECT_EQ(search.exit, 0) << search;
  EXPECT_EQ(search.out, answer);
  const RunResult add = Run({"add", "--json"}, {.unprivileged = true});
  EXPECT_EQ(add.exit, 3) << add;
  EXPECT_EQ(add.Json()["error"]["code"], "io_error");
  const RunResult init = Run({"init", "sub", "--json"}, {.unprivileged = true});
  EXPECT_EQ(init.exit, 3) << init;
  std::filesystem::permissions(directory(), std::filesystem::perms::all);
}

TEST_F(AddTest, SilentWithoutATerminal) {
  for (int i = 0; i < 200; ++i) {
    Write("f" + std::to_string(i) + ".md", std::string(2000, 'a' + static_cast<char>(i % 20)));
  }
  ASSERT_EQ(Run({"init"}).exit, 0);
  EXPECT_EQ(Run({"add"}).err, "");
}

TEST_F(AddTest, RemovesPathsDirectoriesAndPrefixes) {
  MakeSmallStore();
  const std::string id = Run({"get", "src/main.c", "--json"}).Json()["get"]["doc"]["id"];
  const RunResult dry = Run({"rm", "docs", "--dry-run"});
  EXPECT_EQ(dry.out, "would remove docs/guide.md\nwould remove docs/merge.md\n");
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 3);

  EXPECT_EQ(Run({"rm", "docs"}).out, "removed docs/guide.md\nremoved docs/merge.md\n");
  const RunResult by_prefix = Run({"rm", id.substr(0, 12), "--json"});
  EXPECT_EQ(by_prefix.exit, 0) << by_prefix;
  EXPECT_EQ(by_prefix.Json()["rm"]["removed"][0]["path"], "src/main.c");
  EXPECT_EQ(by_prefix.Json()["stats"]["total_hits"], 1);
  EXPECT_EQ(Run({"search", "segments"}).out, "");
  for (const char* file : {"docs/guide.md", "src/main.c"}) {
    EXPECT_TRUE(std::filesystem::exists(Path(file))) << "rm never touches files";
  }
}

TEST_F(AddTest, PurgeGivesBackWhatWasRemoved) {
  MakeSmallStore();
  ASSERT_EQ(Run({"rm", "docs/guide.md"}).exit, 0);
  EXPECT_EQ(Run({"stats", "--json"}).Json()["store"]["removed_docs"], 1);
  const auto purged = Run({"rm", "docs/merge.md", "--purge", "--json"}).Json();
  EXPECT_EQ(purged["rm"]["purged_docs"], 2);
  EXPECT_EQ(Run({"rm"}).exit, 2) << "nothing named is a mistake, not everything";
  ASSERT_EQ(Run({"rm", "src"}).exit, 0);
  EXPECT_EQ(Run({"rm", "--purge"}).out, "purged 1 document, 1 chunk\n");
  EXPECT_EQ(Run({"stats", "--json"}).Json()["store"]["removed_docs"], 0);
}

TEST_F(AddTest, TargetsThatMatchNothingExitOne) {
  MakeSmallStore();
  const RunResult result = Run({"rm", "nowhere.md", "docs/guide.md", "--json"});
  EXPECT_EQ(result.exit, 1) << result;
  const auto json = result.Json();
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["error"]["code"], "not_found");
  EXPECT_EQ(json["rm"]["not_found"][0], "nowhere.md");
  EXPECT_EQ(json["rm"]["removed"].size(), 1u);
}

TEST_F(AddTest, AmbiguousPrefixesAreRefused) {
  ASSERT_EQ(Run({"init"}).exit, 0);
  // Some of 1500 ids share their first four digits; the ids are the same on each run.
  for (int i = 0; i < 1500; ++i) Write("d/" + std::to_string(i), std::to_string(i) + "\n");
  ASSERT_EQ(Run({"add", "--quiet"}).exit, 0);
  std::map<std::string, int> prefixes;
  const auto all = Run({"rm", "d", "--dry-run", "--json"}).Json();
  for (const auto& item : all["rm"]["removed"]) {
    ++prefixes[item["id"].get<std::string>().substr(0, 4)];
  }
  std::string shared;
  for (const auto& [prefix, count] : prefixes) {
    if (count > 1) shared = prefix;
  }
  ASSERT_NE(shared, "");
  const RunResult result = Run({"rm", "id:" + shared, "--json"});
  EXPECT_EQ(result.exit, 2) << result;
  EXPECT_EQ(result.Json()["error"]["code"], "invalid_argument");
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 1500);
}

class BigAddTest : public RecallTest {
 protected:
  static constexpr int kFiles = 160;

  // About 6 MB of text, so that an add takes some time.
  void WriteBigTree() {
    for (int i = 0; i < kFiles; ++i) {
      std::string text;
      for (int word = 0; word < 6000; ++word) text += "w" + std::to_string(word * (i + 7)) + " ";
      Write("big/" + std::to_string(i) + ".txt", text);
    }
    ASSERT_EQ(Run({"init"}).exit, 0);
  }

  // Starts an add and returns when it has begun to write.
  pid_t StartAdd() {
    const pid_t child = Start({"add", "big"});
    while (!std::filesystem::exists(Path("recall.db-wal"))) ::sched_yield();
    return child;
  }

  void ExpectStoreIsWholeAfterAnotherAdd() {
    const RunResult again = Run({"add", "big", "--json"});
    EXPECT_EQ(again.exit, 0) << again;
    const auto report = again.Json()["add"];
    EXPECT_EQ(report["added"].get<int>() + report["unchanged"].get<int>(), kFiles) << again;
    EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], kFiles);
    EXPECT_EQ(Run({"get", "--verify", "big/7.txt"}).exit, 0);
  }
};

TEST_F(BigAddTest, CtrlCExits130AndKeepsTheStoreWhole) {
  WriteBigTree();
  const pid_t child = StartAdd();
  ::kill(child, SIGINT);
  EXPECT_EQ(Wait(child).exit, 130);
  ExpectStoreIsWholeAfterAnotherAdd();
}

TEST_F(BigAddTest, AKilledAddLeavesTheStoreWhole) {
  WriteBigTree();
  const pid_t child = StartAdd();
  ::kill(child, SIGKILL);
  EXPECT_EQ(Wait(child).signal, SIGKILL);
  EXPECT_EQ(Run({"stats"}).exit, 0);
  ExpectStoreIsWholeAfterAnotherAdd();
}

TEST_F(BigAddTest, ASecondWriterWaitsOrSaysBusy) {
  WriteBigTree();
  const pid_t child = StartAdd();
  const RunResult second =
      Run({"add", "big", "--json"}, {.env = {{"RECALL_BUSY_TIMEOUT_MS", "1"}}});
  EXPECT_TRUE(second.exit == 0 || second.exit == 5) << second;
  if (second.exit == 5) {
    EXPECT_EQ(second.Json()["error"]["code"], "busy");
  }
  // Readers never wait for a writer.
  EXPECT_EQ(Run({"search", "w7"}, {.env = {{"RECALL_BUSY_TIMEOUT_MS", "1"}}}).exit, 0);
  const int exit = Wait(child).exit;
  EXPECT_TRUE(exit == 0 || exit == 5) << exit;
  ExpectStoreIsWholeAfterAnotherAdd();
}

}  // namespace
}  // namespace recall
