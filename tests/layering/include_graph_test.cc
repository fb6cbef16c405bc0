#include "tests/layering/include_graph.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/layering/layering_rules.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

using Nodes = std::vector<std::string>;

std::string Joined(const Nodes& nodes) {
  std::string text;
  for (const std::string& node : nodes) text += " " + node;
  return text;
}

TEST(IncludeGraphTest, NoComponentAndNoRoomIsInACycle) {
  const IncludeGraph components = ComponentGraph(ProductSources(SourceDir()));
  EXPECT_GT(components.size(), 300u) << "the sources were not found below " << SourceDir();
  for (const Nodes& cycle : CyclesOf(components)) {
    ADD_FAILURE() << "components include each other:" << Joined(cycle);
  }
  for (const Nodes& cycle : CyclesOf(RoomGraph(components))) {
    ADD_FAILURE() << "rooms include each other:" << Joined(cycle);
  }
}

TEST(IncludeGraphRulesTest, AHeaderAndItsSourceAreOneComponent) {
  const IncludeGraph graph = ComponentGraph({{"a/x.h", ""},
                                             {"a/x.cc", "#include \"a/x.h\"\n#include \"b/y.h\"\n"},
                                             {"b/y.h", "#include <a/x.h>\n// #include \"a/x.h\"\n"},
                                             {"b/y.cc", "#include \"b/y.h\"\n"}});
  EXPECT_EQ(graph, (IncludeGraph{{"a/x", {"b/y"}}, {"b/y", {}}}));
  EXPECT_TRUE(CyclesOf(graph).empty());
}

TEST(IncludeGraphRulesTest, FindsACycleThroughASource) {
  const IncludeGraph graph = ComponentGraph({{"a/x.h", ""},
                                             {"a/x.cc", "#include \"a/x.h\"\n#include \"b/y.h\"\n"},
                                             {"b/y.h", "#pragma once\n  #  include \"a/x.h\"\n"},
                                             {"c/z.h", "#include \"b/y.h\"\n"}});
  EXPECT_EQ(CyclesOf(graph), (std::vector<Nodes>{{"a/x", "b/y"}}));
  EXPECT_EQ(CyclesOf(RoomGraph(graph)), (std::vector<Nodes>{{"a", "b"}}));
}

TEST(IncludeGraphRulesTest, FindsRoomsInACycleWhereComponentsAreInNone) {
  const IncludeGraph graph = ComponentGraph({{"a/x.h", "#include \"b/y.h\"\n"},
                                             {"a/w.h", ""},
                                             {"b/y.h", ""},
                                             {"b/v.h", "#include \"a/w.h\"\n"}});
  EXPECT_TRUE(CyclesOf(graph).empty());
  EXPECT_EQ(CyclesOf(RoomGraph(graph)), (std::vector<Nodes>{{"a", "b"}}));
}

TEST(IncludeGraphRulesTest, ListsEveryCycleTheLargestFirst) {
  const IncludeGraph graph = {{"a", {"b"}}, {"b", {"a", "c"}}, {"c", {"d"}},
                              {"d", {"e"}}, {"e", {"c"}},      {"f", {"a"}}};
  EXPECT_EQ(CyclesOf(graph), (std::vector<Nodes>{{"c", "d", "e"}, {"a", "b"}}));
}

TEST(IncludeGraphRulesTest, ListsDifferencesInBothDirections) {
  const IncludeGraph table = {{"a", {"b", "c"}}, {"b", {}}, {"c", {}}};
  EXPECT_TRUE(ArrowDifferences(table, table).empty());
  EXPECT_EQ(ArrowDifferences({{"a", {"b"}}, {"b", {"c"}}, {"d", {}}}, table),
            (Nodes{"a does not use c", "b may not use c", "d has no row", "there is no c"}));
}

}  // namespace
}  // namespace recall
