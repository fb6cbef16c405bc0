#include "query/ask/cues/named_files.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "query/ask/cues/topic_line.h"

namespace recall {
namespace {

std::string Show(const std::vector<NamedFile>& named) {
  std::string shown;
  for (const NamedFile& file : named) {
    shown += shown.empty() ? "" : " ";
    for (size_t i = 0; i < file.parts.size(); ++i) {
      shown += (i == 0 ? "" : file.is_dotted ? "." : "/") + std::string(file.parts[i]);
    }
  }
  return shown;
}

std::vector<double> Shares(std::string_view question, const std::vector<std::string_view>& paths) {
  return SharesOfNamedFiles(FindNamedFiles(question), paths);
}

TEST(NamedFilesTest, PathsAndDottedNamesAreFoundInText) {
  struct Case {
    const char* question;
    const char* named;
  };
  const Case cases[] = {
      {"why does src/store.cc:40:7 fail?", "src/store.cc"},
      {"File \"/usr/lib/shop/cart.py\", line 7, in add", "usr/lib/shop/cart.py"},
      {"C:\\code\\store.cc(12): error", "code/store.cc"},
      {"see ./docs/mcp.md, and ../docs/mcp.md.", "docs/mcp.md"},
      {"https://host/shop/blob/main/shop/cart.py#L40", "host/shop/blob/main/shop/cart.py"},
      {"`store.cc`", "store.cc store.cc"},
      {"from shop.cart import Cart", "shop.cart shop.cart"},
      {"version 1.2.3 of 4.5", ""},
      {"either/or, and so on...", ""},
      {".gitignore", ""},
      {"...", ""},
      {"", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(Show(FindNamedFiles(c.question)), c.named) << c.question;
}

TEST(NamedFilesTest, AHugeTextNamesAFewFiles) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "src/a" + std::to_string(i) + ".c:1\n";
  EXPECT_EQ(FindNamedFiles(text).size(), 64u);
  EXPECT_TRUE(FindNamedFiles(std::string(1 << 20, 'x')).empty());
}

TEST(NamedFilesTest, TheLongestAgreementIsMeant) {
  using Numbers = std::vector<double>;
  EXPECT_EQ(Shares("at /home/me/shop/src/cart.c:3", {"src/cart.c", "old/cart.c", "src/shelf.c"}),
            (Numbers{1, 0, 0}));
  EXPECT_EQ(Shares("at shop/src/cart.c", {"a/shop/src/cart.c", "b/src/cart.c"}), (Numbers{1, 0}));
  // A name that several files have says less.
  EXPECT_EQ(Shares("cart.c", {"src/cart.c", "shelf.c"}), (Numbers{.5, 0}));
  EXPECT_EQ(Shares("index.html", {"a/index.html", "b/index.html"}), (Numbers{.25, .25}));
  EXPECT_EQ(Shares("src/cart.c", {"lib/cart.c"}), (Numbers{0}));
  EXPECT_EQ(Shares("Cart.c", {"cart.c"}), (Numbers{0}));
}

TEST(NamedFilesTest, ADottedNameMeansItsModule) {
  using Numbers = std::vector<double>;
  const std::vector<std::string_view> paths = {"shop/cart.py", "shop/__init__.py", "shop/shelf.py",
                                               "lib/src/shop/cart.py"};
  EXPECT_EQ(Shares("import shop.cart", paths), (Numbers{.25, 0, 0, .25}));
  EXPECT_EQ(Shares("shop.shelf.Shelf(3)", paths), (Numbers{0, 0, .5, 0}));
  EXPECT_EQ(Shares("com.shop.Cart", {"src/main/java/com/shop/Cart.java"}), (Numbers{.5}));
  EXPECT_EQ(Shares("a.b.units", {"a/b/units/__init__.py", "a/b.py"}), (Numbers{.5, 0}));
  EXPECT_EQ(Shares("shop", paths), (Numbers{0, 0, 0, 0}));
}

TEST(TopicLineTest, IsTheFirstLineWithAWord) {
  EXPECT_EQ(TopicOf("one line"), "one line");
  EXPECT_EQ(TopicOf("\n```\n  The title \r\nmore text\n"), "The title");
  EXPECT_EQ(TopicOf("```\n---"), "```\n---");
  EXPECT_EQ(TopicOf(""), "");
}

}  // namespace
}  // namespace recall
