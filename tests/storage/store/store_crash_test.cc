// The state of a store after kill -9 and on a full disk.

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "storage/base/bytes.h"
#include "storage/documents/document_store.h"
#include "storage/fts5/fts_index.h"
#include "storage/sqlite/connection.h"
#include "storage/store/store.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {
namespace {

std::string TextOf(int64_t number) {
  std::string text;
  for (int i = 0; i < 9000; ++i) text += "word" + std::to_string((number + i) % 1000) + " ";
  return text;
}

// Adds a document with two chunks, their rows in the full-text index and delta records.
Status AddDoc(WriteTransaction& transaction, int64_t number) {
  const std::string text = TextOf(number);
  DocRow doc;
  doc.path = "d" + std::to_string(number);
  doc.hash = Sha256(text);
  doc.id = MakeDocId(doc.path, doc.hash);
  doc.size = static_cast<int64_t>(text.size());
  doc.chunk_count = 2;
  RECALL_ASSIGN(doc.first_chunk, transaction.AllocateChunkRows(2));
  RECALL_ASSIGN(doc.row, InsertDoc(transaction, doc, CompressText(text)));
  for (uint32_t i = 0; i < 2; ++i) {
    ChunkRow chunk;
    chunk.row = doc.first_chunk + i;
    chunk.doc_row = doc.row;
    chunk.offset = i;
    RECALL_TRY(InsertChunk(transaction, doc, chunk));
    RECALL_TRY(InsertFtsRow(transaction.connection(), chunk.row, text, ""));
    RECALL_TRY(transaction.InsertDelta(chunk.row, AsBytes("vector")));
  }
  transaction.mutable_counts().docs += 1;
  transaction.mutable_counts().chunks += 2;
  return Status::Ok();
}

Status AddBatch(Store& store, int docs) {
  RECALL_ASSIGN(const auto transaction, store.BeginWrite());
  const int64_t first = transaction->counts().docs;
  for (int64_t i = first; i < first + docs; ++i) RECALL_TRY(AddDoc(*transaction, i));
  return transaction->Commit();
}

// Checks that all tables agree with the counters, and the integrity of the file.
void ExpectSound(Store& store) {
  ASSERT_OK_AND_ASSIGN(const auto transaction, store.BeginRead());
  Connection& connection = transaction->connection();
  EXPECT_EQ(*connection.QueryText("PRAGMA integrity_check"), "ok");
  const int64_t docs = transaction->counts().docs;
  EXPECT_EQ(*connection.QueryInt("SELECT count(*) FROM doc"), docs);
  EXPECT_EQ(*connection.QueryInt("SELECT count(*) FROM chunk"), docs * 2);
  EXPECT_EQ(*connection.QueryInt("SELECT count(*) FROM vec_tail"), docs * 2);
  EXPECT_EQ(*connection.QueryInt("SELECT value FROM meta WHERE key = 'next_chunk'"), docs * 2);
  ASSERT_OK_AND_ASSIGN(const auto postings, ReadPostings(connection, {{{"word7"}}}));
  EXPECT_EQ(static_cast<int64_t>(postings[0].size()), docs * 2);
  ASSERT_OK_AND_ASSIGN(const auto rows, FindLiveDocsUnder(*transaction, ""));
  for (const DocRow& doc : rows) {
    EXPECT_OK(ReadChunksOf(*transaction, doc));
    ASSERT_OK_AND_ASSIGN(const std::string text, ReadText(*transaction, doc, 0, UINT64_MAX));
    EXPECT_EQ(Sha256(text), doc.hash) << doc.path;
  }
}

TEST(StoreCrashTest, KilledWriterLeavesWholeCommits) {
  const TempDir dir;
  const std::string path = dir / "recall.db";
  ASSERT_OK(Store::Create(path, {}));
  std::mt19937_64 random(TestSeed(1));
  int64_t committed = 0;
  for (int kill_number = 0; kill_number < 12; ++kill_number) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      // Writes a byte before each batch and another one after it.
      const auto store = Store::Open(path);
      while (store && ::write(pipe_ends[1], "b", 1) == 1 && AddBatch(**store, 3).ok() &&
             ::write(pipe_ends[1], "c", 1) == 1) {
      }
      ::_exit(1);
    }
    ::close(pipe_ends[1]);
    // Kills the child at a random time after one of the first bytes.
    char byte = 0;
    for (uint64_t i = 0, stop = 1 + random() % 4; i < stop; ++i) {
      ASSERT_EQ(::read(pipe_ends[0], &byte, 1), 1);
      committed += byte == 'c' ? 3 : 0;
    }
    ::usleep(static_cast<useconds_t>(random() % 20'000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    while (::read(pipe_ends[0], &byte, 1) == 1) committed += byte == 'c' ? 3 : 0;
    ::close(pipe_ends[0]);

    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(path, {.read_only = kill_number % 2 == 0}));
    ExpectSound(*store);
    const int64_t docs = (*store->BeginRead())->counts().docs;
    // The commit in progress may be complete; no reported one may be lost.
    EXPECT_GE(docs, committed);
    EXPECT_LE(docs, committed + 3);
    committed = docs;
  }
  EXPECT_EQ(FilesIn(dir.path()), std::set<std::string>{"recall.db"});
}

TEST(StoreCrashTest, FullDiskFailsTheCommitAndKeepsTheStore) {
  const TempDir dir;
  const std::string path = dir / "recall.db";
  {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Create(path, {}));
    ASSERT_OK(AddBatch(*store, 3));
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {4 << 20, 4 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto store = Store::Open(path);
    if (!store) ::_exit(1);
    Status status;
    for (int i = 0; i < 200 && status.ok(); ++i) status = AddBatch(**store, 20);
    if (status.code() != StatusCode::kIoError) ::_exit(2);
    if (status.message().find("limit on the size of files") == std::string_view::npos) ::_exit(3);
    // The same Store can still read the committed documents.
    const auto transaction = (*store)->BeginRead();
    ::_exit(transaction && (*transaction)->counts().docs >= 3 ? 0 : 4);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(path));
  ExpectSound(*store);
  EXPECT_OK(AddBatch(*store, 3));
}

TEST(StoreCrashTest, PageLimitIsADiskThatIsFull) {
  const TempDir dir;
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Create(dir / "recall.db", {}));
  ASSERT_OK(AddBatch(*store, 1));
  {
    const auto transaction = Must(store->BeginRead());
    ASSERT_OK(transaction->connection().Execute("PRAGMA max_page_count=1"));
  }
  Status status;
  for (int i = 0; i < 100 && status.ok(); ++i) status = AddBatch(*store, 10);
  EXPECT_EQ(status.code(), StatusCode::kIoError);
  EXPECT_NE(status.message().find("disk is full"), std::string_view::npos);
  EXPECT_FALSE(status.hint().empty());
  ExpectSound(*store);
}

}  // namespace
}  // namespace recall
