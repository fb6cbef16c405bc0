#include "cli/compat/tools/compat_tools.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "cli/compat/tools/schema_notation.h"
#include "index/subword/token_estimate.h"
#include "tests/test_util.h"

namespace recall {
namespace {

TEST(SchemaNotationTest, BecomesJsonSchema) {
  const Json schema = SchemaFrom(
      "query*: text 'a question; or words'; kind: text(a|b); k: integer 1..20; weight: number 0..; "
      "deep: flag; list*: [{name*: text; items: [text]}]");
  EXPECT_EQ(schema, Json::parse(R"({"type": "object", "properties": {
      "query": {"type": "string", "description": "a question; or words"},
      "kind": {"type": "string", "enum": ["a", "b"]},
      "k": {"type": "integer", "minimum": 1, "maximum": 20},
      "weight": {"type": "number", "minimum": 0},
      "deep": {"type": "boolean"},
      "list": {"type": "array", "items": {"type": "object", "properties": {
          "name": {"type": "string"}, "items": {"type": "array", "items": {"type": "string"}}},
        "required": ["name"]}}},
    "required": ["query", "list"]})"));
  EXPECT_EQ(SchemaFrom(""), Json::parse(R"({"type": "object", "properties": {}})"));
}

TEST(SchemaFaultTest, SaysWhereAValueIsWrong) {
  const Json schema = SchemaFrom(
      "kind: text(a|b); k: integer 1..20; weight: number 0..; list: [{name*: text; items: "
      "[text]}]");
  const std::pair<const char*, const char*> cases[] = {
      {R"({})", ""},
      {R"({"k": 20, "kind": "b", "weight": 3.5, "other": 1, "list": null})", ""},
      {R"({"list": [{"name": "x", "items": []}]})", ""},
      {R"({"k": "20"})", "k must be an integer"},
      {R"({"k": 2.5})", "k must be an integer"},
      {R"({"k": 21})", "k must be a number from 1 to 20"},
      {R"({"weight": -1})", "weight must be a number from 0 on"},
      {R"({"kind": "c"})", "kind must be one of [\"a\",\"b\"]"},
      {R"({"list": {}})", "list must be an array"},
      {R"({"list": [{"name": "x"}, {}]})", "list[1].name is missing"},
      {R"({"list": [{"name": "x", "items": ["a", 7]}]})", "list[0].items[1] must be a string"},
  };
  for (const auto& [value, fault] : cases) {
    EXPECT_EQ(SchemaFault(schema, Json::parse(value), ""), fault) << value;
  }
}

TEST(CompatToolTableTest, EachRequiredArgumentIsDescribedAndNamesAreUnique) {
  for (const ToolSet& set : ToolSets()) {
    std::set<std::string_view> names;
    for (const CompatTool& tool : set.tools()) {
      EXPECT_TRUE(names.insert(tool.name).second) << tool.name;
      for (const std::string_view notation : {tool.input, tool.output}) {
        const Json schema = SchemaFrom(notation);
        for (const auto& [name, part] : schema["properties"].items()) {
          EXPECT_NE(JsonText(part, "type"), "") << tool.name << " " << name;
        }
      }
      const bool shown = tool.shown.empty() ||
                         SchemaFrom(tool.output)["properties"].contains(std::string(tool.shown));
      EXPECT_TRUE(shown) << tool.name;
    }
  }
}

Json RandomValue(std::mt19937_64& random, int depth) {
  const auto kind = random() % (depth > 3 ? 3 : 5);
  if (kind == 0) return static_cast<int64_t>(random() % 1000);
  if (kind <= 2) return std::string(random() % 300, 'x') + " \"ä漢\n";
  Json value = kind == 3 ? Json::array() : Json::object();
  for (size_t i = random() % 6; i > 0; --i) {
    kind == 3 ? value.push_back(RandomValue(random, depth + 1))
              : void(value["m" + std::to_string(i)] = RandomValue(random, depth + 1));
  }
  return value;
}

TEST(FitAnswerTest, NoAnswerExceedsItsBudgetAndShortOnesStay) {
  std::mt19937_64 random(TestSeed(1));
  for (int round = 0; round < 400; ++round) {
    Json answer = {{"list", Json::array()}};
    for (size_t i = random() % 20; i > 0; --i) answer["list"].push_back(RandomValue(random, 0));
    answer["text"] = std::string(random() % 2000, 'y');
    const Json whole = answer;
    const std::string_view shown = round % 3 == 0 ? "list" : "";
    const int64_t needed = EstimateTokens(TextOfAnswer(whole, shown));
    const int64_t budget = 100 + static_cast<int64_t>(random() % 3000);
    FitAnswer(answer, shown, budget);
    EXPECT_LE(EstimateTokens(TextOfAnswer(answer, shown)), budget) << whole;
    if (needed <= budget) {
      EXPECT_EQ(answer, whole);
    } else if (shown.empty()) {
      EXPECT_EQ(answer["truncated"], true);
    }
  }
}

}  // namespace
}  // namespace recall
