#include "cli/run/reference/man_page.h"

#include <gtest/gtest.h>

#include "cli/commands/commands.h"
#include "cli/run/reference/roff.h"

namespace recall {
namespace {

TEST(Roff, WhatRoffWouldTakeForItsOwnIsEscaped) {
  RoffPage page("x", "y");
  const size_t start = page.text().size();
  page.Text(".PP is a macro\n'so is this\na\\b ~user `cmd` it's --flag well-known \xC3\xA9\n");
  EXPECT_EQ(page.text().substr(start),
            "\\&.PP is a macro\n"
            "\\&\\(aqso is this\n"
            "a\\eb \\(tiuser \\(gacmd\\(ga it\\(aqs \\-\\-flag well-known \\[u00E9]\n");
}

TEST(Roff, BytesThatAreNotUtf8DoNotReachThePage) {
  RoffPage page("x", "y");
  page.Text("a\xFFz \xC3");
  EXPECT_NE(page.text().find("a\\[uFFFD]z \\[uFFFD]\n"), std::string::npos) << page.text();
}

TEST(Roff, IndentedLinesStayLines) {
  RoffPage page("x", "y");
  const size_t start = page.text().size();
  page.Text("prose\n  recall add --tag a-b\n  recall stats\nmore\n");
  EXPECT_EQ(page.text().substr(start),
            "prose\n.PP\n.nf\n  recall add \\-\\-tag a\\-b\n  recall stats\n.fi\n.PP\nmore\n");
}

TEST(ManPage, NamesOfFiles) {
  EXPECT_EQ(ManPageName(""), "recall.1");
  EXPECT_EQ(ManPageName("search"), "recall-search.1");
}

}  // namespace
}  // namespace recall
