#include "cli/show/browse/edit_line.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

// "ab", an e with a combining accent, and a wide character.
const std::string kText =
    "ab"
    "e\xCC\x81"
    "\xE6\x97\xA5";

// The line with '|' at the cursor.
std::string Shown(const EditLine& line) {
  std::string text = line.text;
  return text.insert(line.cursor, "|");
}

TEST(EditLineTest, MovesByWholeCharacters) {
  EditLine line = LineOf(kText);
  EXPECT_EQ(Shown(line), kText + "|");
  line = MoveLeft(line);
  EXPECT_EQ(line.cursor, 5u);
  line = MoveLeft(line);
  EXPECT_EQ(line.cursor, 2u);
  EXPECT_EQ(Shown(MoveLeft(MoveLeft(MoveLeft(line)))).front(), '|');
  EXPECT_EQ(MoveRight(line).cursor, 5u);
  EXPECT_EQ(MoveRight(MoveToEnd(line)), MoveToEnd(line));
}

TEST(EditLineTest, DeletesWholeCharacters) {
  const EditLine line = MoveLeft(LineOf(kText));
  EXPECT_EQ(Shown(DeleteBefore(line)), "ab|\xE6\x97\xA5");
  EXPECT_EQ(Shown(DeleteAfter(line)),
            "abe\xCC\x81"
            "|");
  EXPECT_EQ(DeleteBefore(MoveToStart(line)), MoveToStart(line));
  EXPECT_EQ(DeleteAfter(LineOf("x")), LineOf("x"));
}

TEST(EditLineTest, DeletesAsReadlineDoes) {
  const EditLine line{"two words here", 9};
  EXPECT_EQ(Shown(DeleteToStart(line)), "| here");
  EXPECT_EQ(Shown(DeleteToEnd(line)), "two words|");
  EXPECT_EQ(Shown(DeleteWordBefore(line)), "two | here");
  EXPECT_EQ(Shown(DeleteWordBefore({"two  ", 5})), "|");
}

TEST(EditLineTest, TakesNoControlCharacters) {
  EXPECT_EQ(Shown(Insert({"ac", 1}, "\x1b[1m\nb")), "a [1m b|c");
  EXPECT_EQ(LineOf("a\xE2\x80\xAE\xFF").text, "a  ");
}

TEST(EditLineTest, ShowsThePartWithTheCursor) {
  const EditLine line = LineOf("0123456789");
  EXPECT_EQ(VisiblePart(line, 20).text, "0123456789");
  EXPECT_EQ(VisiblePart(line, 20).cursor_column, 10u);
  EXPECT_EQ(VisiblePart(line, 5).text, "6789");
  EXPECT_EQ(VisiblePart(line, 5).cursor_column, 4u);
  EXPECT_EQ(VisiblePart(MoveToStart(line), 5).text, "01234");
  // A wide character that does not fit is left out as a whole.
  EXPECT_EQ(VisiblePart({"a\xE6\x97\xA5", 0}, 2).text, "a");
  EXPECT_EQ(VisiblePart(line, 0).text, "");
}

}  // namespace
}  // namespace recall
