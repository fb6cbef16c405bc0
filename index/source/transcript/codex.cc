// Transcripts of Codex ("rollouts"): a file a session, a JSON object a line.
//
// A line is {timestamp, type, payload}: session_meta (id, cwd, git), turn_context (the model),
// response_item (what the model, the person and hooks say, and the uses of tools), event_msg (what
// the screen showed: the same messages once more), compacted and others. Before 2025-09, a line was
// the payload of a response_item itself, and the first one had the id; the oldest are one object
// with "session" and "items". Where there are no messages of a role, those that the screen showed
// count.
// Codex compresses files that were not used for a week (.jsonl.zst). A file that goes on with
// another session begins with a copy of it, whose session_meta stands behind its own.
//
// ~/.codex/history.jsonl has what persons typed, of all sessions: {session_id, ts, text}. It is
// read here, too, but for sessions whose rollouts are still there.

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "index/source/session/session_union.h"
#include "index/source/transcript/injected_text.h"
#include "index/source/transcript/transcript_readers.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

// Lines and items without turns.
constexpr std::array<std::string_view, 8> kSilentRecords = {"compacted",
                                                            "security_risk_score",
                                                            "realtime_item",
                                                            "world_state",
                                                            "ghost_snapshot",
                                                            "inter_agent_communication",
                                                            "inter_agent_communication_metadata",
                                                            "state"};
constexpr std::array<std::string_view, 13> kSilentItems = {"reasoning",
                                                           "function_call_output",
                                                           "custom_tool_call_output",
                                                           "tool_search_output",
                                                           "ghost_snapshot",
                                                           "compaction",
                                                           "compaction_summary",
                                                           "compaction_trigger",
                                                           "context_compaction",
                                                           "local_shell_call_output",
                                                           "other",
                                                           "agent_message",
                                                           "mcp_tool_call_output"};

template <size_t kCount>
bool IsOneOf(TapeValue value, const std::array<std::string_view, kCount>& names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return value.Is(name); });
}

// "rollout-2025-09-01T10-00-00-0199f3c2-....jsonl" -> the uuid at its end; else the stem.
std::string IdOfRollout(std::string_view path) {
  if (path.ends_with(".zst")) path.remove_suffix(4);
  const std::string stem = FileStem(path);
  constexpr size_t kUuidSize = 36;
  if (!stem.starts_with("rollout-") || stem.size() < kUuidSize) return stem;
  return stem.substr(stem.size() - kUuidSize);
}

// A message on the screen; used if there are no others of its role.
struct ShownMessage {
  TurnRole role;
  std::optional<UnixNanos> at;
  int64_t line;
  std::string text;
};

class CodexReader final {
 public:
  explicit CodexReader(const std::string& path)
      : path_(path), sessions_("codex"), builder_("codex", IdOfRollout(path)) {}

  SessionSet* sessions() { return &sessions_; }

  void Read(TapeValue object, int64_t line) {
    if (object["ts"] && object["text"].IsString() && !object["type"]) {
      ReadPrompt(object, line);
      return;
    }
    const auto at = object["timestamp"].Time();
    builder_.SeeTime(at);
    const TapeValue type = object["type"];
    const TapeValue payload = object["payload"];
    if (object["session"].IsObject() && object["items"].IsArray()) {
      ReadHeader(object["session"]);
      builder_.SeeTime(object["session"]["timestamp"].Time());
      object["items"].ForEach([&](TapeValue item) { ReadItem(item, item["type"], at, 0); });
    } else if (type.Is("session_meta")) {
      ReadHeader(payload);
    } else if (type.Is("turn_context")) {
      ReadContext(payload);
    } else if (type.Is("response_item")) {
      ReadItem(payload, payload["type"], at, line);
    } else if (type.Is("event_msg")) {
      ReadEvent(payload, at, line);
    } else if (!type && !payload && object["id"].IsString()) {
      ReadHeader(object);
    } else if (object["record_type"] || IsOneOf(type, kSilentRecords)) {
      // A saved state of Codex, or another line in which nobody says anything.
    } else {
      ReadItem(object, type, at, line);
    }
  }

  TranscriptRead Finish() {
    if (builder_.has_turns()) {
      AddShown();
    } else {
      SayShown(&builder_);
    }
    if (builder_.has_turns()) {
      const std::string id = builder_.session().id;
      sessions_.Get(id) = std::move(builder_);
    }
    return sessions_.Finish();
  }

 private:
  // The first header is of this session; another one is of the session that it goes on with.
  void ReadHeader(TapeValue header) {
    AgentSession& session = builder_.session();
    std::string id = header["id"].Text();
    if (has_header_) {
      if (session.parent.empty() && !id.empty() && id != session.id) session.parent = std::move(id);
      return;
    }
    has_header_ = true;
    if (!id.empty()) session.id = std::move(id);
    builder_.SeeTime(header["timestamp"].Time());
    session.cwd = header["cwd"].Text();
    session.branch = header["git"]["branch"].Text();
    session.commit = header["git"]["commit_hash"].Text();
    session.parent = header["forked_from_id"].Text();
    const TapeValue source = header["source"];
    const TapeValue sub_agent = source["subagent"];
    const std::string parent = sub_agent["thread_spawn"]["parent_thread_id"].Text();
    if (!parent.empty()) session.parent = parent;
    if (session.parent.empty()) session.parent = header["parent_thread_id"].Text();
    const TapeValue originator = header["originator"];
    session.is_automatic = sub_agent || source.Is("exec") || originator.Is("codex_exec");
  }

  void ReadContext(TapeValue context) {
    if (context["model"].IsString()) builder_.session().model = context["model"].Text();
    if (builder_.session().cwd.empty()) builder_.session().cwd = context["cwd"].Text();
  }

  void ReadItem(TapeValue item, TapeValue type, const std::optional<UnixNanos>& at, int64_t line) {
    if (type.Is("message")) {
      ReadMessage(item, at, line);
    } else if (type.Is("function_call")) {
      builder_.UseTool(item["name"].Text(), item["arguments"]);
    } else if (type.Is("custom_tool_call")) {
      builder_.UseTool(item["name"].Text(), item["input"]);
    } else if (type.Is("local_shell_call")) {
      builder_.UseTool("local_shell", item["action"]);
    } else if (type.Is("web_search_call")) {
      builder_.UseTool("web_search", item["action"]);
    } else if (type.Is("tool_search_call") || type.Is("image_generation_call")) {
      builder_.UseTool(type.Text(), item["arguments"]);
    } else if (!IsOneOf(type, kSilentItems)) {
      sessions_.CountUnknown("type", type);
    }
  }

  void ReadMessage(TapeValue message, const std::optional<UnixNanos>& at, int64_t line) {
    const bool is_human = message["role"].Is("user");
    if (message["role"].Is("developer")) ReadHints(message["content"]);
    if (!is_human && !message["role"].Is("assistant")) return;  // of the system or the developer
    std::string said;
    const auto add = [&](std::string text) {
      if (is_human) text = SaidByPerson(text);
      if (Trim(text).empty()) return;
      if (!said.empty()) said.append("\n\n");
      said.append(text);
    };
    if (message["content"].IsString()) add(message["content"].Text());
    message["content"].ForEach([&](TapeValue part) {
      const TapeValue kind = part["type"];
      if (kind.Is("input_text") || kind.Is("output_text") || kind.Is("text")) {
        add(part["text"].Text());
      }
    });
    if (!said.empty()) (is_human ? has_human_ : has_assistant_) = true;
    builder_.Say(is_human ? TurnRole::kHuman : TurnRole::kAssistant, message["id"].Text(), at, line,
                 said);
  }

  // What hooks say is a message of the developer.
  void ReadHints(TapeValue content) {
    if (content.IsString()) builder_.SeeHints(content.Text());
    content.ForEach([&](TapeValue part) {
      if (part["type"].Is("input_text")) builder_.SeeHints(part["text"].Text());
    });
  }

  bool HasRole(TurnRole role) const {
    return role == TurnRole::kHuman ? has_human_ : has_assistant_;
  }

  void SayShown(SessionBuilder* builder) const {
    for (const ShownMessage& message : shown_) {
      if (HasRole(message.role)) continue;
      builder->Say(message.role, {}, message.at, message.line, message.text);
    }
  }

  // Puts what was shown between the messages, by its time.
  void AddShown() {
    SessionBuilder shown("codex", {});
    SayShown(&shown);
    if (!shown.has_turns()) return;
    AgentSession& session = builder_.session();
    SessionTurns all = UniteTurns({std::move(shown.session().turns), {}},
                                  {std::move(session.turns), std::move(session.tool_calls)});
    session.turns = std::move(all.turns);
    session.tool_calls = std::move(all.tool_calls);
  }

  void ReadEvent(TapeValue event, const std::optional<UnixNanos>& at, int64_t line) {
    const TapeValue type = event["type"];
    const TapeValue item = event["item"];
    if (type.Is("thread_name_updated")) {
      builder_.session().title = event["thread_name"].Text();
    } else if (type.Is("user_message")) {
      Show(TurnRole::kHuman, at, line, event["message"].Text());
    } else if (type.Is("agent_message")) {
      Show(TurnRole::kAssistant, at, line, event["message"].Text());
    } else if (type.Is("item_completed") && item["type"].Is("UserMessage")) {
      Show(TurnRole::kHuman, at, line, TextOfItem(item));
    } else if (type.Is("item_completed") && item["type"].Is("AgentMessage")) {
      Show(TurnRole::kAssistant, at, line, TextOfItem(item));
    }
  }

  // Reads a line of history.jsonl.
  void ReadPrompt(TapeValue prompt, int64_t line) {
    std::string id = prompt["session_id"].Text();
    if (id.empty()) id = prompt["conversation_id"].Text();
    const std::string text = prompt["text"].Text();
    const std::string_view said = Trim(text);
    // "/quit" and the like are commands of Codex, and not said to the agent.
    if (said.starts_with('/') && said.find_first_of(" \n") == said.npos) return;
    if (id.empty() || HasRollout(id)) return;
    const auto at = prompt["ts"].Time();
    SessionBuilder& builder = sessions_.Get(id);
    builder.SeeTime(at);
    builder.Say(TurnRole::kHuman, {}, at, line, text);
  }

  // Whether there is a rollout of the session, which says more.
  bool HasRollout(const std::string& id) {
    if (!rollouts_) {
      rollouts_.emplace();
      const size_t slash = path_.rfind('/');
      const std::string root = slash == path_.npos ? "." : path_.substr(0, slash);
      for (const char* const place : {"/sessions", "/archived_sessions"}) {
        using Iterator = std::filesystem::recursive_directory_iterator;
        std::error_code error;
        for (Iterator entries(root + place,
                              std::filesystem::directory_options::skip_permission_denied, error);
             !error && entries != Iterator(); entries.increment(error)) {
          const std::string file = entries->path().filename().string();
          if (file.starts_with("rollout-")) rollouts_->insert(IdOfRollout(file));
        }
      }
    }
    return rollouts_->contains(id);
  }

  static std::string TextOfItem(TapeValue item) {
    std::string text;
    item["content"].ForEach([&](TapeValue part) {
      if (!text.empty()) text.append("\n\n");
      text.append(part["text"].Text());
    });
    return text;
  }

  // The same message may come as two kinds of events.
  void Show(TurnRole role, const std::optional<UnixNanos>& at, int64_t line, std::string text) {
    if (role == TurnRole::kHuman) text = SaidByPerson(text);
    if (HasRole(role) || text.empty()) return;
    const bool is_shown =
        !shown_.empty() && shown_.back().role == role && shown_.back().text == text;
    if (!is_shown) shown_.push_back({role, at, line, std::move(text)});
  }

  std::string path_;
  SessionSet sessions_;
  SessionBuilder builder_;
  bool has_header_ = false;
  bool has_human_ = false;      // there is a message of the person
  bool has_assistant_ = false;  // there is a message of the agent
  // The ids that rollouts beside this history have; none: not looked for yet.
  std::optional<std::unordered_set<std::string>> rollouts_;
  std::vector<ShownMessage> shown_;
};

}  // namespace

Result<TranscriptRead> ReadCodex(const std::string& path, const TranscriptLimits& limits) {
  CodexReader reader(path);
  const auto read = path.ends_with(".json") ? ForJsonDocument : ForEachJsonLine;
  RECALL_TRY(read(path, limits, reader.sessions(),
                  [&](TapeValue object, int64_t line) { reader.Read(object, line); }));
  return reader.Finish();
}

}  // namespace recall
