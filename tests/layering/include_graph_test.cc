#include "tests/layering/include_graph.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/layering/layering_rules.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

using Nodes = std::vector<std::string>;

std::vector<SourceFile> ProductSources() {
  const fs::path root = RECALL_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const std::string_view folder : kProductFolders) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cc") continue;
      files.push_back(
          {entry.path().lexically_relative(root).generic_string(), ReadAll(entry.path())});
    }
  }
  return files;
}

std::string Joined(const Nodes& nodes) {
  std::string text;
  for (const std::string& node : nodes) text += " " + node;
  return text;
}

TEST(IncludeGraphTest, NoComponentAndNoRoomIsInACycle) {
  const IncludeGraph components = ComponentGraph(ProductSources());
  EXPECT_GT(components.size(), 300u) << "the sources were not found below " << RECALL_SOURCE_DIR;
  for (const Nodes& cycle : CyclesOf(components)) {
    ADD_FAILURE() << "components include each other:" << Joined(cycle);
  }
  for (const Nodes& cycle : CyclesOf(RoomGraph(components))) {
    ADD_FAILURE() << "rooms include each other:" << Joined(cycle);
  }
}

TEST(IncludeGraphTest, RoomsUseWhatTheTableSays) {
  const IncludeGraph allowed = RoomTable(ReadAll(fs::path(RECALL_SOURCE_DIR) / "docs/rooms.md"));
  EXPECT_GT(allowed.size(), 20u) << "the table of docs/rooms.md was not found";
  for (const std::string& violation :
       RoomViolations(RoomGraph(ComponentGraph(ProductSources())), allowed)) {
    ADD_FAILURE() << violation << " (docs/rooms.md)";
  }
  for (const Nodes& cycle : CyclesOf(allowed)) {
    ADD_FAILURE() << "the table allows a cycle:" << Joined(cycle);
  }
}

// Controls: each check must be able to fail.

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

TEST(IncludeGraphRulesTest, ObjectsWhereRoomsAndTableDiffer) {
  const IncludeGraph table = RoomTable(
      "| room | question | uses |\n"
      "| --- | --- | --- |\n"
      "| `a` | What is `x`? | `b` `c` |\n"
      "| `b` | | |\n"
      "| `c` | | |\n");
  EXPECT_EQ(table, (IncludeGraph{{"a", {"b", "c"}}, {"b", {}}, {"c", {}}}));
  EXPECT_TRUE(RoomViolations({{"a", {"b", "c"}}, {"b", {}}, {"c", {}}}, table).empty());
  EXPECT_EQ(RoomViolations({{"a", {"b"}}, {"b", {"c"}}, {"d", {}}}, table),
            (Nodes{"a does not use c", "b may not use c", "d has no row in the table of rooms",
                   "there is no room c"}));
}

}  // namespace
}  // namespace recall
