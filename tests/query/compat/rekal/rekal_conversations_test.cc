#include "query/compat/rekal/rekal_conversations.h"

#include <gtest/gtest.h>

#include <random>

#include "query/compat/rekal/rekal_rows.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr UnixNanos kOneSecond = 1'000'000'000;
constexpr UnixNanos kStart = 1'772'013'600 * kOneSecond;

RekalSession Recording(const std::string& id, const std::vector<std::string>& texts,
                       int64_t parsed_at, std::vector<uint64_t> seconds = {}) {
  RekalSession session;
  session.id = id;
  session.author = "ada@example.com";
  session.parsed_at = kStart + parsed_at * kOneSecond;
  for (size_t i = 0; i < texts.size(); ++i) {
    session.turns.push_back({.seconds = i < seconds.size() ? seconds[i] : 0, .text = texts[i]});
  }
  return session;
}

std::string TimeText(const std::optional<UnixNanos>& time) {
  return time ? FormatRfc3339(*time) : "-";
}

TEST(RekalConversationsTest, ASessionThatGoesOnIsOne) {
  RekalConversations all;
  all.Add(Recording("A", {"one", "two"}, 10));
  all.Add(Recording("B", {"one", "two", "three"}, 20));    // a new id for the same one
  all.Add(Recording("C", {"one", "two"}, 30));             // its beginning again
  all.Add(Recording("D", {"one", "other", "three"}, 40));  // another one
  all.Add(Recording("B", {"one", "two", "three", "four"}, 50));
  RekalSession of_bob = Recording("E", {"one", "two"}, 60);
  of_bob.author = "bob@example.com";
  all.Add(of_bob);
  all.Add(Recording("F", {}, 70));
  EXPECT_EQ(all.recordings(), 7);
  EXPECT_EQ(all.without_turns(), 1);
  const auto found = all.Finish();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].ids, (std::vector<std::string>{"A", "B", "C"}));
  EXPECT_EQ(found[0].longest.turns.size(), 4u);
  EXPECT_EQ(found[1].ids, std::vector<std::string>{"D"});
  EXPECT_EQ(found[2].ids, std::vector<std::string>{"E"});
}

// The id under which a recording was made twice with other turns is that of two conversations.
TEST(RekalConversationsTest, TwoOfOneIdThatDifferStayTwo) {
  RekalConversations all;
  all.Add(Recording("A", {"one", "two"}, 10));
  all.Add(Recording("A", {"one", "changed"}, 20));
  const auto found = all.Finish();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].ids, found[1].ids);
}

// Against the rule as it is written: one begins with the other.
TEST(RekalConversationsTest, RandomRecordingsAreThoseOfTheRule) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    RekalConversations all;
    std::vector<std::vector<std::string>> longest;
    for (int i = 0; i < 12; ++i) {
      std::vector<std::string> texts(1 + random() % 4);
      for (std::string& text : texts) text = random() % 3 == 0 ? "b" : "a";
      all.Add(Recording("id" + std::to_string(i), texts, i));
      const auto begins = [](const std::vector<std::string>& a, const std::vector<std::string>& b) {
        return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
      };
      bool is_known = false;
      for (auto& known : longest) {
        if (begins(texts, known)) is_known = true;
      }
      for (auto& known : longest) {
        if (is_known || !begins(known, texts)) continue;
        known = texts;
        is_known = true;
      }
      if (!is_known) longest.push_back(texts);
    }
    const auto found = all.Finish();
    ASSERT_EQ(found.size(), longest.size());
    for (size_t i = 0; i < found.size(); ++i) {
      std::vector<std::string> texts;
      for (const RekalTurn& turn : found[i].longest.turns) texts.push_back(turn.text);
      EXPECT_EQ(texts, longest[i]);
    }
  }
}

TEST(RekalConversationsTest, CommitsAreThoseOfAllRecordings) {
  RekalConversations all;
  all.Add(Recording("A", {"one"}, 10));
  all.Add(RekalCheckpoint{"aaaa", kStart + 20 * kOneSecond, {"A"}, {"src/b.go", "src/a.go"}});
  all.Add(Recording("B", {"one", "two"}, 30));
  all.Add(RekalCheckpoint{"cccc", kStart + 40 * kOneSecond, {"B", "unknown"}, {"src/a.go"}});
  all.Add(RekalCheckpoint{"no commit", kStart + 60 * kOneSecond, {"B"}, {"src/none.go"}});
  all.Add(RekalCheckpoint{"", kStart + 50 * kOneSecond, {"B"}, {"src/none.go"}});
  all.Add(RekalCheckpoint{"bbbb", kStart + 30 * kOneSecond, {"B"}, {}});
  RekalSession sub = Recording("S", {"look"}, 30);
  sub.parent = "B";
  all.Add(sub);
  const auto found = all.Finish();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].commits.size(), 3u);
  EXPECT_EQ(found[0].last_commit, "cccc");
  EXPECT_EQ(found[0].commit_files, (std::vector<std::string>{"src/a.go", "src/b.go"}));
  EXPECT_EQ(found[1].longest.parent, "A");  // the first id of that session
}

TEST(RekalConversationsTest, TimesComeFromTheSecondsBetweenTurns) {
  RekalConversations all;
  // The transcript was read ten seconds after the second turn, and long after the third.
  all.Add(Recording("A", {"one", "two"}, 100, {0, 60}));
  all.Add(Recording("A", {"one", "two", "three"}, 9000, {0, 60, 120}));
  const auto found = all.Finish();
  ASSERT_EQ(found.size(), 1u);
  const auto times = TurnTimes(found[0]);
  EXPECT_EQ(TimeText(times[0]), "2026-02-25T10:00:40Z");
  EXPECT_EQ(TimeText(times[1]), "2026-02-25T10:01:40Z");
  EXPECT_EQ(TimeText(times[2]), "2026-02-25T10:03:40Z");
  EXPECT_EQ(TimeText(EndOf(found[0])), "2026-02-25T10:03:40Z");
}

TEST(RekalConversationsTest, WithoutSecondsTurnsHaveNoTimes) {
  RekalConversations all;
  all.Add(Recording("A", {"one", "two"}, 100));
  all.Add(Recording("A", {"one", "two", "three"}, 200));
  all.Add(Recording("A", {"one", "two", "three"}, 300));
  all.Add(Recording("B", {"x", "y"}, 400, {0, ~uint64_t{0}}));
  const auto found = all.Finish();
  EXPECT_EQ(TimeText(TurnTimes(found[0])[2]), "-");
  EXPECT_EQ(TimeText(EndOf(found[0])), "2026-02-25T10:03:20Z");  // when three was read first
  EXPECT_EQ(TimeText(TurnTimes(found[1])[1]), "-");
}

TEST(RekalConversationsTest, FilesAreNamedFromTheRootThatCommitsTell) {
  RekalConversations all;
  RekalSession session = Recording("A", {"one"}, 10);
  session.calls = {{"Edit", "/home/ada/app/src/auth.go", ""},
                   {"Read", "/home/ada/app/main.go", ""},
                   {"Read", "/home/ada/app/cmd/main.go", ""},
                   {"Read", "/etc/hosts", ""},
                   {"Read", "docs/x.md", ""},
                   {"Bash", "", "ls"}};
  all.Add(session);
  all.Add(RekalCheckpoint{"aaaa", {}, {"A"}, {"src/auth.go", "main.go"}});
  all.Add(Recording("B", {"two"}, 10));
  const auto found = all.Finish();
  EXPECT_EQ(NamedFiles(found[0]), (std::vector<std::string>{"src/auth.go", "main.go", "cmd/main.go",
                                                            "/etc/hosts", "docs/x.md"}));
}

// ---- What `rekal query` prints

constexpr const char* kRows =
    R"({"actor_type":"human","branch":"main","captured_at":"2026-02-25T10:00:00Z","id":"S1",)"
    R"("user_email":"ada@example.com"})"
    "\n"
    R"({"content":"answer","id":"t2","role":"assistant","session_id":"S1",)"
    R"("ts":"2026-02-25T09:00:05Z","turn_index":1})"
    "\n"
    R"({"content":"question {\"}","id":"t1","role":"human","session_id":"S1",)"
    R"("ts":"2026-02-25 09:00:00","turn_index":0})"
    R"({"call_order":0,"cmd_prefix":"","path":"src/a.go","session_id":"S1","tool":"MultiEdit"})"
    "\n"
    R"({"git_sha":"abc1234","id":"C1","ts":"2026-02-25T10:00:00Z"})"
    "\nnot JSON\n"
    R"({"checkpoint_id":"C1","session_id":"S1"})"
    "\n"
    R"({"change_type":"M","checkpoint_id":"C1","file_path":"src/a.go"})"
    "\n"
    R"({"change_type":"T","checkpoint_id":"C1","file_path":"src/b.go"})"
    "\n"
    R"({"count":3})"
    "\n{\n  \"session_id\": \"S2\", \"author\": \"bob@example.com\", \"actor\": \"agent\",\n"
    R"(  "branch": "side", "captured_at": "2026-02-26T10:00:00Z", "parent_session_id": "S1",
  "turns": [{"index": 0, "role": "human_steering", "content": "go on"},
            {"index": 1, "role": "summary", "content": "so far"}],
  "tool_calls": [{"order": 0, "tool": "Bash"}],
  "commits": [{"sha": "def5678", "subject": "x"}]
}
{"session_id": "S3", "turns": [)";

TEST(RekalRowsTest, TablesAndWholeSessionsAreRead) {
  const RekalRows rows = ReadRekalRows(kRows);
  ASSERT_EQ(rows.sessions.size(), 2u);
  const RekalSession& first = rows.sessions[0];
  EXPECT_EQ(first.author, "ada@example.com");
  ASSERT_EQ(first.turns.size(), 2u);
  EXPECT_EQ(first.turns[0].text, "question {\"}");
  EXPECT_EQ(TimeText(first.turns[0].at), "2026-02-25T09:00:00Z");
  EXPECT_EQ(first.turns[1].role, TurnRole::kAssistant);
  EXPECT_EQ(first.calls, (std::vector<RekalCall>{{"MultiEdit", "src/a.go", ""}}));
  const RekalSession& second = rows.sessions[1];
  EXPECT_TRUE(second.is_agent);
  EXPECT_EQ(second.parent, "S1");
  EXPECT_EQ(second.turns[0].role, TurnRole::kHuman);
  EXPECT_TRUE(second.turns[1].is_summary);
  ASSERT_EQ(rows.checkpoints.size(), 2u);
  EXPECT_EQ(rows.checkpoints[0].sha, "def5678");
  EXPECT_EQ(rows.checkpoints[1].sha, "abc1234");
  EXPECT_EQ(rows.checkpoints[1].sessions, std::vector<std::string>{"S1"});
  EXPECT_EQ(rows.checkpoints[1].files, std::vector<std::string>{"src/a.go"});
  EXPECT_EQ(rows.objects, 10);
  EXPECT_EQ(rows.unknown, 1);
  EXPECT_EQ(rows.damaged, (std::vector<int64_t>{5, 18}));
}

TEST(RekalRowsTest, EachPrefixAndEachChangedByteIsBorne) {
  const std::string text = kRows;
  for (size_t at = 0; at < text.size(); ++at) {
    (void)ReadRekalRows(std::string_view(text).substr(0, at));
    for (const char c : {'\0', '{', '}', '"', '\\', '\n', '\xFF'}) {
      std::string changed = text;
      changed[at] = c;
      (void)ReadRekalRows(changed);
    }
  }
}

}  // namespace
}  // namespace recall
