// ReadTranscript: any bytes are a transcript of any agent, or an error. What is read keeps the
// promises of AgentSession, and reading again gives the same.
// Input: a byte for the agent, a byte for the name of the file (lines or one document), the file.

#include <algorithm>
#include <fstream>
#include <string>

#include "fuzz/fuzz_directory.h"
#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"
#include "index/source/transcript/short_call.h"
#include "index/source/transcript/transcript.h"

namespace recall {
namespace {

constexpr TranscriptLimits kTranscriptLimits = {.max_line_bytes = 4096};

bool IsOneLine(const std::string& text) {
  return IsValidUtf8(text) && text.find('\n') == std::string::npos;
}

void CheckTranscript(const TranscriptRead& read) {
  const AgentSession* before = nullptr;
  for (const AgentSession& session : read.sessions) {
    RECALL_CHECK(!before || before->id < session.id);
    before = &session;
    RECALL_CHECK(!session.turns.empty());
    for (const Turn& turn : session.turns) {
      RECALL_CHECK(IsValidUtf8(turn.text) && !turn.text.empty() && turn.line >= 0);
      RECALL_CHECK(turn.text.front() != '\n' && turn.text.find('\0') == std::string::npos);
      RECALL_CHECK(std::string_view(" \t\n").find(turn.text.back()) == std::string_view::npos);
    }
    uint32_t last = 0;
    for (const ToolCall& call : session.tool_calls) {
      RECALL_CHECK(call.turn >= last && call.turn < session.turns.size());
      RECALL_CHECK(!call.tool.empty() && IsValidUtf8(call.tool));
      const ToolCall stored = ShortCall(call.turn, RedactedText(nullptr, call.tool, nullptr),
                                        RedactedText(nullptr, call.path, nullptr),
                                        RedactedText(nullptr, call.command, nullptr));
      for (const std::string* text : {&stored.tool, &stored.path, &stored.command}) {
        RECALL_CHECK(IsOneLine(*text));
      }
      RECALL_CHECK(!stored.tool.empty() && stored.command.size() <= 400);
      last = call.turn;
    }
  }
  for (const auto& [what, count] : read.unknown) {
    RECALL_CHECK(!what.empty() && what.size() < 100 && count > 0);
  }
}

}  // namespace

void FuzzOne(ByteSpan input) {
  static const FuzzDirectory directory;
  ByteReader reader(input);
  const auto agents = TranscriptAgents();
  const std::string_view agent = agents[reader.Read<uint8_t>() % agents.size()];
  const std::string path =
      directory.StorePath() + (reader.Read<uint8_t>() % 2 == 0 ? ".jsonl" : ".json");
  const ByteSpan bytes = TakeRest(reader);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  const TranscriptSource source{std::string(agent), path, 0, 0};
  const auto read = ReadTranscript(source, kTranscriptLimits);
  const auto again = ReadTranscript(source, kTranscriptLimits);
  RECALL_CHECK(read.has_value() == again.has_value());
  if (read) {
    CheckTranscript(*read);
    RECALL_CHECK(*read == *again);
  } else {
    RECALL_CHECK(read.error().code() == StatusCode::kCorruption ||
                 read.error().code() == StatusCode::kIoError);
  }
  // Any beginning of a file is of some agent or of none.
  const std::string_view guessed = GuessAgent(path, AsText(bytes));
  RECALL_CHECK(guessed.empty() || std::find(agents.begin(), agents.end(), guessed) != agents.end());
}

}  // namespace recall
