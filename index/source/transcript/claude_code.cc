// Transcripts of Claude Code: a file a session, a JSON object a line.
//
// Lines of type "user" and "assistant" hold a message whose content is a text or a list of blocks
// (text, thinking, tool_use, tool_result, image). An answer comes as several lines, one a block,
// with one message id; lines may come again (with the same uuid, or the same id and content) when a
// session goes on. Lines of a session that this one goes on with have its sessionId. What
// sub-agents say is marked isSidechain: in the file of the session it is left out, in a file of its
// own ("agent-ID.jsonl") it is a session. What a person typed while the agent worked is an
// "attachment" (queued_command), and so is what hooks say to the model (hook_additional_context).
// Other lines say nothing, but for those with a title.
//
// ~/.claude/history.jsonl has what persons typed, of all sessions: {display, project, sessionId,
// timestamp}. It is read here, too, but for sessions whose transcripts are still there.

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "index/source/transcript/injected_text.h"
#include "index/source/transcript/transcript_readers.h"
#include "storage/base/checksum.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

// Lines without turns.
constexpr std::array<std::string_view, 32> kSilentTypes = {"system",
                                                           "summary",
                                                           "ai-title",
                                                           "custom-title",
                                                           "agent-name",
                                                           "agent-color",
                                                           "agent-setting",
                                                           "file-history-snapshot",
                                                           "progress",
                                                           "file-history-delta",
                                                           "queue-operation",
                                                           "attachment",
                                                           "last-prompt",
                                                           "permission-mode",
                                                           "mode",
                                                           "pr-link",
                                                           "tag",
                                                           "worktree-state",
                                                           "content-replacement",
                                                           "speculation-accept",
                                                           "task-summary",
                                                           "attribution-snapshot",
                                                           "context-collapse-commit",
                                                           "context-collapse-snapshot",
                                                           "started",
                                                           "result",
                                                           "saved_hook_context",
                                                           "hook_progress",
                                                           "bridge-session",
                                                           "relocated",
                                                           "frame-link",
                                                           "isolation-latch"};

constexpr std::string_view kAgentFilePrefix = "agent-";

// What is known of a session beside its turns.
struct ClaudeFacts {
  std::unordered_set<std::string> seen;    // uuids, and contents of messages
  std::unordered_set<std::string> queued;  // said while the agent worked
  std::string custom_title;                // of the person, which is better than
  std::string ai_title;                    // of the model
  std::vector<std::pair<std::string, std::string>> summaries;  // the last line's uuid, a title
};

class ClaudeCodeReader final {
 public:
  explicit ClaudeCodeReader(const std::string& path)
      : path_(path), stem_(FileStem(path)), sessions_("claude-code") {
    const bool is_agent_file =
        stem_.starts_with(kAgentFilePrefix) && stem_.size() > kAgentFilePrefix.size();
    if (!is_agent_file) return;
    agent_id_ = stem_.substr(kAgentFilePrefix.size());
    if (DirectoryName(path) == "subagents") agent_parent_ = DirectoryName(path, 2);
  }

  SessionSet* sessions() { return &sessions_; }

  void Read(TapeValue object, int64_t line) {
    const TapeValue type = object["type"];
    if (type.Is("user") || type.Is("assistant")) {
      ReadMessage(object, line);
    } else if (!type && object["display"].IsString()) {
      ReadPrompt(object, line);
    } else if (type.Is("attachment") && object["attachment"]["type"].Is("queued_command")) {
      ReadQueued(object, line);
    } else if (type.Is("attachment") &&
               object["attachment"]["type"].Is("hook_additional_context")) {
      ReadHints(object);
    } else if (std::ranges::any_of(kSilentTypes, [&](auto known) { return type.Is(known); })) {
      ReadTitle(object);
    } else {
      sessions_.CountUnknown("type", type);
    }
  }

  TranscriptRead Finish() {
    for (auto& [id, facts] : facts_) sessions_.Get(id).session().title = TitleOf(facts);
    return sessions_.Finish();
  }

 private:
  std::string SessionOf(TapeValue object) const {
    if (!agent_id_.empty()) return agent_id_;
    std::string id = object["sessionId"].Text();
    return id.empty() ? stem_ : id;
  }

  void ReadMessage(TapeValue object, int64_t line) {
    const bool is_agent = !agent_id_.empty();
    // In a file of a sub-agent, what is no side chain is a copy of what its parent said.
    const bool is_copy = object["isSidechain"].IsFalse() && !object["agentId"].Is(agent_id_);
    if (is_agent ? is_copy : object["isSidechain"].IsTrue()) return;
    const std::string id = SessionOf(object);
    SessionBuilder& builder = sessions_.Get(id);
    ClaudeFacts& facts = facts_[id];
    const std::string uuid = object["uuid"].Text();
    if (!uuid.empty() && !facts.seen.insert(uuid).second) return;
    const auto at = object["timestamp"].Time();
    builder.SeeTime(at);
    TakeFacts(object, &builder.session());
    const TapeValue message = object["message"];
    if (object["type"].Is("assistant")) {
      ReadAnswer(object, message, at, line, &builder, &facts);
    } else {
      const std::string said = QuestionIn(object, message["content"]);
      if (facts.queued.erase(said) == 0) builder.Say(TurnRole::kHuman, {}, at, line, said);
    }
  }

  // What a person says while the agent works becomes a part of its work: it has no message of its
  // own, or very rarely one later.
  void ReadQueued(TapeValue object, int64_t line) {
    const TapeValue queued = object["attachment"];
    const TapeValue mode = queued["commandMode"];
    if (object["isSidechain"].IsTrue() || (mode.IsString() && !mode.Is("prompt"))) return;
    const std::string said = QuestionIn(queued, queued["prompt"]);
    const std::string id = SessionOf(object);
    SessionBuilder& builder = sessions_.Get(id);
    ClaudeFacts& facts = facts_[id];
    const std::string uuid = object["uuid"].Text();
    if (said.empty() || (!uuid.empty() && !facts.seen.insert(uuid).second)) return;
    const std::vector<Turn>& turns = builder.session().turns;
    const bool is_said = !turns.empty() && turns.back().role == TurnRole::kHuman &&
                         turns.back().text == TurnText(said);
    if (is_said) return;
    const auto at = object["timestamp"].Time();
    builder.SeeTime(at);
    TakeFacts(object, &builder.session());
    builder.Say(TurnRole::kHuman, {}, at, line, said);
    facts.queued.insert(said);
  }

  // Of a line that says nothing else, so a session of hooks alone stays without turns.
  void ReadHints(TapeValue object) {
    if (agent_id_.empty() && object["isSidechain"].IsTrue()) return;
    const TapeValue content = object["attachment"]["content"];
    SessionBuilder& builder = sessions_.Get(SessionOf(object));
    if (content.IsString()) builder.SeeHints(content.Text());
    content.ForEach([&](TapeValue said) { builder.SeeHints(said.Text()); });
  }

  void TakeFacts(TapeValue object, AgentSession* session) const {
    if (session->cwd.empty()) session->cwd = object["cwd"].Text();
    const TapeValue branch = object["gitBranch"];
    if (branch.IsString() && !branch.Raw().empty() && !branch.Is("HEAD")) {
      session->branch = branch.Text();
    }
    const std::string_view entry = object["entrypoint"].Raw();
    if (entry.starts_with("sdk") || entry == "mcp" || entry == "claude-code-github-action") {
      session->is_automatic = true;
    }
    if (session->parent.empty()) session->parent = object["forkedFrom"]["sessionId"].Text();
    if (agent_id_.empty()) return;
    session->is_automatic = true;
    if (session->parent.empty()) {
      session->parent = object["sessionId"].Text();
      if (session->parent.empty()) session->parent = agent_parent_;
    }
  }

  void ReadAnswer(TapeValue object, TapeValue message, const std::optional<UnixNanos>& at,
                  int64_t line, SessionBuilder* builder, ClaudeFacts* facts) {
    const TapeValue model = message["model"];
    // Messages of the program itself: errors of the service, "No response requested."
    if (object["isApiErrorMessage"].IsTrue() || model.Is("<synthetic>")) return;
    if (model.IsString() && !model.Raw().empty()) builder->session().model = model.Text();
    const std::string id = message["id"].Text();
    const TapeValue content = message["content"];
    if (content.IsString()) {
      if (IsNew(id, content, facts)) {
        builder->Say(TurnRole::kAssistant, id, at, line, content.Text());
      }
      return;
    }
    content.ForEach([&](TapeValue block) {
      if (block["type"].Is("text")) {
        if (IsNew(id, block, facts)) {
          builder->Say(TurnRole::kAssistant, id, at, line, block["text"].Text());
        }
      } else if (block["type"].Is("tool_use") || block["type"].Is("server_tool_use") ||
                 block["type"].Is("mcp_tool_use")) {
        if (IsNew(id, block, facts)) builder->UseTool(block["name"].Text(), block["input"]);
      }
    });
  }

  // Whether a block of this message was not read before.
  static bool IsNew(const std::string& message, TapeValue block, ClaudeFacts* facts) {
    if (message.empty()) return true;
    const size_t hash = std::hash<std::string_view>()(block.Raw());
    return facts->seen
        .insert(message + ":" + std::to_string(block.Raw().size()) + ":" + std::to_string(hash))
        .second;
  }

  // What the person says in a message, or in what was queued; "" if it is not of a person.
  static std::string QuestionIn(TapeValue message, TapeValue content) {
    const TapeValue origin = message["origin"]["kind"];
    if (message["isMeta"].IsTrue() || message["isCompactSummary"].IsTrue() ||
        message["isVisibleInTranscriptOnly"].IsTrue() ||
        (origin.IsString() && !origin.Is("human"))) {
      return {};
    }
    std::string said;
    if (content.IsString()) said = SaidByPerson(content.Text());
    content.ForEach([&](TapeValue block) {
      if (!block["type"].Is("text")) return;
      const std::string text = SaidByPerson(block["text"].Text());
      if (text.empty()) return;
      if (!said.empty()) said.append("\n\n");
      said.append(text);
    });
    return said;
  }

  void ReadTitle(TapeValue object) {
    const TapeValue type = object["type"];
    const std::string id = SessionOf(object);
    if (type.Is("summary")) {
      facts_[id].summaries.emplace_back(object["leafUuid"].Text(), object["summary"].Text());
    } else if (type.Is("custom-title")) {
      facts_[id].custom_title = object["customTitle"].Text();
    } else if (type.Is("ai-title")) {
      facts_[id].ai_title = object["aiTitle"].Text();
    } else if (type.Is("agent-name") && facts_[id].custom_title.empty()) {
      facts_[id].custom_title = object["agentName"].Text();
    }
  }

  // Summaries may be of other sessions: then their last line is not in this file, and usually there
  // are several.
  static std::string TitleOf(const ClaudeFacts& facts) {
    std::string title;
    if (facts.summaries.size() == 1) title = facts.summaries.front().second;
    for (const auto& [leaf, summary] : facts.summaries) {
      if (facts.seen.contains(leaf)) title = summary;
    }
    if (!facts.ai_title.empty()) title = facts.ai_title;
    if (!facts.custom_title.empty()) title = facts.custom_title;
    return std::string(Trim(title));
  }

  void ReadPrompt(TapeValue object, int64_t line) {
    const auto at = object["timestamp"].Time();
    std::string text = object["display"].Text();
    object["pastedContents"].ForEachMember([&](std::string_view number, TapeValue pasted) {
      PutPasted(std::string(number), pasted["content"].Text(), &text);
    });
    const std::string_view said = Trim(text);
    // A command of the program itself.
    if (said.starts_with('/') && said.find_first_of(" \n") == said.npos) return;
    const std::string project = object["project"].Text();
    std::string id = object["sessionId"].Text();
    if (HasTranscript(id)) return;
    if (id.empty()) id = PromptsId(project, at);
    SessionBuilder& builder = sessions_.Get(id);
    builder.SeeTime(at);
    if (builder.session().cwd.empty()) builder.session().cwd = project;
    builder.Say(TurnRole::kHuman, {}, at, line, text);
  }

  // Whether there is a transcript of the session, which says more: projects/*/ID.jsonl.
  bool HasTranscript(const std::string& id) {
    if (!transcripts_) {
      transcripts_.emplace();
      const size_t slash = path_.rfind('/');
      const std::string root = slash == path_.npos ? "." : path_.substr(0, slash);
      for (const std::string& project : EntriesOf(root + "/projects")) {
        for (const std::string& file : EntriesOf(project)) {
          if (file.ends_with(".jsonl")) transcripts_->insert(FileStem(file));
        }
      }
    }
    return transcripts_->contains(id);
  }

  static std::vector<std::string> EntriesOf(const std::string& directory) {
    std::vector<std::string> paths;
    std::error_code error;
    for (std::filesystem::directory_iterator entries(directory, error), end;
         !error && entries != end; entries.increment(error)) {
      paths.push_back(entries->path().string());
    }
    return paths;
  }

  // Puts a pasted text in place of "[Pasted text #1 +12 lines]".
  static void PutPasted(const std::string& number, const std::string& content, std::string* text) {
    if (content.empty()) return;
    for (const char next : {' ', ']'}) {
      const size_t begin = text->find("[Pasted text #" + number + next);
      if (begin == text->npos) continue;
      const size_t end = text->find(']', begin);
      if (end != text->npos) text->replace(begin, end + 1 - begin, content);
      return;
    }
  }

  // Of prompts without a session: those of a project and a day are one.
  static std::string PromptsId(const std::string& project, const std::optional<UnixNanos>& at) {
    char hash[16];
    std::snprintf(hash, sizeof(hash), "%08x",
                  Crc32c({reinterpret_cast<const uint8_t*>(project.data()), project.size()}));
    return "prompts-" + FormatRfc3339(at.value_or(0)).substr(0, 10) + "-" + hash;
  }

  std::string path_;
  std::string stem_;
  std::string agent_id_;      // of the sub-agent whose file this is; else ""
  std::string agent_parent_;  // the session in whose directory it lies; else ""
  SessionSet sessions_;
  std::map<std::string, ClaudeFacts> facts_;  // by session
  // The ids that transcripts beside this history have; none: not looked for yet.
  std::optional<std::unordered_set<std::string>> transcripts_;
};

}  // namespace

Result<TranscriptRead> ReadClaudeCode(const std::string& path, const TranscriptLimits& limits) {
  ClaudeCodeReader reader(path);
  RECALL_TRY(ForEachJsonLine(path, limits, reader.sessions(),
                             [&](TapeValue object, int64_t line) { reader.Read(object, line); }));
  return reader.Finish();
}

}  // namespace recall
