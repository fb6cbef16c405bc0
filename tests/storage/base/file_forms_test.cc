// Both forms of what systems do differently with files give the same answers, except where
// docs/portability.md says that the POSIX form has none.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

#include "storage/base/file_hints.h"
#include "storage/base/file_locks.h"
#include "storage/base/unnamed_file.h"
#include "storage/file_io/file_descriptor.h"
#include "tests/storage/base/both_forms.h"
#include "tests/test_util.h"

namespace recall {
namespace {

FileDescriptor OpenForTest(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  EXPECT_GE(file.get(), 0) << path;
  return file;
}

std::string ContentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteContent(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

bool IsRefusal(int error) { return error == EAGAIN || error == EACCES; }

// ---- Locks ------------------------------------------------------------------------------------

struct LockForm {
  const char* name;
  decltype(&posix_form::LockMark) lock_mark;
  decltype(&posix_form::LockWholeFile) lock_whole;
  decltype(&posix_form::IsWholeFileLocked) is_locked;
  decltype(&posix_form::AreBytesLocked) are_bytes_locked;
  decltype(&posix_form::ProcessWithLock) process_with_lock;
};
#define RECALL_LOCK_FORM(form, name)                                                              \
  LockForm {                                                                                      \
    name, &form::LockMark, &form::LockWholeFile, &form::IsWholeFileLocked, &form::AreBytesLocked, \
        &form::ProcessWithLock                                                                    \
  }

class FileLocksTest : public ::testing::TestWithParam<LockForm> {
 protected:
  FileDescriptor Open() const { return OpenForTest(dir_ / "file"); }

  const TempDir dir_;
};
RECALL_TEST_FORMS(FileLocksTest, RECALL_LOCK_FORM);

TEST_P(FileLocksTest, AMarkIsOfOneOpenFileAndGoneWithIt) {
  const FileDescriptor second = Open();
  {
    const FileDescriptor first = Open();
    EXPECT_EQ(GetParam().lock_mark(first.get(), off_t{1} << 59), 0);
    EXPECT_TRUE(IsRefusal(GetParam().lock_mark(second.get(), off_t{1} << 59)));
    EXPECT_TRUE(IsRefusal(GetParam().lock_whole(second.get())));
  }
  EXPECT_EQ(GetParam().lock_mark(second.get(), off_t{1} << 59), 0);
}

TEST_P(FileLocksTest, TheProcessWithALockIsNamedOnLinux) {
  const FileDescriptor file = Open();
  struct flock lock = {};
  lock.l_whence = SEEK_SET;
  lock.l_start = 120;
  lock.l_len = 2;
  const std::string path = dir_ / "file";
  const auto named = [&](off_t byte) { return GetParam().process_with_lock(path.c_str(), byte); };
  const auto set = [&](short type) {
    lock.l_type = type;
    ASSERT_EQ(::fcntl(file.get(), F_SETLK, &lock), 0);
  };
  const pid_t me = std::string(GetParam().name) == "Linux" ? ::getpid() : 0;
  EXPECT_EQ(named(120), 0);
  set(F_WRLCK);
  EXPECT_EQ(named(119), 0);
  EXPECT_EQ(named(120), me);
  EXPECT_EQ(named(121), me);
  EXPECT_EQ(named(122), 0);
  EXPECT_EQ(GetParam().process_with_lock((path + "-missing").c_str(), 120), 0);
  lock.l_len = 0;  // up to the end of all files
  set(F_WRLCK);
  EXPECT_EQ(named(off_t{1} << 40), me);
  set(F_RDLCK);
  EXPECT_EQ(named(120), 0) << "readers are not in the way";
}

TEST_P(FileLocksTest, TheLockOfAWholeFileIsSeen) {
  const FileDescriptor looks = Open();
  EXPECT_FALSE(GetParam().is_locked(looks.get()));
  {
    const FileDescriptor locks = Open();
    EXPECT_EQ(GetParam().lock_whole(locks.get()), 0);
    EXPECT_TRUE(GetParam().is_locked(looks.get()));
    EXPECT_TRUE(GetParam().is_locked(looks.get())) << "looking changes nothing";
  }
  EXPECT_FALSE(GetParam().is_locked(looks.get()));
  EXPECT_EQ(GetParam().lock_whole(looks.get()), 0);
}

TEST_P(FileLocksTest, AFileThatSqliteHasLockedElsewhereIsInUse) {
  int told[2];
  int asked[2];
  ASSERT_EQ(::pipe(told), 0);
  ASSERT_EQ(::pipe(asked), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::close(asked[1]);
    const FileDescriptor file = Open();
    struct flock lock = {};
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = 0x40000002;
    lock.l_len = 1;
    const bool locked = ::fcntl(file.get(), F_SETLK, &lock) == 0;
    char byte = 0;
    const bool written = ::write(told[1], "l", 1) == 1;
    [[maybe_unused]] const ssize_t end = ::read(asked[0], &byte, 1);
    ::_exit(locked && written ? 0 : 1);
  }
  ::close(told[1]);
  ::close(asked[0]);
  char byte = 0;
  EXPECT_EQ(::read(told[0], &byte, 1), 1);
  const FileDescriptor file = Open();
  EXPECT_TRUE(IsRefusal(GetParam().lock_whole(file.get())));
  EXPECT_TRUE(GetParam().are_bytes_locked(file.get(), 0x40000000, 512));
  EXPECT_FALSE(GetParam().are_bytes_locked(file.get(), 0, 512)) << "other bytes";
  ::close(told[0]);
  ::close(asked[1]);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(GetParam().lock_whole(file.get()), 0) << "the process has ended";
}

TEST(FileLocksPosixTest, ItHasNoLocksOfRanges) {
  const TempDir dir;
  const FileDescriptor file = OpenForTest(dir / "file");
  EXPECT_EQ(posix_form::LockBytes(file.get(), 7, 1), EOPNOTSUPP);
  EXPECT_FALSE(posix_form::AreBytesLocked(file.get(), 7, 1));
}

// ---- Names ------------------------------------------------------------------------------------

struct NameForm {
  const char* name;
  decltype(&posix_form::OpenUnnamedFile) open_unnamed;
  decltype(&posix_form::NameFile) name_file;
  decltype(&posix_form::MoveToFreeName) move;
  decltype(&posix_form::SealedMemory) seal;
  decltype(&posix_form::MemoryFile) memory;
};
#define RECALL_NAME_FORM(form, name)                                                           \
  NameForm {                                                                                   \
    name, &form::OpenUnnamedFile, &form::NameFile, &form::MoveToFreeName, &form::SealedMemory, \
        &form::MemoryFile                                                                      \
  }

class UnnamedFileTest : public ::testing::TestWithParam<NameForm> {
 protected:
  const TempDir dir_;
};
RECALL_TEST_FORMS(UnnamedFileTest, RECALL_NAME_FORM);

TEST_P(UnnamedFileTest, AFileTakesAFreeName) {
  WriteContent(dir_ / "a", "content");
  EXPECT_EQ(GetParam().move(dir_ / "a", dir_ / "b"), 0);
  EXPECT_EQ(ContentOf(dir_ / "b"), "content");
  EXPECT_FALSE(std::filesystem::exists(dir_ / "a"));
}

TEST_P(UnnamedFileTest, AFileNeverTakesTheNameOfAnother) {
  WriteContent(dir_ / "a", "mine");
  WriteContent(dir_ / "b", "theirs");
  EXPECT_EQ(GetParam().move(dir_ / "a", dir_ / "b"), -1);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(ContentOf(dir_ / "a"), "mine");
  EXPECT_EQ(ContentOf(dir_ / "b"), "theirs");
  EXPECT_EQ(GetParam().move(dir_ / "none", dir_ / "c"), -1);
  EXPECT_EQ(errno, ENOENT);
}

TEST_P(UnnamedFileTest, AFileWithoutANameGetsOneOrIsRefused) {
  const FileDescriptor file(GetParam().open_unnamed(dir_.path(), O_WRONLY, 0600));
  if (file.get() < 0) {
    EXPECT_TRUE(errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL) << "the caller names it";
    return;
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
  EXPECT_EQ(::write(file.get(), "late", 4), 4);
  EXPECT_EQ(GetParam().name_file(file.get(), dir_ / "name"), 0);
  EXPECT_EQ(ContentOf(dir_ / "name"), "late");
}

TEST_P(UnnamedFileTest, WhoeverGetsSealedMemoryReadsItAndCannotChangeIt) {
  const std::string content = std::string(100'000, 'a') + "end";
  const FileDescriptor file(GetParam().seal(content));
  ASSERT_GE(file.get(), 0);
  std::string read(content.size() + 1, ' ');
  EXPECT_EQ(::read(file.get(), read.data(), read.size()), std::ssize(content));
  EXPECT_EQ(read.substr(0, content.size()), content);
  EXPECT_EQ(::pwrite(file.get(), "b", 1, 0), -1);
  EXPECT_NE(::ftruncate(file.get(), 0), 0);
  EXPECT_NE(::fcntl(file.get(), F_GETFD) & FD_CLOEXEC, 0);
  void* const map = ::mmap(nullptr, content.size(), PROT_READ, MAP_PRIVATE, file.get(), 0);
  ASSERT_NE(map, MAP_FAILED);
  EXPECT_EQ(std::string_view(static_cast<const char*>(map), content.size()), content);
  ::munmap(map, content.size());
}

TEST_P(UnnamedFileTest, AMemoryFileIsReadAsItWasWritten) {
  const FileDescriptor file(GetParam().memory());
  ASSERT_GE(file.get(), 0);
  EXPECT_EQ(::write(file.get(), "text", 4), 4);
  char read[5] = "";
  EXPECT_EQ(::pread(file.get(), read, 4, 0), 4);
  EXPECT_STREQ(read, "text");
  struct stat info;
  ASSERT_EQ(::fstat(file.get(), &info), 0);
  EXPECT_EQ(info.st_nlink, 0u) << "no name is left";
}

// ---- Hints ------------------------------------------------------------------------------------

struct HintForm {
  const char* name;
  decltype(&posix_form::ReadIfCached) read;
  decltype(&posix_form::StartReading) start;
  decltype(&posix_form::DropCached) drop;
  decltype(&posix_form::SyncData) sync;
  decltype(&posix_form::FreeBytes) free;
};
#define RECALL_HINT_FORM(form, name)                                                    \
  HintForm {                                                                            \
    name, &form::ReadIfCached, &form::StartReading, &form::DropCached, &form::SyncData, \
        &form::FreeBytes                                                                \
  }

class FileHintsTest : public ::testing::TestWithParam<HintForm> {};
RECALL_TEST_FORMS(FileHintsTest, RECALL_HINT_FORM);

TEST_P(FileHintsTest, NoneChangesWhatIsRead) {
  const TempDir dir;
  const std::string content(10'000, 'x');
  WriteContent(dir / "file", content);
  const FileDescriptor file = OpenForTest(dir / "file");
  EXPECT_EQ(GetParam().sync(file.get()), 0);
  GetParam().start(file.get(), 0, 10'000);
  const int dropped = GetParam().drop(file.get());
  EXPECT_TRUE(dropped == 0 || dropped == EOPNOTSUPP) << dropped;
  char read[100];
  EXPECT_EQ(::pread(file.get(), read, sizeof(read), 5000), 100);  // now they are in memory
  const ssize_t cached = GetParam().read(file.get(), read, sizeof(read), 5000);
  EXPECT_TRUE(cached == 100 || (cached == -1 && (errno == EAGAIN || errno == EOPNOTSUPP)));
  EXPECT_EQ(std::string(read, sizeof(read)), content.substr(0, 100));
}

TEST_P(FileHintsTest, FreeingBytesKeepsTheOthersAndTheSize) {
  const TempDir dir;
  WriteContent(dir / "file", std::string(3 * 65'536, 'x'));
  const FileDescriptor file = OpenForTest(dir / "file");
  GetParam().free(file.get(), 65'536, 65'536);
  const std::string content = ContentOf(dir / "file");
  ASSERT_EQ(content.size(), 3u * 65'536);
  EXPECT_EQ(content.substr(0, 65'536), std::string(65'536, 'x'));
  EXPECT_EQ(content.substr(2 * 65'536), std::string(65'536, 'x'));
  const std::string freed = content.substr(65'536, 65'536);
  EXPECT_TRUE(freed == std::string(65'536, 'x') || freed == std::string(65'536, '\0'));
}

}  // namespace
}  // namespace recall
