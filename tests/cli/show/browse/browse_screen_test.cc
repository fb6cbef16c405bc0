#include "cli/show/browse/browse_screen.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/show/browse/hit_text.h"
#include "tests/cli/show/browse/screen_text.h"

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
            "> Type a question. F1 shows the keys.\n"
            "\n"
            "\n"
            "                                           F1 help\n");
  EXPECT_EQ(screen.cursor_row, 0u);
  EXPECT_EQ(screen.cursor_column, 2u);
}

TEST(BrowseScreenTest, AWideWindowHasThePreviewBesideTheHits) {
  const BrowseState state = Found();
  EXPECT_EQ(TextOf(Draw(state, {10, 100}, Utf8())),
            "> install\n"
            ">0.612 text docs/guide.md:9-11  Guide > […] │ docs/guide.md:9-11\n"
            "0.200 text a.md:1-1  Guide > [Install]     │ Guide > Install\n"
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
            "0.612 text docs/guide.md:9-11  Guide > […]\n"
            ">0.200 text a.md:1-1  Guide > [Install]\n"
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
            ">text …/guide.md:9-11\n"
            "text a.md:1-1  Guid…\n"
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
            "0.612 text docs/guide.md:9-11  Guide > [Install]  T…\n"
            ">0.200 note One outline  lesson, stale  Focus.\n"
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

// ---- The first screen
// -----------------------------------------------------------------------------

DocView ListedDoc(std::string path, std::string parser, std::string meta = "") {
  DocView doc;
  doc.path = std::move(path);
  doc.parser = std::move(parser);
  doc.mtime = "2026-02-25T10:00:00Z";
  if (!meta.empty()) doc.meta_json = std::move(meta);
  return doc;
}

BrowseState FirstScreen() {
  auto found = std::make_shared<SearchResponse>();
  for (DocView doc :
       {ListedDoc("notes/a.md", "note", R"({"type": "lesson", "title": "One outline"})"),
        ListedDoc("docs/b.md", "markdown"), ListedDoc("src/c.cc", "code"),
        ListedDoc("d.pdf", "plain", R"({"extractor": "pdf/3", "format": "pdf"})")}) {
    SearchHit& hit = found->hits.emplace_back();
    hit.doc = std::move(doc);
    hit.chunk.start_line = 1;
  }
  found->store.docs = 1204;
  found->store.chunks = 5311;
  BrowseState state;
  state.found = std::move(found);
  state.listed = true;
  state.sections = {{"Notes", 0}, {"Documents", 1}};
  state.due = 3;
  state.store_name = "project";
  return state;
}

TEST(BrowseScreenTest, TheFirstScreenSaysWhatIsInTheStore) {
  BrowseState state = FirstScreen();
  state.chosen = 2;
  EXPECT_EQ(TextOf(Draw(state, {14, 70}, Utf8())),
            "> Type a question. F1 shows the keys.\n"
            "project  1204 documents, 5311 chunks, 3 due for review\n"
            "Notes\n"
            "note    One outline  lesson\n"
            "Documents\n"
            "text    docs/b.md  2026-02-25\n"
            ">code    src/c.cc  2026-02-25\n"
            "pdf     d.pdf  2026-02-25\n"
            "──────────────────────────────────────────────────────────────────────\n"
            "src/c.cc\n"
            "\n\n\n"
            "3/4  1204 documents, 5311 chunks, 3 due for review             F1 help\n");
}

TEST(BrowseScreenTest, TheFirstScreenOfALowWindowIsAList) {
  EXPECT_EQ(TextOf(Draw(FirstScreen(), {4, 20}, Utf8())),
            "> Type a question. …\n"
            ">note One outline  l…\n"
            "text docs/b.md  202…\n"
            "1/4  1204 documents…\n");
  EXPECT_EQ(TextOf(Draw(FirstScreen(), {10, 40}, Utf8())),
            "> Type a question. F1 shows the keys.\n"
            "project  1204 documents, 5311 chunks, 3…\n"
            "Notes\n"
            ">note One outline  lesson\n"
            "Documents\n"
            "text docs/b.md  2026-02-25\n"
            "code src/c.cc  2026-02-25\n"
            "pdf  d.pdf  2026-02-25\n"
            "\n"
            "1/4  1204 documents, 5311 chunks, 3 due…\n");
}

// A heading above the chosen hit is seen with it.
TEST(BrowseScreenTest, TheFirstScreenScrollsWithItsHeadings) {
  BrowseState state = FirstScreen();
  auto found = std::make_shared<SearchResponse>(*state.found);
  for (int i = 0; i < 30; ++i) {
    found->hits.emplace_back().doc = ListedDoc("more/" + std::to_string(i) + ".md", "markdown");
  }
  state.found = std::move(found);
  const auto draw = [&] {
    const Screen screen = Draw(state, {24, 80}, Utf8());
    state.view = screen.view;
    return TextOf(screen);
  };
  state.chosen = 33;
  EXPECT_NE(draw().find(">text    more/29.md"), std::string::npos);
  state.chosen = 0;
  EXPECT_NE(draw().find("Notes\n>note    One outline"), std::string::npos);
}

TEST(BrowseScreenTest, AnEmptyStoreSaysHowToFillIt) {
  BrowseState state;
  state.found = std::make_shared<SearchResponse>();
  state.listed = true;
  EXPECT_NE(TextOf(Draw(state, {6, 80}, Utf8())).find("add documents with `recall add`"),
            std::string::npos);
}

// ---- Marks and messages
// ---------------------------------------------------------------------------

TEST(BrowseScreenTest, MarkedHitsHaveASign) {
  BrowseState state = Found();
  EXPECT_EQ(TextOf(Draw(state, {6, 50}, Utf8())).find("●"), std::string::npos);
  ToggleMark(state.marks, state.found->hits[1]);
  const std::string text = TextOf(Draw(state, {6, 50}, Utf8()));
  EXPECT_NE(text.find("\n>  0.612 text"), std::string::npos) << text;
  EXPECT_NE(text.find("\n● 0.200 text"), std::string::npos) << text;
  EXPECT_NE(text.find("\n1 marked  1/2 of 2 hits"), std::string::npos) << text;
  EXPECT_NE(TextOf(Draw(state, {6, 50}, TextStyle())).find("\n* 0.200 text"), std::string::npos);
}

TEST(BrowseScreenTest, ALongErrorIsWrappedWhereThereIsRoom) {
  BrowseState state = Found();
  state.error = "the store cannot be written";
  state.hint = "the text is kept in /home/ada/.local/state/recall/drafts/new-0123456789ab.md";
  const std::string text = TextOf(Draw(state, {24, 60}, Utf8()));
  EXPECT_NE(text.find("\nthe store cannot be written\nthe text is kept in\n"
                      "/home/ada/.local/state/recall/drafts/new-0123456789ab.md\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(Draw(state, {4, 60}, Utf8()).rows.size(), 4u);
  state.error = state.hint = "";
  state.said = "saved notes/a.md";
  EXPECT_NE(TextOf(Draw(state, {24, 60}, Utf8())).find("\nsaved notes/a.md\n"), std::string::npos);
}

TEST(BrowseScreenTest, FitsAnyWindow) {
  BrowseState state = Found();
  state.marks = {PlaceToMark(state.found->hits[0])};
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
        const Screen first = Draw(FirstScreen(), {rows, columns}, Utf8());
        EXPECT_EQ(first.rows.size(), rows);
        EXPECT_LE(WidestRow(first), columns) << rows << " " << columns << "\n" << TextOf(first);
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
            "> Type a question. F1 shows the keys.\n"
            ">1.000 text    a.md:20-21  Guide > Install  line [21]\n"
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
    EXPECT_NE(TextOf(screen).find(">1.000 text    " + std::to_string(chosen) + ".md"),
              std::string::npos);
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

// ---- Sessions -----------------------------------------------------------------------------------

constexpr std::string_view kSessionText =
    "## 0 human 2026-02-25T10:00:00Z line 1\n\nWhy does it fail?\n\n"
    "## 1 assistant 2026-02-25T10:00:08Z line 3\n\n"
    "The token has expired.\n\\## 7 is no heading\n\n"
    "[tool] Edit src/auth.go\n[tool] Bash $ go test ./...\n\n"
    "## 2 human - line 9\n\nThanks.\n";

// The question "expired" with a hit in turn 1.
BrowseState FoundSession() {
  const std::string text(kSessionText);
  SearchHit hit =
      Hit(0.5, "sessions/claude-code/0d6c", 7, "The token has expired.\n\\## 7 is no heading");
  hit.doc.parser = "session";
  hit.doc.hash = "h";
  hit.doc.meta_json =
      R"({"agent": "claude-code", "id": "0d6c", "branch": "main", "title": "Why does it fail?",)"
      R"( "started_at": "2026-02-25T10:00:00Z", "captured_at": "2026-02-25T10:00:08Z",)"
      R"( "turns": 3, "tool_calls": 2, "files": ["src/auth.go"], "model": "m1",)"
      R"( "commit": "0123456789abcdef", "author": "ada@example.com"})";
  hit.chunk.heading = "1 assistant 2026-02-25T10:00:08Z";
  hit.chunk.start_byte = hit.snippet->start_byte = text.find("The token");
  hit.chunk.end_byte = hit.chunk.start_byte + hit.chunk.text.size();
  hit.snippet->highlights = {{14, 21}};
  BrowseState state;
  auto found = std::make_shared<SearchResponse>();
  found->hits = {hit};
  found->total_hits = 1;
  state.found = std::move(found);
  auto document = std::make_shared<GetResponse>();
  document->doc.hash = "h";
  document->chunk.text = text;
  state.document = std::move(document);
  return state;
}

std::string RowWith(const Screen& screen, std::string_view text) {
  for (const ScreenRow& row : screen.rows) {
    std::string line;
    for (const Span& span : row) line += span.text;
    if (line.find(text) != std::string::npos) return line;
  }
  return "";
}

TEST(BrowseScreenTest, ASessionIsAConversationFromTheTurnOfTheHitOn) {
  const BrowseState state = FoundSession();
  const Screen screen = Draw(state, {26, 80}, Utf8());
  EXPECT_EQ(TextOf(screen),
            "> Type a question. F1 shows the keys.\n"
            ">0.500 session claude-code  main  2026-02-25  assistant 1  Why does it fail?  Th…\n"
            "────────────────────────────────────────────────────────────────────────────────\n"
            "sessions/claude-code/0d6c:7-8\n"
            "Why does it fail?\n"
            "claude-code  main  commit 0123456789ab  2026-02-25 10:00:00 to 2026-02-25\n"
            "10:00:08  3 turns  2 uses of tools  1 file  m1  ada@example.com\n"
            "$ claude --resume 0d6c\n"
            "\n"
            "▸ human 0  2026-02-25 10:00:00\n"
            "Why does it fail?\n"
            "\n"
            ">◂ assistant 1  2026-02-25 10:00:08\n"
            "The token has [expired].\n"
            "## 7 is no heading\n"
            "\n"
            "  Edit src/auth.go\n"
            "  Bash $ go test ./...\n"
            "\n"
            "▸ human 2\n"
            "Thanks.\n"
            "\n\n\n\n"
            "1/1 of 1 hit  0 ms                                                       F1 help\n");
  EXPECT_EQ(screen.rows[16][0].paint, Paint::kDim) << "a use of a tool";
  EXPECT_EQ(screen.rows[9][0].paint, Paint::kStrong);
  EXPECT_TRUE(screen.rows[12][0].chosen) << "the turn of the hit";

  // In a low window it begins at that turn.
  const std::string low = TextOf(Draw(state, {17, 80}, Utf8()));
  EXPECT_NE(low.find("\n\n>◂ assistant 1"), std::string::npos) << low;
  EXPECT_EQ(low.find("▸ human 0"), std::string::npos) << low;
}

TEST(BrowseScreenTest, WithoutItsDocumentASessionShowsTheTurnOfTheHit) {
  BrowseState state = FoundSession();
  state.document.reset();
  const std::string text = TextOf(Draw(state, {20, 80}, TextStyle()));
  EXPECT_NE(text.find(">< assistant 1  2026-02-25 10:00:08\n"
                      "The token has [expired].\n## 7 is no heading\n"),
            std::string::npos)
      << text;
}

TEST(BrowseScreenTest, ThePreviewOfASessionBeginsAtTheTurnThatWasChosen) {
  BrowseState state = FoundSession();
  state.view = Draw(state, {17, 80}, Utf8()).view;
  EXPECT_EQ(state.view.top_byte, kSessionText.find("## 1"));
  OnKey(state, {Key::kNextTurn}, 0);
  Screen screen = Draw(state, {17, 80}, Utf8());
  EXPECT_NE(TextOf(screen).find("\n\n▸ human 2\nThanks.\n\n"), std::string::npos) << TextOf(screen);
  EXPECT_EQ(screen.view.top_byte, kSessionText.find("## 2"));
  state.view = screen.view;
  for (const std::string_view head : {">◂ assistant 1", "▸ human 0", "▸ human 0"}) {
    OnKey(state, {Key::kPreviousTurn}, 0);
    screen = Draw(state, {17, 80}, Utf8());
    state.view = screen.view;
    EXPECT_NE(TextOf(screen).find("\n\n" + std::string(head)), std::string::npos) << head << "\n"
                                                                                  << TextOf(screen);
  }
  // Rows that were moved over are left behind by the next turn, too.
  for (int i = 0; i < 4; ++i) OnKey(state, {Key::kPreviewDown}, 0);
  state.view = Draw(state, {17, 80}, Utf8()).view;
  OnKey(state, {Key::kNextTurn}, 0);
  EXPECT_NE(TextOf(Draw(state, {17, 80}, Utf8())).find("\n\n▸ human 2"), std::string::npos);
}

// Of a long turn, the words of the question are in view; of a long session, any turn can be.
TEST(BrowseScreenTest, LongSessionsShowWhatIsLookedFor) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += "## " + std::to_string(i) + (i % 2 == 0 ? " human -\n\n" : " assistant -\n\n");
    const int lines = i == 1500 ? 9000 : 3;
    for (int line = 0; line < lines; ++line) text += "a line that is said\n";
    if (i == 1500) text += "a needle\n";
    text += "\n";
  }
  BrowseState state = FoundSession();
  auto found = std::make_shared<SearchResponse>(*state.found);
  SearchHit& hit = found->hits[0];
  hit.chunk.heading = "1500 human -";
  hit.chunk.text = "a needle";
  hit.chunk.start_byte = hit.snippet->start_byte = text.find("a needle");
  hit.chunk.end_byte = hit.chunk.start_byte + 8;
  hit.snippet->highlights = {{2, 8}};
  state.found = std::move(found);
  auto document = std::make_shared<GetResponse>(*state.document);
  document->chunk.text = text;
  state.document = std::move(document);
  Screen screen = Draw(state, {20, 80}, Utf8());
  EXPECT_NE(TextOf(screen).find("a [needle]\n"), std::string::npos) << TextOf(screen);
  EXPECT_LE(WidestRow(screen), 80u);
  const auto press = [&](Key key) {
    state.view = screen.view;
    OnKey(state, {key}, 0);
    screen = Draw(state, {20, 80}, Utf8());
  };
  press(Key::kPreviousTurn);
  EXPECT_NE(TextOf(screen).find("\n\n>▸ human 1500\n"), std::string::npos) << TextOf(screen);
  press(Key::kNextTurn);
  EXPECT_NE(TextOf(screen).find("\n\n◂ assistant 1501\n"), std::string::npos) << TextOf(screen);
  for (int i = 0; i < 10; ++i) press(Key::kNextTurn);
  EXPECT_NE(TextOf(screen).find("\n\n◂ assistant 1511\n"), std::string::npos) << TextOf(screen);
}

TEST(BrowseScreenTest, ASessionFitsAnyWindowAndIsPrintable) {
  BrowseState state = FoundSession();
  const std::string evil = "\x1b]0;owned\x07\xC2\x9B\xE2\x80\xAE\x7F\xFF\tx";
  auto found = std::make_shared<SearchResponse>(*state.found);
  found->hits[0].doc.meta_json =
      "{\"agent\": \"a\\u001b]0;owned\\u0007\", \"branch\": \"b\\u001b[2J\", \"title\": "
      "\"t\\u001b[31m\\u009b\", \"id\": \"i\\u001b\"}";
  state.found = std::move(found);
  auto document = std::make_shared<GetResponse>(*state.document);
  document->chunk.text =
      "## 0 human " + evil + "\n\n" + evil + "\n[tool] " + evil + "\n" + state.document->chunk.text;
  state.document = std::move(document);
  for (const std::optional<size_t> turn : {std::optional<size_t>(), std::optional<size_t>(0)}) {
    state.turn_at = turn;
    for (size_t rows = 1; rows < 30; ++rows) {
      for (size_t columns = 1; columns < 120; columns += columns < 30 ? 1 : 13) {
        const Screen screen = Draw(state, {rows, columns}, Utf8());
        EXPECT_EQ(screen.rows.size(), rows);
        EXPECT_LE(WidestRow(screen), columns) << rows << " " << columns << "\n" << TextOf(screen);
        ExpectPrintable(screen);
      }
    }
  }
}

// Agent, branch and day stand for the path, if there is room.
TEST(BrowseScreenTest, ANarrowListHasThePathOfASession) {
  const BrowseState state = FoundSession();
  EXPECT_TRUE(RowWith(Draw(state, {5, 60}, Utf8()), "0.500")
                  .starts_with("0.500 session claude-code  main"));
  EXPECT_TRUE(RowWith(Draw(state, {5, 25}, Utf8()), "sess").starts_with("sess …"));
}

}  // namespace
}  // namespace recall
