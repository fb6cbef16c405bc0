#include <gtest/gtest.h>

#include "index/source/extract/ooxml/ooxml.h"
#include "tests/index/source/extract/extraction_check.h"
#include "tests/index/source/extract/ooxml/ooxml_maker.h"

namespace recall {
namespace {

const std::string kTitle = R"(<p:ph type="title"/>)";

// Two slides, whose order is not that of their names.
OoxmlMaker MadePptx(const std::string& first, const std::string& second) {
  OoxmlMaker maker("p.xml");
  maker.Part("p.xml", R"(<p:presentation><p:sldIdLst><p:sldId id="9" r:id="r8"/>
      <p:sldId id="1" r:id="r3"/></p:sldIdLst></p:presentation>)");
  maker.Relations("p.xml", {{"r3", "slide", "s/slide1.xml"}, {"r8", "slide", "s/slide2.xml"}});
  maker.Part("s/slide2.xml", first).Part("s/slide1.xml", second);
  return maker;
}

Extraction Pptx(const OoxmlMaker& maker) {
  Extraction extraction = ExtractPptx(maker.Make(), {});
  EXPECT_EQ(BrokenRuleOf(extraction), "");
  return extraction;
}

TEST(PptxTest, SlidesComeInTheOrderOfThePresentation) {
  const Extraction extraction =
      Pptx(MadePptx(SlideXml(SlideShape("below") + SlideShape("First", kTitle)),
                    SlideXml("<p:grpSp>" + SlideShape("grouped") + "</p:grpSp>" +
                                 SlideShape("7", R"(<p:ph type="sldNum"/>)"),
                             " show=\"0\"")));
  EXPECT_EQ(extraction.text, "# First\n\nbelow\n\n# Slide 2 (hidden)\n\ngrouped\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kSlide, 2), "# Slide 2 (hidden)\n\ngrouped\n");
}

TEST(PptxTest, BodiesAreListsAndTablesRows) {
  const std::string body = R"(<p:sp><p:nvSpPr><p:nvPr><p:ph idx="1"/></p:nvPr></p:nvSpPr><p:txBody>
      <a:p><a:r><a:t>one</a:t></a:r></a:p><a:p><a:pPr lvl="1"><a:buAutoNum type="x"/></a:pPr><a:r>
      <a:t>two</a:t></a:r></a:p><a:p><a:pPr lvl="1"><a:buAutoNum type="x"/></a:pPr><a:r><a:t>three
      </a:t></a:r></a:p><a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>plain</a:t></a:r><a:br/><a:r>
      <a:t>line</a:t></a:r></a:p></p:txBody></p:sp>)";
  const std::string table = R"(<p:graphicFrame><a:graphic><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r>
      <a:t>a</a:t></a:r></a:p></a:txBody></a:tc><a:tc hMerge="1"/><a:tc><a:txBody><a:p><a:r><a:t>b
      </a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphic></p:graphicFrame>)";
  EXPECT_EQ(Pptx(MadePptx(SlideXml(body + table), SlideXml(""))).text,
            "# Slide 1\n\n- one\n  1. two\n  2. three\n\nplain\nline\n\na\t\tb\n");
}

TEST(PptxTest, NotesChartsDiagramsAndCommentsBelongToTheirSlide) {
  OoxmlMaker maker =
      MadePptx(SlideXml(SlideShape("T", kTitle) + R"(<p:graphicFrame><p:nvGraphicFramePr>
          <p:cNvPr descr="a chart"/></p:nvGraphicFramePr><c:chart r:id="c"/></p:graphicFrame>
          <p:graphicFrame><dgm:relIds r:dm="d"/></p:graphicFrame><p:pic><p:nvPicPr><p:cNvPr
          descr="a photo"/></p:nvPicPr></p:pic>)"),
               SlideXml(""));
  maker.Relations("s/slide2.xml", {{"n", "notesSlide", "../n.xml"},
                                   {"c", "chart", "../c.xml"},
                                   {"d", "diagramData", "../d.xml"},
                                   {"k", "comments", "../k.xml"}});
  maker.Part("n.xml", "<p:notes><p:cSld><p:spTree>" + SlideShape("T", R"(<p:ph type="sldImg"/>)") +
                          SlideShape("say this", R"(<p:ph type="body"/>)") +
                          SlideShape("1", R"(<p:ph type="sldNum"/>)") +
                          "</p:spTree></p:cSld></p:notes>");
  maker.Part("c.xml", R"(<c:chartSpace><c:title><a:p><a:r><a:t>Costs</a:t></a:r></a:p></c:title>
      <c:ser><c:tx><c:strRef><c:v>North</c:v></c:strRef></c:tx><c:cat><c:v>Q1</c:v><c:v>Q2</c:v>
      </c:cat><c:val><c:v>99</c:v></c:val></c:ser></c:chartSpace>)");
  maker.Part("d.xml",
             "<dgm:dataModel><dgm:pt><a:p><a:r><a:t>step</a:t></a:r></a:p></dgm:pt>"
             "</dgm:dataModel>");
  maker.Part("k.xml", R"(<p:cmLst><p:cm authorId="0"><p:text>why</p:text></p:cm></p:cmLst>)");
  const Extraction extraction = Pptx(maker);
  EXPECT_EQ(extraction.text,
            "# T\n\na chart\n\nCosts\n\nNorth\n\nQ1\n\nQ2\n\nstep\n\na photo\n\nComment: why\n\n"
            "say this\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kSlide, 1, "notes"), "say this\n");
}

TEST(PptxTest, ASlideThatIsMissingIsDamage) {
  OoxmlMaker maker("p.xml");
  maker.Part("p.xml", R"(<p:presentation><p:sldIdLst><p:sldId r:id="r8"/></p:sldIdLst>
      </p:presentation>)");
  EXPECT_EQ(Pptx(maker).outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(Pptx(MadePptx(SlideXml(""), SlideXml(""))).outcome, ExtractOutcome::kNoText);
}

OoxmlMaker MadeXlsx(const std::string& rows, const std::string& properties = "") {
  OoxmlMaker maker("xl/book.xml");
  maker.Part("xl/book.xml", "<x:workbook>" + properties +
                                R"(<x:sheets><x:sheet name="Costs &amp; more" r:id="r9"/>
      <x:sheet name="Deep" state="veryHidden" r:id="r1"/></x:sheets></x:workbook>)");
  maker.Relations("xl/book.xml", {{"r1", "worksheet", "sheet1.xml"},
                                  {"r9", "worksheet", "sheet2.xml"},
                                  {"s", "styles", "st.xml"},
                                  {"t", "sharedStrings", "str.xml"}});
  maker.Part("xl/st.xml", R"(<x:styleSheet><x:numFmts><x:numFmt numFmtId="170"
      formatCode="0.0&quot; kg&quot;"/></x:numFmts><x:cellXfs><x:xf/><x:xf numFmtId="14"/>
      <x:xf numFmtId="10"/><x:xf numFmtId="170"/></x:cellXfs></x:styleSheet>)");
  maker.Part("xl/str.xml", R"(<x:sst><x:si><x:t>plain</x:t></x:si><x:si><x:r><x:t>ri</x:t></x:r>
      <x:r><x:t>ch</x:t></x:r><x:rPh><x:t>RI</x:t></x:rPh></x:si><x:si><x:t>a_x000D_b</x:t></x:si>
      </x:sst>)");
  maker.Part("xl/sheet2.xml", "<x:worksheet><x:sheetData>" + rows + "</x:sheetData></x:worksheet>");
  maker.Part("xl/sheet1.xml", R"(<x:worksheet><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>in
      </x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>)");
  return maker;
}

Extraction Xlsx(const OoxmlMaker& maker) {
  Extraction extraction = ExtractXlsx(maker.Make(), {});
  EXPECT_EQ(BrokenRuleOf(extraction), "");
  return extraction;
}

TEST(XlsxTest, CellsAreShownAsTheirStylesSay) {
  const Extraction extraction = Xlsx(MadeXlsx(R"(<x:row r="3"><x:c r="B3" t="s"><x:v>0</x:v></x:c>
      <x:c r="C3" t="s"><x:v>1</x:v></x:c><x:c r="E3" s="1"><x:v>45356</x:v></x:c></x:row>
      <x:row r="4"><x:c r="B4" s="2"><x:v>0.125</x:v></x:c><x:c s="3"><x:v>2.25</x:v></x:c>
      <x:c t="b"><x:v>1</x:v></x:c><x:c t="e"><x:v>#N/A</x:v></x:c><x:c t="str"><x:f>A1</x:f>
      <x:v>result</x:v></x:c><x:c><x:v>0.30000000000000004</x:v></x:c></x:row>
      <x:row r="9"><x:c r="B9" t="s"><x:v>2</x:v></x:c><x:c r="C9" t="s"><x:v>99</x:v></x:c>
      </x:row>)"));
  EXPECT_EQ(extraction.text,
            "# Costs & more\n\nplain\trich\t\t2024-03-05\n12.50%\t2.3 kg\tTRUE\t#N/A\tresult\t0.3\n"
            "\na b\n\n# Deep (hidden)\n\nin\n");
  ASSERT_EQ(extraction.spans.size(), 5u);
  EXPECT_EQ(extraction.spans[1].locator,
            (Locator{LocatorKind::kSheet, 1, "Costs & more", "B3:G4"}));
  EXPECT_EQ(extraction.spans[2].locator.range, "B9");
  EXPECT_EQ(extraction.spans[4].locator, (Locator{LocatorKind::kSheet, 2, "Deep", "A1"}));
}

TEST(XlsxTest, DatesOfTheOtherCalendar) {
  const std::string row = R"(<x:row r="1"><x:c r="A1" s="1"><x:v>43894</x:v></x:c></x:row>)";
  EXPECT_NE(Xlsx(MadeXlsx(row, R"(<x:workbookPr date1904="1"/>)")).text.find("2024-03-05"),
            std::string::npos);
}

TEST(XlsxTest, CommentsAndDrawingsHaveTheirCells) {
  OoxmlMaker maker = MadeXlsx("");
  maker.Relations("xl/sheet2.xml", {{"1", "comments", "c.xml"}, {"2", "drawing", "d.xml"}});
  maker.Part("xl/c.xml", R"(<x:comments><x:authors><x:author>Ann</x:author></x:authors>
      <x:commentList><x:comment ref="D7" authorId="0"><x:text><x:r><x:t>check</x:t></x:r></x:text>
      </x:comment></x:commentList></x:comments>)");
  maker.Part("xl/d.xml", R"(<xdr:wsDr><xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>4
</xdr:row></xdr:from><xdr:pic><xdr:cNvPr descr="logo"/></xdr:pic></xdr:twoCellAnchor></xdr:wsDr>)");
  const Extraction extraction = Xlsx(maker);
  EXPECT_EQ(extraction.text,
            "# Costs & more\n\nComment (Ann): check\n\nlogo\n\n# Deep (hidden)\n\nin\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kSheet, 1, "D7"), "Comment (Ann): check\n");
}

TEST(XlsxTest, ADamagedSheetDoesNotLoseTheOthers) {
  const std::string row = R"(<x:row><x:c t="inlineStr"><x:is><x:t>kept</x:t></x:is></x:c></x:row>)";
  for (const bool first : {false, true}) {
    OoxmlMaker maker = MadeXlsx(row);
    maker.Part(first ? "xl/sheet2.xml" : "xl/sheet1.xml", "<x:worksheet><x:sheetData><x:row");
    const Extraction extraction = Xlsx(maker);
    EXPECT_EQ(extraction.outcome, ExtractOutcome::kText) << extraction.reason;
    EXPECT_NE(extraction.text.find(first ? "in" : "kept"), std::string::npos) << extraction.text;
    EXPECT_EQ(extraction.warnings, std::vector<std::string>{"damaged_parts"});
  }
  OoxmlMaker missing = MadeXlsx(row);
  missing.Relations("xl/book.xml", {{"r9", "worksheet", "sheet2.xml"}});
  EXPECT_NE(Xlsx(missing).text.find("kept"), std::string::npos);
  OoxmlMaker none = MadeXlsx("");
  none.Part("xl/sheet1.xml", "<").Part("xl/sheet2.xml", "<");
  EXPECT_EQ(Xlsx(none).outcome, ExtractOutcome::kDamaged);
}

TEST(XlsxTest, AStringInEveryCellEndsAtTheLimitOfTheText) {
  std::string cells = "<x:row>";
  for (int i = 0; i < 20'000; ++i) cells += R"(<x:c t="s"><x:v>0</x:v></x:c>)";
  OoxmlMaker maker = MadeXlsx(cells + "</x:row>");
  maker.Part("xl/str.xml",
             "<x:sst><x:si><x:t>" + std::string(1 << 20, 'x') + "</x:t></x:si></x:sst>");
  ExtractLimits limits;
  limits.max_text_bytes = 3 << 20;
  const Extraction extraction = ExtractXlsx(maker.Make(), limits);
  EXPECT_EQ(BrokenRuleOf(extraction, limits), "");
  EXPECT_EQ(extraction.warnings, std::vector<std::string>{"truncated_output"});
}

// Every document that is damaged has an answer that keeps the promises.
TEST(OoxmlTest, TruncationAndChangesOfEveryByte) {
  OoxmlMaker docx = MadeDocx(WordParagraph("text", R"(<w:pStyle w:val="Heading1"/>)"));
  const std::pair<std::string, Extraction (*)(std::string_view, const ExtractLimits&)> kFiles[] = {
      {docx.Make(), ExtractDocx},
      {MadePptx(SlideXml(SlideShape("a", kTitle)), SlideXml(SlideShape("b"))).Make(), ExtractPptx},
      {MadeXlsx(R"(<x:row><x:c s="1"><x:v>1</x:v></x:c></x:row>)").Make(), ExtractXlsx}};
  for (const auto& [bytes, extract] : kFiles) {
    ASSERT_EQ(extract(bytes, {}).outcome, ExtractOutcome::kText);
    for (size_t size = 0; size < bytes.size(); ++size) {
      const Extraction cut = extract(std::string_view(bytes).substr(0, size), {});
      ASSERT_NE(cut.outcome, ExtractOutcome::kText) << size;
      ASSERT_EQ(BrokenRuleOf(cut), "") << size;
    }
    for (size_t at = 0; at < bytes.size(); ++at) {
      for (const int change : {1, 0x20, 0xff}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ change);
        ASSERT_EQ(BrokenRuleOf(extract(changed, {})), "") << at;
      }
    }
  }
}

}  // namespace
}  // namespace recall
