#include "storage/overflow/file_mapping.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/storage/segment/segment_test_util.h"

namespace recall::testing {
namespace {

void Append(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

std::string Text(FileMapping* mapping) {
  const ByteSpan bytes = Must(mapping->Bytes());
  return {bytes.begin(), bytes.end()};
}

TEST(FileMappingTest, ShowsWhatTheFileGrowsByAtTheSameAddress) {
  TempDir dir;
  const std::string path = dir / "file";
  Append(path, "");
  FileMapping* mapping = Must(FileMapping::ForFile(path));
  EXPECT_EQ(Text(mapping), "");
  Append(path, "one");
  const uint8_t* address = Must(mapping->Bytes()).data();
  EXPECT_EQ(Text(mapping), "one");
  Append(path, std::string(100'000, 'x'));
  EXPECT_EQ(Text(mapping), "one" + std::string(100'000, 'x'));
  EXPECT_EQ(Must(mapping->Bytes()).data(), address);
}

TEST(FileMappingTest, MapsAgainWhenAddressSpaceIsShort) {
  TempDir dir;
  const std::string path = dir / "file";
  Append(path, "one");
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) + (uint64_t{1} << 30);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  Result<FileMapping*> mapping = FileMapping::ForFile(path);
  const Result<ByteSpan> first = (*mapping)->Bytes();
  Append(path, std::string(100'000, 'x'));
  const Result<ByteSpan> second = (*mapping)->Bytes();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  ASSERT_OK_AND_ASSIGN(const ByteSpan old_bytes, first);
  EXPECT_EQ(std::string(old_bytes.begin(), old_bytes.end()), "one");  // still mapped
  ASSERT_OK_AND_ASSIGN(const ByteSpan bytes, second);
  EXPECT_EQ(bytes.size(), 100'003u);
  EXPECT_EQ(bytes.back(), 'x');
}

TEST(FileMappingTest, IsOneForAllNamesOfAFile) {
  TempDir dir;
  const std::string path = dir / "file";
  Append(path, "one");
  Append(dir / "other", "two");
  std::filesystem::create_hard_link(path, dir / "hard");
  std::filesystem::create_symlink(path, dir / "soft");
  FileMapping* mapping = Must(FileMapping::ForFile(path));
  EXPECT_EQ(Must(FileMapping::ForFile(path)), mapping);
  EXPECT_EQ(Must(FileMapping::ForFile(dir / "hard")), mapping);
  EXPECT_EQ(Must(FileMapping::ForFile(dir / "soft")), mapping);
  EXPECT_NE(Must(FileMapping::ForFile(dir / "other")), mapping);
  EXPECT_TRUE(mapping->IsAt(dir / "hard"));
  std::filesystem::rename(dir / "other", path);
  EXPECT_FALSE(mapping->IsAt(path));
  EXPECT_NE(Must(FileMapping::ForFile(path)), mapping);
}

TEST(FileMappingTest, RefusesWhatIsNoFile) {
  TempDir dir;
  ASSERT_EQ(mkfifo((dir / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(FileMapping::ForFile(dir / "none").error().code(), StatusCode::kNotFound);
  EXPECT_EQ(FileMapping::ForFile(dir.path()).error().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(FileMapping::ForFile(dir / "fifo").error().code(), StatusCode::kInvalidArgument);
}

// True if another process sees SQLite's SHARED lock on the file.
bool SharedLockIsHeld(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    const int descriptor = open(path.c_str(), O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = 0x40000002;
    lock.l_len = 510;
    const bool asked = fcntl(descriptor, F_GETLK, &lock) == 0;
    _exit(asked && lock.l_type == F_RDLCK ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status) == 1;
}

// Closing any descriptor of the file would drop the locks of all connections of this process.
TEST(FileMappingTest, ACycleOfOneHandleLeavesTheLocksOfAnother) {
  for (const char* journal : {"DELETE", "WAL"}) {
    TempDir dir;
    const std::string path = dir / "recall.db";
    CreateSegmentFile(path, {.journal = journal});
    Handle holder(path);
    holder.Insert(MakeContent(1, 50));
    EXPECT_EQ(holder.Begin().size(), 1u);
    ASSERT_TRUE(SharedLockIsHeld(path));
    {
      Handle other(path);
      EXPECT_EQ(other.ExpectContents({MakeContent(1, 50)}), 1);
    }
    EXPECT_TRUE(SharedLockIsHeld(path)) << journal;
    const int descriptor = open(path.c_str(), O_RDONLY);  // control: the probe sees a lost lock
    close(descriptor);
    EXPECT_FALSE(SharedLockIsHeld(path)) << journal;
    holder.End();
  }
}

}  // namespace
}  // namespace recall::testing
