// Readers of databases and of directories: opencode, cursor.

#include <gtest/gtest.h>

#include <sqlite3.h>

#include <fstream>
#include <iterator>
#include <random>

#include "tests/index/source/transcript/transcript_fixture.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

TranscriptRead ReadPath(std::string_view agent, const std::string& path) {
  return Must(ReadTranscript({std::string(agent), path, 0, 0}));
}

Strings NamesIn(const std::string& directory) {
  Strings names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

void ExpectOpenCode(const TranscriptRead& read) {
  ASSERT_EQ(read.sessions.size(), 2u);
  const AgentSession& session = read.sessions[0];
  EXPECT_EQ(session.id, "ses_1");
  EXPECT_EQ(session.agent, "opencode");
  EXPECT_EQ(session.cwd, "/work/app");
  EXPECT_EQ(session.title, "Login");
  EXPECT_EQ(session.model, "claude");
  EXPECT_FALSE(session.is_automatic);
  EXPECT_EQ(session.started, ParseRfc3339("2026-02-25T10:00:00Z"));
  EXPECT_EQ(SaidIn(session),
            (Strings{"human: Why does the login fail?", "assistant: I edit.\n\nDone."}));
  EXPECT_EQ(session.turns[1].at, ParseRfc3339("2026-02-25T10:00:02Z"));
  EXPECT_EQ(UsesIn(session), (Strings{"1 edit /work/app/a.go"}));
  EXPECT_EQ(read.sessions[1].parent, "ses_1");
  EXPECT_TRUE(read.sessions[1].is_automatic);
  EXPECT_EQ(read.sessions[1].title, "");
  EXPECT_EQ(read.unknown, (std::map<std::string, int64_t>{{"part:telepathy", 1}, {"not JSON", 1}}));
}

TEST(OpenCodeTest, ReadsTheDatabaseAndWritesNothingBesideIt) {
  const TempDir directory;
  const std::string path = directory / "opencode.db";
  MakeOpenCodeDatabase(path);
  ExpectOpenCode(ReadPath("opencode", path));
  EXPECT_EQ(NamesIn(directory.path()), (Strings{"opencode.db"}));
}

TEST(OpenCodeTest, ReadsWhatIsOnlyInTheWal) {
  const TempDir directory;
  const std::string path = directory / "opencode.db";
  MakeOpenCodeDatabase(path);
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer,
                         "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
                         "INSERT INTO message VALUES('msg_9','ses_3',1772013609000,'{\"role\":"
                         "\"user\"}');"
                         "INSERT INTO part VALUES('prt_z','msg_9','ses_3','{\"type\":\"text\","
                         "\"text\":\"New\"}');",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  const TranscriptRead read = ReadPath("opencode", path);  // while the agent has it open
  sqlite3_close(writer);
  ASSERT_EQ(read.sessions.size(), 3u);
  EXPECT_EQ(SaidIn(read.sessions[2]), (Strings{"human: New"}));
}

TEST(OpenCodeTest, ReadsTheFilesOfOldVersions) {
  for (const bool first_layout : {false, true}) {
    const TempDir directory;
    const std::string root = directory / "storage";
    const std::string info = root + (first_layout ? "/session/info/" : "/session/p/");
    const std::string messages = root + (first_layout ? "/session/message/" : "/message/");
    const std::string parts = root + (first_layout ? "/session/part/ses_1/" : "/part/");
    PutFile(
        info + "ses_1.json",
        R"({"id":"ses_1","projectID":"p","directory":"/work/app","title":"Login","time":{"created":1772013600000}})");
    PutFile(messages + "ses_1/msg_1.json",
            R"({"id":"msg_1","role":"user","time":{"created":1772013601000}})");
    PutFile(messages + "ses_1/msg_2.json", R"({"id":"msg_2","role":"assistant","modelID":"m"})");
    PutFile(messages + "ses_1/msg_3.json", "{\"id\":");
    PutFile(parts + "msg_1/prt_1.json", R"({"type":"text","text":"Hello"})");
    PutFile(parts + "msg_2/prt_2.json", R"({"type":"text","text":"Hi"})");
    PutFile(parts + "msg_2/prt_3.json",
            R"({"type":"tool","tool":"bash","state":{"input":{"command":"ls"}}})");
    const TranscriptRead read = ReadPath("opencode", info + "ses_1.json");
    ASSERT_EQ(read.sessions.size(), 1u);
    EXPECT_TRUE(read.torn);
    const AgentSession& session = read.sessions[0];
    EXPECT_EQ(session.title, "Login");
    EXPECT_EQ(session.model, "m");
    EXPECT_EQ(SaidIn(session), (Strings{"human: Hello", "assistant: Hi"}));
    EXPECT_EQ(UsesIn(session), (Strings{"1 bash $ ls"}));
  }
}

TEST(CursorTest, ReadsBubblesInTheOrderOfTheConversation) {
  const TempDir directory;
  const std::string path = directory / "globalStorage/state.vscdb";
  MakeCursorDatabase(path);
  const TranscriptRead read = ReadPath("cursor", path);
  EXPECT_TRUE(read.unknown.empty());
  ASSERT_EQ(read.sessions.size(), 3u);
  const AgentSession& session = read.sessions[0];
  EXPECT_EQ(session.id, "c1");
  EXPECT_EQ(session.title, "Login");
  EXPECT_EQ(session.cwd, "/work/app");
  EXPECT_EQ(session.model, "claude-4.5");
  EXPECT_EQ(session.started, ParseRfc3339("2026-02-25T10:00:00Z"));
  EXPECT_EQ(SaidIn(session), (Strings{"human: Why does the login fail?", "assistant: I edit."}));
  EXPECT_EQ(UsesIn(session), (Strings{"1 edit_file_v2 /work/app/a.go"}));
  EXPECT_EQ(read.sessions[1].cwd, "/work/my app");
  EXPECT_EQ(read.sessions[2].id, "old");
  EXPECT_EQ(SaidIn(read.sessions[2]), (Strings{"human: Hello", "assistant: Hi"}));
}

TEST(CursorTest, DirectoriesOfOldVersionsAreInDatabasesBesideIt) {
  const TempDir directory;
  MakeCursorDatabase(directory / "globalStorage/state.vscdb");
  MakeCursorWorkspace(directory / "workspaceStorage/h1/state.vscdb");
  PutFile(directory / "workspaceStorage/h1/workspace.json", R"({"folder":"file:///work/old"})");
  PutFile(directory / "workspaceStorage/h2/state.vscdb", "no database");
  const TranscriptRead read = ReadPath("cursor", directory / "globalStorage/state.vscdb");
  ASSERT_EQ(read.sessions.size(), 3u);
  EXPECT_EQ(read.sessions[0].cwd, "/work/app");
  EXPECT_EQ(read.sessions[2].id, "old");
  EXPECT_EQ(read.sessions[2].cwd, "/work/old");

  const TranscriptRead oldest = ReadPath("cursor", directory / "workspaceStorage/h1/state.vscdb");
  ASSERT_EQ(oldest.sessions.size(), 1u);
  EXPECT_EQ(oldest.sessions[0].id, "tab1");
  EXPECT_EQ(oldest.sessions[0].cwd, "/work/old");
  EXPECT_EQ(oldest.sessions[0].title, "Chat");
  EXPECT_EQ(SaidIn(oldest.sessions[0]), (Strings{"human: Hello", "assistant: Hi"}));
}

TEST(CursorTest, ReadsTheChatsOfTheCommandLine) {
  const TempDir directory;
  const std::string path = directory / "chats/0e1f/chat-1/store.db";
  MakeCursorChat(path);
  const TranscriptRead read = ReadPath("cursor", path);
  ASSERT_EQ(read.sessions.size(), 1u);
  const AgentSession& session = read.sessions[0];
  EXPECT_EQ(session.agent, "cursor");
  EXPECT_EQ(session.id, "chat-1");
  EXPECT_EQ(session.title, "Login");
  EXPECT_EQ(session.model, "sonnet-4");
  EXPECT_EQ(session.cwd, "/work/my app");
  EXPECT_FALSE(session.is_automatic);
  EXPECT_EQ(session.started, ParseRfc3339("2026-02-25T10:00:00Z"));
  EXPECT_EQ(SaidIn(session), (Strings{"human: Why does the login fail?", "assistant: I look.",
                                      "assistant: The token has expired."}));
  EXPECT_EQ(UsesIn(session), (Strings{"1 Read /work/app/a.go"}));
  EXPECT_EQ(read.unknown, (std::map<std::string, int64_t>{{"not JSON", 1}}));
  EXPECT_EQ(NamesIn(directory / "chats/0e1f/chat-1"), (Strings{"store.db"}));

  PutFile(directory / "chats/0e1f/chat-1/meta.json",
          R"({"schemaVersion":1,"cwd":"/work/app","title":"Other","isSubagent":true})");
  const AgentSession beside = ReadPath("cursor", path).sessions[0];
  EXPECT_EQ(beside.cwd, "/work/app");
  EXPECT_EQ(beside.title, "Login");
  EXPECT_TRUE(beside.is_automatic);
}

TEST(TranscriptDatabaseTest, AFileThatIsNoDatabaseIsAnError) {
  const TempDir directory;
  for (const std::string agent : {"cursor", "opencode"}) {
    const std::string path = directory / (agent + ".db");
    PutFile(path, "SQLite format 3");
    const auto read = ReadTranscript({agent, path, 0, 0});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), StatusCode::kCorruption);
    EXPECT_NE(read.error().message().find(path), std::string_view::npos);
    const auto none = ReadTranscript({agent, path + "x", 0, 0});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code(), StatusCode::kNotFound);
  }
}

TEST(TranscriptDatabaseTest, DamagedDatabasesAreErrorsOrLess) {
  const TempDir directory;
  std::mt19937_64 random(TestSeed(3));
  using Make = void (*)(const std::string&);
  for (const auto& [agent, make] : {std::pair<std::string, Make>{"cursor", MakeCursorDatabase},
                                    {"opencode", MakeOpenCodeDatabase},
                                    {"cursor", MakeCursorChat}}) {
    const std::string path = directory / "damaged.db";
    std::filesystem::remove(path);
    make(path);
    std::ifstream file(path, std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    int readable = 0;
    for (int run = 0; run < 120; ++run) {
      std::string bytes = whole;
      for (uint64_t edits = 1 + random() % 8; edits > 0; --edits) {
        bytes[random() % bytes.size()] = static_cast<char>(random());
      }
      if (random() % 4 == 0) bytes.resize(random() % bytes.size());
      PutFile(path, bytes);
      const auto read = ReadTranscript({agent, path, 0, 0});
      if (read) {
        ++readable;
        EXPECT_LE(read->sessions.size(), 8u);
      } else {
        EXPECT_TRUE(read.error().code() == StatusCode::kCorruption ||
                    read.error().code() == StatusCode::kIoError)
            << read.error().ToString();
      }
    }
    EXPECT_GT(readable, 10);
  }
}

}  // namespace
}  // namespace recall
