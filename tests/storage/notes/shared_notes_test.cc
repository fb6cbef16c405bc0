#include "storage/notes/shared_notes.h"

#include <gtest/gtest.h>

#include "storage/sqlite/connection.h"
#include "storage/store/store.h"
#include "tests/test_util.h"

namespace recall {
namespace {

Digest Version(int number) { return Sha256(std::to_string(number)); }

TEST(SharedNotesTest, AreReadAsTheyWereWritten) {
  TempDir dir;
  const auto store = Must(Store::Create(dir / "recall.db", {}));
  SharedNote whole{.text = Version(1), .pulled = {Version(2), Version(3)}};
  whole.Write(Version(4));
  SharedNote removed{.pulled = {Version(5)}};
  {
    ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
    Connection& connection = transaction->connection();
    EXPECT_OK(WriteSharedNote(connection, "notes/a b.md", whole));
    EXPECT_OK(WriteSharedNote(connection, "notes/c.md", whole));
    EXPECT_OK(WriteSharedNote(connection, "notes/c.md", removed));
    EXPECT_OK(WriteSharedNote(connection, "notes/d.md", SharedNote()));
    // A row of a later version of the program, or a damaged one.
    EXPECT_OK(connection.Execute("INSERT INTO meta(key, value) VALUES('shared_note:x', 'y')"));
    ASSERT_OK(transaction->Commit());
  }
  ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginRead());
  ASSERT_OK_AND_ASSIGN(const auto notes, ReadSharedNotes(transaction->connection()));
  EXPECT_EQ(notes.size(), 3U);
  EXPECT_EQ(notes.at("notes/a b.md"), whole);
  EXPECT_EQ(notes.at("notes/c.md"), removed);
  EXPECT_EQ(notes.at("notes/d.md"), SharedNote());
}

TEST(SharedNotesTest, OfManyVersionsTheLatestAreKnown) {
  SharedNote note{.pulled = {Version(0)}};
  for (int i = 1; i <= 100; ++i) note.Write(Version(i));
  note.Write(Version(100));
  EXPECT_TRUE(note.Knows(Version(0)));
  EXPECT_TRUE(note.Knows(Version(100)));
  EXPECT_TRUE(note.Knows(Version(95)));
  EXPECT_FALSE(note.Knows(Version(1)));
  EXPECT_LE(note.written.size(), 16U);
}

}  // namespace
}  // namespace recall
