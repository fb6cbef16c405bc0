#include "cli/show/browse/links_screen.h"

#include <gtest/gtest.h>

#include "tests/cli/show/browse/screen_text.h"

namespace recall {
namespace {

LinksPage Page() {
  LinksPage page;
  page.rows = {
      {LinkItem::Way::kSelf, {.path = "notes/a.md", .title = "One outline", .type = "lesson"}},
      {LinkItem::Way::kOut, {.path = "notes/gone.md", .missing = true}, "derived_from"},
      {LinkItem::Way::kOut, {.path = "b.md"}, "similar", 0.8125},
      {LinkItem::Way::kIn, {.path = "notes/c.md", .title = "日本語"}, "supports"},
  };
  page.rows[0].document.state = Lifecycle::kAging;
  page.rows[3].document.state = Lifecycle::kFresh;
  return page;
}

GetResponse Document() {
  GetResponse document;
  document.doc.path = "notes/a.md";
  document.doc.parser = "note";
  document.doc.meta_json = R"({"type": "lesson", "title": "One outline", "summary": "Focus."})";
  document.chunk.text = "---\ntitle: One outline\n---\n\nThe text.\n";
  return document;
}

TEST(LinksScreenTest, HasTheLinksAndThePreviewOfTheChosenDocument) {
  const GetResponse document = Document();
  EXPECT_EQ(TextOf(DrawLinks(Page(), &document, {8, 100}, Utf8())),
            TextOf(DrawLinks(Page(), nullptr, {8, 100}, Utf8())))
      << "a low window has the links alone";
  EXPECT_EQ(TextOf(DrawLinks(Page(), &document, {9, 100}, Utf8())),
            ">● One outline  lesson, aging             │ notes/a.md\n"
            "→ derived_from  notes/gone.md  missing   │ One outline\n"
            "→ similar       b.md  0.81               │ lesson, aging\n"
            "← supports      日本語                   │ Focus.\n"
            "                                         │\n"
            "                                         │ The text.\n"
            "                                         │\n"
            "                                         │\n"
            "2 out, 1 in                                    Enter go there   Backspace back   q "
            "results   F1 help\n");
  LinksPage page = Page();
  page.chosen = 1;
  EXPECT_EQ(TextOf(DrawLinks(page, &document, {12, 40}, Utf8())),
            "● One outline  lesson, aging\n"
            ">→ derived_from  notes/gone.md  missing\n"
            "→ similar       b.md  0.81\n"
            "← supports      日本語\n"
            "────────────────────────────────────────\n"
            "notes/gone.md\n"
            "There is no such document.\n"
            "\n\n\n\n"
            "2 out, 1 in     Backspace back   F1 help\n");
}

TEST(LinksScreenTest, TheChosenLinkIsInView) {
  LinksPage page = Page();
  page.chosen = 3;
  EXPECT_EQ(TextOf(DrawLinks(page, nullptr, {3, 20}, Utf8())),
            "→ similar       b.md\n"
            ">← supports      日\xE2\x80\xA6\n"
            "2 out, 1 in  F1 help\n");
}

TEST(LinksScreenTest, FitsAnyWindowAndShowsNoControlCharacters) {
  const std::string evil = "\x1b]0;owned\x07\xC2\x9B\xE2\x80\xAE\x7F\r\n\xFF\tx 日本語";
  LinksPage page = Page();
  page.rows[0].document.path = page.rows[0].document.title = page.rows[0].document.type = evil;
  page.rows[1].document.path = evil;
  GetResponse document = Document();
  document.doc.path = evil;
  document.doc.meta_json =
      R"({"title": "\u001b]0;\u009b", "tags": ["\u001b[2J"], "summary": "\u202e"})";
  document.chunk.text = evil + "\n" + evil;
  for (const size_t chosen : {0, 1}) {
    page.chosen = chosen;
    for (const std::string& error : {std::string(), evil}) {
      page.error = page.hint = error;
      for (size_t rows = 1; rows < 14; ++rows) {
        for (size_t columns = 1; columns < 120; columns += columns < 30 ? 1 : 13) {
          const Screen screen = DrawLinks(page, &document, {rows, columns}, Utf8());
          EXPECT_EQ(screen.rows.size(), rows);
          EXPECT_LE(WidestRow(screen), columns) << TextOf(screen);
          ExpectPrintable(screen);
        }
      }
    }
  }
}

}  // namespace
}  // namespace recall
