#include "storage/history/snapshot_token.h"

#include <gtest/gtest.h>

#include <map>

#include "storage/sqlite/connection.h"
#include "storage/store/store.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr std::string_view kUuid = "49542b67c0ffee00c0ffee00c0ffee00";

TEST(SnapshotTokenTest, NamesACommit) {
  EXPECT_EQ(MakeSnapshotToken(kUuid, CommitName{7}), "49542b67-7");
  EXPECT_EQ(MakeSnapshotToken(kUuid, CommitName{7, 0x2b}), "49542b67-7-002b");
  ASSERT_TRUE(ParseSnapshotToken(kUuid, "49542b67-7"));
  EXPECT_EQ(ParseSnapshotToken(kUuid, "49542b67-7")->sequence, 7);
  EXPECT_FALSE(ParseSnapshotToken(kUuid, "49542b67-7")->mark);
  ASSERT_TRUE(ParseSnapshotToken(kUuid, "49542b67-7-1a2b"));
  EXPECT_EQ(ParseSnapshotToken(kUuid, "49542b67-7-1a2b")->sequence, 7);
  EXPECT_EQ(ParseSnapshotToken(kUuid, "49542b67-7-1a2b")->mark, 0x1a2b);
}

TEST(SnapshotTokenTest, OtherTextsNameNone) {
  for (const char* text :
       {"", "49542b67", "49542b67-", "49542b66-7", "49542b67-07", "49542b67--7", "49542b67-+7",
        "49542b67-7-", "49542b67-7-1a2", "49542b67-7-1A2B", "49542b67-7-1a2b3", "49542b67-7-1a2b-",
        "49542b67-7 ", "49542b67-99999999999999999999", "49542b67-7-zzzz"}) {
    EXPECT_FALSE(ParseSnapshotToken(kUuid, text)) << text;
  }
}

TEST(SnapshotTokenTest, ATokenWithoutAMarkNamesAnyCommitOfItsNumber) {
  EXPECT_TRUE(NamesSameCommit("49542b67-7", "49542b67-7-1a2b"));
  EXPECT_TRUE(NamesSameCommit("49542b67-7-1a2b", "49542b67-7"));
  EXPECT_TRUE(NamesSameCommit("49542b67-7-1a2b", "49542b67-7-1a2b"));
  EXPECT_FALSE(NamesSameCommit("49542b67-7-1a2b", "49542b67-7-1a2c"));
  EXPECT_FALSE(NamesSameCommit("49542b67-7", "49542b67-8"));
  EXPECT_FALSE(NamesSameCommit("49542b67-7", "49542b66-7"));
}

// A copy of a store on a server has its commits, and so accepts its tokens.
TEST(SnapshotTokenTest, AFileAcceptsOnlyTheMarksOfItsCommits) {
  TempDir directory;
  const auto store = Must(Store::Create(directory / "recall.db", {}));
  for (int i = 0; i < 2; ++i) ASSERT_OK(Must(store->BeginWrite())->Commit());
  std::map<int64_t, uint16_t> marks;
  {
    const auto now = Must(store->BeginRead());
    EXPECT_FALSE(now->counts().commit_mark);
    for (const int64_t commit : {1, 2}) {
      marks[commit] = CommitMark(Must(now->connection().QueryInt(
          "SELECT committed_at FROM commit_log WHERE seq = " + std::to_string(commit))));
    }
  }
  for (const auto& [commit, mark] : marks) {
    EXPECT_EQ(Must(store->BeginReadAt({commit, mark}))->counts().commit_sequence, commit);
    const auto lost = store->BeginReadAt({commit, static_cast<uint16_t>(mark ^ 1)});
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code(), StatusCode::kExpired);
    const std::string known = MakeSnapshotToken(store->uuid(), CommitName{commit, mark});
    EXPECT_NE(lost.error().message().find(known), std::string::npos) << lost.error().message();
  }
}

}  // namespace
}  // namespace recall
