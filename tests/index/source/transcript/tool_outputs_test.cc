// Outputs of tools in transcripts that were kept.

#include "index/source/transcript/tool_outputs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace recall {
namespace {

// "line: output" of each output.
std::vector<std::string> OutputsIn(std::string_view agent, std::string_view transcript,
                                   std::string_view session = "s") {
  std::vector<std::string> outputs;
  ForEachToolOutput(agent, session, transcript, [&](std::string_view output, int64_t line) {
    outputs.push_back(std::to_string(line) + ": " + std::string(output));
  });
  return outputs;
}

using Outputs = std::vector<std::string>;

TEST(ToolOutputsTest, OfClaudeCode) {
  const std::string transcript =
      R"({"type":"user","sessionId":"s","message":{"content":"tool_result of nobody"}})"
      "\n"
      R"({"type":"user","sessionId":"s","message":{"content":[{"type":"tool_result","content":"a\nb"}]}})"
      "\n"
      R"({"type":"user","sessionId":"s","message":{"content":[{"type":"text","text":"no output"},)"
      R"({"type":"tool_result","content":[{"type":"text","text":"one"},{"type":"image"},)"
      R"({"type":"text","text":"two"}]}]}})"
      "\n"
      R"({"type":"user","sessionId":"other","message":{"content":[{"type":"tool_result","content":"x"}]}})"
      "\nno JSON\n"
      R"({"type":"user","sessionId":"other","agentId":"s","message":{"content":[{"type":"tool_result",)"
      R"("content":"of the agent"}]}})";
  EXPECT_EQ(OutputsIn("claude-code", transcript),
            (Outputs{"2: a\nb", "3: one\ntwo", "6: of the agent"}));
}

TEST(ToolOutputsTest, OfCodex) {
  const std::string transcript =
      R"({"type":"response_item","payload":{"type":"function_call_output","output":"plain"}})"
      "\n"
      R"({"type":"response_item","payload":{"type":"custom_tool_call_output",)"
      R"("output":"{\"output\":\"in\\nJSON\",\"metadata\":{}}"}})"
      "\n"
      R"({"type":"response_item","payload":{"type":"message","content":"no output"}})"
      "\n"
      R"({"type":"function_call_output","output":[{"type":"input_text","text":"old"}]})"
      "\n";
  EXPECT_EQ(OutputsIn("codex", transcript), (Outputs{"1: plain", "2: in\nJSON", "4: old"}));
}

TEST(ToolOutputsTest, OfCopilot) {
  const std::string transcript =
      R"({"type":"tool.execution_start","data":{"toolName":"bash"}})"
      "\n"
      R"({"type":"tool.execution_complete","data":{"success":true,"result":{"content":"done"}}})"
      "\n"
      R"({"type":"tool.execution_complete","data":{"success":false,"error":{"message":"failed"}}})";
  EXPECT_EQ(OutputsIn("copilot", transcript), (Outputs{"2: done", "3: failed"}));
}

TEST(ToolOutputsTest, OfGemini) {
  const std::string call =
      R"({"type":"gemini","toolCalls":[{"name":"run","result":[{"functionResponse":)"
      R"({"response":{"output":"built"}}}],"resultDisplay":"shown"},)"
      R"({"name":"show","resultDisplay":"only shown"}]})";
  EXPECT_EQ(OutputsIn("gemini", "{\"sessionId\":\"s\"}\n" + call),
            (Outputs{"2: built", "2: only shown"}));
  EXPECT_EQ(OutputsIn("gemini", "{\"sessionId\":\"s\",\n\"messages\":[\n" + call + "]}\n"),
            (Outputs{"1: built", "1: only shown"}));
}

TEST(ToolOutputsTest, AreKnownOfTheseAgents) {
  for (const char* agent : {"claude-code", "codex", "copilot", "gemini"}) {
    EXPECT_TRUE(HasToolOutputs(agent)) << agent;
  }
  for (const char* agent : {"aider", "cursor", "jsonl", "opencode", ""}) {
    EXPECT_FALSE(HasToolOutputs(agent)) << agent;
    EXPECT_TRUE(OutputsIn(agent, R"({"type":"function_call_output","output":"x"})").empty());
  }
}

}  // namespace
}  // namespace recall
