#include "storage/replica/replica_files.h"

#include <atomic>
#include <thread>
#include <vector>

#include "storage/sqlite/connection.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Page = std::vector<uint8_t>;

PageEpoch EpochOf(int64_t number) { return {number, 1000 + number, 1}; }
Page PageOf(int64_t number) {
  return Page(PageSource::kPageBytes, static_cast<uint8_t>(number % 251));
}

// A replica of one page, as its own process and another one have it open.
struct TwoViews {
  TwoViews() {
    EXPECT_OK(own.Open(directory.path()));
    EXPECT_OK(other.Open(directory.path()));
    EXPECT_OK(own.Resize(1));
  }
  const TempDir directory;
  ReplicaFiles own;
  ReplicaFiles other;
};

TEST(ReplicaFilesTest, APageIsReadAtItsEpochOnly) {
  TwoViews views;
  ReplicaFiles& own = views.own;
  ReplicaFiles& other = views.other;
  own.SetEpoch(EpochOf(7));
  Page page(PageSource::kPageBytes);
  EXPECT_FALSE(other.ReadPageOf(EpochOf(7), 1, page)) << "absent";
  ASSERT_TRUE(own.WritePage(1, PageOf(7)));
  own.SetPresent(1, true);
  EXPECT_TRUE(other.ReadPageOf(EpochOf(7), 1, page));
  EXPECT_EQ(page, PageOf(7));
  EXPECT_FALSE(other.ReadPageOf(EpochOf(6), 1, page));
  EXPECT_FALSE(other.ReadPageOf({7, 1, 1}, 1, page)) << "another commit with its number";
  own.DropAll();
  EXPECT_FALSE(other.ReadPageOf(EpochOf(7), 1, page));
}

// A writer begins a transaction in each epoch, writes the page, and rolls that back. The reader has
// no lock.
TEST(ReplicaFilesTest, APageThatChangesMeanwhileIsNotRead) {
  constexpr int64_t kEpochs = 10'000;
  TwoViews views;
  ReplicaFiles& own = views.own;
  ReplicaFiles& other = views.other;
  const Page rolled_back(PageSource::kPageBytes, 255);
  std::atomic<bool> ends = false;
  int64_t wrong = 0;
  std::thread reader([&] {
    Page page(PageSource::kPageBytes);
    while (!ends) {
      const PageEpoch epoch = other.epoch();
      if (epoch == EpochOf(epoch.number) && other.ReadPageOf(epoch, 1, page) &&
          page != PageOf(epoch.number)) {
        ++wrong;
      }
    }
  });
  for (int64_t number = 1; number <= kEpochs; ++number) {
    own.SetPresent(1, false);
    own.SetEpoch(EpochOf(number));
    EXPECT_TRUE(own.WritePage(1, PageOf(number)));
    own.SetPresent(1, true);
    own.SetPresent(1, false);
    EXPECT_TRUE(own.WritePage(1, rolled_back));
    EXPECT_TRUE(own.WritePage(1, PageOf(number)));
    own.SetPresent(1, true);
  }
  ends = true;
  reader.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ReplicaFilesTest, SomebodyElsesLockIsSeen) {
  const TempDir directory;
  ReplicaFiles files;
  ASSERT_OK(files.Open(directory.path()));
  EXPECT_FALSE(files.IsInUse());
  ASSERT_OK_AND_ASSIGN(const auto reader,
                       Connection::Open(files.path(), {.mode = ConnectionMode::kReadWrite}));
  EXPECT_FALSE(files.IsInUse());
  ASSERT_OK(reader->Execute("BEGIN; SELECT * FROM sqlite_schema"));
  EXPECT_TRUE(files.IsInUse());
  ASSERT_OK(reader->Execute("COMMIT"));
  EXPECT_FALSE(files.IsInUse());
}

}  // namespace
}  // namespace recall
