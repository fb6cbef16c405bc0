#include "storage/overflow/file_pages.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <optional>

#include "tests/test_util.h"

namespace recall {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kPages = 64;

// A file of pages, its bytes in memory and a descriptor. `Forget` evicts the file from the page
// cache. This works on a disk, but not on a file system in memory.
class FilePagesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (size_t i = 0; i < kPage * kPages; ++i) bytes_.push_back(static_cast<uint8_t>(i * i >> 8));
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT, 0600);
    ASSERT_GE(descriptor_, 0);
    ASSERT_EQ(::write(descriptor_, bytes_.data(), bytes_.size()),
              static_cast<ssize_t>(bytes_.size()));
    ASSERT_OK_AND_ASSIGN(const PageLayout layout, PageLayout::Make(kPage, kPage));
    file_.emplace(FilePages{bytes_, layout, descriptor_});
  }
  void TearDown() override { ::close(descriptor_); }

  void Forget() {
    ASSERT_EQ(::fsync(descriptor_), 0);
    ASSERT_EQ(::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED), 0);
  }

  TempDir directory_;
  std::string path_ = directory_ / "pages";
  std::vector<uint8_t> bytes_;
  int descriptor_ = -1;
  std::optional<FilePages> file_;
};

TEST_F(FilePagesTest, ReadsWhatTheFileHolds) {
  std::array<uint8_t, 100> read;
  for (const bool cached : {true, false}) {
    for (uint32_t page = 1; page <= kPages; ++page) {
      const uint8_t* const from = file_->page(page) + page;
      if (!cached) Forget();
      if (!file_->ReadIfCached(from, read)) {
        file_->WillNeed(from, read.size());
        ASSERT_TRUE(file_->Read(from, read));
      }
      ASSERT_TRUE(std::equal(read.begin(), read.end(), from)) << page;
    }
  }
}

TEST_F(FilePagesTest, WhatWasReadIsCached) {
  Forget();
  std::array<uint8_t, 8> read;
  ASSERT_TRUE(file_->Read(file_->page(9), read));
  EXPECT_TRUE(file_->ReadIfCached(file_->page(9), read));
}

// The file may have become shorter than its mapping.
TEST_F(FilePagesTest, BehindTheEndThereIsNothing) {
  ASSERT_EQ(::ftruncate(descriptor_, kPage * 2 + 10), 0);
  std::array<uint8_t, 20> read;
  for (const size_t page : {3u, 4u, 64u}) {
    file_->WillNeed(file_->page(static_cast<uint32_t>(page)), kPage);
    EXPECT_FALSE(file_->ReadIfCached(file_->page(static_cast<uint32_t>(page)), read)) << page;
    EXPECT_FALSE(file_->Read(file_->page(static_cast<uint32_t>(page)), read)) << page;
  }
}

TEST_F(FilePagesTest, WithoutADescriptorMemoryIsCopied) {
  file_->descriptor = -1;
  std::array<uint8_t, 20> read;
  file_->WillNeed(file_->page(5), kPage);
  ASSERT_TRUE(file_->ReadIfCached(file_->page(5), read));
  EXPECT_TRUE(std::equal(read.begin(), read.end(), file_->page(5)));
}

}  // namespace
}  // namespace recall
