#include "index/source/extract/epub/epub_document.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/index/source/extract/epub/epub_maker.h"
#include "tests/index/source/extract/extraction_check.h"

namespace recall {
namespace {

using EpubWarnings = std::vector<std::string>;

Extraction ReadEpub(std::string_view bytes, const ExtractLimits& limits = {}) {
  Extraction extraction = ExtractEpub(bytes, limits);
  EXPECT_EQ(BrokenRuleOf(extraction, limits), "");
  return extraction;
}

std::string EpubEncryptionOf(std::string_view entry, std::string_view algorithm) {
  return "<encryption xmlns='urn:oasis:names:tc:opendocument:xmlns:container'>"
         "<enc:EncryptedData xmlns:enc='http://www.w3.org/2001/04/xmlenc#'>"
         "<enc:EncryptionMethod Algorithm='" +
         std::string(algorithm) + "'/><enc:CipherData><enc:CipherReference URI='" +
         std::string(entry) + "'/></enc:CipherData></enc:EncryptedData></encryption>";
}

TEST(EpubTest, ChaptersComeInTheOrderOfTheSpine) {
  MadeBook book = BookOfChapters({"<h1>One</h1><p>first</p>", "<h1>Two</h1><p>second</p>"});
  std::swap(book.spine[0], book.spine[1]);
  const Extraction extraction = ReadEpub(MakeEpub(book));
  EXPECT_EQ(extraction.text, "# Two\n\nsecond\n\n# One\n\nfirst\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kChapter, 1), "# Two\n\nsecond\n");
  EXPECT_EQ(TextAt(extraction, LocatorKind::kChapter, 2), "# One\n\nfirst\n");
}

TEST(EpubTest, PlacesNameTheNearestElement) {
  const Extraction extraction =
      ReadEpub(MakeEpub(BookOfChapters({"<p>start</p><h2 id='s2'>Install</h2><p>text</p>"
                                        "<p><a id='x'/>more</p>"})));
  ASSERT_EQ(extraction.spans.size(), 3u);
  EXPECT_EQ(extraction.spans[0].locator, (Locator{LocatorKind::kChapter, 1, "", ""}));
  EXPECT_EQ(extraction.spans[1].locator, (Locator{LocatorKind::kChapter, 1, "s2", ""}));
  EXPECT_EQ(extraction.spans[2].locator, (Locator{LocatorKind::kChapter, 1, "x", ""}));
}

TEST(EpubTest, ADocumentIsReadOnceHoweverOftenTheSpineNamesIt) {
  MadeBook book = BookOfChapters(
      {"<p id='q'>one <a href='c2.xhtml'>on</a></p>", "<p>two <a href='c1.xhtml'>back</a></p>"});
  book.items.push_back("<item id='part' href='c1.xhtml#q' media-type='application/xhtml+xml'/>");
  book.spine = {"c1", "part", "c2", "c1", "c2"};
  const Extraction extraction = ReadEpub(MakeEpub(book));
  EXPECT_EQ(extraction.text, "one on\n\ntwo back\n");
  EXPECT_EQ(extraction.spans.back().locator.number, 3);  // its place in the spine
  EXPECT_EQ(extraction.warnings, EpubWarnings{});
}

TEST(EpubTest, TitlesOfTheNavigationStandWhereADocumentHasNone) {
  MadeBook book = BookOfChapters({"<p>one</p>", "<h1>Own</h1><p>two</p>", "<p>Three</p><p>x</p>"});
  book.items.push_back(
      "<item id='n' href='nav/n.xhtml' properties='nav' media-type='application/xhtml+xml'/>");
  book.entries.emplace_back(
      "OPS/nav/n.xhtml",
      "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='http://www.idpf.org/2007/ops'><body>"
      "<nav epub:type='landmarks'><ol><li><a href='../c1.xhtml'>Start</a></li></ol></nav>"
      "<nav epub:type='toc'><h1>Contents</h1><ol><li><a href='../c1.xhtml'>Part <b>1</b></a><ol>"
      "<li><a href='../c1.xhtml#b'>Later</a></li><li><a href='../c3.xhtml#a'>Three</a></li></ol>"
      "</li><li><a href='../c2.xhtml'>Other</a></li></ol></nav></body></html>");
  book.spine.insert(book.spine.begin(), "n");
  EXPECT_EQ(ReadEpub(MakeEpub(book)).text, "# Part 1\n\none\n\n# Own\n\ntwo\n\n## Three\n\nx\n");
}

TEST(EpubTest, TitlesAreReadFromTheNcxOfOlderBooks) {
  MadeBook book = BookOfChapters({"<p>one</p>", "<p>two</p>"});
  book.items.push_back("<item id='n' href='toc.ncx' media-type='application/x-dtbncx+xml'/>");
  book.toc = "n";
  const std::string ncx =
      "<!DOCTYPE ncx PUBLIC '-//NISO//DTD ncx 2005-1//EN' 'http://www.daisy.org/ncx.dtd'>"
      "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><navMap><navPoint><navLabel><text>One"
      "</text></navLabel><content src='c1.xhtml'/><navPoint><navLabel><text>Two</text></navLabel>"
      "<content src='c2.xhtml#x'/></navPoint></navPoint></navMap></ncx>";
  book.entries.emplace_back("OPS/toc.ncx", ncx);
  EXPECT_EQ(ReadEpub(MakeEpub(book)).text, "# One\n\none\n\n## Two\n\ntwo\n");
  book.entries.back().second = ncx.substr(0, ncx.size() - 10);
  const Extraction damaged = ReadEpub(MakeEpub(book));
  EXPECT_EQ(damaged.text, "one\n\ntwo\n");
  EXPECT_EQ(damaged.warnings, EpubWarnings{"damaged_navigation"});
}

TEST(EpubTest, ParagraphsThatAreTitlesOfTheNavigationAreHeadings) {
  MadeBook book = BookOfChapters(
      {"<h2>Chapter</h2><p id='a'><a id='x'/>1.1 One <b>more</b></p><p>text</p><p id='b'>1.1.1 "
       "Two</p><p>and</p>"
       "<p id='c'>1.2 Three, as said before</p><p id='d'>1.3 Four<br/>five</p><h4 id='e'>Six</h4>",
       "<p>two</p><p id='z'>Last</p>"});
  book.items.push_back("<item id='n' href='toc.ncx' media-type='application/x-dtbncx+xml'/>");
  book.toc = "n";
  const auto point = [](std::string_view title, std::string_view target, std::string_view inside) {
    return "<navPoint><navLabel><text>" + std::string(title) + "</text></navLabel><content src='" +
           std::string(target) + "'/>" + std::string(inside) + "</navPoint>";
  };
  const std::string inner = point("1.1.1 Two", "c1.xhtml#b", "");
  book.entries.emplace_back(
      "OPS/toc.ncx",
      "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><navMap>" +
          point("Chapter", "c1.xhtml",
                point("1.1 One more", "c1.xhtml#a", inner) + point("1.2 Three", "c1.xhtml#c", "") +
                    point("1.3 Four", "c1.xhtml#d", "") + point("Six", "c1.xhtml#e", "")) +
          point("Second", "c2.xhtml", point("Last", "c2.xhtml#z", "")) + "</navMap></ncx>");
  const Extraction extraction = ReadEpub(MakeEpub(book));
  EXPECT_EQ(
      extraction.text,
      "## Chapter\n\n### 1.1 One more\n\ntext\n\n#### 1.1.1 Two\n\nand\n\n"
      "1.2 Three, as said before\n\n1.3 Four\nfive\n\n#### Six\n\n# Second\n\ntwo\n\n## Last\n");
  EXPECT_EQ(extraction.spans.back().locator, (Locator{LocatorKind::kChapter, 2, "z", ""}));
  EXPECT_EQ(extraction.text.substr(extraction.spans.back().start), "## Last\n");
}

TEST(EpubTest, WhatIsMissingIsAWarning) {
  MadeBook book = BookOfChapters({"<p>one</p>", "<p>two</p>"});
  book.items.push_back("<item id='gone' href='gone.xhtml' media-type='application/xhtml+xml'/>");
  book.items.push_back("<item id='far' href='http://a.example/' media-type='text/html'/>");
  book.items.push_back("<item id='up' href='../../../etc/passwd' media-type='text/html'/>");
  book.spine.insert(book.spine.begin(), {"gone", "nowhere", "far", "up"});
  const Extraction extraction = ReadEpub(MakeEpub(book));
  EXPECT_EQ(extraction.text, "one\n\ntwo\n");
  EXPECT_EQ(extraction.warnings, EpubWarnings{"missing_chapters"});
  EXPECT_EQ(extraction.spans.front().locator.number, 5);
  book.spine = {"gone"};
  EXPECT_EQ(ReadEpub(MakeEpub(book)).outcome, ExtractOutcome::kDamaged);
}

TEST(EpubTest, AFallbackStandsForWhatCannotBeRead) {
  MadeBook book = BookOfChapters({"<p>one</p>"});
  book.items.push_back("<item id='a' href='a.svg' media-type='image/svg+xml' fallback='b'/>");
  book.items.push_back("<item id='b' href='b.svg' media-type='image/svg+xml' fallback='c1'/>");
  book.items.push_back("<item id='l' href='l.png' media-type='image/png' fallback='l'/>");
  book.entries.emplace_back("OPS/l.png", "PNG");
  book.spine = {"a", "l"};
  const Extraction extraction = ReadEpub(MakeEpub(book));
  EXPECT_EQ(extraction.text, "one\n");
  EXPECT_EQ(extraction.warnings, EpubWarnings{"unread_chapters"});
}

TEST(EpubTest, ThePicturesOfTheSpineHaveTheirTexts) {
  MadeBook book = BookOfChapters({"<p>one</p>"});
  book.items.push_back("<item id='s' href='s.svg' media-type='image/svg+xml'/>");
  book.items.push_back("<item id='d' href='d.svg' media-type='image/svg+xml'/>");
  book.entries.emplace_back(
      "OPS/s.svg",
      "<svg xmlns='http://www.w3.org/2000/svg'><title>Page &lt;1&gt;</title><style>text{}</style>"
      "<g><text x='1'>Where <tspan>is</tspan> the wind?</text><text>Gone</text></g></svg>");
  book.entries.emplace_back("OPS/d.svg", "<svg><text>cut");
  book.spine = {"s", "c1", "d"};
  const Extraction extraction = ReadEpub(MakeEpub(book));
  EXPECT_EQ(extraction.text, "Page <1>\n\nWhere is the wind?\n\nGone\n\none\n");
  EXPECT_EQ(extraction.spans.front().locator.number, 1);
  EXPECT_EQ(extraction.warnings, EpubWarnings{"damaged_chapters"});
}

TEST(EpubTest, FactsAreThoseOfThePackage) {
  MadeBook book = BookOfChapters({"<p>one</p>"});
  book.metadata =
      "<dc:identifier>urn:isbn:1</dc:identifier><dc:identifier id='own'>x-1</dc:identifier>"
      "<dc:title>Of gardens</dc:title><dc:title>A subtitle</dc:title>"
      "<dc:creator opf:role='aut'>Ann</dc:creator><dc:creator>Bob</dc:creator>"
      "<dc:language>en</dc:language><dc:publisher>Press</dc:publisher>"
      "<dc:date opf:event='modification'>2021-01-02</dc:date><dc:date>2020</dc:date>"
      "<dc:date>last year</dc:date><dc:subject>roses</dc:subject><dc:subject>trees</dc:subject>"
      "<meta property='dcterms:modified'>2022-03-04T05:06:07Z</meta>";
  const std::map<std::string, std::vector<std::string>> expected = {
      {"author", {"Ann", "Bob"}},
      {"date", {"2020"}},
      {"identifier", {"x-1", "urn:isbn:1"}},
      {"keywords", {"roses", "trees"}},
      {"language", {"en"}},
      {"modified", {"2022-03-04T05:06:07Z"}},
      {"publisher", {"Press"}},
      {"title", {"Of gardens"}},
  };
  EXPECT_EQ(ReadEpub(MakeEpub(book)).meta, expected);
}

TEST(EpubTest, AProtectedBookIsUnsupported) {
  MadeBook book = BookOfChapters({"<p>one</p>"});
  const MadeBook plain = book;
  book.entries.emplace_back(
      "META-INF/encryption.xml",
      EpubEncryptionOf("OPS/c1.xhtml", "http://www.w3.org/2001/04/xmlenc#aes128-cbc"));
  book.entries.emplace_back("META-INF/rights.xml", "<rights/>");
  const Extraction extraction = ReadEpub(MakeEpub(book));
  EXPECT_EQ(extraction.outcome, ExtractOutcome::kUnsupported);
  EXPECT_EQ(extraction.reason, "it is protected (DRM: Adobe ADEPT)");

  // Fonts that are obfuscated say nothing about the text.
  for (const char* algorithm :
       {"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"}) {
    MadeBook fonts = plain;
    fonts.entries.emplace_back("META-INF/encryption.xml", EpubEncryptionOf("OPS/f.otf", algorithm));
    EXPECT_EQ(ReadEpub(MakeEpub(fonts)).text, "one\n");
  }
}

TEST(EpubTest, XhtmlIsReadAsSuch) {
  // An HTML parser would take these elements for open ones.
  EXPECT_EQ(ReadEpub(MakeEpub(BookOfChapters({"<script src='a.js'/><p>a&#160;&amp;&nbsp;b</p>"
                                              "<div/><a id='n' /><p><i/>c</p>"})))
                .text,
            "a & b\n\nc\n");
}

TEST(EpubTest, OutcomesSayWhatIsWrong) {
  EXPECT_EQ(ReadEpub("").outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(ReadEpub(MakeZip({{"a", "b"}})).outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(ReadEpub(MakeEpub(MadeBook())).outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(ReadEpub(MakeEpub(BookOfChapters({"<p> </p>"}))).outcome, ExtractOutcome::kNoText);
  ExtractLimits limits;
  limits.max_text_bytes = 100;
  const std::string body = "<h1>T</h1><p>" + std::string(60, 'x') + "</p>";
  const Extraction cut = ReadEpub(MakeEpub(BookOfChapters({body, body, body})), limits);
  EXPECT_EQ(cut.outcome, ExtractOutcome::kText);
  EXPECT_EQ(cut.warnings, EpubWarnings{"truncated_output"});
  EXPECT_TRUE(cut.text.starts_with("# T\n\nxxx"));
  EXPECT_GE(cut.text.size(), 65u);
}

TEST(EpubHostileTest, EveryTruncationEnds) {
  const std::string bytes = MakeEpub(BookOfChapters({"<h1>One</h1><p>first</p>"}));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(ReadEpub(std::string_view(bytes).substr(0, size)).outcome, ExtractOutcome::kText);
  }
}

TEST(EpubHostileTest, EveryChangedByteEnds) {
  const std::string original = MakeEpub(BookOfChapters({"<h1>One</h1><p id='a'>first</p>"}));
  std::string bytes = original;
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const char value : {'\0', '\xff', '<', '>', '/', static_cast<char>(bytes[i] ^ 1)}) {
      bytes[i] = value;
      ReadEpub(bytes);
    }
    bytes[i] = original[i];
  }
}

TEST(EpubHostileTest, ALongSpineIsReadInLinearTime) {
  MadeBook book = BookOfChapters({"<p>one</p>"});
  for (int i = 0; i < 50'000; ++i) {
    book.spine.push_back("c1");
    book.spine.push_back("none");
  }
  const Extraction extraction = ReadEpub(MakeEpub(book));
  EXPECT_EQ(extraction.text, "one\n");
  EXPECT_EQ(extraction.warnings, EpubWarnings{"missing_chapters"});
}

TEST(EpubHostileTest, UnpackingHasALimit) {
  ExtractLimits limits;
  limits.max_unpacked_bytes = 10'000;
  const std::string body = "<p>" + std::string(6000, 'x') + "</p>";
  EXPECT_EQ(ReadEpub(MakeEpub(BookOfChapters({body, body})), limits).outcome,
            ExtractOutcome::kTooLarge);
}

}  // namespace
}  // namespace recall
