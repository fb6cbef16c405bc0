#include "index/source/secrets/secret_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "tests/test_util.h"

namespace recall {
namespace {

// Made-up characters, and in two parts, so that no scanner of repositories finds a key here.
std::string Letters(size_t count, uint64_t seed, std::string_view alphabet) {
  std::mt19937_64 random(seed);
  std::string text;
  for (size_t i = 0; i < count; ++i) text += alphabet[random() % alphabet.size()];
  return text;
}

constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::string_view kWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHex = "0123456789abcdef";

using Sample = std::pair<std::string, std::string>;  // kind and text

std::vector<Sample> Samples(uint64_t seed) {
  const auto letters = [&](size_t count, std::string_view alphabet) {
    return Letters(count, ++seed, alphabet);
  };
  const auto word = [&](size_t count) { return letters(count, kWord); };
  return {
      {"aws-access-key-id", "AK" + ("IA" + letters(16, kUpper))},
      {"aws-access-key-id", "AS" + ("IA" + letters(16, kUpper))},
      {"github-token", "gh" + ("p_" + word(36))},
      {"github-token", "gh" + ("s_" + word(36))},
      {"github-token", "github" + ("_pat_" + word(22) + "_" + word(59))},
      {"gitlab-token", "glp" + ("at-" + word(20))},
      {"slack-token",
       "xo" + ("xb-" + letters(12, kDigits) + "-" + letters(12, kDigits) + "-" + word(24))},
      {"stripe-key", "sk_" + ("live_" + word(24))},
      {"google-api-key", "AI" + ("za" + word(35))},
      {"google-oauth-secret", "GOC" + ("SPX-" + word(28))},
      {"npm-token", "np" + ("m_" + word(36))},
      {"pypi-token", "pypi-" + ("AgEIcHlwaS5vcmc" + word(60))},
      {"digitalocean-token", "dop" + ("_v1_" + letters(64, kHex))},
      {"anthropic-key", "sk-" + ("ant-api03-" + word(93))},
      {"openai-key", "sk-" + ("proj-" + word(48))},
      {"openai-key", "sk-" + (word(20) + "T3Blbk" + "FJ" + word(20))},
      {"json-web-token",
       "eyJ" + ("hbGciOiJSUzI1NiJ9" + word(4) + ".eyJ" + word(40) + "." + word(43))},
      {"private-key", "-----BEGIN RSA " + ("PRIVATE KEY-----\n" + word(64) + "\n" + word(64) +
                                           "\n" + word(20) + "==\n-----END RSA PRIVATE KEY-----")},
      {"private-key", "-----BEGIN " + ("PRIVATE KEY-----\\n" + word(64) + "\\n" + word(64) +
                                       "\\n-----END PRIVATE KEY-----")},
  };
}

using Found = std::vector<std::pair<std::string, std::string>>;

Found Find(std::string_view text) {
  Found found;
  for (const SecretSpan& secret : FindSecrets(text)) {
    found.emplace_back(secret.kind, text.substr(secret.begin, secret.end - secret.begin));
  }
  return found;
}

TEST(SecretScan, FindsEachKindWhereverItStands) {
  for (const auto& [kind, secret] : Samples(TestSeed(3))) {
    const Found expected = {{kind, secret}};
    EXPECT_EQ(Find(secret), expected);
    for (const auto& [before, after] : std::vector<Sample>{{"", "\n"},
                                                           {"key = \"", "\"\n"},
                                                           {"x:", ","},
                                                           {"\n\n  ", " "},
                                                           {"ü", "ü"},
                                                           {"https://user:", "@host/"},
                                                           {"--key=", ")"}}) {
      EXPECT_EQ(Find(before + secret + after), expected) << before << kind;
    }
  }
}

TEST(SecretScan, FindsAllInALongText) {
  std::mt19937_64 random(TestSeed(5));
  const std::string words = "the quick _p_ t- sk-list AKI ghp eyJ -BEGIN xox pat-tern ";
  std::string text;
  Found expected;
  for (uint64_t round = 0; round < 20; ++round) {
    for (const Sample& sample : Samples(1000 * round + 17)) {
      const size_t from = random() % words.size();
      text += words.substr(from) + words.substr(0, random() % words.size()) + "\n";
      text += sample.second + "\n";
      expected.push_back(sample);
    }
  }
  EXPECT_EQ(Find(text), expected);
}

TEST(SecretScan, PlaceholdersExamplesAndPartsOfWordsAreNotReported) {
  const std::string token = Letters(36, 7, kWord);
  const std::string key = Letters(16, 9, kUpper);
  for (const std::string& text :
       {std::string(), std::string("ghp"), "gh" + ("p_" + token.substr(1)),
        "gh" + ("p_" + token) + "x",           // too long
        "weigh" + ("ghp_" + token),            // within a word
        "gh" + ("p_" + std::string(36, 'x')),  // a placeholder
        "gh" + ("p_" + std::string("abcabcabcabcabcabcabcabcabcabcabcabc")),
        "AK" + ("IA" + key.substr(1)), "AK" + ("IA" + key) + "Q", "XAK" + ("IA" + key),
        "AK" + std::string("IAIOSFODNN7EXAMPLE"),  // of Amazon's documentation
        std::string("-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"),
        std::string("-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----"),
        std::string("-----BEGIN PRIVATE KEY-----\nno end"), std::string("task-antelope-") + token,
        std::string("sk_live_ is a prefix"),
        std::string("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6Ikpv"
                    "aG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_"
                    "adQssw5c")}) {
    EXPECT_EQ(Find(text), Found()) << text;
  }
}

TEST(SecretScan, RedactionKeepsLinesAndNothingOfTheSecret) {
  for (const auto& [kind, secret] : Samples(TestSeed(11))) {
    const std::string text = "a\nkey: " + secret + "\nb " + secret + "\nend";
    const std::string redacted = RedactSecrets(text, FindSecrets(text));
    EXPECT_EQ(std::count(redacted.begin(), redacted.end(), '\n'),
              std::count(text.begin(), text.end(), '\n'));
    EXPECT_EQ(redacted.find(secret.substr(secret.size() / 2, 12)), std::string::npos) << kind;
    EXPECT_TRUE(redacted.starts_with("a\nkey: [redacted: " + kind + "]\n")) << redacted;
    EXPECT_TRUE(redacted.ends_with("\nend"));
    EXPECT_EQ(Find(redacted), Found()) << "redacting again changes nothing";
  }
}

}  // namespace
}  // namespace recall
