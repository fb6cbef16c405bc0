// Tests of the validator, and of the schemas: they are valid and agree with the code.

#include "tests/cli/json_schema.h"

#include <gtest/gtest.h>

#include <fstream>

#include "cli/commands/commands.h"
#include "cli/show/terminal/exit_code.h"
#include "query/types/search_types.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

using Json = SchemaSet::Json;

// True if `value` satisfies `schema`, whose references start with "#/".
bool Fits(const std::string& schema, const std::string& value) {
  SchemaSet set;
  Json whole = Json::parse(schema);
  whole["$id"] = "https://x/t.schema.json";
  set.Add(whole);
  return set.Violations("t.schema.json", Json::parse(value)).empty();
}

TEST(JsonSchemaTest, EveryKeywordAcceptsAndRefuses) {
  struct Case {
    std::string schema;
    std::string good;
    std::string bad;
  };
  const Case cases[] = {
      {R"({"type":"integer"})", "1", "1.0"},
      {R"({"type":"number"})", "1.5", "\"1.5\""},
      {R"({"type":["string","null"]})", "null", "false"},
      {R"({"type":"array"})", "[]", "{}"},
      {R"({"type":"object"})", "{}", "[]"},
      {R"({"type":"boolean"})", "true", "0"},
      {R"({"const":"2"})", "\"2\"", "2"},
      {R"({"enum":["a",null]})", "null", "\"b\""},
      {R"({"minimum":0})", "0", "-1"},
      {R"({"maximum":1})", "1.0", "1.1"},
      {R"({"pattern":"^[a-f]+$"})", "\"abc\"", "\"abcx\""},
      {R"({"required":["a"]})", R"({"a":null})", R"({"b":1})"},
      {R"({"properties":{"a":{"type":"string"}}})", R"({"b":1})", R"({"a":1})"},
      {R"({"properties":{"a":{}},"additionalProperties":{"type":"string"}})", R"({"a":1,"b":"x"})",
       R"({"a":1,"b":2})"},
      {R"({"items":{"type":"string"}})", R"(["a"])", R"(["a",1])"},
      {R"({"minItems":1})", "[1]", "[]"},
      {R"({"allOf":[{"type":"integer"},{"minimum":3}]})", "3", "2"},
      {R"({"anyOf":[{"type":"string"},{"minimum":3}]})", "3", "2"},
      {R"({"not":{"required":["a"]}})", "{}", R"({"a":1})"},
      {R"({"$ref":"#/$defs/x","$defs":{"x":{"type":"null"}}})", "null", "1"},
      {R"({"items":{"$ref":"t.schema.json#/$defs/x"},"$defs":{"x":{"type":"null"}}})", "[null]",
       "[1]"},
  };
  for (const Case& c : cases) {
    EXPECT_TRUE(Fits(c.schema, c.good)) << c.schema << " " << c.good;
    EXPECT_FALSE(Fits(c.schema, c.bad)) << c.schema << " " << c.bad;
  }
}

TEST(JsonSchemaTest, WhatItDoesNotKnowIsAViolation) {
  EXPECT_FALSE(Fits(R"({"maxLength":3})", "\"a\""));
  EXPECT_FALSE(Fits(R"({"$ref":"#/$defs/none"})", "1"));
  EXPECT_FALSE(Fits(R"({"$ref":"none.schema.json"})", "1"));
}

TEST(JsonSchemaTest, AViolationNamesThePlace) {
  SchemaSet set;
  set.Add(Json::parse(R"({"$id":"t","properties":{"a":{"items":{"type":"string"}}}})"));
  const auto violations = set.Violations("t", Json::parse(R"({"a":["x",7]})"));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0], "/a/1: 7 is not of type \"string\"");
}

TEST(JsonSchemaTest, FaultsOfASchemaAreFoundWithoutAValue) {
  SchemaSet set;
  set.Add(Json::parse(R"({"$id":"t","properties":{"a":{"maxLength":3},"b":{"$ref":"#/x"}},
                          "anyOf":[{"pattern":"("}],"additionalProperties":false})"));
  EXPECT_EQ(set.Faults().size(), 4u);
}

class DocumentedSchemas : public ::testing::Test {
 protected:
  const SchemaSet schemas_ = SchemaSet::Load(SourceDir() + "/docs/schema");
};

TEST_F(DocumentedSchemas, AreSound) { EXPECT_EQ(schemas_.Faults(), std::vector<std::string>()); }

TEST_F(DocumentedSchemas, HaveTheirVersionAndNameInTheirId) {
  for (const std::string& file : schemas_.Files()) {
    const Json& schema = schemas_.Schema(file);
    EXPECT_EQ(schema["$id"], "https://recall.local/schema/2/" + file);
    EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    EXPECT_TRUE(std::ifstream(SourceDir() + "/docs/schema/" + file).good()) << file;
  }
}

TEST_F(DocumentedSchemas, ThereIsOneForEveryCommand) {
  for (const std::string& name : CommandNames()) {
    EXPECT_TRUE(schemas_.Has(name + ".schema.json")) << name;
  }
}

TEST_F(DocumentedSchemas, ErrorCodesAreTheClosedList) {
  const Json& error = schemas_.Schema("error.schema.json")["$defs"]["error"]["properties"];
  Json names = Json::array();
  for (const ErrorCodeInfo& info : AllErrorCodes()) names.push_back(std::string(info.name));
  EXPECT_EQ(error["code"]["enum"], names);
  Json numbers = Json::array();
  for (const ExitCodeInfo& info : AllExitCodes()) {
    if (info.code != ExitCode::kDone) numbers.push_back(static_cast<int>(info.code));
  }
  EXPECT_EQ(error["details"]["properties"]["exit_code"]["enum"], numbers);
}

TEST_F(DocumentedSchemas, FieldsAreTheCatalogue) {
  const Json& defs = schemas_.Schema("common.schema.json")["$defs"];
  for (const FieldTable table : {FieldTable::kDoc, FieldTable::kChunk}) {
    const char* name = table == FieldTable::kDoc ? "docFields" : "chunkFields";
    std::vector<std::string> described;
    for (const auto& [key, schema] : defs[name]["properties"].items()) described.push_back(key);
    std::vector<std::string> known;
    for (const FieldInfo& info : AllFields()) {
      if (info.table == table) known.emplace_back(info.name);
    }
    EXPECT_EQ(described, known) << name;
  }
}

}  // namespace
}  // namespace recall
