#include "cli/server/tools/resource_uri.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(ResourceUriTest, EveryPathIsReadAsItWasWritten) {
  std::mt19937_64 random(TestSeed(1));
  std::vector<std::string> paths = {
      "a",  "docs/a b.md", "/abs/x",   "a?lines=1-2&x", "100%", "%41",       "a#b",
      "..", "a//b/",       "\xff\xfe", "caf\xc3\xa9",   "a+b",  "[x]:1-2@00"};
  for (int i = 0; i < 2000; ++i) {
    std::string path(random() % 40 + 1, '\0');
    for (char& c : path) c = static_cast<char>(random() % 255 + 1);
    paths.push_back(std::move(path));
  }
  for (const std::string& path : paths) {
    const std::string uri = DocumentUri(path);
    for (const char c : uri) EXPECT_TRUE(c > ' ' && c < 0x7f) << uri;
    EXPECT_EQ(ParseResourceUri(uri), (ResourceUri{"doc", path, "", ""})) << uri;
    EXPECT_EQ(ParseResourceUri(uri + "?lines=9-17&snapshot=ab-3"),
              (ResourceUri{"doc", path, "9-17", "ab-3"}))
        << uri;
  }
}

TEST(ResourceUriTest, PathsNeedNotBeEncoded) {
  EXPECT_EQ(ParseResourceUri("recall://doc/docs/a b.md"),
            (ResourceUri{"doc", "docs/a b.md", "", ""}));
  EXPECT_EQ(ParseResourceUri("recall://doc/caf%c3%A9"),
            (ResourceUri{"doc", "caf\xc3\xa9", "", ""}));
  EXPECT_EQ(ParseResourceUri("recall://guide"), (ResourceUri{"guide", "", "", ""}));
  EXPECT_EQ(ParseResourceUri("recall://guide/rql"), (ResourceUri{"guide", "rql", "", ""}));
}

TEST(ResourceUriTest, OtherUrisAreRefused) {
  for (const char* uri :
       {"", "recall:", "recall:/doc/a", "file:///etc/passwd", "recall://doc/", "recall://doc/%",
        "recall://doc/%4", "recall://doc/%4g", "recall://doc/a%00b", "recall://doc/a?line=1",
        "recall://doc/a?lines", "recall://doc/a?lines=%", "recall://doc/a?lines=%00",
        "recall://doc/a?lines=1&x=2", "recall://doc/a?&"}) {
    EXPECT_EQ(ParseResourceUri(uri), std::nullopt) << uri;
  }
}

}  // namespace
}  // namespace recall
