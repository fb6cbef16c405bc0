#include "storage/notes/note_card.h"

#include <gtest/gtest.h>

#include <random>

namespace recall {
namespace {

UnixNanos Day(int64_t day) { return day * kNanosPerDay; }

// Random cards, reviews and times, against the state that the review itself leads to.
TEST(NoteCardTest, WhereReviewsAreSaidNotToMatterTheyDoNot) {
  std::mt19937 random(3);
  const auto number = [&](int most) { return static_cast<int64_t>(random() % most); };
  int64_t free = 0;
  int64_t changed = 0;
  for (int i = 0; i < 100'000; ++i) {
    NoteCard card;
    card.obsolete = number(10) == 0;
    if (number(8) != 0) card.touched = Day(number(60));
    if (number(3) != 0) card.window = Day(1 + number(30));
    if (number(3) == 0) card.valid_until = Day(number(80));
    const UnixNanos now = Day(number(100));
    const UnixNanos reviewed = Day(number(100));
    const Lifecycle alone = LifecycleOf(card, std::nullopt, now);
    const Lifecycle with = LifecycleOf(card, reviewed, now);
    changed += alone != with ? 1 : 0;
    if (MayDependOnReviews(card, now)) continue;
    ++free;
    ASSERT_EQ(alone, with) << i;
  }
  EXPECT_GT(free, 40'000);
  EXPECT_GT(changed, 5'000);
}

}  // namespace
}  // namespace recall
