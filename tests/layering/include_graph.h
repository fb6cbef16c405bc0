#pragma once

// The graph of #includes in the product folders, at the level of components and of rooms.
//
// A component is a header together with the source of the same name: storage/base/status.h and
// storage/base/status.cc are the component storage/base/status. A room is the folder of a
// component: storage/base. The graphs of components and of rooms must be acyclic.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// From each node to the nodes that it includes, without itself. Every node is a key.
using IncludeGraph = std::map<std::string, std::set<std::string>>;

// A source file: its path below the repository's root, with '/', and its text.
struct SourceFile {
  std::string path;
  std::string text;
};

IncludeGraph ComponentGraph(const std::vector<SourceFile>& files);

// The same graph with each component replaced by its room.
IncludeGraph RoomGraph(const IncludeGraph& components);

// The strongly connected components of more than one node, each sorted, the largest first
// (Tarjan, "Depth-first search and linear graph algorithms", 1972). O(nodes + edges).
std::vector<std::vector<std::string>> CyclesOf(const IncludeGraph& graph);

// One sentence for each difference between the arrows that are used and those that a table allows:
// an arrow that is not allowed, an allowance that is not used, a node without a row, a row without
// a node.
std::vector<std::string> ArrowDifferences(const IncludeGraph& used, const IncludeGraph& allowed);

}  // namespace recall
