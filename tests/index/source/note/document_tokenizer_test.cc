#include "index/source/note/document_tokenizer.h"

#include <gtest/gtest.h>

#include <string>

#include "index/source/chunk/chunker.h"
#include "tests/test_util.h"

namespace recall {
namespace {

const std::string kNote =
    "---\n"
    "title: Stacked fooBar styles\n"
    "tags: [css, focus-ring]\n"
    "recall_when:\n"
    "  - new input\n"
    "  - styling forms\n"
    "---\n"
    "Text about styles.\n";

LexicalText AnalyzeWhole(const std::string& text, bool is_note, uint32_t version = 2) {
  DocumentTokenizer tokenizer(version);
  LexicalText lexical;
  tokenizer.Begin("notes/a-note.md", is_note ? "note" : "markdown", {}, "", text);
  tokenizer.Analyze("", 0, text, &lexical);
  return lexical;
}

// Marks as letters: [r]ecall_when, [t]itle, ta[g]s, t[o]pic_path, [s]ummary.
std::string Legible(std::string text) {
  for (const auto& [mark, name] : {std::pair("\uE000", "/"),
                                   {"\uE003", "r:"},
                                   {"\uE004", "t:"},
                                   {"\uE005", "g:"},
                                   {"\uE006", "o:"},
                                   {"\uE007", "s:"}}) {
    for (size_t at; (at = text.find(mark)) != std::string::npos;) text.replace(at, 3, name);
  }
  return text;
}

TEST(DocumentTokenizerTest, MarksTheTokensOfEachFieldOfANote) {
  const LexicalText lexical = AnalyzeWhole(kNote, true);
  EXPECT_EQ(lexical.body,
            "titl stack foo bar style tag css focu ring recal when new input style form text about "
            "style");
  EXPECT_EQ(Legible(lexical.compound),
            "foobar focusr recallwhen /note "
            "r:new r:input r:style r:form "
            "t:stack t:foo t:bar t:style t: t:foobar "
            "g:css g:focu g:ring g: g:focusr");
  EXPECT_EQ(lexical.tokens, 18u);  // marks do not make a chunk longer
}

TEST(DocumentTokenizerTest, WordsBetweenTheValuesOfAFieldStayBetween) {
  const std::string text =
      "---\ntags: [one] # two\nsummary: three\ntags:\n  - four # five\n  - six\n---\n";
  EXPECT_EQ(Legible(AnalyzeWhole(text, true).compound), "/note g:on g: g:four g: g:six s:three");
}

TEST(DocumentTokenizerTest, OnlyNotesHaveFields) {
  EXPECT_EQ(Legible(AnalyzeWhole(kNote, false).compound), "foobar focusr recallwhen /note");
  EXPECT_EQ(Legible(AnalyzeWhole("No card.\n", true).compound), "/note");
}

TEST(DocumentTokenizerTest, StoresWithoutNamesHaveFieldsToo) {
  EXPECT_EQ(Legible(AnalyzeWhole("---\ntitle: fooBar focus-ring\n---\n", true, 1).compound),
            "foobar t:foo t:bar t:focu t:ring t: t:foobar");
}

// However small the chunks are, and whether the whole text or its beginning is known.
TEST(DocumentTokenizerTest, EachChunkOfACardHasItsOwnWords) {
  const std::string text = kNote + std::string(100'000, 'x');
  const auto spans = ChunkText(text, Parser::kMarkdown, {.chunk_tokens = 5, .overlap_tokens = 2});
  DocumentTokenizer whole(2);
  DocumentTokenizer beginning(2);
  whole.Begin("a.md", "note", {}, "", text);
  beginning.Begin("a.md", "note", {}, "", text.substr(0, 70'000));
  std::string all;
  for (const ChunkSpan& span : spans) {
    if (span.start_byte >= kNote.size()) break;
    const std::string chunk = text.substr(span.start_byte, span.end_byte - span.start_byte);
    LexicalText lexical;
    LexicalText again;
    whole.Analyze(span.heading, span.start_byte, chunk, &lexical);
    beginning.Analyze(span.heading, span.start_byte, chunk, &again);
    EXPECT_EQ(lexical.compound, again.compound);
    // Words outside of fields, and the same words within, in the chunk alone.
    LexicalText body;
    Tokenizer(2).Analyze(span.heading, chunk, &body);
    EXPECT_EQ(lexical.body, body.body);
    EXPECT_TRUE(lexical.compound.starts_with(body.compound));
    all += "|" + Legible(lexical.compound.substr(body.compound.size()));
  }
  EXPECT_EQ(all,
            "| t:stack t:foo t:bar t:style t: t:foobar"
            "| t:foo t:bar t:style t: t:foobar g:css g:focu g:ring g: g:focusr"
            "| r:new g:css g:focu g:ring g: g:focusr"
            "|r:new r:input r:style"
            "|r:style r:form"
            "|");
}

}  // namespace
}  // namespace recall
