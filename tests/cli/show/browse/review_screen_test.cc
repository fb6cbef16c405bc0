#include "cli/show/browse/review_screen.h"

#include <gtest/gtest.h>

#include "tests/cli/show/browse/screen_text.h"

namespace recall {
namespace {

ReviewRound Round() {
  ReviewRound round;
  for (const std::string path : {"notes/a.md", "notes/b.md"}) {
    DueDocument& due = round.due.emplace_back();
    due.doc.path = path;
    due.doc.meta_json = R"({"type": "lesson", "title": "Use one outline"})";
    due.due = ParseRfc3339("2026-11-02T00:00:00Z");
  }
  return round;
}

void Show(ReviewRound& round, std::string text) {
  GetResponse shown;
  shown.chunk.text = std::move(text);
  OnReviewText(round, std::move(shown));
}

TEST(ReviewScreenTest, ShowsTheTitleAndLaterTheTextBehindTheCard) {
  ReviewRound round = Round();
  EXPECT_EQ(TextOf(DrawReview(round, {10, 60}, Utf8())),
            "1 of 2  notes/a.md  lesson  due since 2026-11-02\n"
            "\n"
            "Use one outline\n"
            "\n"
            "Do you remember it? Enter shows the text.\n"
            "\n\n\n\n"
            "Enter show the text   s skip   q leave   F1 help\n");
  Show(round, "---\ntype: lesson\n---\n\nStacked outlines hide the focus.\n");
  round.said = "reviewed notes/0.md";
  EXPECT_EQ(TextOf(DrawReview(round, {10, 80}, Utf8())),
            "1 of 2  notes/a.md  lesson  due since 2026-11-02\n"
            "\n"
            "Use one outline\n"
            "\n"
            "Stacked outlines hide the focus.\n"
            "\n\n\n"
            "reviewed notes/0.md\n"
            "0 forgotten .. 3 with effort .. 5 at once   s skip   q leave   F1 help\n");
}

TEST(ReviewScreenTest, ASmallWindowHasTitleTextAndKeys) {
  ReviewRound round = Round();
  Show(round, "日本語のテキスト is wide text.");
  EXPECT_EQ(TextOf(DrawReview(round, {5, 20}, Utf8())),
            "1 of 2  notes/a.md …\n"
            "Use one outline\n"
            "日本語のテキスト is\n"
            "wide text.\n"
            "0..5  s  q\n");
}

TEST(ReviewScreenTest, TheTextCanBeMoved) {
  ReviewRound round = Round();
  std::string lines;
  for (int i = 1; i <= 40; ++i) lines += "line " + std::to_string(i) + "\n";
  Show(round, lines);
  const auto first_line = [&] {
    const Screen screen = DrawReview(round, {12, 40}, Utf8());
    round.view = screen.view;
    return screen.rows[4][0].text;
  };
  EXPECT_EQ(first_line(), "line 1");
  OnReviewKey(round, {Key::kDown});
  EXPECT_EQ(first_line(), "line 2");
  OnReviewKey(round, {Key::kPageDown});
  EXPECT_EQ(first_line(), "line 8") << "one row of the page before stays";
  for (int i = 0; i < 20; ++i) OnReviewKey(round, {Key::kPageDown});
  EXPECT_EQ(first_line(), "line 34") << "the last page";
  OnReviewKey(round, {Key::kUp});
  EXPECT_EQ(first_line(), "line 33") << "pressing beyond the end has no effect later";
}

TEST(ReviewScreenTest, TellsTheEnd) {
  EXPECT_EQ(TextOf(DrawReview({}, {3, 40}, Utf8())), "Nothing is due.\n\nq leave\n");
  ReviewRound round = Round();
  round.at = 2;
  round.rated = 1;
  round.skipped = 1;
  EXPECT_EQ(TextOf(DrawReview(round, {4, 40}, Utf8())),
            "That was all.\n1 reviewed, 1 skipped\n\nq leave\n");
}

TEST(ReviewScreenTest, FitsAnyWindowAndShowsNoControlCharacters) {
  const std::string evil = "\x1b]0;owned\x07\xC2\x9B\xE2\x80\xAE\x7F\r\xFF\tx";
  ReviewRound round = Round();
  round.due[0].doc.path = "a" + evil;
  round.due[0].doc.meta_json =
      R"({"type": "\u001b[2J\u202e", "title": "\u001b]0;owned\u0007\n\u009b31m 日本語"})";
  round.said = EscapeLine(evil);
  for (const bool shown : {false, true}) {
    if (shown) Show(round, evil + "\n日本語 e\xCC\x81\n" + evil);
    for (const std::string& error : {std::string(), evil}) {
      round.error = round.hint = error;
      for (size_t rows = 1; rows < 14; ++rows) {
        for (size_t columns = 1; columns < 90; columns += columns < 30 ? 1 : 13) {
          const Screen screen = DrawReview(round, {rows, columns}, Utf8());
          EXPECT_EQ(screen.rows.size(), rows);
          EXPECT_LE(WidestRow(screen), columns) << TextOf(screen);
          EXPECT_LT(screen.cursor_row, rows);
          ExpectPrintable(screen);
        }
      }
    }
  }
}

}  // namespace
}  // namespace recall
