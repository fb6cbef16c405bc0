#include "cli/show/browse/note_form.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace recall {
namespace {

using Strings = std::vector<std::string>;

TEST(NoteFormTest, IsReadAsItIsFilledIn) {
  ASSERT_OK_AND_ASSIGN(const NoteDraft note, ReadNoteForm("---\n"
                                                          "title: Ports: \"which\" one?\n"
                                                          "type: decision\n"
                                                          "tags: net, ui\n"
                                                          "# a comment\n"
                                                          "recall_when:\n"
                                                          "  - opening a port, or two\n"
                                                          "  - \"a firewall\"\n"
                                                          "topic_path: [web/forms, 'web/css']\n"
                                                          "summary: One port\n"
                                                          "  for all.\n"
                                                          "scope:\n"
                                                          "sensitivity: private\n"
                                                          "---\n"
                                                          "\n"
                                                          "The text.\n"
                                                          "---\n"
                                                          "type: is text here\n"));
  EXPECT_EQ(note.title, "Ports: \"which\" one?");
  EXPECT_EQ(note.type, "decision");
  EXPECT_EQ(note.tags, (Strings{"net", "ui"}));
  EXPECT_EQ(note.recall_when, (Strings{"opening a port, or two", "a firewall"}));
  EXPECT_EQ(note.topic_path, (Strings{"web/forms", "web/css"}));
  EXPECT_EQ(note.summary, "One port for all.");
  EXPECT_EQ(note.scope, std::nullopt) << "nothing was filled in";
  EXPECT_EQ(note.sensitivity, "private");
  EXPECT_EQ(note.text, "The text.\n---\ntype: is text here");
}

TEST(NoteFormTest, AFormOfWindowsIsTheSame) {
  ASSERT_OK_AND_ASSIGN(const NoteDraft note,
                       ReadNoteForm("---\r\ntitle: A\r\ntags: a, b\r\n---\r\ntext\r\n"));
  EXPECT_EQ(note.title, "A");
  EXPECT_EQ(note.tags, (Strings{"a", "b"}));
  EXPECT_EQ(note.text, "text");
}

TEST(NoteFormTest, MistakesHaveTheirLine) {
  const auto error = [](std::string_view form) {
    const Result<NoteDraft> note = ReadNoteForm(form);
    return note ? "" : std::string(note.error().message());
  };
  EXPECT_EQ(error("---\ntitle: a\ntitel: b\n---\n"), "line 3 has the unknown key 'titel'");
  EXPECT_EQ(error("---\ntitle\n---\n"), "line 2 has no colon");
  EXPECT_EQ(error("---\n- a\n---\n"), "line 2 belongs to no key");
  for (const char* form : {"", "just text\n", "---\ntitle: a\n", "text\n---\ntitle: a\n---\n"}) {
    EXPECT_EQ(error(form), "the note has no card") << form;
  }
}

TEST(NoteFormTest, TheFormItselfIsValidAndSaysNothing) {
  const EditedNote note = NewNote();
  ASSERT_OK_AND_ASSIGN(const NoteDraft draft, ReadNoteForm(note.begun));
  EXPECT_EQ(draft.title, "");
  EXPECT_EQ(draft.type, "lesson");
  EXPECT_EQ(draft.text, "");
  EXPECT_TRUE(note.begun.substr(note.begun.find('\n') + 1).starts_with("title: "))
      << "the line that the editor shows";
  EXPECT_EQ(note.line, 2u);
}

// ---- What is saved
// --------------------------------------------------------------------------------

EditedNote StoredNote() {
  GetResponse note;
  note.doc.path = "notes/a.md";
  note.doc.hash = "0d6c";
  note.chunk.text = "---\ntype: lesson\ntitle: A\n---\n\nText.\n";
  return NoteToEdit(note);
}

TEST(NoteFormTest, WhatSaysNothingIsNotSaved) {
  const EditedNote note = NewNote();
  for (const std::string& text : {note.begun, std::string(), std::string(" \n"),
                                  std::string("---\ntype: decision\n---\n\n")}) {
    ASSERT_OK_AND_ASSIGN(const auto request, SavingOf(note, text, {}));
    EXPECT_FALSE(request) << text;
  }
  ASSERT_OK_AND_ASSIGN(const auto same, SavingOf(StoredNote(), StoredNote().begun, {}));
  EXPECT_FALSE(same);
}

TEST(NoteFormTest, ANewNoteIsSavedByTheSettings) {
  SaveRequest like;
  like.notes_dir = "notes";
  like.secrets = SecretPolicy::kRedact;
  ASSERT_OK_AND_ASSIGN(const auto request,
                       SavingOf(NewNote(), "---\ntitle: A\ntype: bug\n---\nText.\n", like));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->note.title, "A");
  EXPECT_EQ(request->note.type, "bug");
  EXPECT_EQ(request->notes_dir, "notes");
  EXPECT_EQ(request->secrets, SecretPolicy::kRedact);
  EXPECT_FALSE(request->rewrite);
  EXPECT_FALSE(request->replace);
}

TEST(NoteFormTest, AnEditedNoteReplacesTheVersionThatWasEdited) {
  const std::string text = "---\ntype: lesson\ntitle: B\nown: 1\n---\n\nText.\n";
  ASSERT_OK_AND_ASSIGN(const auto request, SavingOf(StoredNote(), text, {}));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->rewrite, "notes/a.md");
  EXPECT_TRUE(request->rewrites_card);
  EXPECT_EQ(request->based_on, "0d6c");
  EXPECT_EQ(request->note.text, text) << "to the byte";
}

TEST(NoteFormTest, ADraftHasAFileOfItsOwn) {
  const std::string name = DraftName(StoredNote(), "/home/ada");
  EXPECT_TRUE(name.starts_with("a-") && name.ends_with(".md")) << name;
  EXPECT_EQ(name, DraftName(StoredNote(), "/home/ada"));
  EXPECT_NE(name, DraftName(StoredNote(), "/home/bob"));
  EditedNote other = StoredNote();
  other.hash = "77";
  EXPECT_NE(name, DraftName(other, "/home/ada")) << "another version";
  other.path = "../\x1b/..\n/ü .md";
  EXPECT_EQ(DraftName(other, "/").find_first_of("/\x1b\n "), std::string::npos);
  EXPECT_TRUE(DraftName(NewNote(), "/home/ada").starts_with("new-"));
}

}  // namespace
}  // namespace recall
