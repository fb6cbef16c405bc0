// The text of a note outlives whatever goes wrong between the editor and the store.

#include "cli/show/browse/note_editing.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "cli/show/browse/private_file.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr std::string_view kFilledIn = "---\ntitle: A\ntype: bug\n---\n\nText.\n";

class NoteEditingTest : public ::testing::Test {
 protected:
  // An editor that writes this text and ends with `exit`.
  void EditorWrites(std::string text, int exit = 0) {
    with_.edit = [this, text, exit](const std::string& file, uint32_t line) -> Result<int> {
      shown_ = ReadPrivateFile(file).value_or("");
      line_ = line;
      RECALL_TRY(WritePrivateFile(file, text));
      return exit;
    };
  }

  NoteOutcome Edit(const EditedNote& note = NewNote()) { return EditNote(note, with_); }

  std::vector<std::string> Drafts() const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(with_.drafts_directory, error)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  TempDir directory_;
  NoteEditing with_{.drafts_directory = directory_ / "state/drafts",
                    .store_directory = "/store",
                    .like = {},
                    .edit = {},
                    .save = [this](const SaveRequest& request) -> Result<SaveReport> {
                      saved_ = request;
                      SaveReport report;
                      report.doc.path = "notes/a.md";
                      return report;
                    }};
  std::string shown_;  // what the editor found in the file
  uint32_t line_ = 0;
  std::optional<SaveRequest> saved_;
};

TEST_F(NoteEditingTest, SavesWhatTheEditorWrote) {
  EditorWrites(std::string(kFilledIn));
  const NoteOutcome outcome = Edit();
  ASSERT_OK(outcome.failure);
  ASSERT_TRUE(outcome.saved);
  EXPECT_EQ(outcome.saved->doc.path, "notes/a.md");
  EXPECT_EQ(saved_->note.title, "A");
  EXPECT_EQ(shown_, NewNote().begun);
  EXPECT_EQ(line_, 2u);
  EXPECT_EQ(outcome.kept, "");
  EXPECT_EQ(Drafts(), std::vector<std::string>()) << "a saved note leaves no copy";
}

TEST_F(NoteEditingTest, WhatIsNotChangedIsNotSaved) {
  EditorWrites(NewNote().begun);
  const NoteOutcome outcome = Edit();
  ASSERT_OK(outcome.failure);
  EXPECT_FALSE(outcome.saved);
  EXPECT_FALSE(saved_);
  EXPECT_EQ(Drafts(), std::vector<std::string>());
}

TEST_F(NoteEditingTest, AnEditorThatFailsLosesNothing) {
  EditorWrites(std::string(kFilledIn), 1);
  const NoteOutcome outcome = Edit();
  EXPECT_EQ(outcome.failure.message(), "the editor ended with status 1; nothing was saved");
  EXPECT_FALSE(saved_);
  EXPECT_EQ(ReadPrivateFile(outcome.kept).value_or(""), kFilledIn);
  struct stat info = {};
  ASSERT_EQ(::stat(outcome.kept.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u) << "nobody else reads it";

  // The next time it goes on with that text.
  EditorWrites(std::string(kFilledIn));
  const NoteOutcome again = Edit();
  EXPECT_EQ(shown_, kFilledIn);
  EXPECT_TRUE(again.saved);
  EXPECT_EQ(Drafts(), std::vector<std::string>());
}

TEST_F(NoteEditingTest, AMistakeInTheTextLosesNothing) {
  EditorWrites("---\ntitle: A\nno colon\n---\n");
  const NoteOutcome outcome = Edit();
  EXPECT_EQ(outcome.failure.message(), "line 3 has no colon");
  EXPECT_EQ(Drafts().size(), 1u);
}

TEST_F(NoteEditingTest, AStoreThatRefusesTheNoteLosesNothing) {
  EditorWrites(std::string(kFilledIn));
  with_.save = [](const SaveRequest&) { return Fail(Status::Busy("the store is busy")); };
  const NoteOutcome outcome = Edit();
  EXPECT_EQ(outcome.failure.message(), "the store is busy");
  EXPECT_EQ(ReadPrivateFile(outcome.kept).value_or(""), kFilledIn);
}

TEST_F(NoteEditingTest, AnEditorThatDidNotRunLeavesNothing) {
  with_.edit = [](const std::string&, uint32_t) { return Fail(Status::NotFound("no editor")); };
  const NoteOutcome outcome = Edit();
  EXPECT_EQ(outcome.failure.message(), "no editor");
  EXPECT_EQ(outcome.kept, "");
  EXPECT_EQ(Drafts(), std::vector<std::string>());
}

TEST_F(NoteEditingTest, ADraftOfAnotherVersionIsLeftAlone) {
  GetResponse stored;
  stored.doc.path = "notes/a.md";
  stored.doc.hash = "old";
  stored.chunk.text = "---\ntype: bug\ntitle: A\n---\nold\n";
  EditorWrites("edited", 1);
  const NoteOutcome failed = Edit(NoteToEdit(stored));
  stored.doc.hash = "new";
  stored.chunk.text = "---\ntype: bug\ntitle: A\n---\nnew\n";
  EditorWrites(stored.chunk.text);
  Edit(NoteToEdit(stored));
  EXPECT_EQ(shown_, stored.chunk.text);
  EXPECT_EQ(ReadPrivateFile(failed.kept).value_or(""), "edited");
}

TEST_F(NoteEditingTest, NeedsAPlaceForTheText) {
  EditorWrites(std::string(kFilledIn));
  with_.drafts_directory = "";
  EXPECT_EQ(Edit().failure.code(), StatusCode::kIoError);
  with_.drafts_directory = "/proc/no";
  EXPECT_EQ(Edit().failure.code(), StatusCode::kIoError);
  EXPECT_FALSE(saved_);
}

}  // namespace
}  // namespace recall
