#include "cli/show/browse/links_state.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

// a.md links to c.md and, twice, to b.md, and d.md links to it; c.md is missing.
LinksPage LinkedPage() {
  LinksReport report;
  for (const std::string path : {"a.md", "b.md", "c.md", "d.md"}) {
    report.documents.push_back({.path = path, .missing = path == "c.md"});
  }
  const auto link = [&](const char* from, const char* to, const char* relation) {
    LinkRecord& made = report.links.emplace_back();
    made.source = from;
    made.target = to;
    made.relation = relation;
  };
  link("a.md", "c.md", "related");
  link("a.md", "b.md", "supports");
  link("a.md", "b.md", "related");
  link("d.md", "a.md", "contradicts");
  report.documents[3].state = Lifecycle::kStale;
  return PageOf(report);
}

TEST(LinksStateTest, TheDocumentComesFirstThenLinksOutThenLinksIn) {
  std::vector<std::string> rows;
  for (const LinkItem& row : LinkedPage().rows)
    rows.push_back(row.relation + " " + row.document.path);
  EXPECT_EQ(rows, (std::vector<std::string>{" a.md", "related b.md", "related c.md",
                                            "supports b.md", "contradicts d.md"}));
  EXPECT_EQ(LinkedPage().rows[4].document.state, Lifecycle::kStale);
  EXPECT_EQ(LinkedPage().rows[4].way, LinkItem::Way::kIn);
}

TEST(LinksStateTest, EnterOpensTheDocumentAndGoesToOthers) {
  LinksPage page = LinkedPage();
  EXPECT_TRUE(OnLinksKey(page, {Key::kEnter}).open);
  EXPECT_EQ(OnLinksKey(page, {Key::kRight}), LinksActions()) << "it is there already";
  OnLinksKey(page, {Key::kDown});
  EXPECT_TRUE(OnLinksKey(page, {Key::kEnter}).go);
  EXPECT_TRUE(OnLinksKey(page, {Key::kRight}).go);
  EXPECT_TRUE(OnLinksKey(page, {Key::kText, "o"}).open);
}

TEST(LinksStateTest, AMissingDocumentCannotBeOpened) {
  LinksPage page = LinkedPage();
  OnLinksKey(page, {Key::kText, "j"});
  OnLinksKey(page, {Key::kDown});
  ASSERT_EQ(page.row().document.path, "c.md");
  for (const KeyPress& press : {KeyPress{Key::kEnter}, {Key::kRight}, {Key::kText, "o"}}) {
    EXPECT_EQ(OnLinksKey(page, press), LinksActions());
    EXPECT_EQ(page.error, "c.md is missing");
  }
  OnLinksKey(page, {Key::kUp});
  EXPECT_EQ(page.error, "");
}

TEST(LinksStateTest, KeysStayWithinTheList) {
  LinksPage page = LinkedPage();
  page.view.rows = 3;
  OnLinksKey(page, {Key::kUp});
  EXPECT_EQ(page.chosen, 0u);
  OnLinksKey(page, {Key::kPageDown});
  EXPECT_EQ(page.chosen, 2u);
  for (int i = 0; i < 9; ++i) OnLinksKey(page, {Key::kDown});
  EXPECT_EQ(page.chosen, 4u);
  OnLinksKey(page, {Key::kText, "k"});
  EXPECT_EQ(page.chosen, 3u);
}

}  // namespace
}  // namespace recall
