// The text of sessions: written, read back, cut into chunks; two readings of one session.

#include "index/source/session/session_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "index/base/text/tokenizer.h"
#include "index/base/text/turn_heading.h"
#include "index/source/chunk/chunker.h"
#include "index/source/session/session_meta.h"
#include "index/source/session/session_union.h"

namespace recall {
namespace {

constexpr UnixNanos kBase = 1'772'000'000'000'000'000;
constexpr UnixNanos kMilli = 1'000'000;

// Lines that look like those by which a text is structured.
constexpr const char* kSessionLines[] = {"## 0 human -",
                                         "## 1 assistant 2026-02-25T10:00:00Z line 4",
                                         "\\## 2 human -",
                                         "\\\\## 2 human -",
                                         "[tool] Edit a.cc",
                                         "\\[tool] Bash $ x",
                                         "##",
                                         "## Heading",
                                         "    indented",
                                         "",
                                         "plain words",
                                         "\xE4\xB8\xAD\xE6\x96\x87"};

std::string RandomSaid(std::mt19937_64& random) {
  std::string text = "said";
  for (size_t lines = random() % 5; lines > 0; --lines) {
    text += std::string("\n") + kSessionLines[random() % std::size(kSessionLines)];
  }
  return text + "\nend";
}

SessionTurns RandomSession(std::mt19937_64& random, size_t turns) {
  SessionTurns session;
  UnixNanos at = kBase;
  for (size_t i = 0; i < turns; ++i) {
    at += static_cast<UnixNanos>(1 + random() % 100'000) * kMilli;
    Turn turn;
    turn.role = random() % 2 == 0 ? TurnRole::kHuman : TurnRole::kAssistant;
    if (random() % 8 != 0) turn.at = at;
    turn.line = static_cast<int64_t>(random() % 3 * (i + 1));
    turn.text = random() % 4 == 0 ? kSessionLines[random() % 6] : RandomSaid(random);
    session.turns.push_back(std::move(turn));
    for (size_t calls = random() % 3; calls > 0; --calls) {
      ToolCall call{static_cast<uint32_t>(i), "Tool" + std::to_string(random() % 4), {}, {}};
      if (random() % 2 == 0) call.path = random() % 3 == 0 ? "a $ b/c d.cc" : "src/x.cc";
      if (random() % 2 == 0) call.command = "run $ this --now";
      session.tool_calls.push_back(std::move(call));
    }
  }
  return session;
}

TEST(SessionTextTest, IsReadBackAsItWasWritten) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 500; ++round) {
    const SessionTurns session = RandomSession(random, random() % 12);
    const std::string text = WriteSessionText(session.turns, session.tool_calls);
    ASSERT_EQ(ReadSessionText(text), session) << text;
  }
}

TEST(SessionTextTest, AnyTextCanBeRead) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 500; ++round) {
    const SessionTurns session = RandomSession(random, 4);
    std::string text = WriteSessionText(session.turns, session.tool_calls);
    for (size_t i = random() % 20; i > 0 && !text.empty(); --i) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    const SessionTurns read = ReadSessionText(text);
    for (const ToolCall& call : read.tool_calls) ASSERT_LT(call.turn, read.turns.size());
  }
  EXPECT_TRUE(ReadSessionText("").turns.empty());
  EXPECT_TRUE(ReadSessionText("before\n## 1 human -\n\nno first turn\n").turns.empty());
}

TEST(SessionTextTest, EachTurnIsAChunkOfItsOwnOrSeveral) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 100; ++round) {
    const SessionTurns session = RandomSession(random, 1 + random() % 10);
    const std::string text = WriteSessionText(session.turns, session.tool_calls);
    const ChunkOptions options{.chunk_tokens = static_cast<uint32_t>(2 + random() % 20),
                               .overlap_tokens = 1};
    std::set<uint32_t> chunked;
    for (const ChunkSpan& span : ChunkText(text, Parser::kSession, options)) {
      const auto heading = ParseTurnHeading(span.heading);
      ASSERT_TRUE(heading.has_value()) << span.heading;
      ASSERT_LT(heading->turn, session.turns.size());
      const Turn& turn = session.turns[heading->turn];
      EXPECT_EQ(heading->role, TurnRoleName(turn.role));
      EXPECT_EQ(ParseRfc3339(heading->at), turn.at);
      const std::string chunk = text.substr(span.start_byte, span.end_byte - span.start_byte);
      const std::string said = WriteSessionText(std::span(&turn, 1), {});
      EXPECT_NE(said.find(chunk), said.npos) << chunk << "\n--\n" << said;
      chunked.insert(heading->turn);
    }
    EXPECT_EQ(chunked.size(), session.turns.size());
  }
}

TEST(TurnHeadingTest, HasExactlyOneForm) {
  for (const char* good : {"0 human -", "12 assistant 2026-02-25T10:00:00Z",
                           "999999999 human 2026-02-25T10:00:00.123456789Z"}) {
    const auto heading = ParseTurnHeading(good);
    ASSERT_TRUE(heading.has_value()) << good;
    EXPECT_EQ(FormatTurnHeading(*heading), good);
  }
  for (const char* bad :
       {"", "human -", "01 human -", "1 human", "1 Human -", "1 human -x", "1 human 2026-02-25",
        "1 human 2026-02-25T10:00:00+00:00", "1 assistant 2026-02-25T10:00:00.Z",
        "1 human - line 4", "1234567890 human -", "1  human -", "Guide > 1 human -"}) {
    EXPECT_FALSE(ParseTurnHeading(bad).has_value()) << bad;
  }
}

TEST(TurnHeadingTest, IsNotIndexed) {
  Tokenizer tokenizer(kTokenizerVersion);
  LexicalText lexical;
  tokenizer.Analyze("12 assistant 2026-02-25T10:00:00Z", "words", &lexical);
  EXPECT_EQ(lexical.body, "word");
  tokenizer.Analyze("12 assistants", "words", &lexical);
  EXPECT_NE(lexical.body, "word");
}

SessionTurns Beginning(const SessionTurns& session, size_t turns) {
  SessionTurns part;
  part.turns.assign(session.turns.begin(), session.turns.begin() + static_cast<ptrdiff_t>(turns));
  std::ranges::copy_if(session.tool_calls, std::back_inserter(part.tool_calls),
                       [&](const ToolCall& call) { return call.turn < turns; });
  return part;
}

TEST(SessionUnionTest, OfASessionThatGrewIsItsNewReading) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 200; ++round) {
    const SessionTurns session = RandomSession(random, random() % 15);
    const SessionTurns older = Beginning(session, random() % (session.turns.size() + 1));
    ASSERT_EQ(UniteTurns(older, session), session);
    ASSERT_EQ(UniteTurns(session, session), session);
    ASSERT_EQ(UniteTurns(session, SessionTurns()), session);
  }
}

// Turns of Aider have no time, and an answer is read while it is written.
TEST(SessionUnionTest, ALastTurnWithoutATimeGrows) {
  const Turn question{TurnRole::kHuman, {}, 1, "Why?"};
  const Turn begun{TurnRole::kAssistant, {}, 3, "Because"};
  const Turn complete{TurnRole::kAssistant, {}, 3, "Because it is so."};
  const Turn thanks{TurnRole::kHuman, {}, 5, "Thanks"};
  const SessionTurns newer = {{question, complete, thanks}, {{1, "edit", "a.py", ""}}};
  EXPECT_EQ(UniteTurns({{question, begun}, {}}, newer), newer);
  EXPECT_EQ(UniteTurns({{begun}, {}}, {{complete}, {}}), (SessionTurns{{complete}, {}}));
  // What went on is not what it was.
  const SessionTurns shortened = {{complete}, {}};
  EXPECT_EQ(UniteTurns({{question, begun, thanks}, {}}, shortened).turns.size(), 4u);
}

// Whatever of a transcript is swept, in any order, no turn is lost and none comes twice.
TEST(SessionUnionTest, OfAnyPartsLosesAndRepeatsNothing) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 300; ++round) {
    SessionTurns session = RandomSession(random, 1 + random() % 12);
    for (size_t i = 0; i < session.turns.size(); ++i) {
      session.turns[i].at = kBase + static_cast<UnixNanos>(i) * 1000 * kMilli;
    }
    session.tool_calls.clear();
    SessionTurns united;
    std::set<UnixNanos> seen;
    for (int part = 0; part < 4; ++part) {
      SessionTurns read;
      for (const Turn& turn : session.turns) {
        if (random() % 2 == 0) continue;
        read.turns.push_back(turn);
        seen.insert(*turn.at);
      }
      united = UniteTurns(united, read);
    }
    std::vector<UnixNanos> times;
    for (const Turn& turn : united.turns) times.push_back(*turn.at);
    ASSERT_EQ(times, std::vector<UnixNanos>(seen.begin(), seen.end()));
  }
}

TEST(SessionUnionTest, TakesTheNewTextOfATurn) {
  SessionTurns older;
  older.turns = {{.at = kBase, .line = 1, .text = "key sk-123"}};
  older.tool_calls = {{0, "Old", "", ""}};
  SessionTurns newer;
  newer.turns = {{.at = kBase, .line = 1, .text = "key [redacted: key]"}};
  newer.tool_calls = {{0, "New", "", ""}};
  EXPECT_EQ(UniteTurns(older, newer), newer);
}

TEST(SessionMetaTest, IsReadBackAsItWasWritten) {
  SessionMeta meta;
  EXPECT_EQ(ReadSessionMeta(WriteSessionMeta(meta)), meta);
  meta = {.agent = "codex",
          .id = "x-1",
          .parent = "x-0",
          .actor = "human",
          .author = "a@b",
          .branch = "main",
          .cwd = "/src",
          .model = "m",
          .title = "A \"title\"",
          .transcript = "/t.jsonl",
          .started_at = kBase,
          .captured_at = kBase + kMilli,
          .turns = 3,
          .tool_calls = 2,
          .files = {"a.cc", "b.cc"},
          .tools = {"Edit"},
          .commit = "abc",
          .commits = {{"abc", "explicit"}, {"def", "inferred"}},
          .commit_files = {"a.cc"},
          .imported_captured_at = kBase + 2 * kMilli,
          .redacted = {{"github-token", 2}},
          .keeps_secrets = true,
          .changed_files = {"b.cc"},
          .offered_paths = {"docs/a.md", "notes/n.md"},
          .followed_paths = {"notes/n.md"}};
  EXPECT_EQ(ReadSessionMeta(WriteSessionMeta(meta)), meta);
  for (const char* any :
       {"", "[]", "{", "{\"turns\":\"x\",\"files\":{},\"redacted\":[1]}", "\xFF"}) {
    EXPECT_EQ(ReadSessionMeta(any), SessionMeta()) << any;
  }
}

// Who shows a part of a text finds the turns around any byte, and what each line is.
TEST(SessionTextTest, TurnsAndLinesAreFoundInAPartOfTheText) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    const SessionTurns session = RandomSession(random, random() % 6);
    const std::string text = WriteSessionText(session.turns, session.tool_calls);
    std::vector<size_t> headings;
    ScanTurns(text, [&](const TurnPlace& place) {
      headings.push_back(static_cast<size_t>(place.heading.data() - text.data()) - 3);
    });
    for (size_t at = 0; at <= text.size(); ++at) {
      const auto after = std::ranges::upper_bound(headings, at);
      const auto before = std::ranges::lower_bound(headings, at);
      EXPECT_EQ(TurnAfter(text, at),
                after == headings.end() ? std::nullopt : std::optional(*after));
      EXPECT_EQ(TurnBefore(text, at),
                before == headings.begin() ? std::nullopt : std::optional(*(before - 1)));
    }
    SessionTurns read;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      const std::string_view whole = std::string_view(text).substr(at, end - at);
      const SessionLine line = ReadSessionLine(whole);
      if (line.kind == SessionLine::Kind::kTurn) {
        EXPECT_EQ(line.turn.turn, read.turns.size());
        Turn& turn = read.turns.emplace_back();
        turn.role = *TurnRoleFromName(line.turn.role);
      } else if (line.kind == SessionLine::Kind::kTool) {
        read.tool_calls.emplace_back().tool = line.text.substr(0, line.text.find(' '));
      } else if (!read.turns.empty()) {
        EXPECT_EQ(line.text.data() + line.text.size(), whole.data() + whole.size());
        read.turns.back().text += std::string(line.text) + "\n";
      }
      at = end + 1;
    }
    ASSERT_EQ(read.turns.size(), session.turns.size());
    ASSERT_EQ(read.tool_calls.size(), session.tool_calls.size());
    for (size_t i = 0; i < read.turns.size(); ++i) {
      EXPECT_EQ(read.turns[i].role, session.turns[i].role);
      EXPECT_NE(read.turns[i].text.find(session.turns[i].text), std::string::npos);
    }
    for (size_t i = 0; i < read.tool_calls.size(); ++i) {
      EXPECT_EQ(read.tool_calls[i].tool, session.tool_calls[i].tool);
    }
  }
  EXPECT_EQ(TurnAfter("", 0), std::nullopt);
  EXPECT_EQ(TurnBefore("", 0), std::nullopt);
  EXPECT_EQ(TurnBefore("## 0 human -", 5), 0u);
  EXPECT_EQ(TurnAfter("## 0 human -\n## 1", 5), std::nullopt) << "the heading is cut";
}

}  // namespace
}  // namespace recall
