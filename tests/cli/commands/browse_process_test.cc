// `recall browse` where it cannot be used. tests/clients/terminal uses it in a terminal.

#include "cli/browse/terminal_screen.h"
#include "tests/cli/recall_process.h"

namespace recall {
namespace {

class BrowseTest : public RecallTest {
 protected:
  void SetUp() override {
    if (!TerminalScreen::IsBuiltIn()) GTEST_SKIP() << "built without the terminal view";
    MakeSmallStore();
  }
};

TEST_F(BrowseTest, NeedsATerminal) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"browse"}, {"browse", "--print", "install"}}) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 3) << result;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find("browse needs a terminal"), std::string::npos) << result;
    EXPECT_NE(result.err.find("hint: `recall search`"), std::string::npos) << result;
  }
}

TEST_F(BrowseTest, HasNoJson) {
  const RunResult result = Run({"browse", "--json"});
  EXPECT_EQ(result.exit, 2);
  EXPECT_EQ(result.Json()["error"]["code"], "invalid_argument");
  EXPECT_EQ(result.Json()["error"]["hint"], "use `recall search --json`");
}

TEST_F(BrowseTest, ChecksItsFlagsFirst) {
  EXPECT_EQ(Run({"browse", "--filter", ""}).exit, 2);
  const RunResult filter = Run({"browse", "--filter", "doc.pat = 'x'"});
  EXPECT_EQ(filter.exit, 2);
  EXPECT_NE(filter.err.find("unknown field 'doc.pat'"), std::string::npos) << filter;
  EXPECT_EQ(Run({"browse", "-k", "0"}).exit, 2);
}

}  // namespace
}  // namespace recall
