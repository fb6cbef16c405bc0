#include "storage/sqlite/verified_pages.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <thread>
#include <vector>

#include "storage/file_io/file_descriptor.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/page_vfs.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kSharedPageBytes = 65536;
constexpr UnixNanos kOneHour = 3'600'000'000'000;
constexpr UnixNanos kWritten = 20'000 * kOneHour;
constexpr UnixNanos kLater = kWritten + VerifiedPages::kQuiet;
constexpr FileState kFileState{.device = 1,
                               .inode = 2,
                               .bytes = 300 * uint64_t{kSharedPageBytes},
                               .modified = kWritten,
                               .changed = kWritten};

class VerifiedPagesTest : public ::testing::Test {
 protected:
  std::unique_ptr<VerifiedPages> Open(const FileState& state = kFileState, UnixNanos now = kLater) {
    return VerifiedPages::Open(dir_.path(), state, kSharedPageBytes, now);
  }

  TempDir dir_;
};

TEST_F(VerifiedPagesTest, WhatOneFindsAllFind) {
  const auto one = Open();
  const auto other = Open();
  ASSERT_TRUE(one != nullptr && other != nullptr);
  EXPECT_EQ(other->Find(7), 0u);
  one->Add(7, VerifiedPages::kChecksum);
  one->Add(7, VerifiedPages::kCells);
  one->Add(300, VerifiedPages::kPayload);
  EXPECT_EQ(other->Find(7), VerifiedPages::kChecksum | VerifiedPages::kCells);
  EXPECT_EQ(other->Find(300), VerifiedPages::kPayload);
  EXPECT_EQ(other->Find(8), 0u);
  EXPECT_EQ(Open()->Find(7), VerifiedPages::kChecksum | VerifiedPages::kCells);
}

TEST_F(VerifiedPagesTest, PagesBeyondTheFileAreUnknown) {
  const auto pages = Open();
  for (const uint32_t page : {0u, 301u, UINT32_MAX}) {
    pages->Add(page, VerifiedPages::kChecksum);
    EXPECT_EQ(pages->Find(page), 0u) << page;
  }
}

// Every property of the file that a write can change.
TEST_F(VerifiedPagesTest, AChangedFileIsUnknown) {
  std::vector<FileState> changed(3, kFileState);
  changed[0].bytes += kSharedPageBytes;
  changed[1].modified += 1;
  changed[2].changed += 1;
  for (const FileState& state : changed) {
    const auto before = Open();
    before->Add(7, VerifiedPages::kChecksum);
    const auto after = Open(state, kLater + 1);
    ASSERT_NE(after, nullptr);
    EXPECT_EQ(after->Find(7), 0u);
    // A process that still has the former file spoils nothing.
    before->Add(8, VerifiedPages::kChecksum);
    EXPECT_EQ(after->Find(8), 0u);
    EXPECT_EQ(Open()->Find(7), 0u) << "the file of the former state was replaced";
  }
  FileState other = kFileState;
  other.inode += 1;
  Open()->Add(7, VerifiedPages::kChecksum);
  EXPECT_EQ(Open(other)->Find(7), 0u);
  EXPECT_EQ(Open()->Find(7), VerifiedPages::kChecksum) << "another file has its own";
}

// Two writes within a tick of the clock can leave the same times.
TEST_F(VerifiedPagesTest, NothingIsSharedOfAFileThatWasJustWritten) {
  EXPECT_EQ(Open(kFileState, kLater - 1), nullptr);
  EXPECT_EQ(Open(kFileState, kWritten - kOneHour), nullptr) << "the clock was set back";
  FileState renamed = kFileState;
  renamed.changed += kOneHour;
  EXPECT_EQ(Open(renamed, kLater), nullptr);
  FileState small = kFileState;
  small.bytes = VerifiedPages::kLeastBytes - 1;
  EXPECT_EQ(Open(small), nullptr);
}

TEST_F(VerifiedPagesTest, Expires) {
  Open()->Add(7, VerifiedPages::kChecksum);
  EXPECT_NE(Open(kFileState, kLater + VerifiedPages::kLifetime - 1)->Find(7), 0u);
  EXPECT_EQ(Open(kFileState, kLater - 1 + VerifiedPages::kLifetime + 1)->Find(7), 0u);
  Open(kFileState, kLater + kOneHour)->Add(9, VerifiedPages::kChecksum);
  EXPECT_EQ(Open(kFileState, kLater)->Find(9), 0u) << "made in the future: the clock was set back";
}

TEST_F(VerifiedPagesTest, AFileThatOthersMayChangeOrThatIsDamagedIsReplaced) {
  Open()->Add(7, VerifiedPages::kChecksum);
  const fs::path file = fs::directory_iterator(dir_.path())->path();
  fs::permissions(file, fs::perms::group_write, fs::perm_options::add);
  EXPECT_EQ(Open()->Find(7), 0u);

  for (const uintmax_t bytes : {uintmax_t{0}, uintmax_t{63}, fs::file_size(file) - 8}) {
    Open()->Add(7, VerifiedPages::kChecksum);
    fs::resize_file(file, bytes);
    EXPECT_EQ(Open()->Find(7), 0u) << bytes;
  }
  Open()->Add(7, VerifiedPages::kChecksum);
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(9).put('x');
  EXPECT_EQ(Open()->Find(7), 0u);

  // A link that somebody else has placed leads nowhere.
  fs::remove(file);
  const fs::path target = dir_.path() + "/target";
  std::ofstream(target) << "theirs";
  fs::create_symlink(target, file);
  const auto pages = Open();
  EXPECT_EQ(fs::file_size(target), 6u);
  ASSERT_NE(pages, nullptr);
  EXPECT_FALSE(fs::is_symlink(file));
}

TEST_F(VerifiedPagesTest, ADirectoryThatCannotBeWrittenSharesNothing) {
  const auto open = [](const std::string& directory) {
    return VerifiedPages::Open(directory, kFileState, kSharedPageBytes, kLater);
  };
  EXPECT_EQ(open(dir_.path() + "/no/where"), nullptr);
  EXPECT_NE(open(dir_.path() + "/new"), nullptr);
  // Others could put a file of theirs there.
  const std::string shared = dir_.path() + "/shared";
  fs::create_directory(shared);
  fs::permissions(shared, fs::perms::all);
  EXPECT_EQ(open(shared), nullptr);
  fs::create_directory_symlink(dir_.path() + "/new", dir_.path() + "/link");
  EXPECT_EQ(open(dir_.path() + "/link"), nullptr);
  EXPECT_EQ(VerifiedPagesOfFile("").Follow(-1, kSharedPageBytes), nullptr);
}

TEST_F(VerifiedPagesTest, AFileThatWasJustMadeIsNotFollowed) {
  const std::string path = dir_ / "recall.db";
  std::ofstream(path) << std::string(VerifiedPages::kLeastBytes, 'x');
  const FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  VerifiedPagesOfFile pages(dir_.path());
  EXPECT_EQ(pages.Follow(file.get(), kSharedPageBytes), nullptr);
}

TEST_F(VerifiedPagesTest, ThreadsAddAtOnce) {
  const auto pages = Open();
  std::vector<std::thread> threads;
  for (uint64_t bit = 0; bit < 4; ++bit) {
    threads.emplace_back([&, bit] {
      for (uint32_t page = 1; page <= 300; ++page) Open()->Add(page, uint64_t{1} << bit);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint32_t page = 1; page <= 300; ++page) EXPECT_EQ(pages->Find(page), 15u) << page;
}

// ---- Pages of a database ------------------------------------------------------------------------

// A database that has a page of large text, and its bytes with a wrong one on each of these pages.
class VerifiedDatabaseTest : public VerifiedPagesTest {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(const auto made,
                         Connection::Open(path_, {.mode = ConnectionMode::kCreate}));
    ASSERT_OK(made->Execute(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT);"
        "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 4000)"
        " INSERT INTO t SELECT i, hex(i * 7919) || printf('%.*c', 200, 'x') FROM n"));
  }

  Result<int64_t> Sum(const VerifiedPages* shared,
                      PageVerification verify = PageVerification::kFirstUse) {
    RECALL_ASSIGN(const auto connection, Connection::Open(path_, {.verify_pages = verify}));
    connection->page_file()->ShareVerification(shared);
    return connection->QueryInt("SELECT sum(length(replace(a, 'y', ''))) FROM t");
  }

  // Changes a byte of a text on a leaf, and not the checksum. The root of the tree may have texts
  // left of when it was a leaf, and newer versions of SQLite do not map the last page of a file.
  void Damage() {
    std::ifstream in(path_, std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(in), {});
    const size_t at = bytes.find("xxxx", bytes.size() / 2);
    ASSERT_LT(at, bytes.size() - kSharedPageBytes);
    std::fstream(path_, std::ios::in | std::ios::out | std::ios::binary)
        .seekp(static_cast<std::streamoff>(at))
        .put('y');
  }

  const std::string path_ = dir_ / "recall.db";
};

TEST_F(VerifiedDatabaseTest, APageThatAnotherProcessHasVerifiedIsNotComparedAgain) {
  const auto shared = Open();
  ASSERT_OK_AND_ASSIGN(const int64_t sum, Sum(shared.get()));
  Damage();
  EXPECT_EQ(Sum(nullptr).error().code(), StatusCode::kCorruption);
  // The same state is stated, as if the page had decayed in memory.
  ASSERT_OK_AND_ASSIGN(const int64_t trusting, Sum(shared.get()));
  EXPECT_EQ(trusting, sum - 1);
  EXPECT_EQ(Sum(shared.get(), PageVerification::kAlways).error().code(), StatusCode::kCorruption);
  // To write to the file changes its state.
  FileState written = kFileState;
  written.changed += 1;
  EXPECT_EQ(Sum(Open(written, kLater + 1).get()).error().code(), StatusCode::kCorruption);
}

TEST_F(VerifiedDatabaseTest, ADamagedPageIsNeverSharedAsVerified) {
  const auto shared = Open();
  Damage();
  for (int process = 0; process < 3; ++process) {
    EXPECT_EQ(Sum(shared.get()).error().code(), StatusCode::kCorruption) << process;
  }
}

// Who does not compare pages does not vouch for them.
TEST_F(VerifiedDatabaseTest, AProcessThatVerifiesNothingSharesNothing) {
  const auto shared = Open();
  ASSERT_OK(Sum(shared.get(), PageVerification::kNever));
  for (uint32_t page = 1; page <= 300; ++page) EXPECT_EQ(shared->Find(page), 0u) << page;
}

}  // namespace
}  // namespace recall
