#include "index/source/transcript/transcript.h"

#include <algorithm>
#include <array>
#include <string>

#include "index/source/transcript/transcript_readers.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

using ReadFunction = Result<TranscriptRead> (*)(const std::string&, const TranscriptLimits&);

struct AgentFormat {
  std::string_view agent;
  ReadFunction read;
};

constexpr std::array<AgentFormat, 8> kFormats = {{{"aider", ReadAider},
                                                  {"claude-code", ReadClaudeCode},
                                                  {"codex", ReadCodex},
                                                  {"copilot", ReadCopilot},
                                                  {"cursor", ReadCursor},
                                                  {"gemini", ReadGemini},
                                                  {"jsonl", ReadJsonLines},
                                                  {"opencode", ReadOpenCode}}};

constexpr auto kAgents = [] {
  std::array<std::string_view, kFormats.size()> agents;
  for (size_t i = 0; i < kFormats.size(); ++i) agents[i] = kFormats[i].agent;
  return agents;
}();

// Returns the agent that wrote this line, or "" if the line does not identify it.
std::string_view AgentOfLine(TapeValue line) {
  const std::string_view type = line["type"].Raw();
  if (line["session"] && (line["role"] || line["tool"])) return "jsonl";
  if (line["payload"] || line["record_type"]) return "codex";
  if (line["ts"] && line["text"] && (line["session_id"] || line["conversation_id"])) return "codex";
  if (type.starts_with("session.") || type == "user.message" || type == "assistant.message") {
    return "copilot";
  }
  if (line["projectHash"] || line["$set"]) return "gemini";
  if (line["projectID"]) return "opencode";
  if (line["display"] && line["timestamp"]) return "claude-code";
  if (line["sessionId"] || line["leafUuid"] || type == "file-history-snapshot") {
    return "claude-code";
  }
  if (line["id"] && line["timestamp"] && (line["instructions"] || line["git"])) return "codex";
  return {};
}

// Returns the agent that wrote an object, by the names of members in its beginning; the end of the
// object is cut off.
std::string_view AgentOfBeginning(std::string_view head) {
  const auto has = [&](std::string_view name) { return head.find(name) != head.npos; };
  if (has("\"payload\"") || has("\"record_type\"")) return "codex";
  if (has("\"projectHash\"")) return "gemini";
  if (has("\"projectID\"")) return "opencode";
  if (has("\"session.start\"")) return "copilot";
  if (has("\"sessionId\"") || has("\"parentUuid\"")) return "claude-code";
  if (has("\"session\"") && has("\"role\"")) return "jsonl";
  return {};
}

std::string_view AgentOfName(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name == ".aider.chat.history.md") return "aider";
  if (name.ends_with(".vscdb")) return "cursor";
  if (name == "store.db" && path.find("chats/") != path.npos) return "cursor";
  if (name.starts_with("rollout-")) return "codex";
  if (name == "events.jsonl" && path.find("session-state/") != path.npos) return "copilot";
  if (name.starts_with("opencode") && name.ends_with(".db")) return "opencode";
  if (name.starts_with("ses_") && name.ends_with(".json")) return "opencode";
  return {};
}

}  // namespace

Result<TranscriptRead> ReadTranscript(const TranscriptSource& source,
                                      const TranscriptLimits& limits) {
  for (const AgentFormat& format : kFormats) {
    if (format.agent == source.agent) return format.read(source.path, limits);
  }
  return Fail(Status::InvalidArgument("no agent is called \"" + source.agent + "\""));
}

std::span<const std::string_view> TranscriptAgents() { return kAgents; }

std::string_view GuessAgent(std::string_view path, std::string_view head) {
  const std::string_view named = AgentOfName(path);
  if (!named.empty()) return named;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::string_view text = Trim(head);
  if (text.starts_with("# aider chat started at")) return "aider";
  if (!text.starts_with('{')) return {};
  JsonTape tape;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (tape.Parse(text.substr(at, end - at)) && tape.root().IsObject()) {
      const std::string_view agent = AgentOfLine(tape.root());
      if (!agent.empty()) return agent;
    }
    at = end + 1;
  }
  return AgentOfBeginning(text);
}

bool IsPromptHistory(const TranscriptSource& source) {
  return (source.agent == "claude-code" || source.agent == "codex") &&
         (source.path == "history.jsonl" || source.path.ends_with("/history.jsonl"));
}

std::string ResumeCommand(std::string_view agent, std::string_view session_id) {
  // The agent would read an id with "-" as an option. Agents do not give such ids, but imported
  // sessions may have them.
  if (session_id.starts_with('-')) return {};
  std::string id;
  constexpr std::string_view kPlain = "-_.:@%+=,/";
  const bool is_plain = !session_id.empty() && std::ranges::all_of(session_id, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPlain.find(c) != kPlain.npos;
  });
  if (is_plain) {
    id = session_id;
  } else {
    for (const char c : session_id) id += c == '\'' ? std::string("'\\''") : std::string(1, c);
    id = "'" + id + "'";
  }
  if (agent == "claude-code") return "claude --resume " + id;
  if (agent == "codex") return "codex resume " + id;
  if (agent == "copilot") return "copilot --resume=" + id;
  if (agent == "gemini") return "gemini --resume " + id;
  if (agent == "opencode") return "opencode --session " + id;
  if (agent == "aider") return "aider --restore-chat-history";
  return {};
}

}  // namespace recall
