// The codes of the doctor's findings are a closed list, which the manual and the schema contain.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "storage/check/finding.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

std::string ReadPage(const std::string& name) {
  std::ifstream file(std::string(SourceDir() + "/docs/") + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(FindingCodes, TheManualHasTheTable) {
  std::string table = "| code | severity | `--fix` | meaning |\n| --- | --- | --- | --- |\n";
  for (const FindingInfo& info : AllFindings()) {
    table += "| `" + std::string(info.name) + "` | " + std::string(SeverityName(info.severity)) +
             " | " + (info.repair == Repair::kNone ? "no" : "yes") + " | " +
             std::string(info.meaning) + " |\n";
  }
  EXPECT_NE(ReadPage("json.md").find(table + "\n"), std::string::npos) << table;
}

TEST(FindingCodes, TheSchemaHasThemAll) {
  const auto schema = nlohmann::json::parse(ReadPage("schema/doctor.schema.json"));
  std::vector<std::string> known;
  for (const FindingInfo& info : AllFindings()) known.emplace_back(info.name);
  EXPECT_EQ(schema["$defs"]["finding"]["properties"]["code"]["enum"], known);
  EXPECT_EQ(std::set<std::string>(known.begin(), known.end()).size(), known.size());
}

TEST(FindingCodes, WhatCannotBeRemadeHasAdvice) {
  for (const FindingInfo& info : AllFindings()) {
    EXPECT_TRUE(info.repair != Repair::kNone || !info.advice.empty()) << info.name;
  }
}

}  // namespace
}  // namespace recall
