#include "tests/layering/format_tables.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/layering/layering_rules.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

TEST(FormatTablesTest, EachTableOfBytesIsAssertedByAStruct) {
  const fs::path root = SourceDir();
  std::vector<FormatTable> tables, structs;
  for (const auto& entry : fs::directory_iterator(root / "docs/format")) {
    for (auto& table : TablesOf(entry.path().filename().string(), ReadAll(entry.path()))) {
      tables.push_back(std::move(table));
    }
  }
  for (const std::string_view folder : kProductFolders) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".h") continue;
      const std::string path = entry.path().lexically_relative(root).generic_string();
      for (auto& asserted : AssertedStructsOf(path, ReadAll(entry.path()))) {
        structs.push_back(std::move(asserted));
      }
    }
  }
  EXPECT_GE(tables.size(), 8u) << "the tables were not found below " << root;
  for (const std::string& difference : FormatDifferences(tables, structs)) {
    ADD_FAILURE() << difference;
  }
}

// Controls: the comparison must detect differences.
constexpr std::string_view kTable =
    "Text.\n\n"
    "| offset | size | field | meaning |\n"
    "| --- | --- | --- | --- |\n"
    "| 0 | 4 | magic | `ABCD` |\n"
    "| 4 | 2 | count | |\n"
    "| 6 | 2 | reserved | 0 |\n"
    "| 8 | 12 each | items | |\n"
    "| | | | zeroes |\n";
constexpr std::string_view kStruct =
    "static_assert(offsetof(Head, magic) == 0);\n"
    "static_assert(offsetof(Head, count) == 4);\n"
    "static_assert(offsetof(Head, reserved0) == 6);\n"
    "static_assert(sizeof(Head) == 8);\n";

std::vector<std::string> Differences(std::string_view table, std::string_view source) {
  return FormatDifferences(TablesOf("a.md", table), AssertedStructsOf("b.h", source));
}

std::string With(std::string_view text, std::string_view what, std::string_view by) {
  std::string changed(text);
  const size_t at = changed.find(what);
  EXPECT_NE(at, changed.npos) << what;
  return changed.replace(at, what.size(), by);
}

TEST(FormatTablesTest, AgreesWithTheSame) {
  EXPECT_EQ(Differences(kTable, kStruct), std::vector<std::string>());
  EXPECT_EQ(TablesOf("a.md", kTable)[0].fields,
            (std::vector<FormatField>{{0, 4, "magic"}, {4, 2, "count"}, {6, 2, "reserved"}}));
}

TEST(FormatTablesTest, ObjectsToWhatDiffers) {
  const std::vector<std::string> both = {"a.md:3 has a table that no struct asserts row by row",
                                         "b.h: Head is in no table of docs/format"};
  EXPECT_EQ(Differences(With(kTable, "| 4 | 2 | count", "| 4 | 2 | number"), kStruct), both);
  EXPECT_EQ(Differences(With(kTable, "| 4 | 2 | count", "| 4 | 1 | count"), kStruct), both);
  EXPECT_EQ(Differences(With(kTable, "| 4 | 2 | count | |\n", ""), kStruct), both);
  EXPECT_EQ(Differences(kTable, With(kStruct, "count) == 4", "count) == 5")), both);
  EXPECT_EQ(Differences(kTable, With(kStruct, "sizeof(Head) == 8", "sizeof(Head) == 12")), both);
  EXPECT_EQ(Differences(kTable, With(kStruct, "sizeof(Head)", "sizeof(Tail)")).size(), 1u);
  EXPECT_EQ(Differences("", kStruct).size(), 1u);
  EXPECT_EQ(Differences(kTable, "").size(), 1u);
}

}  // namespace
}  // namespace recall
