#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/recall_process.h"

namespace recall {

using SqlRows = std::vector<std::vector<std::string>>;

// A connection to SQLite with Recall's functions. Not to be used after its test.
class SqlConnection final {
 public:
  // `name`: of the file, or a URI of it. `register_functions`: false leaves them out.
  explicit SqlConnection(const std::string& name, bool register_functions = true);
  ~SqlConnection();
  SqlConnection(const SqlConnection&) = delete;
  SqlConnection& operator=(const SqlConnection&) = delete;

  // The rows of a statement. NULL is "NULL". The test fails if the statement does.
  SqlRows Rows(const std::string& sql);
  // The only value of a statement that gives one.
  std::string Value(const std::string& sql);
  // The first column of all rows.
  std::vector<std::string> Values(const std::string& sql);
  // The message of a statement that fails; "" if it does not.
  std::string Error(const std::string& sql);
  // What SQLite plans to do.
  std::string Plan(const std::string& sql);
  void Do(const std::string& sql) { Rows(sql); }

  sqlite3* handle() const { return handle_; }
  // Closes the connection. Returns: the result code of SQLite.
  int Close();

 private:
  // Returns: the message, or "".
  std::string Run(const std::string& sql, SqlRows* rows);

  sqlite3* handle_ = nullptr;
};

// A store with some documents that the program has made, in the directory of the test.
class SqlTest : public RecallTest {
 protected:
  void MakeStore();
  // The JSON of a command by the program, which is given without --json.
  nlohmann::ordered_json Printed(std::vector<std::string> args);
  // The bytes of the elements of its array `results`.
  std::vector<std::string> PrintedResults(const std::vector<std::string>& args);
};

}  // namespace recall
