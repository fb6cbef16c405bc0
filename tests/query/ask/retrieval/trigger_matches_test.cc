#include "query/ask/retrieval/trigger_matches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace recall {
namespace {

constexpr double kTriggerError = 5e-7;

double ScoreOf(std::string_view question, const std::vector<std::string>& phrases) {
  TriggerMatches matches(question);
  for (const std::string& phrase : phrases) matches.Add(3, phrase);
  const std::vector<TriggerHit> hits = std::move(matches).Finish();
  EXPECT_LE(hits.size(), 1u);
  return hits.empty() ? 0 : hits.front().score;
}

TEST(TriggerMatchesTest, TheComputedValues) {
  EXPECT_NEAR(ScoreOf("cors safari", {"cors", "safari", "timeout"}), .9, kTriggerError);
  EXPECT_NEAR(ScoreOf("timeouts", {"timeout"}), .35, kTriggerError);
}

TEST(TriggerMatchesTest, WordsOfPhrasesAreFoldedAndCountOnce) {
  EXPECT_NEAR(ScoreOf("CORS, Safari!", {"Safari: cors", "cors timeout"}), .9, kTriggerError);
  EXPECT_NEAR(ScoreOf("cors cors safari", {"cors", "safari", "timeout"}), .9, kTriggerError);
  EXPECT_NEAR(ScoreOf("Köln", {"koln"}), 1, kTriggerError);
  EXPECT_NEAR(ScoreOf("user_id", {"USER_ID"}), 1, kTriggerError);
}

TEST(TriggerMatchesTest, AnEqualWordCountsMoreThanOneWithin) {
  EXPECT_NEAR(ScoreOf("timeout", {"timeouts", "timeout"}), .7 + .15, kTriggerError);
  EXPECT_NEAR(ScoreOf("time", {"timeouts", "lifetime"}), .35, kTriggerError);
  EXPECT_NEAR(ScoreOf("the timeouts of requests", {"timeout"}), .7 * .25, kTriggerError);
}

TEST(TriggerMatchesTest, FunctionWordsCountOnlyAmongThemselves) {
  EXPECT_NEAR(ScoreOf("when is a timeout", {"when there is a timeout"}), 1, kTriggerError);
  EXPECT_EQ(ScoreOf("is a", {"safari"}), 0);  // a is within safari
  EXPECT_NEAR(ScoreOf("to be or not to be", {"to be or not to be"}), 1, kTriggerError);
}

TEST(TriggerMatchesTest, ASingleLetterIsWithinNothing) {
  EXPECT_EQ(ScoreOf("C++", {"cors", "safari"}), 0);
  EXPECT_NEAR(ScoreOf("C++", {"c++ linker"}), .7 + .15, kTriggerError);
  EXPECT_NEAR(ScoreOf("山", {"山田"}), .35, kTriggerError);
}

TEST(TriggerMatchesTest, NothingMatchesNothing) {
  EXPECT_EQ(ScoreOf("", {"cors"}), 0);
  EXPECT_EQ(ScoreOf("--", {"cors"}), 0);
  EXPECT_EQ(ScoreOf("cors", {"", "safari"}), 0);
}

// Many documents, by the definition.
TEST(TriggerMatchesTest, IsTheDefinitionForEveryDocument) {
  static const char* const kWords[] = {"cors", "safari", "timeout", "timeouts", "time",  "out",
                                       "form", "forms",  "input",   "put",      "build", "rebuild"};
  std::mt19937_64 random(5);
  const auto words = [&](size_t count) {
    std::vector<std::string> list;
    for (size_t i = 0; i < count; ++i) list.push_back(kWords[random() % std::size(kWords)]);
    return list;
  };
  const auto joined = [](const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& word : list) text += word + " ";
    return text;
  };
  for (int round = 0; round < 50; ++round) {
    const std::vector<std::string> asked = words(1 + random() % 4);
    const std::set<std::string> question(asked.begin(), asked.end());
    TriggerMatches matches(joined(asked));
    std::map<uint32_t, std::set<std::string>> triggers;
    for (int phrase = 0; phrase < 60; ++phrase) {
      const auto chunk = static_cast<uint32_t>(10 + random() % 20);
      const std::vector<std::string> list = words(random() % 3);
      triggers[chunk].insert(list.begin(), list.end());
      matches.Add(chunk, joined(list));
    }
    std::map<uint32_t, double> expected;
    for (const auto& [chunk, own] : triggers) {
      double sum = 0, equal = 0;
      for (const std::string& word : question) {
        double best = 0;
        for (const std::string& trigger : own) {
          const bool within = word.find(trigger) != word.npos || trigger.find(word) != word.npos;
          best = std::max(best, word == trigger ? 1 : within ? .5 : 0);
        }
        sum += best;
      }
      for (const std::string& trigger : own) equal += question.contains(trigger);
      const double e = own.empty() ? 0 : equal / static_cast<double>(own.size());
      const double score = .7 * sum / static_cast<double>(question.size()) + .3 * e;
      if (score > 0) expected[chunk] = score;
    }
    const std::vector<TriggerHit> hits = std::move(matches).Finish();
    ASSERT_EQ(hits.size(), expected.size());
    auto next = expected.begin();
    for (const TriggerHit& hit : hits) {
      EXPECT_EQ(hit.chunk, next->first);
      EXPECT_NEAR(hit.score, next->second, 1e-12);
      ++next;
    }
  }
}

}  // namespace
}  // namespace recall
