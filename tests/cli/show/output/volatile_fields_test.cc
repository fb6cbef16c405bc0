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

}  // namespace
}  // namespace recall
