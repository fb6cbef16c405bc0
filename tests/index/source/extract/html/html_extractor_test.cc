#include "index/source/extract/html/html_extractor.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "index/base/text/utf8.h"
#include "index/source/extract/html/html_charset.h"

namespace recall {
namespace {

Extraction AllOf(std::string_view page) { return ExtractHtml(page, {}, HtmlContent::kAll); }
std::string TextOf(std::string_view page) { return AllOf(page).text; }
Extraction MainOf(std::string_view page) { return ExtractHtml(page, {}, HtmlContent::kMain); }

void ExpectSound(const Extraction& extraction) {
  ASSERT_TRUE(IsValidUtf8(extraction.text));
  ASSERT_EQ(extraction.text.find('\0'), std::string::npos);
  uint64_t end = 0;
  for (const LocatorSpan& span : extraction.spans) {
    ASSERT_GE(span.start, end);
    ASSERT_LT(span.start, span.end);
    end = span.end;
  }
  ASSERT_LE(end, extraction.text.size());
}

std::string ManyWords(std::string_view word, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::string(word) + ", and more of it. ";
  return text;
}

TEST(HtmlMarkdownTest, HeadingsAndParagraphs) {
  EXPECT_EQ(TextOf("<h1>A  <b>b</b></h1><p>One\n two<p>three<br>four<h3>C</h3>five"),
            "# A b\n\nOne two\n\nthree\nfour\n\n### C\n\nfive\n");
}

TEST(HtmlMarkdownTest, ListsNestAndCount) {
  EXPECT_EQ(TextOf("<p>x<ul><li>a<ul><li>b<li>c</ul><li><p>d</p></ul>"),
            "x\n\n- a\n  - b\n  - c\n- d\n");
  EXPECT_EQ(TextOf("<ol start=9><li>a<li>b<pre>c\n d</pre></ol>"),
            "9. a\n10. b\n\n    ```\n    c\n     d\n    ```\n");
}

// A heading in a heading ends it. The list that was entered in it is none.
TEST(HtmlMarkdownTest, AHeadingInAListInAHeading) {
  const Extraction page = AllOf("<h1>a<ul><li>b<h3>c</h3>d</ul></h1><ol><li>e<li>f</ol><p>g");
  ExpectSound(page);
  EXPECT_NE(page.text.find("1. e\n2. f\n\ng\n"), std::string::npos) << page.text;
}

TEST(HtmlMarkdownTest, TablesOfDataHaveRowsAndLayoutsHaveLines) {
  EXPECT_EQ(TextOf("<table><caption>Costs</caption><tr><th>A<th>B<tr><td>1|2<td><p>x</p><p>y</p>"
                   "</table>"),
            "Costs\n\n| A | B |\n| --- | --- |\n| 1\\|2 | x y |\n");
  EXPECT_EQ(TextOf("<table><tr><td>int</td><td>f(</td><td>x)</td></tr></table>"), "int f( x)\n");
  EXPECT_EQ(TextOf("<table><tr><td><h2>T</h2><td>a<tr><td>b<td>c</table>"), "## T\n\na\nb c\n");
}

TEST(HtmlMarkdownTest, CodeKeepsItsLinesAndNamesItsLanguage) {
  EXPECT_EQ(TextOf("<pre class='language-c'>\n# x\n  <b>if</b> (a &lt; b)\n</pre>"),
            "```c\n# x\n  if (a < b)\n```\n");
  EXPECT_EQ(TextOf("<pre><code class=\"hljs lang-sh\">ls</code></pre>"), "```sh\nls\n```\n");
  EXPECT_EQ(TextOf("<div class='highlight-python'><div class=highlight><pre>a</pre></div></div>"),
            "```python\na\n```\n");
  EXPECT_EQ(TextOf("<pre>```\na</pre>"), "````\n```\na\n````\n");
}

TEST(HtmlMarkdownTest, TermsQuotesFiguresAndLinks) {
  EXPECT_EQ(TextOf("<dl><dt>a<dd>b<dt>c<dd><p>d<p>e</dl>"), "a\n: b\n\nc\n: d\n\n  e\n");
  EXPECT_EQ(TextOf("<blockquote><p>a<p>b</blockquote>"), "> a\n>\n> b\n");
  EXPECT_EQ(TextOf("<figure><img alt='A cat' src=x><figcaption>C</figcaption></figure>"),
            "A cat\n\nC\n");
  EXPECT_EQ(TextOf("<p>see <a href=x>the <i>manual</i></a>."), "see the manual.\n");
}

TEST(HtmlMarkdownTest, TextThatLooksLikeMarkdownIsEscaped) {
  EXPECT_EQ(TextOf("<p># a<p>---<p>&lt;script> b<p>#c"), "\\# a\n\n\\---\n\n\\<script> b\n\n#c\n");
}

TEST(HtmlMarkdownTest, HiddenElementsAreLeftOut) {
  EXPECT_EQ(TextOf("<p>a<p hidden>b<p style='color:red;DISPLAY : none'>c</p>"
                   "<div aria-hidden=true>d<p>e</div><script>f</script><style>g</style>"
                   "<template>h</template><noscript>i</noscript><svg><text>j</text></svg>"
                   "<!-- k --><textarea>l</textarea><span hidden>m</span><b>n</b>"),
            "a\n\nn\n");
  // Sections without an end hide nothing.
  EXPECT_EQ(TextOf("a <svg> b <select> c"), "a b c\n");
}

TEST(HtmlMarkdownTest, References) {
  EXPECT_EQ(TextOf("caf&eacute;s and restaurants &amp; more &#8212; &#x41;&#150; &unknown; &lt;b>"),
            "cafés and restaurants & more — A– &unknown; <b>\n");
  EXPECT_EQ(TextOf("a&nbsp;b soft&shy;ware&#0;x &#xF8F3;?????"), "a b software x ?????\n");
  EXPECT_EQ(TextOf("1 < 2 and a<3"), "1 < 2 and a<3\n");
}

TEST(HtmlLocatorTest, TheNearestIdBeforeIsThePlace) {
  const Extraction extraction =
      AllOf("<p>none<h2 id=a>A</h2><p>x<p>y<h2><a name=b></a>B</h2><p id=c>z");
  ASSERT_EQ(extraction.spans.size(), 3u);
  const auto text = [&](size_t i) {
    const LocatorSpan& span = extraction.spans[i];
    return extraction.text.substr(span.start, span.end - span.start);
  };
  EXPECT_EQ(extraction.spans[0].locator, (Locator{LocatorKind::kElement, 0, "a", ""}));
  EXPECT_EQ(text(0), "## A\n\nx\n\ny\n\n");
  EXPECT_EQ(extraction.spans[1].locator.name, "b");
  EXPECT_EQ(text(1), "## B\n\n");
  EXPECT_EQ(extraction.spans[2].locator.name, "c");
  EXPECT_EQ(text(2), "z\n");
}

TEST(HtmlLocatorTest, PagesAreAppendedWithTheCallersPlaces) {
  Extraction book;
  std::string title;
  const auto chapter = [](int64_t number) {
    return [number](std::string_view id) -> std::optional<Locator> {
      return Locator{LocatorKind::kChapter, number, std::string(id), ""};
    };
  };
  const ExtractLimits limits;
  EXPECT_EQ(AppendHtmlPage("<html><title>One</title><p>a<p id=s>b<a href='http://x/'>c</a>", "",
                           limits, chapter(1), &book, &title),
            ExtractOutcome::kText);
  EXPECT_EQ(title, "One");
  EXPECT_EQ(AppendHtmlPage("<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>"
                           "<head><title/></head><body><a id='q'/><p>d</p><![CDATA[<e>]]>"
                           "</body></html>",
                           "", limits, chapter(2), &book, &title),
            ExtractOutcome::kText);
  EXPECT_EQ(title, "");
  EXPECT_EQ(book.text, "a\n\nbc\n\nd\n\n<e>\n");
  ASSERT_EQ(book.spans.size(), 3u);
  EXPECT_EQ(book.spans[0].locator, (Locator{LocatorKind::kChapter, 1, "", ""}));
  EXPECT_EQ(book.spans[1].locator, (Locator{LocatorKind::kChapter, 1, "s", ""}));
  EXPECT_EQ(book.spans[2].locator, (Locator{LocatorKind::kChapter, 2, "q", ""}));
  EXPECT_EQ(book.meta["links"], std::vector<std::string>{"http://x/"});
  ExpectSound(book);
  ExtractLimits small;
  small.max_text_bytes = 10;
  EXPECT_EQ(AppendHtmlPage("<p>more", "", small, chapter(3), &book, nullptr),
            ExtractOutcome::kTooLarge);
}

TEST(HtmlMetaTest, APageSaysWhatItIs) {
  const Extraction extraction = AllOf(
      "<html lang=en-GB><head><title> A &amp;\n B </title><meta name=Author content='Jo'>"
      "<link rel=canonical href='https://e.org/a'><meta name=description content='D &lt; E'>"
      "<meta property='article:published_time' content='2020-01-02T03:04:05Z'>"
      "<meta property='article:modified_time' content='yesterday'></head>"
      "<body><a href='https://e.org/1'>x</a><a href='/2'>y</a><a href='https://e.org/1'>z</a>");
  const std::map<std::string, std::vector<std::string>> expected = {
      {"title", {"A & B"}},
      {"lang", {"en-GB"}},
      {"author", {"Jo"}},
      {"canonical", {"https://e.org/a"}},
      {"description", {"D < E"}},
      {"published", {"2020-01-02T03:04:05Z"}},
      {"links", {"https://e.org/1"}}};
  EXPECT_EQ(extraction.meta, expected);
}

TEST(HtmlCharsetTest, TheCharsetIsFoundInOrder) {
  EXPECT_EQ(TextOf("caf\xE9"), "café\n");
  EXPECT_EQ(TextOf("caf\xC3\xA9"), "café\n");
  EXPECT_EQ(TextOf("<meta charset='koi8-r'><p>\xC1\xC2"), "аб\n");
  EXPECT_EQ(TextOf("<meta http-equiv=content-type content='text/html; charset=ISO-8859-2'>\xB1"),
            "ą\n");
  EXPECT_EQ(TextOf("<?xml version='1.0' encoding='windows-1251'?><p>\xE0</p>"), "а\n");
  EXPECT_EQ(TextOf("\xEF\xBB\xBF<meta charset=latin1>é"), "é\n");
  EXPECT_EQ(TextOf("<meta charset=utf-8>a\xFFz"), "a\xEF\xBF\xBDz\n");
  EXPECT_EQ(TextOf(std::string_view("\xFF\xFE<\0p\0>\0\xE9\0=\xD8\x00\xDE", 14)), "é😀\n");
  Extraction mail;
  const ElementLocator nowhere = [](std::string_view) { return std::nullopt; };
  EXPECT_EQ(AppendHtmlPage("<meta charset=utf-8>\xE9", "ISO-8859-1", {}, nowhere, &mail, nullptr),
            ExtractOutcome::kText);
  EXPECT_EQ(mail.text, "é\n");
}

TEST(HtmlCharsetTest, ALongCommentMayPrecedeTheCharset) {
  const std::string comment = "<!-- " + std::string(10000, 'x') + "<meta charset=koi8-r> -->";
  EXPECT_EQ(TextOf("<html>" + comment + "<!--><meta charset=ISO-8859-2>\xB1"), "ą\n");
}

TEST(HtmlCharsetTest, APageIsReadAsWhatItIs) {
  for (const char* declared : {"ISO-8859-1", "koi8-r", "us-ascii", "utf-8"}) {
    const Extraction page = AllOf("<meta charset=" + std::string(declared) + "><p>é");
    EXPECT_EQ(page.text, "é\n") << declared;
    EXPECT_TRUE(page.warnings.empty());
  }
  const std::string chinese = "人人生而自由，在尊严和权利上一律平等。";
  EXPECT_EQ(TextOf("<meta charset=gb2312><p>" + chinese), chinese + "\n");
  // These bytes of GBK are well-formed UTF-8, too.
  EXPECT_EQ(TextOf("<meta charset=gb2312><p>\xC1\xAA\xCD\xA8"), "联通\n");
  const Extraction page = AllOf(
      "<meta charset=utf-8><p>Les \xE9l\xE8ves pr\xE9"
      "f\xE8rent l'\xE9t\xE9.");
  EXPECT_EQ(page.text, "Les élèves préfèrent l'été.\n");
  EXPECT_EQ(page.warnings, (std::vector<std::string>{"charset_wrong"}));
  const Extraction none =
      AllOf("<p>\xC2\xF1\xE5 \xF1\xF7\xE0\xF1\xF2\xEB\xE8\xE2\xFB\xE5 \xF1\xE5\xEC\xFC\xE8");
  EXPECT_EQ(none.text, "Все счастливые семьи\n");
}

TEST(HtmlCharsetTest, SetsOfSeveralBytesAreRead) {
  EXPECT_EQ(TextOf("<meta charset=Shift_JIS>\x82\xA0"), "あ\n");
  EXPECT_EQ(TextOf("<meta charset=gb2312><p>\xD6\xD0"), "中\n");
  EXPECT_EQ(TextOf("<meta charset=EUC-KR><p>\xC7\xD1"), "한\n");
  EXPECT_EQ(TextOf("<meta charset=Shift_JIS>abc"), "abc\n");
}

TEST(HtmlCharsetTest, UnknownNamesArePassedOver) {
  EXPECT_EQ(TextOf("<meta charset=klingon>caf\xE9"), "café\n");
  EXPECT_EQ(TextOf("<meta charset=klingon><meta charset=koi8-r><p>\xC1"), "а\n");
}

std::string ArticlePage(std::string_view open, std::string_view close) {
  return "<html><body><div class=header><a href=/>Home</a> <a href=/x>Products</a></div>"
         "<nav><h2>Sections</h2><ul><li><a href=/a>Alpha</a><li><a href=/b>Beta</a></ul></nav>" +
         std::string(open) + "<h1>Title</h1><p>" + ManyWords("content", 20) + "</p><p>" +
         ManyWords("sentence", 20) + "</p>" + std::string(close) +
         "<div id=sidebar><p><a href=/r>Related pages that nobody reads</a></div>"
         "<footer>Copyright of somebody</footer></body></html>";
}

TEST(HtmlContentTest, MenusAndFootersAreLeftOut) {
  for (const auto& [open, close] : {std::pair("<article>", "</article>"),
                                    std::pair("<div id=text>", "</div>"), std::pair("", "")}) {
    const Extraction extraction = MainOf(ArticlePage(open, close));
    EXPECT_EQ(extraction.outcome, ExtractOutcome::kText);
    EXPECT_TRUE(extraction.text.starts_with("# Title\n\ncontent, and")) << extraction.text;
    EXPECT_NE(extraction.text.find("sentence,"), std::string::npos);
    for (const char* left_out : {"Home", "Alpha", "Related", "Copyright"}) {
      EXPECT_EQ(extraction.text.find(left_out), std::string::npos) << open << left_out;
    }
    EXPECT_TRUE(extraction.warnings.empty());
    EXPECT_GE(extraction.meta.at("extraction_score").front(), "0.70");
    ExpectSound(extraction);
  }
  EXPECT_NE(TextOf(ArticlePage("", "")).find("Copyright"), std::string::npos);
}

// A list of contents made of headings says nothing that the headings of the text do not say.
TEST(HtmlContentTest, AListOfContentsMadeOfHeadingsIsLeftOut) {
  const auto page = [](std::string_view contents) {
    std::string text = "<body><h1>Book</h1><p>" + ManyWords("preface", 20) + "</p>";
    text += contents;
    for (const char* const title : {"One", "Two", "Three", "Four"}) {
      text +=
          std::string("<h2 id=") + title + ">" + title + "</h2><p>" + ManyWords(title, 20) + "</p>";
    }
    return text;
  };
  const std::string text = MainOf(page("")).text;
  EXPECT_NE(text.find("## Three\n"), std::string::npos);
  EXPECT_EQ(MainOf(page("<h2><a href=#One>One</a></h2><h2><b><a href=#Two>Two</a></b></h2><br>"
                        "<h2><a href=#Three>Three</a></h2><h2><a href=#Four>Four</a></h2>"))
                .text,
            text);
  // Headings that lead to themselves, and a few that follow each other, are those of the text.
  for (const char* const kept :
       {"<h2 id=a><a href=#a>A</a></h2><h2 id=b><a href=#b>B</a></h2><section id=c><h2><a href=#c>C"
        "</a></h2></section><h2><a href=#d><span id=d>D</span></a></h2>",
        "<h2><a href=x>A</a></h2><h3><a href=y>B</a></h3><h4><a href=z>C</a></h4><h5><a "
        "href=w>D</a>",
        "<h2><a href=x>A</a></h2>a<h2><a href=x>B</a></h2>b<h2><a href=x>C</a></h2>c<h2><a "
        "href=x>D</a></h2>"}) {
    const std::string whole = MainOf(page(kept)).text;
    EXPECT_NE(whole.find("# A\n"), std::string::npos) << whole;
    EXPECT_NE(whole.find("# D\n"), std::string::npos) << whole;
  }
}

// Short paragraphs stay, although a link beside them gives their number.
TEST(HtmlContentTest, NumbersOfParagraphsAreNoMenu) {
  std::string page = "<body>";
  for (int i = 1; i <= 20; ++i) {
    const std::string n = std::to_string(i);
    page += "<div><label><a href=#" + n + ">" + n + "</a></label><ul><li id=" + n +
            "><i>Be brief " + n + "</i></ul></div><div><label><a href=#p" + n + ">[" + n +
            "]</a></label><p id=p" + n + ">" + ManyWords("this", 5) + "</div>";
  }
  const std::string text = MainOf(page).text;
  for (int i = 1; i <= 20; ++i) {
    EXPECT_NE(text.find("- Be brief " + std::to_string(i) + "\n"), std::string::npos) << i;
  }
}

// Text around a landmark, which is too dense with links for a main part to be told.
TEST(HtmlContentTest, LandmarksAreLeftOutWhereNothingStandsOut) {
  std::string links;
  for (int i = 0; i < 80; ++i) links += "<a href=/x>Topic of the site</a> ";
  std::string list;
  for (int i = 0; i < 80; ++i) list += "<tr><td><a href=/y>Symbol of the library</a><td>short";
  list += "</table><div><p>" + ManyWords("one", 12) + "</p><p>" + ManyWords("two", 12) + "</div>";
  const std::string page = "<body><nav>" + links +
                           "</nav><div role=search><p>Search for words</p>" + "</div><table>" +
                           list + "</table><footer><p>Copyright of somebody" + "</footer>";
  const Extraction extraction = MainOf(page);
  EXPECT_NE(extraction.text.find("Symbol of the library"), std::string::npos);
  for (const char* const left_out : {"Topic", "Search", "Copyright"}) {
    EXPECT_EQ(extraction.text.find(left_out), std::string::npos) << left_out;
  }
  // A page that is navigation and little else is kept whole.
  const std::string sitemap = "<body><h1>Map</h1><nav>" + links + "</nav>";
  EXPECT_NE(MainOf(sitemap).text.find("Topic of the site"), std::string::npos);
}

// Javadoc names the head of a class and of its tables "header".
TEST(HtmlContentTest, AHeaderInTheContentIsContent) {
  const std::string text =
      MainOf(
          "<body><div class=header><p>Site of the project</div><main><div class=header><div>"
          "Package org.example</div><h1>Interface Log</h1></div><p>" +
          ManyWords("log", 20) + "</p><div class=table-header>Modifier and Type</div><p>" +
          ManyWords("void", 20) + "</main>")
          .text;
  EXPECT_TRUE(text.starts_with("Package org.example\n\n# Interface Log\n")) << text;
  EXPECT_NE(text.find("Modifier and Type"), std::string::npos) << text;
  EXPECT_EQ(text.find("Site of the project"), std::string::npos) << text;
}

// In source code links are names: lines of Doxygen, synopses of GTK-Doc.
TEST(HtmlContentTest, CodeWithLinksIsKept) {
  std::string lines;
  for (int i = 0; i < 9; ++i) {
    lines += "<div class=line><a href=a.html#l1>KEY_" + std::to_string(i) + "</a> = 4,</div>";
  }
  const std::string prose = "<p>" + ManyWords("key", 40) + "</p>";
  const std::string doxygen =
      MainOf("<body><div class=contents>" + prose + "<div class=fragment>" + lines + "</div></div>")
          .text;
  for (int i = 0; i < 9; ++i) {
    EXPECT_NE(doxygen.find("KEY_" + std::to_string(i)), std::string::npos) << doxygen;
  }
  const std::string synopsis =
      MainOf("<body><div>" + prose + "<div class=refsect2><h3>move ()</h3><pre>void move (" +
             "<a href=/t>Context</a> *c, <a href=/d>Distance</a> d);</pre></div></div>")
          .text;
  EXPECT_NE(synopsis.find("Context"), std::string::npos) << synopsis;
}

// Columns and Doxygen's classes say that a table is one of data, also where all its cells are
// links.
TEST(HtmlContentTest, TablesOfNamesAreKept) {
  const std::string prose = "<p>" + ManyWords("type", 20) + "</p>";
  const std::string rows =
      "<tr><td>enum<td><a href=#a>font_slant_t</a><tr><td><td><a href=#b>font_weight_t</a>";
  for (const std::string_view start : {"<table><colgroup><col width=1><col></colgroup>",
                                       "<table><col><col>", "<table class=memberdecls>"}) {
    const std::string text =
        MainOf("<body><div>" + prose + std::string(start) + rows + "</table>" + prose + "</div>")
            .text;
    EXPECT_NE(text.find("font_slant_t"), std::string::npos) << start << text;
    EXPECT_NE(text.find("font_weight_t"), std::string::npos) << start << text;
  }
  // A column in a cell is none, and ends nothing.
  EXPECT_EQ(TextOf("<table><tr><td>a<col>b<td>c</table>"), "ab c\n");
}

// A warning with many references is no menu.
TEST(HtmlContentTest, SentencesWithReferencesAreKept) {
  const std::string text =
      MainOf("<body><div><p>" + ManyWords("fork", 20) +
             "</p><div class=warning><p>Warning</p><p>Call <a href=/f>fork_from_main()</a> from " +
             "the main thread only. See <a href=/a>after_fork_parent()</a>.</p></div><p>" +
             ManyWords("thread", 20) +
             "</p><div><p><a href=/p>Previous page of it</a> <a href=/n>" +
             "Next page of it</a></p></div></div>")
          .text;
  EXPECT_NE(text.find("from the main thread only. See after"), std::string::npos) << text;
  EXPECT_EQ(text.find("Previous page"), std::string::npos) << text;
}

// The longest section of a manual is not the manual.
TEST(HtmlContentTest, TheOtherSectionsOfAPageAreKept) {
  const auto section = [](std::string_view title, std::string_view text) {
    return "<div class=refsect1><h2>" + std::string(title) + "</h2>" + std::string(text) + "</div>";
  };
  std::string options = "<dl>";
  for (int i = 0; i < 40; ++i) options += "<dt>-o<dd><p>" + ManyWords("option", 6) + "</p>";
  options += "</dl>";
  const std::string page =
      "<body><div id=outer><center><a href=/p>Previous chapter</a></center><div>" +
      section("Synopsis", "<p>log shows what was committed, without any of the options below. " +
                              std::string("One commit is one entry.</p>")) +
      section("Options", options) +
      section("See also", "<p>The manual of the other program, which this one was made for. It " +
                              std::string("is long.</p>")) +
      "</div></div>";
  const std::string text = MainOf(page).text;
  for (const char* const kept :
       {"## Synopsis", "log shows what", "## Options", "## See also", "The manual of the other"}) {
    EXPECT_NE(text.find(kept), std::string::npos) << kept << text.substr(0, 300);
  }
  EXPECT_EQ(text.find("Previous"), std::string::npos);
}

// Sphinx makes the id of a section of its title.
TEST(HtmlContentTest, SectionsWhoseTitlesSoundLikeMenusAreKept) {
  for (const auto& [open, close] :
       {std::pair("<section id=", "</section>"), std::pair("<div class=section id=", "</div>")}) {
    std::string page = "<body><div role=main><h1>Tricks</h1>";
    for (const char* const id : {"rows", "active-menu-items", "comments", "media-types"}) {
      page +=
          std::string(open) + id + "><h2>" + id + "</h2><p>" + ManyWords(id, 10) + "</p>" + close;
    }
    page += "</div><div id=sidebar><p>" + ManyWords("sidebar", 3) + "</div>";
    const std::string text = MainOf(page).text;
    for (const char* const kept : {"active-menu-items, and", "comments, and", "media-types, and"}) {
      EXPECT_NE(text.find(kept), std::string::npos) << open << kept;
    }
    EXPECT_EQ(text.find("sidebar"), std::string::npos);
  }
}

// What is in `main` or `article` was put there: only what is named as no content is left out.
TEST(HtmlContentTest, ListsOfNamesInTheMainPartAreKept) {
  const std::string page = "<p>" + ManyWords("format", 40) +
                           "</p><div class=table><table class=alignedsummary><tr><td>bool<td>"
                           "<a href=#h>hasSupport</a><tr><td>void<td><a href=#t>types</a></table>"
                           "</div><div class=sidebar><a href=/r>Related pages</a></div>";
  for (const std::string_view tag : {"main", "article"}) {
    const std::string text =
        MainOf("<body><" + std::string(tag) + ">" + page + "</" + std::string(tag) + ">").text;
    EXPECT_NE(text.find("hasSupport"), std::string::npos) << text;
    EXPECT_EQ(text.find("Related pages"), std::string::npos) << text;
  }
}

TEST(HtmlContentTest, NothingIsLostWhereNothingStandsOut) {
  std::string page = "<body><table>";
  for (int i = 0; i < 100; ++i) page += "<tr><td><a href=/x>Topic of the list</a><td>short";
  page += "</table><div><p>" + ManyWords("one", 12) + "</p><p>" + ManyWords("two", 12) + "</div>";
  const Extraction extraction = MainOf(page);
  EXPECT_EQ(extraction.text, TextOf(page));
  EXPECT_EQ(extraction.warnings, std::vector<std::string>{"fallback_all_text"});
  EXPECT_LT(extraction.meta.at("extraction_score").front(), "0.50");
}

TEST(HtmlContentTest, ANameIsWeakEvidenceAgainstManyParagraphs) {
  for (const std::string name :
       {"commentary", "social-reader", "sidebar", "menu-page", "related", "footer", "pager", "rss",
        "extra", "remark", "breadcrumb-page", "supplemental", "ad-break", "agegate", "gdpr"}) {
    for (const int count : {2, 5, 20, 100}) {
      for (const std::string attribute : {"id", "class"}) {
        std::string page =
            "<!DOCTYPE html><html><head><title>Harbour</title></head><body><h1>Harbour</h1>"
            "<article><h2>Intro</h2><p>leadword The lead is short.</p><div " +
            attribute + "='" + name + "'>";
        for (int i = 0; i < count; ++i) {
          page += "<p>paragraph" + std::to_string(i) + " " + ManyWords("tide", 5) + "</p>";
        }
        const Extraction main = MainOf(page + "</div></article>");
        for (int i = 0; i < count; ++i) {
          ASSERT_NE(main.text.find("paragraph" + std::to_string(i) + " "), std::string::npos)
              << name << count;
        }
        EXPECT_NE(main.text.find("leadword"), std::string::npos);
      }
    }
  }
  // Text of a forum, in no paragraph.
  EXPECT_NE(MainOf("<body><main><p>Log in to take part.</p><div class=XComment>question " +
                   ManyWords("ask", 10) + "<br>" + ManyWords("tell", 10) + "</div></main>")
                .text.find("question"),
            std::string::npos);
}

// What scripts would replace is the text of a page that has no other.
TEST(HtmlContentTest, AnArticleInNoscriptIsRead) {
  const std::string article =
      "<noscript><h2>Tides</h2><p>" + ManyWords("tide", 30) + "</p></noscript>";
  for (const auto content : {HtmlContent::kMain, HtmlContent::kAll}) {
    const std::string text =
        ExtractHtml(
            "<html><head><noscript><link rel=stylesheet href=a></noscript><title>T</title>"
            "</head><body><p>Loading.</p>" +
                article + "</body></html>",
            {}, content)
            .text;
    EXPECT_NE(text.find("tide, and more"), std::string::npos) << text;
  }
  // Beside a text it is a remark about scripts, or the text again.
  const std::string text = MainOf("<body><p>" + ManyWords("tide", 40) + "</p><noscript><p>" +
                                  ManyWords("script", 20) + "</p></noscript>")
                               .text;
  EXPECT_EQ(text.find("script"), std::string::npos);
  EXPECT_EQ(MainOf("<body><noscript>Please enable scripts.</noscript>").outcome,
            ExtractOutcome::kNoText);
}

TEST(HtmlContentTest, SoftHyphensAreNoPartOfWords) {
  EXPECT_EQ(TextOf("<p>Dampf&shy;schiff\u00ADfahrt<pre>a\u00ADb</pre>"),
            "Dampfschifffahrt\n\n```\nab\n```\n");
}

TEST(HtmlContentTest, APageWithoutTextHasNone) {
  for (const char* page : {"", "<html>", "<p hidden>x", "<script>x</script>", "<!--"}) {
    EXPECT_EQ(MainOf(page).outcome, ExtractOutcome::kNoText) << page;
    EXPECT_EQ(AllOf(page).outcome, ExtractOutcome::kNoText) << page;
  }
}

std::string SamplePage() {
  return "<!DOCTYPE html><html lang=en><head><title>T</title></head><body><nav><a href=#x>n</a>"
         "</nav><h1 id=a>H&eacute;ad<a class=headerlink href=#a>¶</a></h1><p>long enough text, "
         "to be a mark <b>b</b><!-- c --><ul><li>1<li>2<ol><li>3</ol></ul><table><tr><th>a<th>b"
         "<tr><td>c<td>d</table><pre class=language-c>x\n y</pre><dl><dt>t<dd>d</dl>"
         "<blockquote>q<p>r</blockquote><a href='http://e/'>l</a><img alt=i></body></html>";
}

TEST(HtmlHostileTest, EveryCutAndEveryChangedByteGivesASoundText) {
  const std::string page = SamplePage();
  for (size_t size = 0; size <= page.size(); ++size) {
    ExpectSound(MainOf(page.substr(0, size)));
    ExpectSound(AllOf(page.substr(0, size)));
  }
  for (size_t i = 0; i < page.size(); ++i) {
    for (const char c : {'\0', '<', '>', '&', '\xFF', '/', '"', ' '}) {
      std::string changed = page;
      changed[i] = c;
      const Extraction extraction = MainOf(changed);
      ExpectSound(extraction);
      ASSERT_EQ(extraction.text, MainOf(changed).text);
    }
  }
}

TEST(HtmlHostileTest, DeepAndRepeatedPagesEnd) {
  for (const char* unit : {"<div>",
                           "<b a=1>",
                           "<table>",
                           "<table><tr><td>",
                           "<ul><li>",
                           "<dl><dt>a<dd>",
                           "<",
                           "<!--",
                           "<title>",
                           "<script>",
                           "</p>",
                           "<blockquote>x",
                           "<a href=x><div>",
                           "<p id=a>",
                           "<svg></",
                           "<form><select><table>",
                           "<h1><a>x<h2>",
                           "<span hidden>",
                           "&",
                           "&#",
                           "<p a=\"",
                           "<noscript>",
                           "<noscript>long text of a page </noscript>",
                           "]]>"}) {
    std::string page;
    while (page.size() < (1u << 20)) page += unit;
    ExpectSound(MainOf(page));
  }
}

TEST(HtmlHostileTest, LimitsAreKept) {
  std::string page;
  for (int64_t i = 0; i < 1'000'100; ++i) page += "<p>a";
  EXPECT_EQ(AllOf(page).outcome, ExtractOutcome::kTooLarge);
  ExtractLimits limits;
  limits.max_text_bytes = 100;
  EXPECT_EQ(ExtractHtml("<p>" + std::string(200, 'x'), limits, HtmlContent::kAll).outcome,
            ExtractOutcome::kTooLarge);
  EXPECT_EQ(ExtractHtml("<p>short", limits, HtmlContent::kAll).text, "short\n");
  // What is deeper than the limit keeps its text.
  std::string deep;
  for (int i = 0; i < 2000; ++i) deep += "<div>";
  EXPECT_EQ(TextOf(deep + "inside"), "inside\n");
}

}  // namespace
}  // namespace recall
