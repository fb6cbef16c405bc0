// What --stable leaves out.

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "cli/output/response.h"
#include "cli/output/volatile_fields.h"

namespace recall {
namespace {

TEST(VolatileFieldsTest, TheManualHasTheList) {
  std::ostringstream text;
  text << std::ifstream(std::string(RECALL_SOURCE_DIR) + "/docs/json.md").rdbuf();
  const std::string page = text.str();
  const size_t start = page.find("\n## stable");
  const std::string section = page.substr(start, page.find("\n## ", start + 4) - start);
  const std::regex item("\n- `(/[^`]+)`");
  std::vector<std::string> documented;
  for (std::sregex_iterator i(section.begin(), section.end(), item), end; i != end; ++i) {
    documented.push_back((*i)[1].str());
  }
  EXPECT_EQ(documented,
            (std::vector<std::string>(VolatileFields().begin(), VolatileFields().end())));
}

TEST(VolatileFieldsTest, OnlyTheyAreRemoved) {
  Json answer = Json::parse(R"({
    "query": {"text": "x", "as_of": "2026-01-01T00:00:00Z"},
    "explain": {"filter": {"filter": "f", "steps": [{"method": "a", "ms": 1.5}, {"ms": 2}]}},
    "stats": {"took_ms": 3, "total_hits": 4, "timings": {"open_ms": 1}, "memory": {}},
    "store": {"wal_bytes": 5, "took_ms": 6},
    "took_ms": 7
  })");
  RemoveVolatile(&answer);
  EXPECT_EQ(DumpLine(answer),
            "{\"query\":{\"text\":\"x\"},"
            "\"explain\":{\"filter\":{\"filter\":\"f\",\"steps\":[{\"method\":\"a\"},{}]}},"
            "\"stats\":{\"total_hits\":4},\"store\":{\"took_ms\":6},\"took_ms\":7}\n");
}

TEST(VolatileFieldsTest, ShapesThatAreNotThereDoNotMatter) {
  for (const char* text :
       {"null", "[]", "{}", R"({"query":7,"explain":{"filter":{"steps":{}}}})"}) {
    Json answer = Json::parse(text);
    const Json before = answer;
    RemoveVolatile(&answer);
    EXPECT_EQ(answer, before);
  }
}

TEST(VolatileFieldsTest, AStableResponseIsWithoutThemInBothForms) {
  JsonResponse response;
  response.stats = StatsJson(1, StoreSummary(), Measured{12, {{"open", 5}}, true});
  response.results = Json::array({Json::object()});
  EXPECT_NE(FormatJson(response).find("took_ms"), std::string::npos);
  response.stable = true;
  for (const std::string& text : {FormatJson(response), FormatJsonLines(response)}) {
    for (const char* name : {"took_ms", "timings", "memory", "db_size_bytes"}) {
      EXPECT_EQ(text.find(name), std::string::npos) << text;
    }
    EXPECT_NE(text.find("total_hits"), std::string::npos);
  }
}

}  // namespace
}  // namespace recall
