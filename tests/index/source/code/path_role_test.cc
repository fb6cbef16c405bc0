#include "index/source/code/path_role.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace recall {
namespace {

std::string RoleName(std::string_view path) {
  const auto role = RoleOf(path);
  return role ? std::string(kPathRoleNames[static_cast<size_t>(*role)]) : "";
}

std::string AskedFor(std::string_view question) {
  std::string names;
  for (size_t i = 0; i < kPathRoles; ++i) {
    if ((RolesAskedFor(question) >> i & 1) == 0) continue;
    names += (names.empty() ? "" : " ") + std::string(kPathRoleNames[i]);
  }
  return names;
}

TEST(PathRoleTest, ByDirectoriesAndEndsOfNames) {
  const std::pair<const char*, const char*> kPaths[] = {
      {"tests/query/a.cc", "tests"},
      {"src/Test/a.cc", "tests"},
      {"pkg/add_test.go", "tests"},
      {"src/cart.spec.ts", "tests"},
      {"test_cart.py", "tests"},
      {"src/CartTest.java", "tests"},
      {"tests/golden/help/stdout", "golden"},
      {"pkg/testdata/a.json", "golden"},
      {"ui/__snapshots__/a.snap", "golden"},
      {"usr/share/doc/git/examples/a.sh", "examples"},
      {"api/order.pb.go", "generated"},
      {"third_party/zlib/inflate.c", "vendored"},
      {"web/node_modules/a/index.d.ts", "vendored"},
      {"src/index.d.ts", "declarations"},
      {"tcl/compat/string.h", "compat"},
      {"Cargo.lock", "lock"},
      {"web/package-lock.json", "lock"},
      {"web/app.min.js", "minified"},
      {"docs/TESTING.md", ""},
      {"docs/unit_test.md", ""},
      {"src/latest/contest.cc", ""},
      {"notes/test-the-ostrich.md", ""},
      {"testing/testing.go", ""},
      {"", ""},
  };
  for (const auto& [path, role] : kPaths) EXPECT_EQ(RoleName(path), role) << path;
}

TEST(PathRoleTest, WordsOfAQuestionAskForRoles) {
  EXPECT_EQ(AskedFor("How are golden files compared?"), "tests golden");
  EXPECT_EQ(AskedFor("example of a filter"), "examples");
  EXPECT_EQ(AskedFor("latest contest"), "");
}

TEST(PathRoleTest, EveryMarkHasANumberOfItsOwn) {
  EXPECT_EQ(NumberOfMarks({}), 0u);
  for (uint32_t number = 0; number < 2 * (kPathRoles + 1); ++number) {
    EXPECT_EQ(NumberOfMarks(MarksOfNumber(number)), number);
  }
  EXPECT_EQ(MarksOfNumber(1000), ChunkMarks());
}

}  // namespace
}  // namespace recall
