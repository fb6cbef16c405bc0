#include "index/source/extract/odf/odf_document.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/index/source/extract/extraction_check.h"
#include "tests/index/source/extract/odf/odf_maker.h"

namespace recall {
namespace {

Extraction ReadOdf(std::string_view bytes, const ExtractLimits& limits = {}) {
  Extraction extraction = ExtractOdt(bytes, limits);
  EXPECT_EQ(BrokenRuleOf(extraction, limits), "");
  return extraction;
}

std::string OdfTextOf(std::string_view body, std::string_view styles = "") {
  return ReadOdf(MakeOdf("text", body, styles)).text;
}

TEST(OdfTextTest, HeadingsHaveTheirLevels) {
  EXPECT_EQ(OdfTextOf("<text:h text:outline-level='1'>One</text:h><text:p>a</text:p>"
                      "<text:h text:outline-level='3'>Three</text:h>"
                      "<text:h text:outline-level='10'>Ten</text:h><text:h>None</text:h>"),
            "# One\n\na\n\n### Three\n\n###### Ten\n\n# None\n");
}

TEST(OdfTextTest, TheTitleIsAHeadingByItsStyle) {
  EXPECT_EQ(
      OdfTextOf("<text:p text:style-name='P1'>Book</text:p><text:p text:style-name='P2'>b</text:p>",
                "<style:style style:name='P1' style:family='paragraph' "
                "style:parent-style-name='Title'/>"
                "<style:style style:name='P2' style:family='paragraph' "
                "style:parent-style-name='P2'/>"),
      "# Book\n\nb\n");
}

TEST(OdfTextTest, WhiteSpaceIsThatOfTheFormat) {
  EXPECT_EQ(OdfTextOf("<text:p>\n  one \n <text:span> two</text:span><text:s text:c='3'/>three"
                      "<text:tab/>four<text:line-break/>five </text:p>"),
            "one two   three\tfour\nfive\n");
}

TEST(OdfTextTest, ListsHaveLevelsAndNumbers) {
  const std::string styles =
      "<text:list-style style:name='L1'>"
      "<text:list-level-style-number text:level='1' style:num-format='1'/>"
      "<text:list-level-style-bullet text:level='2'/></text:list-style>";
  EXPECT_EQ(
      OdfTextOf("<text:list text:style-name='L1'>"
                "<text:list-item><text:p>first</text:p><text:p>goes on</text:p>"
                "<text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list>"
                "</text:list-item>"
                "<text:list-item><text:p>second</text:p></text:list-item>"
                "<text:list-item text:start-value='7'><text:p>seventh</text:p></text:list-item>"
                "</text:list>",
                styles),
      "1. first\n   goes on\n  - inner\n2. second\n7. seventh\n");
}

TEST(OdfTextTest, TablesAreRowsWithTabs) {
  EXPECT_EQ(
      OdfTextOf(
          "<text:p>before</text:p><table:table><table:table-header-rows><table:table-row>"
          "<table:table-cell><text:p>a</text:p><text:p>b</text:p></table:table-cell>"
          "<table:table-cell table:number-columns-repeated='2'/>"
          "<table:table-cell><text:p>c</text:p></table:table-cell>"
          "<table:table-cell/></table:table-row></table:table-header-rows>"
          "<table:table-row table:number-rows-repeated='2'><table:covered-table-cell/>"
          "<table:table-cell><table:table><table:table-row><table:table-cell><text:p>x</text:p>"
          "</table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell>"
          "</table:table-row></table:table></table:table-cell></table:table-row>"
          "</table:table><text:p>after</text:p>"),
      "before\n\na b\t\t\tc\n\tx y\n\tx y\n\nafter\n");
}

TEST(OdfTextTest, NotesCommentsAndBoxesFollowTheirParagraph) {
  EXPECT_EQ(
      OdfTextOf(
          "<text:p><office:annotation><dc:creator>Ann</dc:creator>"
          "<dc:date>2020-01-01T00:00:00</dc:date><text:p>Is it so?</text:p></office:annotation>"
          "One<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation>"
          "<text:note-body><text:p>The note.</text:p><text:p>More.</text:p></text:note-body>"
          "</text:note> two<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box>"
          "</draw:frame>.</text:p><text:p>Next</text:p>"),
      "One[1] two.\n\nComment (Ann): Is it so?\n\n[1] The note.\nMore.\n\nboxed\n\nNext\n");
}

TEST(OdfTextTest, EndnotesAreCountedApart) {
  const auto note = [](const std::string& kind, const std::string& text) {
    return "<text:note text:note-class='" + kind + "'><text:note-body><text:p>" + text +
           "</text:p></text:note-body></text:note>";
  };
  EXPECT_EQ(OdfTextOf("<text:p>a" + note("endnote", "x") + "b" + note("footnote", "y") + "c" +
                      note("endnote", "z") + "</text:p>"),
            "a[i]b[1]c[ii]\n\n[i] x\n\n[1] y\n\n[ii] z\n");
}

TEST(OdfTextTest, DeletionsAndGeneratedIndexesAreLeftOut) {
  EXPECT_EQ(
      OdfTextOf("<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p>"
                "</text:deletion></text:changed-region></text:tracked-changes>"
                "<text:table-of-content><text:index-body><text:p>One 1</text:p>"
                "</text:index-body></text:table-of-content>"
                "<text:p>kept<text:change text:change-id='1'/> here</text:p>"),
      "kept here\n");
}

TEST(OdfTextTest, PicturesHaveTheirAlternativeTexts) {
  EXPECT_EQ(
      OdfTextOf("<text:p>See<draw:frame><draw:image xlink:href='p.png'/>"
                "<svg:title>Plan</svg:title><svg:desc>The ground floor</svg:desc></draw:frame>"
                "</text:p>"),
      "See\n\nPlan: The ground floor\n");
}

TEST(OdfTextTest, PreformattedParagraphsAreOneBlockOfCode) {
  EXPECT_EQ(
      OdfTextOf("<text:p text:style-name='C'>if a:</text:p><text:p text:style-name='C'/>"
                "<text:p text:style-name='C'><text:s text:c='2'/>b()</text:p><text:p>end</text:p>",
                "<style:style style:name='C' style:family='paragraph' "
                "style:parent-style-name='Preformatted_20_Text'/>"),
      "```\nif a:\n\n  b()\n```\n\nend\n");
}

TEST(OdfTextTest, PlacesAreParagraphs) {
  const Extraction extraction =
      ReadOdf(MakeOdf("text",
                      "<text:h text:outline-level='1'>One</text:h><text:p/><text:p>two</text:p>"
                      "<table:table><table:table-row><table:table-cell><text:p>cell</text:p>"
                      "</table:table-cell></table:table-row></table:table><text:p>last</text:p>"));
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 1), "# One\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 3), "two\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 4), "cell\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 5), "last\n");
}

TEST(OdfTextTest, PlacesNameTheHeadingsAroundThem) {
  const Extraction extraction = ReadOdf(MakeOdf(
      "text",
      "<text:h text:outline-level='1'>Guide</text:h><text:h text:outline-level='2'>Install</text:h>"
      "<text:p>a</text:p><text:h text:outline-level='2'>Use</text:h><text:h "
      "text:outline-level='1'>Index</text:h>"));
  std::vector<std::string> names;
  for (const LocatorSpan& span : extraction.spans) names.push_back(span.locator.name);
  EXPECT_EQ(names, (std::vector<std::string>{"Guide", "Guide > Install", "Guide > Install",
                                             "Guide > Use", "Index"}));
}

TEST(OdfTextTest, HeadersAndFootersComeOnceAtTheEnd) {
  const std::string styles = OdfXml(
      "document-styles",
      "<office:master-styles><style:master-page><style:header><text:p>ACME <text:s/>plan</text:p>"
      "</style:header><style:footer><text:p>7</text:p></style:footer></style:master-page>"
      "<style:master-page><style:header><text:p>ACME plan</text:p></style:header><draw:frame>"
      "<draw:text-box><text:p>placeholder</text:p></draw:text-box></draw:frame>"
      "</style:master-page></office:master-styles>");
  const Extraction extraction =
      ReadOdf(MakeOdf("text", "<text:p>a</text:p>", "", {{"styles.xml", styles}}));
  EXPECT_EQ(extraction.text, "a\n\nACME plan\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 0, "header"), "ACME plan\n");
}

TEST(OdfTextTest, FormulasStandInTheirSentenceAndChartsGiveTheirTitles) {
  const std::string math =
      "<math xmlns='http://www.w3.org/1998/Math/MathML'><semantics><mi>E</mi>"
      "<annotation encoding='StarMath 5.0'>E = m c^2</annotation></semantics></math>";
  const std::string chart = OdfXml(
      "document-content",
      "<office:body><office:chart><chart:chart><chart:title><text:p>Costs</text:p></chart:title>"
      "<table:table><table:table-row><table:table-cell><text:p>17</text:p></table:table-cell>"
      "</table:table-row></table:table></chart:chart></office:chart></office:body>");
  const std::string bytes = MakeOdf(
      "text",
      "<text:p>As <draw:frame><draw:object xlink:href='./Object 1'/></draw:frame> says.</text:p>"
      "<text:p><draw:frame><draw:object xlink:href='./Object%202'/></draw:frame></text:p>",
      "", {{"Object 1/content.xml", math}, {"Object 2/content.xml", chart}});
  EXPECT_EQ(ReadOdf(bytes).text, "As E = m c^2 says.\n\nCosts\n");
}

TEST(OdfDocumentTest, FlatFilesAreReadAsPackedOnes) {
  const std::string meta = "<office:meta><dc:title>T</dc:title></office:meta>";
  const std::string body =
      "<office:body><office:text><text:p>one</text:p></office:text></office:body>";
  const Extraction flat = ReadOdf(OdfXml("document", meta + body));
  const Extraction packed = ReadOdf(
      MakeOdf("text", "<text:p>one</text:p>", "", {{"meta.xml", OdfXml("document-meta", meta)}}));
  EXPECT_EQ(flat.text, "one\n");
  EXPECT_EQ(packed.text, flat.text);
  EXPECT_EQ(packed.spans, flat.spans);
  EXPECT_EQ(packed.meta, flat.meta);
}

TEST(OdfDocumentTest, FactsAreThoseOfTheDocument) {
  const std::string meta =
      OdfXml("document-meta",
             "<office:meta><dc:title>Garden &amp; house</dc:title><dc:subject>Plants</dc:subject>"
             "<meta:initial-creator>Ann</meta:initial-creator><dc:creator>Bob</dc:creator>"
             "<meta:keyword>tree</meta:keyword><meta:keyword>rose</meta:keyword>"
             "<meta:creation-date>2020-02-03T04:05:06.789</meta:creation-date>"
             "<dc:date>2022-06-14 13:53:15 +0000</dc:date><dc:language>en-GB</dc:language>"
             "</office:meta>");
  const Extraction extraction =
      ReadOdf(MakeOdf("text", "<text:p>x</text:p>", "", {{"meta.xml", meta}}));
  const std::map<std::string, std::vector<std::string>> expected = {
      {"title", {"Garden & house"}},
      {"subject", {"Plants"}},
      {"author", {"Ann"}},
      {"keywords", {"tree", "rose"}},
      {"created", {"2020-02-03T04:05:06"}},
      {"modified", {"2022-06-14T13:53:15+00:00"}},
      {"language", {"en-GB"}},
  };
  EXPECT_EQ(extraction.meta, expected);
}

TEST(OdfDocumentTest, OutcomesSayWhatIsWrong) {
  const std::string manifest =
      "<manifest:manifest xmlns:manifest='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'>"
      "<manifest:file-entry manifest:full-path='content.xml'><manifest:encryption-data/>"
      "</manifest:file-entry></manifest:manifest>";
  EXPECT_EQ(ReadOdf(MakeOdf("text", "", "", {{"META-INF/manifest.xml", manifest}})).outcome,
            ExtractOutcome::kEncrypted);
  EXPECT_EQ(ReadOdf(MakeOdf("text", "<text:p> </text:p>")).outcome, ExtractOutcome::kNoText);
  EXPECT_EQ(ReadOdf(MakeOdf("chart", "<text:p>a</text:p>")).outcome, ExtractOutcome::kUnsupported);
  EXPECT_EQ(ReadOdf(MakeOdf("text", "<text:p>")).outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(ReadOdf(MakeZip({{"a.txt", "a"}})).outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(ReadOdf("").outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(ReadOdf("<html><p>a</p></html>").outcome, ExtractOutcome::kUnsupported);
  const Extraction damaged_styles =
      ReadOdf(MakeOdf("text", "<text:p>a</text:p>", "", {{"styles.xml", "<a"}}));
  EXPECT_EQ(damaged_styles.text, "a\n");
  EXPECT_EQ(damaged_styles.warnings, std::vector<std::string>{"damaged_parts"});
}

TEST(OdfSlidesTest, SlidesBeginWithTheirTitlesAndEndWithTheirNotes) {
  const Extraction extraction = ReadOdf(MakeOdf(
      "presentation",
      "<draw:page draw:name='a'><draw:frame presentation:class='outline'><draw:text-box><text:list>"
      "<text:list-item><text:p>point</text:p></text:list-item></text:list></draw:text-box>"
      "</draw:frame><draw:frame presentation:class='title'><draw:text-box><text:p>Plan</text:p>"
      "<text:p>of work</text:p></draw:text-box></draw:frame>"
      "<draw:frame presentation:class='footer'><draw:text-box><text:p>ACME</text:p></draw:text-box>"
      "</draw:frame><presentation:notes><draw:page-thumbnail/>"
      "<draw:frame presentation:class='notes'><draw:text-box><text:p>Say hello</text:p>"
      "</draw:text-box></draw:frame></presentation:notes></draw:page>"
      "<draw:page "
      "draw:style-name='dp2'><draw:custom-shape><text:p>shape</text:p></draw:custom-shape>"
      "</draw:page>",
      "<style:style style:name='dp2' style:family='drawing-page'><style:drawing-page-properties "
      "presentation:visibility='hidden'/></style:style>"));
  EXPECT_EQ(extraction.text,
            "# Plan of work\n\n- point\n\nSay hello\n\n# Slide 2 (hidden)\n\nshape\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kSlide, 1, "notes"), "Say hello\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kSlide, 2), "# Slide 2 (hidden)\n\nshape\n");
}

TEST(OdfSheetTest, CellsKeepTheirPlaces) {
  const Extraction extraction = ReadOdf(MakeOdf(
      "spreadsheet",
      "<table:table table:name='Costs'><table:table-row table:number-rows-repeated='3'>"
      "<table:table-cell table:number-columns-repeated='1024'/></table:table-row>"
      "<table:table-row><table:table-cell/><table:table-cell office:value-type='float' "
      "office:value='1234.5'><text:p>1,234.50</text:p></table:table-cell>"
      "<table:covered-table-cell/><table:table-cell><text:p>x</text:p></table:table-cell>"
      "</table:table-row></table:table>"
      "<table:table table:name='Old' table:style-name='ta2'><table:table-row><table:table-cell>"
      "<office:annotation><dc:creator>Bob</dc:creator><text:p>check</text:p></office:annotation>"
      "<text:p>y</text:p></table:table-cell></table:table-row></table:table>"
      "<table:table table:name=\"'file:///a.ods'#$X\"><table:table-row><table:table-cell>"
      "<text:p>cached</text:p></table:table-cell></table:table-row></table:table>",
      "<style:style style:name='ta2' style:family='table'><style:table-properties "
      "table:display='false'/></style:style>"));
  EXPECT_EQ(extraction.text,
            "# Costs\n\n1,234.50\t\tx\n\n# Old (hidden)\n\ny\n\nComment (Bob): check\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kSheet, 1, "B4:D4"), "1,234.50\t\tx\n");
  EXPECT_EQ(extraction.spans.back().locator, (Locator{LocatorKind::kSheet, 2, "Old", "A1"}));
}

TEST(OdfSheetTest, RepeatedRowsAreWrittenWithinLimits) {
  const auto sheet = [](int64_t repeat) {
    return ReadOdf(MakeOdf("spreadsheet",
                           "<table:table table:name='S'><table:table-row "
                           "table:number-rows-repeated='" +
                               std::to_string(repeat) +
                               "'><table:table-cell><text:p>a</text:p></table:table-cell>"
                               "</table:table-row><table:table-row><table:table-cell>"
                               "<text:p>end</text:p></table:table-cell></table:table-row>"
                               "</table:table>"));
  };
  EXPECT_EQ(sheet(3).text, "# S\n\na\na\na\nend\n");
  const Extraction many = sheet(1048575);
  EXPECT_EQ(many.text, "# S\n\na\nend\n");
  EXPECT_EQ(many.spans.back().locator.range, "A1:A1048576");
}

TEST(OdfSheetTest, ValuesWithoutTextsAreShown) {
  const auto shown = [](const std::string& attributes) {
    return ReadOdf(MakeOdf("spreadsheet",
                           "<table:table table:name='S'><table:table-row>"
                           "<table:table-cell office:value-type=" +
                               attributes + "/></table:table-row></table:table>"))
        .text.substr(5);
  };
  EXPECT_EQ(shown("'float' office:value='1.5'"), "1.5\n");
  EXPECT_EQ(shown("'percentage' office:value='0.125'"), "12.5%\n");
  EXPECT_EQ(shown("'percentage' office:value='-1'"), "-100%\n");
  EXPECT_EQ(shown("'percentage' office:value='0.07'"), "7%\n");
  EXPECT_EQ(shown("'currency' office:value='3.2' office:currency='EUR'"), "3.2 EUR\n");
  EXPECT_EQ(shown("'date' office:date-value='2024-02-29T00:00:00'"), "2024-02-29\n");
  EXPECT_EQ(shown("'time' office:time-value='PT13H5M00.5S'"), "13:05:00\n");
  EXPECT_EQ(shown("'boolean' office:boolean-value='true'"), "TRUE\n");
  EXPECT_EQ(shown("'string' office:string-value='s'"), "s\n");
}

// Hostile files.

std::string SmallOdf() {
  return MakeOdf(
      "text",
      "<text:h text:outline-level='1'>H</text:h><text:list><text:list-item>"
      "<text:p>i<text:note><text:note-body><text:p>n</text:p></text:note-body></text:note>"
      "</text:p></text:list-item></text:list><table:table><table:table-row>"
      "<table:table-cell><text:p>c</text:p></table:table-cell></table:table-row>"
      "</table:table>");
}

TEST(OdfHostileTest, EveryTruncationEnds) {
  const std::string bytes = SmallOdf();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Extraction extraction = ReadOdf(std::string_view(bytes).substr(0, size));
    EXPECT_NE(extraction.outcome, ExtractOutcome::kText) << size;
  }
}

TEST(OdfHostileTest, EveryChangedByteEnds) {
  const std::string flat = OdfXml(
      "document",
      "<office:body><office:text><text:list><text:list-item><text:p>i</text:p></text:list-item>"
      "</text:list><table:table><table:table-row><table:table-cell><draw:frame><draw:text-box>"
      "<text:p>c</text:p></draw:text-box></draw:frame></table:table-cell></table:table-row>"
      "</table:table></office:text></office:body>");
  for (const std::string& original : {SmallOdf(), flat}) {
    std::string bytes = original;
    for (size_t i = 0; i < bytes.size(); ++i) {
      for (const char value : {'\0', '\xff', '<', '>', 'a', static_cast<char>(bytes[i] ^ 1)}) {
        bytes[i] = value;
        ReadOdf(bytes);
      }
      bytes[i] = original[i];
    }
  }
}

TEST(OdfHostileTest, DeepNestingIsALimit) {
  std::string body;
  for (int i = 0; i < 100'000; ++i) body += "<text:section>";
  EXPECT_EQ(ReadOdf(MakeOdf("text", body)).outcome, ExtractOutcome::kTooLarge);
}

TEST(OdfHostileTest, EntitiesAreNotExpanded) {
  const std::string bomb =
      "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>" +
      OdfXml("document",
             "<office:body><office:text><text:p>&b;</text:p></office:text></office:body>")
          .substr(38);
  const Extraction extraction = ReadOdf(bomb);
  EXPECT_EQ(extraction.outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(extraction.text, "");
}

TEST(OdfHostileTest, RepeatsOfRepeatsEndAtTheLimit) {
  ExtractLimits limits;
  limits.max_text_bytes = 1 << 20;
  std::string rows;
  for (int i = 0; i < 1000; ++i) {
    rows +=
        "<table:table-row table:number-rows-repeated='64'><table:table-cell "
        "table:number-columns-repeated='64'><text:p>abcdefgh</text:p></table:table-cell>"
        "<table:table-cell table:number-columns-repeated='9999999999999999999'/>"
        "<table:table-cell table:number-columns-repeated='-5'><text:p>z</text:p>"
        "</table:table-cell></table:table-row>";
  }
  for (const char* kind : {"text", "spreadsheet"}) {
    const Extraction extraction =
        ReadOdf(MakeOdf(kind, "<table:table table:name='S'>" + rows + "</table:table>"), limits);
    EXPECT_EQ(extraction.outcome, ExtractOutcome::kText);
    EXPECT_EQ(extraction.warnings, std::vector<std::string>{"truncated_output"});
  }
}

TEST(OdfHostileTest, AnObjectIsReadOnce) {
  std::string objects;
  for (int i = 0; i < 1000; ++i) {
    objects += "<text:p>p<draw:frame><draw:object xlink:href='Object 1'/></draw:frame></text:p>";
  }
  const std::string object =
      OdfXml("document-content",
             "<office:body><office:text><text:p>" + std::string(100'000, 'o') +
                 "</text:p><draw:object xlink:href='../'/></office:text></office:body>");
  const Extraction extraction =
      ReadOdf(MakeOdf("text", objects, "", {{"Object 1/content.xml", object}}));
  EXPECT_EQ(extraction.outcome, ExtractOutcome::kText);
  EXPECT_LT(extraction.text.size(), 200'000u);
}

}  // namespace
}  // namespace recall
