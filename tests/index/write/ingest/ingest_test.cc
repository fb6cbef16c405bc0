#include "index/write/ingest/ingest.h"

#include "index/embed/factory/embedding_space.h"
#include "index/write/ingest/archive_source.h"
#include "index/write/local/local_store.h"
#include "storage/base/thread_start.h"
#include "storage/sqlite/connection.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class IngestTest : public QueryFixture {
 protected:
  // All rows that a query can see, as text.
  std::string Dump() {
    database_.reset();
    auto connection = Connection::Open(StorePath(), {});
    EXPECT_TRUE(connection.has_value());
    std::string dump;
    for (const char* sql :
         {"SELECT group_concat(id||path||hex(hash)||first_chunk||'/'||chunk_count||'/'||tokens||"
          "'/'||lexical_tokens) FROM (SELECT * FROM doc WHERE removed_seq IS NULL ORDER BY id)",
          "SELECT group_concat(id||':'||start_byte||'-'||end_byte||'@'||offset||heading) "
          "FROM (SELECT * FROM chunk ORDER BY id)",
          "SELECT group_concat(hex(substr(data, 1, 100000))) FROM (SELECT * FROM vec_data ORDER BY "
          "id)",
          "SELECT group_concat(chunk||hex(data)) FROM (SELECT * FROM vec_tail ORDER BY chunk)",
          "SELECT group_concat(hex(data)) FROM (SELECT * FROM text_block ORDER BY id)"}) {
      const auto text = (*connection)->QueryText(sql);
      EXPECT_TRUE(text.has_value()) << text.error().ToString();
      dump += *text + "\n";
    }
    return dump;
  }
};

TEST_F(IngestTest, TheStoreIsTheSameForAnyNumberOfThreads) {
  std::mt19937_64 random(TestSeed(21));
  for (int i = 0; i < 300; ++i) {
    WriteFile("d" + std::to_string(i % 7) + "/" + std::to_string(i) + ".md",
              "# T" + std::to_string(i) + "\n\n" + RandomText(random, random() % 3000));
  }
  std::string first;
  for (const uint32_t threads : {1u, 2u, 8u}) {
    Create({});
    AddRequest request;
    request.threads = threads;
    EXPECT_EQ(Add(request).added, 300);
    const std::string dump = Dump();
    if (first.empty()) first = dump;
    EXPECT_EQ(dump, first) << threads << " threads";
  }
  for (const int64_t started : {0, 1}) {
    const ThreadShortage shortage(started);
    Create({});
    AddRequest request;
    request.threads = 8;
    EXPECT_EQ(Add(request).added, 300);
    EXPECT_EQ(Dump(), first) << started << " threads could be started";
    ExpectHealthy();
  }
}

// A document above kLargeDocumentBytes is written in pieces; all answers about it are the same.
TEST_F(IngestTest, LargeDocumentsAreWrittenWhole) {
  std::mt19937_64 random(TestSeed(22));
  std::string text;
  while (text.size() <= kLargeDocumentBytes) text += RandomText(random, 5000);
  text += "\n\nThe last sentence mentions a platypus.\n";
  WriteFile("large.txt", text);
  const AddReport report = Add();
  EXPECT_EQ(report.added, 1);
  ASSERT_OK_AND_ASSIGN(const StatsReport stats, database_->Stats());
  EXPECT_EQ(stats.segment_vectors + stats.delta_vectors, report.chunks);
  const SearchResponse response = Search("platypus", SearchMode::kLexical);
  ASSERT_EQ(response.hits.size(), 1u);
  EXPECT_NE(response.hits[0].chunk.text.find("platypus"), std::string::npos);
  ASSERT_OK_AND_ASSIGN(const GetResponse whole,
                       database_->Get({.target = "large.txt", .verify = true}));
  EXPECT_EQ(whole.chunk.text, text);
  EXPECT_EQ(whole.verify, VerifyOutcome::kSame);
  RemoveRequest purge;
  purge.targets = {"large.txt"};
  purge.purge = true;
  ASSERT_OK(database_->Remove(purge));
  EXPECT_TRUE(Search("platypus", SearchMode::kLexical).hits.empty());
}

// Directories change while they are indexed: files are removed between walk and reading.
TEST_F(IngestTest, AFileThatDisappearsFailsOnlyIfItWasNamed) {
  for (const char* name : {"d/1.txt", "d/2.txt", "d/3.tar", "d/4.txt", "e.txt", "f.txt"}) {
    WriteFile(name, "text");
  }
  database_.reset();
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
  ASSERT_OK_AND_ASSIGN(const auto space, OpenSpace(*store, nullptr));
  LocalStore writable(store.get(), space);
  BuildOptions options;
  options.store_root = dir_.path();
  options.max_file_bytes = 1 << 20;
  WalkOptions walk;
  walk.archives = true;
  const WalkResult found =
      FindFiles({dir_ / "d", dir_ / "d/4.txt", dir_ / "e.txt", dir_ / "f.txt"}, dir_.path(), walk);
  FilesAndArchives source(&found.files, walk, &options, &kNotCancelled);
  IngestCounts counts;
  // One document at a time, so that nothing is read before the first one is done.
  ASSERT_OK(IngestDocuments(
      writable, space, source, options, {.threads = 1, .in_flight_bytes = 1}, kNotCancelled,
      [&](const IngestCounts&, int64_t documents, int64_t) {
        if (documents != 1) return;
        for (const char* name : {"d/2.txt", "d/3.tar", "d/4.txt", "e.txt"}) {
          std::filesystem::remove(dir_ / name);
        }
      },
      &counts));
  EXPECT_EQ(counts.added, 2);
  const auto paths = [](const std::vector<DocumentFault>& faults) {
    std::vector<std::string> list;
    for (const DocumentFault& fault : faults) list.push_back(fault.path + ": " + fault.reason);
    return list;
  };
  const std::string removed = ": it was removed before it was read";
  const std::string missing = ": No such file or directory";
  EXPECT_EQ(paths(counts.skips),
            (std::vector<std::string>{"d/2.txt" + removed, "d/3.tar" + removed}));
  EXPECT_EQ(paths(counts.failures),
            (std::vector<std::string>{"d/4.txt" + missing, "e.txt" + missing}));
}

TEST_F(IngestTest, WhatIsNotTextIsSkippedWithAWarning) {
  WriteFile("binary.bin", std::string("\x7F"
                                      "ELF\0\0\0",
                                      7));
  WriteFile("latin1.txt", "caf\xE9");  // of another charset
  WriteFile("empty.txt", "");
  WriteFile("spaces.txt", " \n\t ");
  WriteFile("good.txt", "good");
  const AddReport report = Add();
  EXPECT_EQ(report.skipped, 1);
  EXPECT_EQ(report.added, 4);
  EXPECT_EQ(report.skips.size(), 1u);
  AddRequest small;
  small.max_file_bytes = 3;
  EXPECT_EQ(Add(small).skipped, 4);  // now too large
}

TEST_F(IngestTest, CancelKeepsWhatWasCommitted) {
  std::mt19937_64 random(23);
  for (int i = 0; i < 60; ++i) WriteFile(std::to_string(i) + ".txt", RandomText(random, 60'000));
  AddRequest request;
  request.paths = {dir_.path()};
  database_->Cancel();
  ASSERT_OK_AND_ASSIGN(const AddReport report, database_->Add(request));
  EXPECT_TRUE(report.cancelled);
  Reopen();
  EXPECT_EQ(Search("alpha").store.docs, report.added);
  EXPECT_EQ(Add().added + report.added, 60);
}

}  // namespace
}  // namespace recall
