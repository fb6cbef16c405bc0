#include "index/source/archive/archive_names.h"

#include <gtest/gtest.h>

#include "storage/sqlite/connection.h"
#include "storage/tables/doc_origin.h"
#include "tests/test_util.h"

namespace recall {
namespace {

TEST(ArchiveNames, AreKnownByTheirEnds) {
  for (const char* name : {"a.tar", "x/a.tar.gz", "a.TGZ", "a.tar.zst", "/x/a.Zip", "a.b.tar",
                           "a.tar.XZ", "a.txz", "a.tar.bz2", "a.tbz2", "a.tbz"}) {
    EXPECT_TRUE(IsArchiveName(name)) << name;
  }
  for (const char* name : {".tar", "x/.zip", "tar", "a.tar/x", "a.gz", "a.zst", "a.zipx", "a.xz",
                           "a.bz2", "a.docx", ""}) {
    EXPECT_FALSE(IsArchiveName(name)) << name;
  }
}

TEST(ArchiveNames, OneCompressedFileIsNoArchive) {
  for (const char* name : {"a.gz", "x/a.txt.XZ", "a.zst", "tar.gz", "a.tar.b.gz", "a.csv.bz2"}) {
    EXPECT_TRUE(IsCompressedName(name)) << name;
  }
  for (const char* name :
       {"a.tar.gz", "a.TAR.xz", "a.tar.bz2", "a.tar.zst", "a.tgz", ".gz", "x/.gz", "gz", "a"}) {
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

// Stores of formats that do not record origins know members by their paths.
TEST(MemberPaths, AreThoseThatOldStoresHoldForMembers) {
  ASSERT_OK_AND_ASSIGN(const auto connection,
                       Connection::Open("scratch", {.mode = ConnectionMode::kScratch}));
  ASSERT_OK_AND_ASSIGN(Statement infer,
                       connection->Prepare("SELECT " RECALL_INFERRED_ORIGIN("?2", "?1")));
  const auto origin = [&](const std::string& path, std::optional<int64_t> mtime) {
    infer.BindText(1, path);
    infer.BindOptionalInt(2, mtime);
    EXPECT_TRUE(infer.Step().value_or(false));
    std::string found(infer.ColumnText(0));
    infer.Reset();
    return found;
  };
  for (const char* archive :
       {"a.tar", "d/a.TAR.gz", "a.tgz", "a.tar.zst", "a.zip", "ü.Zip", "odd!/a.zip", "a.zip!/b.tar",
        ".zip", "d/.tar", "a.gz", "a.zst", "a", "a.zipx", "tar"}) {
    for (const char* name : {"/b", "!/b", "!/c/d.txt", "!/e!/f", "!", "", "!b", "!/"}) {
      const std::string path = std::string(archive) + name;
      EXPECT_EQ(origin(path, 0) == kMemberOrigin, SplitMemberPath(path).has_value()) << path;
      EXPECT_EQ(origin(path, std::nullopt), kLineOrigin) << path;
    }
  }
  EXPECT_EQ(origin("a.txt", 7), kFileOrigin);
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
