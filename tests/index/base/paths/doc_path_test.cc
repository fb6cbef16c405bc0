#include "index/base/paths/doc_path.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace recall {
namespace {

TEST(FilePathOf, UndoesNormalizeDocPath) {
  for (const char* root : {"/", "/s", "/s/t"}) {
    for (const char* path : {"/s/a/b", "/s/t/c", "/other/d", "/e"}) {
      EXPECT_EQ(FilePathOf(NormalizeDocPath(path, root), root), path) << root;
    }
  }
}

TEST(NormalizeDocPath, IsRelativeToTheStoreWhereItCan) {
  EXPECT_EQ(NormalizeDocPath("/s/a/b", "/s"), "a/b");
  EXPECT_EQ(NormalizeDocPath("/s//a/./c/../b/", "/s"), "a/b");
  EXPECT_EQ(NormalizeDocPath("/s", "/s"), ".");
  EXPECT_EQ(NormalizeDocPath("/s/..", "/s"), "/");
  EXPECT_EQ(NormalizeDocPath("/sa/b", "/s"), "/sa/b");
  EXPECT_EQ(NormalizeDocPath("/s/../t/a", "/s/"), "/t/a");
  EXPECT_EQ(NormalizeDocPath("/../../a", "/"), "a");
  EXPECT_EQ(NormalizeDocPath("/a\nb\\c", "/s"), "/a\nb\\c");
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(NormalizeDocPath("x/./y", here), "x/y");
  EXPECT_EQ(NormalizeDocPath("./x", "/elsewhere"), here + "/x");
  EXPECT_EQ(NormalizeDocPath("", here), ".");
}

}  // namespace
}  // namespace recall
