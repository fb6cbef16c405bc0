#include "cli/show/browse/places_screen.h"

#include <gtest/gtest.h>

#include "tests/cli/show/browse/screen_text.h"

namespace recall {
namespace {

PlacesPage OutlinePage() {
  PlacesPage page;
  page.title = "src/store.cc";
  page.rows = {
      {.path = "src/store.cc", .first_line = 2, .last_line = 9, .name = "Store", .kind = "class"},
      {.path = "src/store.cc",
       .first_line = 4,
       .last_line = 5,
       .name = "Commit",
       .kind = "method",
       .depth = 1},
      {.path = "src/store.cc", .first_line = 11, .last_line = 11, .name = "f", .kind = "function"}};
  page.chosen = 1;
  return page;
}

GetResponse SourceDocument() {
  GetResponse document;
  document.doc.path = "src/store.cc";
  for (int i = 1; i <= 12; ++i) document.chunk.text += "line " + std::to_string(i) + "\n";
  return document;
}

TEST(PlacesScreenTest, AnOutlineIsIndentedAndHasThePreviewOfADefinition) {
  const GetResponse document = SourceDocument();
  const Screen screen = DrawPlaces(OutlinePage(), &document, {11, 100}, Utf8());
  EXPECT_EQ(TextOf(screen),
            "definitions of src/store.cc\n"
            " 2 Store  class                          │ src/store.cc:4-5\n"
            "> 4   Commit  method                      │\n"
            "11 f  function                           │  3 line 3\n"
            "                                         │  4 line 4\n"
            "                                         │  5 line 5\n"
            "                                         │  6 line 6\n"
            "                                         │  7 line 7\n"
            "                                         │  8 line 8\n"
            "                                         │  9 line 9\n"
            "2/3" +
                std::string(44, ' ') + "Enter open   r uses   c callers   e callees   F1 help\n");
  EXPECT_EQ(DrawPlaces(OutlinePage(), nullptr, {11, 100}, Utf8()).rows.size(), 11u);
}

TEST(PlacesScreenTest, UsesHaveTheirPlaceAndTheirLine) {
  PlacesPage page;
  page.of = PlacesOf::kReferences;
  page.title = "Commit";
  page.rows = {{.path = "src/main.cc",
                .first_line = 8,
                .last_line = 8,
                .name = "main",
                .text = "store.Commit();"}};
  EXPECT_EQ(TextOf(DrawPlaces(page, nullptr, {4, 60}, Utf8())),
            "uses of Commit\n"
            ">src/main.cc:8  main  store.Commit();\n"
            "\n"
            "1/1" +
                std::string(7, ' ') + "Enter open   f its file   Backspace back   F1 help\n");
  page.error = "nothing calls main";
  page.hint = "try r";
  EXPECT_NE(TextOf(DrawPlaces(page, nullptr, {4, 60}, Utf8())).find("nothing calls main  try r"),
            std::string::npos);
}

TEST(PlacesScreenTest, FitsAnyWindowAndShowsNoControlCharacters) {
  const std::string evil = "\x1b]0;owned\x07\xC2\x9B\xE2\x80\xAE\x7F\r\n\xFF\tx 日本語";
  PlacesPage page = OutlinePage();
  for (PlaceItem& row : page.rows) row.path = row.name = row.kind = row.text = evil;
  page.title = evil;
  GetResponse document = SourceDocument();
  document.doc.path = evil;
  document.chunk.text = evil + "\n" + evil;
  for (const PlacesOf of : {PlacesOf::kDefinitions, PlacesOf::kReferences}) {
    page.of = of;
    for (const std::string& error : {std::string(), evil}) {
      page.error = page.hint = error;
      for (size_t rows = 1; rows < 14; ++rows) {
        for (size_t columns = 1; columns < 120; columns += columns < 30 ? 1 : 13) {
          const Screen screen = DrawPlaces(page, &document, {rows, columns}, Utf8());
          EXPECT_EQ(screen.rows.size(), rows);
          EXPECT_LE(WidestRow(screen), columns) << rows << " " << columns << TextOf(screen);
          ExpectPrintable(screen);
        }
      }
    }
  }
}

}  // namespace
}  // namespace recall
