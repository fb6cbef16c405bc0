#include "cli/browse/browse_screen.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/browse/screen_text.h"

namespace recall {
namespace {

SearchHit Hit(double score, std::string path, uint32_t line, std::string text) {
  SearchHit hit;
  hit.score = score;
  hit.doc.path = std::move(path);
  hit.chunk.start_line = line;
  hit.chunk.end_line = line + static_cast<uint32_t>(std::ranges::count(text, '\n'));
  hit.chunk.heading = "Guide > Install";
  hit.chunk.text = text;
  hit.snippet.emplace().text = std::move(text);
  return hit;
}

// The question "install" with two hits.
BrowseState Found() {
  auto found = std::make_shared<SearchResponse>();
  found->hits = {Hit(0.61234, "docs/guide.md", 9, "First line.\n\nTo install, run make install."),
                 Hit(0.2, "a.md", 1, "Another.")};
  found->hits[0].snippet->highlights = {{16, 23}, {34, 41}};
  found->total_hits = 2;
  BrowseState state;
  state.question = LineOf("install");
  state.found = std::move(found);
  state.micros = 12'300;
  return state;
}

TEST(BrowseScreenTest, BeginsWithAHint) {
  const Screen screen = Draw({}, {4, 50}, Utf8());
  EXPECT_EQ(TextOf(screen),
            ">\n"
            "Type a question. F1 shows the keys.\n"
            "\n"
            "                                           F1 help\n");
  EXPECT_EQ(screen.cursor_row, 0u);
  EXPECT_EQ(screen.cursor_column, 2u);
}

TEST(BrowseScreenTest, AWideWindowHasThePreviewBesideTheHits) {
  const BrowseState state = Found();
  EXPECT_EQ(TextOf(Draw(state, {10, 100}, Utf8())),
            "> install\n"
            ">0.612 docs/guide.md:9-11  Guide > Insta… │ docs/guide.md:9-11\n"
            "0.200 a.md:1-1  Guide > Install          │ Guide > Install\n"
            "                                         │\n"
            "                                         │  9 First line.\n"
            "                                         │ 10\n"
            "                                         │ 11 To [install], run make [install].\n"
            "                                         │\n"
            "                                         │\n"
            "1/2 of 2 hits  13 ms" +
                std::string(73, ' ') + "F1 help\n");
}

TEST(BrowseScreenTest, ANarrowWindowHasThePreviewBelowTheHits) {
  BrowseState state = Found();
  state.chosen = 1;
  EXPECT_EQ(TextOf(Draw(state, {11, 40}, Utf8())),
            "> install\n"
            "0.612 docs/guide.md:9-11  Guide > Insta…\n"
            ">0.200 a.md:1-1  Guide > Install\n"
            "────────────────────────────────────────\n"
            "a.md:1-1\n"
            "Guide > Install\n"
            "\n"
            "1 Another.\n"
            "\n"
            "\n"
            "2/2 of 2 hits  13 ms             F1 help\n");
}

TEST(BrowseScreenTest, ALowWindowHasTheHitsAlone) {
  EXPECT_EQ(TextOf(Draw(Found(), {4, 20}, Utf8())),
            "> install\n"
            ">0.612 …guide.md:9-11\n"
            "0.200 a.md:1-1  Gui…\n"
            "1/2 of 2 hits  13 ms\n");
}

TEST(BrowseScreenTest, ANoteHasItsTitleTypeStateAndSummary) {
  BrowseState state = Found();
  auto found = std::make_shared<SearchResponse>(*state.found);
  found->hits[1].doc.parser = "note";
  found->hits[1].doc.meta_json =
      R"({"type": "lesson", "title": "One outline", "tags": ["css", "ui"], "summary": "Focus."})";
  state.found = std::move(found);
  state.states = {std::nullopt, Lifecycle::kStale};
  state.views = {"", "memory"};
  state.preset = 1;
  state.chosen = 1;
  EXPECT_EQ(TextOf(Draw(state, {12, 50}, Utf8())),
            "> install\n"
            "0.612 docs/guide.md:9-11  Guide > Install\n"
            ">0.200 One outline  lesson, stale  Focus.\n"
            "──────────────────────────────────────────────────\n"
            "a.md:1-1\n"
            "One outline\n"
            "lesson, stale  #css  #ui\n"
            "Focus.\n"
            "\n"
            "1 Another.\n"
            "\n"
            "2/2 of 2 hits  13 ms  view: memory         F1 help\n");
}

TEST(BrowseScreenTest, FitsAnyWindow) {
  BrowseState state = Found();
  state.explains = true;
  state.edits_filter = true;
  state.filter = LineOf("doc.path GLOB 'docs/**'");
  for (const bool helps : {false, true}) {
    state.helps = helps;
    for (size_t rows = 1; rows < 14; ++rows) {
      for (size_t columns = 1; columns < 120; columns += columns < 30 ? 1 : 13) {
        const Screen screen = Draw(state, {rows, columns}, Utf8());
        EXPECT_EQ(screen.rows.size(), rows);
        EXPECT_LE(WidestRow(screen), columns) << rows << " " << columns << "\n" << TextOf(screen);
      }
    }
  }
}

// No text of a document, a path or a question reaches the terminal as a control sequence.
TEST(BrowseScreenTest, ShowsControlCharactersAsEscapes) {
  BrowseState state;
  auto found = std::make_shared<SearchResponse>();
  const std::string evil = "\x1b]0;owned\x07\xC2\x9B\xE2\x80\xAE\x7F\r\xFF\tx";
  found->hits = {Hit(1, "a" + evil + "\n.md", 1, evil + "\n" + evil)};
  found->hits[0].chunk.heading = evil;
  found->hits[0].snippet->highlights = {{0, 3}};
  found->warnings = {evil};
  state.found = std::move(found);
  state.question.text = "q";
  state.applied_filter = evil;
  for (const std::string& error : {std::string(), evil}) {
    state.error = error;
    for (const size_t columns : {60, 200}) {
      ExpectPrintable(Draw(state, {20, columns}, Utf8()));
    }
  }
}

TEST(BrowseScreenTest, WrapsByColumnsNotBytes) {
  BrowseState state;
  auto found = std::make_shared<SearchResponse>();
  std::string text;  // 40 wide characters, an accent after each
  for (int i = 0; i < 40; ++i) text += "\xE6\x97\xA5\xCC\x81";
  found->hits = {Hit(1, "a.md", 1, text)};
  state.found = std::move(found);
  const Screen screen = Draw(state, {20, 50}, Utf8());
  EXPECT_LE(WidestRow(screen), 50u);
  size_t shown = 0;
  for (const ScreenRow& row : screen.rows) {
    for (const Span& span : row) {
      for (size_t at = 0; (at = span.text.find("\xE6\x97\xA5\xCC\x81", at)) != std::string::npos;) {
        ++shown;
        at += 5;
      }
    }
  }
  EXPECT_EQ(shown, 40u);
}

// A long chunk begins where the words of the question are, and can be moved to its ends.
TEST(BrowseScreenTest, ThePreviewShowsTheBestLine) {
  BrowseState state;
  auto found = std::make_shared<SearchResponse>();
  std::string text;
  for (int i = 1; i <= 60; ++i) text += "line " + std::to_string(i) + "\n";
  const size_t at = text.find("line 50");
  found->hits = {Hit(1, "a.md", 101, text)};
  found->hits[0].snippet->highlights = {{at, at + 4}};
  state.found = std::move(found);
  EXPECT_EQ(BestLine(state.found->hits[0]), 150u);
  Screen screen = Draw(state, {20, 80}, Utf8());
  EXPECT_NE(TextOf(screen).find("150 [line] 50"), std::string::npos) << TextOf(screen);
  state.view = screen.view;
  state.view.preview_offset = -1000;
  screen = Draw(state, {20, 80}, Utf8());
  EXPECT_NE(TextOf(screen).find("101 line 1\n"), std::string::npos) << TextOf(screen);
  state.view = screen.view;
  ++state.view.preview_offset;  // moves at once: the offset did not go beyond the start
  screen = Draw(state, {20, 80}, Utf8());
  EXPECT_EQ(TextOf(screen).find("101 line 1\n"), std::string::npos) << TextOf(screen);
}

// With the document, the lines around the hit are there, and its own stand out.
TEST(BrowseScreenTest, ThePreviewShowsTheDocumentAroundTheHit) {
  std::string text;
  for (int i = 1; i <= 30; ++i) text += "line " + std::to_string(i) + "\n";
  SearchHit hit = Hit(1, "a.md", 20, "line 20\nline 21");
  hit.doc.hash = "h";
  hit.chunk.start_byte = hit.snippet->start_byte = text.find("line 20");
  hit.chunk.end_byte = hit.chunk.start_byte + hit.chunk.text.size();
  hit.snippet->highlights = {{13, 15}};
  BrowseState state;
  auto found = std::make_shared<SearchResponse>();
  found->hits = {hit};
  state.found = std::move(found);
  auto document = std::make_shared<GetResponse>();
  document->doc.hash = "h";
  document->chunk.text = text;
  state.document = document;
  const Screen screen = Draw(state, {17, 60}, Utf8());
  EXPECT_EQ(TextOf(screen),
            ">\n"
            ">1.000 a.md:20-21  Guide > Install\n"
            "────────────────────────────────────────────────────────────\n"
            "a.md:20-21\n"
            "Guide > Install\n"
            "\n"
            "18 line 18\n"
            "19 line 19\n"
            "20 line 20\n"
            "21 line [21]\n"
            "22 line 22\n"
            "23 line 23\n"
            "24 line 24\n"
            "25 line 25\n"
            "26 line 26\n"
            "27 line 27\n"
            "1/1 of 0 hits  0 ms                                  F1 help\n");
  EXPECT_EQ(screen.rows[7][0].paint, Paint::kDim);
  EXPECT_EQ(screen.rows[8][0].paint, Paint::kScore);
  EXPECT_EQ(screen.rows[10][0].paint, Paint::kDim);
  EXPECT_EQ(BestLine(hit), 21u);

  // Another version of the document is not shown.
  document->doc.hash = "other";
  EXPECT_EQ(TextOf(Draw(state, {17, 60}, Utf8())).find("line 19"), std::string::npos);
}

TEST(BrowseScreenTest, KeepsTheChosenHitInView) {
  BrowseState state;
  auto found = std::make_shared<SearchResponse>();
  for (int i = 0; i < 30; ++i) found->hits.push_back(Hit(1, std::to_string(i) + ".md", 1, "x"));
  state.found = std::move(found);
  for (const size_t chosen : {0, 29, 12, 13, 0}) {
    state.chosen = chosen;
    const Screen screen = Draw(state, {6, 80}, Utf8());
    state.view = screen.view;
    EXPECT_NE(TextOf(screen).find(">1.000 " + std::to_string(chosen) + ".md"), std::string::npos);
  }
}

TEST(BrowseScreenTest, ExplainsTheRank) {
  BrowseState state = Found();
  auto found = std::make_shared<SearchResponse>(*state.found);
  HitExplain& explain = found->hits[0].explain.emplace();
  explain.lexical = 2.5;
  explain.lexical_rank = 1;
  explain.parts.lexical = 0.5;
  found->explain.emplace().calibration = 0.6;
  state.found = std::move(found);
  EXPECT_EQ(TextOf(Draw(state, {14, 120}, Utf8())).find("lexical"), std::string::npos);
  state.explains = true;
  const std::string text = TextOf(Draw(state, {14, 120}, Utf8()));
  EXPECT_NE(text.find("lexical     rank 1     bm25     2.5000  share 0.5000"), std::string::npos)
      << text;
  EXPECT_NE(text.find("score       0.5000 x 0.6000 = 0.3000"), std::string::npos) << text;
}

TEST(BrowseScreenTest, TheStatusSaysWhatIsGoingOn) {
  BrowseState state = Found();
  const auto status = [&] {
    const std::string text = TextOf(Draw(state, {5, 60}, Utf8()));
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  };
  state.applied_filter = "doc.tag = 'x'";
  EXPECT_TRUE(status().starts_with("1/2 of 2 hits  13 ms  filter: doc.tag = 'x'")) << status();
  state.slow = true;
  EXPECT_TRUE(status().starts_with("searching  filter")) << status();
  state.slow = false;
  state.error = "the filter is wrong";
  state.hint = "write it right";
  EXPECT_EQ(status(), "the filter is wrong  write it right\n");
}

TEST(BrowseScreenTest, TheFilterIsEditedBelowTheQuestion) {
  BrowseState state = Found();
  state.edits_filter = true;
  state.filter = LineOf("doc.tag");
  const Screen screen = Draw(state, {5, 60}, Utf8());
  EXPECT_TRUE(TextOf(screen).starts_with("> install\nfilter> doc.tag\n")) << TextOf(screen);
  EXPECT_EQ(screen.cursor_row, 1u);
  EXPECT_EQ(screen.cursor_column, 15u);
}

}  // namespace
}  // namespace recall
