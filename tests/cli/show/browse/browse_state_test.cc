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

TEST(BrowseStateTest, AnEmptyQuestionHasNoHits) {
  BrowseState state;
  Find(state, "a", 2);
  Press(state, Key::kBackspace);
  EXPECT_EQ(state.found, nullptr);
  EXPECT_EQ(OnTime(state, 10'000'000), BrowseActions());
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
  EXPECT_EQ(state.found, nullptr) << "without a view there is nothing to list";
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

TEST(BrowseStateTest, AnyKeyClosesTheHelp) {
  BrowseState state;
  Press(state, Key::kHelp);
  EXPECT_TRUE(state.helps);
  Type(state, "a");
  EXPECT_FALSE(state.helps);
  EXPECT_EQ(state.question.text, "");
  Press(state, Key::kHelp);
  EXPECT_EQ(Press(state, Key::kLeave).end, BrowseEnd::kLeave);
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
