// What the C API promises: the bytes of the program, errors as data, hostile arguments without
// harm.

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "cli/library/recall.h"
#include "tests/cli/library/c_api_fixture.h"

namespace recall {
namespace {

TEST_F(CApiTest, AnswersAreTheBytesOfTheProgram) {
  MakeStore();
  Open();
  EXPECT_EQ(Called("search", R"({"query": "fish pond", "k": 2})"),
            Printed({"search", "-k", "2", "fish", "pond"}));
  EXPECT_EQ(Called("search", R"({"query": "fish", "filter": "doc.path LIKE 'birds/%'"})"),
            Printed({"search", "--filter", "doc.path LIKE 'birds/%'", "fish"}));
  EXPECT_EQ(Called("query", R"({"rql": "FROM doc ORDER BY doc.path SELECT doc.path, doc.size"})"),
            Printed({"query", "FROM doc ORDER BY doc.path SELECT doc.path, doc.size"}));
  const std::string recent = "FROM doc FILTER doc.mtime >= '-2d' SELECT doc.path";
  EXPECT_EQ(Called("query", R"({"as_of": "2026-01-05", "rql": ")" + recent + "\"}"),
            Printed({"query", "--as-of", "2026-01-05", recent}))
      << "a time that was given is shown";
  EXPECT_EQ(Called("context", R"({"query": "retry policy", "budget_tokens": 100})"),
            Printed({"context", "--budget-tokens", "100", "retry", "policy"}));
  EXPECT_EQ(Called("get", R"({"target": "plan.txt"})"), Printed({"get", "plan.txt"}));
  EXPECT_EQ(Called("ls", ""), Printed({"ls"}));
  EXPECT_EQ(Called("stats", "{}"), Printed({"stats"}));
  EXPECT_EQ(Called("similar", R"({"target": "birds/heron.md"})"),
            Printed({"similar", "birds/heron.md"}));
  EXPECT_EQ(Called("grep", R"({"pattern": "fish"})"), Printed({"grep", "fish"}));
}

TEST_F(CApiTest, ErrorsAreTheBytesOfTheProgramToo) {
  MakeStore();
  Open();
  EXPECT_EQ(Called("get", R"({"target": "none.txt"})", RECALL_ABSENT),
            Printed({"get", "none.txt"}, 1));
  EXPECT_EQ(Called("query", R"({"rql": "FROM doc\nFILTER doc.path ="})", RECALL_USAGE),
            Printed({"query", "FROM doc\nFILTER doc.path ="}, 2));
}

TEST_F(CApiTest, FunctionsOfCommandsAnswerAsTheCommands) {
  MakeStore();
  Open();
  const Answered context([&](recall_answer** answer) {
    return recall_context(store_, "retry policy", 100, R"({"exact": true})", answer);
  });
  EXPECT_EQ(context.json(),
            Printed({"context", "--budget-tokens", "100", "--exact", "retry", "policy"}));
  const Answered text([&](recall_answer** answer) {
    return recall_get(store_, "birds/heron.md:1-3", nullptr, answer);
  });
  EXPECT_EQ(text.json(), Printed({"get", "birds/heron.md:1-3"}));
}

TEST_F(CApiTest, ErrorsHaveTheirPartsAsData) {
  MakeStore();
  Open();
  const Answered wrong([&](recall_answer** answer) {
    return recall_call(store_, "query", R"({"rql": "FROM doc\nFILTER doc.path ="})", answer);
  });
  ASSERT_NE(wrong.error(), nullptr);
  EXPECT_EQ(wrong.status, RECALL_USAGE);
  EXPECT_EQ(wrong.error()->status, RECALL_USAGE);
  EXPECT_EQ(wrong.code(), "invalid_argument");
  EXPECT_NE(wrong.message(), "");
  EXPECT_EQ(wrong.error()->line, 2);
  EXPECT_GT(wrong.error()->column, 1);
  EXPECT_NE(std::string(wrong.error()->excerpt).find('^'), std::string::npos);
  const Answered right(
      [&](recall_answer** answer) { return recall_call(store_, "ls", nullptr, answer); });
  EXPECT_EQ(right.error(), nullptr);
}

TEST_F(CApiTest, StoresThatCannotBeOpenedSayWhy) {
  recall_store* store = nullptr;
  const auto open = [&](const std::string& path, const char* options) {
    return [&store, path, options](recall_answer** answer) {
      return recall_open(path.c_str(), options, &store, answer);
    };
  };
  const Answered missing(open(Path("none.db"), nullptr));
  EXPECT_EQ(missing.status, RECALL_ENVIRONMENT);
  EXPECT_EQ(missing.code(), "store_not_found");
  EXPECT_NE(missing.message().find(Path("none.db")), std::string::npos) << missing.json();
  EXPECT_EQ(store, nullptr);
  Write("text.db", std::string(100'000, 'x'));
  const Answered damaged(open(Path("text.db"), nullptr));
  EXPECT_EQ(damaged.status, RECALL_CORRUPT) << damaged.json();
  const Answered unknown(open(Path("none.db"), R"({"creat": true})"));
  EXPECT_EQ(unknown.status, RECALL_USAGE);
  EXPECT_NE(unknown.message().find("creat"), std::string::npos);
  const Answered key(open(Path("none.db"), R"({"settings": {"colour": 1}})"));
  EXPECT_NE(key.message().find("colour"), std::string::npos);
  const Answered value(open(Path("none.db"), R"({"settings": {"threads": "many"}})"));
  EXPECT_EQ(value.status, RECALL_USAGE) << value.json();
  const Answered text(open(Path("none.db"), "create"));
  EXPECT_EQ(text.status, RECALL_USAGE);
  EXPECT_EQ(store, nullptr);
}

TEST_F(CApiTest, MakesAStoreWithItsSettings) {
  Open(
      R"({"create": true, "stable": true, "settings": {"embedding": "hash", "embedding_dim": 64}})");
  EXPECT_NE(Called("stats", "").find(R"("embedding_dim":64)"), std::string::npos)
      << Called("stats", "");
  recall_store* again = nullptr;
  EXPECT_EQ(recall_open(Path("recall.db").c_str(), R"({"create": true})", &again, nullptr),
            RECALL_OK);
  recall_close(again);
}

TEST_F(CApiTest, ExportsAreTheLinesOfTheProgram) {
  MakeStore();
  Open();
  Called("export", R"({"out": ")" + Path("lines.jsonl") + R"("})");
  EXPECT_EQ(Read("lines.jsonl"), Run({"export"}).out);
  Called("export", "{}", RECALL_USAGE);
  ASSERT_EQ(recall_save(store_, "lesson", "Wait", "Herons wait.", nullptr, nullptr), RECALL_OK);
  const std::string notes = R"({"format": "notes", "dir": ")" + Path("vault") + R"("})";
  EXPECT_NE(Called("export", notes).find(R"("files_written":1)"), std::string::npos);
}

TEST_F(CApiTest, ABackupIsAStore) {
  MakeStore();
  Open();
  const std::string request = R"({"file": ")" + Path("copy.db") + R"("})";
  Called("backup", request);
  EXPECT_NE(recall_call(store_, "backup", request.c_str(), nullptr), RECALL_OK)
      << "a file is replaced only if that is asked for";
  Called("backup", R"({"force": true, "file": ")" + Path("copy.db") + R"("})");
  const std::string text = Called("get", R"({"target": "plan.txt"})");
  recall_close(store_);
  store_ = nullptr;
  std::filesystem::rename(Path("copy.db"), Path("recall.db"));
  Open();
  EXPECT_EQ(Called("get", R"({"target": "plan.txt"})"), text);
}

TEST_F(CApiTest, TheDoctorFindsAndRepairsABitWhileTheStoreIsOpen) {
  MakeStore();
  Open();
  EXPECT_NE(Called("doctor", "").find(R"("errors":0)"), std::string::npos);
  std::fstream file(Path("recall.db"), std::ios::in | std::ios::out | std::ios::binary);
  const auto place = static_cast<std::streamoff>(std::filesystem::file_size(Path("recall.db")) / 2);
  file.seekg(place);
  const char byte = static_cast<char>(file.get() ^ 1);
  file.seekp(place);
  file.put(byte);
  file.close();
  Called("doctor", "", RECALL_CORRUPT);
  Called("doctor", R"({"fix": true})");
  EXPECT_NE(Called("doctor", "").find(R"("errors":0)"), std::string::npos);
  Called("search", R"({"query": "fish"})");
}

TEST_F(CApiTest, WhatIsHiddenIsNotCopied) {
  MakeStore();
  Open(R"({"stable": true, "scope": "doc.path LIKE 'birds/%'"})");
  Called("backup", R"({"file": ")" + Path("copy.db") + R"("})", RECALL_USAGE);
  EXPECT_FALSE(std::filesystem::exists(Path("copy.db")));
  Called("doctor", "", RECALL_USAGE);
  Called("export", R"({"out": ")" + Path("lines.jsonl") + R"("})");
  EXPECT_NE(Read("lines.jsonl").find("birds/heron.md"), std::string::npos);
  EXPECT_EQ(Read("lines.jsonl").find("plan.txt"), std::string::npos);
}

TEST_F(CApiTest, HostileArgumentsAreErrors) {
  MakeStore();
  Open();
  recall_store* store = nullptr;
  recall_hits* hits = nullptr;
  recall_set* set = nullptr;
  EXPECT_EQ(recall_open(nullptr, nullptr, &store, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_open("x", nullptr, nullptr, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_call(nullptr, "ls", nullptr, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_call(store_, nullptr, nullptr, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_search(store_, nullptr, nullptr, nullptr, &hits, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_search(store_, "fish", nullptr, nullptr, nullptr, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_context(store_, nullptr, 10, nullptr, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_context(store_, "fish", -1, nullptr, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_get(store_, nullptr, nullptr, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_add_text(store_, nullptr, "x", 1, nullptr, nullptr, 0, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_add_lines(store_, nullptr, 1, nullptr, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_save(store_, "lesson", nullptr, "x", nullptr, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_set_new(RECALL_PATHS, nullptr, 3, &set, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_set_progress(nullptr, nullptr, nullptr), RECALL_USAGE);
  EXPECT_EQ(recall_next(nullptr), nullptr);
  EXPECT_EQ(recall_count(nullptr), 0u);
  EXPECT_EQ(recall_hit_at(nullptr, 0), nullptr);
  EXPECT_EQ(std::string(recall_json(nullptr, nullptr)), "");
  recall_close(nullptr);
  recall_cancel(nullptr);
  recall_free(nullptr);
  recall_hits_free(nullptr);
  recall_set_free(nullptr);
  for (const std::string& request :
       {std::string("{"), std::string("[]"), std::string("{\"query\": \"\xff\xfe\"}"),
        std::string(R"({"query": "fish", "store": "/tmp/other.db"})"),
        std::string(R"({"query": {"a": 1}})"), std::string(100'000, '['),
        R"({"query": ")" + std::string(5 << 20, 'x')}) {
    EXPECT_EQ(recall_call(store_, "search", request.c_str(), nullptr), RECALL_USAGE)
        << request.substr(0, 60);
  }
  for (const char* command : {"serve", "browse", "bench", "SEARCH", "", "search --json"}) {
    EXPECT_EQ(recall_call(store_, command, nullptr, nullptr), RECALL_USAGE) << command;
  }
  EXPECT_EQ(Called("import", R"({"path": "-"})", RECALL_USAGE).find("\"ok\":true"),
            std::string::npos)
      << "standard input is of the host";
  EXPECT_EQ(recall_call(store_, "ls", nullptr, nullptr), RECALL_OK) << "the store still answers";
}

TEST_F(CApiTest, EightThreadsShareAStore) {
  MakeStore();
  Open();
  const std::string expected = Called("search", R"({"query": "fish"})");
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < 10; ++call) {
        recall_answer* answer = nullptr;
        const int status = recall_call(store_, "search", R"({"query": "fish"})", &answer);
        if (status != RECALL_OK || recall_json(answer, nullptr) != expected) ++wrong;
        recall_free(answer);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace recall
