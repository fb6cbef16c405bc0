#include "cli/show/browse/places_state.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

SymbolRow Symbol(std::string name, std::string kind, std::string scope, uint32_t first,
                 uint32_t last) {
  SymbolRow row;
  row.doc.path = "src/store.cc";
  row.doc.id = "0d6c";
  row.name = std::move(name);
  row.kind = std::move(kind);
  row.scope = std::move(scope);
  row.start_line = first;
  row.end_line = last;
  return row;
}

// As the store answers: in the order of the lines, then of the scopes.
SymbolsResponse Definitions() {
  SymbolsResponse found;
  found.rows = {
      Symbol("Store", "class", "db", 3, 40), Symbol("Commit", "method", "db > Store", 10, 20),
      Symbol("Inner", "struct", "db > Store", 12, 14), Symbol("Free", "function", "db", 50, 60)};
  return found;
}

std::vector<std::string> NamesOf(const PlacesPage& page) {
  std::vector<std::string> names;
  for (const PlaceItem& row : page.rows) names.push_back(row.name);
  return names;
}

PlacesActions Press(PlacesPage& page, Key key) { return OnPlacesKey(page, {key}); }
PlacesActions Type(PlacesPage& page, std::string text) {
  return OnPlacesKey(page, {Key::kText, std::move(text)});
}

TEST(PlacesStateTest, AnOutlineIsATreeInTheOrderOfItsLines) {
  SymbolsResponse found = Definitions();
  std::swap(found.rows[0], found.rows[3]);
  const PlacesPage page = OutlineOf(found, 1);
  EXPECT_EQ(NamesOf(page), (std::vector<std::string>{"Store", "Commit", "Inner", "Free"}));
  EXPECT_EQ(page.rows[0].depth, 0u) << "what all are in is no level";
  EXPECT_EQ(page.rows[1].depth, 1u);
  EXPECT_EQ(page.rows[3].depth, 0u);
  EXPECT_EQ(page.title, "src/store.cc");
}

TEST(PlacesStateTest, AnOutlineBeginsAtTheDefinitionAroundALine) {
  const auto chosen = [](uint32_t line) { return OutlineOf(Definitions(), line).row().name; };
  EXPECT_EQ(chosen(1), "Store") << "before all";
  EXPECT_EQ(chosen(13), "Inner") << "the innermost";
  EXPECT_EQ(chosen(18), "Commit");
  EXPECT_EQ(chosen(30), "Store");
  EXPECT_NE(chosen(45), "Free") << "it begins behind that line";
  EXPECT_EQ(chosen(55), "Free");
  EXPECT_EQ(chosen(900), "Free");
}

TEST(PlacesStateTest, LeadsFromADefinitionToWhatUsesIt) {
  PlacesPage page = OutlineOf(Definitions(), 10);
  const PlacesWish uses{PlacesOf::kReferences, "src/store.cc", "", 10, "Commit"};
  EXPECT_EQ(Type(page, "r").show, uses);
  EXPECT_EQ(Press(page, Key::kRight).show, uses);
  EXPECT_EQ(Type(page, "c").show->of, PlacesOf::kCallers);
  EXPECT_EQ(Type(page, "e").show->of, PlacesOf::kCallees);
  EXPECT_EQ(Type(page, "x"), PlacesActions());
}

TEST(PlacesStateTest, LeadsFromAUseToItsFile) {
  ReferencesResponse found;
  ReferenceRow row;
  row.doc.path = "src/main.cc";
  row.doc.id = "77";
  row.line = 8;
  row.text = "store.Commit();";
  row.symbol = Symbol("main", "function", "", 5, 9);
  found.rows = {row};
  const PlacesWish wish{PlacesOf::kReferences, "src/store.cc", "", 10, "Commit"};
  PlacesPage page = UsesOf(found, wish);
  EXPECT_EQ(page.row().first_line, 8u);
  EXPECT_EQ(page.row().text, "store.Commit();");
  EXPECT_EQ(CitationOf(page.row()), "src/main.cc:8-8");
  const PlacesWish file{PlacesOf::kDefinitions, "src/main.cc", "77", 8};
  EXPECT_EQ(Press(page, Key::kRight).show, file);
  EXPECT_EQ(Type(page, "f").show, file);
  EXPECT_EQ(Type(page, "r"), PlacesActions()) << "a use is no definition";

  // Of callers, the place is that of the definition that calls.
  page = UsesOf(found, {PlacesOf::kCallers, "src/store.cc", "", 10, "Commit"});
  EXPECT_EQ(page.row().first_line, 5u);
  EXPECT_EQ(Type(page, "r").show->name, "main");
}

TEST(PlacesStateTest, ChoosesWithinThePlaces) {
  PlacesPage page = OutlineOf(Definitions(), 1);
  page.view.rows = 3;
  page.view.preview_offset = 5;
  Press(page, Key::kUp);
  EXPECT_EQ(page.chosen, 0u);
  EXPECT_EQ(page.view.preview_offset, 0);
  Press(page, Key::kPageDown);
  Type(page, "j");
  Press(page, Key::kDown);
  Press(page, Key::kDown);
  EXPECT_EQ(page.chosen, 3u);
  Press(page, Key::kHome);
  EXPECT_EQ(page.chosen, 0u);
  Press(page, Key::kEnd);
  Type(page, "k");
  EXPECT_EQ(page.chosen, 2u);
  Press(page, Key::kPreviewDown);
  EXPECT_EQ(page.view.preview_offset, 1);
}

TEST(PlacesStateTest, OpensCitesAndLeaves) {
  PlacesPage page = OutlineOf(Definitions(), 1);
  page.error = "an error";
  EXPECT_TRUE(Press(page, Key::kEnter).open);
  EXPECT_EQ(page.error, "") << "it goes with the next key";
  EXPECT_TRUE(Press(page, Key::kCite).cite);
  EXPECT_TRUE(Press(page, Key::kCopy).copy);
  for (const Key key : {Key::kEscape, Key::kBackspace, Key::kLeft, Key::kOutline}) {
    EXPECT_TRUE(Press(page, key).back);
  }
  EXPECT_TRUE(Type(page, "q").leave);
}

}  // namespace
}  // namespace recall
