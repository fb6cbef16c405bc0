#include "index/source/extract/container/zip_container.h"

#include <gtest/gtest.h>

#include "index/source/extract/container/extract_failure.h"
#include "tests/index/source/archive/archive_maker.h"
#include "tests/index/source/extract/zip_maker.h"

namespace recall {
namespace {

TEST(ZipContainerTest, FindsEntriesByNameInAnyOrder) {
  for (const char* kind : {"zip", "stored.zip"}) {
    const std::string big(700'000, 'x');
    const std::string bytes =
        MakeArchive(kind, {{"a/One.xml", "one"}, {"big", big}, {"empty", ""}, {"z", "last"}});
    auto zip = ZipContainer::Open(bytes, {});
    ASSERT_TRUE(zip) << zip.error().ToString();
    EXPECT_EQ(zip->Read("z").value(), "last");
    EXPECT_EQ(zip->Read("big").value(), big);
    EXPECT_EQ(zip->Read("/a/one.XML").value(), "one");
    EXPECT_EQ(zip->Read("empty").value(), "");
    EXPECT_EQ(zip->Find("nowhere"), nullptr);
    EXPECT_EQ(zip->Read("nowhere").error().code(), StatusCode::kNotFound);
  }
}

TEST(ZipContainerTest, NamesThatAreEqualButForCaseAreDifferentEntries) {
  const std::string bytes = MakeZip({{"A", "upper"}, {"a", "lower"}, {"b", "1"}, {"b", "2"}});
  auto zip = ZipContainer::Open(bytes, {});
  ASSERT_TRUE(zip);
  EXPECT_EQ(zip->Read("A").value(), "upper");
  EXPECT_EQ(zip->Read("a").value(), "lower");
  EXPECT_EQ(zip->Read("b").value(), "2");
  EXPECT_EQ(zip->entries().size(), 4u);
}

TEST(ZipContainerTest, NamesOutsideTheContainerAreLeftOut) {
  const std::string bytes =
      MakeZip({{"../up", "1"}, {"/abs", "2"}, {"in\\side", "3"}, {"dir/", ""}, {"\xff", "5"}});
  auto zip = ZipContainer::Open(bytes, {});
  ASSERT_TRUE(zip);
  ASSERT_EQ(zip->entries().size(), 1u);
  EXPECT_EQ(zip->Read("in/side").value(), "3");
}

TEST(ZipContainerTest, BytesInFrontAndACommentBehindAreIgnored) {
  std::string bytes = "#!/bin/sh\n" + MakeZip({{"a", "text"}}) + "hello";
  bytes[bytes.size() - 7] = 5;
  auto zip = ZipContainer::Open(bytes, {});
  ASSERT_TRUE(zip);
  EXPECT_EQ(zip->Read("a").value(), "text");
}

TEST(ZipContainerTest, AnEncryptedEntryNeedsAPassword) {
  const std::string bytes = MakeZip({{"a", "text", "", 1}});
  auto zip = ZipContainer::Open(bytes, {});
  ASSERT_TRUE(zip);
  EXPECT_EQ(FailedExtractionOf(zip->Read("a").error()).outcome, ExtractOutcome::kEncrypted);
}

TEST(ZipContainerTest, ABombEndsAtTheLimitOfItsRatio) {
  const std::string bytes = MakeArchive("zip", {{"a", std::string(3 << 20, '\0')}});
  ExtractLimits limits;
  limits.free_unpacked_bytes = 1 << 20;
  auto zip = ZipContainer::Open(bytes, limits);
  ASSERT_TRUE(zip);
  EXPECT_EQ(zip->Read("a").error().code(), StatusCode::kLimitExceeded);
  limits.free_unpacked_bytes = 4 << 20;
  auto roomy = ZipContainer::Open(bytes, limits);
  EXPECT_TRUE(roomy->Read("a"));
  EXPECT_EQ(roomy->Read("a").error().code(), StatusCode::kLimitExceeded);
}

TEST(ZipContainerTest, WhatTheDirectorySaysIsNotBelieved) {
  for (const uint64_t claimed : {0ull, 3ull, 5ull, 4'000'000'000ull}) {
    const std::string bytes = MakeZip({{"a", "text", "", 0, claimed}});
    auto zip = ZipContainer::Open(bytes, {});
    ASSERT_TRUE(zip);
    EXPECT_FALSE(zip->Read("a"));
  }
  ExtractLimits limits;
  limits.max_members = 1;
  EXPECT_EQ(ZipContainer::Open(MakeZip({{"a", ""}, {"b", ""}}), limits).error().code(),
            StatusCode::kLimitExceeded);
}

TEST(ZipContainerTest, EveryTruncationAndChangeEndsInAnAnswer) {
  const std::string bytes = MakeArchive("zip", {{"a", "some text, some text"}, {"b", "more"}});
  const auto read_all = [](const std::string& input) {
    auto zip = ZipContainer::Open(input, {});
    if (!zip) return false;
    bool whole = zip->entries().size() == 2;
    for (const ZipEntry& entry : zip->entries()) {
      const auto text = zip->Read(entry.name);
      whole = whole && text && text->starts_with(entry.name == "a" ? "some text, s" : "more");
    }
    return whole;
  };
  ASSERT_TRUE(read_all(bytes));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(read_all(bytes.substr(0, size))) << size;
  }
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const int change : {1, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ change);
      read_all(changed);
    }
  }
}

TEST(ResolveEntryNameTest, FollowsReferences) {
  EXPECT_EQ(ResolveEntryName("ppt/slides/slide1.xml", "../media/a%20b.png"), "ppt/media/a b.png");
  EXPECT_EQ(ResolveEntryName("ppt/slides/slide1.xml", "/xl/workbook.xml"), "xl/workbook.xml");
  EXPECT_EQ(ResolveEntryName("OEBPS/content.opf", "ch1.xhtml#part"), "OEBPS/ch1.xhtml");
  EXPECT_EQ(ResolveEntryName("OEBPS/ch1.xhtml", "#part"), "OEBPS/ch1.xhtml");
  EXPECT_EQ(ResolveEntryName("", "word/document.xml"), "word/document.xml");
  EXPECT_EQ(ResolveEntryName("a/b", "../../c"), "");
  EXPECT_EQ(ResolveEntryName("a/b", "http://example.org/c"), "");
  EXPECT_EQ(ResolveEntryName("a/b", "mailto:x"), "");
  EXPECT_EQ(ResolveEntryName("a/b", "%ff"), "");
}

}  // namespace
}  // namespace recall
