#include "cli/server/tools/tool_arguments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace recall {
namespace {

const ToolInfo& Tool(std::string_view name) {
  const auto all = AllTools();
  const auto found = std::ranges::find(all, name, &ToolInfo::name);
  EXPECT_NE(found, all.end()) << name;
  return *found;
}

ToolArguments Good(std::string_view tool, const Json& arguments) {
  auto read = ToolArguments::Read(Tool(tool), arguments);
  EXPECT_TRUE(read.has_value()) << arguments << ": " << read.error().message;
  return std::move(read).value();
}

std::string FaultOf(std::string_view tool, const Json& arguments) {
  const auto read = ToolArguments::Read(Tool(tool), arguments);
  EXPECT_FALSE(read.has_value()) << arguments;
  if (read) return "";
  EXPECT_EQ(read.error().code, "invalid_argument");
  return read.error().message;
}

using Flags = std::vector<std::string>;

TEST(ToolArgumentsTest, BecomeFlagsInTheOrderOfTheTable) {
  const ToolArguments read = Good("search", {{"fields", "path,score"},
                                             {"min_score", 0.25},
                                             {"query", "q"},
                                             {"k", 3},
                                             {"filter", "-x"},
                                             {"budget_tokens", 500}});
  EXPECT_EQ(read.Flags(),
            (Flags{"-k", "3", "--filter=-x", "--min-score=0.25", "--fields=path,score"}));
  EXPECT_EQ(read.Text("query"), "q");
  EXPECT_EQ(read.Integer("budget_tokens"), 500);
  EXPECT_EQ(Good("rm", {{"targets", "a"}, {"dry_run", true}}).Flags(), (Flags{"--dry-run"}));
  EXPECT_EQ(Good("rm", {{"targets", "a"}, {"dry_run", false}}).Flags(), Flags());
}

TEST(ToolArgumentsTest, NamesThatModelsGuessAreUnderstood) {
  for (const char* name : {"query", "q", "text", "question", "search", "search_query"}) {
    EXPECT_EQ(Good("search", {{name, "words"}}).Text("query"), "words") << name;
  }
  for (const char* name : {"k", "limit", "n", "count", "top_k", "max_results", "num_results"}) {
    EXPECT_EQ(Good("search", {{"query", "w"}, {name, 5}}).Integer("k"), 5) << name;
  }
  for (const char* name : {"filter", "where", "filters"}) {
    EXPECT_EQ(Good("search", {{"query", "w"}, {name, "f"}}).Text("filter"), "f") << name;
  }
  for (const char* name : {"target", "path", "id", "uri", "file", "citation", "targets", "paths"}) {
    EXPECT_EQ(Good("get", {{name, "p"}}).Texts("target"), Flags{"p"}) << name;
  }
  for (const char* name : {"budget_tokens", "max_tokens", "budget", "token_budget", "tokens"}) {
    EXPECT_EQ(Good("context", {{"query", "w"}, {name, 300}}).Integer("budget_tokens"), 300) << name;
  }
  EXPECT_EQ(Good("query", {{"query", "SELECT"}}).Text("rql"), "SELECT");
  EXPECT_EQ(Good("add", {{"path", "p"}}).Texts("paths"), Flags{"p"});
  for (const char* name : {"file", "path", "target"}) {
    EXPECT_EQ(Good("related", {{name, "p"}, {"limit", 3}}).Text("file"), "p") << name;
  }
  EXPECT_EQ(Good("suggest", {{"kind", "link"}, {"limit", 3}}).Flags(),
            (Flags{"--kind=link", "-k", "3"}));
  EXPECT_EQ(Good("settle", {{"reject", "0123456789ab"}}).Flags(), Flags{"--reject=0123456789ab"});
}

TEST(ToolArgumentsTest, EachParameterIsFoundByItsOwnNameFirst) {
  for (const ToolInfo& tool : AllTools()) {
    for (const ToolParameter& parameter : tool.parameters) {
      EXPECT_EQ(FindParameter(tool, parameter.name), &parameter) << tool.name << parameter.name;
    }
  }
}

TEST(ToolArgumentsTest, TwoNamesOfOneArgumentMustAgree) {
  EXPECT_EQ(Good("search", {{"query", "w"}, {"q", "w"}, {"k", 5}, {"limit", "5"}}).Integer("k"), 5);
  EXPECT_EQ(FaultOf("search", {{"query", "a"}, {"q", "b"}}),
            "'q' contradicts 'query', which it stands for");
  EXPECT_NE(FaultOf("search", {{"query", "a"}, {"k", 5}, {"top_k", 6}}), "");
}

TEST(ToolArgumentsTest, TypesAreConvertedIfNothingIsLost) {
  for (const Json& five : {Json(5), Json("5"), Json(5.0), Json(5u)}) {
    EXPECT_EQ(Good("search", {{"query", "w"}, {"k", five}}).Integer("k"), 5) << five;
  }
  for (const Json& bad :
       {Json(5.5), Json("5.5"), Json("5 "), Json(" 5"), Json("five"), Json::array({5}),
        Json::object(), Json(1e300), Json(18446744073709551615u), Json("99999999999999999999")}) {
    EXPECT_EQ(FaultOf("search", {{"query", "w"}, {"k", bad}}), "k must be an integer") << bad;
  }
  EXPECT_EQ(Good("search", {{"query", 404}}).Text("query"), "404");
  EXPECT_EQ(Good("rm", {{"targets", "a"}, {"dry_run", "true"}}).Flags(), Flags{"--dry-run"});
  for (const Json& yes : {Json(1), Json("1"), Json(true)}) {
    EXPECT_EQ(Good("rm", {{"targets", "a"}, {"dry_run", yes}}).Flags(), Flags{"--dry-run"}) << yes;
    EXPECT_EQ(Good("search", {{"query", "w"}, {"hops", yes}}).Integer("hops"), 1) << yes;
  }
  EXPECT_EQ(Good("rm", {{"targets", "a"}, {"dry_run", 0}}).Flags(), Flags());
  EXPECT_EQ(Good("search", {{"query", "w"}, {"hops", false}}).Integer("hops"), 0);
  EXPECT_EQ(FaultOf("rm", {{"targets", "a"}, {"dry_run", 2}}), "dry_run must be true or false");
  EXPECT_EQ(FaultOf("search", {{"query", Json::object()}}), "query must be a text");
  EXPECT_EQ(FaultOf("search", {{"query", "w"}, {"min_score", "high"}}),
            "min_score must be a number");
  EXPECT_EQ(Good("get", {{"target", Json::array({"a", "b"})}}).Texts("target"), (Flags{"a", "b"}));
  EXPECT_NE(FaultOf("get", {{"target", Json::array({"a", 1})}}), "");
  EXPECT_NE(FaultOf("get", {{"target", Json::array()}}), "");
}

TEST(ToolArgumentsTest, ArraysMayBeTheirJsonTextAndFieldsAnArray) {
  EXPECT_EQ(Good("get", {{"target", R"(["a.md","b.md"])"}}).Texts("target"),
            (Flags{"a.md", "b.md"}));
  for (const char* path : {"[draft].md", "[1]", R"(["a", 1])", "["}) {
    EXPECT_EQ(Good("get", {{"target", path}}).Texts("target"), Flags{path}) << "a path";
  }
  for (const Json& fields :
       {Json("path,score"), Json::array({"path", "score"}), Json(R"(["path", "score"])")}) {
    EXPECT_EQ(Good("search", {{"query", "w"}, {"fields", fields}}).Flags(),
              Flags{"--fields=path,score"})
        << fields;
  }
  EXPECT_NE(FaultOf("search", {{"query", "w"}, {"fields", Json::array({"path", 1})}}), "");
}

TEST(ToolArgumentsTest, AContextIsAnObjectOrItsText) {
  const Json context = {{"situation", "x"}, {"trigger_keywords", {"y", "z"}}};
  for (const Json& given : {context, Json(context.dump())}) {
    EXPECT_EQ(Good("save", {{"type", "bug"}, {"title", "t"}, {"context", given}}).Flags(),
              Flags{"--context=" + context.dump()})
        << given;
  }
  for (const Json& bad : {Json(1), Json(true), Json::array({context})}) {
    EXPECT_EQ(FaultOf("save", {{"type", "bug"}, {"title", "t"}, {"context", bad}}),
              "context must be a JSON object, or its text")
        << bad;
  }
}

TEST(ToolArgumentsTest, AnEmptyTextIsTheSameAsNoArgument) {
  for (const ToolInfo& tool : AllTools()) {
    Json all = Json::object();
    Json needed = Json::object();
    for (const ToolParameter& parameter : tool.parameters) {
      all[std::string(parameter.name)] = parameter.required ? "x" : "";
      if (parameter.required) needed[std::string(parameter.name)] = "x";
    }
    EXPECT_EQ(Good(tool.name, all).Flags(), Good(tool.name, needed).Flags()) << tool.name;
  }
  EXPECT_EQ(Good("search", {{"query", "w"}, {"since", ""}, {"limit", ""}}).Flags(), Flags());
}

TEST(ToolArgumentsTest, NullIsTheSameAsNoArgument) {
  EXPECT_EQ(Good("search", {{"query", "w"}, {"k", nullptr}, {"since", nullptr}}).Flags(), Flags());
  EXPECT_EQ(FaultOf("search", {{"query", nullptr}}), "query is missing");
  EXPECT_EQ(FaultOf("search", nullptr), "query is missing");
}

TEST(ToolArgumentsTest, UnknownNamesAreErrorsThatListTheKnownOnes) {
  const auto read = ToolArguments::Read(Tool("search"), {{"query", "w"}, {"mode", "fast"}});
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().message, "unknown argument 'mode' of search");
  EXPECT_EQ(
      read.error().hint,
      "it has query, k, filter, view, hops, min_score, fields, payload, budget_tokens, cursor");
  EXPECT_EQ(FaultOf("status", {{"verbose", true}}), "unknown argument 'verbose' of status");
}

TEST(ToolArgumentsTest, TextsMayNotContainTheCharacterZero) {
  const std::string zero("a\0b", 3);
  EXPECT_EQ(FaultOf("search", {{"query", zero}}), "query contains a character with the code 0");
  EXPECT_NE(FaultOf("get", {{"target", Json::array({"a", zero})}}), "");
  EXPECT_NE(FaultOf("search", {{"query", "w"}, {"since", zero}}), "");
  // The six characters of its escape are a text like any other.
  EXPECT_EQ(Good("search", {{"query", "what is \\u0000"}}).Text("query"), "what is \\u0000");
}

TEST(ToolArgumentsTest, SinceAndBeforeBecomePartOfTheFilter) {
  EXPECT_EQ(Good("search", {{"query", "w"}, {"since", "-7d"}}).Text("filter"),
            "doc.mtime >= '-7d'");
  EXPECT_EQ(Good("search", {{"query", "w"},
                            {"before", "2026-01-01"},
                            {"since", "-7d"},
                            {"where", "doc.tag = 'a' OR doc.tag = 'b'"}})
                .Text("filter"),
            "((doc.tag = 'a' OR doc.tag = 'b') AND doc.mtime < '2026-01-01') AND "
            "doc.mtime >= '-7d'");
  // What is quoted stays one text, whatever quotes and backslashes it has.
  EXPECT_EQ(Good("search", {{"query", "w"}, {"since", "x' OR 'a' = 'a"}}).Text("filter"),
            R"(doc.mtime >= 'x\' OR \'a\' = \'a')");
  EXPECT_EQ(
      Good("search", {{"query", "w"}, {"since", R"(\' OR doc.size > 0 OR 'a\)"}}).Text("filter"),
      R"(doc.mtime >= '\\\' OR doc.size > 0 OR \'a\\')");
  EXPECT_EQ(FaultOf("get", {{"target", "a"}, {"since", "-7d"}}), "unknown argument 'since' of get");
  EXPECT_EQ(FaultOf("search", {{"query", "w"}, {"since", 7}}), "since must be a text");
}

TEST(ToolArgumentsTest, TheFingerprintIsThatOfTheResults) {
  const auto print = [](const char* tool, const Json& arguments) {
    return Good(tool, arguments).Fingerprint();
  };
  const Json base = {{"query", "w"}, {"k", 5}};
  EXPECT_EQ(print("search", base),
            print("search", {{"limit", "9"}, {"q", "w"}, {"budget", 700}, {"cursor", "x"}}));
  std::set<uint32_t> different = {print("search", base),
                                  print("search", {{"query", "v"}}),
                                  print("search", {{"query", "w"}, {"filter", "f"}}),
                                  print("search", {{"query", "w"}, {"fields", "path"}}),
                                  print("search", {{"query", "w"}, {"min_score", 0.5}}),
                                  print("context", {{"query", "w"}}),
                                  print("similar", {{"target", "w"}})};
  EXPECT_EQ(different.size(), 7u);
}

TEST(ToolTableTest, ToolsThatReadCostAModelAtMost1500Tokens) {
  Json described = Json::array();
  for (const ToolInfo& tool : AllTools()) {
    if (tool.writes || tool.on_request) continue;
    const Json all = DescribeTool(tool, false);
    described.push_back({{"name", all["name"]},
                         {"description", all["description"]},
                         {"inputSchema", all["inputSchema"]}});
  }
  EXPECT_EQ(described.size(), 10u);
  EXPECT_LE(PrintJson(described).size(), 6000u);
}

TEST(ToolTableTest, WhatFewNeedIsOnRequestAndShortAsWell) {
  Json described = Json::array();
  std::vector<std::string> names;
  for (const ToolInfo& tool : AllTools()) {
    if (!tool.on_request) continue;
    names.emplace_back(tool.name);
    described.push_back(DescribeTool(tool, false)["inputSchema"]);
  }
  EXPECT_EQ(names, (Flags{"related", "suggest", "settle"}));
  EXPECT_LE(PrintJson(described).size(), 1500u);
}

TEST(ToolTableTest, DescriptionsSayWhatWrites) {
  for (const ToolInfo& tool : AllTools()) {
    const Json described = DescribeTool(tool, true);
    EXPECT_EQ(described["annotations"]["readOnlyHint"], !tool.writes) << tool.name;
    EXPECT_EQ(described["outputSchema"]["type"], "object") << tool.name;
    EXPECT_FALSE(DescribeTool(tool, false).contains("outputSchema")) << tool.name;
    for (const Json& required : JsonMember(described["inputSchema"], "required")) {
      EXPECT_TRUE(described["inputSchema"]["properties"].contains(required)) << tool.name;
    }
  }
}

}  // namespace
}  // namespace recall
