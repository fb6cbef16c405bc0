// How much of merging one commit does, and how many runs an index has.

#include "storage/fts5/fts_merge.h"

#include <random>
#include <string>
#include <vector>

#include "storage/base/varint.h"
#include "storage/fts5/fts_batch.h"
#include "storage/fts5/fts_structure.h"
#include "tests/storage/fts5/fts_fixture.h"

namespace recall {
namespace {

class FtsMergeTest : public FtsFixture {
 protected:
  void SetUp() override {
    FtsFixture::SetUp();
    // Small leaves, so that few words make many.
    ASSERT_OK(connection_->Execute("INSERT INTO lexicon(lexicon, rank) VALUES('pgsz', 64)"));
  }

  // Adds a row of so many different words, in a commit of its own. Returns: the rows of FTS5's
  // tables that were written, most of which are leaves.
  int64_t Commit(int words) {
    std::string body;
    for (int i = 0; i < words; ++i) {
      body += (i == 0 ? "w" : " w") + std::to_string(random_() % 1'000'000);
    }
    builder_.AddRow(body, "");
    batch_.Add(next_++, builder_.Take());
    EXPECT_OK(connection_->BeginImmediate());
    const int64_t before = connection_->TotalChanges();
    EXPECT_OK(batch_.Write(*connection_));
    const int64_t written = connection_->TotalChanges() - before;
    EXPECT_OK(connection_->Execute("COMMIT"));
    return written;
  }
  size_t Runs() {
    size_t runs = 0;
    for (const FtsLevel& level : Must(ReadFtsLevels(*connection_))) runs += level.runs.size();
    return runs;
  }
  int64_t Leaves() {
    int64_t leaves = 0;
    for (const FtsLevel& level : Must(ReadFtsLevels(*connection_))) leaves += level.leaves();
    return leaves;
  }
  void ExpectSound() {
    ASSERT_OK(connection_->Execute("INSERT INTO lexicon(lexicon) VALUES('integrity-check')"));
    ASSERT_OK(CheckFtsRunsRecord(*connection_));
    EXPECT_EQ(Must(connection_->QueryInt("SELECT count(*) FROM lexicon('w*')")),
              static_cast<int64_t>(next_) - 1);
  }

  std::mt19937_64 random_{TestSeed(5)};
  FtsPostingsBuilder builder_;
  FtsBatch batch_;
  uint32_t next_ = 1;
};

// The rows that a step of 128 leaves writes: leaves, keys of leaves, and deletions of merged ones.
constexpr int64_t kSmallStep = 1000;

TEST_F(FtsMergeTest, ANoteNeverMergesLargeRuns) {
  for (int i = 0; i < 13; ++i) Commit(20'000);
  ASSERT_GT(Leaves(), 20'000) << "some five thousand for each";
  for (int i = 0; i < 300; ++i) EXPECT_LT(Commit(10), kSmallStep) << "note " << i;
  EXPECT_LT(Runs(), 48U);
  ExpectSound();
}

// As programs before this policy left them: on level 0, whatever their sizes.
TEST_F(FtsMergeTest, RunsOfAnOlderProgramAreLifted) {
  for (int i = 0; i < 13; ++i) Commit(5000);
  std::vector<FtsRun> runs;
  const auto levels = Must(ReadFtsLevels(*connection_));
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    runs.insert(runs.end(), level->runs.begin(), level->runs.end());
  }
  std::string record(4, '\0');  // the cookie of a new index
  const auto append = [&](int64_t number) { AppendVarint(static_cast<uint64_t>(number), &record); };
  for (const int64_t number : {int64_t{1}, std::ssize(runs), Leaves()}) append(number);
  for (const int64_t number : {int64_t{0}, std::ssize(runs)}) append(number);
  for (const FtsRun& run : runs) {
    for (const int64_t number : {run.id, run.first_leaf, run.last_leaf}) append(number);
  }
  ASSERT_OK(connection_->BeginImmediate());
  {
    const FtsTablesAccess access(*connection_);
    ASSERT_OK(WriteFtsBlock(*connection_, 10, record));
  }
  ASSERT_OK(connection_->Execute("COMMIT"));
  ASSERT_EQ(Must(ReadFtsLevels(*connection_)).at(0).runs.size(), 13U);
  for (int i = 0; i < 40; ++i) EXPECT_LT(Commit(10), kSmallStep) << "note " << i;
  ExpectSound();
}

// Commits of very different sizes: what each writes is limited by what it adds, and in the long run
// each leaf is merged a few times.
TEST_F(FtsMergeTest, WorkIsInProportionAndRunsStayFew) {
  int64_t added = 0;
  int64_t written = 0;
  for (int i = 0; i < 600; ++i) {
    const int words = 1 << random_() % (random_() % 16 == 0 ? 14 : 6);
    const int64_t rows = Commit(words);
    EXPECT_LT(rows, kSmallStep + 100 * words) << "commit " << i << " of " << words << " words";
    added += words;
    written += rows;
    ASSERT_LT(Runs(), 100U) << "after commit " << i;
  }
  EXPECT_LT(written, 12 * added);
  ExpectSound();
}

}  // namespace
}  // namespace recall
