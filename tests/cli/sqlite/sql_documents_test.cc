// The table of documents: that it is a table, that a search finds exactly the rows that its
// statement sees, and that the store beside the database is nothing that could be lost.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/cli/sqlite/sql_fixture.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCreate = "CREATE VIRTUAL TABLE docs USING recall(embedding = 'hash')";
// A semantic search also finds what only resembles the question.
constexpr const char* kWordsOnly = R"('{"bm25": true, "no_expand": true}')";

using Strings = std::vector<std::string>;

class SqlDocumentsTest : public SqlTest {
 protected:
  std::unique_ptr<SqlConnection> Connect(const std::string& name = "own.db") {
    return std::make_unique<SqlConnection>(Path(name));
  }
  // A connection to a new table with three rows.
  std::unique_ptr<SqlConnection> MakeTable() {
    auto sql = Connect();
    sql->Do(kCreate);
    sql->Do(R"(INSERT INTO docs(path, title, text, meta) VALUES
      ('heron.md', 'Grey birds', '# Heron' || char(10) || 'Herons stand still at the pond.',
       '{"year": 2020}'),
      ('kingfisher.md', NULL, 'Kingfishers dive for fish from a branch.', '{"year": 2024}'),
      ('plan.txt', NULL, 'The retry policy doubles the wait.', NULL))");
    return sql;
  }
  // The stores beside databases.
  Strings Stores() const {
    Strings stores;
    for (const auto& entry : fs::directory_iterator(Path("."))) {
      if (entry.path().extension() == ".recall") stores.push_back(entry.path().string());
    }
    return stores;
  }
  std::string Store() const {
    const Strings stores = Stores();
    EXPECT_EQ(stores.size(), 1u);
    return stores.empty() ? "" : stores[0];
  }
};

Strings Found(SqlConnection& sql, const std::string& word) {
  return sql.Values("SELECT path FROM docs WHERE docs MATCH '" + word +
                    "' AND k = 100 AND options = " + kWordsOnly + " ORDER BY path");
}

TEST_F(SqlDocumentsTest, IsATable) {
  const auto sql = MakeTable();
  EXPECT_EQ(sql->Rows("SELECT rowid, path, title, meta FROM docs WHERE path < 'l' ORDER BY path"),
            (SqlRows{{"1", "heron.md", "Grey birds", R"({"year": 2020})"},
                     {"2", "kingfisher.md", "NULL", R"({"year": 2024})"}}));
  sql->Do("UPDATE docs SET title = 'Blue', rowid = 20 WHERE path = 'kingfisher.md'");
  EXPECT_EQ(sql->Rows("SELECT rowid, title, text FROM docs WHERE rowid = 20"),
            (SqlRows{{"20", "Blue", "Kingfishers dive for fish from a branch."}}));
  sql->Do("DELETE FROM docs WHERE path = 'heron.md'; INSERT INTO docs(path) VALUES('new')");
  EXPECT_EQ(sql->Value("SELECT last_insert_rowid()"), "21");
  sql->Do("DELETE FROM docs WHERE rowid = 21");
  EXPECT_EQ(sql->Value("SELECT last_insert_rowid()"), "21");
  EXPECT_EQ(sql->Values("SELECT path FROM docs"), (Strings{"plan.txt", "kingfisher.md"}));
}

TEST_F(SqlDocumentsTest, ConflictsFollowTheClauseOfTheStatement) {
  const auto sql = MakeTable();
  const auto all = [&] { return sql->Rows("SELECT rowid, path, text FROM docs ORDER BY rowid"); };
  const SqlRows before = all();
  const std::string twice = "INTO docs(path, text) VALUES('new', 'x'), ('plan.txt', 'y')";
  EXPECT_NE(sql->Error("INSERT " + twice).find("UNIQUE constraint failed"), std::string::npos);
  EXPECT_EQ(all(), before) << "nothing of the statement stays";
  EXPECT_NE(sql->Error("UPDATE docs SET path = 'same'"), "");
  EXPECT_EQ(all(), before);
  EXPECT_NE(sql->Error("INSERT INTO docs(rowid, path) VALUES(2, 'another')"), "");
  sql->Do("INSERT OR IGNORE " + twice);
  EXPECT_EQ(sql->Values("SELECT text FROM docs WHERE path IN ('new', 'plan.txt') ORDER BY path"),
            (Strings{"x", "The retry policy doubles the wait."}));
  sql->Do("REPLACE " + twice);
  EXPECT_EQ(sql->Values("SELECT text FROM docs WHERE path IN ('new', 'plan.txt') ORDER BY path"),
            (Strings{"x", "y"}));
  sql->Do("INSERT OR REPLACE INTO docs(rowid, path, text) VALUES(1, 'kingfisher.md', 'z')");
  EXPECT_EQ(sql->Rows("SELECT rowid, text FROM docs WHERE path IN ('heron.md', 'kingfisher.md')"),
            (SqlRows{{"1", "z"}}));
}

TEST_F(SqlDocumentsTest, WrongValuesAreErrors) {
  const auto sql = MakeTable();
  const auto expect = [&](const std::string& statement, const std::string& part) {
    const std::string message = sql->Error(statement);
    EXPECT_NE(message.find(part), std::string::npos) << statement << ": " << message;
  };
  expect("INSERT INTO docs(text) VALUES('x')", "needs a path");
  expect("INSERT INTO docs(path, text) VALUES('a', x'00')", "not a BLOB");
  expect("INSERT INTO docs(path, text) VALUES('a', CAST(x'ff' AS TEXT))", "not UTF-8");
  expect("INSERT INTO docs(path, meta) VALUES('a', '[1]')", "a JSON object");
  expect("INSERT INTO docs(path, meta) VALUES('a', '{\"b\": \"\\ud800\"}')", "a JSON object");
  expect("INSERT INTO docs(path) VALUES('.recall-position')", "Recall's own");
  expect("SELECT * FROM docs WHERE docs MATCH ''", "the query is empty");
  expect("SELECT * FROM docs WHERE docs MATCH 'x' AND k = 0", "k must be");
  expect("SELECT * FROM docs WHERE docs MATCH 'x' AND filter = 'doc.path ='", "recall: ");
  expect("SELECT * FROM docs WHERE docs MATCH 'x' AND options = '[]'", "recall: ");
  expect("SELECT * FROM docs('x') WHERE options = '{\"store\": \"/tmp/other.db\"}'",
         "unknown option 'store'");
  expect("CREATE VIRTUAL TABLE other USING recall(embedding = 'openai')", "unknown option");
  EXPECT_EQ(sql->Rows("SELECT * FROM docs WHERE docs MATCH NULL").size(), 0u);
  EXPECT_EQ(Found(*sql, "retry"), Strings{"plan.txt"}) << "it still works";
}

TEST_F(SqlDocumentsTest, SearchesByWordsTitlesAndMetadata) {
  const auto sql = MakeTable();
  EXPECT_EQ(sql->Rows("SELECT rowid, path, text, docs, rank, heading, start_line FROM docs "
                      "WHERE docs MATCH 'herons' ORDER BY rank LIMIT 1"),
            (SqlRows{{"1", "heron.md", "# Heron\nHerons stand still at the pond.", "herons", "1",
                      "Heron", "1"}}));
  EXPECT_EQ(Found(*sql, "grey"), Strings{"heron.md"}) << "a word of the title";
  EXPECT_EQ(sql->Values("SELECT path FROM docs('fish pond wait') WHERE filter = "
                        "'doc.meta.year > 2021'"),
            Strings{"kingfisher.md"});
  EXPECT_EQ(sql->Values("SELECT snippet FROM docs('retry', 1)"),
            Strings{"The retry policy doubles the wait."});
  sql->Do("CREATE TABLE owner(path, name); INSERT INTO owner VALUES('plan.txt', 'Bob')");
  EXPECT_EQ(sql->Values("SELECT name FROM docs JOIN owner USING (path) "
                        "WHERE docs MATCH 'retry policy'"),
            Strings{"Bob"});
}

TEST_F(SqlDocumentsTest, ADocumentIsOneRowAndLimitIsPushedDown) {
  const auto sql = Connect();
  sql->Do(kCreate);
  sql->Do(
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 40) "
      "INSERT INTO docs(path, text) SELECT 'otter' || i, replace(hex(zeroblob(400)), '00', "
      "'An otter swims. ') FROM n");
  const Strings all = sql->Values("SELECT path FROM docs WHERE docs MATCH 'otter' LIMIT 30");
  EXPECT_EQ(all.size(), 30u);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 30u);
  EXPECT_EQ(sql->Rows("SELECT path FROM docs WHERE docs MATCH 'otter'").size(), 40u);
  EXPECT_EQ(sql->Rows("SELECT path FROM docs WHERE docs MATCH 'otter' LIMIT -1").size(), 40u);
  EXPECT_EQ(sql->Values("SELECT path FROM docs WHERE docs MATCH 'otter' LIMIT 5 OFFSET 20"),
            Strings(all.begin() + 20, all.begin() + 25));
  EXPECT_EQ(sql->Rows("SELECT path FROM docs WHERE docs MATCH 'otter' AND path LIKE '%3%' "
                      "LIMIT 20")
                .size(),
            13u)
      << "other conditions are on all that is found";
  const std::string plan = sql->Plan("SELECT path FROM docs('otter') ORDER BY rank LIMIT 3");
  EXPECT_NE(plan.find("match,limit,rank"), std::string::npos) << plan;
  EXPECT_EQ(plan.find("TEMP B-TREE"), std::string::npos) << plan;
  sql->Do("DELETE FROM docs WHERE docs MATCH 'otter' AND k = 15");
  EXPECT_EQ(sql->Value("SELECT count(*) FROM docs"), "25");
}

TEST_F(SqlDocumentsTest, ATransactionFindsItsOwnRows) {
  const auto sql = MakeTable();
  const auto other = Connect();
  EXPECT_EQ(Found(*other, "pond"), Strings{"heron.md"});
  sql->Do("BEGIN; UPDATE docs SET text = 'A lake.' WHERE path = 'heron.md'");
  EXPECT_EQ(Found(*sql, "pond"), Strings{});
  EXPECT_EQ(Found(*sql, "lake"), Strings{"heron.md"});
  EXPECT_EQ(Found(*other, "pond"), Strings{"heron.md"});
  EXPECT_EQ(Found(*other, "lake"), Strings{});
  sql->Do("SAVEPOINT s; DELETE FROM docs; INSERT INTO docs(path, text) VALUES('sea', 'A lake?')");
  EXPECT_EQ(Found(*sql, "lake"), Strings{"sea"});
  sql->Do("ROLLBACK TO s");
  EXPECT_EQ(Found(*sql, "lake"), Strings{"heron.md"});
  sql->Do("COMMIT");
  EXPECT_EQ(Found(*other, "lake"), Strings{"heron.md"});
  sql->Do("BEGIN; DELETE FROM docs WHERE path = 'heron.md'");
  EXPECT_EQ(Found(*sql, "lake"), Strings{});
  sql->Do("ROLLBACK");
  EXPECT_EQ(Found(*sql, "lake"), Strings{"heron.md"});
}

TEST_F(SqlDocumentsTest, AReaderFindsTheRowsOfItsTransaction) {
  const auto writer = MakeTable();
  writer->Do("PRAGMA journal_mode = WAL");
  const auto reader = Connect();
  reader->Do("BEGIN; SELECT count(*) FROM docs");
  writer->Do("UPDATE docs SET text = 'A lake.' WHERE path = 'heron.md'");
  EXPECT_EQ(Found(*writer, "lake"), Strings{"heron.md"});
  EXPECT_EQ(Found(*reader, "pond"), Strings{"heron.md"});
  EXPECT_EQ(Found(*reader, "lake"), Strings{});
  EXPECT_EQ(Found(*writer, "lake"), Strings{"heron.md"});
  reader->Do("COMMIT");
  EXPECT_EQ(Found(*reader, "lake"), Strings{"heron.md"});
  EXPECT_EQ(Found(*reader, "pond"), Strings{});
}

// ---- The store beside the database

TEST_F(SqlDocumentsTest, TheStoreIsMadeAgainAndNeverThatOfOthers) {
  auto sql = MakeTable();
  EXPECT_EQ(Stores(), Strings{}) << "writing needs none";
  EXPECT_EQ(Found(*sql, "pond"), Strings{"heron.md"});
  const std::string store = Store();
  fs::remove_all(store);
  EXPECT_EQ(Found(*sql, "pond"), Strings{"heron.md"}) << "also while it was open";
  fs::remove_all(store);
  sql.reset();
  sql = Connect();
  EXPECT_EQ(Found(*sql, "pond"), Strings{"heron.md"});
  sql.reset();

  fs::copy_file(Path("own.db"), Path("older.db"));
  sql = Connect();
  sql->Do("DELETE FROM docs WHERE path = 'heron.md'");
  sql->Do("INSERT INTO docs(path, text) VALUES('late', 'A late row.')");
  EXPECT_EQ(Found(*sql, "late"), Strings{"late"});
  sql.reset();
  fs::copy_file(Path("older.db"), Path("own.db"), fs::copy_options::overwrite_existing);
  sql = Connect();
  EXPECT_EQ(Found(*sql, "pond"), Strings{"heron.md"}) << "a backup was restored";
  EXPECT_EQ(Found(*sql, "late"), Strings{});
  sql->Do("INSERT INTO docs(path, text) VALUES('other', 'Another row.')");
  sql->Do("DELETE FROM docs WHERE path = 'plan.txt'");
  EXPECT_EQ(Found(*sql, "row"), Strings{"other"});
  EXPECT_EQ(Found(*sql, "retry"), Strings{});

  auto copy = Connect("older.db");
  copy->Do("UPDATE docs SET text = 'A copy.' WHERE path = 'heron.md'");
  EXPECT_EQ(Found(*copy, "copy"), Strings{"heron.md"});
  EXPECT_EQ(Stores().size(), 2u);
  EXPECT_EQ(Found(*sql, "copy"), Strings{});
}

// More than is added, and than is removed, by one call.
TEST_F(SqlDocumentsTest, ManyRowsAreBroughtInBatches) {
  const auto sql = Connect();
  sql->Do(kCreate);
  sql->Do(
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 2600) "
      "INSERT INTO docs(path, text) SELECT 'row' || i, 'A heron. word' || i || 'x' FROM n");
  const auto documents = [&] {
    return Run({"stats", "--store", Store(), "--json"}).Json()["stats"]["doc_count"].get<int>();
  };
  for (const std::string number : {"1", "1300", "2600"}) {
    EXPECT_EQ(Found(*sql, "word" + number + "x"), Strings{"row" + number});
  }
  EXPECT_EQ(documents(), 2601) << "the rows, and the position";
  sql->Do("DELETE FROM docs WHERE rowid % 2 = 0; UPDATE docs SET title = 'Odd'");
  EXPECT_EQ(Found(*sql, "word1300x"), Strings{});
  EXPECT_EQ(Found(*sql, "word1301x"), Strings{"row1301"});
  EXPECT_EQ(documents(), 1301);
}

// As after a process was killed while it wrote to the store.
TEST_F(SqlDocumentsTest, AStoreBetweenTwoStatesIsRepaired) {
  const auto sql = MakeTable();
  EXPECT_EQ(Found(*sql, "pond"), Strings{"heron.md"});
  Write("stray.jsonl",
        "{\"path\": \"heron.md\", \"text\": \"Half a pond.\", \"source\": \"x\"}\n"
        "{\"path\": \"stray\", \"text\": \"A stray pond.\"}\n");
  const std::string store = Store();
  ASSERT_EQ(Run({"rm", "--store", store, ".recall-position"}).exit, 0);
  ASSERT_EQ(Run({"rm", "--store", store, "plan.txt"}).exit, 0);
  ASSERT_EQ(Run({"add", "--store", store, "--jsonl", Path("stray.jsonl")}).exit, 0);
  EXPECT_EQ(Found(*sql, "pond"), Strings{"heron.md"});
  EXPECT_EQ(Found(*sql, "half"), Strings{});
  EXPECT_EQ(Found(*sql, "retry"), Strings{"plan.txt"});
  EXPECT_EQ(Run({"doctor", "--store", store}).exit, 0);
}

TEST_F(SqlDocumentsTest, IsRenamedVacuumedAndDropped) {
  const auto sql = MakeTable();
  EXPECT_EQ(Found(*sql, "pond"), Strings{"heron.md"});
  sql->Do("DELETE FROM docs WHERE path = 'kingfisher.md'");
  sql->Do("ALTER TABLE docs RENAME TO papers; VACUUM");
  EXPECT_EQ(sql->Rows("SELECT rowid, path FROM papers WHERE papers MATCH 'pond retry' "
                      "ORDER BY rowid"),
            (SqlRows{{"1", "heron.md"}, {"3", "plan.txt"}}));
  sql->Do("INSERT INTO papers(path, text) VALUES('new', 'A new pond.')");
  EXPECT_EQ(sql->Value("SELECT count(*) FROM papers WHERE papers MATCH 'pond' AND k = 10 "
                       "AND filter = 'doc.path != ''plan.txt'''"),
            "2");
  EXPECT_EQ(Stores().size(), 1u);
  sql->Do("BEGIN; DROP TABLE papers; ROLLBACK");
  EXPECT_EQ(sql->Values("SELECT path FROM papers WHERE papers MATCH 'retry' LIMIT 1"),
            Strings{"plan.txt"});
  sql->Do("DROP TABLE papers");
  EXPECT_EQ(Stores(), Strings{});
  EXPECT_EQ(sql->Rows("SELECT name FROM sqlite_schema").size(), 0u);
}

TEST_F(SqlDocumentsTest, IsSearchedInMemoryAndReadOnly) {
  SqlConnection memory(":memory:");
  memory.Do(kCreate);
  memory.Do("INSERT INTO docs(path, text) VALUES('a', 'A heron.')");
  EXPECT_EQ(Found(memory, "heron"), Strings{"a"});
  MakeTable().reset();
  {
    SqlConnection reader("file:" + Path("own.db") + "?mode=ro");
    EXPECT_EQ(Found(reader, "pond"), Strings{"heron.md"});
    EXPECT_EQ(Stores(), Strings{}) << "nothing is written beside it";
  }
  EXPECT_EQ(Found(*Connect(), "pond"), Strings{"heron.md"});
  SqlConnection reader("file:" + Path("own.db") + "?mode=ro");
  EXPECT_EQ(Found(reader, "retry"), Strings{"plan.txt"}) << "in the store that is there";
}

TEST_F(SqlDocumentsTest, IsInAnAttachedDatabaseAndFilledByTriggers) {
  SqlConnection sql(Path("main.db"));
  sql.Do("ATTACH '" + Path("own.db") + "' AS own");
  sql.Do(
      "CREATE VIRTUAL TABLE own.docs USING recall(embedding = hash);"
      "CREATE TABLE own.mail(id INTEGER PRIMARY KEY, body TEXT);"
      "CREATE TRIGGER own.added AFTER INSERT ON mail BEGIN "
      "  INSERT INTO docs(path, text) VALUES('mail/' || new.id, new.body); END;"
      "CREATE TRIGGER own.removed AFTER DELETE ON mail BEGIN "
      "  DELETE FROM docs WHERE path = 'mail/' || old.id; END;"
      "INSERT INTO mail(body) VALUES('About herons.'), ('About herons and plans.')");
  EXPECT_EQ(Found(sql, "herons"), (Strings{"mail/1", "mail/2"}));
  sql.Do("DELETE FROM mail WHERE id = 1");
  EXPECT_EQ(Found(sql, "herons"), Strings{"mail/2"});
  sql.Do("CREATE VIEW own.found AS SELECT path FROM docs WHERE docs MATCH 'herons'");
  EXPECT_EQ(sql.Values("SELECT path FROM found"), Strings{"mail/2"});
}

// ---- A reference model

// Rows by their paths, each with one word that no other version of a row has.
using Model = std::map<std::string, std::string>;

class RandomHistory final {
 public:
  RandomHistory(SqlConnection* sql, uint64_t seed) : sql_(sql), random_(seed) {}

  void Step() {
    switch (random_() % 8) {
      case 0:
      case 1:
      case 2:
        return Put();
      case 3:
        return Rename();
      case 4:
        return Remove();
      case 5:
        return BeginOrEnd();
      case 6:
        return Savepoint();
      default:
        return Check();
    }
  }
  // Each version of a row that ever was is found exactly if it is one now.
  void Check() {
    std::map<std::string, std::string> path_of;
    for (const auto& [path, word] : model_) path_of[word] = path;
    for (int i = 0; i < 6 && next_word_ > 0; ++i) {
      const std::string word = Word(random_() % next_word_);
      const auto there = path_of.find(word);
      EXPECT_EQ(Found(*sql_, word), there == path_of.end() ? Strings{} : Strings{there->second})
          << word;
    }
    EXPECT_EQ(Found(*sql_, "heron").size(), model_.size());
    EXPECT_EQ(sql_->Rows("SELECT path FROM docs").size(), model_.size());
  }

 private:
  static std::string Word(uint64_t number) { return "word" + std::to_string(number) + "x"; }
  std::string Path() { return "row" + std::to_string(random_() % 12) + ".md"; }

  void Put() {
    const std::string path = Path();
    const std::string word = Word(next_word_++);
    sql_->Do("REPLACE INTO docs(path, text) VALUES('" + path + "', 'A heron. " + word + "')");
    model_[path] = word;
  }
  void Rename() {
    const std::string from = Path();
    const std::string to = Path();
    sql_->Do("UPDATE OR REPLACE docs SET path = '" + to + "' WHERE path = '" + from + "'");
    if (from == to || !model_.contains(from)) return;
    model_[to] = model_[from];
    model_.erase(from);
  }
  void Remove() {
    const std::string path = Path();
    sql_->Do("DELETE FROM docs WHERE path = '" + path + "'");
    model_.erase(path);
  }
  void BeginOrEnd() {
    if (saved_.empty()) {
      sql_->Do("BEGIN");
      saved_.push_back(model_);
      return;
    }
    const bool keeps = random_() % 2 == 0;
    sql_->Do(keeps ? "COMMIT" : "ROLLBACK");
    if (!keeps) model_ = saved_.front();
    saved_.clear();
  }
  void Savepoint() {
    if (saved_.empty()) return;
    if (saved_.size() == 1 || random_() % 2 == 0) {
      sql_->Do("SAVEPOINT s" + std::to_string(saved_.size()));
      saved_.push_back(model_);
      return;
    }
    sql_->Do("ROLLBACK TO s" + std::to_string(saved_.size() - 1));
    model_ = saved_.back();
  }

  SqlConnection* const sql_;
  std::mt19937_64 random_;
  uint64_t next_word_ = 0;
  Model model_;
  std::vector<Model> saved_;  // when the transaction and its savepoints began
};

TEST_F(SqlDocumentsTest, FindsExactlyTheRowsOfARandomHistory) {
  for (const uint64_t seed : {1u, 2u}) {
    const std::string name = "random" + std::to_string(seed) + ".db";
    const auto sql = Connect(name);
    sql->Do(kCreate);
    RandomHistory history(sql.get(), seed);
    for (int i = 0; i < 250 && !HasFailure(); ++i) history.Step();
    history.Check();
  }
}

}  // namespace
}  // namespace recall
