// The documents for people are right: every command in a `console` block prints what is shown.

#include <algorithm>

#include "tests/cli/recall_process.h"
#include "tests/cli/run/reference/console_pages.h"

namespace recall {
namespace {

class ConsolePagesTest : public RecallTest, public ::testing::WithParamInterface<std::string> {};

std::vector<std::string> PagesWithoutCode() {
  std::vector<std::string> pages = ConsolePages();
  const std::vector<std::string> of_code = ConsolePagesOfCode();
  std::erase_if(pages,
                [&](const std::string& page) { return std::ranges::count(of_code, page) > 0; });
  return pages;
}

// "docs/howto/share.md" is HowtoShare.
std::string NameOfPage(const ::testing::TestParamInfo<std::string>& info) {
  std::string name;
  bool begins = true;
  const std::string page = info.param.substr(info.param.starts_with("docs/") ? 5 : 0);
  for (const char c : page.substr(0, page.rfind('.'))) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    }
    begins = std::isalnum(static_cast<unsigned char>(c)) == 0;
  }
  return name;
}

TEST_P(ConsolePagesTest, CommandsPrintWhatIsShown) { RunConsolePage(GetParam(), directory()); }

INSTANTIATE_TEST_SUITE_P(Pages, ConsolePagesTest, ::testing::ValuesIn(PagesWithoutCode()),
                         NameOfPage);

TEST(ConsolePages, AreFoundByTheirBlocks) {
  const std::vector<std::string> pages = ConsolePages();
  EXPECT_GE(pages.size(), 7u);
  for (const std::string& page : ConsolePagesOfCode()) {
    EXPECT_EQ(std::ranges::count(pages, page), 1) << page << " has no console block";
  }
}

}  // namespace
}  // namespace recall
