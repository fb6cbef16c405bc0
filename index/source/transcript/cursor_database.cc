// Transcripts of Cursor: globalStorage/state.vscdb, a database with a table of keys and values
// (JSON). "composerData:ID" is a session: its name, its model and the order of its messages
// (fullConversationHeadersOnly), or in old versions the messages themselves (conversation).
// "bubbleId:ID:BUBBLE" is a message: `type` 1 is of the person, 2 of the agent; its text, or the
// use of a tool (toolFormerData). The directory of a session is in the table composerHeaders or in
// ItemTable. Old versions have a database for each directory beside this one,
// workspaceStorage/HASH/state.vscdb with HASH/workspace.json, which lists the sessions of that
// directory; the oldest have the sessions there, too.
//
// Chats of the command line have databases of their own (cursor_chat.h).
//
// Bubbles are read once, in the order of their keys, and only what they say is kept. So the cost is
// the size of the database, whatever its indexes are.

#include <filesystem>
#include <map>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/base/paths/file_uri.h"
#include "index/source/transcript/cursor_chat.h"
#include "index/source/transcript/database_copy.h"
#include "index/source/transcript/injected_text.h"
#include "index/source/transcript/session_builder.h"
#include "index/source/transcript/tool_calls.h"
#include "index/source/transcript/transcript_lines.h"
#include "index/source/transcript/transcript_readers.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr std::string_view kBubbleKey = "bubbleId:";
constexpr std::string_view kComposerKey = "composerData:";

struct Bubble {
  TurnRole role = TurnRole::kHuman;
  std::optional<UnixNanos> at;
  std::string text;
  std::string model;
  std::string directory;
  std::vector<ToolCall> calls;
};

// What the index of sessions says about one session.
struct ComposerHeader {
  std::string title;
  std::string cwd;
  bool is_automatic = false;
};

std::string DirectoryIn(TapeValue uri) {
  std::string path = uri.IsString() ? TurnText(PathOfUri(uri.Text())) : uri["fsPath"].Text();
  return path.empty() ? uri["path"].Text() : path;
}

std::string ModelName(TapeValue name) { return name.Is("default") ? std::string() : name.Text(); }

// Returns nothing if neither the person nor the agent wrote the message.
std::optional<Bubble> ReadBubble(TapeValue value) {
  Bubble bubble;
  const auto type = value["type"].Number();
  if (type == 1 || value["type"].Is("user")) {
    bubble.role = TurnRole::kHuman;
  } else if (type == 2 || value["type"].Is("ai")) {
    bubble.role = TurnRole::kAssistant;
  } else {
    return std::nullopt;
  }
  bubble.at = value["createdAt"].Time();
  if (!bubble.at) bubble.at = value["timingInfo"]["clientStartTime"].Time();
  bubble.text = value["text"].Text();
  if (bubble.text.empty()) bubble.text = value["rawText"].Text();
  if (bubble.role == TurnRole::kHuman) bubble.text = SaidByPerson(bubble.text);
  bubble.model = ModelName(value["modelInfo"]["modelName"]);
  value["workspaceUris"].ForEach([&](TapeValue uri) {
    if (bubble.directory.empty()) bubble.directory = TurnText(PathOfUri(uri.Text()));
  });
  const TapeValue tool = value["toolFormerData"];
  if (tool["name"].IsString()) {
    const TapeValue raw = tool["rawArgs"];
    const bool has_raw = raw.IsObject() || (raw.IsString() && !raw.Raw().empty());
    bubble.calls = ToolCallsOf(tool["name"].Text(), has_raw ? raw : tool["params"]);
  }
  return bubble;
}

// The directory that a database of old versions is about: {"folder": "file:///work/app"}.
std::string DirectoryOfWorkspace(const std::string& database, const TranscriptLimits& limits) {
  TranscriptLimits small = limits;
  small.max_file_bytes = 1 << 16;
  const auto text =
      ReadWholeTranscript(database.substr(0, database.rfind('/') + 1) + "workspace.json", small);
  JsonTape tape;
  return text && tape.Parse(*text) ? TurnText(PathOfUri(tape.root()["folder"].Text()))
                                   : std::string();
}

class CursorDatabase final {
 public:
  // `path`: that of the original database, of which a copy is read.
  CursorDatabase(DatabaseCopy* copy, std::string path, const TranscriptLimits& limits)
      : copy_(copy), path_(std::move(path)), limits_(limits), sessions_("cursor") {
    directory_ = DirectoryOfWorkspace(path_, limits_);
  }

  Result<TranscriptRead> Read() {
    RECALL_ASSIGN(const bool has_keys, copy_->HasTable("cursorDiskKV"));
    RECALL_ASSIGN(const bool has_items, copy_->HasTable("ItemTable"));
    if (!has_keys && !has_items) {
      return Fail(Status::Corruption("it has no table cursorDiskKV"));
    }
    RECALL_TRY(ReadHeaderTable());
    if (has_items) RECALL_TRY(ReadItems());
    if (has_keys) {
      RECALL_TRY(ForEachValue("cursorDiskKV", kBubbleKey, [&](std::string_view key) {
        auto bubble = ReadBubble(tape_.root());
        if (bubble) {
          bubbles_[std::string(key.substr(kBubbleKey.size()))] = *std::move(bubble);
        } else {
          sessions_.CountUnknown("bubble:?");
        }
      }));
      RECALL_TRY(ForEachValue("cursorDiskKV", kComposerKey, [&](std::string_view key) {
        ReadComposer(std::string(key.substr(kComposerKey.size())), tape_.root());
      }));
    }
    if (lacks_directory_) ReadWorkspaces();
    return sessions_.Finish();
  }

 private:
  // Calls visit(key) for the values of keys that begin with `prefix`, which are then on the tape.
  Status ForEachValue(const std::string& table, std::string_view prefix,
                      const std::function<void(std::string_view)>& visit) {
    RECALL_ASSIGN(Statement rows,
                  copy_->connection().Prepare("SELECT key, value FROM " + table +
                                              " WHERE key >= ?1 AND key < ?2 ORDER BY key"));
    std::string behind(prefix);
    ++behind.back();
    rows.BindText(1, prefix);
    rows.BindText(2, behind);
    for (;;) {
      if (limits_.cancel && limits_.cancel->load(std::memory_order_relaxed)) {
        return Status::Cancelled("cancelled");
      }
      RECALL_ASSIGN(const bool row, rows.Step());
      if (!row) return Status::Ok();
      const std::string key = TurnText(rows.ColumnText(0));
      if (rows.ColumnIsNull(1)) continue;  // a session that was deleted
      const ByteSpan blob = rows.ColumnBlob(1);
      if (Parse({reinterpret_cast<const char*>(blob.data()), blob.size()})) visit(key);
    }
  }

  bool Parse(std::string_view value) {
    if (value.size() > limits_.max_line_bytes) {
      sessions_.CountUnknown(std::string(kTooLong));
      return false;
    }
    if (tape_.Parse(value) && tape_.root().IsObject()) return true;
    if (!Trim(value).empty() && value != "null") sessions_.CountUnknown(std::string(kNotJson));
    return false;
  }

  void ReadHeader(const std::string& id, TapeValue value) {
    if (id.empty()) return;
    ComposerHeader& header = headers_[id];
    if (header.title.empty()) header.title = Trim(value["name"].Text());
    for (const TapeValue uri :
         {value["workspaceIdentifier"]["uri"], value["agentLocation"]["environment"]["uri"]}) {
      if (header.cwd.empty()) header.cwd = DirectoryIn(uri);
    }
    value["trackedGitRepos"].ForEach([&](TapeValue repository) {
      if (header.cwd.empty()) header.cwd = repository["repoPath"].Text();
    });
    if (value["isSubagent"].IsTrue() || value["subagentInfo"].IsObject()) {
      header.is_automatic = true;
    }
  }

  Status ReadHeaderTable() {
    RECALL_ASSIGN(const bool has, copy_->HasTable("composerHeaders"));
    if (!has) return Status::Ok();
    for (const char* const column : {"composerId", "value"}) {
      RECALL_ASSIGN(const bool has_column, copy_->HasColumn("composerHeaders", column));
      if (!has_column) return Status::Ok();
    }
    RECALL_ASSIGN(const bool has_mark, copy_->HasColumn("composerHeaders", "isSubagent"));
    RECALL_ASSIGN(Statement rows, copy_->connection().Prepare(
                                      std::string("SELECT composerId, value, ") +
                                      (has_mark ? "isSubagent" : "0") + " FROM composerHeaders"));
    for (;;) {
      RECALL_ASSIGN(const bool row, rows.Step());
      if (!row) return Status::Ok();
      const std::string id = TurnText(rows.ColumnText(0));
      if (rows.ColumnInt(2) != 0) headers_[id].is_automatic = true;
      if (Parse(rows.ColumnText(1))) ReadHeader(id, tape_.root());
    }
  }

  // The index of sessions in ItemTable, and the chats of the first versions.
  Status ReadItems() {
    for (const std::string_view name : {"composer.composerHeaders", "composer.composerData"}) {
      RECALL_TRY(ForEachValue("ItemTable", name, [&](std::string_view) {
        tape_.root()["allComposers"].ForEach(
            [&](TapeValue composer) { ReadHeader(composer["composerId"].Text(), composer); });
      }));
    }
    return ForEachValue("ItemTable", "workbench.panel.aichat.view.aichat.chatdata",
                        [&](std::string_view) { ReadTabs(tape_.root()["tabs"]); });
  }

  // The directories of sessions that only the databases of old versions know. One that cannot be
  // read tells nothing.
  void ReadWorkspaces() {
    const std::filesystem::path user = std::filesystem::path(path_).parent_path().parent_path();
    std::error_code error;
    for (std::filesystem::directory_iterator entries(user / "workspaceStorage", error), end;
         !error && entries != end; entries.increment(error)) {
      const std::string database = (entries->path() / "state.vscdb").string();
      if (database == path_ || !std::filesystem::exists(database)) continue;
      const auto copy = DatabaseCopy::Open(database, limits_);
      if (!copy) continue;
      CursorDatabase workspace(copy->get(), database, limits_);
      if (workspace.directory_.empty() || !workspace.ReadItems().ok()) continue;
      for (const auto& [id, header] : workspace.headers_) {
        AgentSession& session = sessions_.Get(id).session();
        if (session.cwd.empty()) session.cwd = workspace.directory_;
      }
    }
  }

  void ReadTabs(TapeValue tabs) {
    tabs.ForEach([&](TapeValue tab) {
      const std::string id = tab["tabId"].Text();
      if (id.empty()) return;
      SessionBuilder& builder = sessions_.Get(id);
      builder.session().title = Trim(tab["chatTitle"].Text());
      builder.session().cwd = directory_;
      tab["bubbles"].ForEach([&](TapeValue value) {
        auto bubble = ReadBubble(value);
        if (bubble) Add(*std::move(bubble), &builder);
      });
    });
  }

  void ReadComposer(const std::string& id, TapeValue composer) {
    SessionBuilder& builder = sessions_.Get(id);
    AgentSession& session = builder.session();
    const auto header = headers_.find(id);
    if (header != headers_.end()) {
      session.title = header->second.title;
      session.cwd = header->second.cwd;
      session.is_automatic = header->second.is_automatic;
    }
    if (session.title.empty()) session.title = Trim(composer["name"].Text());
    if (composer["subagentInfo"].IsObject()) {
      session.is_automatic = true;
      session.parent = composer["subagentInfo"]["parentComposerId"].Text();
    }
    session.model = ModelName(composer["modelConfig"]["modelName"]);
    builder.SeeTime(composer["createdAt"].Time());
    composer["fullConversationHeadersOnly"].ForEach([&](TapeValue said) {
      const auto bubble = bubbles_.find(id + ":" + said["bubbleId"].Text());
      if (bubble == bubbles_.end()) return;
      Add(std::move(bubble->second), &builder);
      bubbles_.erase(bubble);
    });
    composer["conversation"].ForEach([&](TapeValue value) {
      auto bubble = ReadBubble(value);
      if (bubble) Add(*std::move(bubble), &builder);
    });
    if (session.cwd.empty()) session.cwd = directory_;
    if (session.cwd.empty() && builder.has_turns()) lacks_directory_ = true;
  }

  static void Add(Bubble bubble, SessionBuilder* builder) {
    AgentSession& session = builder->session();
    if (session.cwd.empty()) session.cwd = bubble.directory;
    if (!bubble.model.empty()) session.model = bubble.model;
    builder->SeeTime(bubble.at);
    builder->Say(bubble.role, {}, bubble.at, 0, bubble.text);
    for (ToolCall& call : bubble.calls) builder->UseTool(std::move(call));
  }

  DatabaseCopy* copy_;
  std::string path_;
  const TranscriptLimits& limits_;
  std::string directory_;         // the directory of all sessions in this database; "": unknown
  bool lacks_directory_ = false;  // some session with turns has no directory yet
  SessionSet sessions_;
  JsonTape tape_;
  std::map<std::string, ComposerHeader> headers_;    // by session
  std::unordered_map<std::string, Bubble> bubbles_;  // by session:bubble
};

}  // namespace

Result<TranscriptRead> ReadCursor(const std::string& path, const TranscriptLimits& limits) {
  RECALL_ASSIGN(const auto copy, DatabaseCopy::Open(path, limits));
  RECALL_ASSIGN(const bool is_chat, copy->HasTable("blobs"));
  auto read = is_chat ? ReadCursorChat(copy.get(), path, limits)
                      : CursorDatabase(copy.get(), path, limits).Read();
  if (!read) return Fail(ForeignDatabaseError(path, read.error()));
  return read;
}

}  // namespace recall
