#include "index/source/extract/pdf/pdf_marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "index/source/extract/pdf/pdf_mark_reader.h"
#include "index/source/extract/pdf/pdf_text.h"
#include "tests/index/source/extract/extraction_check.h"
#include "tests/index/source/extract/pdf/bbox_maker.h"
#include "tests/index/source/extract/pdf/pdf_maker.h"

namespace recall {
namespace {

using Names = std::vector<std::string>;

// Objects 1 to 4: catalog, page tree, two pages. Object 5 is /Outlines, 6 the first annotation of
// the second page.
Names TwoPages() {
  return {"<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>",
          "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
          "<< /Type /Page /Parent 2 0 R >>",
          "<< /Type /Page /Parent 2 0 R /Annots [6 0 R] >>",
          "<< /First 7 0 R >>",
          "<< /Subtype /Text /Contents (The heron) /T (Ann) >>",
          "<< /Title (Birds) /Dest [3 0 R /Fit] /Next 8 0 R >>",
          "<< /Title (Ponds) /A << /S /GoTo /D [4 0 R /XYZ 0 0 0] >> >>"};
}

// "page author: text" of the notes, and "page level title" of the sections.
Names Notes(const std::string& pdf, const ExtractLimits& limits = {}) {
  Names notes;
  for (const PdfMarks::Note& note : ReadPdfMarks(pdf, limits).notes) {
    notes.push_back(std::to_string(note.page) + " " + note.author + ": " + note.text);
  }
  return notes;
}
Names Sections(const std::string& pdf, const ExtractLimits& limits = {}) {
  Names sections;
  for (const PdfMarks::Section& section : ReadPdfMarks(pdf, limits).sections) {
    sections.push_back(std::to_string(section.page) + " " + std::to_string(section.level) + " " +
                       section.title);
  }
  return sections;
}

TEST(PdfMarkReaderTest, NotesAndSectionsHaveTheirPages) {
  const std::string pdf = MakePdfOfObjects(TwoPages());
  EXPECT_EQ(Notes(pdf), Names{"1 Ann: The heron\n"});
  EXPECT_EQ(Sections(pdf), (Names{"0 1 Birds", "1 1 Ponds"}));
  EXPECT_TRUE(ReadPdfMarks(pdf, {}).complete);
}

TEST(PdfMarkReaderTest, TextsOfAnnotations) {
  const auto contents = [](const std::string& annotation) {
    Names objects = TwoPages();
    objects[5] = "<< " + annotation + " >>";
    return Notes(MakePdfOfObjects(objects));
  };
  EXPECT_EQ(contents("/Subtype /Highlight /Contents (a\\(b\\)\\\nc\\101\\r\\rd)"),
            Names{"1 : a(b)cA\nd\n"});
  EXPECT_EQ(contents("/Subtype /FreeText /Contents <FEFF00E90020D83DDE00>"), Names{"1 : é 😀\n"});
  EXPECT_EQ(contents("/Subtype /Text /Contents (\xEF\xBB\xBFZ\xC3\xBCrich)"),
            Names{"1 : Zürich\n"});
  EXPECT_EQ(contents("/Subtype /Text /Contents (\x84 \x93\x94 \xFC)"), Names{"1 : — ﬁﬂ ü\n"});
  EXPECT_EQ(contents("/Subtype /Text /RC (<body><p>a &amp; b</p><p>c</p></body>)"),
            Names{"1 : a & b\nc\n"});
  EXPECT_EQ(contents("/Subtype /Text /Contents ( )"), Names{});
  EXPECT_EQ(contents("/Subtype /Link /Contents (go there)"), Names{});
  EXPECT_EQ(contents("/Subtype /Widget /Contents (field)"), Names{});
  EXPECT_EQ(contents("/Subtype /Popup /Contents (again) /Parent << /Subtype /Text >>"), Names{});
}

TEST(PdfMarkReaderTest, SectionsByNamedDestinations) {
  Names objects = TwoPages();
  objects[0] =
      "<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R /Dests << /old [4 0 R /Fit] >> "
      "/Names << /Dests << /Kids [9 0 R] >> >> >>";
  objects[6] = "<< /Title (Birds) /Dest (new) /First 8 0 R >>";
  objects[7] = "<< /Title (Ponds) /Dest /old /Next 10 0 R >>";
  objects.push_back("<< /Names [(a) [3 0 R] (new) << /D [4 0 R /Fit] >>] >>");
  objects.push_back("<< /Title (Nowhere) /Dest (missing) >>");
  EXPECT_EQ(Sections(MakePdfOfObjects(objects)), (Names{"1 1 Birds", "1 2 Ponds", "1 2 Nowhere"}));
}

TEST(PdfMarkReaderTest, TheLastOneOfObjectsWithTheSameNumberCounts) {
  std::string pdf = MakePdfOfObjects(TwoPages());
  pdf +=
      "6 0 obj\n<< /Subtype /Text /Contents (The egret) >>\nendobj\n"
      "trailer\n<< /Root 1 0 R >>\n%%EOF\n";
  EXPECT_EQ(Notes(pdf), Names{"1 : The egret\n"});
}

TEST(PdfMarkReaderTest, ObjectsInStreams) {
  for (const bool packed : {false, true}) {
    Names objects = TwoPages();
    const std::string note = objects[5], section = objects[7];
    objects[5] = objects[7] = "";
    const std::string head = "6 0 8 " + std::to_string(note.size() + 1) + " ";
    const std::string text = head + note + "\n" + section;
    const std::string dictionary = "/Type /ObjStm /N 2 /First " + std::to_string(head.size());
    objects.push_back(packed
                          ? PdfStreamObject(dictionary + " /Filter /FlateDecode", StoredZlib(text))
                          : PdfStreamObject(dictionary, text));
    const std::string pdf = MakePdfOfObjects(objects);
    EXPECT_EQ(Notes(pdf), Names{"1 Ann: The heron\n"});
    EXPECT_EQ(Sections(pdf), (Names{"0 1 Birds", "1 1 Ponds"}));
  }
}

TEST(PdfMarkReaderTest, WhatStreamsContainIsNoObject) {
  Names objects = TwoPages();
  objects.push_back(PdfStreamObject("", "6 0 obj << /Contents (false) /Subtype /Text >> endobj"));
  objects.push_back("<< /Length 11 0 R >>\nstream\n6 0 obj << /Contents (false) >>\nendstream");
  objects.push_back("33");
  EXPECT_EQ(Notes(MakePdfOfObjects(objects)), Names{"1 Ann: The heron\n"});
}

TEST(PdfMarkReaderTest, CirclesEnd) {
  Names objects = TwoPages();
  objects[1] = "<< /Kids [2 0 R 3 0 R 4 0 R 4 0 R 2 0 R] >>";
  objects[5] = "6 0 R";
  objects[6] = "<< /Title (Birds) /First 7 0 R /Next 8 0 R >>";
  objects[7] = "<< /Title (Ponds) /First 7 0 R /Next 7 0 R /Dest [4 0 R] >>";
  const std::string pdf = MakePdfOfObjects(objects);
  EXPECT_EQ(Notes(pdf), Names{});
  EXPECT_EQ(Sections(pdf), (Names{"0 1 Birds", "1 1 Ponds"}));
}

TEST(PdfMarkReaderTest, CountsAndTextsAreLimited) {
  Names objects = TwoPages();
  std::string annotations;
  for (int i = 0; i < 100'000; ++i) annotations += "6 0 R ";
  objects[3] = "<< /Annots 9 0 R >>";
  objects.push_back("[" + annotations + "]");
  std::string kids = "3 0 R 4 0 R ";
  for (int i = 10; i < 2'000; ++i) {
    kids += std::to_string(i) + " 0 R ";
    objects.push_back("<< /Annots 9 0 R >>");
  }
  objects[1] = "<< /Kids [" + kids + "] >>";
  const std::string pdf = MakePdfOfObjects(objects);
  const PdfMarks marks = ReadPdfMarks(pdf, {});
  EXPECT_LE(marks.notes.size(), 100'000u);
  EXPECT_GT(marks.notes.size(), 1'000u);
  EXPECT_FALSE(marks.complete);
  ExtractLimits limits;
  limits.max_members = 1;
  EXPECT_LE(Sections(MakePdfOfObjects(TwoPages()), limits).size(), 1u);
  limits = {};
  limits.max_text_bytes = 12;
  EXPECT_EQ(Notes(MakePdfOfObjects(TwoPages()), limits).size(), 0u);
  EXPECT_EQ(Sections(MakePdfOfObjects(TwoPages()), limits).size(), 0u);
}

TEST(PdfMarkReaderTest, EncryptedFilesHaveNone) {
  const std::string pdf = MakePdfOfObjects(TwoPages(), "/Encrypt << /Filter /Standard >>");
  EXPECT_EQ(Notes(pdf), Names{});
  EXPECT_EQ(Sections(pdf), Names{});
}

TEST(PdfMarkReaderTest, AnyTruncationAndChangeIsRead) {
  const std::string pdf = MakePdfOfObjects(TwoPages());
  for (size_t size = 0; size < pdf.size(); ++size) ReadPdfMarks(pdf.substr(0, size), {});
  for (size_t at = 0; at < pdf.size(); ++at) {
    for (const char byte : {'\0', '<', '(', '9', '\xFF'}) {
      std::string changed = pdf;
      changed[at] = byte;
      ReadPdfMarks(changed, {});
    }
  }
}

// Inputs on which a quadratic algorithm would take minutes.
TEST(PdfMarkReaderTest, HostileShapesTakeLinearTime) {
  const auto repeated = [](const std::string& part) {
    std::string all;
    for (int i = 0; i < 100'000; ++i) all += part;
    return all;
  };
  for (const std::string part :
       {"1 0 obj ", "1 0 obj << ", "1 0 obj [ ", "1 0 obj (", "1 0 obj <</Length 1 0 R>> stream ",
        "1 ", "trailer << ", "<<", "%",
        "1 0 obj <</Type/ObjStm/N 9/First 9>>stream\n1 0 endstream ", "trailer <</Root 1 0 R>> "}) {
    ReadPdfMarks(repeated(part), {});
    ReadPdfMarks("1 0 obj << /Pages 1 0 R /Outlines 1 0 R /First 1 0 R " + repeated(part), {});
  }
}

Extraction WithMarks(BboxMaker& maker, const PdfMarks& marks) {
  const std::string xhtml = maker.Finish();
  PdfTextReader reader({});
  reader.Feed(xhtml);
  Extraction extraction = reader.Finish(marks);
  EXPECT_EQ(BrokenRuleOf(extraction), "");
  return extraction;
}

TEST(PdfMarksTest, ANoteStandsAtTheEndOfItsPage) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"First page"}).Page().Lines(72, 300, {"Second page"});
  PdfMarks marks;
  marks.notes = {
      {0, "Ann", "Is this\n# so?\n", false}, {0, "", "No.\n", false}, {7, "", "Late\n", false}};
  const Extraction read = WithMarks(maker, marks);
  EXPECT_EQ(read.text,
            "First page\n\nComment (Ann): Is this\n\\# so?\n\nComment: No.\n\nSecond page\n\n"
            "Comment: Late\n");
  EXPECT_NE(TextAt(read, LocatorKind::kPage, 1).find("Comment: No."), std::string::npos);
  EXPECT_NE(TextAt(read, LocatorKind::kPage, 2).find("Comment: Late"), std::string::npos);
}

TEST(PdfMarksTest, ATextThatIsDrawnOnThePageStandsThereOnce) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"Body of the page"}).Lines(72, 400, {"Check the", "figures!"});
  PdfMarks marks;
  marks.notes = {{0, "Ann", "Check the figures!\n", true},
                 {0, "Ann", "Body of\n", false},
                 {0, "", "he fig\n", true}};
  EXPECT_EQ(
      WithMarks(maker, marks).text,
      "Body of the page\n\nCheck the\nfigures!\n\nComment (Ann): Body of\n\nComment: he fig\n");
}

TEST(PdfMarksTest, ATitleOfTheOutlineMakesItsParagraphAHeading) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"2.1 Methods of Work"}).Lines(72, 330, {"The text of the section"});
  PdfMarks marks;
  marks.sections = {{0, 2, "Methods of work"}};
  EXPECT_EQ(WithMarks(maker, marks).text, "## 2.1 Methods of Work\n\nThe text of the section\n");
}

TEST(PdfMarksTest, ATitleThatIsNotOnItsPageBeginsThePage) {
  BboxMaker maker;
  maker.Page().Lines(72, 300, {"Text of the first page, which is long enough"});
  maker.Page().Lines(72, 100, {"A Heading"}, 20).Lines(72, 300, {"Ponds are mentioned here"});
  PdfMarks marks;
  marks.sections = {{0, 1, "Herons"}, {0, 9, "Egrets"}, {1, 1, "ponds"}, {1, 2, "Pond"}};
  EXPECT_EQ(WithMarks(maker, marks).text,
            "# Herons\n\n#### Egrets\n\nText of the first page, which is long enough\n\n"
            "## Pond\n\n# A Heading\n\nPonds are mentioned here\n");
}

TEST(PdfMarksTest, ScannedPagesHaveTheirTitlesAndNotes) {
  BboxMaker maker;
  maker.Page().Page();
  PdfMarks marks;
  marks.sections = {{1, 1, "Deed of 1874"}};
  marks.notes = {{0, "", "signed twice\n", false}};
  const Extraction read = WithMarks(maker, marks);
  EXPECT_EQ(read.outcome, ExtractOutcome::kText);
  EXPECT_EQ(read.text, "Comment: signed twice\n\n# Deed of 1874\n");
  EXPECT_EQ(read.meta.at("pages_without_text"), Names{"2"});
}

TEST(PdfMarksTest, ARunningHeadThatIsATitleStaysWhereTheSectionBegins) {
  BboxMaker maker;
  for (int page = 0; page < 4; ++page) {
    maker.Page().Block().Line(72, 20, "Of ponds");
    maker.Lines(72, 300, {"Body " + std::string(static_cast<size_t>(page) + 3, 'x') + " of ponds"});
  }
  PdfMarks marks;
  marks.sections = {{1, 1, "Of ponds"}};
  EXPECT_EQ(WithMarks(maker, marks).text,
            "Body xxx of ponds\n\n# Of ponds\n\nBody xxxx of ponds\n\nBody xxxxx of ponds\n\n"
            "Body xxxxxx of ponds\n");
}

TEST(PdfMarksTest, ManyMarksOfOnePageTakeLinearTime) {
  BboxMaker maker;
  Names lines;
  for (int i = 0; i < 2'000; ++i) lines.push_back("w" + std::to_string(i));
  maker.Page();
  for (int i = 0; i < 2'000; ++i) maker.Lines(72, 10 + 0.3 * i, {"w" + std::to_string(i)});
  PdfMarks marks;
  for (int i = 0; i < 50'000; ++i) {
    marks.sections.push_back({0, 1, "t" + std::to_string(i)});
    marks.notes.push_back({0, "", "n" + std::to_string(i) + "\n", true});
  }
  const std::string text = WithMarks(maker, marks).text;
  EXPECT_NE(text.find("# t49999\n"), std::string::npos);
  EXPECT_NE(text.find("Comment: n49999\n"), std::string::npos);
}

}  // namespace
}  // namespace recall
