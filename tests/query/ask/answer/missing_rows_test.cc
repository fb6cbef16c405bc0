// A row that another row or an index names, and that is missing, is damage: no question that meets
// it says that there is no such thing.

#include <gtest/gtest.h>

#include <functional>

#include "tests/query/maintenance/store_faults.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

struct Question {
  std::string name;
  std::function<Status(Database&)> ask;
};

class MissingRowsTest : public QueryFixture {
 protected:
  void MakeDocuments() {
    for (int i = 0; i < 12; ++i) {
      const std::string number = std::to_string(i);
      WriteFile("f" + number + ".md", "needle word" + number + " in the same text");
    }
    Add();
    database_.reset();
    std::filesystem::copy_file(StorePath(), sound_);
  }

  void Damage(const std::string& sql) {
    database_.reset();
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(StorePath() + suffix);
    std::filesystem::copy_file(sound_, StorePath(),
                               std::filesystem::copy_options::overwrite_existing);
    RunSql(StorePath(), sql);
    Reopen();
  }

  static Question Rql(const std::string& rql) {
    return {rql, [rql](Database& database) {
              QueryRequest request;
              request.rql = rql;
              return internal::ToStatus(database.Query(request));
            }};
  }

  // Questions that meet every document; none names one.
  static std::vector<Question> Questions() {
    return {
        {"search",
         [](Database& database) {
           SearchRequest request;
           request.text = "needle";
           request.k = 100;
           return internal::ToStatus(database.Search(request));
         }},
        {"context",
         [](Database& database) {
           ContextRequest request;
           request.search.text = "needle";
           return internal::ToStatus(database.Context(request));
         }},
        {"similar",
         [](Database& database) {
           SimilarRequest request;
           request.target = "f0.md";
           request.search.k = 100;
           return internal::ToStatus(database.Similar(request));
         }},
        {"export",
         [](Database& database) {
           return internal::ToStatus(
               database.Export({}, [](std::string_view) { return Status::Ok(); }));
         }},
        Rql("FROM chunk USING lexical('needle') LIMIT 100 SELECT doc.path, chunk.text"),
        Rql("FROM doc USING lexical('needle') LIMIT 100 SELECT doc.path"),
        Rql("FROM chunk LIMIT 100 SELECT doc.path, chunk.text"),
        Rql("FROM chunk ORDER BY chunk.tokens LIMIT 100 SELECT doc.path, chunk.text"),
        Rql("FROM chunk FILTER chunk.text LIKE '%needle%' LIMIT 100 SELECT doc.path"),
        Rql("FROM doc LIMIT 100 SELECT doc.path"),
    };
  }

  const std::string sound_ = dir_ / ".sound.db";
};

TEST_F(MissingRowsTest, AreCorruptionInEveryAnswer) {
  MakeDocuments();
  for (const char* sql :
       {"DELETE FROM doc WHERE id = 7", "DELETE FROM chunk WHERE id = 7",
        "DELETE FROM chunk WHERE doc = 7", "DELETE FROM text_block WHERE id = 7"}) {
    Damage(sql);
    int refused = 0;
    for (const Question& question : Questions()) {
      SCOPED_TRACE(std::string(sql) + ": " + question.name);
      const Status status = question.ask(*database_);
      if (status.ok()) continue;
      ++refused;
      EXPECT_EQ(status.code(), StatusCode::kCorruption) << status.ToString();
      EXPECT_NE(status.hint().find("recall doctor"), std::string::npos) << status.ToString();
    }
    EXPECT_GE(refused, 2) << sql;
  }
}

TEST_F(MissingRowsTest, WhatAUserNamesIsNotFound) {
  MakeDocuments();
  Damage("DELETE FROM doc WHERE id = 7");
  EXPECT_EQ(database_->Get({.target = "nowhere.md", .verify = false}).error().code(),
            StatusCode::kNotFound);
  SimilarRequest request;
  request.target = "nowhere.md";
  EXPECT_EQ(database_->Similar(request).error().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace recall
