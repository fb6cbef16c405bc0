// Text in other charsets than UTF-8, wherever `recall` meets it: files, archives, attachments,
// watched folders.

#include <csignal>
#include <filesystem>

#include "tests/cli/followed_lines.h"
#include "tests/cli/recall_process.h"
#include "tests/index/source/archive/archive_maker.h"

namespace recall {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;

// "Les élèves préfèrent la forêt." in windows-1252.
const char* const kFrench = "Les \xE9l\xE8ves pr\xE9\x66\xE8rent la for\xEAt.\n";
// "Все счастливые семьи похожи." in windows-1251.
const char* const kRussian =
    "\xC2\xF1\xE5 \xF1\xF7\xE0\xF1\xF2\xEB\xE8\xE2\xFB\xE5 \xF1\xE5\xEC\xFC\xE8 "
    "\xEF\xEE\xF5\xEE\xE6\xE8.\n";
// "吾輩は猫である。" in Shift_JIS.
const char* const kJapanese = "\x8C\xE1\x94\x79\x82\xCD\x94\x4C\x82\xC5\x82\xA0\x82\xE9\x81\x42\n";
// "人人生而自由，在尊严和权利上" in GB 18030.
const char* const kChinese =
    "\xC8\xCB\xC8\xCB\xC9\xFA\xB6\xF8\xD7\xD4\xD3\xC9\xA3\xAC\xD4\xDA\xD7\xF0\xD1\xCF\xBA\xCD\xC8"
    "\xA8\xC0\xFB\xC9\xCF\n";

// UTF-16 and UTF-32 of ASCII, least byte first.
std::string Wide(std::string_view text, size_t width) {
  std::string bytes;
  for (const char c : text) bytes += c + std::string(width - 1, '\0');
  return bytes;
}

class CharsetCommandTest : public RecallTest {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"init"}).exit, 0); }

  Json Add(Names args = {"."}) {
    args.insert(args.begin(), {"add", "--json"});
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json()["add"];
  }
  std::string Get(const std::string& target) {
    const RunResult result = Run({"get", target});
    EXPECT_EQ(result.exit, 0) << result;
    return result.out;
  }
  std::string Charset(const std::string& path) {
    return Run({"query", "FROM doc FILTER doc.path = '" + path + "' SELECT doc.meta.charset"}).out;
  }
};

TEST_F(CharsetCommandTest, FilesAreReadAsWhatTheyAre) {
  Write("french.txt", kFrench);
  Write("russian.md", kRussian);
  Write("japanese.txt", kJapanese);
  Write("chinese.txt", kChinese);
  Write("marked.txt", "\xFF\xFE" + Wide("A heron waits.\n", 2));
  Write("unmarked.txt", Wide("An otter swims.\n", 2));
  Write("wide.txt", std::string("\xFF\xFE\0\0", 4) + Wide("A swift flies.\n", 4));
  Write("letter.rtf", "{\\rtf1\\ansi\\ansicpg1252 Les \xE9l\xE8ves pr\xE9\x66\xE8rent.}\n");
  Write("plain.txt", "plain\n");
  const Json add = Add();
  EXPECT_EQ(add["added"], 9);
  EXPECT_EQ(add["decoded"].dump(),
            R"({"gbk":1,"shift_jis":1,"utf-16le":2,"utf-32le":1,"windows-1251":1,)"
            R"("windows-1252":2})");
  EXPECT_EQ(Get("french.txt"), "Les élèves préfèrent la forêt.\n");
  EXPECT_EQ(Get("russian.md"), "Все счастливые семьи похожи.\n");
  EXPECT_EQ(Get("japanese.txt"), "吾輩は猫である。\n");
  EXPECT_EQ(Get("chinese.txt"), "人人生而自由，在尊严和权利上\n");
  EXPECT_EQ(Get("marked.txt"), "A heron waits.\n");
  EXPECT_EQ(Get("unmarked.txt"), "An otter swims.\n");
  EXPECT_EQ(Get("wide.txt"), "A swift flies.\n");
  EXPECT_EQ(Charset("russian.md"), "windows-1251\n");
  EXPECT_NE(Run({"search", "счастливые"}).out.find("russian.md"), std::string::npos);
  EXPECT_NE(Run({"search", "élèves"}).out.find("french.txt"), std::string::npos);
  // The second time nothing has changed.
  EXPECT_EQ(Add()["unchanged"], 9);
}

TEST_F(CharsetCommandTest, AFewBadBytesAreReplacedWithAWarning) {
  std::string code = "/* frees\xA0it */\n";
  std::string log;
  for (int i = 0; i < 40; ++i) {
    code += "void heron_" + std::to_string(i) + "(void);\n";
    log += "10:00 heron " + std::to_string(i) + "\n";
  }
  Write("heron.c", code);
  Write("heron.log", log + std::string(1, '\0') + "\n");
  const RunResult add = Run({"add", "."});
  EXPECT_EQ(add.exit, 0) << add;
  EXPECT_NE(add.err.find("heron.c: bytes that are not of its charset utf-8 became U+FFFD"),
            std::string::npos)
      << add;
  EXPECT_NE(Get("heron.c").find("frees\uFFFDit"), std::string::npos);
  EXPECT_NE(Get("heron.log").find("\n\uFFFD\n"), std::string::npos);
}

TEST_F(CharsetCommandTest, WhatIsNoTextIsSkippedWithTheReason) {
  Write("a.bin", std::string("\x7F"
                             "ELF\0\1\2",
                             7) +
                     "\xFF\xC3");
  const RunResult add = Run({"add", "."});
  EXPECT_EQ(add.exit, 0) << add;
  EXPECT_NE(add.err.find("not text"), std::string::npos) << add;
}

TEST_F(CharsetCommandTest, MembersAndAttachmentsAreReadToo) {
  Write("papers.tar", MakeArchive("tar", {{"a/russian.txt", kRussian}}));
  Write("notes.zip", MakeArchive("zip", {{"french.txt", kFrench}}));
  Write("packed.txt.gz", MakeArchive("gz", {{"", kJapanese}}));
  Write("mail.eml",
        "Message-ID: <one@example.org>\nSubject: Heron\nMIME-Version: 1.0\n"
        "Content-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: text/plain\n\nIt waits.\n"
        "--B\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\n" +
            std::string(kRussian) + "--B--\n");
  EXPECT_EQ(Add({"papers.tar", "notes.zip", "packed.txt.gz", "mail.eml"})["added"], 5);
  EXPECT_EQ(Get("papers.tar!/a/russian.txt"), "Все счастливые семьи похожи.\n");
  EXPECT_EQ(Get("notes.zip!/french.txt"), "Les élèves préfèrent la forêt.\n");
  EXPECT_EQ(Get("packed.txt.gz"), "吾輩は猫である。\n");
  EXPECT_NE(Get("mail.eml!/a.txt").find("Все счастливые семьи похожи."), std::string::npos);
}

TEST_F(CharsetCommandTest, TheUserNamesTheCharset) {
  // Too short to be sure: two Polish letters.
  Write("polish.txt", "\xB1\xE6\n");
  EXPECT_EQ(Add({"--encoding", "ISO-8859-2", "polish.txt"})["added"], 1);
  EXPECT_EQ(Get("polish.txt"), "ąć\n");
  const RunResult unknown = Run({"add", "--encoding", "klingon", "polish.txt"});
  EXPECT_EQ(unknown.exit, 2) << unknown;
  EXPECT_NE(unknown.err.find("klingon"), std::string::npos) << unknown;
}

TEST_F(CharsetCommandTest, OriginalsAreGivenAndCompared) {
  const auto verify = [&](int exit) {
    const RunResult result = Run({"get", "--verify", "--json", "russian.txt"});
    EXPECT_EQ(result.exit, exit) << result;
    return exit == 0 ? result.Json()["get"]["verify"].get<std::string>() : "";
  };
  Write("russian.txt", kRussian);
  Add();
  EXPECT_EQ(verify(0), "same");
  EXPECT_EQ(Run({"get", "--original", "russian.txt"}).out, kRussian);
  // The same text, saved in UTF-8.
  Write("russian.txt", "Все счастливые семьи похожи.\n");
  EXPECT_EQ(verify(0), "same_text");
  Write("russian.txt", "Все.\n");
  verify(1);
}

TEST_F(CharsetCommandTest, WatchReadsWhatIsSaved) {
  Write("tree/russian.txt", kRussian);
  FollowedLines lines(Path("lines"));
  RunOptions options;
  options.stdout_file = lines.path();
  const pid_t child = Start({"watch", "tree", "--stable"}, options);
  EXPECT_EQ(lines.Next(), "added 1 (1 file)");
  EXPECT_EQ(lines.Next(), "watching 1 directory");
  Write("unsaved", kFrench);
  fs::rename(Path("unsaved"), Path("tree/french.txt"));
  EXPECT_EQ(lines.Next(), "added 1 (1 file)");
  ::kill(child, SIGINT);
  EXPECT_EQ(Wait(child).exit, 0);
  EXPECT_EQ(Get("tree/french.txt"), "Les élèves préfèrent la forêt.\n");
}

TEST_F(CharsetCommandTest, LinesOfJsonMustBeUtf8) {
  Write("rows.jsonl", "{\"path\":\"a.txt\",\"text\":\"for\xEAt\"}\n");
  const RunResult add = Run({"add", "--jsonl", "rows.jsonl"});
  EXPECT_NE(add.exit, 0) << add;
  EXPECT_NE(add.err.find("UTF-8"), std::string::npos) << add;
}

}  // namespace
}  // namespace recall
