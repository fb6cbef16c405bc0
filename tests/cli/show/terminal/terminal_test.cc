#include "cli/show/terminal/terminal.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(EscapeControlsTest, LeavesOrdinaryTextAlone) {
  const std::string text =
      "plain\ttext\nGr\xC3\xBC\xC3\x9F\x65 \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\x98\x80";
  EXPECT_EQ(EscapeControls(text), text);
}

TEST(EscapeControlsTest, DisarmsTerminalSequences) {
  EXPECT_EQ(EscapeControls("\x1b]0;owned\x07"), "\\x1b]0;owned\\x07");
  EXPECT_EQ(EscapeControls(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(EscapeControls("\x7f\r"), "\\x7f\\x0d");
  EXPECT_EQ(EscapeControls("\xC2\x9B"
                           "31m"),
            "\\x9b31m");  // the one-character CSI
}

TEST(EscapeControlsTest, ShowsCharactersThatReorderLines) {
  EXPECT_EQ(EscapeControls("a\xE2\x80\xAE"
                           "b"),
            "a\\u202eb");
  EXPECT_EQ(EscapeControls("\xE2\x81\xA6\xE2\x81\xA9"), "\\u2066\\u2069");
  EXPECT_EQ(EscapeControls("\xE2\x80\x8F\xD8\x9C"), "\\u200f\\u061c");
}

TEST(EscapeControlsTest, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(EscapeControls("a\xFF"
                           "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(EscapeControls("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // truncated
  EXPECT_EQ(EscapeControls("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
  EXPECT_EQ(EscapeControls("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // surrogate
}

TEST(EscapeLineTest, KeepsAFieldOnItsLine) {
  EXPECT_EQ(EscapeLine("odd\nname\t.md"), "odd\\nname\\t.md");
}

// The escapes are those of JSON, so that the text has the same meaning.
TEST(EscapeJsonTest, WritesTerminalSequencesAsJsonEscapes) {
  EXPECT_EQ(EscapeJson("{\n  \"a\": \"\\u001b[1m \xC3\xA9\"\n}\n"),
            "{\n  \"a\": \"\\u001b[1m \xC3\xA9\"\n}\n");
  EXPECT_EQ(EscapeJson("\"\x7F\""), "\"\\u007f\"");
  EXPECT_EQ(EscapeJson("\"\xC2\x80 \xC2\x9B \xC2\x9F \xC2\xA0\""),
            "\"\\u0080 \\u009b \\u009f \xC2\xA0\"");
  EXPECT_EQ(EscapeJson("\"\xE2\x80\xAE\xE2\x81\xA6\xD8\x9C\""), "\"\\u202e\\u2066\\u061c\"");
}

TEST(TextStyleTest, PaintsOnlyInColour) {
  TextStyle style;
  EXPECT_EQ(style.Path("a.md"), "a.md");
  style.color = true;
  EXPECT_EQ(style.Path("a.md"), "\x1b[36ma.md\x1b[0m");
}

TEST(UseColorTest, ObeysExplicitWishes) {
  EXPECT_TRUE(UseColor(ColorMode::kAlways, -1));
  EXPECT_FALSE(UseColor(ColorMode::kNever, -1));
  EXPECT_FALSE(UseColor(ColorMode::kAuto, -1));  // not a terminal
}

}  // namespace
}  // namespace recall
