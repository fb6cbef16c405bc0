#include "cli/server/serve/command_request.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Words = std::vector<std::string>;

Result<Words> Args(const std::string& command, const std::string& body) {
  return ArgsFromBody(EntriesOf(*FindCommand(command)), body);
}

std::string ErrorOf(const std::string& command, const std::string& body) {
  const auto args = Args(command, body);
  if (args) return "no error";
  EXPECT_EQ(args.error().code(), StatusCode::kInvalidArgument);
  return std::string(args.error().message());
}

TEST(CommandRequest, MembersAreFlagsAndArguments) {
  EXPECT_EQ(Must(Args("search", R"({"query": "retry policy", "k": 3, "min_score": 0.5})")),
            (Words{"--k=3", "--min-score=0.5", "--", "retry policy"}));
  EXPECT_EQ(Must(Args("get", R"({"target": ["a.md:1-2", "b.md"], "cite": true})")),
            (Words{"--cite", "--", "a.md:1-2", "b.md"}));
  EXPECT_EQ(Must(Args("stats", "")), (Words{"--"}));
  EXPECT_EQ(Must(Args("stats", "{}")), (Words{"--"}));
}

// Only the user of the server decides whether extractors run without a sandbox, and what becomes of
// credentials.
TEST(CommandRequest, WhatProtectsTheServerIsNotForClients) {
  for (const char* body :
       {R"({"path": "a.pdf", "unsafe_extract": true})", R"({"path": "a.md", "secrets": "keep"})",
        R"({"path": "a.pdf", "password_file": "/etc/passwd"})"}) {
    EXPECT_TRUE(ErrorOf("add", body).starts_with("unknown member")) << body;
  }
  EXPECT_TRUE(ErrorOf("save", R"({"title": ["lesson", "x"], "secrets": "keep"})")
                  .starts_with("unknown member"));
  EXPECT_TRUE(
      ErrorOf("embed", R"({"model": "/home/other/recall.db"})").starts_with("unknown member"));
}

// The program that the commands run in may name its files, but neither another store nor the form
// of the answer.
TEST(CommandRequest, AHostMayNameFiles) {
  const auto args = [](const std::string& command, const std::string& body) {
    return ArgsFromBody(EntriesOf(*FindCommand(command)), body, Requester::kHost);
  };
  EXPECT_EQ(Must(args("add", R"({"jsonl": "a.jsonl", "secrets": "skip"})")),
            (Words{"--jsonl=a.jsonl", "--secrets=skip", "--"}));
  EXPECT_EQ(Must(args("add", R"({"path": ["a"], "root": "/a"})")), (Words{"--root=/a", "--", "a"}));
  EXPECT_EQ(Must(args("embed", R"({"model": "team.db"})")), (Words{"--model=team.db", "--"}));
  for (const char* body : {R"({"query": "x", "store": "b.db"})", R"({"query": "x", "jsonl": true})",
                           R"({"query": "x", "lean": true})", R"({"query": "x", "json": true})",
                           R"({"query": "x", "config": "a.toml"})"}) {
    EXPECT_FALSE(args("search", body).has_value()) << body;
  }
}

TEST(CommandRequest, SwitchesAreTrueOrFalseAndNullIsNothing) {
  EXPECT_EQ(Must(Args("search", R"({"query": "x", "exact": true, "bm25": false, "k": null})")),
            (Words{"--exact", "--", "x"}));
  EXPECT_EQ(ErrorOf("search", R"({"query": "x", "exact": 1})"), "exact must be true or false");
}

// No text can become a flag, however it begins.
TEST(CommandRequest, TextsStayTexts) {
  EXPECT_EQ(Must(Args("search", R"({"query": "--store=/etc", "filter": "--config=x"})")),
            (Words{"--filter=--config=x", "--", "--store=/etc"}));
}

TEST(CommandRequest, AnEmbeddingIsAnArrayOfNumbers) {
  EXPECT_EQ(Must(Args("search", R"({"embedding": [0.5, -1, 2e-3]})")),
            (Words{"--embedding=[0.5,-1,0.002]", "--"}));
  // The command line would read a file for "@/etc/passwd".
  for (const std::string value : {R"("@/etc/passwd")", R"("[1]")", R"(["@x"])", "1", "true"}) {
    EXPECT_EQ(ErrorOf("search", R"({"embedding": )" + value + "}"),
              "embedding must be an array of numbers");
  }
}

TEST(CommandRequest, JsonIsAnObjectOrItsText) {
  const Words expected = {R"(--context={"situation":"x","trigger_keywords":["y"]})", "--", "bug",
                          "x"};
  for (const std::string context : {R"({"situation": "x", "trigger_keywords": ["y"]})",
                                    R"("{\"situation\":\"x\",\"trigger_keywords\":[\"y\"]}")"}) {
    EXPECT_EQ(Must(Args("save", R"({"note": ["bug", "x"], "context": )" + context + "}")), expected)
        << context;
  }
}

TEST(CommandRequest, OtherValuesAreErrors) {
  for (const std::string value : {"{}", "[[1]]", "[null]", "true", "[true]"}) {
    EXPECT_EQ(ErrorOf("search", R"({"query": )" + value + "}"),
              "query must be a text, a number or an array of them")
        << value;
  }
  EXPECT_EQ(ErrorOf("search", R"({"query": "a\u0000b"})"),
            "query contains a character with the code 0");
  EXPECT_EQ(ErrorOf("search", R"({"querry": "x"})"), "unknown member 'querry'");
}

TEST(CommandRequest, TheBodyMustBeAnObjectThatIsNotTooDeep) {
  for (const std::string body : {"x", "[]", "[{}]", "1", "\"x\"", "{", "{}{}", "null"}) {
    EXPECT_EQ(ErrorOf("search", body), "the body must be a JSON object") << body;
  }
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(ErrorOf("search", R"({"query": )" + deep + "}"), "the body must be a JSON object");
}

// A client must not choose what the server reads or writes besides documents.
TEST(CommandRequest, NoMemberNamesAFileOrStoreOfTheServer) {
  constexpr std::array<std::string_view, 12> kCommands = {"search", "similar", "context", "query",
                                                          "grep",   "symbols", "map",     "get",
                                                          "ls",     "stats",   "add",     "rm"};
  size_t files = 0;
  for (const std::string_view command : kCommands) {
    const auto entries = EntriesOf(*FindCommand(command));
    for (const FlagSet::Entry& entry : entries) {
      constexpr std::array<std::string_view, 3> kFiles = {"FILE", "DIR", "PATH"};
      if (entry.is_argument() || std::ranges::count(kFiles, entry.value) == 0) continue;
      ++files;
      std::string member = LongFlagName(entry.name).substr(2);
      std::ranges::replace(member, '-', '_');
      EXPECT_EQ(ErrorOf(std::string(command), "{\"" + member + "\": \"x\"}"),
                "unknown member '" + member + "'")
          << command;
    }
  }
  EXPECT_GT(files, 10U);
}

// A file that is exported has a format. The answer has the one of the host.
TEST(CommandRequest, AHostChoosesTheFormatOfAFileAndNotOfAnAnswer) {
  const std::string body = R"({"format": "published"})";
  EXPECT_TRUE(ArgsFromBody(EntriesOf(*FindCommand("export")), body, Requester::kHost));
  EXPECT_EQ(ErrorOf("export", body), "unknown member 'format'");
  const std::string text = R"({"query": "x", "format": "text"})";
  EXPECT_FALSE(ArgsFromBody(EntriesOf(*FindCommand("search")), text, Requester::kHost));
}

}  // namespace
}  // namespace recall
