// Finds the outputs of tools in a transcript that was kept.
//
//   claude-code  {"sessionId", "message": {"content": [{"type": "tool_result", "content"}]}}
//   codex        {"payload": {"type": "function_call_output", "output"}}, in older ones without
//                "payload"; "output" may be a JSON text {"output", "metadata"}
//   copilot      {"type": "tool.execution_complete", "data": {"result": {"content"}, "error"}}
//   gemini       {"toolCalls": [{"result": [{"functionResponse": {"response": {"output"}}}],
//                "resultDisplay"}]}, in lines, or in "messages" of one document
//
// Cost: one pass over the transcript; only outputs are decoded.

#include "index/source/transcript/tool_outputs.h"

#include <algorithm>
#include <array>
#include <string>

#include "index/base/json/json_tape.h"

namespace recall {
namespace {

constexpr std::array<std::string_view, 4> kAgentsWithOutputs = {"claude-code", "codex", "copilot",
                                                                "gemini"};

// The text of a string, of a part {text}, or of a list of these.
std::string TextOfOutput(TapeValue output) {
  if (output.IsString()) return output.Text();
  if (output.IsObject()) return TextOfOutput(output["text"] ? output["text"] : output["content"]);
  std::string text;
  output.ForEach([&](TapeValue part) {
    const std::string of_part = TextOfOutput(part);
    if (!text.empty() && !of_part.empty()) text += '\n';
    text += of_part;
  });
  return text;
}

using VisitOutput = std::function<void(const std::string& output)>;

void VisitClaudeLine(TapeValue line, std::string_view session, const VisitOutput& visit) {
  const TapeValue of = line["sessionId"];
  // A session of a sub-agent has the id of the agent.
  const bool of_other = of.IsString() && of.Text() != session && line["agentId"].Text() != session;
  if (of_other) return;
  line["message"]["content"].ForEach([&](TapeValue block) {
    if (block["type"].Is("tool_result")) visit(TextOfOutput(block["content"]));
  });
}

void VisitCodexLine(TapeValue line, const VisitOutput& visit) {
  const auto visit_item = [&](TapeValue item) {
    const std::string_view type = item["type"].Raw();
    if (!type.ends_with("_call_output")) return;
    const std::string text = TextOfOutput(item["output"]);
    JsonTape inner;
    const bool is_wrapped =
        text.starts_with('{') && inner.Parse(text) && inner.root()["output"].IsString();
    visit(is_wrapped ? inner.root()["output"].Text() : text);
  };
  visit_item(line["payload"].IsObject() ? line["payload"] : line);
  line["items"].ForEach(visit_item);
}

void VisitCopilotLine(TapeValue line, const VisitOutput& visit) {
  if (!line["type"].Is("tool.execution_complete")) return;
  const TapeValue data = line["data"].IsObject() ? line["data"] : line;
  visit(TextOfOutput(data["result"]));
  visit(data["error"]["message"].Text());
}

void VisitGeminiRecord(TapeValue record, const VisitOutput& visit) {
  const auto visit_message = [&](TapeValue message) {
    message["toolCalls"].ForEach([&](TapeValue call) {
      std::string text;
      call["result"].ForEach([&](TapeValue part) {
        const TapeValue response = part["functionResponse"]["response"];
        text += TextOfOutput(response["output"] ? response["output"] : response["error"]);
      });
      visit(text.empty() ? call["resultDisplay"].Text() : text);
    });
  };
  visit_message(record);
  record["messages"].ForEach(visit_message);
  record["$set"]["messages"].ForEach(visit_message);
}

}  // namespace

bool HasToolOutputs(std::string_view agent) {
  return std::ranges::find(kAgentsWithOutputs, agent) != kAgentsWithOutputs.end();
}

void ForEachToolOutput(std::string_view agent, std::string_view session,
                       std::string_view transcript, const ToolOutputVisitor& visit) {
  JsonTape tape;
  int64_t number = 1;
  const VisitOutput visit_text = [&](const std::string& output) {
    if (!output.empty()) visit(output, number);
  };
  const auto visit_record = [&](TapeValue record) {
    if (agent == "claude-code") VisitClaudeLine(record, session, visit_text);
    if (agent == "codex") VisitCodexLine(record, visit_text);
    if (agent == "copilot") VisitCopilotLine(record, visit_text);
    if (agent == "gemini") VisitGeminiRecord(record, visit_text);
  };
  // A transcript of Gemini may be one document of several lines.
  if (agent == "gemini" && tape.Parse(transcript)) return visit_record(tape.root());
  for (; !transcript.empty(); ++number) {
    const std::string_view line = transcript.substr(0, transcript.find('\n'));
    if (!line.empty() && tape.Parse(line)) visit_record(tape.root());
    transcript.remove_prefix(std::min(line.size() + 1, transcript.size()));
  }
}

}  // namespace recall
