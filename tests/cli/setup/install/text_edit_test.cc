// Texts of ours: a whole file, or lines between marker lines in a file of somebody else.

#include "cli/setup/install/text_edit.h"

#include <gtest/gtest.h>

#include <random>

#include "cli/setup/install/settings_edit.h"
#include "tests/test_util.h"

namespace recall {
namespace {

const EntryPath kTextPath = {"text"};
const ServerEntry kTextEntry = {{"text", "# Recall\n\nlines\n"}};
const ServerEntry kOtherText = {{"text", "older\n"}};

TEST(TextEditTest, LinesStandBelowThoseOfOthers) {
  ASSERT_OK_AND_ASSIGN(const SettingsEdit edit,
                       AddEntry(SettingsFormat::kMarkdown, "# Rules\n", kTextPath, kTextEntry));
  EXPECT_EQ(edit.text,
            "# Rules\n<!-- >>> recall install >>> -->\n# Recall\n\nlines\n"
            "<!-- <<< recall install <<< -->\n");
  ASSERT_OK_AND_ASSIGN(const auto found,
                       FindEntry(SettingsFormat::kMarkdown, edit.text, kTextPath));
  EXPECT_EQ(found, CanonicalEntry(kTextEntry));
}

TEST(TextEditTest, AnyTextIsRestoredToTheByte) {
  std::mt19937 random(static_cast<uint32_t>(TestSeed(7)));
  const std::string_view parts[] = {"a", "\n", "\r\n", "# T\n", "<!-- x -->\n", "\n\n", "ü"};
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (uint32_t n = random() % 8; n > 0; --n) text += parts[random() % std::size(parts)];
    for (const SettingsFormat format : {SettingsFormat::kMarkdown, SettingsFormat::kText}) {
      if (format == SettingsFormat::kText && !text.empty()) continue;
      ASSERT_OK_AND_ASSIGN(const auto edit, AddEntry(format, text, kTextPath, kTextEntry));
      ASSERT_OK_AND_ASSIGN(const std::string back,
                           TakeEntry(format, edit.text, kTextPath, &edit.added));
      EXPECT_EQ(back, text);
    }
  }
}

TEST(TextEditTest, WhatIsReplacedIsPutBackInItsPlace) {
  ASSERT_OK_AND_ASSIGN(const SettingsEdit old,
                       AddEntry(SettingsFormat::kMarkdown, "a\n", kTextPath, kOtherText));
  const std::string before = old.text + "b";
  ASSERT_OK_AND_ASSIGN(const SettingsEdit edit,
                       ReplaceEntry(SettingsFormat::kMarkdown, before, kTextPath, kTextEntry));
  EXPECT_TRUE(edit.text.ends_with("b"));
  ASSERT_OK_AND_ASSIGN(const auto found,
                       FindEntry(SettingsFormat::kMarkdown, edit.text, kTextPath));
  EXPECT_EQ(found, CanonicalEntry(kTextEntry));
  ASSERT_OK_AND_ASSIGN(const std::string back,
                       TakeEntry(SettingsFormat::kMarkdown, edit.text, kTextPath, &edit.added));
  EXPECT_EQ(back, before);

  ASSERT_OK_AND_ASSIGN(const SettingsEdit whole,
                       ReplaceEntry(SettingsFormat::kText, "mine", kTextPath, kTextEntry));
  ASSERT_OK_AND_ASSIGN(const std::string mine,
                       TakeEntry(SettingsFormat::kText, whole.text, kTextPath, &whole.added));
  EXPECT_EQ(mine, "mine");
}

TEST(TextEditTest, LineEndsOfAnEditorAreNoChange) {
  ASSERT_OK_AND_ASSIGN(const SettingsEdit edit,
                       AddEntry(SettingsFormat::kMarkdown, "a\n", kTextPath, kTextEntry));
  std::string windows;
  for (const char c : edit.text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  ASSERT_OK_AND_ASSIGN(const auto found, FindEntry(SettingsFormat::kMarkdown, windows, kTextPath));
  EXPECT_EQ(found, CanonicalEntry(kTextEntry));
}

TEST(TextEditTest, AMarkerLineAloneIsRefused) {
  EXPECT_FALSE(
      FindEntry(SettingsFormat::kMarkdown, "<!-- >>> recall install >>> -->\nx", kTextPath));
}

}  // namespace
}  // namespace recall
