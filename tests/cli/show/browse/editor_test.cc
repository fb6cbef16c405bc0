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
