// Transcripts of OpenCode. Since 1.2 they are in one database, opencode.db, of the tables session,
// message and part; a message and a part are JSON in the column `data`. Before, each of them was a
// file: storage/session/PROJECT/SESSION.json, storage/message/SESSION/MESSAGE.json and
// storage/part/MESSAGE/PART.json (first storage/session/{info,message,part}/...).
//
// A message has a role and parts: text (said, unless it is synthetic), tool (a use of a tool with
// its result), reasoning and others. Ids ascend with time.

#include <algorithm>
#include <array>
#include <utility>

#include "index/source/transcript/database_copy.h"
#include "index/source/transcript/injected_text.h"
#include "index/source/transcript/opencode_files.h"
#include "index/source/transcript/transcript_lines.h"
#include "index/source/transcript/transcript_readers.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr std::array<std::string_view, 12> kSilentParts = {
    "reasoning", "file",  "step-start", "step-finish", "snapshot",   "patch",
    "agent",     "retry", "compaction", "subtask",     "source-url", "tool-invocation"};

constexpr std::string_view kNoTitle = "New session - ";

// The message whose parts are being read.
struct OpenMessage {
  std::string id;
  std::optional<TurnRole> role;  // nothing: neither the person nor the agent said it
  std::optional<UnixNanos> at;
};

OpenMessage BeginMessage(std::string id, TapeValue data, SessionBuilder* builder,
                         SessionSet* sessions) {
  OpenMessage message;
  message.id = std::move(id);
  message.at = data["time"]["created"].Time();
  builder->SeeTime(message.at);
  if (data["role"].Is("user")) {
    message.role = TurnRole::kHuman;
  } else if (data["role"].Is("assistant")) {
    // A summary that the agent goes on with when the conversation has become too long.
    if (!data["summary"].IsTrue()) message.role = TurnRole::kAssistant;
    const TapeValue model = data["modelID"];
    if (model.IsString() && !model.Raw().empty()) builder->session().model = model.Text();
    if (builder->session().cwd.empty()) {
      builder->session().cwd = data["path"]["cwd"].Text();
    }
  } else {
    sessions->CountUnknown("role", data["role"]);
  }
  return message;
}

void ReadPart(TapeValue part, const OpenMessage& message, SessionBuilder* builder,
              SessionSet* sessions) {
  if (!message.role) return;
  const TapeValue type = part["type"];
  if (type.Is("text")) {
    if (part["synthetic"].IsTrue() || part["ignored"].IsTrue()) return;
    std::string text = part["text"].Text();
    if (*message.role == TurnRole::kHuman) text = SaidByPerson(text);
    builder->Say(*message.role, message.id, message.at, 0, text);
  } else if (type.Is("tool")) {
    builder->UseTool(part["tool"].Text(), part["state"]["input"]);
  } else if (std::ranges::none_of(kSilentParts, [&](auto known) { return type.Is(known); })) {
    sessions->CountUnknown("part", type);
  }
}

std::string TitleIn(std::string title) {
  title = Trim(TurnText(title));
  return title.starts_with(kNoTitle) ? std::string() : title;
}

class OpenCodeDatabase final {
 public:
  OpenCodeDatabase(DatabaseCopy* copy, const TranscriptLimits& limits)
      : copy_(copy), limits_(limits), sessions_("opencode") {}

  Result<TranscriptRead> Read() {
    for (const char* const table : {"session", "message", "part"}) {
      RECALL_ASSIGN(const bool has, copy_->HasTable(table));
      if (!has) return Fail(Status::Corruption(std::string("it has no table ") + table));
    }
    RECALL_TRY(ReadSessions());
    RECALL_TRY(ReadMessages());
    return sessions_.Finish();
  }

 private:
  // Returns the name of the column, or NULL if this version of the table lacks it.
  Result<std::string> ColumnOrNull(const char* table, const char* column) {
    RECALL_ASSIGN(const bool has, copy_->HasColumn(table, column));
    return has ? std::string(column) : std::string("NULL");
  }

  Status ReadSessions() {
    std::string sql = "SELECT id";
    for (const char* const column : {"parent_id", "directory", "title", "time_created"}) {
      RECALL_ASSIGN(const std::string name, ColumnOrNull("session", column));
      sql += ", " + name;
    }
    RECALL_ASSIGN(Statement rows, copy_->connection().Prepare(sql + " FROM session ORDER BY id"));
    for (;;) {
      RECALL_ASSIGN(const bool row, rows.Step());
      if (!row) return Status::Ok();
      SessionBuilder& builder = sessions_.Get(TurnText(rows.ColumnText(0)));
      AgentSession& session = builder.session();
      session.parent = TurnText(rows.ColumnText(1));
      session.is_automatic = !session.parent.empty();
      session.cwd = TurnText(rows.ColumnText(2));
      session.title = TitleIn(std::string(rows.ColumnText(3)));
      JsonTape tape;
      const std::string created(rows.ColumnText(4));
      if (tape.Parse(created)) builder.SeeTime(tape.root().Time());
    }
  }

  // All messages with their parts, in the order of what was said.
  Status ReadMessages() {
    RECALL_ASSIGN(const std::string created, ColumnOrNull("message", "time_created"));
    RECALL_ASSIGN(Statement rows,
                  copy_->connection().Prepare(
                      "SELECT m.session_id, m.id, m.data, p.data FROM message m LEFT JOIN part p"
                      " ON p.message_id = m.id ORDER BY m.session_id, " +
                      (created == "NULL" ? created : "m." + created) + ", m.id, p.id"));
    OpenMessage message;
    bool has_message = false;
    std::string session;
    for (;;) {
      if (limits_.cancel && limits_.cancel->load(std::memory_order_relaxed)) {
        return Status::Cancelled("cancelled");
      }
      RECALL_ASSIGN(const bool row, rows.Step());
      if (!row) return Status::Ok();
      const std::string_view id = rows.ColumnText(1);
      if (!has_message || id != message.id || rows.ColumnText(0) != session) {
        session = rows.ColumnText(0);
        has_message = true;
        message = {};
        if (Parse(rows.ColumnText(2))) {
          message = BeginMessage(std::string(id), tape_.root(), &Session(session), &sessions_);
        }
        message.id = id;
      }
      if (!rows.ColumnIsNull(3) && Parse(rows.ColumnText(3))) {
        ReadPart(tape_.root(), message, &Session(session), &sessions_);
      }
    }
  }

  SessionBuilder& Session(const std::string& id) { return sessions_.Get(TurnText(id)); }

  bool Parse(std::string_view data) {
    if (data.size() > limits_.max_line_bytes) {
      sessions_.CountUnknown(std::string(kTooLong));
      return false;
    }
    if (tape_.Parse(data) && tape_.root().IsObject()) return true;
    sessions_.CountUnknown(std::string(kNotJson));
    return false;
  }

  DatabaseCopy* copy_;
  const TranscriptLimits& limits_;
  SessionSet sessions_;
  JsonTape tape_;
};

// Calls read(object) for a file of a record; one that cannot be read is counted.
Status ReadRecord(const std::string& path, const TranscriptLimits& limits, SessionSet* sessions,
                  const std::function<void(TapeValue)>& read) {
  TranscriptLimits record = limits;
  record.max_file_bytes = limits.max_line_bytes;
  const Status status =
      ForJsonDocument(path, record, sessions, [&](TapeValue object, int64_t) { read(object); });
  if (status.ok() || status.code() == StatusCode::kCancelled) return status;
  sessions->CountUnknown(status.code() == StatusCode::kLimitExceeded ? std::string(kTooLong)
                                                                     : "unreadable");
  return Status::Ok();
}

Result<TranscriptRead> ReadFiles(const std::string& path, const TranscriptLimits& limits) {
  SessionSet sessions("opencode");
  SessionBuilder builder("opencode", FileStem(path));
  RECALL_TRY(ForJsonDocument(path, limits, &sessions, [&](TapeValue info, int64_t) {
    AgentSession& session = builder.session();
    if (info["id"].IsString()) session.id = info["id"].Text();
    session.parent = info["parentID"].Text();
    session.is_automatic = !session.parent.empty();
    session.cwd = info["directory"].Text();
    session.title = TitleIn(info["title"].Text());
    builder.SeeTime(info["time"]["created"].Time());
  }));
  const OpenCodeFiles files = OpenCodeFilesOf(path);
  for (const std::string& message_file : JsonFilesIn(files.messages)) {
    OpenMessage message;
    RECALL_TRY(ReadRecord(message_file, limits, &sessions, [&](TapeValue data) {
      message = BeginMessage(FileStem(message_file), data, &builder, &sessions);
    }));
    for (const std::string& part : JsonFilesIn(files.parts + FileStem(message_file))) {
      RECALL_TRY(ReadRecord(part, limits, &sessions,
                            [&](TapeValue data) { ReadPart(data, message, &builder, &sessions); }));
    }
  }
  const std::string id = builder.session().id;
  sessions.Get(id) = std::move(builder);
  return sessions.Finish();
}

}  // namespace

Result<TranscriptRead> ReadOpenCode(const std::string& path, const TranscriptLimits& limits) {
  if (path.ends_with(".json")) return ReadFiles(path, limits);
  RECALL_ASSIGN(const auto copy, DatabaseCopy::Open(path, limits));
  auto read = OpenCodeDatabase(copy.get(), limits).Read();
  if (!read) return Fail(ForeignDatabaseError(path, read.error()));
  return read;
}

}  // namespace recall
