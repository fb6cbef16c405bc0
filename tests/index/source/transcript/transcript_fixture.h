#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/source/transcript/transcript.h"
#include "tests/test_util.h"

namespace recall {

inline void PutFile(const std::string& path, std::string_view bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

// What a reader reads of these bytes under this name.
inline TranscriptRead ReadAs(std::string_view agent, const std::string& path,
                             std::string_view bytes, const TranscriptLimits& limits = {}) {
  PutFile(path, bytes);
  return Must(ReadTranscript({std::string(agent), path, 0, 0}, limits));
}

// "human: text" of each turn.
inline std::vector<std::string> SaidIn(const AgentSession& session) {
  std::vector<std::string> said;
  for (const Turn& turn : session.turns) {
    said.push_back(std::string(TurnRoleName(turn.role)) + ": " + turn.text);
  }
  return said;
}

// "turn tool path $ command" of each use of a tool.
inline std::vector<std::string> UsesIn(const AgentSession& session) {
  std::vector<std::string> uses;
  for (const ToolCall& call : session.tool_calls) {
    uses.push_back(std::to_string(call.turn) + " " + call.tool +
                   (call.path.empty() ? "" : " " + call.path) +
                   (call.command.empty() ? "" : " $ " + call.command));
  }
  return uses;
}

using Strings = std::vector<std::string>;

// One transcript of each format that is a file of text, with its name.
struct SampleTranscript {
  std::string agent;
  std::string name;
  std::string bytes;
  bool one_document = false;  // JSON as a whole: a prefix of it is nothing
};
std::vector<SampleTranscript> SampleTranscripts();

// Databases of the others.
void MakeOpenCodeDatabase(const std::string& path);
void MakeCursorDatabase(const std::string& path);
void MakeCursorWorkspace(const std::string& path);  // of old versions, beside it
void MakeCursorChat(const std::string& path);       // of the command line

}  // namespace recall
