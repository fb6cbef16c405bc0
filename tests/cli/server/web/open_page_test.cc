#include "cli/server/web/open_page.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace recall {
namespace {

using Commands = std::vector<std::vector<std::string>>;

TEST(OpenPage, TheTokenIsInTheFragmentAndEscaped) {
  EXPECT_EQ(PageUrl(7700, "09azAZ"), "http://127.0.0.1:7700/#token=09azAZ");
  EXPECT_EQ(PageUrl(7700, "a b\"<&#%+\xc3"),
            "http://127.0.0.1:7700/#token=a%20b%22%3c%26%23%25%2b%c3");
}

TEST(OpenPage, TheBrowserOfTheUserIsFirst) {
  EXPECT_EQ(BrowserCommands("", "x y"), (Commands{{"xdg-open", "x y"}}));
  EXPECT_EQ(BrowserCommands("firefox", "x y"), (Commands{{"firefox", "x y"}, {"xdg-open", "x y"}}));
  EXPECT_EQ(BrowserCommands("a --new %s:b  --url=%s -q::c", "t"),
            (Commands{{"a", "--new", "t"}, {"b", "--url=t", "-q"}, {"c", "t"}, {"xdg-open", "t"}}));
}

// No shell sees the variable.
TEST(OpenPage, NothingInTheVariableIsACommandOfAShell) {
  EXPECT_EQ(BrowserCommands("$(touch x);`y`", "t"),
            (Commands{{"$(touch", "x);`y`", "t"}, {"xdg-open", "t"}}));
}

}  // namespace
}  // namespace recall
