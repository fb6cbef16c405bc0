#include "tests/cli/sqlite/sql_fixture.h"

#include "cli/sqlite/recall_functions.h"
#include "storage/base/hosted.h"

namespace recall {

SqlConnection::SqlConnection(const std::string& name, bool register_functions) {
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
  EXPECT_EQ(sqlite3_open_v2(name.c_str(), &handle_, kFlags, nullptr), SQLITE_OK) << name;
  if (!register_functions) return;
  BecomeHosted();
  const Status registered = RegisterRecall(handle_);
  EXPECT_TRUE(registered.ok()) << registered.message();
}

SqlConnection::~SqlConnection() { EXPECT_EQ(Close(), SQLITE_OK); }

int SqlConnection::Close() {
  sqlite3* const handle = handle_;
  handle_ = nullptr;
  return sqlite3_close(handle);
}

std::string SqlConnection::Run(const std::string& sql, SqlRows* rows) {
  const char* rest = sql.c_str();
  while (*rest != '\0') {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, rest, -1, &statement, &rest) != SQLITE_OK) {
      return sqlite3_errmsg(handle_);
    }
    int code = SQLITE_DONE;
    while (statement != nullptr && (code = sqlite3_step(statement)) == SQLITE_ROW) {
      auto& row = rows->emplace_back();
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
        row.emplace_back(text == nullptr ? "NULL" : text);
      }
    }
    const std::string message = code == SQLITE_DONE ? "" : sqlite3_errmsg(handle_);
    sqlite3_finalize(statement);
    if (code != SQLITE_DONE) return message;
  }
  return "";
}

SqlRows SqlConnection::Rows(const std::string& sql) {
  SqlRows rows;
  EXPECT_EQ(Run(sql, &rows), "") << sql;
  return rows;
}

std::string SqlConnection::Value(const std::string& sql) {
  const SqlRows rows = Rows(sql);
  if (rows.size() == 1 && rows[0].size() == 1) return rows[0][0];
  ADD_FAILURE() << sql << " gives " << rows.size() << " rows";
  return "";
}

std::vector<std::string> SqlConnection::Values(const std::string& sql) {
  std::vector<std::string> values;
  for (const auto& row : Rows(sql)) values.push_back(row.at(0));
  return values;
}

std::string SqlConnection::Error(const std::string& sql) {
  SqlRows rows;
  return Run(sql, &rows);
}

std::string SqlConnection::Plan(const std::string& sql) {
  std::string plan;
  for (const auto& row : Rows("EXPLAIN QUERY PLAN " + sql)) plan += row.back() + "\n";
  return plan;
}

void SqlTest::MakeStore() {
  Write("birds/heron.md", "# Heron\n\nHerons stand still at the pond and wait for fish.\n");
  Write("birds/kingfisher.md", "# Kingfisher\n\nKingfishers dive for fish from a branch.\n");
  Write("plan.txt", "The retry policy doubles the wait after each failure.\n");
  ASSERT_EQ(Run({"init", "--embedder", "hash"}).exit, 0);
  ASSERT_EQ(Run({"add", "birds", "--tag", "birds"}).exit, 0);
  ASSERT_EQ(Run({"add", "plan.txt"}).exit, 0);
}

nlohmann::ordered_json SqlTest::Printed(std::vector<std::string> args) {
  args.insert(args.begin() + 1, {"--json", "--stable"});
  const RunResult run = Run(args);
  EXPECT_EQ(run.exit, 0) << run.err;
  return run.Json();
}

std::vector<std::string> SqlTest::PrintedResults(const std::vector<std::string>& args) {
  std::vector<std::string> results;
  for (const auto& result : Printed(args)["results"]) results.push_back(result.dump());
  return results;
}

}  // namespace recall
