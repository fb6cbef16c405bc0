#include "query/measure/bench/page_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>

#include "tests/test_util.h"

namespace recall {
namespace {

constexpr size_t kBytes = 4 << 20;

std::string WriteBigFile(const TempDir& dir) {
  const std::string path = dir / "recall.db";
  std::ofstream(path, std::ios::binary) << std::string(kBytes, 'x');
  return path;
}

// Mapped pages cannot be evicted, and are reported as cached.
TEST(PageCache, TellsWhatASystemKeeps) {
  const TempDir dir;
  const std::string path = WriteBigFile(dir);
  const int fd = ::open(path.c_str(), O_RDONLY);
  ASSERT_GE(fd, 0);
  void* const mapped = ::mmap(nullptr, kBytes, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  EXPECT_TRUE(DropFromPageCache(path).ok());
  EXPECT_EQ(ShareInPageCache(path), 1.0);
  ::munmap(mapped, kBytes);
  ::close(fd);
}

TEST(PageCache, ChangesNothing) {
  const TempDir dir;
  const std::string path = WriteBigFile(dir);
  std::ofstream(path + "-wal", std::ios::binary) << "not a byte of it";
  ASSERT_TRUE(DropFromPageCache(path).ok());
  const auto share = ShareInPageCache(path);
  ASSERT_TRUE(share.has_value());
  EXPECT_GE(*share, 0);
  EXPECT_LE(*share, 1);
  std::string text;
  std::getline(std::ifstream(path), text);
  EXPECT_EQ(text, std::string(kBytes, 'x'));
  std::getline(std::ifstream(path + "-wal"), text);
  EXPECT_EQ(text, "not a byte of it");
}

TEST(PageCache, AFileThatIsNotThereIsAnError) {
  const TempDir dir;
  EXPECT_EQ(DropFromPageCache(dir / "none.db").code(), StatusCode::kIoError);
  EXPECT_EQ(ShareInPageCache(dir / "none.db"), std::nullopt);
}

}  // namespace
}  // namespace recall
