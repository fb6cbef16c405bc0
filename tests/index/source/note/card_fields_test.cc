#include "index/source/note/card_fields.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "index/source/chunk/front_matter.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// The spans as a text: "title<Focus styles> tags<[css]>".
std::string Found(const std::string& text) {
  constexpr const char* kNames[] = {"trigger", "title", "tags", "topic", "summary"};
  std::string found;
  size_t last = 0;
  for (const CardSpan& span : FindCardFields(text)) {
    EXPECT_LE(last, span.begin);
    EXPECT_LT(span.begin, span.end);
    last = span.end;
    found += (found.empty() ? "" : " ") + std::string(kNames[static_cast<size_t>(span.field)]) +
             "<" + text.substr(span.begin, span.end - span.begin) + ">";
  }
  return found;
}

std::string InCard(const std::string& lines) { return "---\n" + lines + "---\nbody: text\n"; }

TEST(FindCardFieldsTest, FindsTheValuesOfTheFiveKeys) {
  EXPECT_EQ(Found(InCard("type: lesson\n"
                         "title: Don't stack focus styles\n"
                         "summary: One ring is enough\n"
                         "tags: [css, focus]\n"
                         "recall_when:\n"
                         "  - creating new input component\n"
                         "  - \"styling: a form\"\n"
                         "topic_path:\n"
                         "- web\n"
                         "- web/forms\n"
                         "source: chat\n")),
            "title<Don't stack focus styles> summary<One ring is enough> tags<[css, focus]> "
            "trigger<- creating new input component> trigger<- \"styling: a form\"> "
            "topic<- web> topic<- web/forms>");
}

TEST(FindCardFieldsTest, ReadsKeysAsTheMetadataDo) {
  EXPECT_EQ(Found(InCard("Title: a\nRecall-When: b\n\"topic path\" : c\n'tags': d\nSUMMARY:\te\n")),
            "title<a> trigger<b> topic<c> tags<d> summary<e>");
  EXPECT_EQ(Found(InCard("titles: a\nsubtitle: b\ntitle:c\nx.title: d\n")), "");
  EXPECT_EQ(Found(InCard("meta:\n  title: inner\ntitle: outer\n")), "title<outer>");
  EXPECT_EQ(Found(InCard("title: a\ntitle: b\n")), "title<a> title<b>");
}

TEST(FindCardFieldsTest, LeavesCommentsOut) {
  EXPECT_EQ(Found(InCard("title: C# and #tag # a comment\n"
                         "# another: one\n"
                         "summary: 'it''s # no comment' # this is\n"
                         "tags: [\"a # b\", c] # this, too\n"
                         "recall_when:\n"
                         "  # here\n"
                         "  - \"say \\\" # quoted\"  # not quoted\n"
                         "  - don't # an apostrophe opens nothing\n")),
            "title<C# and> summary<'it''s # no comment'> tags<[\"a # b\", c]> "
            "trigger<- \"say \\\" # quoted\"> trigger<- don't>");
}

TEST(FindCardFieldsTest, FollowsValuesOverLines) {
  EXPECT_EQ(Found(InCard("summary: >-\n"
                         "  folded # text\n"
                         "\n"
                         "  title: still text\n"
                         "title: \"one\n"
                         "  # of two lines\" # comment\n"
                         "tags: [\n"
                         "  css, # comment\n"
                         "  focus\n"
                         "]\n"
                         "topic_path: a\n"
                         "  b\n")),
            "summary<folded # text> summary<title: still text> title<\"one> "
            "title<# of two lines\"> tags<[> tags<css,> tags<focus> tags<]> topic<a> topic<b>");
}

TEST(FindCardFieldsTest, LooksAtNothingButTheFrontMatter) {
  EXPECT_EQ(Found(""), "");
  EXPECT_EQ(Found("title: a\n"), "");
  EXPECT_EQ(Found("---\ntitle: never closed\n"), "");
  EXPECT_EQ(Found("---\ntitle: a\n...\ntags: b\n"), "title<a>");
  EXPECT_EQ(Found("\xEF\xBB\xBF---\r\ntitle: a\r\n---\r\ntitle: b\r\n"), "title<a>");
  EXPECT_EQ(Found("---\ntitle: a\n---"), "title<a>");
}

TEST(FindCardFieldsTest, AnyBytesGiveSpansWithinTheFrontMatter) {
  const std::vector<std::string> pieces = {
      "title:", "tags: ", "recall_when:", "- ",   "[",  "]",    "\"", "'", "#",   " ", "\n",
      "|",      ">",      "\\",           "word", ": ", "\r\n", "\t", "-", "\xFF"};
  std::mt19937_64 random(TestSeed(1));
  for (int round = 0; round < 20'000; ++round) {
    std::string text = "---\nx: y\n";
    for (size_t i = random() % 30; i > 0; --i) text += pieces[random() % pieces.size()];
    text += "\n---\n";
    Found(text);  // checks the order
    const std::vector<CardSpan> spans = FindCardFields(text);
    const auto front_matter = FindFrontMatter(text);
    ASSERT_TRUE(front_matter);
    for (const CardSpan& span : spans) ASSERT_LT(span.end, front_matter->end) << text;
    // What follows changes nothing.
    ASSERT_EQ(FindCardFields(text + "title: more\n---\n"), spans) << text;
  }
}

}  // namespace
}  // namespace recall
