#include "cli/show/browse/source_paint.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/show/browse/hit_text.h"

namespace recall {
namespace {

// Comments in ( ), literals in < >, keywords in { }.
std::string PaintedText(std::string_view text, std::string_view path) {
  std::string out;
  size_t at = 0;
  for (const PaintedRange& range : PaintSource(text, path)) {
    EXPECT_GE(range.begin, at);
    EXPECT_LT(range.begin, range.end);
    EXPECT_LE(range.end, text.size());
    const std::string_view marks = range.paint == Paint::kDim       ? "()"
                                   : range.paint == Paint::kLiteral ? "<>"
                                                                    : "{}";
    out += std::string(text.substr(at, range.begin - at)) + marks[0] +
           std::string(text.substr(range.begin, range.end - range.begin)) + marks[1];
    at = range.end;
  }
  return out + std::string(text.substr(at));
}

TEST(SourcePaintTest, ToldByTheNameOfTheFile) {
  EXPECT_EQ(PaintedText("return 12; // if \"x\"\nint y;", "a/b.cc"),
            "{return} <12>; (// if \"x\")\n{int} y;");
  EXPECT_EQ(PaintedText("return 12 # if", "a.py"), "{return} <12> (# if)");
  EXPECT_EQ(PaintedText("SELECT a FROM b -- if", "a.sql"), "{SELECT} a {FROM} b (-- if)");
  EXPECT_EQ(PaintedText("return 12", "a.txt"), "return 12");
  EXPECT_EQ(PaintedText("return 12", "a.py/b"), "return 12");
}

TEST(SourcePaintTest, NothingInACommentOrALiteralIsCode) {
  EXPECT_EQ(PaintedText("a /* \"if\n*/ if", "a.c"), "a (/* \"if\n*/) {if}");
  EXPECT_EQ(PaintedText("\"// \\\" if\" if", "a.c"), "<\"// \\\" if\"> {if}");
  EXPECT_EQ(PaintedText("x = \"\"\"# a\n\"b\" if\"\"\" if", "a.py"),
            "x = <\"\"\"# a\n\"b\" if\"\"\"> {if}");
  EXPECT_EQ(PaintedText("`a\n${if}` if", "a.ts"), "<`a\n${if}`> {if}");
  EXPECT_EQ(PaintedText("echo $# ${x#y} # if", "a.sh"), "echo $# ${x#y} (# if)");
  EXPECT_EQ(PaintedText("--[[ if\n]] if", "a.lua"), "(--[[ if\n]]) {if}");
}

TEST(SourcePaintTest, WordsAreWhole) {
  EXPECT_EQ(PaintedText("iffy _if x1 ifü", "a.c"), "iffy _if x1 ifü");
  EXPECT_EQ(PaintedText("fn f<'a>(x: &'a str) {}", "a.rs"), "{fn} f<'a>(x: &'a str) {}");
}

// A mistake, or half a text, does not paint what follows.
TEST(SourcePaintTest, AnOpenLiteralEndsWithItsLine) {
  EXPECT_EQ(PaintedText("it's\nif", "a.c"), "it<'s>\n{if}");
  EXPECT_EQ(PaintedText("\"\\", "a.c"), "<\"\\>");
  EXPECT_EQ(PaintedText("/* open", "a.c"), "(/* open)");
  EXPECT_EQ(PaintedText("\"a\\\nif", "a.c"), "<\"a\\\nif>") << "a line that goes on";
}

// The lines around a hit may begin within a comment; its start is read if it is known.
TEST(SourcePaintTest, ThePreviewKnowsWhatIsBeforeIt) {
  std::string text = "/*\n";
  while (text.size() < 50'000) text += "if this is a comment\n";
  text += "*/\nif (true) needle();\n";
  SearchHit hit;
  hit.doc.path = "a.c";
  hit.doc.parser = "code";
  hit.chunk.start_line = hit.chunk.end_line =
      static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
  hit.chunk.start_byte = text.find("if (true)");
  hit.chunk.end_byte = text.size();
  hit.chunk.text = text.substr(hit.chunk.start_byte);
  hit.snippet.emplace().text = hit.chunk.text;
  hit.snippet->start_byte = hit.chunk.start_byte;
  hit.snippet->highlights = {{10, 16}};
  const TextRows rows = RowsOfText(TextAround(hit, &text, std::nullopt), hit.chunk, 80);
  ASSERT_GT(rows.rows.size(), 3u);
  EXPECT_EQ(rows.rows[0].back().paint, Paint::kDim) << "within the comment";
  const ScreenRow& code = rows.rows[rows.best];
  std::vector<Paint> paints;
  for (const Span& span : code) paints.push_back(span.paint);
  EXPECT_EQ(paints,
            (std::vector<Paint>{Paint::kScore, Paint::kStrong, Paint::kPlain, Paint::kStrong,
                                Paint::kPlain, Paint::kMatch, Paint::kPlain}));
}

}  // namespace
}  // namespace recall
