#include "cli/server/serve/openapi.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/server/mcp/json_rpc.h"

namespace recall {
namespace {

Json DocumentOf(const std::vector<std::string>& names) {
  std::vector<ServedCommand> commands;
  for (const std::string& name : names) {
    const CommandInfo& info = *FindCommand(name);
    commands.push_back({info.name, info.summary, false, EntriesOf(info)});
  }
  return Json::parse(OpenApiDocument(commands, "1.2.3"));
}

// Calls `visit` with each reference in the document.
template <typename Visit>
void ForEachReference(const Json& json, const Visit& visit) {
  if (json.is_object() && json.contains("$ref")) visit(std::string(json["$ref"]));
  if (!json.is_structured()) return;
  for (const Json& part : json) ForEachReference(part, visit);
}

TEST(OpenApiTest, EachReferenceLeadsToASchema) {
  const Json document = DocumentOf({"search", "similar", "context", "query", "get", "ls", "stats"});
  std::set<std::string> references;
  ForEachReference(document, [&](const std::string& ref) {
    references.insert(ref);
    ASSERT_TRUE(ref.starts_with("#/")) << ref;
    EXPECT_TRUE(document.contains(Json::json_pointer(ref.substr(1)))) << ref;
  });
  EXPECT_GT(references.size(), 20U);
  EXPECT_TRUE(references.contains("#/components/schemas/search"));
}

TEST(OpenApiTest, RequestsHaveTheFlagsOfTheirCommand) {
  const Json document = DocumentOf({"search", "context"});
  const Json& paths = document["paths"];
  EXPECT_TRUE(paths.contains("/v1/search"));
  EXPECT_FALSE(paths.contains("/v1/add"));
  const auto properties = [&](const char* path) {
    return paths[path]["post"]["requestBody"]["content"]["application/json"]["schema"]
                ["properties"];
  };
  const Json search = properties("/v1/search");
  EXPECT_EQ(search["explain"]["type"], "boolean");
  EXPECT_EQ(search["identical"]["enum"], Json::parse(R"(["fold", "list", "keep"])"));
  EXPECT_TRUE(search.contains("query"));
  EXPECT_FALSE(search.contains("store"));
  EXPECT_TRUE(properties("/v1/context").contains("budget_tokens"));
  EXPECT_EQ(document["info"]["version"], "1.2.3");
}

}  // namespace
}  // namespace recall
