#include "cli/show/browse/editor.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "storage/file_io/file_descriptor.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Words = std::vector<std::string>;

TEST(EditorTest, GetsTheLineAsItUnderstandsIt) {
  EXPECT_EQ(EditorArguments("vim", "a b.md", 7), (Words{"+7", "a b.md"}));
  EXPECT_EQ(EditorArguments("/usr/bin/code --wait", "a.md", 7), (Words{"--goto", "a.md:7"}));
  EXPECT_EQ(EditorArguments("hx", "a.md", 7), (Words{"a.md:7"}));
  EXPECT_EQ(PagerArguments("less -R", 7), (Words{"+7"}));
  EXPECT_EQ(PagerArguments("most", 7), Words());
}

TEST(EditorTest, GetsSeveralFilesAsItUnderstandsThem) {
  const std::vector<FilePlace> places = {{"a.md", 7}, {"b c.md", 9}};
  EXPECT_EQ(EditorArguments("vim", places), (Words{"+7", "a.md", "b c.md"}));
  EXPECT_EQ(EditorArguments("nano -l", places), (Words{"+7", "a.md", "+9", "b c.md"}));
  EXPECT_EQ(EditorArguments("code", places), (Words{"--goto", "a.md:7", "b c.md:9"}));
  EXPECT_EQ(EditorArguments("hx", places), (Words{"a.md:7", "b c.md:9"}));
}

// An editor with a window of its own ends at once, with nothing written, unless it is told to wait.
TEST(EditorTest, OfANoteIsWaitedFor) {
  EXPECT_EQ(WaitingEditorArguments("code", "a.md", 2), (Words{"--wait", "--goto", "a.md:2"}));
  EXPECT_EQ(WaitingEditorArguments("subl", "a.md", 2), (Words{"--wait", "a.md:2"}));
  EXPECT_EQ(WaitingEditorArguments("gvim", "a.md", 2), (Words{"-f", "+2", "a.md"}));
  EXPECT_EQ(WaitingEditorArguments("hx", "a.md", 2), (Words{"a.md:2"}));
  EXPECT_EQ(WaitingEditorArguments("vim", "a.md", 2), (Words{"+2", "a.md"}));
}

TEST(EditorTest, RunsACommandOfTheShellWithArguments) {
  const TempDir directory;
  ASSERT_OK_AND_ASSIGN(const int text, TextDescriptor("from the store\n"));
  const FileDescriptor input(text);
  const std::string out = directory / "out";
  // The quotes and the dollar of an argument are no business of the shell.
  ASSERT_OK_AND_ASSIGN(const int exit,
                       RunOnTerminal("cat - >'" + out + "'; printf '%s\\n' >>'" + out + "'",
                                     {"+7", "it's \"$HOME\".md"}, input.get(), 2));
  EXPECT_EQ(exit, 0);
  std::ifstream file(out);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}),
            "from the store\n+7\nit's \"$HOME\".md\n");
  ASSERT_OK_AND_ASSIGN(const int unknown,
                       RunOnTerminal("no-such-program 2>/dev/null", {}, input.get(), 2));
  EXPECT_EQ(unknown, 127);
}

}  // namespace
}  // namespace recall
