#include "cli/show/output/cell_table.h"
#include "cli/show/output/text_table.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TextStyle Window(size_t columns) {
  TextStyle style;
  style.columns = columns;
  return style;
}

const std::vector<TableColumn> kColumns = {{"path", false, true}, {"n", true}, {"text"}};

TEST(CellTableTest, AlignsColumns) {
  EXPECT_EQ(FormatCellTable(kColumns, {{{"a.md"}, {"7"}, {"one"}}, {{"b"}, {"123"}, {""}}}, {}),
            "path    n  text\n"
            "a.md    7  one\n"
            "b     123\n");
}

TEST(CellTableTest, CutsTheWidestColumnsToTheWindow) {
  const std::string table = FormatCellTable(
      kColumns, {{{"notes/deep/a.md"}, {"12345"}, {"one two three four"}}}, Window(30));
  EXPECT_EQ(table,
            "path            n  text\n"
            "\xE2\x80\xA6"
            "deep/a.md  12345  one two th\xE2\x80\xA6\n");
}

// Wide characters take two columns, combining ones none.
TEST(TextTableTest, BecomesBlocksOfLinesInANarrowWindow) {
  const TextTable table = {
      {{"", "documents", "hybrid"}, {"birds", "3", "0.5"}, {"average", "", "1"}},
      {false, true, false}};
  const std::string wide =
      "|         | documents | hybrid |\n"
      "| ------- | --------: | ------ |\n"
      "| birds   |         3 | 0.5    |\n"
      "| average |           | 1      |\n";
  EXPECT_EQ(FormatTable(table, 0), wide);
  EXPECT_EQ(FormatTable(table, 32), wide);
  EXPECT_EQ(FormatTable(table, 31),
            "birds\n"
            "  documents  3\n"
            "  hybrid     0.5\n"
            "\n"
            "average\n"
            "  hybrid     1\n");
}

TEST(CellTableTest, CountsColumnsAsTerminalsDo) {
  EXPECT_EQ(DisplayColumns("\xE6\x97\xA5\xE6\x9C\xAC"), 4u);
  EXPECT_EQ(DisplayColumns("e\xCC\x81"), 1u);
  EXPECT_EQ(CutToColumns("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E", 4, false),
            "\xE6\x97\xA5\xE2\x80\xA6");
  EXPECT_EQ(FormatCellTable({{"a"}, {"b"}}, {{{"\xE6\x97\xA5\xE6\x9C\xAC"}, {"x"}}}, {}),
            "a     b\n"
            "\xE6\x97\xA5\xE6\x9C\xAC  x\n");
}

}  // namespace
}  // namespace recall
