// The fields that --stable omits.

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "cli/show/output/response.h"
#include "cli/show/output/volatile_fields.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

TEST(VolatileFieldsTest, TheManualHasTheList) {
  std::ostringstream text;
  text << std::ifstream(std::string(SourceDir()) + "/docs/json.md").rdbuf();
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

TEST(VolatileFieldsTest, AStableResponseIsWithoutThemInBothForms) {
  JsonResponse response;
  const StoreSummary store;
  response.stats = StatsFields(1, store, Measured{12, {{"open", 5}}, true});
  response.results = {1, [](size_t, JsonWriter& json) { json.Field("took_minutes", 1); }};
  EXPECT_NE(FormatJson(response).find("took_ms"), std::string::npos);
  response.stable = true;
  for (const std::string& text : {FormatJson(response), FormatJsonLines(response)}) {
    for (const char* name : {"took_ms", "timings", "open_ms", "memory", "db_size_bytes"}) {
      EXPECT_EQ(text.find(name), std::string::npos) << text;
    }
    EXPECT_NE(text.find("total_hits"), std::string::npos);
    EXPECT_NE(text.find("took_minutes"), std::string::npos);
  }
}

// The same question at two times must not look like one question.
TEST(VolatileFieldsTest, AGivenTimeStaysUnlessItCountsFromNow) {
  const auto has_time = [](const std::optional<std::string>& as_of) {
    JsonResponse response;
    response.query = [](JsonWriter& json) { json.Field("as_of", "2026-02-04T00:00:00Z"); };
    response.stats = [](JsonWriter& json) { json.Field("took_ms", 1); };
    response.stable = true;
    response.given_as_of = as_of;
    const std::string one = FormatJson(response);
    const std::string lines = FormatJsonLines(response);
    EXPECT_EQ(one.find("took_ms"), std::string::npos) << one;
    EXPECT_EQ(one.find("as_of") == std::string::npos, lines.find("as_of") == std::string::npos);
    return one.find("as_of") != std::string::npos;
  };
  for (const char* fixed : {"2026-02-04", "2026-02", "2026-02-04T09:30:00Z"}) {
    EXPECT_TRUE(has_time(fixed)) << fixed;
  }
  for (const char* relative : {"-7d", "7d", "now", "today", "yesterday"}) {
    EXPECT_FALSE(has_time(relative)) << relative;
  }
  EXPECT_FALSE(has_time(std::nullopt));
}

}  // namespace
}  // namespace recall
