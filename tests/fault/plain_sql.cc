#include "tests/fault/plain_sql.h"

#include <utility>

#include "storage/sqlite/page_vfs.h"

namespace recall {

Result<PlainSql> PlainSql::Open(const std::string& path) { return OpenWith(path, nullptr); }

Result<PlainSql> PlainSql::OpenSealing(const std::string& path) {
  return OpenWith(path, PageVfs());
}

Result<PlainSql> PlainSql::OpenWith(const std::string& path, const char* vfs) {
  PlainSql sql;
  const int code = sqlite3_open_v2(path.c_str(), &sql.handle_, SQLITE_OPEN_READWRITE, vfs);
  if (code != SQLITE_OK) return Fail(sql.Failure("open " + path));
  sqlite3_busy_timeout(sql.handle_, 10'000);
  return sql;
}

PlainSql::PlainSql(PlainSql&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

PlainSql::~PlainSql() { sqlite3_close(handle_); }

Status PlainSql::Failure(const std::string& sql) const {
  return Status::IoError(sql + ": " + (handle_ ? sqlite3_errmsg(handle_) : "no memory"));
}

Result<std::vector<PlainSql::Row>> PlainSql::Rows(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
    return Fail(Failure(sql));
  }
  std::vector<Row> rows;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    Row& row = rows.emplace_back();
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, i));
      const auto size = static_cast<size_t>(sqlite3_column_bytes(statement, i));
      const bool null = sqlite3_column_type(statement, i) == SQLITE_NULL;
      row.push_back(null ? "NULL" : std::string(bytes ? bytes : "", size));
    }
  }
  sqlite3_finalize(statement);
  if (code != SQLITE_DONE) return Fail(Failure(sql));
  return rows;
}

Result<std::string> PlainSql::Value(const std::string& sql) {
  RECALL_ASSIGN(const std::vector<Row> rows, Rows(sql));
  return rows.empty() || rows[0].empty() ? std::string() : rows[0][0];
}

Status PlainSql::Run(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return Failure(sql);
}

}  // namespace recall
