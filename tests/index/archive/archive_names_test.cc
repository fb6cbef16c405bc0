#include "index/archive/archive_names.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(ArchiveNames, AreKnownByTheirEnds) {
  for (const char* name : {"a.tar", "x/a.tar.gz", "a.TGZ", "a.tar.zst", "/x/a.Zip", "a.b.tar"}) {
    EXPECT_TRUE(IsArchiveName(name)) << name;
  }
  for (const char* name :
       {".tar", "x/.zip", "tar", "a.tar/x", "a.gz", "a.zst", "a.zipx", "a.tar.xz", "a.docx", ""}) {
    EXPECT_FALSE(IsArchiveName(name)) << name;
  }
}

TEST(ArchiveNames, OneCompressedFileIsNoArchive) {
  for (const char* name : {"a.gz", "x/a.txt.XZ", "a.zst", "tar.gz", "a.tar.b.gz"}) {
    EXPECT_TRUE(IsCompressedName(name)) << name;
  }
  for (const char* name :
       {"a.tar.gz", "a.TAR.xz", "a.tar.zst", "a.tgz", ".gz", "x/.gz", "gz", "a"}) {
    EXPECT_FALSE(IsCompressedName(name)) << name;
  }
}

TEST(MemberPaths, AreTakenApartAgain) {
  EXPECT_EQ(MemberPath("x/a.tar", "b/c.txt"), "x/a.tar!/b/c.txt");
  const auto parts = SplitMemberPath("x/a.tar!/b!/c.txt");
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->archive, "x/a.tar");
  EXPECT_EQ(parts->member, "b!/c.txt");
  const auto behind = SplitMemberPath("odd!/a.zip!/c.txt");
  ASSERT_TRUE(behind.has_value());
  EXPECT_EQ(behind->archive, "odd!/a.zip");
  for (const char* path : {"a.tar", "a.tar/b", "odd!/c.txt", "a.tar!", ""}) {
    EXPECT_FALSE(SplitMemberPath(path).has_value()) << path;
  }
}

TEST(MemberNames, AreMadeNormal) {
  const std::pair<const char*, const char*> names[] = {
      {"a.txt", "a.txt"},     {"./a.txt", "a.txt"}, {"b//c/./d", "b/c/d"}, {"größe.md", "größe.md"},
      {"..a/b..", "..a/b.."}, {"C:\\x", "C:\\x"},   {"dir/", "dir"}};
  for (const auto& [name, normal] : names) {
    const auto made = NormalMemberName(name);
    ASSERT_TRUE(made.has_value()) << name;
    EXPECT_EQ(*made, normal);
  }
}

TEST(MemberNames, ThatNoDocumentMayHaveAreRefusedWithTheReason) {
  const std::pair<std::string, const char*> names[] = {
      {"/etc/passwd", "its name is absolute"},
      {"//x", "its name is absolute"},
      {"../x", "its name leads out of the archive"},
      {"a/../../x", "its name leads out of the archive"},
      {"a/..", "its name leads out of the archive"},
      {"a\xff", "its name is not UTF-8"},
      {"", "it has no name"},
      {"./.", "it has no name"},
      {std::string(5000, 'a'), "its name has more than 4096 bytes"}};
  for (const auto& [name, reason] : names) {
    const auto made = NormalMemberName(name);
    ASSERT_FALSE(made.has_value()) << name;
    EXPECT_EQ(made.error().message(), reason);
  }
}

}  // namespace
}  // namespace recall
