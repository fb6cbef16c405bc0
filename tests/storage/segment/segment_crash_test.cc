// Kills a writer (kill -9) at random moments, while readers in this process map and compare. The
// fault model is the death of a process, not a power failure.

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/overflow/file_mapping.h"
#include "storage/overflow/page_map.h"
#include "tests/storage/segment/segment_crash.h"
#include "tests/test_paths.h"

extern char** environ;

namespace recall::testing {
namespace {

// A segment_crash_writer process, which is killed with its owner.
class Victim final {
 public:
  Victim(const std::string& path, uint64_t seed) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::string program = BuildDir() + "/tests/storage/segment_crash_writer";
    std::string file = path;
    std::string number = std::to_string(seed);
    char* arguments[] = {program.data(), file.data(), number.data(), nullptr};
    EXPECT_EQ(posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    out_ = ends[0];
  }

  ~Victim() {
    kill(pid_, SIGKILL);
    int status = 0;
    waitpid(pid_, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        << "the writer failed by itself";
    close(out_);
  }

  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;

  // Waits until the writer starts its next change.
  bool AwaitChange() {
    char byte;
    return read(out_, &byte, 1) == 1;
  }

 private:
  pid_t pid_ = 0;
  int out_ = -1;
};

// Reads all segments in one transaction: each must have the bytes that its id determines.
void ReadAll(Handle* handle) {
  const auto readers = handle->Begin();
  for (const auto& reader : readers) EXPECT_TRUE(Shows(*reader, ContentOf(reader->info().id)));
  handle->End();
}

void Check(Handle* handle, const std::string& path) {
  ASSERT_OK(handle->catalog().BeginRead(handle->connection()));
  EXPECT_OK(handle->catalog().Check(handle->connection()));
  handle->End();
  EXPECT_EQ(RunSql(path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check='ok'"),
            1);
}

class SegmentCrashTest : public ::testing::TestWithParam<const char*> {};

TEST_P(SegmentCrashTest, ReadersSeeOnlyWholeSegments) {
  constexpr int kKills = 60;
  TempDir dir;
  const std::string path = dir / "recall.db";
  CreateSegmentFile(path, {.page_size = 4096, .journal = GetParam()});
  std::mt19937_64 random(TestSeed(5));
  auto reader = std::make_unique<Handle>(path);
  SegmentAccessCounters total;
  for (int kill_number = 1; kill_number <= kKills && !::testing::Test::HasFailure();
       ++kill_number) {
    {
      Victim victim(path, random());
      for (uint64_t changes = 2 + random() % 8; changes > 0; --changes) {
        ASSERT_TRUE(victim.AwaitChange());
        if (random() % 2 == 0) ReadAll(reader.get());
      }
    }
    ReadAll(reader.get());
    if (kill_number % 20 == 0) {
      Check(reader.get(), path);
      total.mapped += reader->counters().mapped;
      total.maps_dropped += reader->counters().maps_dropped;
      total.page_mismatches += reader->counters().page_mismatches;
      reader = nullptr;  // the next reader recovers alone
      reader = std::make_unique<Handle>(path);
    }
  }
  EXPECT_EQ(total.page_mismatches, 0);
  EXPECT_GT(total.mapped, 0);
  EXPECT_GT(total.maps_dropped, 0);
}

INSTANTIATE_TEST_SUITE_P(Journals, SegmentCrashTest, ::testing::Values("WAL", "DELETE"));

// Controls: each breaks one rule and must read wrong bytes, with the same comparison as the test
// above. Otherwise that test could not detect any fault.

TEST(SegmentRuleTest, ReadingAfterTheTransactionShowsWrongBytes) {
  TempDir dir;
  const std::string path = dir / "recall.db";
  CreateSegmentFile(path, {.journal = "DELETE"});
  Handle writer(path);
  Handle reader(path);
  const SegmentContent content = MakeContent(1, 500);
  const int64_t id = writer.Insert(content);
  const auto readers = reader.Begin();
  ASSERT_TRUE(readers.at(0)->mapped());
  const SectionView* view = Must(readers[0]->Section(SectionKind::kVectors));
  ASSERT_OK(view->NeedRange(0, view->items()));
  EXPECT_TRUE(Shows(*view, content.sections[2]));
  reader.End();  // the test continues to read
  writer.Delete(id);
  writer.Insert(MakeContent(2, 500));
  EXPECT_FALSE(Shows(*view, content.sections[2]));
}

TEST(SegmentRuleTest, ReadingPastTheWalShowsAnOlderStore) {
  TempDir dir;
  const std::string path = dir / "recall.db";
  CreateSegmentFile(path, {.journal = "WAL"});
  Handle writer(path);
  Handle holder(path);
  const SegmentContent old_content = MakeContent(1, 500);
  const SegmentContent new_content = MakeContent(2, 500);
  const int64_t old_id = writer.Insert(old_content);
  holder.Begin();  // keeps later commits in the WAL
  writer.Delete(old_id);
  const int64_t new_id = writer.Insert(new_content);

  ASSERT_OK(writer.connection().Execute("BEGIN"));  // not a checkpointed snapshot
  const auto root = static_cast<uint32_t>(Must(
      writer.connection().QueryInt("SELECT rootpage FROM sqlite_schema WHERE name='vec_data'")));
  const PageLayout layout = Must(ReadPageLayout(writer.connection()));
  const FilePages file{Must(Must(FileMapping::ForFile(path))->Bytes()), layout};
  const uint64_t length = Must(PlanSegment(layout, old_content)).blob_length;
  EXPECT_TRUE(FindChain(file, root, old_id, length).has_value());
  EXPECT_FALSE(FindChain(file, root, new_id, length).has_value());
  EXPECT_EQ(Must(writer.connection().QueryInt("SELECT min(id) FROM vec_segment")), new_id);
  ASSERT_OK(writer.connection().Execute("COMMIT"));
  holder.End();
}

TEST(SegmentRuleTest, KeepingMapsAcrossVacuumShowsWrongBytes) {
  TempDir dir;
  const std::string path = dir / "recall.db";
  CreateSegmentFile(path, {.journal = "DELETE"});
  Handle writer(path);
  Handle reader(path);
  const SegmentContent kept = MakeContent(2, 500);
  const int64_t first = writer.Insert(MakeContent(1, 500));
  writer.Insert(kept);
  const auto readers = reader.Begin();
  const SectionView* view = Must(readers.at(1)->Section(SectionKind::kVectors));
  ASSERT_OK(view->NeedRange(0, view->items()));
  reader.End();
  writer.Delete(first);
  RunSql(path, "VACUUM");
  writer.Insert(MakeContent(3, 2000));  // the file has at least its former length again
  reader.Begin();                       // only schema_version reveals the change
  EXPECT_FALSE(Shows(*view, kept.sections[2]));
  reader.End();
}

}  // namespace
}  // namespace recall::testing
