// Reading untrusted archives.

#include "index/source/archive/archive_reader.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/index/source/archive/archive_maker.h"
#include "tests/index/source/archive/memory_archive.h"
#include "tests/test_util.h"

namespace recall {
namespace {

const std::atomic<bool> kNever = false;
constexpr ArchiveLimits kRoomy = {1 << 20, 8 << 20};

// The results of a reader: a line for each member, its text, and the status at the end.
struct Told {
  std::vector<std::string> lines;
  std::map<std::string, std::string> texts;
  Status end;
};

Told ReadAll(const std::string& bytes, const ArchiveLimits& limits = kRoomy) {
  Told told;
  const MemoryArchive archive(bytes);
  auto reader = ArchiveReader::Open(archive.path(), limits, &kNever);
  if (!reader) {
    told.end = reader.error();
    return told;
  }
  ArchiveMember member;
  for (;;) {
    const auto more = (*reader)->Next(&member);
    if (!more) told.end = more.error();
    if (!more || !*more) return told;
    if (member.is_directory) {
      told.lines.push_back(member.shown + " directory");
      continue;
    }
    if (!member.refusal.empty()) {
      told.lines.push_back(member.shown + ": " + member.refusal);
      continue;
    }
    const auto text = (*reader)->Read();
    if (text) {
      told.lines.push_back(member.name);
      told.texts[member.name] = *text;
    } else if ((*reader)->ended()) {
      told.end = text.error();
      return told;
    } else {
      told.lines.push_back(member.shown + ": " + std::string(text.error().message()));
    }
  }
}

class EveryKind : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Archives, EveryKind,
                         testing::Values("tar", "tar.gz", "tar.zst", "tar.xz", "tar.bz2", "zip"));

TEST_P(EveryKind, GivesItsMembersInTheirOrder) {
  const std::string big(300'000, 'x');
  const Told told = ReadAll(MakeArchive(
      GetParam(),
      {{"b.txt", "second\n"}, {"a/big.txt", big}, {"empty.txt", ""}, {"./c", "third"}}));
  EXPECT_TRUE(told.end.ok()) << told.end.ToString();
  EXPECT_EQ(told.lines, (std::vector<std::string>{"b.txt", "a/big.txt", "empty.txt", "c"}));
  EXPECT_EQ(told.texts.at("b.txt"), "second\n");
  EXPECT_EQ(told.texts.at("a/big.txt"), big);
  EXPECT_EQ(told.texts.at("empty.txt"), "");
}

TEST_P(EveryKind, MembersThatAreTooLargeAreRefusedAndTheRestIsRead) {
  const Told told =
      ReadAll(MakeArchive(GetParam(), {{"bomb", std::string(200'000, '\0')}, {"b.txt", "small"}}),
              {100'000, 8 << 20});
  EXPECT_TRUE(told.end.ok()) << told.end.ToString();
  EXPECT_EQ(told.lines,
            (std::vector<std::string>{"bomb: its size exceeds the limit of 100000", "b.txt"}));
}

TEST_P(EveryKind, HoldsNoMoreThanItMay) {
  std::vector<MadeMember> members;
  for (int i = 0; i < 20; ++i) members.push_back({std::to_string(i), std::string(90'000, 'x')});
  const Told told = ReadAll(MakeArchive(GetParam(), members), {100'000, 1'000'000});
  EXPECT_EQ(told.end.code(), StatusCode::kLimitExceeded);
  EXPECT_TRUE(told.end.message().starts_with("its contents exceed the limit of 1000000 bytes (in "))
      << told.end.ToString();
  EXPECT_GE(told.lines.size(), 9u);
  EXPECT_LT(told.lines.size(), 12u);
}

// An archive truncated anywhere ends with an error, or, at the end of a tar member, without one.
// The members before that point are unchanged.
TEST_P(EveryKind, CutAnywhereItEndsCleanly) {
  std::vector<MadeMember> members;
  for (int i = 0; i < 6; ++i) {
    std::string text;
    for (int j = 0; j < 300; ++j) text += std::to_string(i * 7919 + j * j) + "\n";
    members.push_back({"m" + std::to_string(i), text});
  }
  const std::string whole = MakeArchive(GetParam(), members);
  size_t faults = 0;
  for (size_t size = 0; size < whole.size(); size += 97) {
    const Told told = ReadAll(whole.substr(0, size));
    faults += told.end.ok() ? 0 : 1;
    EXPECT_TRUE(told.end.ok() || !told.end.message().empty());
    for (const auto& [name, text] : told.texts) {
      EXPECT_EQ(text, members[static_cast<size_t>(name[1] - '0')].text) << size;
    }
  }
  EXPECT_GT(faults, whole.size() / 97 / 2);
}

TEST(ArchiveReader, WhatIsNoFileIsRefusedWithTheReason) {
  const Told told = ReadAll(MakeArchive("tar", {{"dir", "", AE_IFDIR},
                                                {"/etc/passwd", "x"},
                                                {"../up.txt", "x"},
                                                {"soft", "", AE_IFLNK, "/etc/passwd"},
                                                {"hard", "", AE_IFREG, "plain.txt"},
                                                {"device", "", AE_IFCHR},
                                                {"pipe", "", AE_IFIFO},
                                                {"b\xE9"
                                                 "b.txt",
                                                 "x"},
                                                {"plain.txt", "text"}}));
  EXPECT_TRUE(told.end.ok()) << told.end.ToString();
  EXPECT_EQ(told.lines, (std::vector<std::string>{
                            "dir/ directory", "/etc/passwd: its name is absolute",
                            "../up.txt: its name leads out of the archive",
                            "soft: it is a symbolic link", "hard: it is a hard link",
                            "device: it is a device", "pipe: it is neither a file nor a directory",
                            "b\\xe9b.txt: its name is not UTF-8", "plain.txt"}));
}

TEST(ArchiveReader, NamesAreUtf8WhateverTheLocale) {
  for (const char* kind : {"tar", "tar.gz"}) {
    const Told told = ReadAll(MakeArchive(kind, {{"größe/東京.txt", "text"}}));
    EXPECT_TRUE(told.end.ok()) << told.end.ToString();
    EXPECT_EQ(told.lines, (std::vector<std::string>{"größe/東京.txt"})) << kind;
  }
}

TEST(ArchiveReader, AWrongSumIsTheFaultOfOneMember) {
  std::string zip = MakeArchive("stored.zip", {{"a.txt", "the heron waits"}, {"b.txt", "fine"}});
  const size_t text = zip.find("heron");
  ASSERT_NE(text, zip.npos);
  zip[text] = 'H';
  const Told told = ReadAll(zip);
  EXPECT_TRUE(told.end.ok()) << told.end.ToString();
  ASSERT_EQ(told.lines.size(), 2u);
  EXPECT_TRUE(told.lines[0].starts_with("a.txt: it is damaged: ")) << told.lines[0];
  EXPECT_EQ(told.texts.at("b.txt"), "fine");
}

TEST(ArchiveReader, WhatCannotBeDecompressedEndsIt) {
  std::string zip = MakeArchive("zip", {{"a.txt", std::string(5000, 'a')}, {"b.txt", "fine"}});
  const size_t name = zip.find("a.txt");
  ASSERT_NE(name, zip.npos);
  zip[name + 5 + 32 + 3] ^= 0x40;  // inside the compressed data, after the extra fields
  const Told told = ReadAll(zip);
  EXPECT_EQ(told.end.code(), StatusCode::kCorruption);
  EXPECT_TRUE(told.end.message().ends_with(" (in a.txt)")) << told.end.ToString();
  EXPECT_TRUE(told.texts.empty()) << "damaged bytes must not be taken for a text";
}

TEST(ArchiveReader, CompressedTwiceIsRefused) {
  const std::string once = MakeArchive("tar.gz", {{"a.txt", "text"}});
  std::string twice;
  archive* const a = archive_write_new();
  archive_write_set_format_raw(a);
  archive_write_add_filter_gzip(a);
  archive_write_open(
      a, &twice, nullptr,
      [](archive*, void* to, const void* from, size_t size) -> la_ssize_t {
        static_cast<std::string*>(to)->append(static_cast<const char*>(from), size);
        return static_cast<la_ssize_t>(size);
      },
      nullptr);
  archive_entry* const entry = archive_entry_new();
  archive_entry_set_pathname(entry, "x");
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(a, entry);
  archive_write_data(a, once.data(), once.size());
  archive_entry_free(entry);
  archive_write_close(a);
  archive_write_free(a);
  EXPECT_EQ(ReadAll(twice).end.code(), StatusCode::kUnsupported);
}

TEST(ArchiveReader, WhatIsNoArchiveIsCorruption) {
  for (const std::string& bytes : {std::string("no archive at all\n"), std::string(2000, 'x')}) {
    const Told told = ReadAll(bytes);
    EXPECT_EQ(told.end.code(), StatusCode::kCorruption) << told.end.ToString();
    EXPECT_TRUE(told.lines.empty());
  }
}

TEST(ArchiveReader, StopsWhenItIsCancelled) {
  const std::string bytes = MakeArchive("tar.zst", {{"a", std::string(900'000, 'a')}, {"b", "b"}});
  std::atomic<bool> cancel = false;
  const MemoryArchive archive(bytes);
  ASSERT_OK_AND_ASSIGN(const auto reader, ArchiveReader::Open(archive.path(), kRoomy, &cancel));
  ArchiveMember member;
  ASSERT_OK_AND_ASSIGN(const bool more, reader->Next(&member));
  EXPECT_TRUE(more);
  cancel = true;
  EXPECT_EQ(reader->Next(&member).error().code(), StatusCode::kCancelled);
  EXPECT_TRUE(reader->ended());
}

TEST(ArchiveMembers, TheLastOfANameIsRead) {
  const MemoryArchive archive(
      MakeArchive("tar", {{"x", "old"}, {"y", "other"}, {"./x", "new"}, {"l", "", AE_IFLNK, "x"}}));
  const auto read = [&](std::string_view name) -> Result<std::string> {
    RECALL_ASSIGN(const auto reader, ArchiveReader::Open(archive.path(), kRoomy, &kNever));
    return ReadLastNamed(*reader, name);
  };
  EXPECT_EQ(read("x").value_or("none"), "new");
  EXPECT_EQ(read("z").error().code(), StatusCode::kNotFound);
  EXPECT_EQ(read("l").error().code(), StatusCode::kNotFound);
}

TEST(ArchiveReader, AFileThatIsMissingIsNotFound) {
  const TempDir dir;
  EXPECT_EQ(ArchiveReader::Open(dir / "none.tar", kRoomy, &kNever).error().code(),
            StatusCode::kNotFound);
}

}  // namespace
}  // namespace recall
