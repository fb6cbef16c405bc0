#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <csignal>
#include <fstream>
#include <future>
#include <random>
#include <sstream>
#include <thread>

#include "storage/file_io/file_claim.h"
#include "storage/file_io/input_file.h"
#include "storage/file_io/input_lines.h"
#include "storage/file_io/output_file.h"
#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class FileIoTest : public ::testing::Test {
 protected:
  void WriteWhole(const std::string& name, const std::string& bytes) {
    std::ofstream(dir_ / name, std::ios::binary) << bytes;
  }
  std::string ReadWhole(const std::string& name) {
    std::ostringstream bytes;
    bytes << std::ifstream(dir_ / name, std::ios::binary).rdbuf();
    return bytes.str();
  }
  size_t FilesThere() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(dir_.path()), fs::directory_iterator()));
  }

  // Reads a file through InputFile in pieces of `piece` bytes.
  Result<std::string> ReadStream(const std::string& name, size_t piece = 1000) {
    RECALL_ASSIGN(const auto file, InputFile::Open(dir_ / name, &cancel_));
    std::string all;
    std::string buffer(piece, '\0');
    for (;;) {
      RECALL_ASSIGN(const size_t count, file->Read(buffer));
      if (count == 0) return all;
      all.append(buffer, 0, count);
    }
  }

  Result<std::vector<std::string>> ReadLines(const std::string& name, uint64_t max = 1 << 20) {
    RECALL_ASSIGN(auto file, InputFile::Open(dir_ / name, &cancel_));
    InputLines lines(std::move(file), max);
    std::vector<std::string> all;
    std::string line;
    for (;;) {
      RECALL_ASSIGN(const bool more, lines.Next(&line));
      if (!more) return all;
      all.push_back(line);
      EXPECT_EQ(lines.line_number(), static_cast<int64_t>(all.size()));
    }
  }

  static std::string RandomBytes(uint64_t seed, size_t size) {
    std::mt19937_64 random(seed);
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 7 == 0 ? random() : 'a');
    return bytes;
  }

  static std::string Compress(const std::string& bytes) {
    std::string frame(ZSTD_compressBound(bytes.size()), '\0');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), 1));
    return frame;
  }

  TempDir dir_;
  std::atomic<bool> cancel_ = false;
};

TEST_F(FileIoTest, WhatIsWrittenIsReadBackWhateverTheName) {
  for (const std::string name : {"plain", "packed.zst"}) {
    for (const size_t size : {0, 1, 3, 4, 1000, 300'000, 2'000'000}) {
      const std::string bytes = RandomBytes(size, size);
      ASSERT_OK_AND_ASSIGN(const auto file, OutputFile::Create(dir_ / name, &cancel_));
      for (size_t at = 0; at < bytes.size(); at += 70'001) {
        ASSERT_OK(file->Write(std::string_view(bytes).substr(at, 70'001)));
      }
      ASSERT_OK(file->Finish());
      EXPECT_EQ(file->bytes_written(), static_cast<int64_t>(fs::file_size(dir_ / name)));
      ASSERT_OK_AND_ASSIGN(const std::string read, ReadStream(name, size / 3 + 1));
      EXPECT_EQ(read, bytes) << name << " of " << size;
    }
  }
  EXPECT_LT(fs::file_size(dir_ / "packed.zst"), fs::file_size(dir_ / "plain"));
}

TEST_F(FileIoTest, CompressionIsToldByTheFirstBytesToo) {
  WriteWhole("no-suffix", Compress("hello "));
  EXPECT_EQ(ReadStream("no-suffix").value_or("?"), "hello ");
  WriteWhole("two-frames.zst", Compress("hello ") + Compress("") + Compress("world"));
  EXPECT_EQ(ReadStream("two-frames.zst").value_or("?"), "hello world");
}

TEST_F(FileIoTest, DamagedCompressionIsAnErrorAtEveryPlace) {
  const std::string text = RandomBytes(5, 3000);
  const std::string whole = Compress(text);
  for (size_t size = 0; size < whole.size(); size += 1 + size / 8) {
    WriteWhole("cut.zst", whole.substr(0, size));
    const auto read = ReadStream("cut.zst");
    ASSERT_FALSE(read.has_value()) << size;
    EXPECT_EQ(read.error().code(), StatusCode::kCorruption);
  }
  WriteWhole("text.zst", "not compressed at all");
  EXPECT_EQ(ReadStream("text.zst").error().code(), StatusCode::kCorruption);
  WriteWhole("tail.zst", whole + "garbage");
  EXPECT_EQ(ReadStream("tail.zst").error().code(), StatusCode::kCorruption);
}

TEST_F(FileIoTest, LinesEndAtNewlinesOnly) {
  WriteWhole("lines", std::string("one\n\ntwo\r\nthr\0ee\n last", 22));
  ASSERT_OK_AND_ASSIGN(const auto lines, ReadLines("lines"));
  EXPECT_EQ(lines,
            (std::vector<std::string>{"one", "", "two\r", std::string("thr\0ee", 6), " last"}));
  WriteWhole("empty", "");
  EXPECT_TRUE(ReadLines("empty").value().empty());
  WriteWhole("newline", "\n");
  EXPECT_EQ(ReadLines("newline").value().size(), 1u);
}

TEST_F(FileIoTest, LinesMayBeLongerThanAnyBuffer) {
  const std::string long_line(3'000'000, 'x');
  WriteWhole("long", "short\n" + long_line + "\nend\n");
  ASSERT_OK_AND_ASSIGN(const auto lines, ReadLines("long", 3'000'000));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], long_line);
  const auto refused = ReadLines("long", 2'999'999);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), StatusCode::kLimitExceeded);
  ASSERT_NE(refused.error().position(), nullptr);
  EXPECT_EQ(refused.error().position()->line, 2);
}

// A small file that decompresses to a huge line must not use memory in proportion.
TEST_F(FileIoTest, AHugeLineInASmallFileIsRefusedEarly) {
  WriteWhole("bomb.zst", Compress(std::string(200 << 20, 'x')));
  ASSERT_LT(fs::file_size(dir_ / "bomb.zst"), 100'000u);
  const auto refused = ReadLines("bomb.zst", 1 << 20);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), StatusCode::kLimitExceeded);
}

TEST_F(FileIoTest, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(ReadStream("missing").error().code(), StatusCode::kNotFound);
  EXPECT_EQ(ReadStream(".").error().code(), StatusCode::kInvalidArgument);
}

TEST_F(FileIoTest, CancelEndsTheWaitForAPipe) {
  ASSERT_EQ(::mkfifo((dir_ / "pipe").c_str(), 0600), 0);
  cancel_ = true;
  const auto unopened = ReadStream("pipe");  // without a writer
  ASSERT_FALSE(unopened.has_value());
  EXPECT_EQ(unopened.error().code(), StatusCode::kCancelled);
  const int keep = ::open((dir_ / "pipe").c_str(), O_RDWR);  // with a writer that writes nothing
  ASSERT_GE(keep, 0);
  const auto silent = ReadStream("pipe");
  ASSERT_FALSE(silent.has_value());
  EXPECT_EQ(silent.error().code(), StatusCode::kCancelled);
  ::close(keep);
}

TEST_F(FileIoTest, AnUnfinishedFileLeavesTheOldOneAlone) {
  WriteWhole("kept", "old");
  {
    ASSERT_OK_AND_ASSIGN(const auto file, OutputFile::Create(dir_ / "kept", &cancel_));
    ASSERT_OK(file->Write(std::string(1 << 20, 'n')));
    EXPECT_EQ(ReadWhole("kept"), "old");
  }
  EXPECT_EQ(ReadWhole("kept"), "old");
  EXPECT_EQ(FilesThere(), 1u);
}

TEST_F(FileIoTest, WhatAKilledProcessLeftIsRemovedAndWhatALivingOneWritesStays) {
  for (const char* name : {"x.new-0123abcd", "x.new-0123abcd.txt", "x.new-01", "y.new-0123abcd"}) {
    WriteWhole(name, "text");
  }
  WriteWhole("x.new-89abcdef", "text");
  const int living = ::open((dir_ / "x.new-89abcdef").c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(ClaimFile(living), ClaimOutcome::kClaimed);
  ASSERT_OK_AND_ASSIGN(const auto file, OutputFile::Create(dir_ / "x", &cancel_));
  EXPECT_FALSE(fs::exists(dir_ / "x.new-0123abcd"));
  EXPECT_TRUE(fs::exists(dir_ / "x.new-89abcdef"));
  EXPECT_EQ(FilesThere(), 4u);
  ::close(living);
}

TEST_F(FileIoTest, AFinishedFileTakesThePlaceAndThePermissionsOfTheOldOne) {
  WriteWhole("real", "old");
  ASSERT_EQ(::chmod((dir_ / "real").c_str(), 0640), 0);
  fs::create_symlink("real", dir_ / "link");
  ASSERT_OK_AND_ASSIGN(const auto file, OutputFile::Create(dir_ / "link", &cancel_));
  ASSERT_OK(file->Write("new"));
  ASSERT_OK(file->Finish());
  EXPECT_TRUE(fs::is_symlink(dir_ / "link"));
  EXPECT_EQ(ReadWhole("real"), "new");
  struct stat info {};
  ASSERT_EQ(::stat((dir_ / "real").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  EXPECT_EQ(FilesThere(), 2u);
}

TEST_F(FileIoTest, ACopyIsMadeLikeTheFile) {
  WriteWhole("secret", "old");
  ASSERT_EQ(::chmod((dir_ / "secret").c_str(), 0600), 0);
  const bool root = ::geteuid() == 0;
  if (root) {
    ASSERT_EQ(::chown((dir_ / "secret").c_str(), 65534, 65533), 0);
  }
  for (const std::string name : {"copy", "secret"}) {
    ASSERT_OK_AND_ASSIGN(const auto file,
                         OutputFile::Create(dir_ / name, &cancel_, dir_ / "secret"));
    ASSERT_OK(file->Write("new"));
    ASSERT_OK(file->Finish());
    struct stat info {};
    ASSERT_EQ(::stat((dir_ / name).c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    if (root) {
      EXPECT_EQ(info.st_uid, 65534u);
      EXPECT_EQ(info.st_gid, 65533u);
    }
  }
}

TEST_F(FileIoTest, AFileSizeLimitLeavesNothing) {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  for (const std::string name : {"plain", "packed.zst"}) {
    ASSERT_OK_AND_ASSIGN(auto file, OutputFile::Create(dir_ / name, &cancel_));
    const rlimit small{100'000, old_limit.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    Status status;
    std::mt19937_64 random(7);
    for (int i = 0; i < 1000 && status.ok(); ++i) {
      std::string piece(1000, '\0');
      for (char& byte : piece) byte = static_cast<char>(random());
      status = file->Write(piece);
    }
    if (status.ok()) status = file->Finish();
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old_limit), 0);
    EXPECT_EQ(status.code(), StatusCode::kIoError);
    EXPECT_NE(status.message().find("limit on the size of files"), std::string_view::npos)
        << status.ToString();
    file.reset();
    EXPECT_EQ(FilesThere(), 0u);
  }
}

TEST_F(FileIoTest, ADatabaseAndItsFilesAreNeverReplaced) {
  const std::string database = dir_ / "any.db";
  std::ofstream(database) << "SQLite format 3" << '\0' << "and so on";
  std::filesystem::create_symlink(database, dir_ / "link");
  for (const char* name : {"any.db", "any.db-wal", "any.db-shm", "any.db-journal", "link"}) {
    const auto file = OutputFile::Create(dir_ / name, &cancel_);
    ASSERT_FALSE(file.has_value()) << name;
    EXPECT_EQ(file.error().code(), StatusCode::kInvalidArgument);
  }
  EXPECT_OK(OutputFile::Create(dir_ / "other.db-wal", &cancel_));
}

TEST_F(FileIoTest, DevicesAreWrittenInPlace) {
  ASSERT_OK_AND_ASSIGN(const auto null, OutputFile::Create("/dev/null", &cancel_));
  ASSERT_OK(null->Write("gone"));
  ASSERT_OK(null->Finish());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  ASSERT_OK_AND_ASSIGN(const auto full, OutputFile::Create("/dev/full", &cancel_));
  ASSERT_OK(full->Write("no room"));
  EXPECT_EQ(full->Finish().code(), StatusCode::kIoError);
}

TEST_F(FileIoTest, CancelEndsTheWaitForTheReaderOfAPipe) {
  const std::string pipe = dir_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  cancel_ = true;
  EXPECT_EQ(OutputFile::Create(pipe, &cancel_).error().code(), StatusCode::kCancelled);
  const int keep = ::open(pipe.c_str(), O_RDWR);  // a reader that reads nothing
  ASSERT_GE(keep, 0);
  ASSERT_OK_AND_ASSIGN(const auto file, OutputFile::Create(pipe, &cancel_));
  EXPECT_EQ(file->Write(std::string(4 << 20, 'x')).code(), StatusCode::kCancelled);
  ::close(keep);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(FileIoTest, ASlowReaderOfAPipeGetsEverything) {
  const std::string pipe = dir_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string bytes = RandomBytes(3, 1'000'000);
  auto reader = std::async(std::launch::async, [&] { return ReadStream("pipe", 100); });
  ASSERT_OK_AND_ASSIGN(const auto file, OutputFile::Create(pipe, &cancel_));
  ASSERT_OK(file->Write(bytes));
  ASSERT_OK(file->Finish());
  EXPECT_EQ(reader.get().value_or("?"), bytes);
}

TEST_F(FileIoTest, PlacesThatCannotBeWrittenAreErrorsAtOnce) {
  EXPECT_EQ(OutputFile::Create(dir_.path(), &cancel_).error().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(OutputFile::Create(dir_ / "no/such/place", &cancel_).error().code(),
            StatusCode::kIoError);
}

}  // namespace
}  // namespace recall
