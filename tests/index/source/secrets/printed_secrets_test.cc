#include "tests/index/source/secrets/printed_secrets.h"

#include <gtest/gtest.h>

#include <set>

#include "index/source/secrets/keyword_rules.h"
#include "index/source/secrets/redactor.h"
#include "index/source/secrets/secret_rules.h"

namespace recall {
namespace {

// A form that is left stays in most of the secrets in this number.
constexpr int kRounds = 8;

std::set<std::string> FormsLeftIn(int place) {
  const Redactor redactor = Redactor::Make({}).value();
  std::mt19937_64 random(7);
  std::set<std::string> forms;
  for (const std::span<const PrintedSecret> table :
       {std::span<const PrintedSecret>(PrintedSecrets()), KnownForms(), FormsApart(), LaterForms(),
        FormsUnseen()}) {
    for (const PrintedSecret& form : table) {
      int left = 0;
      for (int round = 0; round < kRounds; ++round) {
        const PrintedText made = MakeUpPrinted(form, place, random);
        const std::string redacted = place >= kFirstJsonPlace
                                         ? redactor.RedactJsonLine(made.text, nullptr)
                                         : redactor.Redact(made.text, nullptr);
        left += TellsSecret(redacted, made.secret);
      }
      if (2 * left > kRounds) forms.emplace(form.name);
    }
  }
  return forms;
}

// The forms that docs/secrets.md says are out of reach.
const std::set<std::string> kOutOfReach = {
    "Ansible vault key", "Bitcoin WIF",     "German, without a colon",
    "PIN and PUK",       "davfs secrets",   "git diff --word-diff",
    "htdigest",          "influx auth list"};

TEST(PrintedSecretsTest, OnlyDocumentedFormsAreLeft) {
  for (const int place : {0, 1, 3, 4}) {
    EXPECT_EQ(FormsLeftIn(place), kOutOfReach) << "place " << place;
  }
}

// Numbers of lines stand between a name and a value in the next line.
TEST(PrintedSecretsTest, NumbersOfLinesHideFewForms) {
  std::set<std::string> expected = kOutOfReach;
  expected.insert({"expect", "unattend.xml"});
  EXPECT_EQ(FormsLeftIn(2), expected);
}

TEST(PrintedSecretsTest, EachPatternIsARegularExpression) {
  const auto rules = SecretRules::Make({}, {}).value();
  for (size_t i = 0; i < WindowRules().size(); ++i) {
    EXPECT_TRUE(rules->window_pattern(i).ok()) << WindowRules()[i].pattern;
  }
  for (size_t i = 0; i < ServiceRules().size(); ++i) {
    EXPECT_TRUE(rules->service_pattern(i).ok()) << ServiceRules()[i].pattern;
  }
}

}  // namespace
}  // namespace recall
