#include "cli/show/browse/review_state.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

ReviewRound RoundOf(std::initializer_list<std::string> paths) {
  ReviewRound round;
  for (const std::string& path : paths) round.due.emplace_back().doc.path = path;
  return round;
}

ReviewActions TypeInto(ReviewRound& round, const std::string& key) {
  return OnReviewKey(round, {Key::kText, key});
}

void ShowText(ReviewRound& round) {
  EXPECT_TRUE(OnReviewKey(round, {Key::kEnter}).show);
  OnReviewText(round, GetResponse());
}

TEST(ReviewStateTest, TheTextComesBeforeTheRating) {
  ReviewRound round = RoundOf({"a", "b"});
  EXPECT_EQ(TypeInto(round, "4"), ReviewActions());
  EXPECT_EQ(round.hint, "Enter shows the text");
  ShowText(round);
  EXPECT_EQ(round.error, "");
  EXPECT_EQ(OnReviewKey(round, {Key::kEnter}), ReviewActions()) << "it is shown already";
  for (const std::string key : {"6", "9", "x", "45", "-"}) {
    EXPECT_EQ(TypeInto(round, key), ReviewActions()) << key;
  }
  EXPECT_EQ(TypeInto(round, "0").rate, 0);
  EXPECT_EQ(TypeInto(round, "5").rate, 5);
}

TEST(ReviewStateTest, ARatingGoesOn) {
  ReviewRound round = RoundOf({"a", "b"});
  ShowText(round);
  ReviewReport report;
  report.doc.path = "a";
  OnReviewed(round, report);
  EXPECT_EQ(round.document()->doc.path, "b");
  EXPECT_EQ(round.rated, 1u);
  EXPECT_EQ(round.text, nullptr) << "the text of the next one is hidden";
  EXPECT_NE(round.said.find("reviewed a;"), std::string::npos) << round.said;
}

TEST(ReviewStateTest, AfterAnErrorTheDocumentStays) {
  ReviewRound round = RoundOf({"a"});
  OnReviewText(round, Fail(Status::NotFound("gone")));
  EXPECT_EQ(round.error, "gone");
  EXPECT_EQ(round.text, nullptr);
  ShowText(round);
  OnReviewed(round, Fail(Status::Busy("another process writes", "try again")));
  EXPECT_EQ(round.error, "another process writes");
  EXPECT_EQ(round.hint, "try again");
  EXPECT_EQ(round.document()->doc.path, "a");
  EXPECT_EQ(round.rated, 0u);
  EXPECT_EQ(TypeInto(round, "4").rate, 4) << "it can be tried again";
}

TEST(ReviewStateTest, SkippingRatesNothing) {
  ReviewRound round = RoundOf({"a", "b"});
  EXPECT_EQ(TypeInto(round, "s"), ReviewActions());
  EXPECT_EQ(round.document()->doc.path, "b");
  EXPECT_EQ(TypeInto(round, "s"), ReviewActions());
  EXPECT_EQ(round.document(), nullptr);
  EXPECT_EQ(round.skipped, 2u);
  // At the end there is nothing to show, to rate or to skip.
  for (const std::string key : {"s", "4", " "}) EXPECT_EQ(TypeInto(round, key), ReviewActions());
  EXPECT_EQ(OnReviewKey(round, {Key::kEnter}), ReviewActions());
  EXPECT_EQ(round.skipped, 2u);
  EXPECT_TRUE(TypeInto(round, "q").leave);
  EXPECT_TRUE(OnReviewKey(round, {Key::kEscape}).leave);
}

}  // namespace
}  // namespace recall
