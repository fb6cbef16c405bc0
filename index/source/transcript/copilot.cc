// Transcripts of the GitHub Copilot CLI: ~/.copilot/session-state/ID/events.jsonl, an event a line:
// {type, data, id, timestamp, parentId}. Its schema (session-events) is published with its SDK.
// Older ones have the members of `data` in the event itself. What a sub-agent says has its agentId,
// or the use of a tool that started it.

#include <algorithm>
#include <array>
#include <unordered_set>

#include "index/source/transcript/injected_text.h"
#include "index/source/transcript/transcript_readers.h"

namespace recall {
namespace {

// Events of these families say nothing but what is read below.
constexpr std::array<std::string_view, 25> kSilentFamilies = {"session.",
                                                              "assistant.",
                                                              "tool.",
                                                              "user.",
                                                              "system.",
                                                              "subagent.",
                                                              "hook.",
                                                              "permission.",
                                                              "skill.",
                                                              "model.",
                                                              "mcp.",
                                                              "mcp_app.",
                                                              "command.",
                                                              "commands.",
                                                              "factory.",
                                                              "user_input.",
                                                              "elicitation.",
                                                              "sampling.",
                                                              "external_tool.",
                                                              "exit_plan_mode.",
                                                              "auto_mode_switch.",
                                                              "session_limits_exhausted.",
                                                              "tool_search.",
                                                              "pending_messages.",
                                                              "capabilities."};

class CopilotReader final {
 public:
  explicit CopilotReader(const std::string& path)
      : sessions_("copilot"),
        builder_("copilot",
                 path.ends_with("/events.jsonl") ? DirectoryName(path) : FileStem(path)) {}

  SessionSet* sessions() { return &sessions_; }

  void Read(TapeValue event, int64_t line) {
    const TapeValue type = event["type"];
    const TapeValue data = event["data"].IsObject() ? event["data"] : event;
    const auto at = event["timestamp"].Time();
    builder_.SeeTime(at);
    const bool of_sub_agent = event["agentId"].IsString() || data["parentToolCallId"].IsString();
    if (type.Is("session.start") || type.Is("session.resume")) {
      ReadStart(data);
    } else if (type.Is("session.context_changed")) {
      ReadContext(data);
    } else if (type.Is("session.model_change")) {
      TakeModel(data["newModel"]);
    } else if (type.Is("session.title_changed")) {
      builder_.session().title = data["title"].Text();
    } else if (of_sub_agent) {
      // What sub-agents say is left out.
    } else if (type.Is("user.message")) {
      ReadQuestion(data, at, line);
    } else if (type.Is("assistant.message")) {
      ReadAnswer(data, at, line);
    } else if (type.Is("tool.execution_start")) {
      UseOnce(data["toolCallId"], data["toolName"], data["arguments"]);
    } else if (!type.Is("abort") && std::ranges::none_of(kSilentFamilies, [&](auto family) {
                 return type.Raw().starts_with(family);
               })) {
      sessions_.CountUnknown("type", type);
    }
  }

  TranscriptRead Finish() {
    const std::string id = builder_.session().id;
    sessions_.Get(id) = std::move(builder_);
    return sessions_.Finish();
  }

 private:
  void ReadStart(TapeValue data) {
    const std::string id = data["sessionId"].Text();
    if (!id.empty()) builder_.session().id = id;
    TakeModel(data["selectedModel"]);
    const std::string parent = data["detachedFromSpawningParentSessionId"].Text();
    if (!parent.empty()) builder_.session().parent = parent;
    ReadContext(data["context"].IsObject() ? data["context"] : data);
  }

  void ReadContext(TapeValue context) {
    AgentSession& session = builder_.session();
    if (session.cwd.empty()) session.cwd = context["cwd"].Text();
    if (context["branch"].IsString()) session.branch = context["branch"].Text();
    if (session.commit.empty()) session.commit = context["headCommit"].Text();
  }

  void TakeModel(TapeValue model) {
    if (model.IsString() && !model.Raw().empty()) builder_.session().model = model.Text();
  }

  void ReadQuestion(TapeValue data, const std::optional<UnixNanos>& at, int64_t line) {
    // Skills, other agents and schedules speak in the name of the person, too.
    const std::string_view source = data["source"].Raw();
    const bool is_injected = source.starts_with("skill") || source.starts_with("agent") ||
                             source.starts_with("system") || source.starts_with("schedule") ||
                             source.starts_with("autopilot");
    if (is_injected || data["isAutopilotContinuation"].IsTrue()) return;
    builder_.Say(TurnRole::kHuman, {}, at, line, SaidByPerson(data["content"].Text()));
  }

  void ReadAnswer(TapeValue data, const std::optional<UnixNanos>& at, int64_t line) {
    TakeModel(data["model"]);
    builder_.Say(TurnRole::kAssistant, data["messageId"].Text(), at, line, data["content"].Text());
    data["toolRequests"].ForEach([&](TapeValue request) {
      const TapeValue arguments = request["arguments"] ? request["arguments"] : request["input"];
      UseOnce(request["toolCallId"], request["name"], arguments);
    });
  }

  // The use of a tool is announced in a message and starts with another event; it counts once.
  void UseOnce(TapeValue id, TapeValue name, TapeValue arguments) {
    if (id.IsString() && !used_.insert(id.Text()).second) return;
    builder_.UseTool(name.Text(), arguments);
  }

  SessionSet sessions_;
  SessionBuilder builder_;
  std::unordered_set<std::string> used_;
};

}  // namespace

Result<TranscriptRead> ReadCopilot(const std::string& path, const TranscriptLimits& limits) {
  CopilotReader reader(path);
  RECALL_TRY(ForEachJsonLine(path, limits, reader.sessions(),
                             [&](TapeValue object, int64_t line) { reader.Read(object, line); }));
  return reader.Finish();
}

}  // namespace recall
