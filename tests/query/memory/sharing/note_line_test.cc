#include "query/memory/sharing/note_line.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace recall {
namespace {

constexpr std::string_view kCardAndText =
    "---\ntype: lesson\ntitle: \"Ü\"\nupdated: 2026-03-01T10:00:00Z\n---\n\nText \"x\"\n";

Result<std::optional<SharedNoteVersion>> ReadLine(const std::string& line) {
  return ReadNoteLine({"recall.body", 1, line});
}

TEST(NoteLineTest, IsReadAsItWasWritten) {
  const Digest a = Sha256("a");
  const Digest b = Sha256("b");
  const SharedNoteVersion version =
      NoteVersion("notes/a.md", std::string(kCardAndText), UnixNanos{5}, {b, a, b});
  const std::string line = WriteNoteLine(version);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  ASSERT_OK_AND_ASSIGN(const auto read, ReadLine(line));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->path, "notes/a.md");
  EXPECT_EQ(read->text, kCardAndText);
  EXPECT_EQ(read->mtime, UnixNanos{5});
  EXPECT_EQ(read->changed, ParseRfc3339("2026-03-01T10:00:00Z"));
  EXPECT_EQ(read->replaces.size(), 2U);
  EXPECT_EQ(read->Id(), version.Id());
  EXPECT_EQ(WriteNoteLine(*read), line);

  const SharedNoteVersion removal = NoteRemoval("notes/a.md", {a});
  ASSERT_OK_AND_ASSIGN(const auto removed, ReadLine(WriteNoteLine(removal)));
  EXPECT_TRUE(removed->is_removal);
  EXPECT_EQ(removed->Id(), removal.Id());
}

TEST(NoteLineTest, AnIdSaysWhatTheVersionIsAndWhatItWasMadeOf) {
  const SharedNoteVersion first = NoteVersion("notes/a.md", "a\n", {}, {});
  const SharedNoteVersion later = NoteVersion("notes/a.md", "a\n", UnixNanos{9}, {});
  EXPECT_EQ(first.Id(), later.Id());
  EXPECT_NE(first.Id(), NoteVersion("notes/a.md", "a\n", {}, {first.Id()}).Id());
  EXPECT_NE(first.Id(), NoteVersion("notes/b.md", "a\n", {}, {}).Id());
  EXPECT_NE(NoteRemoval("notes/a.md", {first.Id()}).Id(),
            NoteVersion("notes/a.md", "", {}, {first.Id()}).Id());
}

TEST(NoteLineTest, WhatIsNotWhatItSaysIsRefused) {
  const std::string line = WriteNoteLine(NoteVersion("notes/a.md", "text", {}, {Sha256("a")}));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = line;
    changed.replace(changed.find(from), from.size(), to);
    return changed;
  };
  for (const std::string& bad :
       {with("\"text\":\"text\"", "\"text\":\"other\""), with("notes/a.md", "../a.md"),
        with("notes/a.md", "/etc/a.md"), with("notes/a.md", "notes/.git/a.md"),
        with("notes/a.md", "notes/a.txt"), with("notes/a.md", "notes/a\\u0000.md"),
        with("\"mtime\":null", "\"mtime\":\"soon\""), with("\"replaces\":[\"", "\"replaces\":[\"0"),
        with("\"replaces\":[", "\"replaces\":[1,"), std::string("{"), std::string("[]"),
        std::string("{\"path\":\"notes/a.md\"}"), std::string()}) {
    EXPECT_FALSE(ReadLine(bad).has_value()) << bad;
  }
}

// A later version of the program may write lines of other types.
TEST(NoteLineTest, UnknownTypesAndFieldsArePassedOver) {
  ASSERT_OK_AND_ASSIGN(const auto other, ReadLine(R"({"type":"picture","path":"../x"})"));
  EXPECT_FALSE(other.has_value());
  std::string line = WriteNoteLine(NoteVersion("notes/a.md", "text", {}, {}));
  line.insert(line.size() - 2, R"(,"colour":{"r":[1]})");
  ASSERT_OK_AND_ASSIGN(const auto note, ReadLine(line));
  EXPECT_EQ(note->text, "text");
}

}  // namespace
}  // namespace recall
