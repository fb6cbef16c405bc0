#include <gtest/gtest.h>

#include "index/source/extract/ooxml/docx_numbering.h"
#include "index/source/extract/ooxml/ooxml.h"
#include "tests/index/source/archive/archive_maker.h"
#include "tests/index/source/extract/extraction_check.h"
#include "tests/index/source/extract/ooxml/ooxml_maker.h"

namespace recall {
namespace {

Extraction Docx(const OoxmlMaker& maker) {
  Extraction extraction = ExtractDocx(maker.Make(), {});
  EXPECT_EQ(BrokenRuleOf(extraction), "");
  return extraction;
}

Extraction Docx(const std::string& body) { return Docx(MadeDocx(body)); }

TEST(DocxTest, HeadingsAreFoundByStyleNameOutlineLevelAndInheritance) {
  OoxmlMaker maker = MadeDocx(
      WordParagraph("Teil", R"(<w:pStyle w:val="berschrift1"/>)") +
      WordParagraph("Own", R"(<w:pStyle w:val="Mine"/>)") +
      WordParagraph("Level", R"(<w:outlineLvl w:val="2"/>)") +
      WordParagraph("text", R"(<w:pStyle w:val="Normal"/>)") +
      WordParagraph("No heading", R"(<w:pStyle w:val="berschrift1"/><w:outlineLvl w:val="9"/>)") +
      WordParagraph("Circle", R"(<w:pStyle w:val="c1"/>)"));
  maker.Relations("a/main.xml", {{"s", "styles", "q.xml"}});
  maker.Part("a/q.xml",
             R"(<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
             <w:style w:styleId="b2"><w:name w:val="heading 2"/></w:style>
             <w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="b2"/></w:style>
             <w:style w:styleId="c1"><w:basedOn w:val="c2"/></w:style>
             <w:style w:styleId="c2"><w:basedOn w:val="c1"/></w:style></w:styles>)");
  const Extraction extraction = Docx(maker);
  EXPECT_EQ(extraction.text, "# Teil\n\n## Own\n\n### Level\n\ntext\n\nNo heading\n\nCircle\n");
  ASSERT_EQ(extraction.spans.size(), 6u);
  EXPECT_EQ(extraction.spans[3].locator,
            (Locator{LocatorKind::kParagraph, 4, "Teil > Own > Level", ""}));
}

// Programs that make reports put their pages in whole; Word imports them when it opens the file.
TEST(DocxTest, ImportedPartsAreRead) {
  OoxmlMaker maker = MadeDocx(WordParagraph("before") + R"(<w:altChunk r:id="h"/>)" +
                              R"(<w:altChunk r:id="m"/><w:altChunk r:id="t"/>)" +
                              R"(<w:altChunk r:id="rtf"/>)" + WordParagraph("after"));
  maker.Relations("a/main.xml", {{"h", "aFChunk", "c1.html"},
                                 {"m", "aFChunk", "c2.mht"},
                                 {"t", "aFChunk", "c3.txt"},
                                 {"rtf", "aFChunk", "c4.rtf"}});
  maker.Part("a/c1.html", "<html><body><h2>Costs</h2><p>Nine <b>million</b></p></body></html>");
  maker.Part("a/c2.mht",
             "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n"
             "Content-Type: text/html; charset=utf-8\r\n\r\n<p>a heron</p>\r\n--b--\r\n");
  maker.Part("a/c3.txt", "plainwords");
  maker.Part("a/c4.rtf", "{\\rtf1 no}");
  const Extraction extraction = Docx(maker);
  EXPECT_EQ(extraction.text,
            "before\n\n## Costs\n\nNine million\n\na heron\n\nplainwords\n\nafter\n");
  EXPECT_EQ(extraction.warnings, (std::vector<std::string>{"damaged_parts"}));
  EXPECT_EQ(extraction.spans.back().locator.number, 6);
}

TEST(DocxTest, ImportedTextInAnotherCharsetIsDecoded) {
  OoxmlMaker maker = MadeDocx(R"(<w:altChunk r:id="t"/><w:altChunk r:id="b"/>)");
  maker.Relations("a/main.xml", {{"t", "aFChunk", "c1.txt"}, {"b", "aFChunk", "c2.txt"}});
  maker.Part("a/c1.txt",
             "Die-Gr\xF6\xDF"
             "e-der-T\xFCren-im-B\xFCro-ist-f\xFCr-alle-zu-klein.");
  maker.Part("a/c2.txt", std::string("\x7F"
                                     "ELF\0\1\2\0\0\0\xFF\xFE",
                                     12));
  const Extraction extraction = Docx(maker);
  EXPECT_EQ(extraction.text, "Die-Größe-der-Türen-im-Büro-ist-für-alle-zu-klein.\n");
  EXPECT_EQ(extraction.warnings, (std::vector<std::string>{"damaged_parts"}));
}

TEST(DocxTest, HeadingsOfAFileWithoutStyles) {
  EXPECT_EQ(Docx(WordParagraph("T", R"(<w:pStyle w:val="Heading2"/>)")).text, "## T\n");
}

TEST(DocxTest, ListsCountAsTheyAreShown) {
  const auto item = [](const char* list, const char* level, const char* text) {
    return WordParagraph(text, std::string("<w:numPr><w:ilvl w:val=\"") + level +
                                   "\"/><w:numId w:val=\"" + list + "\"/></w:numPr>");
  };
  OoxmlMaker maker = MadeDocx(item("1", "0", "a") + item("1", "1", "b") + item("1", "1", "c") +
                              item("1", "0", "d") + item("2", "0", "e") + item("0", "0", "f") +
                              item("3", "0", "g") + item("9", "0", "h") +
                              WordParagraph("Head", R"(<w:outlineLvl w:val="0"/><w:numPr>
                                 <w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>)"));
  maker.Relations("a/main.xml", {{"s", "numbering", "q.xml"}});
  maker.Part("a/q.xml", R"x(<w:numbering><w:abstractNum w:abstractNumId="7">
      <w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>
      </w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/>
      <w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum>
      <w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/>
      <w:lvlText w:val="&#xF0B7;"/></w:lvl></w:abstractNum>
      <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>
      <w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0">
      <w:startOverride w:val="1"/></w:lvlOverride></w:num>
      <w:num w:numId="3"><w:abstractNumId w:val="8"/></w:num></w:numbering>)x");
  EXPECT_EQ(Docx(maker).text,
            "3. a\n  - 3.a) b\n  - 3.b) c\n4. d\n1. e\n\nf\n\n- g\n- h\n\n# 1.a) Head\n");
  EXPECT_EQ(ListNumber(1994, "upperRoman"), "MCMXCIV");
  EXPECT_EQ(ListNumber(28, "lowerLetter"), "bb");
}

TEST(DocxTest, RevisionsAreReadAsAccepted) {
  EXPECT_EQ(Docx(R"(<w:p><w:r><w:t>a</w:t></w:r><w:del><w:r><w:delText>b</w:delText></w:r></w:del>
      <w:ins><w:r><w:t>c</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>d</w:t></w:r></w:moveFrom>
      <w:moveTo><w:r><w:t>e</w:t></w:r></w:moveTo></w:p>
      <w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>
      <w:tc><w:p/></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>y</w:t></w:r></w:p></w:tc>
      <w:tc><w:p><w:r><w:t>z</w:t></w:r></w:p></w:tc></w:tr></w:tbl>)")
                .text,
            "ace\n\ny\tz\n");
}

TEST(DocxTest, FieldsShowTheirResultsAndBreaksAreKept) {
  EXPECT_EQ(Docx(R"(<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE
      </w:instrText></w:r><w:r><w:t>7</w:t></w:r><w:r><w:br/><w:t>x</w:t><w:tab/><w:t>y</w:t>
      <w:noBreakHyphen/><w:t>z</w:t><w:sym w:font="Symbol" w:char="F0B7"/>
      <w:sym w:char="2192"/></w:r><w:fldSimple w:instr="DATE"><w:r><w:t>now</w:t></w:r>
      </w:fldSimple><w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>K</w:t>
      </w:r></w:rubyBase></w:ruby></w:p>)")
                .text,
            "7\nx\ty-z→nowK(kan)\n");
}

TEST(DocxTest, TextBoxesAndAlternativesAreReadOnce) {
  const std::string box = "<w:txbxContent>" + WordParagraph("in the box") + "</w:txbxContent>";
  EXPECT_EQ(Docx(R"(<w:p><w:r><w:t>before</w:t></w:r><w:r><mc:AlternateContent><mc:Choice
      Requires="wps"><w:drawing><wp:docPr descr="a picture"/>)" +
                 box + R"(</w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape alt="no">)" + box +
                 "</v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t> after"
                 "</w:t></w:r></w:p>" +
                 WordParagraph("next"))
                .text,
            "before after\n\na picture\n\nin the box\n\nnext\n");
}

TEST(DocxTest, TablesKeepColumnsAndNumberTheirParagraphs) {
  const std::string cells = "<w:tc>" + WordParagraph("a") + WordParagraph("b") + "</w:tc><w:tc>" +
                            "<w:tbl><w:tr><w:tc>" + WordParagraph("c") + "</w:tc><w:tc>" +
                            WordParagraph("d") + "</w:tc></w:tr></w:tbl><w:p/></w:tc>";
  const Extraction extraction =
      Docx("<w:tbl><w:tr>" + cells + "</w:tr><w:sdt><w:sdtContent><w:tr><w:tc><w:tcPr>" +
           R"(<w:gridSpan w:val="2"/></w:tcPr>)" + WordParagraph("wide") + "</w:tc><w:tc>" +
           WordParagraph("end") + "</w:tc></w:tr></w:sdtContent></w:sdt></w:tbl>" +
           "<w:tbl><w:tr><w:tc>" + WordParagraph("frame", R"(<w:pStyle w:val="Heading1"/>)") +
           WordParagraph("text") + "</w:tc></w:tr></w:tbl>");
  EXPECT_EQ(extraction.text, "a b\tc d\nwide\t\tend\n\n# frame\n\ntext\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 1), "a b\tc d\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 6), "wide\t\tend\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 9), "text\n");
}

TEST(DocxTest, NotesFollowTheirParagraphAndHeadersComeOnce) {
  OoxmlMaker maker = MadeDocx(
      R"(<w:p><w:r><w:t>x</w:t><w:footnoteReference w:id="2"/><w:endnoteReference w:id="1"/>
      <w:commentReference w:id="0"/></w:r></w:p>)" +
      WordParagraph("y", R"(<w:sectPr><w:headerReference r:id="h"/></w:sectPr>)") +
      R"(<w:sectPr><w:headerReference r:id="h"/><w:headerReference r:id="same"/>
      <w:footerReference r:id="f"/></w:sectPr>)");
  maker.Relations("a/main.xml", {{"1", "footnotes", "1.xml"},
                                 {"2", "endnotes", "2.xml"},
                                 {"3", "comments", "3.xml"},
                                 {"h", "header", "4.xml"},
                                 {"same", "header", "5.xml"},
                                 {"f", "footer", "/a/6.xml"}});
  maker.Part("a/1.xml", R"(<w:footnotes><w:footnote w:type="separator" w:id="0">)" +
                            WordParagraph("no") + R"(</w:footnote><w:footnote w:id="2">)" +
                            WordParagraph(" the note") + R"(</w:footnote><w:footnote w:id="3">)" +
                            WordParagraph("lost") + "</w:footnote></w:footnotes>");
  maker.Part("a/2.xml", R"(<w:endnotes><w:endnote w:id="1">)" + WordParagraph("at the end") +
                            "</w:endnote></w:endnotes>");
  maker.Part("a/3.xml", R"(<w:comments><w:comment w:id="0" w:author="Ann">)" +
                            WordParagraph("why?") + "</w:comment></w:comments>");
  maker.Part("a/4.xml", "<w:hdr>" + WordParagraph("Header") + "</w:hdr>");
  maker.Part("a/5.xml", "<w:hdr>" + WordParagraph("Header") + "</w:hdr>");
  maker.Part("a/6.xml", "<w:ftr>" + WordParagraph("Footer") + "</w:ftr>");
  const Extraction extraction = Docx(maker);
  EXPECT_EQ(extraction.text,
            "x[1][i]\n\n[1] the note\n\n[i] at the end\n\nComment (Ann): why?\n\ny\n\nlost\n\n"
            "Header\n\nFooter\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 1),
            "x[1][i]\n\n[1] the note\n\n[i] at the end\n\nComment (Ann): why?\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kParagraph, 0, "header"), "Header\n");
}

TEST(DocxTest, StrictDocumentsAndOtherPrefixesAreRead) {
  const std::string xml =
      "<d:document xmlns:d=\"http://purl.oclc.org/ooxml/wordprocessingml/main\"><d:body><d:p>"
      "<d:r><d:t>strict</d:t></d:r></d:p></d:body></d:document>";
  const std::string relations =
      "<q:Relationships xmlns:q=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
      "<q:Relationship Id=\"1\" "
      "Type=\"http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument\" "
      "Target=\"/WORD/Document.xml\"/></q:Relationships>";
  const Extraction extraction =
      ExtractDocx(MakeZip({{"_rels/.rels", relations}, {"word/document.xml", xml}}), {});
  EXPECT_EQ(extraction.text, "strict\n") << extraction.reason;
}

TEST(DocxTest, OutcomesOfWhatIsNoDocument) {
  EXPECT_EQ(ExtractDocx("", {}).outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(ExtractDocx("plain", {}).outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(ExtractDocx(MakeZip({{"a", "b"}}), {}).outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(Docx("").outcome, ExtractOutcome::kNoText);
  EXPECT_EQ(Docx("<w:p/>").outcome, ExtractOutcome::kNoText);
  EXPECT_EQ(ExtractPptx(MadeDocx("<w:p/>").Make(), {}).outcome, ExtractOutcome::kUnsupported);
  EXPECT_EQ(ExtractXlsx(MadeDocx("<w:p/>").Make(), {}).outcome, ExtractOutcome::kUnsupported);
}

// A compound file of one sector of directory.
std::string CompoundFile(std::string_view stream) {
  std::string bytes("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8);
  bytes.resize(512 * 3);
  bytes[30] = 9;  // sectors of 512 bytes
  bytes[48] = 1;  // the directory
  bytes[76] = 0;  // the table
  bytes.replace(516, 4, "\xfe\xff\xff\xff");
  for (size_t i = 0; i < stream.size(); ++i) bytes[512 * 2 + 128 + 2 * i] = stream[i];
  return bytes;
}

TEST(DocxTest, EncryptedDocumentsAndTheOldFormatsAreToldApart) {
  for (const auto extract : {ExtractDocx, ExtractPptx, ExtractXlsx}) {
    EXPECT_EQ(extract(CompoundFile("EncryptionInfo"), {}).outcome, ExtractOutcome::kEncrypted);
    EXPECT_EQ(extract(CompoundFile("WordDocument"), {}).outcome, ExtractOutcome::kUnsupported);
    EXPECT_EQ(extract(CompoundFile("x").substr(0, 8), {}).outcome, ExtractOutcome::kUnsupported);
  }
}

TEST(DocxTest, BombsEndAtLimits) {
  const std::string big = MadeDocx(WordParagraph(std::string(3 << 20, 'x'))).Make();
  ExtractLimits limits;
  limits.max_unpacked_bytes = 1 << 20;
  EXPECT_EQ(ExtractDocx(big, limits).outcome, ExtractOutcome::kTooLarge);
  limits = {};
  limits.max_text_bytes = 1000;
  const Extraction cut = ExtractDocx(big, limits);
  EXPECT_EQ(cut.warnings, std::vector<std::string>{"truncated_output"});
  EXPECT_EQ(BrokenRuleOf(cut, limits), "");
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "<w:tbl><w:tr><w:tc>";
  EXPECT_EQ(Docx(deep).outcome, ExtractOutcome::kTooLarge);
  const std::string entities =
      "<!DOCTYPE x [<!ENTITY a \"b\">]><w:document xmlns:w=\"urn:x\">&a;</w:document>";
  EXPECT_EQ(ExtractDocx(MakeZip({{"a/main.xml", entities}}), {}).outcome, ExtractOutcome::kDamaged);
}

TEST(DocxTest, AnUnimportantPartMayBeDamaged) {
  OoxmlMaker maker = MadeDocx(WordParagraph("text"));
  maker.Relations("a/main.xml", {{"1", "styles", "missing.xml"}, {"2", "comments", "c.xml"}});
  maker.Part("a/c.xml", "<w:comments><w:comment>");
  const Extraction extraction = Docx(maker);
  EXPECT_EQ(extraction.text, "text\n");
  EXPECT_EQ(extraction.warnings, std::vector<std::string>{"damaged_parts"});
}

TEST(DocxTest, CorePropertiesAreFacts) {
  OoxmlMaker maker = MadeDocx(WordParagraph("text"));
  maker.Relations("", {{"1", "officeDocument", "a/main.xml"}, {"2", "core-properties", "c"}});
  maker.Part("c", R"(<cp:coreProperties xmlns:cp=
      "http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc=
      "http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">
      <dc:title> The  title </dc:title><dc:creator>Ann</dc:creator><cp:keywords>a, b;a;</cp:keywords>
      <dcterms:created>2024-01-02T03:04:05Z</dcterms:created><dcterms:modified>soon
      </dcterms:modified><dc:subject/></cp:coreProperties>)");
  const Extraction extraction = Docx(maker);
  EXPECT_EQ(extraction.meta,
            (std::map<std::string, std::vector<std::string>>{{"author", {"Ann"}},
                                                             {"created", {"2024-01-02T03:04:05Z"}},
                                                             {"keywords", {"a", "b"}},
                                                             {"title", {"The title"}}}));
}

}  // namespace
}  // namespace recall
