#pragma once

// The rows of a table of documents, and the log of their changes, in ordinary tables of the user's
// database, so that they belong to its transactions.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/sqlite/host_statement.h"
#include "storage/base/result.h"

namespace recall {

// The names of the shadow tables behind that of the table and '_'.
inline constexpr std::array<const char*, 3> kShadowTables = {"content", "log", "config"};

// An entry of the log. Its stamp is random, so an entry with this number and stamp is there exactly
// if the rows have the history up to it: not after a rollback, nor in an older copy of the
// database, nor in another one.
struct LogPosition {
  int64_t number = 0;
  std::string stamp;
  bool operator==(const LogPosition&) const = default;
};

struct DocumentValues {
  std::optional<int64_t> id;  // not set: SQLite chooses one
  std::string path;
  std::optional<std::string> title;
  std::optional<std::string> text;
  std::optional<std::string> meta;  // a JSON object
};

// Belongs to a connection, whose thread calls it. All reads are in the transaction of the present
// statement. Errors of all functions: as HostError.
class ShadowRows final {
 public:
  ShadowRows(sqlite3* connection, std::string schema, std::string table)
      : connection_(connection), schema_(std::move(schema)), table_(std::move(table)) {}

  Status Create();
  Status Drop();
  Status Rename(const std::string& table);

  // What identifies the rows in the name of their store: 16 hexadecimal digits. Errors: Corruption
  // if it is something else.
  Result<std::string> Identity();

  // The rows. Writing adds to the log, and does not change last_insert_rowid().
  Result<std::optional<int64_t>> IdOf(std::string_view path);
  Result<bool> Has(int64_t id);
  // Returns: the id. Requires: neither the id nor the path exists.
  Result<int64_t> Insert(const DocumentValues& values);
  // Requires: the row exists, and no other one has the new id or path.
  Status Update(int64_t id, const DocumentValues& values);
  // Does nothing if there is no such row.
  Status Remove(int64_t id);
  // id, path, title, text, meta. `rest`: of the statement, as "WHERE id = ?1".
  Result<HostStatement> Select(const std::string& rest);

  // Whether the present transaction has changed rows, until it ends. One that has may say so
  // falsely after a change of the schema; only the choice of a store depends on it.
  bool has_changed() const { return has_changed_; }
  void EndTransaction() { has_changed_ = false; }

  // The log.
  Result<LogPosition> End();
  Result<bool> Contains(const LogPosition& position);
  // The paths of rows that were changed after an entry. Requires: the log contains it.
  Result<std::vector<std::string>> ChangedAfter(int64_t number);
  // The path of each row, and the stamp of its last change.
  Status ForEach(const std::function<void(std::string path, std::string stamp)>& visit);
  // The row as a line of `add --jsonl`, with its stamp as the source; nullopt if there is none.
  Result<std::optional<std::string>> LineOf(std::string_view path);

 private:
  enum Use { kIdOf, kHas, kPathOf, kInsert, kUpdate, kRemove, kLog, kEnd, kContains, kLine, kUses };

  std::string NameOf(std::string_view shadow) const;
  Status Run(const std::string& sql);
  // The statement, prepared once.
  Result<HostStatement*> Prepared(Use use, const std::string& sql);
  Result<std::optional<std::string>> PathOf(int64_t id);
  Status Log(std::string_view path, std::string_view stamp);

  sqlite3* const connection_;
  const std::string schema_;
  std::string table_;
  bool has_changed_ = false;
  std::array<HostStatement, kUses> statements_;
};

}  // namespace recall
