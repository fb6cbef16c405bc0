#include "cli/settings/store_owner.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/test_util.h"

namespace recall {
namespace {

class StoreOwnerTest : public ::testing::Test {
 protected:
  StoreOwnerTest() { std::ofstream(store_) << "x"; }

  // The tests may run as any user: the owner is fixed, and the user who asks varies.
  uid_t owner() const {
    struct stat info {};
    EXPECT_EQ(::stat(store_.c_str(), &info), 0);
    return info.st_uid;
  }

  TempDir dir_;
  std::string store_ = dir_ / "recall.db";
};

TEST_F(StoreOwnerTest, OnesOwnStoreIsUsed) {
  EXPECT_OK(CheckOwnerOfFoundStore(store_, "", owner()));
  EXPECT_OK(CheckOwnerOfFoundStore("/etc/passwd", "", 12345));  // root's
  EXPECT_OK(CheckOwnerOfFoundStore(dir_ / "none.db", "", 12345));
}

TEST_F(StoreOwnerTest, TheStoreOfAnotherUserNeedsASafeDirectory) {
  if (::getuid() == 0) {
    ASSERT_EQ(::chown(store_.c_str(), 65534, 65534), 0);
  }
  const uid_t other = owner() + 1;
  const Status refused = CheckOwnerOfFoundStore(store_, "", other);
  EXPECT_EQ(refused.code(), StatusCode::kIoError);
  EXPECT_TRUE(refused.message().starts_with(store_ + ": the store belongs to another user (uid " +
                                            std::to_string(owner()) + ")"))
      << refused.ToString();
  EXPECT_NE(refused.hint().find("add " + dir_.path() + " to safe_directories"), std::string::npos);
  EXPECT_EQ(CheckOwnerOfFoundStore(store_, "", 0).code(), StatusCode::kIoError);

  const std::string link = dir_ / "link";
  ASSERT_EQ(::symlink(dir_.path().c_str(), link.c_str()), 0);
  for (const std::string& safe :
       {std::string("*"), dir_.path(), dir_.path() + "/", "/nowhere:" + dir_.path(), link}) {
    EXPECT_OK(CheckOwnerOfFoundStore(store_, safe, other));
  }
  for (const std::string& safe : {std::string("/"), dir_.path() + "x", dir_.path() + "/below",
                                  std::string("."), std::string(":"), store_}) {
    EXPECT_EQ(CheckOwnerOfFoundStore(store_, safe, other).code(), StatusCode::kIoError) << safe;
  }
}

// A link of another user could lead to one's own private store.
TEST_F(StoreOwnerTest, ALinkHasAnOwner) {
  const std::string link = dir_ / "link.db";
  ASSERT_EQ(::symlink("/etc/passwd", link.c_str()), 0);
  if (::getuid() == 0) {
    ASSERT_EQ(::lchown(link.c_str(), 65534, 65534), 0);
  }
  EXPECT_EQ(CheckOwnerOfFoundStore(link, "", 12345).code(), StatusCode::kIoError);
  struct stat info {};
  ASSERT_EQ(::lstat(link.c_str(), &info), 0);
  EXPECT_OK(CheckOwnerOfFoundStore(link, "", info.st_uid));
}

TEST_F(StoreOwnerTest, SafeDirectoriesAreAbsolute) {
  EXPECT_OK(CheckSafeDirectories(""));
  EXPECT_OK(CheckSafeDirectories("*"));
  EXPECT_OK(CheckSafeDirectories("/a b:/c"));
  for (const char* wrong : {"a", "/a:b", "~/notes", "**"}) {
    EXPECT_EQ(CheckSafeDirectories(wrong).code(), StatusCode::kInvalidArgument) << wrong;
  }
}

}  // namespace
}  // namespace recall
