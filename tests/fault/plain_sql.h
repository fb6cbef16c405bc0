#pragma once

#include <sqlite3.h>

#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// A plain SQLite connection, like that of the sqlite3 shell, without any code of the product.
class PlainSql final {
 public:
  using Row = std::vector<std::string>;  // NULL is "NULL"; BLOBs are their bytes

  static Result<PlainSql> Open(const std::string& path);
  // The same, but changed pages receive new checksums, as if Recall had written them.
  static Result<PlainSql> OpenSealing(const std::string& path);
  PlainSql(PlainSql&& other) noexcept;
  PlainSql& operator=(PlainSql&&) = delete;
  ~PlainSql();

  Result<std::vector<Row>> Rows(const std::string& sql);
  // The first column of the first row, or "" if there is none.
  Result<std::string> Value(const std::string& sql);
  Status Run(const std::string& sql);

 private:
  PlainSql() = default;
  static Result<PlainSql> OpenWith(const std::string& path, const char* vfs);
  Status Failure(const std::string& sql) const;
  sqlite3* handle_ = nullptr;
};

}  // namespace recall
