#include "cli/show/browse/list_rows.h"

#include <gtest/gtest.h>

#include "cli/show/browse/matched_words.h"
#include "tests/cli/show/browse/screen_text.h"

namespace recall {
namespace {

std::string KindWith(std::string parser, std::optional<std::string> meta = std::nullopt) {
  DocView doc;
  doc.parser = std::move(parser);
  doc.meta_json = std::move(meta);
  return KindOf(doc);
}

TEST(ListRowsTest, AKindIsAWord) {
  EXPECT_EQ(KindWith("note"), "note");
  EXPECT_EQ(KindWith("session"), "session");
  EXPECT_EQ(KindWith("code"), "code");
  EXPECT_EQ(KindWith("markdown"), "text");
  EXPECT_EQ(KindWith("plain", R"({"title": "t"})"), "text");
  EXPECT_EQ(KindWith("markdown", R"({"extractor": "pdf/3", "format": "pdf"})"), "pdf");
  EXPECT_EQ(KindWith("markdown", R"({"extractor": "notebook/1", "format": "notebook"})"), "ipynb");
}

// Metadata that a text has itself are any text.
TEST(ListRowsTest, MetadataOfATextNameNoKind) {
  EXPECT_EQ(KindWith("markdown", R"({"format": "pdf"})"), "text");
  for (const char* format : {R"("\u001b[2J")", R"("long words")", R"("日本語")", R"("abcdefgh")",
                             R"(["a"])", "null", R"("")"}) {
    EXPECT_EQ(KindWith("markdown", R"({"extractor": "x", "format": )" + std::string(format) + "}"),
              "text")
        << format;
  }
}

// ---- Matches
// --------------------------------------------------------------------------------------

std::string Marked(std::string_view text, const std::vector<std::string>& words) {
  Screen screen;
  AppendWithMatches(screen.rows.emplace_back(), text, Paint::kPlain, words);
  ExpectPrintable(screen);
  return TextOf(screen);
}

TEST(MatchedWordsTest, AreWholeWordsInAnyCase) {
  EXPECT_EQ(Marked("Install, reinstall, INSTALL_ALL: install.", {"install"}),
            "[Install], reinstall, INSTALL_ALL: [install].\n");
  EXPECT_EQ(Marked("", {"install"}), "\n");
  EXPECT_EQ(Marked("install", {}), "install\n");
  EXPECT_EQ(Marked("a\x1b[31mred\n", {"red", "31mred"}), "a\\x1b[[31mred]\\n\n");
}

// Words are not separated in these languages.
TEST(MatchedWordsTest, OfOtherScriptsAreFoundWithinTexts) {
  EXPECT_EQ(Marked("日本語検索です", {"検索"}), "日本語[検索]です\n");
  EXPECT_EQ(Marked("über", {"ber"}), "über\n") << "a part of a word";
}

TEST(MatchedWordsTest, AreThoseOfTheQuestionAndThoseThatWereFound) {
  SearchHit hit;
  hit.snippet.emplace().text = "He installed it.";
  hit.snippet->highlights = {{3, 12}, {13, 99}};
  EXPECT_EQ(MatchedWords("+install a \"new one\"", hit),
            (std::vector<std::string>{"installed", "install", "new", "one"}));
  EXPECT_EQ(MatchedWords("", SearchHit()), std::vector<std::string>());
}

std::string Excerpt(std::string text, std::vector<ByteRange> highlights, bool utf8 = true) {
  Snippet snippet;
  snippet.text = std::move(text);
  snippet.highlights = std::move(highlights);
  Screen screen;
  AppendExcerpt(screen.rows.emplace_back(), snippet, utf8);
  ExpectPrintable(screen);
  return TextOf(screen);
}

TEST(MatchedWordsTest, AnExcerptIsTheLineWithMostOfThem) {
  EXPECT_EQ(Excerpt("one a\n  two ab\r\nthree a", {{4, 5}, {12, 14}, {22, 23}}), "  two [ab]\n");
  EXPECT_EQ(Excerpt("nothing", {}), "\n");
  EXPECT_EQ(Excerpt("", {{0, 4}}), "\n");
  EXPECT_EQ(Excerpt("x\x1b[2J", {{0, 1}}), "  [x]\\x1b[2J\n");
}

TEST(MatchedWordsTest, AnExcerptBeginsShortlyBeforeTheFirst) {
  const std::string text = "words that come long before what is looked for: needle";
  const size_t at = text.find("needle");
  EXPECT_EQ(Excerpt(text, {{at, at + 6}}), "  …what is looked for: [needle]\n");
  EXPECT_EQ(Excerpt(text, {{at, at + 6}}, false), "  ...what is looked for: [needle]\n");
  // Without a space, at the match itself.
  const std::string unbroken = std::string(60, 'x') + "needle";
  EXPECT_EQ(Excerpt(unbroken, {{60, 66}}), "  …[needle]\n");
  // White space at the start of a line is not text.
  EXPECT_EQ(Excerpt(std::string(60, ' ') + "a needle", {{62, 68}}), "  a [needle]\n");
}

}  // namespace
}  // namespace recall
