#include "index/source/transcript/transcript_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/index/source/transcript/transcript_fixture.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class TranscriptPlacesTest : public testing::Test {
 protected:
  // A home with a transcript of each agent, and files beside them that are none.
  void SetUp() override {
    const auto put = [&](const std::string& name) { PutFile(directory_ / name, "{}\n"); };
    put(".claude/projects/-work-app/3f2a.jsonl");
    put(".claude/projects/-work-app/3f2a/subagents/agent-a1.jsonl");
    put(".claude/projects/-work-app/3f2a/subagents/journal.jsonl");
    put(".claude/projects/-work-app/3f2a/tool-results/x.jsonl");
    put(".claude/projects/-work-app/memory/MEMORY.md");
    put(".claude/history.jsonl");
    put(".config/claude/projects/-b/9.jsonl");
    put(".codex/sessions/2026/02/25/rollout-b.jsonl");
    put(".codex/archived_sessions/rollout-a.jsonl");
    put(".codex/history.jsonl");
    put(".copilot/session-state/c1/events.jsonl");
    put(".copilot/session-state/c1/workspace.yaml");
    put(".gemini/tmp/h/chats/session-1.json");
    put(".gemini/tmp/h/chats/session-2.jsonl");
    put(".gemini/tmp/h/logs.json");
    put(".cursor/chats/0e1f/c1/store.db");
    put(".cursor/chats/0e1f/c1/meta.json");
    put(".cursor/projects/work-app/other/store.db");
    put(".config/Cursor/User/globalStorage/state.vscdb");
    put(".config/Cursor/User/workspaceStorage/h/state.vscdb");
    put(".local/share/opencode/opencode.db");
    put(".local/share/opencode/storage/session/p/ses_1.json");
    put(".local/share/opencode/storage/message/ses_1/msg_1.json");
    put("repo/.aider.chat.history.md");
  }

  Strings NamesOf(const std::vector<TranscriptSource>& sources) const {
    Strings names;
    for (const TranscriptSource& source : sources) {
      const std::string name = fs::relative(source.path, directory_.path()).string();
      names.push_back(source.agent + " " + name);
    }
    return names;
  }

  TranscriptPlaces PlacesWith(std::map<std::string, std::string> variables) const {
    variables.emplace("HOME", directory_.path());
    return PlacesOfUser(
        [&](const char* name) {
          const auto found = variables.find(name);
          return found == variables.end() ? std::nullopt : std::optional(found->second);
        },
        {directory_ / "repo"});
  }

  TempDir directory_;
};

TEST_F(TranscriptPlacesTest, FindsTheTranscriptsOfAllAgents) {
  EXPECT_EQ(
      NamesOf(FindTranscripts(PlacesWith({}))),
      (Strings{
          "aider repo/.aider.chat.history.md", "claude-code .claude/projects/-work-app/3f2a.jsonl",
          "claude-code .claude/projects/-work-app/3f2a/subagents/agent-a1.jsonl",
          "claude-code .config/claude/projects/-b/9.jsonl", "claude-code .claude/history.jsonl",
          "codex .codex/sessions/2026/02/25/rollout-b.jsonl",
          "codex .codex/archived_sessions/rollout-a.jsonl", "codex .codex/history.jsonl",
          "copilot .copilot/session-state/c1/events.jsonl",
          "cursor .config/Cursor/User/globalStorage/state.vscdb",
          "cursor .config/Cursor/User/workspaceStorage/h/state.vscdb",
          "cursor .cursor/chats/0e1f/c1/store.db", "gemini .gemini/tmp/h/chats/session-1.json",
          "gemini .gemini/tmp/h/chats/session-2.jsonl",
          "opencode .local/share/opencode/opencode.db",
          "opencode .local/share/opencode/storage/session/p/ses_1.json"}));
}

// A change of a transcript, or of a file that it consists of, is an event in one of them.
TEST_F(TranscriptPlacesTest, TheDirectoriesOfAllTranscriptsAreKnown) {
  const TranscriptPlaces places = PlacesWith({});
  const std::vector<std::string> directories = TranscriptDirectories(places);
  const auto is_known = [&](const std::string& path) {
    return std::ranges::binary_search(directories, fs::path(path).parent_path().string());
  };
  for (const TranscriptSource& source : FindTranscripts(places)) {
    EXPECT_EQ(is_known(source.path), source.agent != "aider") << source.path;
  }
  EXPECT_TRUE(is_known(directory_ / ".local/share/opencode/storage/message/ses_1/msg_1.json"));
  for (const std::string_view agent : TranscriptAgents()) {
    for (const std::string& one : TranscriptDirectories(places, {std::string(agent)})) {
      EXPECT_TRUE(std::ranges::binary_search(directories, one)) << one;
    }
  }
  EXPECT_TRUE(
      TranscriptDirectories(PlacesOfUser([](const char*) { return std::nullopt; }, {})).empty());
}

TEST_F(TranscriptPlacesTest, VariablesMoveThePlaces) {
  PutFile(directory_ / "one/projects/x/1.jsonl", "{}\n");
  PutFile(directory_ / "two/projects/x/2.jsonl", "{}\n");
  EXPECT_EQ(
      NamesOf(FindTranscripts(PlacesWith({{"CLAUDE_CONFIG_DIR", (directory_ / "one") + "," +
                                                                    (directory_ / "two") + "/"}}),
                              {"claude-code"})),
      (Strings{"claude-code one/projects/x/1.jsonl", "claude-code two/projects/x/2.jsonl"}));
  PutFile(directory_ / "cx/sessions/rollout-z.jsonl", "{}\n");
  PutFile(directory_ / "cx/sessions/rollout-old.jsonl.zst", "");
  EXPECT_EQ(
      NamesOf(FindTranscripts(PlacesWith({{"CODEX_HOME", directory_ / "cx"}}), {"codex"})),
      (Strings{"codex cx/sessions/rollout-old.jsonl.zst", "codex cx/sessions/rollout-z.jsonl"}));
  EXPECT_TRUE(FindTranscripts(PlacesOfUser([](const char*) { return std::nullopt; }, {})).empty());
}

TEST_F(TranscriptPlacesTest, SizeAndTimeChangeWithWhatIsThere) {
  const auto find = [&](std::string_view agent) {
    return FindTranscripts(PlacesWith({}), {std::string(agent)});
  };
  const auto old_files = find("opencode");
  PutFile(directory_ / ".local/share/opencode/storage/part/msg_1/prt_1.json", "{\"a\":1}");
  PutFile(directory_ / ".local/share/opencode/opencode.db-wal", "wal");
  const auto new_files = find("opencode");
  ASSERT_EQ(new_files.size(), 2u);
  EXPECT_EQ(new_files[0].size, old_files[0].size + 3);
  EXPECT_EQ(new_files[1].size, old_files[1].size + 7);
  const auto claude = find("claude-code");
  EXPECT_EQ(claude[0].size, 3);
  EXPECT_GT(claude[0].mtime, 0);
}

TEST_F(TranscriptPlacesTest, ALinkIsNoSecondTranscript) {
  fs::create_symlink(directory_ / ".claude/projects/-work-app/3f2a.jsonl",
                     directory_ / ".claude/projects/-work-app/copy.jsonl");
  fs::create_directory_symlink(directory_ / ".claude/projects",
                               directory_ / ".claude/projects/again");
  EXPECT_EQ(FindTranscripts(PlacesWith({}), {"claude-code"}).size(), 4u);
}

TEST_F(TranscriptPlacesTest, FindsBelowAPath) {
  EXPECT_EQ(NamesOf(Must(FindTranscriptsBelow(directory_ / ".codex", "codex"))),
            (Strings{"codex .codex/history.jsonl", "codex .codex/archived_sessions/rollout-a.jsonl",
                     "codex .codex/sessions/2026/02/25/rollout-b.jsonl"}));
  const std::string any = directory_ / "any";
  for (const SampleTranscript& sample : SampleTranscripts()) {
    PutFile(any + "/" + sample.agent + "/" + sample.name, sample.bytes);
  }
  PutFile(any + "/package.json", "{\"name\":\"x\"}");
  PutFile(any + "/notes.md", "# Notes");
  Strings found = NamesOf(Must(FindTranscriptsBelow(any)));
  for (std::string& name : found) name = name.substr(0, name.find(' '));
  EXPECT_EQ(found,
            (Strings{"aider", "claude-code", "codex", "copilot", "gemini", "gemini", "jsonl"}));
}

TEST_F(TranscriptPlacesTest, AFileThatIsNamedIsFoundWhateverItsName) {
  PutFile(directory_ / "x.txt", "whatever\n");
  EXPECT_EQ(NamesOf(Must(FindTranscriptsBelow(directory_ / "x.txt", "claude-code"))),
            (Strings{"claude-code x.txt"}));
  const auto unknown = FindTranscriptsBelow(directory_ / "x.txt");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(FindTranscriptsBelow(directory_ / "none").error().code(), StatusCode::kNotFound);
  EXPECT_EQ(FindTranscriptsBelow(directory_ / "x.txt", "nobody").error().code(),
            StatusCode::kInvalidArgument);
}

TEST(GuessAgentTest, TellsByTheFirstBytes) {
  for (const SampleTranscript& sample : SampleTranscripts()) {
    EXPECT_EQ(GuessAgent("/tmp/x", sample.bytes), sample.agent);
    if (sample.agent != "aider") {
      EXPECT_EQ(GuessAgent("/tmp/x", sample.bytes.substr(0, 100)), sample.agent) << sample.bytes;
    }
  }
  EXPECT_EQ(GuessAgent("/tmp/x", "{\"type\":\"permission-mode\",\"sessionId\":\"s\"}"),
            "claude-code");
  EXPECT_EQ(GuessAgent("/tmp/x", ""), "");
  EXPECT_EQ(GuessAgent("/tmp/x", "{\"name\":\"x\"}"), "");
  EXPECT_EQ(GuessAgent("/a/state.vscdb", "SQLite format 3"), "cursor");
  EXPECT_EQ(GuessAgent("/a/opencode.db", "SQLite format 3"), "opencode");
  EXPECT_EQ(GuessAgent("/a/chats/0e1f/c1/store.db", "SQLite format 3"), "cursor");
  EXPECT_EQ(GuessAgent("/a/store.db", "SQLite format 3"), "");
}

TEST(ResumeCommandTest, QuotesWhatTheShellWouldChange) {
  EXPECT_EQ(ResumeCommand("claude-code", "3f2a-1"), "claude --resume 3f2a-1");
  EXPECT_EQ(ResumeCommand("codex", "a b'c"), "codex resume 'a b'\\''c'");
  EXPECT_EQ(ResumeCommand("claude-code", "--dangerously-skip-permissions"), "");
  EXPECT_EQ(ResumeCommand("cursor", "x"), "");
}

}  // namespace
}  // namespace recall
