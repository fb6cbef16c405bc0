#include "cli/setup/watch/pending_changes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace recall {
namespace {

using Paths = std::vector<std::string>;

constexpr PendingChanges::Timing kTiming{.quiet_micros = 200, .most_micros = 2000};

TEST(PendingChangesTest, NothingIsDueWithoutAChange) {
  PendingChanges pending(kTiming);
  EXPECT_EQ(pending.due(), std::nullopt);
  pending.Note("/a", 1000);
  pending.Take();
  EXPECT_EQ(pending.due(), std::nullopt);
}

TEST(PendingChangesTest, ABatchIsDueAfterSilence) {
  PendingChanges pending(kTiming);
  pending.Note("/a", 1000);
  EXPECT_EQ(pending.due(), 1200);
  pending.Note("/a", 1100);
  EXPECT_EQ(pending.due(), 1300) << "the file is still written to";
}

TEST(PendingChangesTest, ConstantChangesDoNotDelayForEver) {
  PendingChanges pending(kTiming);
  for (int64_t now = 1000; now <= 9000; now += 100) pending.Note("/log", now);
  EXPECT_EQ(pending.due(), 3000);
  pending.Take();
  pending.Note("/log", 9100);
  EXPECT_EQ(pending.due(), 9300) << "a new batch has a limit of its own";
}

TEST(PendingChangesTest, ManyEventsAreOnePath) {
  PendingChanges pending(kTiming);
  for (const char* path : {"/t/b", "/t/a", "/t/b", "/t/b"}) pending.Note(path, 1);
  EXPECT_EQ(pending.Take().paths, (Paths{"/t/a", "/t/b"}));
  EXPECT_EQ(pending.Take().paths, Paths()) << "each change is taken once";
}

TEST(PendingChangesTest, ADirectoryCoversWhatIsBelowIt) {
  PendingChanges pending(kTiming);
  for (const char* path : {"/t/a/x", "/t/a-b", "/t/a/y/z", "/t/a", "/t/ab"}) pending.Note(path, 1);
  const PendingChanges::Batch batch = pending.Take();
  EXPECT_EQ(batch.paths, (Paths{"/t/a", "/t/a-b", "/t/ab"}));
  EXPECT_TRUE(batch.Covers("/t/a/y"));
  EXPECT_TRUE(batch.Covers("/t/a"));
  EXPECT_FALSE(batch.Covers("/t"));
  EXPECT_FALSE(batch.Covers("/t/abc"));
  pending.Note("/x", 1);
  pending.Note("/", 1);
  EXPECT_EQ(pending.Take().paths, Paths{"/"});
}

TEST(PendingChangesTest, EverythingCoversAllPaths) {
  PendingChanges pending(kTiming);
  pending.Note("/a", 1000);
  pending.NoteEverything(1100);
  pending.Note("/b", 1150);
  EXPECT_EQ(pending.due(), 1350);
  const PendingChanges::Batch batch = pending.Take();
  EXPECT_TRUE(batch.everything);
  EXPECT_EQ(batch.paths, Paths());
  EXPECT_TRUE(batch.Covers("/c"));
  EXPECT_FALSE(pending.Take().everything);
}

TEST(PendingChangesTest, AFailedBatchWaits) {
  PendingChanges pending(kTiming);
  pending.Note("/a", 1000);
  pending.HoldUntil(60'000);
  EXPECT_EQ(pending.due(), 60'000);
  pending.Note("/b", 2000);
  EXPECT_EQ(pending.due(), 60'000);
  pending.Take();
  pending.Note("/c", 61'000);
  EXPECT_EQ(pending.due(), 61'200) << "the next batch does not";
}

}  // namespace
}  // namespace recall
