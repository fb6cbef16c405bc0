#include "cli/show/browse/help_screen.h"

#include <gtest/gtest.h>

#include "cli/show/browse/browse_screen.h"
#include "tests/cli/show/browse/screen_text.h"

namespace recall {
namespace {

// All of the page, as one reads it from the top on, screen by screen.
std::string WholeHelp(HelpOf screen, const WindowSize& size, bool prints = false) {
  ListView view;
  view.preview_offset = -1000;
  std::string text;
  std::string before;
  for (;;) {
    const Screen page = DrawHelp(screen, prints, view, size);
    view = page.view;
    Screen shown = page;
    shown.rows.pop_back();
    const std::string now = TextOf(shown);
    if (now == before) return text;
    text += now;
    before = now;
    view.preview_offset += static_cast<ptrdiff_t>(size.rows) - 1;
  }
}

TEST(HelpScreenTest, HasAllKeysInAnyWindow) {
  for (const WindowSize size : {WindowSize{24, 80}, WindowSize{10, 40}, WindowSize{4, 20}}) {
    const std::string text = WholeHelp(HelpOf::kResults, size);
    for (const char* keys :
         {"Enter",      "Ctrl-G",     "Esc, Ctrl-C", "Tab, Shift-Tab", "Alt-A",
          "Ctrl-S",     "Ctrl-Y",     "F2, Ctrl-X",  "F3, Ctrl-F",     "F4, Ctrl-O",
          "F5, Ctrl-V", "F6, Ctrl-T", "F7, Alt-O",   "F8, Alt-E",      "F9, Alt-I",
          "Ctrl-R",     "Ctrl-W",     "r, Right",    "0 .. 5",         "q, Esc"}) {
      EXPECT_NE(text.find(keys), std::string::npos) << keys << "\n" << text;
    }
  }
}

TEST(HelpScreenTest, BeginsAtTheKeysOfTheScreenThatItHides) {
  const auto first_line = [](HelpOf screen) {
    const std::string text = TextOf(DrawHelp(screen, false, {}, {10, 80}));
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(first_line(HelpOf::kResults), "Results");
  EXPECT_EQ(first_line(HelpOf::kPlaces), "Definitions");
  EXPECT_EQ(first_line(HelpOf::kLinks), "Links");
}

TEST(HelpScreenTest, SaysWhatEnterDoes) {
  EXPECT_NE(TextOf(DrawHelp(HelpOf::kResults, false, {}, {10, 80})).find("open the document"),
            std::string::npos);
  EXPECT_EQ(TextOf(DrawHelp(HelpOf::kResults, true, {}, {10, 80})).find("open the document"),
            std::string::npos);
}

TEST(HelpScreenTest, FitsAnyWindow) {
  for (const HelpOf of : {HelpOf::kResults, HelpOf::kReviews}) {
    for (size_t rows = 1; rows < 70; rows += rows < 14 ? 1 : 27) {
      for (size_t columns = 1; columns < 120; columns += columns < 30 ? 1 : 13) {
        const Screen screen = DrawHelp(of, false, {}, {rows, columns});
        EXPECT_EQ(screen.rows.size(), rows);
        EXPECT_LE(WidestRow(screen), columns) << rows << " " << columns << TextOf(screen);
      }
    }
  }
}

TEST(HelpScreenTest, IsMovedWhileItIsShown) {
  BrowseState state;
  OnKey(state, {Key::kHelp}, 0);
  EXPECT_TRUE(TextOf(Draw(state, {10, 80}, Utf8())).starts_with("Results\n"));
  for (int i = 0; i < 3; ++i) {
    OnKey(state, {Key::kDown}, 0);
    state.help_view = Draw(state, {10, 80}, Utf8()).view;
  }
  const std::string text = TextOf(Draw(state, {10, 80}, Utf8()));
  EXPECT_FALSE(text.starts_with("Results\n")) << text;
  EXPECT_NE(text.find("4-12 of "), std::string::npos) << text;
}

}  // namespace
}  // namespace recall
