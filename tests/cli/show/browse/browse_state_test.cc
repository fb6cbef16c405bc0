#include "cli/show/browse/browse_state.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

BrowseActions Type(BrowseState& state, std::string_view text, int64_t now = 0) {
  BrowseActions last;
  for (const char c : text) last = OnKey(state, {Key::kText, std::string(1, c)}, now);
  return last;
}

BrowseActions Press(BrowseState& state, Key key, int64_t now = 0) {
  return OnKey(state, {key}, now);
}

BrowseAnswer AnswerTo(const BrowseActions& actions, size_t hits) {
  auto found = std::make_shared<SearchResponse>();
  for (size_t i = 0; i < hits; ++i) {
    found->hits.emplace_back().doc.path = std::to_string(i) + ".md";
  }
  return {.number = actions.ask->number, .status = {}, .found = std::move(found)};
}

// Types a question and gives it so many hits.
void Find(BrowseState& state, std::string_view text, size_t hits) {
  Type(state, text);
  OnAnswer(state, AnswerTo(OnTime(state, kQuietMicros), hits));
}

TEST(BrowseStateTest, AsksWhenNoKeyIsPressedForAWhile) {
  BrowseState state;
  Type(state, "ab", 1000);
  Type(state, "c", 50'000);
  EXPECT_EQ(OnTime(state, 50'000 + kQuietMicros - 1), BrowseActions());
  const BrowseActions actions = OnTime(state, 50'000 + kQuietMicros);
  ASSERT_TRUE(actions.ask);
  EXPECT_EQ(actions.ask->text, "abc");
  EXPECT_EQ(OnTime(state, 10'000'000), BrowseActions()) << "it is asked once";
}

TEST(BrowseStateTest, AKeyCancelsTheQuestionBefore) {
  BrowseState state;
  EXPECT_FALSE(Type(state, "a").cancel);
  const BrowseActions first = OnTime(state, kQuietMicros);
  EXPECT_TRUE(Type(state, "b").cancel);
  OnAnswer(state, AnswerTo(first, 3));
  EXPECT_EQ(state.found, nullptr) << "the answer to another question";
  OnAnswer(state, AnswerTo(OnTime(state, kQuietMicros), 2));
  ASSERT_TRUE(state.found);
  EXPECT_EQ(state.found->hits.size(), 2u);
}

TEST(BrowseStateTest, SaysThatItWaitsOnlyAfterAWhile) {
  BrowseState state;
  EXPECT_EQ(NextTime(state), std::nullopt);
  Type(state, "a");
  EXPECT_EQ(NextTime(state), kQuietMicros);
  const BrowseActions actions = OnTime(state, kQuietMicros);
  EXPECT_EQ(NextTime(state), kQuietMicros + kSlowMicros);
  OnTime(state, kQuietMicros + kSlowMicros - 1);
  EXPECT_FALSE(state.slow);
  OnTime(state, kQuietMicros + kSlowMicros);
  EXPECT_TRUE(state.slow);
  EXPECT_EQ(NextTime(state), std::nullopt);
  OnAnswer(state, AnswerTo(actions, 1));
  EXPECT_FALSE(state.slow);
}

TEST(BrowseStateTest, KeysThatChangeNoTextAskNothing) {
  BrowseState state;
  Find(state, "ab", 2);
  for (const Key key : {Key::kLeft, Key::kHome, Key::kEnd, Key::kDelete, Key::kExplain}) {
    EXPECT_EQ(Press(state, key), BrowseActions());
  }
  EXPECT_EQ(OnTime(state, 10'000'000), BrowseActions());
}

TEST(BrowseStateTest, AnEmptyQuestionAsksForTheFirstScreen) {
  BrowseState state;
  Find(state, "a", 2);
  Press(state, Key::kBackspace);
  EXPECT_EQ(state.found, nullptr) << "those of the question are gone";
  const BrowseActions actions = OnTime(state, 10'000'000);
  ASSERT_TRUE(actions.ask);
  EXPECT_EQ(actions.ask->text, "");
  BrowseAnswer answer = AnswerTo(actions, 3);
  answer.listed = true;
  answer.sections = {{"Notes", 0}, {"Documents", 1}};
  answer.due = 4;
  OnAnswer(state, std::move(answer));
  EXPECT_EQ(state.sections.size(), 2u);
  EXPECT_EQ(state.due, 4);
  Press(state, Key::kDown);
  EXPECT_TRUE(Press(state, Key::kEnter).open) << "they are hits like others";
  Find(state, "b", 1);
  EXPECT_TRUE(state.sections.empty());
}

TEST(BrowseStateTest, UpAboveTheFirstScreenRecallsTheLastQuestion) {
  BrowseState state;
  state.history = {"old"};
  auto found = std::make_shared<SearchResponse>();
  found->hits.resize(2);
  state.found = found;
  Press(state, Key::kDown);
  Press(state, Key::kUp);
  EXPECT_EQ(state.question.text, "");
  Press(state, Key::kUp);
  EXPECT_EQ(state.question.text, "old");
}

TEST(BrowseStateTest, ChoosesWithinTheHits) {
  BrowseState state;
  Find(state, "a", 10);
  state.view.rows = 4;
  Press(state, Key::kUp);
  EXPECT_EQ(state.chosen, 0u);
  Press(state, Key::kPageDown);
  Press(state, Key::kDown);
  EXPECT_EQ(state.hit()->doc.path, "4.md");
  for (int i = 0; i < 10; ++i) Press(state, Key::kPageDown);
  EXPECT_EQ(state.chosen, 9u);
  OnAnswer(state, {.number = state.asked, .status = {}, .found = nullptr});
  EXPECT_EQ(state.chosen, 9u) << "nothing was asked";
}

TEST(BrowseStateTest, EnterOpensOnlyAHitOfTheQuestionAsItIs) {
  BrowseState state;
  EXPECT_EQ(Press(state, Key::kEnter), BrowseActions());
  Find(state, "a", 1);
  EXPECT_TRUE(Press(state, Key::kEnter).open);
  Type(state, "b");
  const BrowseActions early = Press(state, Key::kEnter);
  EXPECT_FALSE(early.open);
  ASSERT_TRUE(early.ask) << "it is asked without waiting";
  EXPECT_EQ(Press(state, Key::kEnter), BrowseActions());
  OnAnswer(state, AnswerTo(early, 1));
  EXPECT_TRUE(Press(state, Key::kEnter).open);
  state.prints = true;
  EXPECT_EQ(Press(state, Key::kEnter).end, BrowseEnd::kCite);
  EXPECT_EQ(Press(state, Key::kCite).end, BrowseEnd::kCite);
}

TEST(BrowseStateTest, AFilterIsCheckedBeforeItIsApplied) {
  BrowseState state;
  Find(state, "a", 1);
  Press(state, Key::kFilter);
  Type(state, "doc.pat = 'x'");
  EXPECT_EQ(state.question.text, "a");
  EXPECT_EQ(Press(state, Key::kEnter), BrowseActions());
  EXPECT_NE(state.error.find("doc.pat"), std::string::npos) << state.error;
  EXPECT_EQ(state.hint, "did you mean doc.path?");
  EXPECT_TRUE(state.edits_filter);
  Press(state, Key::kDeleteToStart);
  EXPECT_EQ(state.error, "");
  Type(state, "doc.tag = 'x'");
  Press(state, Key::kEnter);
  EXPECT_FALSE(state.edits_filter);
  EXPECT_EQ(OnTime(state, kQuietMicros).ask->filter, "doc.tag = 'x'");
}

TEST(BrowseStateTest, EscapeLeavesTheFilterAsItWas) {
  BrowseState state;
  state.applied_filter = "doc.tag = 'x'";
  Press(state, Key::kFilter);
  Press(state, Key::kDeleteToStart);
  EXPECT_EQ(Press(state, Key::kEscape), BrowseActions());
  EXPECT_EQ(state.applied_filter, "doc.tag = 'x'");
  EXPECT_EQ(Press(state, Key::kEscape).end, BrowseEnd::kLeave);
}

TEST(BrowseStateTest, AnErrorKeepsTheHitsAndGoesWithTheNextKey) {
  BrowseState state;
  Find(state, "a", 2);
  Type(state, "b");
  const BrowseActions actions = OnTime(state, kQuietMicros);
  OnAnswer(state, {.number = actions.ask->number,
                   .status = Status::Busy("the store is busy", "wait"),
                   .found = nullptr});
  EXPECT_EQ(state.error, "the store is busy");
  EXPECT_EQ(state.hint, "wait");
  EXPECT_EQ(state.found->hits.size(), 2u);
  Type(state, "c");
  EXPECT_EQ(state.error, "");
}

TEST(BrowseStateTest, RecallsEarlierQuestions) {
  BrowseState state;
  state.history = {"old", "new"};
  Press(state, Key::kUp);
  EXPECT_EQ(state.question.text, "new");
  EXPECT_EQ(OnTime(state, kQuietMicros).ask->text, "new");
  Press(state, Key::kUp);
  EXPECT_EQ(state.question.text, "old");
  Press(state, Key::kHistory);
  EXPECT_EQ(state.question.text, "") << "after the oldest, what was typed";

  Type(state, "typed");
  Press(state, Key::kUp);
  EXPECT_EQ(state.question.text, "typed") << "Up chooses a hit";
  Press(state, Key::kHistory);
  EXPECT_EQ(state.question.text, "new");
  Type(state, "er");
  Press(state, Key::kUp);
  EXPECT_EQ(state.question.text, "newer") << "an edited question is no longer a recalled one";
}

TEST(BrowseStateTest, AsksAnewWithTheNextView) {
  BrowseState state;
  state.views = {"", "entries", "memory"};
  Find(state, "ab", 2);
  for (const size_t preset : {1, 2, 0}) {
    Press(state, Key::kView);
    const BrowseActions actions = OnTime(state, kQuietMicros);
    ASSERT_TRUE(actions.ask);
    EXPECT_EQ(actions.ask->preset, preset);
    EXPECT_EQ(actions.ask->text, "ab");
    OnAnswer(state, AnswerTo(actions, 1));
  }
}

TEST(BrowseStateTest, AViewListsItsDocumentsWithoutAQuestion) {
  BrowseState state;
  state.views = {"", "memory"};
  state.history = {"old"};
  Press(state, Key::kView);
  const BrowseActions actions = OnTime(state, kQuietMicros);
  ASSERT_TRUE(actions.ask);
  BrowseAnswer answer = AnswerTo(actions, 3);
  answer.listed = true;
  OnAnswer(state, std::move(answer));
  EXPECT_TRUE(state.listed);
  Press(state, Key::kDown);
  Press(state, Key::kUp);
  EXPECT_EQ(state.question.text, "") << "Up chooses among what is listed";
  EXPECT_EQ(state.chosen, 0u);
  Press(state, Key::kView);
  EXPECT_EQ(OnTime(state, 10'000'000).ask->preset, 0u) << "without a view, the first screen";
}

TEST(BrowseStateTest, LinksAreThoseOfTheChosenHit) {
  BrowseState state;
  EXPECT_EQ(Press(state, Key::kLinks), BrowseActions()) << "nothing is chosen";
  Find(state, "ab", 2);
  Press(state, Key::kDown);
  EXPECT_EQ(Press(state, Key::kLinks).links, "1.md");
  Type(state, "c");
  EXPECT_FALSE(Press(state, Key::kLinks).links) << "the hits are of another question";
}

TEST(BrowseStateTest, GoesAlongLinksAndBack) {
  BrowseState state;
  Find(state, "ab", 1);
  const LinkItem self{LinkItem::Way::kSelf, {.path = "a.md"}};
  const LinkItem linked{LinkItem::Way::kOut, {.path = "b.md"}, "related"};
  state.links.push_back({{self, linked}});
  Press(state, Key::kDown);
  EXPECT_EQ(Press(state, Key::kEnter).links, "b.md");
  state.links.push_back({{self}});
  EXPECT_EQ(Press(state, Key::kEscape), BrowseActions());
  EXPECT_EQ(state.links.size(), 1u);
  EXPECT_EQ(Press(state, Key::kBackspace), BrowseActions());
  EXPECT_TRUE(state.links.empty());
  EXPECT_EQ(state.question.text, "ab") << "Backspace was not for the question";
  state.links = {{{self}}, {{self}}};
  Type(state, "q");
  EXPECT_TRUE(state.links.empty());
  EXPECT_EQ(Press(state, Key::kEscape).end, BrowseEnd::kLeave);
}

TEST(BrowseStateTest, KeysThatMoveTheHelpDoNotCloseIt) {
  BrowseState state;
  Press(state, Key::kHelp);
  EXPECT_TRUE(state.helps);
  state.help_view.rows = 10;
  Press(state, Key::kPageDown);
  Press(state, Key::kDown);
  Press(state, Key::kUp);
  EXPECT_TRUE(state.helps);
  EXPECT_EQ(state.help_view.preview_offset, 9);
  Type(state, "a");
  EXPECT_FALSE(state.helps);
  EXPECT_EQ(state.question.text, "");
  Press(state, Key::kHelp);
  EXPECT_EQ(state.help_view.preview_offset, 0) << "it begins anew";
  EXPECT_EQ(Press(state, Key::kLeave).end, BrowseEnd::kLeave);
}

// ---- Marks
// ----------------------------------------------------------------------------------------

std::vector<std::string> MarkedPaths(const BrowseState& state) {
  std::vector<std::string> paths;
  for (const MarkedPlace& mark : state.marks) paths.push_back(mark.path);
  return paths;
}

using Paths = std::vector<std::string>;

TEST(BrowseStateTest, TabMarksHitsInTheOrderOfItsUse) {
  BrowseState state;
  EXPECT_EQ(Press(state, Key::kMark), BrowseActions()) << "there is nothing to mark";
  Find(state, "a", 4);
  Press(state, Key::kMark);
  EXPECT_EQ(state.chosen, 1u) << "the next one is chosen";
  Press(state, Key::kDown);
  Press(state, Key::kMarkUp);
  EXPECT_EQ(state.chosen, 1u);
  Press(state, Key::kMarkUp);
  EXPECT_EQ(MarkedPaths(state), (Paths{"0.md", "2.md", "1.md"}));
  EXPECT_EQ(state.question.text, "a");
  Press(state, Key::kMark);
  EXPECT_EQ(MarkedPaths(state), (Paths{"2.md", "1.md"})) << "the same key takes the mark away";
}

TEST(BrowseStateTest, MarksOutliveTheQuestion) {
  BrowseState state;
  Find(state, "a", 2);
  Press(state, Key::kMark);
  Type(state, "b");
  // The hits of the question before are on the screen, and Enter does not wait for others.
  EXPECT_EQ(Press(state, Key::kEnter).end, BrowseEnd::kCite);
  OnAnswer(state, AnswerTo(OnTime(state, kQuietMicros), 3));
  Press(state, Key::kPageDown);
  Press(state, Key::kMark);
  EXPECT_EQ(MarkedPaths(state), (Paths{"0.md", "1.md"}));
  EXPECT_EQ(ChosenCitations(state).size(), 2u);
}

TEST(BrowseStateTest, AllHitsAreMarkedOrNone) {
  BrowseState state;
  Find(state, "a", 3);
  Press(state, Key::kDown);
  Press(state, Key::kMark);
  Press(state, Key::kMarkAll);
  EXPECT_EQ(MarkedPaths(state), (Paths{"1.md", "0.md", "2.md"}));
  Press(state, Key::kMarkAll);
  EXPECT_EQ(MarkedPaths(state), Paths());
}

TEST(BrowseStateTest, WhatIsMarkedIsPrintedOpenedAndCopied) {
  BrowseState state;
  EXPECT_FALSE(Press(state, Key::kCopy).copy);
  Find(state, "a", 3);
  EXPECT_EQ(ChosenCitations(state), Paths{"0.md"}) << "without a mark, the chosen hit";
  EXPECT_TRUE(Press(state, Key::kCopy).copy);
  EXPECT_TRUE(Press(state, Key::kOpenAll).open);
  EXPECT_FALSE(Press(state, Key::kOpenAll).open_all);
  Press(state, Key::kMark);
  Press(state, Key::kMark);
  EXPECT_EQ(ChosenCitations(state), (Paths{"0.md", "1.md"}));
  EXPECT_TRUE(Press(state, Key::kOpenAll).open_all);
  EXPECT_EQ(Press(state, Key::kEnter).end, BrowseEnd::kCite);
  EXPECT_EQ(Press(state, Key::kCite).end, BrowseEnd::kCite);
}

TEST(BrowseStateTest, ACitationHasTheLinesOfItsHit) {
  BrowseState state;
  auto found = std::make_shared<SearchResponse>();
  found->hits.resize(2);
  found->hits[0].doc.path = "a.md";
  found->hits[0].chunk.start_line = 9;
  found->hits[0].chunk.end_line = 11;
  found->hits[1].doc.path = "two\nlines.md";
  found->hits[1].doc.id = "0d6c";
  state.found = std::move(found);
  Press(state, Key::kMarkAll);
  EXPECT_EQ(ChosenCitations(state), (Paths{"a.md:9-11", "id:0d6c"})) << "each is on one line";
}

// ---- Notes
// ----------------------------------------------------------------------------------------

TEST(BrowseStateTest, OnlyNotesAreEdited) {
  BrowseState state;
  EXPECT_EQ(Press(state, Key::kEditNote), BrowseActions());
  EXPECT_EQ(Press(state, Key::kNewNote).note, NoteWish::kNew);
  Find(state, "a", 1);
  EXPECT_EQ(Press(state, Key::kEditNote), BrowseActions());
  EXPECT_EQ(state.error, "this is not a note");
  auto found = std::make_shared<SearchResponse>(*state.found);
  found->hits[0].doc.parser = "note";
  state.found = std::move(found);
  EXPECT_EQ(Press(state, Key::kEditNote).note, NoteWish::kEdit);
}

TEST(BrowseStateTest, ASavedNoteIsChosenInTheNextAnswer) {
  BrowseState state;
  Find(state, "a", 2);
  NoteOutcome outcome;
  outcome.saved.emplace().doc.path = "2.md";
  OnNoteEdited(state, outcome, 1000);
  EXPECT_EQ(state.said, "saved 2.md");
  const BrowseActions actions = OnTime(state, 1000);
  ASSERT_TRUE(actions.ask) << "at once";
  EXPECT_EQ(actions.ask->text, "a");
  OnAnswer(state, AnswerTo(actions, 4));
  EXPECT_EQ(state.chosen, 2u);
  EXPECT_EQ(state.said, "saved 2.md");
  Press(state, Key::kDown);
  EXPECT_EQ(state.said, "");

  // If another question is asked before, its answer begins at its first hit.
  OnNoteEdited(state, outcome, 2000);
  Type(state, "b", 2000);
  OnAnswer(state, AnswerTo(OnTime(state, 2000 + kQuietMicros), 4));
  EXPECT_EQ(state.chosen, 0u);
}

TEST(BrowseStateTest, ANoteThatIsNotSavedSaysWhereItsTextIs) {
  BrowseState state;
  NoteOutcome outcome;
  outcome.failure = Status::InvalidArgument("line 2 has no colon", "write KEY: VALUE");
  outcome.kept = "/state/new.md";
  OnNoteEdited(state, outcome, 0);
  EXPECT_EQ(state.error, "line 2 has no colon");
  EXPECT_EQ(state.hint,
            "write KEY: VALUE; the text is kept in /state/new.md: the same key goes on with it");
  EXPECT_EQ(OnTime(state, 10'000'000), BrowseActions());
  OnNoteEdited(state, NoteOutcome(), 0);
  EXPECT_EQ(state.error, "");
  EXPECT_EQ(state.said, "nothing was changed");
}

// ---- Definitions
// ----------------------------------------------------------------------------------

TEST(BrowseStateTest, GoesFromDefinitionsToTheirUsesAndBack) {
  BrowseState state;
  EXPECT_EQ(Press(state, Key::kOutline), BrowseActions()) << "nothing is chosen";
  Find(state, "ab", 2);
  Press(state, Key::kDown);
  const auto wish = Press(state, Key::kOutline).places;
  ASSERT_TRUE(wish);
  EXPECT_EQ(wish->path, "1.md");
  EXPECT_EQ(wish->of, PlacesOf::kDefinitions);

  PlacesPage page;
  page.rows = {{.path = "1.md", .first_line = 4, .last_line = 9, .name = "F", .kind = "function"}};
  state.places.push_back(page);
  const auto uses = Press(state, Key::kRight).places;
  ASSERT_TRUE(uses);
  EXPECT_EQ(uses->of, PlacesOf::kReferences);
  EXPECT_EQ(uses->line, 4u);
  EXPECT_EQ(ChosenCitations(state), Paths{"1.md:4-9"}) << "that of the place";
  EXPECT_TRUE(Press(state, Key::kEnter).open_place);
  state.prints = true;
  EXPECT_EQ(Press(state, Key::kEnter).end, BrowseEnd::kCite);
  EXPECT_EQ(Press(state, Key::kCite).end, BrowseEnd::kCite);
  state.places.push_back(page);
  EXPECT_EQ(Press(state, Key::kEscape), BrowseActions());
  EXPECT_EQ(state.places.size(), 1u);
  Type(state, "q");
  EXPECT_TRUE(state.places.empty());
  EXPECT_EQ(state.question.text, "ab") << "no key was for the question";
}

// A session of four turns, and its second one as a hit.
BrowseState InSession() {
  BrowseState state;
  auto found = std::make_shared<SearchResponse>();
  found->hits.resize(2);
  for (SearchHit& hit : found->hits) hit.doc.parser = "session";
  found->hits[0].doc.hash = "h";
  found->hits[1].doc.hash = "other";
  state.found = std::move(found);
  auto document = std::make_shared<GetResponse>();
  document->doc.hash = "h";
  document->chunk.text = "## 0 human -\n\na\n\n## 1 assistant -\n\nb\n\n## 2 human -\n\nc\n";
  state.document = std::move(document);
  return state;
}

TEST(BrowseStateTest, ThePreviewOfASessionGoesFromTurnToTurn) {
  BrowseState state = InSession();
  const std::string& text = state.document->chunk.text;
  const size_t one = text.find("## 1");
  const size_t two = text.find("## 2");
  state.view.top_byte = one;
  state.view.preview_offset = 7;
  EXPECT_EQ(Press(state, Key::kNextTurn), BrowseActions());
  EXPECT_EQ(state.turn_at, two);
  EXPECT_EQ(state.view.preview_offset, 0);
  EXPECT_EQ(Press(state, Key::kNextTurn), BrowseActions());
  EXPECT_EQ(state.turn_at, two) << "it is the last one";
  Press(state, Key::kPreviousTurn);
  EXPECT_EQ(state.turn_at, one);
  Press(state, Key::kPreviousTurn);  // before the screen is drawn
  EXPECT_EQ(state.turn_at, 0u);
  Press(state, Key::kPreviousTurn);
  EXPECT_EQ(state.turn_at, 0u);
  state.view.top_byte = two + 3;  // the preview was moved into a turn
  Press(state, Key::kPreviousTurn);
  EXPECT_EQ(state.turn_at, two);
  EXPECT_TRUE(state.question.text.empty());
}

TEST(BrowseStateTest, AnotherHitBeginsAtItsOwnTurn) {
  BrowseState state = InSession();
  Press(state, Key::kNextTurn);
  ASSERT_TRUE(state.turn_at);
  Press(state, Key::kDown);
  EXPECT_EQ(state.turn_at, std::nullopt);
  // Its document is not known, so it must be read.
  EXPECT_EQ(Press(state, Key::kNextTurn).turn, TurnStep::kNext);
  EXPECT_EQ(Press(state, Key::kPreviousTurn).turn, TurnStep::kPrevious);
  EXPECT_EQ(state.turn_at, std::nullopt);
}

TEST(BrowseStateTest, OtherDocumentsHaveNoTurns) {
  BrowseState state = InSession();
  auto found = std::make_shared<SearchResponse>(*state.found);
  found->hits[0].doc.parser = "markdown";
  state.found = std::move(found);
  EXPECT_EQ(Press(state, Key::kNextTurn), BrowseActions());
  EXPECT_EQ(state.turn_at, std::nullopt);
  state.found.reset();
  EXPECT_EQ(Press(state, Key::kPreviousTurn), BrowseActions());
}

}  // namespace
}  // namespace recall
