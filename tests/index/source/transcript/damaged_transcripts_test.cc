// Whatever is in a file, it is read: prefixes, changed bytes, random bytes.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "index/base/text/utf8.h"
#include "tests/index/source/transcript/transcript_fixture.h"

namespace recall {
namespace {

// What AgentSession promises.
void ExpectSound(const TranscriptRead& read) {
  std::string before;
  for (const AgentSession& session : read.sessions) {
    EXPECT_FALSE(session.turns.empty());
    EXPECT_TRUE(&session == &read.sessions.front() || before < session.id);
    before = session.id;
    for (const Turn& turn : session.turns) {
      EXPECT_TRUE(IsValidUtf8(turn.text));
      EXPECT_FALSE(turn.text.empty());
      EXPECT_NE(turn.text.front(), '\n');
      EXPECT_EQ(std::string_view(" \n\t\r").find(turn.text.back()), std::string_view::npos);
      EXPECT_EQ(turn.text.find('\0'), std::string::npos);
      EXPECT_EQ(turn.text.find("\r\n"), std::string::npos);
    }
    uint32_t last = 0;
    for (const ToolCall& call : session.tool_calls) {
      EXPECT_GE(call.turn, last);
      EXPECT_LT(call.turn, session.turns.size());
      EXPECT_FALSE(call.tool.empty());
      for (const std::string* text : {&call.tool, &call.path, &call.command}) {
        EXPECT_TRUE(IsValidUtf8(*text));
      }
      last = call.turn;
    }
  }
}

// The last turn may go on, the others stay as they are.
void ExpectBeginningOf(const TranscriptRead& whole, const TranscriptRead& part) {
  for (const AgentSession& session : part.sessions) {
    const auto same = std::ranges::find(whole.sessions, session.id, &AgentSession::id);
    ASSERT_NE(same, whole.sessions.end()) << session.id;
    ASSERT_LE(session.turns.size(), same->turns.size());
    for (size_t i = 0; i < session.turns.size(); ++i) {
      EXPECT_EQ(session.turns[i].role, same->turns[i].role);
      EXPECT_EQ(session.turns[i].line, same->turns[i].line);
      EXPECT_EQ(session.turns[i].at, same->turns[i].at);
      if (i + 1 < session.turns.size()) {
        EXPECT_EQ(session.turns[i].text, same->turns[i].text);
      } else {
        EXPECT_TRUE(same->turns[i].text.starts_with(session.turns[i].text));
      }
    }
    ASSERT_LE(session.tool_calls.size(), same->tool_calls.size());
  }
}

TEST(DamagedTranscriptsTest, AnyPrefixIsReadAsTheBeginning) {
  for (const SampleTranscript& sample : SampleTranscripts()) {
    const TempDir directory;
    const std::string path = directory / sample.name;
    const TranscriptRead whole = ReadAs(sample.agent, path, sample.bytes);
    ASSERT_FALSE(whole.sessions.empty()) << sample.agent;
    EXPECT_FALSE(whole.torn);
    EXPECT_TRUE(whole.unknown.empty()) << sample.agent << " " << whole.unknown.begin()->first;
    for (size_t size = 0; size < sample.bytes.size(); ++size) {
      const TranscriptRead part = ReadAs(sample.agent, path, sample.bytes.substr(0, size));
      ExpectSound(part);
      ExpectBeginningOf(whole, part);
      EXPECT_TRUE(part.unknown.empty());
      const bool at_line_end = size == 0 || sample.bytes[size - 1] == '\n';
      EXPECT_TRUE(sample.one_document ? part.torn : !part.torn || !at_line_end);
      if (HasFailure()) FAIL() << sample.agent << " " << size;
    }
  }
}

TEST(DamagedTranscriptsTest, ChangedBytesAreReadByAnyReader) {
  std::mt19937_64 random(TestSeed(4));
  const TempDir directory;
  for (const SampleTranscript& sample : SampleTranscripts()) {
    for (const std::string_view agent : TranscriptAgents()) {
      if (agent == "cursor") continue;  // a database; so is opencode's unless it is *.json
      for (int run = 0; run < (agent == sample.agent ? 250 : 20); ++run) {
        std::string bytes = sample.bytes;
        for (uint64_t edits = random() % 6; edits > 0; --edits) {
          const size_t at = random() % bytes.size();
          static constexpr std::string_view kBytes = "{}[]\",:\\\n\r <>#0\xFF\xC3";
          switch (random() % 4) {
            case 0:
              bytes[at] = static_cast<char>(random());
              break;
            case 1:
              bytes[at] = kBytes[random() % kBytes.size()];
              break;
            case 2:
              bytes.erase(at, 1 + random() % 20);
              break;
            default:
              bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 60));
          }
          if (bytes.empty()) bytes = "x";
        }
        const std::string name = agent == "opencode" ? "session/p/ses_1.json" : sample.name;
        ExpectSound(ReadAs(agent, directory / name, bytes));
        if (HasFailure()) FAIL() << agent << " " << bytes;
      }
    }
  }
}

TEST(DamagedTranscriptsTest, RandomBytesAreReadByAnyReader) {
  std::mt19937_64 random(TestSeed(5));
  const TempDir directory;
  for (const std::string_view agent : TranscriptAgents()) {
    for (int run = 0; run < 60; ++run) {
      std::string bytes(random() % 3000, '\0');
      for (char& c : bytes) c = static_cast<char>(random());
      const std::string path = directory / "x.json";
      PutFile(path, bytes);
      const auto read = ReadTranscript({std::string(agent), path, 0, 0});
      if (read) {
        ExpectSound(*read);
      } else {
        EXPECT_EQ(agent, "cursor");
        EXPECT_EQ(read.error().code(), StatusCode::kCorruption);
      }
    }
  }
}

TEST(DamagedTranscriptsTest, DeepAndLongLinesNeedLittle) {
  const TempDir directory;
  const std::string deep(3'000'000, '[');
  std::string injected = "{\"session\":\"s\",\"role\":\"user\",\"text\":\"";
  for (int i = 0; i < 50'000; ++i) injected += "<system-reminder>";
  injected += "\"}\n";
  std::string quotes = "{\"session\":\"s\",\"role\":\"user\",\"text\":\"";
  for (int i = 0; i < 500'000; ++i) quotes += "\\\"";
  quotes += "\"}\n";
  for (const std::string_view agent : {"claude-code", "codex", "copilot", "gemini", "jsonl"}) {
    const TranscriptRead read =
        ReadAs(agent, directory / "x.jsonl",
               "{\"type\":\"user\",\"a\":" + deep + "\n" + injected + quotes);
    EXPECT_EQ(read.unknown.at("not JSON"), 1) << agent;
  }
  std::string claude = "{\"type\":\"user\",\"message\":{\"content\":\"";
  for (int i = 0; i < 200'000; ++i) claude += "\\n<system-reminder> <command-args>";
  EXPECT_EQ(ReadAs("claude-code", directory / "y.jsonl", claude + "\"}}\n").sessions.size(), 1u);
}

TEST(ReadTranscriptTest, SaysWhatCannotBeRead) {
  const TempDir directory;
  const auto nobody = ReadTranscript({"nobody", directory / "x", 0, 0});
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().code(), StatusCode::kInvalidArgument);
  for (const std::string_view agent : TranscriptAgents()) {
    const auto missing = ReadTranscript({std::string(agent), directory / "x.json", 0, 0});
    ASSERT_FALSE(missing) << agent;
    EXPECT_EQ(missing.error().code(), StatusCode::kNotFound) << agent;
    const auto folder = ReadTranscript({std::string(agent), directory.path(), 0, 0});
    EXPECT_FALSE(folder) << agent;
  }
  std::atomic<bool> cancel = true;
  PutFile(directory / "c.jsonl", "{}\n");
  const auto cancelled =
      ReadTranscript({"jsonl", directory / "c.jsonl", 0, 0}, {.cancel = &cancel});
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code(), StatusCode::kCancelled);
}

}  // namespace
}  // namespace recall
