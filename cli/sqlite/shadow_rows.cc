#include "cli/sqlite/shadow_rows.h"

#include <utility>

#include "cli/server/mcp/json_rpc.h"
#include "storage/base/json_writer.h"
#include "storage/base/random.h"

namespace recall {
namespace {

constexpr size_t kStampBytes = 8;
// A store that is further behind compares all rows. An entry takes some 50 bytes.
constexpr int64_t kLogEntries = 100'000;
constexpr int64_t kEntriesPerTrim = 1'000;

// Keeps last_insert_rowid(), which the user sees.
class LastRowKept final {
 public:
  explicit LastRowKept(sqlite3* connection)
      : connection_(connection), row_(sqlite3_last_insert_rowid(connection)) {}
  ~LastRowKept() { sqlite3_set_last_insert_rowid(connection_, row_); }
  LastRowKept(const LastRowKept&) = delete;
  LastRowKept& operator=(const LastRowKept&) = delete;

 private:
  sqlite3* const connection_;
  const sqlite3_int64 row_;
};

// The metadata of a document: those of its row, with the title.
std::string MetaOf(const std::optional<std::string>& title,
                   const std::optional<std::string>& meta) {
  std::optional<Json> json = ParseJson(meta.value_or("null"));
  if (!title) return json ? PrintJson(*json) : "null";
  if (!json || !json->is_object()) json = Json::object();
  (*json)["title"] = *title;
  return PrintJson(*json);
}

}  // namespace

std::string ShadowRows::NameOf(std::string_view shadow) const {
  return QuotedName(schema_) + "." + QuotedName(table_ + "_" + std::string(shadow));
}

Status ShadowRows::Run(const std::string& sql) {
  RECALL_ASSIGN(HostStatement statement, HostStatement::Prepare(connection_, sql));
  return statement.Run();
}

Result<HostStatement*> ShadowRows::Prepared(Use use, const std::string& sql) {
  HostStatement& statement = statements_[use];
  if (!statement) {
    RECALL_ASSIGN(statement, HostStatement::Prepare(connection_, sql));
  }
  return &statement;
}

Status ShadowRows::Create() {
  RECALL_TRY(Run("CREATE TABLE " + NameOf("content") +
                 "(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, title TEXT, text TEXT, "
                 "meta TEXT, stamp TEXT NOT NULL)"));
  RECALL_TRY(Run("CREATE TABLE " + NameOf("log") +
                 "(number INTEGER PRIMARY KEY, path TEXT, stamp TEXT NOT NULL)"));
  RECALL_TRY(Run("CREATE TABLE " + NameOf("config") +
                 "(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"));
  const LastRowKept kept(connection_);
  RECALL_TRY(Run("INSERT INTO " + NameOf("config") + " VALUES('version', '1'), ('identity', '" +
                 RandomHex(kStampBytes) + "')"));
  return Run("INSERT INTO " + NameOf("log") + "(stamp) VALUES('" + RandomHex(kStampBytes) + "')");
}

Status ShadowRows::Drop() {
  statements_ = {};
  for (const char* const shadow : kShadowTables) {
    RECALL_TRY(Run("DROP TABLE IF EXISTS " + NameOf(shadow)));
  }
  return Status::Ok();
}

Status ShadowRows::Rename(const std::string& table) {
  statements_ = {};
  for (const char* const shadow : kShadowTables) {
    RECALL_TRY(
        Run("ALTER TABLE " + NameOf(shadow) + " RENAME TO " + QuotedName(table + "_" + shadow)));
  }
  table_ = table;
  return Status::Ok();
}

Result<std::string> ShadowRows::Identity() {
  RECALL_ASSIGN(
      HostStatement read,
      HostStatement::Prepare(connection_, "SELECT value FROM " + NameOf("config") +
                                              " WHERE name = 'identity' AND (SELECT value FROM " +
                                              NameOf("config") + " WHERE name = 'version') = '1'"));
  RECALL_ASSIGN(const bool found, read.Step());
  std::string identity = found ? read.Text(0) : "";
  // It becomes a part of the name of a directory, and the database may have come from others.
  const bool is_hex = identity.size() == 2 * kStampBytes &&
                      identity.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (is_hex) return identity;
  return Fail(
      Status::Corruption("the table '" + table_ + "_config' is of a newer Recall, or damaged",
                         "copy the rows into a new table"));
}

Result<std::optional<int64_t>> ShadowRows::IdOf(std::string_view path) {
  RECALL_ASSIGN(HostStatement* const read,
                Prepared(kIdOf, "SELECT id FROM " + NameOf("content") + " WHERE path = ?1"));
  const StatementUse use(read);
  RECALL_ASSIGN(const bool found, read->Bind(1, path).Step());
  return found ? std::optional(read->Int(0)) : std::nullopt;
}

Result<bool> ShadowRows::Has(int64_t id) {
  RECALL_ASSIGN(HostStatement* const read,
                Prepared(kHas, "SELECT 1 FROM " + NameOf("content") + " WHERE id = ?1"));
  const StatementUse use(read);
  return read->Bind(1, id).Step();
}

Result<std::optional<std::string>> ShadowRows::PathOf(int64_t id) {
  RECALL_ASSIGN(HostStatement* const read,
                Prepared(kPathOf, "SELECT path FROM " + NameOf("content") + " WHERE id = ?1"));
  const StatementUse use(read);
  RECALL_ASSIGN(const bool found, read->Bind(1, id).Step());
  return found ? std::optional(read->Text(0)) : std::nullopt;
}

Status ShadowRows::Log(std::string_view path, std::string_view stamp) {
  has_changed_ = true;
  RECALL_ASSIGN(HostStatement* const write,
                Prepared(kLog, "INSERT INTO " + NameOf("log") + "(path, stamp) VALUES(?1, ?2)"));
  RECALL_TRY(write->Bind(1, path).Bind(2, stamp).Run());
  const int64_t number = sqlite3_last_insert_rowid(connection_);
  if (number % kEntriesPerTrim != 0 || number <= kLogEntries) return Status::Ok();
  return Run("DELETE FROM " + NameOf("log") +
             " WHERE number <= " + std::to_string(number - kLogEntries));
}

Result<int64_t> ShadowRows::Insert(const DocumentValues& values) {
  const LastRowKept kept(connection_);
  RECALL_ASSIGN(HostStatement* const write,
                Prepared(kInsert, "INSERT INTO " + NameOf("content") +
                                      "(id, path, title, text, meta, stamp) "
                                      "VALUES(?1, ?2, ?3, ?4, ?5, ?6)"));
  const std::string stamp = RandomHex(kStampBytes);
  if (values.id) write->Bind(1, *values.id);
  write->Bind(2, std::string_view(values.path)).Bind(3, values.title).Bind(4, values.text);
  RECALL_TRY(write->Bind(5, values.meta).Bind(6, std::string_view(stamp)).Run());
  const int64_t id = sqlite3_last_insert_rowid(connection_);
  RECALL_TRY(Log(values.path, stamp));
  return id;
}

Status ShadowRows::Update(int64_t id, const DocumentValues& values) {
  const LastRowKept kept(connection_);
  RECALL_ASSIGN(const std::optional<std::string> old_path, PathOf(id));
  RECALL_ASSIGN(HostStatement* const write,
                Prepared(kUpdate, "UPDATE " + NameOf("content") +
                                      " SET id = ?1, path = ?2, title = ?3, text = ?4, meta = ?5, "
                                      "stamp = ?6 WHERE id = ?7"));
  const std::string stamp = RandomHex(kStampBytes);
  write->Bind(1, values.id.value_or(id)).Bind(2, std::string_view(values.path));
  write->Bind(3, values.title).Bind(4, values.text).Bind(5, values.meta);
  RECALL_TRY(write->Bind(6, std::string_view(stamp)).Bind(7, id).Run());
  if (old_path && *old_path != values.path) {
    RECALL_TRY(Log(*old_path, RandomHex(kStampBytes)));
  }
  return Log(values.path, stamp);
}

Status ShadowRows::Remove(int64_t id) {
  const LastRowKept kept(connection_);
  RECALL_ASSIGN(const std::optional<std::string> path, PathOf(id));
  if (!path) return Status::Ok();
  RECALL_ASSIGN(HostStatement* const write,
                Prepared(kRemove, "DELETE FROM " + NameOf("content") + " WHERE id = ?1"));
  RECALL_TRY(write->Bind(1, id).Run());
  return Log(*path, RandomHex(kStampBytes));
}

Result<HostStatement> ShadowRows::Select(const std::string& rest) {
  return HostStatement::Prepare(
      connection_, "SELECT id, path, title, text, meta FROM " + NameOf("content") + " " + rest);
}

Result<LogPosition> ShadowRows::End() {
  RECALL_ASSIGN(HostStatement* const read,
                Prepared(kEnd, "SELECT number, stamp FROM " + NameOf("log") +
                                   " ORDER BY number DESC LIMIT 1"));
  const StatementUse use(read);
  RECALL_ASSIGN(const bool found, read->Step());
  if (found) return LogPosition{.number = read->Int(0), .stamp = read->Text(1)};
  return Fail(Status::Corruption("the table '" + table_ + "_log' has no rows",
                                 "copy the rows into a new table"));
}

Result<bool> ShadowRows::Contains(const LogPosition& position) {
  RECALL_ASSIGN(
      HostStatement* const read,
      Prepared(kContains, "SELECT 1 FROM " + NameOf("log") + " WHERE number = ?1 AND stamp = ?2"));
  const StatementUse use(read);
  read->Bind(1, position.number).Bind(2, std::string_view(position.stamp));
  return read->Step();
}

Result<std::vector<std::string>> ShadowRows::ChangedAfter(int64_t number) {
  RECALL_ASSIGN(HostStatement read,
                HostStatement::Prepare(connection_, "SELECT DISTINCT path FROM " + NameOf("log") +
                                                        " WHERE number > ?1 ORDER BY path"));
  read.Bind(1, number);
  std::vector<std::string> paths;
  for (;;) {
    RECALL_ASSIGN(const bool found, read.Step());
    if (!found) return paths;
    paths.push_back(read.Text(0));
  }
}

Status ShadowRows::ForEach(const std::function<void(std::string path, std::string stamp)>& visit) {
  RECALL_ASSIGN(HostStatement read,
                HostStatement::Prepare(connection_, "SELECT path, stamp FROM " + NameOf("content") +
                                                        " ORDER BY path"));
  for (;;) {
    RECALL_ASSIGN(const bool found, read.Step());
    if (!found) return Status::Ok();
    visit(read.Text(0), read.Text(1));
  }
}

Result<std::optional<std::string>> ShadowRows::LineOf(std::string_view path) {
  RECALL_ASSIGN(HostStatement* const read,
                Prepared(kLine, "SELECT text, stamp, title, meta FROM " + NameOf("content") +
                                    " WHERE path = ?1"));
  const StatementUse use(read);
  RECALL_ASSIGN(const bool found, read->Bind(1, path).Step());
  if (!found) return std::optional<std::string>();
  std::string line;
  JsonWriter json(&line);
  json.BeginObject();
  json.Field("path", path);
  json.Field("text", read->Text(0));
  json.Field("source", read->Text(1));
  json.EndObject();
  line.pop_back();
  line += ",\"meta\":" + MetaOf(read->TextOrNull(2), read->TextOrNull(3)) + "}\n";
  return std::optional(std::move(line));
}

}  // namespace recall
