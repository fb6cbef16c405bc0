#include "cli/compat/rekal/rekal_calls.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

using Args = std::vector<std::string>;

// The only call of a command line, in a pipe.
Args CallOf(Args args) {
  const std::vector<RekalCall> calls = CallsOfRekal(std::move(args), /*terminal=*/false);
  EXPECT_EQ(calls.size(), 1u);
  EXPECT_FALSE(calls.front().may_fail);
  return calls.front().args;
}

TEST(RekalCallsTest, TheNameIsThatOfTheProgram) {
  EXPECT_TRUE(IsRekal("rekal"));
  EXPECT_TRUE(IsRekal("/usr/local/bin/rekal"));
  EXPECT_FALSE(IsRekal("/opt/rekal/bin/recall"));
  EXPECT_FALSE(IsRekal("rekall"));
}

TEST(RekalCallsTest, CommandsAreThoseOfRecall) {
  EXPECT_EQ(CallOf({"checkpoint"}), Args{"capture"});
  EXPECT_EQ(CallOf({"--quiet", "checkpoint"}), (Args{"--quiet", "capture"}));
  EXPECT_EQ(CallOf({"clean"}), (Args{"uninstall", "git"}));
  EXPECT_EQ(CallOf({"index"}), (Args{"doctor", "--fix"}));
  EXPECT_EQ(CallOf({"push", "-f"}), (Args{"push", "--force"}));
  EXPECT_EQ(CallsOfRekal({"init"}, false),
            (std::vector<RekalCall>{RekalCall{Args{"init"}}, RekalCall{Args{"install", "git"}}}));
  for (const Args& same : {Args{}, Args{"JWT", "expiry"}, Args{"log", "--limit", "5"},
                           Args{"version"}, Args{"query", "SELECT doc.path FROM doc"}}) {
    EXPECT_EQ(CallOf(same), same);
  }
}

TEST(RekalCallsTest, WordsOfAQuestionAreNoCommands) {
  for (const Args& question : {Args{"--author", "sync", "JWT"}, Args{"--file=x", "index"},
                               Args{"--", "checkpoint"}, Args{"why", "sync"}}) {
    EXPECT_EQ(CallOf(question), question);
  }
}

TEST(RekalCallsTest, SyncCapturesPushesAndPulls) {
  EXPECT_EQ(CallsOfRekal({"--quiet", "sync"}, false),
            (std::vector<RekalCall>{RekalCall{Args{"--quiet", "capture"}, true},
                                    RekalCall{Args{"--quiet", "push"}, true},
                                    RekalCall{Args{"--quiet", "pull"}, true}}));
  EXPECT_EQ(CallOf({"sync", "--self"}), Args{"pull"});
  EXPECT_EQ(CallOf({"sync", "--dry-run"}), (Args{"pull", "--dry-run"}))
      << "it must neither capture nor push";
}

TEST(RekalCallsTest, ASessionIsReadByItsTurns) {
  EXPECT_EQ(CallOf({"query", "--session", "0d6c", "--offset", "10", "--limit", "5"}),
            (Args{"get", "--turns=10:5", "--shape=rekal", "0d6c"}));
  EXPECT_EQ(CallOf({"query", "--session=0d6c", "--role", "human"}),
            (Args{"get", "--turns=0:", "--role=human", "--shape=rekal", "0d6c"}));
  EXPECT_EQ(CallOf({"query", "--full", "--limit=0", "--session", "0d6c"}),
            (Args{"get", "--turns=0:", "--shape=rekal", "0d6c", "--full"}));
  // On a terminal, and where another form is asked for, there is no shape.
  EXPECT_EQ(CallOf({"query", "--session", "0d6c", "--json"}),
            (Args{"get", "--turns=0:", "0d6c", "--json"}));
  EXPECT_EQ(CallOf({"--json", "query", "--session", "0d6c"}),
            (Args{"--json", "get", "--turns=0:", "0d6c"}));
  EXPECT_EQ(CallsOfRekal({"query", "--session", "0d6c"}, true).front().args,
            (Args{"get", "--turns=0:", "0d6c"}));
}

TEST(RekalCallsTest, SearchesGetTheShapeUnlessAFormIsGiven) {
  EXPECT_EQ(InShapeOfRekal({"JWT", "-n", "5"}), (Args{"--shape=rekal", "JWT", "-n", "5"}));
  EXPECT_EQ(InShapeOfRekal({"--", "--json"}), (Args{"--shape=rekal", "--", "--json"}));
  for (const Args& formed : {Args{"JWT", "--json"}, Args{"JWT", "--lean"},
                             Args{"JWT", "--fields=path"}, Args{"--shape", "rekal", "JWT"}}) {
    EXPECT_EQ(InShapeOfRekal(formed), formed);
  }
}

}  // namespace
}  // namespace recall
