#include "tests/layering/wings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/layering/layering_rules.h"
#include "tests/layering/markdown_table.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

using Nodes = std::vector<std::string>;

std::string Document(std::string_view path) {
  return ReadAll(std::filesystem::path(SourceDir()) / path);
}

TEST(WingsTest, WingsAndRoomsUseWhatTheTablesSay) {
  const WingTables tables = ReadWingTables(Document("docs/rooms.md"));
  EXPECT_GT(tables.wings.size(), 20u) << "the table of docs/rooms.md was not found";
  EXPECT_GT(tables.rooms.size(), 60u) << "the tables of docs/rooms.md were not found";
  const IncludeGraph components = ComponentGraph(ProductSources(SourceDir()));
  for (const std::string& violation : WingViolations(components, tables)) {
    ADD_FAILURE() << violation << " (docs/rooms.md)";
  }
  for (const IncludeGraph* graph : {&tables.wings, &tables.rooms}) {
    EXPECT_EQ(CyclesOf(*graph), std::vector<Nodes>{}) << "the tables allow a cycle";
  }
}

TEST(WingsTest, StoreysHaveTheShapeThatTheTableSays) {
  const WingTables tables = ReadWingTables(Document("docs/rooms.md"));
  for (const std::string_view storey : {"index", "query", "cli"}) {
    ASSERT_TRUE(tables.shapes.contains(std::string(storey))) << storey;
    const StoreyShape said = tables.shapes.at(std::string(storey));
    const StoreyShape is = ShapeOf(storey, tables.wings);
    EXPECT_EQ(is, said) << storey << " has " << is.wings << " wings, " << is.arrows
                        << " arrows and " << is.floors << " floors (docs/rooms.md)";
  }
}

// The pages for people list the wings, too.
TEST(WingsTest, TheArchitectureNamesEachWing) {
  std::set<std::string> named;
  bool is_list = false;
  const std::string text = Document("docs/ARCHITECTURE.md");
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (line.starts_with("## ")) is_list = line == "## Folders";
    if (!is_list) continue;
    for (std::string& name : QuotedIn(line)) {
      if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_/") == name.npos) {
        named.insert(std::move(name));
      }
    }
  }
  const IncludeGraph wings = ReadWingTables(Document("docs/rooms.md")).wings;
  for (const auto& [wing, targets] : wings) {
    EXPECT_EQ(named.erase(wing), 1u) << "docs/ARCHITECTURE.md does not name " << wing;
  }
  for (const std::string& other : named) {
    EXPECT_TRUE(std::ranges::count(kProductFolders, other) > 0)
        << other << " in docs/ARCHITECTURE.md is no wing";
  }
}

// Controls: the comparison must detect violations.
constexpr std::string_view kTables =
    "## Wings\n"
    "| wing | what | may use |\n"
    "| --- | --- | --- |\n"
    "| `a` | | |\n"
    "| `a/base` | | |\n"
    "| `b/low` | | `a` `a/base` |\n"
    "| `b/high` | | `b/low` |\n"
    "\n"
    "| storey | wings | arrows | floors |\n"
    "| --- | ---: | ---: | ---: |\n"
    "| `b` | 2 | 1 | 2 |\n"
    "\n"
    "## `b/low`\n"
    "| room | question | may use |\n"
    "| --- | --- | --- |\n"
    "| `x` | What is `x`? | |\n"
    "| `y` | | `x` |\n";

const IncludeGraph kComponents = {{"a/s/f", {}},
                                  {"a/base/f", {}},
                                  {"b/low/x/f", {"a/s/f", "a/base/f"}},
                                  {"b/low/y/f", {"b/low/x/f"}},
                                  {"b/high/f", {"b/low/y/f"}}};

WingTables TestTables() {
  WingTables tables = ReadWingTables(kTables);
  tables.rooms["a/s"];
  return tables;
}

TEST(WingsRulesTest, ReadTheTables) {
  const WingTables tables = ReadWingTables(kTables);
  EXPECT_EQ(
      tables.wings,
      (IncludeGraph{{"a", {}}, {"a/base", {}}, {"b/low", {"a", "a/base"}}, {"b/high", {"b/low"}}}));
  EXPECT_EQ(tables.rooms, (IncludeGraph{{"b/low/x", {}}, {"b/low/y", {"b/low/x"}}}));
  EXPECT_EQ(tables.shapes.at("b"), (StoreyShape{2, 1, 2}));
}

TEST(WingsRulesTest, TheLongestFolderIsTheWing) {
  const IncludeGraph wings = TestTables().wings;
  EXPECT_EQ(WingOf("a/base/f", wings), "a/base");
  EXPECT_EQ(WingOf("a/baseline/f", wings), "a");
  EXPECT_EQ(WingOf("c/f", wings), "");
}

TEST(WingsRulesTest, AllowWhatTheTablesAllow) {
  EXPECT_EQ(WingViolations(kComponents, TestTables()), Nodes{});
  EXPECT_EQ(ShapeOf("b", TestTables().wings), (StoreyShape{2, 1, 2}));
}

TEST(WingsRulesTest, ObjectToArrowsBetweenWings) {
  IncludeGraph components = kComponents;
  components["b/low/x/f"].insert("b/high/f");
  EXPECT_EQ(WingViolations(components, TestTables()),
            Nodes{"b/low may not use b/high (b/low/x/f includes b/high/f)"});
  components = kComponents;
  components["b/high/f"].insert("a/s/f");
  EXPECT_EQ(WingViolations(components, TestTables()),
            Nodes{"b/high may not use a (b/high/f includes a/s/f)"});
}

TEST(WingsRulesTest, ObjectToArrowsWithinAWing) {
  IncludeGraph components = kComponents;
  components["b/low/x/f"].insert("b/low/y/f");
  EXPECT_EQ(WingViolations(components, TestTables()),
            Nodes{"b/low/x may not use b/low/y (b/low/x/f includes b/low/y/f)"});
}

TEST(WingsRulesTest, ObjectToRowsThatNothingUses) {
  IncludeGraph components = kComponents;
  components["b/low/x/f"].erase("a/s/f");
  components["b/low/y/f"].clear();
  EXPECT_EQ(WingViolations(components, TestTables()),
            (Nodes{"b/low does not use a", "b/low/y does not use b/low/x"}));
}

TEST(WingsRulesTest, ObjectToRoomsAndWingsThatTheTablesLack) {
  IncludeGraph components = kComponents;
  components["c/f"] = {};
  components["b/low/z/f"] = {};
  EXPECT_EQ(WingViolations(components, TestTables()),
            (Nodes{"c is in no wing", "b/low/z has no row"}));
  WingTables tables = TestTables();
  tables.wings["b/other"];
  EXPECT_EQ(WingViolations(kComponents, tables), Nodes{"there is no b/other"});
}

}  // namespace
}  // namespace recall
