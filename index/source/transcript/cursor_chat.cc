// Chats of Cursor's command line: ~/.cursor/chats/HASH/ID/store.db, a database for each.
//
// Table `meta` has one value, JSON in hexadecimal digits: {agentId, latestRootBlobId, name,
// createdAt, lastUsedModel}. Table `blobs` has bytes by their SHA-256. The root is a message of
// protobuf: field 1, repeated, has the ids of what is said, in order; field 8 those of turns in
// another form, which say the same; field 9 the URI of the directory. What is said is JSON: {role,
// content}, a text or parts {type: text, reasoning, tool-call, tool-result}. Beside the database,
// meta.json has the directory and a title.
//
// Nothing says when something was said. A chat that was summarised lacks its beginning; what was
// captured before is kept by whoever unites the readings.

#include "index/source/transcript/cursor_chat.h"
#include "index/base/paths/file_uri.h"
#include "index/source/transcript/session_builder.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "index/source/transcript/injected_text.h"
#include "index/source/transcript/transcript_lines.h"
#include "index/source/transcript/transcript_readers.h"
#include "storage/base/byte_cursor.h"
#include "storage/base/bytes.h"
#include "storage/base/ids.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr size_t kBlobIdBytes = 32;
constexpr std::string_view kNoChatName = "New Agent";  // Cursor's name for an unnamed chat

// The bytes of hexadecimal digits; the text itself if it is JSON.
std::string BytesOfHex(std::string_view text) {
  if (Trim(text).starts_with('{')) return std::string(text);
  return FromHex(text).value_or("");
}

struct ChatRoot {
  std::vector<std::string> messages;  // ids, or the JSON itself
  int64_t turns = 0;
  std::string directory;
  bool is_complete = false;
};

ChatRoot ReadRoot(std::string_view bytes) {
  ChatRoot root;
  ByteCursor cursor(bytes);
  while (!cursor.at_end() && !cursor.broken()) {
    const uint64_t key = cursor.Number();
    const uint64_t field = key >> 3;
    switch (key & 7) {
      case 0:
        cursor.Number();
        break;
      case 1:
        cursor.Fixed(8);
        break;
      case 2: {
        const std::string_view value = cursor.Text(cursor.Number());
        if (field == 1 && !cursor.broken()) root.messages.emplace_back(value);
        if (field == 8) ++root.turns;
        if (field == 9) root.directory = TurnText(PathOfUri(value));
        break;
      }
      case 5:
        cursor.Fixed(4);
        break;
      default:
        cursor.Break();
    }
  }
  root.is_complete = cursor.finished();
  return root;
}

// What the person wrote stands in <user_query>, if that is there; else there may be no more than
// what the agent put beside it.
std::string SaidInQuery(const std::string& text) {
  constexpr std::string_view kOpen = "<user_query>";
  constexpr std::string_view kClose = "</user_query>";
  std::string said;
  for (size_t at = text.find(kOpen); at != text.npos; at = text.find(kOpen, at)) {
    at += kOpen.size();
    const size_t end = std::min(text.find(kClose, at), text.size());
    if (!said.empty()) said += "\n\n";
    said += Trim(std::string_view(text).substr(at, end - at));
    at = end;
  }
  return said.empty() ? SaidByPerson(text) : said;
}

class CursorChat final {
 public:
  CursorChat(DatabaseCopy* copy, std::string path, const TranscriptLimits& limits)
      : copy_(copy), path_(std::move(path)), limits_(limits), sessions_("cursor") {}

  Result<TranscriptRead> Read() {
    RECALL_ASSIGN(const bool has_meta, copy_->HasTable("meta"));
    if (!has_meta) return Fail(Status::Corruption("it has no table meta"));
    RECALL_TRY(ReadFacts());
    RECALL_ASSIGN(const std::string bytes, Blob(root_));
    const ChatRoot root = ReadRoot(bytes);
    if (bytes.empty() || !root.is_complete) sessions_.CountUnknown("root:?");
    SessionBuilder& builder = sessions_.Get(id_.empty() ? DirectoryName(path_) : id_);
    AgentSession& session = builder.session();
    session.title = title_;
    session.model = model_;
    session.cwd = root.directory;
    builder.SeeTime(created_);
    ReadFactsBeside(&session);
    for (const std::string& message : root.messages) {
      if (limits_.cancel && limits_.cancel->load(std::memory_order_relaxed)) {
        return Fail(Status::Cancelled("cancelled"));
      }
      const bool is_id = message.size() == kBlobIdBytes && !message.starts_with('{');
      std::string json = message;
      if (is_id) {
        RECALL_ASSIGN(json, Blob(ToHex(AsBytes(message))));
      }
      ReadMessage(json, &builder);
    }
    // The root lists turns, but none of its messages could be read: the chat has an unknown form.
    if (!builder.has_turns() && root.turns > 0) sessions_.CountUnknown("turn:?");
    return sessions_.Finish();
  }

 private:
  Status ReadFacts() {
    RECALL_ASSIGN(Statement rows,
                  copy_->connection().Prepare("SELECT value FROM meta WHERE key = '0'"));
    RECALL_ASSIGN(const bool row, rows.Step());
    const std::string json = row ? BytesOfHex(rows.ColumnText(0)) : "";
    if (!tape_.Parse(json) || !tape_.root().IsObject()) {
      sessions_.CountUnknown(std::string(kNotJson));
      return {};
    }
    const TapeValue facts = tape_.root();
    id_ = facts["agentId"].Text();
    root_ = facts["latestRootBlobId"].Text();
    created_ = facts["createdAt"].Time();
    model_ = facts["lastUsedModel"].Text();
    title_ = Trim(facts["name"].Text());
    if (title_ == kNoChatName) title_.clear();
    return {};
  }

  void ReadFactsBeside(AgentSession* session) {
    TranscriptLimits small = limits_;
    small.max_file_bytes = 1 << 20;
    const auto text =
        ReadWholeTranscript(path_.substr(0, path_.rfind('/') + 1) + "meta.json", small);
    JsonTape tape;
    if (!text || !tape.Parse(*text)) return;
    const std::string cwd = tape.root()["cwd"].Text();
    if (cwd.starts_with('/')) session->cwd = cwd;
    if (session->title.empty()) session->title = Trim(tape.root()["title"].Text());
    session->is_automatic = tape.root()["isSubagent"].IsTrue();
  }

  // Returns the bytes of a blob; "" if it is missing or too long.
  Result<std::string> Blob(const std::string& id) {
    RECALL_ASSIGN(Statement rows,
                  copy_->connection().Prepare("SELECT data FROM blobs WHERE id = ?1"));
    rows.BindText(1, id);
    RECALL_ASSIGN(const bool row, rows.Step());
    if (!row || rows.ColumnIsNull(0)) return std::string();
    const ByteSpan blob = rows.ColumnBlob(0);
    if (blob.size() > limits_.max_line_bytes) {
      sessions_.CountUnknown(std::string(kTooLong));
      return std::string();
    }
    return std::string(reinterpret_cast<const char*>(blob.data()), blob.size());
  }

  void ReadMessage(const std::string& json, SessionBuilder* builder) {
    if (!tape_.Parse(json) || !tape_.root().IsObject()) {
      sessions_.CountUnknown(std::string(kNotJson));
      return;
    }
    const TapeValue message = tape_.root();
    const TapeValue role = message["role"];
    const bool is_human = role.Is("user");
    if (!is_human && !role.Is("assistant")) {
      if (!role.Is("system") && !role.Is("tool")) sessions_.CountUnknown("role", role);
      return;
    }
    std::string said;
    const auto add = [&](const std::string& text) {
      const std::string part = is_human ? SaidInQuery(text) : text;
      if (Trim(part).empty()) return;
      if (!said.empty()) said += "\n\n";
      said += part;
    };
    const TapeValue content = message["content"];
    if (content.IsString()) add(content.Text());
    content.ForEach([&](TapeValue part) {
      if (part["type"].Is("text")) add(part["text"].Text());
    });
    builder->Say(is_human ? TurnRole::kHuman : TurnRole::kAssistant, {}, {}, 0, said);
    content.ForEach([&](TapeValue part) {
      if (part["type"].Is("tool-call")) builder->UseTool(part["toolName"].Text(), part["args"]);
    });
  }

  DatabaseCopy* copy_;
  std::string path_;
  const TranscriptLimits& limits_;
  SessionSet sessions_;
  JsonTape tape_;
  std::string id_;    // of the session
  std::string root_;  // the id of the root
  std::optional<UnixNanos> created_;
  std::string model_;
  std::string title_;
};

}  // namespace

Result<TranscriptRead> ReadCursorChat(DatabaseCopy* copy, const std::string& path,
                                      const TranscriptLimits& limits) {
  return CursorChat(copy, path, limits).Read();
}

}  // namespace recall
