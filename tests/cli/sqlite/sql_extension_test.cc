// The library as SQLite loads it.

#include <gtest/gtest.h>

#include <string>

#include "tests/cli/sqlite/sql_fixture.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

std::string ExtensionFile() { return BuildDir() + "/sqlite/recall.so"; }

// Returns: the message of SQLite, or "".
std::string Load(sqlite3* connection, const std::string& file) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
  char* message = nullptr;
  const int code = sqlite3_load_extension(connection, file.c_str(), nullptr, &message);
  const std::string text = code == SQLITE_OK ? "" : message == nullptr ? "an error" : message;
  sqlite3_free(message);
  return text;
}

class SqlExtensionTest : public SqlTest {};

TEST_F(SqlExtensionTest, IsLoadedByEachConnection) {
  MakeStore();
  for (int i = 0; i < 3; ++i) {
    SqlConnection sql(Path("recall.db"), /*register_functions=*/false);
    EXPECT_NE(sql.Error("SELECT * FROM recall_search('heron')"), "");
    ASSERT_EQ(Load(sql.handle(), ExtensionFile()), "");
    EXPECT_EQ(sql.Value("SELECT path FROM recall_search('heron', 1)"), "birds/heron.md");
    const RunResult printed = Run({"search", "heron", "--cite", "--json", "--stable"});
    sql.Do(R"(SELECT recall_options('{"stable": true}'))");
    EXPECT_EQ(sql.Value("SELECT DISTINCT answer FROM recall_search('heron')") + "\n", printed.out);
  }
}

// As a program that writes to a store opens it: the VFS comes with the extension.
TEST_F(SqlExtensionTest, IsLoadedByAConnectionThatWritesChecksums) {
  MakeStore();
  SqlConnection first(Path("recall.db"), /*register_functions=*/false);
  ASSERT_EQ(Load(first.handle(), ExtensionFile()), "");
  SqlConnection sql("file:" + Path("recall.db") + "?vfs=recall-pages",
                    /*register_functions=*/false);
  ASSERT_EQ(Load(sql.handle(), ExtensionFile()), "");
  EXPECT_EQ(sql.Value("SELECT path FROM recall_search('heron', 1)"), "birds/heron.md");
}

// Another copy of SQLite would release the locks of the host.
TEST_F(SqlExtensionTest, HasNoSqliteOfItsOwn) {
  RunOptions options;
  const std::string command = "readelf -d '" + ExtensionFile() + "'; nm -D --defined-only '" +
                              ExtensionFile() + "' | sed 's/.* //'";
  FILE* const pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string out;
  char buffer[4096];
  for (size_t n = 0; (n = ::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  ASSERT_EQ(::pclose(pipe), 0);
  EXPECT_EQ(out.find("libsqlite3"), std::string::npos) << out;
  EXPECT_EQ(out.find("libstdc++"), std::string::npos) << out;
  EXPECT_NE(out.find("NODELETE"), std::string::npos) << out;
  const std::string exported = out.substr(out.find("sqlite3_"));
  EXPECT_EQ(exported, "sqlite3_extension_init\nsqlite3_recall_init\n");
}

}  // namespace
}  // namespace recall
