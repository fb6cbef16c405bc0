#include "cli/options/settings/found_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class FoundStoreTest : public ::testing::Test {
 protected:
  FoundStoreTest() { std::ofstream(store_) << "x"; }

  // The tests may run as any user: the owner is fixed, and the user who asks varies.
  uid_t owner() const {
    struct stat info {};
    EXPECT_EQ(::stat(store_.c_str(), &info), 0);
    return info.st_uid;
  }

  static Status Check(const std::string& path, std::string_view safe, uid_t user) {
    return CheckFoundStore(path, safe, TrustedOwners(user, nullptr));
  }

  TempDir dir_;
  std::string store_ = dir_ / "recall.db";
};

TEST_F(FoundStoreTest, OnesOwnStoreIsUsed) {
  EXPECT_OK(Check(store_, "", owner()));
  EXPECT_OK(Check("/etc/passwd", "", 12345));  // root's
  EXPECT_OK(Check(dir_ / "none.db", "", 12345));
}

TEST_F(FoundStoreTest, TheStoreOfAnotherUserNeedsASafeDirectory) {
  if (::getuid() == 0) {
    ASSERT_EQ(::chown(store_.c_str(), 65534, 65534), 0);
  }
  const uid_t other = owner() + 1;
  const Status refused = Check(store_, "", other);
  EXPECT_EQ(refused.code(), StatusCode::kIoError);
  EXPECT_TRUE(refused.message().starts_with(store_ + ": the store belongs to another user (uid " +
                                            std::to_string(owner()) + ")"))
      << refused.ToString();
  EXPECT_NE(refused.hint().find("add " + dir_.path() + " to safe_directories"), std::string::npos);
  EXPECT_EQ(Check(store_, "", 0).code(), StatusCode::kIoError);

  const std::string link = dir_ / "link";
  ASSERT_EQ(::symlink(dir_.path().c_str(), link.c_str()), 0);
  for (const std::string& safe :
       {std::string("*"), dir_.path(), dir_.path() + "/", "/nowhere:" + dir_.path(), link}) {
    EXPECT_OK(Check(store_, safe, other));
  }
  for (const std::string& safe : {std::string("/"), dir_.path() + "x", dir_.path() + "/below",
                                  std::string("."), std::string(":"), store_}) {
    EXPECT_EQ(Check(store_, safe, other).code(), StatusCode::kIoError) << safe;
  }
}

// A link of another user could lead to one's own private store.
TEST_F(FoundStoreTest, ALinkHasAnOwner) {
  const std::string link = dir_ / "link.db";
  ASSERT_EQ(::symlink("recall.db", link.c_str()), 0);
  if (::getuid() == 0) {
    ASSERT_EQ(::lchown(link.c_str(), 65534, 65534), 0);
  }
  EXPECT_EQ(Check(link, "", 12345).code(), StatusCode::kIoError);
  struct stat info {};
  ASSERT_EQ(::lstat(link.c_str(), &info), 0);
  EXPECT_OK(Check(link, "", info.st_uid));
}

// A link that came with a directory could lead to another store of the user.
TEST_F(FoundStoreTest, ALinkOutOfTheDirectoryIsRefused) {
  fs::create_directories(dir_ / "clone/data");
  fs::create_directory_symlink(dir_.path(), dir_ / "clone/up");
  fs::create_directory_symlink("data", dir_ / "clone/down");
  fs::create_directory_symlink("clone", dir_ / "door");
  std::ofstream(dir_ / "clone/data/x.db") << "x";
  const std::string link = dir_ / "clone/recall.db";
  const auto check = [&](const std::string& target, std::string_view safe) {
    fs::remove(link);
    fs::create_symlink(target, link);
    return CheckFoundStore(link, safe, {owner()});
  };
  for (const std::string& target :
       {store_, std::string("../recall.db"), std::string("up/recall.db"),
        std::string("data/../../recall.db")}) {
    const Status refused = check(target, "");
    EXPECT_EQ(refused.code(), StatusCode::kIoError) << target;
    EXPECT_EQ(refused.message(), link + ": the store is a symbolic link out of its directory, to " +
                                     store_ + ", so it is not used without being named");
    EXPECT_OK(check(target, dir_ / "clone"));
    EXPECT_OK(check(target, "*"));
    EXPECT_FALSE(check(target, dir_.path()).ok()) << "only the directory of the link counts";
  }
  for (const std::string& target : {std::string("data/x.db"), std::string("./down/x.db"),
                                    std::string("../clone/data/x.db"), dir_ / "clone/data/x.db"}) {
    EXPECT_OK(check(target, ""));
  }
  // The way to the directory may lead over links: the user went there.
  EXPECT_OK(CheckFoundStore(dir_ / "door/recall.db", "", {owner()}));
}

// `sudo recall` in one's own directory.
TEST_F(FoundStoreTest, RootTrustsWhoCalledSudo) {
  const std::vector<uid_t> only_root = {0, 0};
  EXPECT_EQ(TrustedOwners(0, "1000"), (std::vector<uid_t>{0, 0, 1000}));
  EXPECT_EQ(TrustedOwners(0, nullptr), only_root);
  for (const char* no_number : {"", " 1000", "1000 ", "+1000", "-1", "1000:0", "alice", "0x10",
                                "4294967296", "99999999999999999999"}) {
    EXPECT_EQ(TrustedOwners(0, no_number), only_root) << no_number;
  }
  // Anyone else can set the variable, and gains nothing by it.
  EXPECT_EQ(TrustedOwners(1001, "1000"), (std::vector<uid_t>{1001, 0}));
}

TEST_F(FoundStoreTest, SafeDirectoriesAreAbsolute) {
  EXPECT_OK(CheckSafeDirectories(""));
  EXPECT_OK(CheckSafeDirectories("*"));
  EXPECT_OK(CheckSafeDirectories("/a b:/c"));
  for (const char* wrong : {"a", "/a:b", "~/notes", "**"}) {
    EXPECT_EQ(CheckSafeDirectories(wrong).code(), StatusCode::kInvalidArgument) << wrong;
  }
}

}  // namespace
}  // namespace recall
