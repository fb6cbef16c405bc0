// The text of hints: one that no quoted text can break, within its budget.

#include "query/memory/hints/hint_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "query/memory/hints/asked_words.h"
#include "query/types/context_types.h"
#include "tests/test_util.h"

namespace recall {
namespace {

TEST(HintLine, IsOneLine) {
  EXPECT_EQ(HintLine("  a\n\n b\tc\r\n", 40), "a b c");
  EXPECT_EQ(HintLine("a\x1b[31mb\x07", 40), "a [31mb");
  EXPECT_EQ(HintLine("", 40), "");
}

TEST(HintLine, EndsNoElementAroundIt) {
  EXPECT_EQ(HintLine("x</system-reminder>y", 40), "x< /system-reminder>y");
  // Neither with a character between that is not seen.
  EXPECT_EQ(HintLine("x<\u200b/system-reminder>", 40), "x< /system-reminder>");
  EXPECT_EQ(HintLine("std::vector<int> a / b", 40), "std::vector<int> a / b");
}

TEST(HintLine, LeavesOutWhatIsNotSeen) {
  EXPECT_EQ(HintLine("ab\u202edc\u2069", 40), "abdc");
  EXPECT_EQ(HintLine("a\U000E0069\U000E0067b", 40), "ab");
  EXPECT_EQ(HintLine("caf\u00e9 \u5c71\u7530", 40), "caf\u00e9 \u5c71\u7530");
  EXPECT_EQ(HintLine("a\xff"
                     "b",
                     40),
            "a\uFFFDb");
}

TEST(HintLine, IsCutAtAWord) {
  EXPECT_EQ(HintLine("one two three", 9), "one two\u2026");
  EXPECT_EQ(HintLine("one two", 7), "one two");
  EXPECT_EQ(HintLine(std::string(50, 'x'), 9), "xxxxxxxxx\u2026");
  EXPECT_EQ(HintLine("\u5c71\u7530\u5c71\u7530", 7), "\u5c71\u7530\u2026");
}

TEST(HintPacker, FencesWhatItQuotes) {
  HintPacker packer = Must(HintPacker::Make("Head.", 200));
  EXPECT_EQ(packer.Text(), "");
  EXPECT_EQ(packer.used_tokens(), 0);
  EXPECT_TRUE(packer.Offer({"a.md", "[a.md:1-2]", "Title", "Some words."}));
  EXPECT_TRUE(packer.Offer({"b.md", "[b.md]", "", ""}));
  EXPECT_EQ(packer.Text(), "Head.\n```\n[a.md:1-2] Title\n  Some words.\n[b.md]\n```");
  packer.AddRemark("And more.");
  EXPECT_EQ(packer.Text(), "Head.\n```\n[a.md:1-2] Title\n  Some words.\n[b.md]\n```\nAnd more.");
}

TEST(HintPacker, HasAFenceThatNoTextCloses) {
  HintPacker packer = Must(HintPacker::Make("Head.", 200));
  EXPECT_TRUE(packer.Offer({"a.md", "[a.md]", "", "x ````` y"}));
  EXPECT_EQ(packer.Text(), "Head.\n``````\n[a.md]\n  x ````` y\n``````");
}

TEST(HintPacker, NeverExceedsItsBudget) {
  std::mt19937_64 random(TestSeed(1));
  TokenCounter counter = Must(TokenCounter::Open(std::string(kEstimateCounter)));
  for (int64_t budget = 1; budget < 200; budget += 7) {
    HintPacker packer = Must(HintPacker::Make("A head of some words.", budget));
    for (size_t i = 0; i < 12; ++i) {
      std::string words;
      for (size_t word = random() % 30; word > 0; --word) {
        words += std::string(1 + random() % 9, static_cast<char>('a' + random() % 26)) + " ";
      }
      if (random() % 5 == 0) words += std::string(random() % 40, '`');
      packer.Offer({"p", HintCitation("d/" + std::to_string(i), 1, 9), "Title", words});
    }
    packer.AddRemark("A remark.");
    EXPECT_LE(counter.Count(packer.Text()), budget);
    EXPECT_EQ(counter.Count(packer.Text()), packer.used_tokens());
  }
}

TEST(HintPacker, LeavesOutWordsBeforeHints) {
  HintPacker packer = Must(HintPacker::Make("H.", 30));
  EXPECT_TRUE(packer.Offer({"a", "[a]", "Title", std::string(400, 'x')}));
  ASSERT_EQ(packer.hints().size(), 1u);
  EXPECT_EQ(packer.hints().front().words, "");
  EXPECT_FALSE(packer.Offer({"b", "[b]", std::string(400, 'y'), ""}));
}

TEST(HintPacker, LeavesOutWhatIsCited) {
  HintPacker packer = Must(HintPacker::Make("H.", 200));
  const std::string told =
      R"x({"content":["[[a.md:1-2] Title","x [notes/b.md:3-4] (obsolete)","[\"c.md:1-2\"]"]})x";
  packer.LeaveOutCited(told);
  EXPECT_FALSE(packer.Offer({"a.md", "[a.md:1-2]", "", ""}));
  EXPECT_TRUE(packer.Offer({"a.md", "[a.md:5-9]", "", ""}));
  EXPECT_FALSE(packer.Offer({"notes/b.md", "[notes/b.md]", "", ""}));
  EXPECT_TRUE(packer.Offer({"c.md", "[c.md:1-2]", "", ""}));
  EXPECT_TRUE(packer.Offer({"d.md", "[d.md]", "", ""}));
}

TEST(AskedWords, ConversationSaysNothingOfASubject) {
  for (const char* prompt : {"thanks", "Thanks, go on!", "yes please", "ok, continue", "1", "no",
                             "Looks good, let's do it.", "try again", "y", "hmm", ""}) {
    EXPECT_LT(CountSubjectWords(prompt), 2u) << prompt;
  }
  EXPECT_EQ(CountSubjectWords("thanks, now fix the login form"), 3u);
  EXPECT_EQ(CountSubjectWords("zstd zstd ZSTD"), 1u);
}

TEST(AskedWords, ACommandOfTheAssistantIsNoQuestion) {
  EXPECT_TRUE(IsCommandOfAssistant("/compact keep the plan"));
  EXPECT_TRUE(IsCommandOfAssistant(" /clear"));
  EXPECT_FALSE(IsCommandOfAssistant("/etc/hosts has no entry for the gateway"));
  EXPECT_FALSE(IsCommandOfAssistant("and/or"));
  EXPECT_FALSE(IsCommandOfAssistant("/"));
}

TEST(AskedWords, ALongPromptIsSearchedForAtItsEnds) {
  const std::string prompt = "why " + std::string(5000, 'x') + " fails";
  const std::string part = SearchedPart(prompt);
  EXPECT_LE(part.size(), 2001u);
  EXPECT_TRUE(part.starts_with("why x"));
  EXPECT_TRUE(part.ends_with("x fails"));
  EXPECT_EQ(SearchedPart("short"), "short");
}

TEST(AskedWords, ConversationIsNotSearchedFor) {
  EXPECT_EQ(SearchedPart("Thanks! Can you please look at zstd?"), "! Can you   at zstd?");
  EXPECT_EQ(SearchedPart("go.mod, look-ahead, let's, next2, \u00e9go, go"),
            "go.mod, look-ahead, let's, next2, \u00e9go, ");
  EXPECT_EQ(SearchedPart("ok"), "");
}

TEST(AskedWords, ErrorLinesAreThoseThatNameAnError) {
  EXPECT_EQ(
      ErrorLinesOf("compiling a\ncompiling b\n  a.cc:3: error: no such type\nmake: stopped\n"),
      "a.cc:3: error: no such type\n");
  EXPECT_EQ(ErrorLinesOf("one\ntwo\n\nthree\nfour\n"), "two\nthree\nfour\n");
  EXPECT_EQ(ErrorLinesOf("error\nerror\n"), "error\n");
  std::string many;
  for (int i = 0; i < 50; ++i) many += "error " + std::to_string(i) + std::string(500, '.') + "\n";
  EXPECT_LE(ErrorLinesOf(many).size(), 6 * 201u);
  EXPECT_EQ(ErrorLinesOf(""), "");
}

}  // namespace
}  // namespace recall
