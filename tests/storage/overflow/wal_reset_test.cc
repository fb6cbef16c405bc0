// SQLite before 3.51.3 can lose commits if one connection starts to checkpoint a WAL that is
// already checkpointed while another connection restarts it (https://sqlite.org/wal.html, "The
// WAL-Reset Bug"). A reader that checkpoints must therefore block writers. In this test a writer
// commits at the two critical moments, by hooks in the reader's file.

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <functional>

#include "storage/overflow/checkpointed_snapshot.h"
#include "storage/overflow/file_mapping.h"
#include "storage/sqlite/connection.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

// Calls hooks while SQLite runs a checkpoint for a connection.
class CopyHooks final {
 public:
  explicit CopyHooks(Connection& connection) {
    g_hooks = this;
    sqlite3_file_control(connection.handle(), "main", SQLITE_FCNTL_FILE_POINTER, &file_);
    real_ = file_->pMethods;
    hooked_ = *real_;
    hooked_.xShmLock = [](sqlite3_file* file, int first, int count, int flags) {
      constexpr int kCheckpointLock = 1;
      if (first == kCheckpointLock && (flags & SQLITE_SHM_LOCK) != 0) Run(g_hooks->before);
      return g_hooks->real_->xShmLock(file, first, count, flags);
    };
    // SQLite calls xUnfetch when the WAL has changed, after it has read the header of the WAL
    // index.
    hooked_.xUnfetch = [](sqlite3_file* file, sqlite3_int64 offset, void* page) {
      if (!g_hooks->before) Run(g_hooks->after_header);
      return g_hooks->real_->xUnfetch(file, offset, page);
    };
    file_->pMethods = &hooked_;
  }
  ~CopyHooks() { file_->pMethods = real_; }

  std::function<void()> before;        // at the start of the checkpoint
  std::function<void()> after_header;  // after the WAL's length was read

 private:
  static void Run(std::function<void()>& hook) {
    if (const auto once = std::exchange(hook, nullptr)) once();
  }

  static CopyHooks* g_hooks;
  sqlite3_file* file_ = nullptr;
  const sqlite3_io_methods* real_;
  sqlite3_io_methods hooked_;
};
CopyHooks* CopyHooks::g_hooks = nullptr;

class WalResetTest : public QueryFixture {
 protected:
  // Returns: true if the commit succeeded.
  bool TryAdd(const std::string& name, size_t words) {
    std::mt19937_64 random(std::hash<std::string>()(name));
    WriteFile(name, name + "\n" + RandomText(random, words));
    AddRequest request;
    request.paths = {dir_ / name};
    request.threads = 1;
    const auto added = database_->Add(request);
    if (added) committed_.push_back(name);
    EXPECT_TRUE(added || added.error().code() == StatusCode::kBusy) << added.error().ToString();
    return added.has_value();
  }

  std::vector<std::string> committed_;
};

TEST_F(WalResetTest, NoCommitIsLostWhenAReaderCopiesTheWal) {
  Reopen({.busy_timeout_ms = 20});
  ASSERT_OK_AND_ASSIGN(const auto reader, Connection::Open(StorePath(), {}));
  {
    ASSERT_OK_AND_ASSIGN(const auto old_reader, Connection::Open(StorePath(), {}));
    ASSERT_OK(BeginSnapshot(*old_reader));
    ASSERT_TRUE(TryAdd("first.txt", 50'000));  // stays in the WAL
  }
  int tries = 0;
  {
    CopyHooks hooks(*reader);
    hooks.before = [&] { ++tries, TryAdd("second.txt", 300); };       // would run a checkpoint
    hooks.after_header = [&] { ++tries, TryAdd("third.txt", 300); };  // would restart the WAL
    ASSERT_OK(BeginCheckpointedSnapshot(*reader, FileMapping::DescriptorOf(StorePath())));
    ASSERT_OK(reader->Execute("COMMIT"));
  }
  EXPECT_GE(tries, 1) << "or this tests nothing";
  // Commits until the WAL is longer than before and then restarts.
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(TryAdd(std::to_string(i) + ".txt", 300));
  Reopen();
  ExpectHealthy();
  EXPECT_EQ(database_->Stats()->store.docs, static_cast<int64_t>(committed_.size()));
}

}  // namespace
}  // namespace recall
