#include "index/source/extract/pdf/pdf_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "index/source/extract/pdf/pdf_child_messages.h"
#include "tests/index/source/extract/extraction_check.h"
#include "tests/index/source/extract/pdf/bbox_maker.h"

namespace recall {
namespace {

Extraction Read(const std::string& xhtml, const ExtractLimits& limits = {}) {
  Extraction extraction = ExtractPdfLayout(xhtml, limits);
  EXPECT_EQ(BrokenRuleOf(extraction, limits), "");
  return extraction;
}

std::string TextOf(BboxMaker& maker) { return Read(maker.Finish()).text; }

// Lines of words that fill `letters` letters each, apart from the last one.
std::vector<std::string> ParagraphLines(size_t lines, size_t letters, const std::string& word) {
  std::vector<std::string> made;
  for (size_t i = 0; i < lines; ++i) {
    std::string line = word + std::to_string(i);
    while (line.size() + word.size() + 1 <= letters) line += " " + word;
    made.push_back(i + 1 < lines ? line : word + " ends.");
  }
  return made;
}

std::string Joined(const std::vector<std::string>& lines, const std::string& between) {
  std::string joined;
  for (const std::string& line : lines) joined += (joined.empty() ? "" : between) + line;
  return joined;
}

TEST(PdfTextTest, LinesBecomeParagraphsAndPagesSpans) {
  const auto first = ParagraphLines(4, 60, "alpha"), second = ParagraphLines(3, 60, "beta");
  BboxMaker maker;
  maker.Page().Lines(72, 300, first).Lines(72, 400, second).Page().Lines(72, 300, second);
  const Extraction read = Read(maker.Finish());
  const std::string page1 = Joined(first, " ") + "\n\n" + Joined(second, " ");
  EXPECT_EQ(read.outcome, ExtractOutcome::kText);
  EXPECT_EQ(read.text, page1 + "\n\n" + Joined(second, " ") + "\n");
  ASSERT_EQ(read.spans.size(), 2u);
  EXPECT_EQ(read.text.substr(read.spans[0].start, read.spans[0].end - read.spans[0].start), page1);
  EXPECT_EQ(read.spans[1].locator, (Locator{LocatorKind::kPage, 2, "", ""}));
  EXPECT_EQ(read.spans[1].start, page1.size() + 2);
  EXPECT_EQ(read.meta.at("pages"), std::vector<std::string>{"2"});
  EXPECT_TRUE(read.warnings.empty());
}

TEST(PdfTextTest, ALineWithRoomForTheNextWordEndsOnPurpose) {
  BboxMaker maker;
  maker.Page().Lines(72, 300,
                     {"int main() {", "// This is the longest line of all of", "// them.", "}"});
  EXPECT_EQ(TextOf(maker), "int main() {\n// This is the longest line of all of // them.\n}\n");
}

TEST(PdfTextTest, TheColumnTellsThatAllLinesAreShort) {
  const auto body = ParagraphLines(3, 80, "body");
  BboxMaker maker;
  maker.Page().Lines(72, 300, body).Lines(80, 400, {"First point of all", "Second", "Third one"});
  EXPECT_EQ(TextOf(maker), Joined(body, " ") + "\n\nFirst point of all\nSecond\nThird one\n");
}

TEST(PdfTextTest, FactsOfTheHead) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"word"});
  const Extraction read = Read(maker.Finish(
      "<title>A &lt;b&gt; &amp; c</title>\n<meta name=\"Subject\" content=\"  \"/>\n"
      "<meta name=\"Keywords\" content=\"x, y,x\"/>\n<meta name=\"Author\" content=\"Ad&#97;\"/>\n"
      "<meta name=\"Creator\" content=\"TeX\"/>\n"
      "<meta name=\"CreationDate\" content=\"2023-03-06T18:06:57Z\"/>\n"
      "<meta name=\"ModDate\" content=\"yesterday\"/>\n"));
  EXPECT_EQ(read.meta,
            (std::map<std::string, std::vector<std::string>>{{"title", {"A <b> & c"}},
                                                             {"keywords", {"x", "y"}},
                                                             {"author", {"Ada"}},
                                                             {"created", {"2023-03-06T18:06:57Z"}},
                                                             {"pages", {"1"}}}));
}

TEST(PdfTextTest, PagesWithoutWordsAreCounted) {
  BboxMaker scanned;
  for (int i = 0; i < 7; ++i) scanned.Page();
  const Extraction none = Read(scanned.Finish());
  EXPECT_EQ(none.outcome, ExtractOutcome::kNoText);
  EXPECT_EQ(none.reason, "7 pages, none has text: they may be scanned");
  BboxMaker mixed;
  mixed.Page().Page().Lines(72, 300, {"word"}).Page();
  const Extraction some = Read(mixed.Finish());
  EXPECT_EQ(some.text, "word\n");
  EXPECT_EQ(some.warnings, std::vector<std::string>{"pages_without_text"});
  EXPECT_EQ(some.meta.at("pages_without_text"), std::vector<std::string>{"2"});
  ASSERT_EQ(some.spans.size(), 1u);
  EXPECT_EQ(some.spans[0].locator.number, 2);
}

// The text of "... HEAD-" at the end of a line and "TAIL ..." in the next, in a file that contains
// `elsewhere`.
std::string AtLineEnd(const std::string& head, const std::string& tail,
                      const std::string& elsewhere) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"We begin a line " + head, tail + " that goes on", "to its end."});
  maker.Lines(72, 400, {elsewhere});
  const std::string text = TextOf(maker);
  const std::string before = "We begin a line ", after = " that goes on";
  const size_t end = text.find(after);
  return text.substr(before.size(), end - before.size());
}

TEST(PdfTextTest, HyphensAtLineEnds) {
  EXPECT_EQ(AtLineEnd("infor-", "mation", "Some information."), "information");
  EXPECT_EQ(AtLineEnd("infor-", "mation", "Nothing."), "information");
  EXPECT_EQ(AtLineEnd("self-", "made", "He is self-made, really."), "self-made");
  EXPECT_EQ(AtLineEnd("command-", "line", "Each command has a line."), "command-line");
  EXPECT_EQ(AtLineEnd("Baden-", "Baden", "Nothing."), "Baden-Baden");
  EXPECT_EQ(AtLineEnd("pre-", "and", "Nothing."), "pre- and");
  EXPECT_EQ(AtLineEnd("state-of-the-", "art", "Nothing."), "state-of-the-art");
  EXPECT_EQ(AtLineEnd("infor\u00AD", "mation", "Nothing."), "information");
  EXPECT_EQ(AtLineEnd("Über\u2010", "prüfung", "Eine Überprüfung."), "Überprüfung");
  EXPECT_EQ(AtLineEnd("libfoo-2-", "dev", "Nothing."), "libfoo-2-dev");
}

TEST(PdfTextTest, AWordThatIsDividedBetweenPagesBelongsToTheFirst) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"A word at the end of a page is infor-"});
  maker.Page().Lines(72, 300, {"mation, and goes on with the next page"});
  const Extraction read = Read(maker.Finish());
  EXPECT_EQ(read.text,
            "A word at the end of a page is information,\n\nand goes on with the next page\n");
  EXPECT_EQ(read.spans[0].end, read.text.find("\n\n"));
}

TEST(PdfTextTest, RunningHeadsAndPageNumbersAreLeftOut) {
  BboxMaker maker;
  for (int page = 0; page < 5; ++page) {
    const std::string number = std::to_string(page + 11);
    maker.Page().Block().Line(72, 20 + 0.5 * (page % 2), "The Title Of This Book");
    maker.Lines(72, 300, {"Body number" + number + ": the title of this book is known."});
    maker.Block().Line(300, 770, "- " + number + " -");
  }
  std::string expected;
  for (int page = 0; page < 5; ++page) {
    expected += (page == 0 ? "" : "\n\n") + ("Body number" + std::to_string(page + 11)) +
                ": the title of this book is known.";
  }
  EXPECT_EQ(TextOf(maker), expected + "\n");
}

TEST(PdfTextTest, AHeadWithWordsThatAreNowhereElseStaysOnce) {
  BboxMaker maker;
  for (int page = 1; page <= 3; ++page) {
    maker.Page().Block().Line(72, 20, "Invoice 4711");
    maker.Lines(72, 300, {"Body of this page " + std::string(page, 'x')});
  }
  EXPECT_EQ(TextOf(maker),
            "Invoice 4711\n\nBody of this page x\n\nBody of this page xx\n\n"
            "Body of this page xxx\n");
}

// Three to five pages whose only difference at this height is a line with a number.
std::string WithRows(const std::vector<std::string>& rows, int y, double size = 10) {
  BboxMaker maker;
  for (size_t page = 0; page < rows.size(); ++page) {
    maker.Page().Block().Lines(72, y, {rows[page]}, size);
    maker.Lines(72, 300, ParagraphLines(8, 60, "body" + std::to_string(page)));
  }
  return TextOf(maker);
}

TEST(PdfTextTest, ANumberBesideWordsStaysOnEachPage) {
  const std::vector<std::vector<std::string>> kinds = {
      {"Invoice 1001", "Invoice 1002", "Invoice 1003", "Invoice 1004", "Invoice 1005"},
      {"Chapter 1", "Chapter 2", "Chapter 3", "Chapter 4"},
      {"Part I", "Part II", "Part III", "Part IV"},
      {"Week 1", "Week 2", "Week 3"},
      {"Annual result 2019", "Annual result 2020", "Annual result 2021"},
      {"Payslip 2024-01", "Payslip 2024-02", "Payslip 2024-03"},
      {"Document 1 page 2", "Document 1 page 3", "Document 1 page 4"},
      {"Rechnung Nr. 501", "Rechnung Nr. 502", "Rechnung Nr. 503"},
      {"2024-01", "2024-02", "2024-03"},
      {"Room 4b", "Room 5b", "Room 6b"},
      {"17 Oaks", "18 Oaks", "19 Oaks"}};
  for (const auto& rows : kinds) {
    for (const int y : {20, 780}) {
      const std::string text = WithRows(rows, y);
      for (const std::string& row : rows) {
        EXPECT_NE(text.find(row), text.npos) << row << " at " << y << " in\n" << text;
      }
    }
  }
}

TEST(PdfTextTest, PageNumbersGoInAllTheirForms) {
  const std::vector<std::vector<std::string>> kinds = {
      {"7", "8", "9"},
      {"Page 3 of 17", "Page 4 of 17", "Page 5 of 17"},
      {"- iv -", "- v -", "- vi -"},
      {"Seite 11", "Seite 12", "Seite 13"},
      {"A-1", "A-2", "A-3"},
      {"3 / 9", "4 / 9", "5 / 9"},
      {"[21]", "[22]", "[23]"},
      {"strona 1 z 3", "strona 2 z 3", "strona 3 z 3"},
      {"\u7B2C1\u9875", "\u7B2C2\u9875", "\u7B2C3\u9875"},
      {"\u2013 5 \u2013", "\u2013 6 \u2013", "\u2013 7 \u2013"}};
  for (const auto& rows : kinds) {
    for (const int y : {20, 780}) {
      const std::string text = WithRows(rows, y);
      for (const std::string& row : rows) EXPECT_EQ(text.find(row), text.npos) << text;
    }
  }
}

TEST(PdfTextTest, HeadingsStayAtTheEdgeOfPages) {
  for (const std::string word : {"Section", "Exercises"}) {
    std::vector<std::string> rows;
    for (int i = 1; i <= 4; ++i)
      rows.push_back(word == "Section" ? word + " " + std::to_string(i) : word);
    const std::string text = WithRows(rows, 20, 18);
    size_t found = 0;
    for (size_t at = text.find("# " + word); at != text.npos; at = text.find("# " + word, at + 1)) {
      ++found;
    }
    EXPECT_EQ(found, rows.size()) << text;
  }
}

// A title on one side and the number of the page on the other one are two cells.
TEST(PdfTextTest, TitlesGoWithTheirPageNumbers) {
  BboxMaker maker;
  for (int page = 0; page < 4; ++page) {
    maker.Page().Block().Line(72, 20, "Foxes").Block().Line(520, 20, std::to_string(page + 31));
    maker.Lines(72, 300, {"Foxes sleep in body" + std::to_string(page)});
  }
  EXPECT_EQ(TextOf(maker),
            "Foxes sleep in body0\n\nFoxes sleep in body1\n\nFoxes sleep in body2\n\n"
            "Foxes sleep in body3\n");
}

TEST(PdfTextTest, ANumberThatIsNowhereElseStaysOnce) {
  const std::string text = WithRows({"body0 4711", "body0 4711", "body0 4711"}, 20);
  EXPECT_NE(text.find("4711"), text.npos);
  EXPECT_EQ(text.find("4711"), text.rfind("4711"));
}

TEST(PdfTextTest, YearsAndNumbersOfOrdersAloneAreNoPageNumbers) {
  for (const int first : {2019, 88001}) {
    BboxMaker maker;
    for (int page = 0; page < 4; ++page) {
      maker.Page().Block().Line(72, 20, std::to_string(first + page));
      maker.Lines(72, 300, ParagraphLines(4, 60, "body"));
      maker.Block().Line(300, 770, std::to_string(page + 1));
    }
    const Extraction read = Read(maker.Finish());
    for (int page = 0; page < 4; ++page) {
      EXPECT_NE(read.text.find(std::to_string(first + page)), read.text.npos) << first + page;
    }
    EXPECT_EQ(read.meta.at("running_heads_dropped"), std::vector<std::string>{"4"});
  }
}

// Pages of two paragraphs below `heads`; how often `head` stands in the text.
size_t CountOfHead(const std::vector<std::string>& heads, const std::string& head, double size = 10,
                   double second_y = 20) {
  BboxMaker maker;
  for (size_t page = 0; page < heads.size(); ++page) {
    maker.Page();
    if (!heads[page].empty()) maker.Lines(72, page == 1 ? second_y : 20, {heads[page]}, size);
    maker.Lines(72, 300, ParagraphLines(8, 60, "body" + std::to_string(page)));
  }
  const std::string text = TextOf(maker);
  size_t count = 0;
  for (size_t at = text.find(head); at != text.npos; at = text.find(head, at + 1)) ++count;
  return count;
}

TEST(PdfTextTest, ATitleOfTwoPagesStaysOnTheFirst) {
  EXPECT_EQ(CountOfHead({"Of ponds", "Of ponds"}, "Of ponds"), 1u);
  EXPECT_EQ(CountOfHead({"Cover", "Of ponds", "Of ponds"}, "Of ponds"), 1u);
  const std::vector<std::string> alternating = {"Of ponds", "The Heron", "Of ponds", "The Heron"};
  EXPECT_EQ(CountOfHead(alternating, "Of ponds"), 1u);
  EXPECT_EQ(CountOfHead(alternating, "The Heron"), 1u);
}

TEST(PdfTextTest, WhatTwoPagesShareStaysIfInDoubt) {
  EXPECT_EQ(CountOfHead({"Of ponds", "Of pounds"}, "Of po"), 2u) << "changed";
  EXPECT_EQ(CountOfHead({"Of ponds", "Of ponds"}, "Of ponds", 10, 40), 2u) << "at another place";
  EXPECT_EQ(CountOfHead({"Of ponds", "Of ponds"}, "Of ponds", 18), 2u) << "headings";
  EXPECT_EQ(CountOfHead({"Invoice 7", "Invoice 7"}, "Invoice 7"), 2u) << "a number beside words";
  EXPECT_EQ(CountOfHead({"Page 1", "Page 2"}, "Page"), 2u) << "numbers of two pages";
  EXPECT_EQ(CountOfHead({"Ponds", "", "", "Ponds"}, "Ponds"), 2u) << "far from each other";
}

TEST(PdfTextTest, TheFirstLineOfATextIsNoHeadOfTwoPages) {
  BboxMaker maker;
  for (int page = 0; page < 2; ++page) {
    maker.Page().Lines(72, 60,
                       {"Dear reader, this is a letter that", "goes on in its second line"});
    maker.Lines(72, 300, {"body" + std::to_string(page)});
  }
  maker.Page().Lines(72, 20, {"Thank you"}).Page().Lines(72, 20, {"Thank you"});
  const std::string text = TextOf(maker);
  EXPECT_NE(text.find("Dear reader"), text.rfind("Dear reader"));
  EXPECT_NE(text.find("Thank you"), text.rfind("Thank you"));
}

TEST(PdfTextTest, LargerLinesAreHeadings) {
  const auto body = ParagraphLines(5, 60, "body");
  BboxMaker maker;
  maker.Page().Lines(72, 100, {"The title"}, 24).Lines(72, 200, {"A chapter", "of two lines"}, 16);
  maker.Lines(72, 300, body).Lines(72, 400, {"12"}, 24).Lines(72, 450, {"A section"}, 13);
  const std::string text = TextOf(maker);
  EXPECT_EQ(text, "# The title\n\n## A chapter of two lines\n\n" + Joined(body, " ") +
                      "\n\n12\n\n### A section\n");
}

TEST(PdfTextTest, APageOfLargeLinesHasNoHeadings) {
  BboxMaker maker;
  maker.Page();
  for (int i = 0; i < 6; ++i) maker.Lines(72, 100 + 60 * i, {"Large line"}, 30);
  maker.Page();
  for (int i = 0; i < 3; ++i) maker.Lines(72, 100 + 100 * i, ParagraphLines(6, 60, "body"));
  EXPECT_EQ(TextOf(maker).find('#'), std::string::npos);
}

TEST(PdfTextTest, ColumnsOfTextAreReadAsPopplerReadsThem) {
  const auto left = ParagraphLines(12, 40, "left"), right = ParagraphLines(12, 40, "right");
  BboxMaker maker;
  maker.Page().Lines(72, 300, left).Lines(310, 300, right);
  const Extraction read = Read(maker.Finish());
  EXPECT_EQ(read.text, Joined(left, " ") + "\n\n" + Joined(right, " ") + "\n");
  EXPECT_TRUE(read.warnings.empty());
}

TEST(PdfTextTest, RowsOfATableKeepTogether) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"Name", "apple", "pear", "plum"});
  maker.Lines(200, 300, {"Price", "12", "7", "130"}).Lines(300, 300, {"Place", "A", "B", "C"});
  const Extraction read = Read(maker.Finish());
  EXPECT_EQ(read.text, "Name\tPrice\tPlace\napple\t12\tA\npear\t7\tB\nplum\t130\tC\n");
  EXPECT_EQ(read.warnings, std::vector<std::string>{"columns_guessed"});
}

TEST(PdfTextTest, CellsOfSeveralLinesAreJoined) {
  BboxMaker maker;
  maker.Page().Block().Line(72, 300, "--info").Line(72, 339, "-E");
  maker.Lines(160, 300, {"shows what there is to show of this", "program, and then it goes", "on"});
  maker.Lines(160, 339, {"only preprocesses the file", "that is given"});
  EXPECT_EQ(TextOf(maker),
            "--info\tshows what there is to show of this program, and then it goes on\n"
            "-E\tonly preprocesses the file that is given\n");
}

TEST(PdfTextTest, DotsOfATableOfContentsBecomeATab) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"1 First . . . . . . . . 3", "1.1 Second thing . . . . 14"});
  EXPECT_EQ(TextOf(maker), "1 First\t3\n1.1 Second thing\t14\n");
}

TEST(PdfTextTest, BulletsAndNumbersBeginLines) {
  BboxMaker maker;
  maker.Page().Block().Line(72, 300, "•").Block().Line(84, 300, "The first point.");
  maker.Lines(72, 330,
              {"• one of several points of a list which goes on to", "the next line",
               "• two, just as long as the first, and without such"});
  EXPECT_EQ(
      TextOf(maker),
      "- The first point.\n\n- one of several points of a list which goes on to the next line\n"
      "- two, just as long as the first, and without such\n");
}

TEST(PdfTextTest, WhatMarkdownWouldTakeForStructureIsEscaped) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"# apt", "```", "=====", "#include a file that is long"});
  EXPECT_EQ(TextOf(maker), "\\# apt\n\\```\n\\=====\n#include a file that is long\n");
}

// Poppler prints letters and words from left to right, as they stand on the page.
TEST(PdfTextTest, TextFromRightToLeftIsTurnedRound) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"בוט 2.0 Debian 12 החפשמ םלוע םולש"});
  maker.Lines(72, 340, {"The word םולש is Hebrew, and םלוע םולש are two."});
  maker.Lines(72, 380, {"٢٠٢٤ ملاعلاب ابحرم"});
  EXPECT_EQ(TextOf(maker),
            "שלום עולם משפחה 12 Debian 2.0 טוב\n\n"
            "The word שלום is Hebrew, and שלום עולם are two.\n\n"
            "مرحبا بالعالم ٢٠٢٤\n");
}

TEST(PdfTextTest, RotatedLinesAreApartAndNoHeadings) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, ParagraphLines(4, 60, "body"));
  std::string xhtml = maker.Finish();
  xhtml.insert(
      xhtml.find("  </page>"),
      "<flow><block><line><word xMin=\"20\" yMin=\"100\" xMax=\"40\" yMax=\"190\">Stamped</word>"
      "<word xMin=\"20\" yMin=\"200\" xMax=\"40\" "
      "yMax=\"290\">sideways</word></line></block></flow>");
  EXPECT_EQ(Read(xhtml).text,
            Joined(ParagraphLines(4, 60, "body"), " ") + "\n\nStamped sideways\n");
}

TEST(PdfTextTest, AllEntitiesAndBadBytes) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"X"});
  std::string xhtml = maker.Finish();
  xhtml.replace(xhtml.find(">X<") + 1, 1,
                "a&lt;&#98;&#x63;&nope;&#0;&#xD800;\xFF\x01\t\xEF\xBB\xBF\u00A0&amp;amp;&");
  EXPECT_EQ(Read(xhtml).text, "a<bc&nope;\uFFFD\uFFFD&amp;&\n");
}

TEST(PdfTextTest, BoxesThatAreNoNumbersKeepTheWords) {
  const std::string page =
      "<page width=\"nan\" height=\"-inf\"><word xMin=\"-nan\" yMin=\"1\" xMax=\"2\" "
      "yMax=\"3\">a</word>"
      "<word>b</word><word xMin=\"99999999999999999999\" yMin=\"-1\" xMax=\"1e5\" "
      "yMax=\"3\">c</word>"
      "</page></doc>";
  std::string text = Read(page).text;
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
  EXPECT_EQ(text, "abc");
}

TEST(PdfTextTest, OutputThatEndsEarlyIsReadAndReported) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"first"}).Page().Lines(72, 300, {"second"});
  const std::string xhtml = maker.Finish();
  const Extraction read = Read(xhtml.substr(0, xhtml.find(">second<") + 8));
  EXPECT_EQ(read.text, "first\n\nsecond\n");
  EXPECT_EQ(read.warnings, std::vector<std::string>{"truncated_output"});
  EXPECT_EQ(Read("").outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(Read("<html><head></head><body><doc>\n</doc>").outcome, ExtractOutcome::kNoText);
}

TEST(PdfTextTest, PartsOfAnySizeGiveTheSame) {
  BboxMaker maker;
  for (int page = 1; page <= 4; ++page) {
    maker.Page()
        .Block()
        .Line(72, 20, "Head of the page")
        .Lines(72, 300, ParagraphLines(4, 60, "is"));
  }
  const std::string xhtml = maker.Finish("<title>A title</title>");
  const Extraction whole = Read(xhtml);
  for (const size_t step : {size_t{1}, size_t{7}, size_t{100}, size_t{4096}}) {
    PdfTextReader reader({});
    for (size_t at = 0; at < xhtml.size(); at += step) {
      EXPECT_TRUE(reader.Feed(std::string_view(xhtml).substr(at, step)));
    }
    const Extraction parts = reader.Finish();
    EXPECT_EQ(parts.text, whole.text);
    EXPECT_EQ(parts.spans, whole.spans);
    EXPECT_EQ(parts.meta, whole.meta);
    EXPECT_EQ(parts.warnings, whole.warnings);
  }
}

TEST(PdfTextTest, LimitsHold) {
  BboxMaker maker;
  for (int page = 1; page <= 4; ++page) maker.Page().Lines(72, 300, ParagraphLines(4, 60, "wörd"));
  const std::string xhtml = maker.Finish();
  ExtractLimits limits;
  limits.max_members = 3;
  EXPECT_EQ(Read(xhtml, limits).outcome, ExtractOutcome::kTooLarge);
  const std::string whole = Read(xhtml).text;
  for (uint64_t most = 0; most < whole.size() + 10; ++most) {
    limits = {};
    limits.max_text_bytes = most;
    const Extraction read = Read(xhtml, limits);
    if (most >= whole.size()) {
      EXPECT_EQ(read.text, whole);
    } else if (read.outcome == ExtractOutcome::kText) {
      EXPECT_EQ(read.warnings, std::vector<std::string>{"truncated_output"});
      EXPECT_TRUE(whole.starts_with(read.text.substr(0, read.text.size() - 1)));
    } else {
      EXPECT_EQ(read.outcome, ExtractOutcome::kTooLarge);
    }
  }
}

// A document in which all rules have something to do.
std::string SmallDocument() {
  BboxMaker maker;
  for (int page = 1; page <= 3; ++page) {
    maker.Page().Block().Line(72, 20, "Head " + std::to_string(page));
    maker.Lines(72, 100, {"Ünder <b>"}, 18)
        .Lines(72, 300, {"a hyphen infor-", "mation & more, or", "x"});
    maker.Lines(72, 400, {"Name", "apple"}).Lines(200, 400, {"Price", "12"});
  }
  return maker.Finish("<title>T</title>\n<meta name=\"Keywords\" content=\"a,b\"/>\n");
}

TEST(PdfTextTest, AnyTruncationIsRead) {
  const std::string xhtml = SmallDocument();
  for (size_t size = 0; size < xhtml.size(); ++size) Read(xhtml.substr(0, size));
}

TEST(PdfTextTest, AnyChangedByteIsRead) {
  const std::string xhtml = SmallDocument();
  for (size_t at = 0; at < xhtml.size(); ++at) {
    for (const char byte : {'\0', '<', '"', '9', '\xD7'}) {
      std::string changed = xhtml;
      changed[at] = byte;
      Read(changed);
    }
  }
}

// Inputs on which a quadratic algorithm would take minutes.
TEST(PdfTextTest, HostileShapesTakeLinearTime) {
  const auto repeated = [](const std::string& part, size_t count) {
    std::string all;
    for (size_t i = 0; i < count; ++i) all += part;
    return all;
  };
  const std::string word = "<word xMin=\"1\" yMin=\"1\" xMax=\"2\" yMax=\"2\">w</word>";
  constexpr size_t kMany = 40'000;
  std::string columns = "<page width=\"9\" height=\"9\">", rows = columns;
  for (size_t i = 0; i < kMany; ++i) {
    const std::string at = std::to_string(i * 10);
    const std::string next = std::to_string(i * 10 + 2);
    columns += "<block><line><word xMin=\"" + at + "\" yMin=\"1\" xMax=\"" + next +
               "\" yMax=\"2\">w</word></line></block>";
    rows += "<block><line><word xMin=\"1\" yMin=\"" + at + "\" xMax=\"2\" yMax=\"" + next +
            "\">1</word></line><line><word xMin=\"90\" yMin=\"" + at + "\" xMax=\"99\" yMax=\"" +
            next + "\">w-</word></line></block>";
  }
  for (const std::string& xhtml :
       {repeated("<page>", kMany), repeated("<page></page>", kMany), repeated("<word", kMany),
        repeated("<word>", kMany), repeated("&", kMany), repeated("<meta name=\"", kMany),
        "<page>" + repeated(word, kMany), "<page>" + repeated("<line>" + word, kMany),
        "<page>" + repeated("<block><line>" + word, kMany),
        "<page>" + repeated("a=\"", kMany) + ">", "<page><word>" + repeated("-", kMany) + "</word>",
        columns, rows, repeated("<page height=\"9\">" + word + "</page>", kMany / 10)}) {
    Read(xhtml);
    Read(xhtml + "</page></doc>");
  }
}

TEST(PdfTextTest, TenThousandPages) {
  BboxMaker maker;
  for (int page = 1; page <= 10'000; ++page) {
    maker.Page().Block().Line(72, 20, "The Book Of Numbers");
    maker.Lines(72, 300, ParagraphLines(5, 60, "w" + std::to_string(page) + "x"));
    maker.Block().Line(300, 770, std::to_string(page));
  }
  const Extraction read = Read(maker.Finish());
  ASSERT_EQ(read.spans.size(), 10'000u);
  EXPECT_EQ(read.spans.back().locator.number, 10'000);
  EXPECT_EQ(std::ranges::count(read.text, '\n'), 2 * 10'000 + 1);  // the first head stays
}

TEST(PdfChildMessagesTest, OutcomesOfPdftotext) {
  EXPECT_EQ(ReadPdfChildMessages("", 0).outcome, ExtractOutcome::kText);
  EXPECT_FALSE(ReadPdfChildMessages("Syntax Warning: Mismatch\n", 0).has_errors);
  const PdfChildResult repaired =
      ReadPdfChildMessages("Syntax Error: Couldn't read xref table\n", 0);
  EXPECT_EQ(repaired.outcome, ExtractOutcome::kText);
  EXPECT_TRUE(repaired.has_errors);
  const PdfChildResult locked = ReadPdfChildMessages("Command Line Error: Incorrect password\n", 1);
  EXPECT_EQ(locked.outcome, ExtractOutcome::kEncrypted);
  EXPECT_EQ(locked.reason, "a password is needed");
  const PdfChildResult damaged = ReadPdfChildMessages(
      "Syntax Warning: May not be a PDF file (continuing anyway)\n"
      "Syntax Error (12): Couldn't find trailer dictionary\nSyntax Error: other\n",
      1);
  EXPECT_EQ(damaged.outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(damaged.reason, "pdftotext says: Couldn't find trailer dictionary");
  EXPECT_EQ(ReadPdfChildMessages("\xFF", 99).reason, "pdftotext ended with status 99");
  EXPECT_EQ(ReadPdfChildMessages("", 3).outcome, ExtractOutcome::kUnsupported);
}

}  // namespace
}  // namespace recall
