#include "index/source/extract/markdown/markdown_writer.h"

#include <gtest/gtest.h>

#include "index/source/extract/markdown/sheet_writer.h"
#include "tests/index/source/extract/extraction_check.h"

namespace recall {
namespace {

TEST(MarkdownWriterTest, WritesBlocksWithTheirPlaces) {
  MarkdownWriter writer{ExtractLimits()};
  writer.SetLocator({LocatorKind::kParagraph, 1, "", ""});
  writer.Heading(2, " Costs \n of 2025 ");
  writer.SetLocator({LocatorKind::kParagraph, 2, "", ""});
  writer.Paragraph("One.\r\nTwo.");
  writer.Paragraph("");
  writer.Paragraph("Three.");
  writer.ClearLocator();
  writer.ListItem(0, "-", "item\nmore");
  writer.ListItem(1, "3.", "inner");
  writer.Row(std::vector<std::string>{"a", "", "b\tc"});
  writer.Row(std::vector<std::string>{"", ""});
  writer.Row(std::vector<std::string>{"# 1", "2"});
  writer.Code("x = ```1```\n", "py");
  const Extraction extraction = writer.Finish();
  EXPECT_EQ(extraction.text,
            "## Costs of 2025\n\nOne.\nTwo.\n\nThree.\n\n- item\n  more\n  3. inner\n\n"
            "a\t\tb c\n\\# 1\t2\n\n````py\nx = ```1```\n````\n");
  EXPECT_EQ(BrokenRuleOf(extraction), "");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 1), "## Costs of 2025\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 2), "One.\nTwo.\n\nThree.\n");
  EXPECT_EQ(extraction.spans.size(), 2u);
}

TEST(MarkdownWriterTest, TextThatLooksLikeMarkupStaysText) {
  MarkdownWriter writer{ExtractLimits()};
  writer.Paragraph("---\n# no\n```\n===\n<!-- x\n#hash");
  EXPECT_EQ(writer.Finish().text, "\\---\n\\# no\n\\```\n\\===\n\\<!-- x\n#hash\n");
}

TEST(MarkdownWriterTest, AnyBytesBecomeText) {
  for (int byte = 0; byte < 256; ++byte) {
    MarkdownWriter writer{ExtractLimits()};
    writer.Paragraph("a" + std::string(1, static_cast<char>(byte)) + "b\xc3");
    const Extraction extraction = writer.Finish();
    EXPECT_EQ(BrokenRuleOf(extraction), "") << byte;
  }
  MarkdownWriter writer{ExtractLimits()};
  writer.Paragraph("a\vb\u2028c\u2029d\u202fe");
  EXPECT_EQ(writer.Finish().text, "a\nb\nc\nd\u202fe\n");
}

TEST(MarkdownWriterTest, EndsAtTheLimit) {
  for (uint64_t most = 0; most < 40; ++most) {
    ExtractLimits limits;
    limits.max_text_bytes = most;
    MarkdownWriter writer(limits);
    for (int i = 1; i <= 5; ++i) {
      writer.SetLocator({LocatorKind::kPage, i, "", ""});
      writer.Paragraph("ääää ää");
    }
    EXPECT_TRUE(writer.full());
    const Extraction extraction = writer.Finish();
    EXPECT_EQ(BrokenRuleOf(extraction, limits), "") << most;
    EXPECT_EQ(extraction.warnings, std::vector<std::string>{"truncated_output"});
    EXPECT_GE(extraction.text.size() + 6, most);
  }
}

TEST(SheetWriterTest, RowsKeepTheirColumnsAndRanges) {
  MarkdownWriter writer{ExtractLimits()};
  SheetWriter sheet(&writer, 2, "Costs", "Costs");
  sheet.BeginRow(4);
  sheet.Cell(2, "name");
  sheet.Cell(4, "sum");
  sheet.BeginRow(5);
  sheet.Cell(5, "7");
  sheet.BeginRow(9);
  sheet.Cell(2, "end");
  sheet.Finish();
  const Extraction extraction = writer.Finish();
  EXPECT_EQ(extraction.text, "# Costs\n\nname\t\tsum\n\t\t\t7\n\nend\n");
  ASSERT_EQ(extraction.spans.size(), 3u);
  EXPECT_EQ(extraction.spans[1].locator, (Locator{LocatorKind::kSheet, 2, "Costs", "B4:E5"}));
  EXPECT_EQ(extraction.spans[2].locator, (Locator{LocatorKind::kSheet, 2, "Costs", "B9"}));
  EXPECT_EQ(BrokenRuleOf(extraction), "");
}

TEST(SheetWriterTest, AMillionRepeatsAreOne) {
  MarkdownWriter writer{ExtractLimits()};
  SheetWriter sheet(&writer, 1, "S", "");
  sheet.BeginRow(1, 3);
  sheet.Cell(1, "x", 2);
  sheet.BeginRow(4, 1'048'573);
  sheet.Cell(1, "y", 16'384);
  sheet.Finish();
  const Extraction extraction = writer.Finish();
  EXPECT_EQ(extraction.text, "x\tx\nx\tx\nx\tx\ny\n");
  EXPECT_EQ(extraction.spans.back().locator.range, "A1:XFD1048576");
}

TEST(SheetWriterTest, LongTablesHaveASpanForAFewRows) {
  MarkdownWriter writer{ExtractLimits()};
  SheetWriter sheet(&writer, 1, "S", "");
  for (int row = 1; row <= 1000; ++row) {
    sheet.BeginRow(row);
    sheet.Cell(1, "row " + std::to_string(row));
    sheet.Cell(2, "0123456789");
  }
  sheet.Finish();
  const Extraction extraction = writer.Finish();
  EXPECT_EQ(BrokenRuleOf(extraction), "");
  int64_t next = 1;
  for (const LocatorSpan& span : extraction.spans) {
    const std::string& range = span.locator.range;
    const auto first = ParseCellPlace(range.substr(0, range.find(':')));
    const auto last = ParseCellPlace(range.substr(range.find(':') + 1));
    ASSERT_TRUE(first && last);
    EXPECT_EQ(first->row, next);
    next = last->row + 1;
    EXPECT_LT(span.end - span.start, 400u);
    EXPECT_TRUE(
        extraction.text.substr(span.start).starts_with("row " + std::to_string(first->row) + "\t"));
  }
  EXPECT_EQ(next, 1001);
}

TEST(SheetWriterTest, NamesOfCells) {
  EXPECT_EQ(ColumnName(1), "A");
  EXPECT_EQ(ColumnName(26), "Z");
  EXPECT_EQ(ColumnName(27), "AA");
  EXPECT_EQ(ColumnName(16384), "XFD");
  const auto place = ParseCellPlace("$XFD$1048576");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->column, 16384);
  EXPECT_EQ(place->row, 1'048'576);
  for (const char* bad : {"", "A", "4", "A0", "A1B", "AAAAAA1", "A1234567890", "A-1", "$"}) {
    EXPECT_FALSE(ParseCellPlace(bad)) << bad;
  }
}

}  // namespace
}  // namespace recall
