#include "storage/store/store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "storage/base/bytes.h"
#include "storage/documents/document_store.h"
#include "storage/file_io/new_file.h"
#include "storage/schema/schema.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {
namespace {

int64_t AddDoc(WriteTransaction& transaction, const std::string& path) {
  DocRow doc;
  doc.path = path;
  doc.hash = Sha256(path);
  doc.id = MakeDocId(path, doc.hash);
  doc.size = static_cast<int64_t>(path.size());
  transaction.mutable_counts().docs += 1;
  return Must(InsertDoc(transaction, doc, CompressText(path)));
}

class StoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<Store> Create(const StoreSettings& settings = {}) {
    return Must(Store::Create(path_, settings));
  }
  std::unique_ptr<Store> Open(const StoreOptions& options = {}) {
    return Must(Store::Open(path_, options));
  }
  void AddDocs(Store& store, int count) {
    const auto transaction = Must(store.BeginWrite());
    for (int i = 0; i < count; ++i) {
      AddDoc(*transaction, "d" + std::to_string(next_doc_++));
    }
    ASSERT_OK(transaction->Commit());
  }

  TempDir dir_;
  std::string path_ = dir_ / "recall.db";
  int next_doc_ = 0;
};

TEST_F(StoreTest, SettingsAndIdentityLast) {
  StoreSettings settings;
  settings.embedder = "model2vec:x";
  settings.dim = 384;
  settings.chunk_tokens = 128;
  settings.overlap_tokens = 0;
  settings.tokenizer_version = 7;
  settings.signature_bits = 512;
  settings.signature_seed = UINT64_MAX;
  const std::string uuid = Create(settings)->uuid();
  EXPECT_EQ(uuid.size(), 32u);
  EXPECT_EQ(uuid.find_first_not_of("0123456789abcdef"), std::string::npos);
  const auto store = Open();
  EXPECT_EQ(store->uuid(), uuid);
  EXPECT_EQ(store->settings().embedder, "model2vec:x");
  EXPECT_EQ(store->settings().dim, 384u);
  EXPECT_EQ(store->settings().chunk_tokens, 128u);
  EXPECT_EQ(store->settings().overlap_tokens, 0u);
  EXPECT_EQ(store->settings().tokenizer_version, 7u);
  EXPECT_EQ(store->settings().signature_bits, 512u);
  EXPECT_EQ(store->settings().signature_seed, UINT64_MAX);
}

TEST_F(StoreTest, CreateNeverReplacesAFile) {
  std::ofstream(path_) << "precious";
  EXPECT_EQ(Store::Create(path_, {}).error().code(), StatusCode::kAlreadyExists);
  std::string content;
  std::getline(std::ifstream(path_), content);
  EXPECT_EQ(content, "precious");
  EXPECT_EQ(FilesIn(dir_.path()), std::set<std::string>{"recall.db"});
}

TEST_F(StoreTest, CreateWhereNothingCanBeMadeLeavesNothing) {
  const auto created = Store::Create(dir_ / "missing/recall.db", {});
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().code(), StatusCode::kIoError);
  EXPECT_FALSE(created.error().hint().empty());
  EXPECT_TRUE(FilesIn(dir_.path()).empty());
}

TEST_F(StoreTest, CreateIgnoresTheWalOfADeletedStore) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto store = Create();
    const auto reader = Open();  // keeps the WAL file
    const auto transaction = Must(reader->BeginRead());
    AddDocs(*store, 3);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_GT(std::filesystem::file_size(path_ + "-wal"), 0u);
  std::filesystem::remove(path_);
  const auto store = Create();
  const auto transaction = Must(store->BeginRead());
  EXPECT_EQ(transaction->counts().docs, 0);
  EXPECT_EQ(*transaction->connection().QueryText("PRAGMA integrity_check"), "ok");
}

TEST_F(StoreTest, OpenSaysWhatIsWrong) {
  EXPECT_EQ(Store::Open(path_).error().code(), StatusCode::kStoreNotFound);
  EXPECT_EQ(Store::Open(dir_.path()).error().code(), StatusCode::kInvalidArgument);
  std::ofstream(path_) << "not a database, whatever its name says";
  EXPECT_EQ(Store::Open(path_).error().code(), StatusCode::kCorruption);
  std::ofstream(path_, std::ios::trunc).close();
  const auto empty = Store::Open(path_);
  EXPECT_EQ(empty.error().code(), StatusCode::kCorruption);
  EXPECT_NE(empty.error().message().find("not a recall store"), std::string_view::npos);
  EXPECT_EQ(std::filesystem::file_size(path_), 0u);
}

TEST_F(StoreTest, LostSettingsAreCorruption) {
  Create();
  for (const char* sql : {"UPDATE meta SET value = 0 WHERE key = 'dim'",
                          "UPDATE meta SET value = 4294967296 WHERE key = 'dim'",
                          "DELETE FROM meta WHERE key = 'uuid'"}) {
    {
      ASSERT_OK_AND_ASSIGN(const auto connection,
                           Connection::Open(path_, {.mode = ConnectionMode::kReadWrite}));
      ASSERT_OK(connection->Execute(sql));
    }
    EXPECT_EQ(Store::Open(path_).error().code(), StatusCode::kCorruption) << sql;
  }
}

TEST_F(StoreTest, CommitsAreCountedAndCountersLast) {
  {
    const auto store = Create();
    AddDocs(*store, 2);
    const auto transaction = Must(store->BeginWrite());
    EXPECT_EQ(transaction->counts().commit_sequence, 1);
    EXPECT_EQ(*transaction->AllocateChunkRows(10), 0u);
    EXPECT_EQ(*transaction->AllocateChunkRows(5), 10u);
    transaction->mutable_counts().tokens = 77;
    ASSERT_OK(transaction->Commit());
    EXPECT_EQ(transaction->counts().commit_sequence, 2);
  }
  const auto store = Open();
  const auto transaction = Must(store->BeginWrite());
  EXPECT_EQ(transaction->counts().commit_sequence, 2);
  EXPECT_EQ(transaction->counts().docs, 2);
  EXPECT_EQ(transaction->counts().tokens, 77);
  EXPECT_EQ(*transaction->AllocateChunkRows(1), 15u);
}

TEST_F(StoreTest, ChunkRowsRunOutWithAnError) {
  const auto store = Create();
  const auto transaction = Must(store->BeginWrite());
  EXPECT_OK(transaction->AllocateChunkRows(4294967295));
  EXPECT_EQ(*transaction->AllocateChunkRows(1), 4294967295);
  EXPECT_OK(transaction->AllocateChunkRows(0));
  EXPECT_EQ(transaction->AllocateChunkRows(1).error().code(), StatusCode::kLimitExceeded);
}

TEST_F(StoreTest, DestructionRollsBack) {
  const auto store = Create();
  {
    const auto transaction = Must(store->BeginWrite());
    AddDoc(*transaction, "f");
    ASSERT_OK(transaction->InsertDelta(1, AsBytes("vector")));
  }
  const auto transaction = Must(store->BeginRead());
  EXPECT_EQ(transaction->counts().docs, 0);
  EXPECT_EQ(*FindLiveDoc(*transaction, "f"), std::nullopt);
  EXPECT_TRUE(transaction->Delta()->empty());
}

TEST_F(StoreTest, DeltaAndTombstonesComeBack) {
  const auto store = Create();
  {
    const auto transaction = Must(store->BeginWrite());
    EXPECT_EQ(*transaction->TombstoneBytes(), "");
    for (const uint32_t chunk : {7u, 4294967295u, 3u, 5u}) {
      ASSERT_OK(transaction->InsertDelta(chunk, AsBytes(std::to_string(chunk))));
    }
    ASSERT_OK(transaction->DeleteDelta(4, 5));
    EXPECT_EQ(*transaction->DeltaSize(), 3);
    ASSERT_OK(transaction->SetTombstoneBytes(AsBytes("first")));
    ASSERT_OK(transaction->SetTombstoneBytes(AsBytes(std::string_view("a\0b", 3))));
    ASSERT_OK(transaction->Commit());
  }
  const auto transaction = Must(store->BeginRead());
  ASSERT_OK_AND_ASSIGN(const auto tail, transaction->Delta());
  ASSERT_EQ(tail.size(), 3u);
  EXPECT_EQ(tail[0].chunk, 3u);
  EXPECT_EQ(tail[1].data, "7");
  EXPECT_EQ(tail[2].chunk, 4294967295u);
  EXPECT_EQ(*transaction->TombstoneBytes(), std::string("a\0b", 3));
}

TEST_F(StoreTest, SegmentsOfATransactionAreThoseItWrote) {
  const auto store = Create();
  SegmentContent content;
  content.vectors = 3;
  content.dim = 4;
  content.max_chunk = 9;
  content.sections = {{SectionKind::kChunkIds, 4, std::vector<uint8_t>(12, 1)}};
  int64_t id = 0;
  {
    const auto transaction = Must(store->BeginWrite());
    EXPECT_TRUE(transaction->Segments()->empty());
    ASSERT_OK_AND_ASSIGN(id, transaction->InsertSegment(content));
    ASSERT_OK_AND_ASSIGN(const auto segments, transaction->Segments());
    ASSERT_EQ(segments.size(), 1u);
    EXPECT_FALSE(segments[0]->mapped());
    ASSERT_OK(transaction->Commit());
  }
  {
    const auto transaction = Must(store->BeginRead());
    ASSERT_OK_AND_ASSIGN(const auto segments, transaction->Segments());
    ASSERT_EQ(segments.size(), 1u);
    EXPECT_EQ(segments[0]->info().id, id);
    EXPECT_EQ(segments[0]->info().max_chunk, 9u);
    EXPECT_TRUE(segments[0]->mapped());
  }
  EXPECT_EQ(store->access_counters().mapped, 1);
  {
    const auto untested = Open({.read_only = true, .features = SqliteFeatures{false, false}});
    const auto transaction = Must(untested->BeginRead());
    ASSERT_OK_AND_ASSIGN(const auto segments, transaction->Segments());
    EXPECT_EQ(segments[0]->info().max_chunk, 9u);
    EXPECT_FALSE(segments[0]->mapped()) << "a version of SQLite that was not tested";
  }
  const auto transaction = Must(store->BeginWrite());
  ASSERT_OK(transaction->DeleteSegment(id));
  EXPECT_TRUE(transaction->Segments()->empty());
}

TEST_F(StoreTest, ReadersSeeTheirOwnCommit) {
  const auto writer = Create();
  const auto reader = Open({.read_only = true});
  AddDocs(*writer, 1);
  {
    const auto before = Must(reader->BeginRead());
    AddDocs(*writer, 5);
    EXPECT_EQ(before->counts().docs, 1);
    EXPECT_EQ(FindLiveDocsUnder(*before, "")->size(), 1u);
  }
  const auto after = Must(reader->BeginRead());
  EXPECT_EQ(after->counts().docs, 6);
  EXPECT_EQ(after->counts().commit_sequence, 2);
  EXPECT_EQ(FindLiveDocsUnder(*after, "")->size(), 6u);
}

TEST_F(StoreTest, SecondWriterWaitsThenIsBusy) {
  const auto first = Create();
  const auto second = Open({.busy_timeout_ms = 1});
  {
    const auto transaction = Must(first->BeginWrite());
    const auto busy = second->BeginWrite();
    ASSERT_FALSE(busy);
    EXPECT_EQ(busy.error().code(), StatusCode::kBusy);
    EXPECT_FALSE(busy.error().hint().empty());
    EXPECT_OK(second->BeginRead());
  }
  EXPECT_OK(second->BeginWrite());
}

TEST_F(StoreTest, LongWaitsAreTold) {
  int told = 0;
  const auto first = Create();
  const auto second = Open({.busy_timeout_ms = 1100, .on_long_wait = [&] { ++told; }});
  const auto transaction = Must(first->BeginWrite());
  for (int i = 0; i < 2; ++i) {
    const auto busy = second->BeginWrite();
    ASSERT_FALSE(busy);
    EXPECT_EQ(busy.error().code(), StatusCode::kBusy);
  }
  EXPECT_EQ(told, 1);
}

TEST_F(StoreTest, ReadOnlyStoreRefusesToWrite) {
  Create();
  const auto store = Open({.read_only = true});
  EXPECT_TRUE(store->read_only());
  EXPECT_EQ(store->BeginWrite().error().code(), StatusCode::kInvalidArgument);
}

TEST_F(StoreTest, OneFileAtRest) {
  const std::set<std::string> one = {"recall.db"};
  {
    const auto store = Create();
    AddDocs(*store, 3);
    const auto reader = Open({.read_only = true});
    EXPECT_OK(reader->BeginRead());
    EXPECT_GT(FilesIn(dir_.path()).size(), 1u);
  }
  EXPECT_EQ(FilesIn(dir_.path()), one);
  EXPECT_EQ(Store::Create(path_, {}).error().code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(FilesIn(dir_.path()), one);
  EXPECT_OK(Open({.read_only = true})->BeginRead());
  EXPECT_EQ(FilesIn(dir_.path()), one);
  EXPECT_OK(Open({.enable_mapping = false})->BeginRead());
  EXPECT_EQ(FilesIn(dir_.path()), one);
}

TEST_F(StoreTest, LargeWalIsCutAfterCommit) {
  const auto store = Create();
  const auto transaction = Must(store->BeginWrite());
  const std::vector<std::string> blocks(80, std::string(1 << 20, 'x'));
  DocRow doc;
  doc.path = "large";
  ASSERT_OK(InsertDoc(*transaction, doc, blocks));
  ASSERT_OK(transaction->Commit());
  EXPECT_LT(std::filesystem::file_size(path_ + "-wal"), size_t{1} << 20);
}

// Runs `body` in a child process without root's privileges. Returns: its exit status, which `body`
// returns.
template <typename Body>
int AsOrdinaryUser(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(100);
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 101;
}

// 0 if the store at `path` opens for reading and has `docs` documents.
int ReadsDocs(const std::string& path, int64_t docs) {
  const auto store = Store::Open(path, {.read_only = true});
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().ToString().c_str());
    return 1;
  }
  const auto transaction = (*store)->BeginRead();
  if (!transaction) return 2;
  if ((*transaction)->counts().docs != docs) return 3;
  const auto all = FindLiveDocsUnder(**transaction, "");
  return all && static_cast<int64_t>(all->size()) == docs ? 0 : 4;
}

TEST_F(StoreTest, ReadOnlyDirectoryIsReadAlone) {
  AddDocs(*Create(), 4);
  ASSERT_EQ(::chmod(dir_.path().c_str(), 0555), 0);
  EXPECT_EQ(AsOrdinaryUser([&] { return ReadsDocs(path_, 4); }), 0);
  // For a link, the directory of the target file matters.
  const TempDir elsewhere;
  ASSERT_EQ(::chmod(elsewhere.path().c_str(), 0777), 0);
  std::filesystem::create_symlink(path_, elsewhere / "link.db");
  EXPECT_EQ(AsOrdinaryUser([&] { return ReadsDocs(elsewhere / "link.db", 4); }), 0);
  EXPECT_EQ(AsOrdinaryUser([&] {
              const auto store = Store::Open(path_);
              return !store && store.error().code() == StatusCode::kIoError &&
                             !store.error().hint().empty()
                         ? 0
                         : 1;
            }),
            0);
  EXPECT_EQ(FilesIn(dir_.path()), std::set<std::string>{"recall.db"});
  ASSERT_EQ(::chmod(dir_.path().c_str(), 0755), 0);
}

TEST_F(StoreTest, WriteProtectedFileIsRead) {
  AddDocs(*Create(), 4);
  ASSERT_EQ(::chmod(dir_.path().c_str(), 0777), 0);
  ASSERT_EQ(::chmod(path_.c_str(), 0444), 0);
  EXPECT_EQ(AsOrdinaryUser([&] { return ReadsDocs(path_, 4); }), 0);
  EXPECT_EQ(FilesIn(dir_.path()), std::set<std::string>{"recall.db"});
}

TEST_F(StoreTest, UnreadableWalIsNamed) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto store = Create();
    const auto reader = Open();
    const auto transaction = Must(reader->BeginRead());
    AddDocs(*store, 3);
    ::_exit(0);  // like a crash: the WAL stays
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  std::filesystem::remove(path_ + "-shm");
  ASSERT_GT(std::filesystem::file_size(path_ + "-wal"), 0u);
  ASSERT_EQ(::chmod(dir_.path().c_str(), 0555), 0);
  EXPECT_EQ(AsOrdinaryUser([&] {
              const auto store = Store::Open(path_, {.read_only = true});
              if (store) return 1;
              return store.error().message().find("-wal") == std::string_view::npos ? 2 : 0;
            }),
            0);
  ASSERT_EQ(::chmod(dir_.path().c_str(), 0755), 0);
  EXPECT_EQ(ReadsDocs(path_, 3), 0);
}

// If the checkpoint at closing failed, the file lacks the commits of its WAL.
TEST_F(StoreTest, AFileThatStillNeedsItsWalIsNotMovedIntoPlace) {
  std::ofstream(dir_ / "new") << "file";
  std::ofstream(dir_ / "new-wal") << "frames";
  EXPECT_EQ(MoveIntoPlace(dir_ / "new", dir_ / "there").code(), StatusCode::kIoError);
  EXPECT_NE(::access((dir_ / "there").c_str(), F_OK), 0);
}

}  // namespace
}  // namespace recall
