#pragma once

// The graph of #includes in the product folders, at the level of components and of rooms.
//
// A component is a header together with the source of the same name: storage/base/status.h and
// storage/base/status.cc are the component storage/base/status. A room is the folder of a
// component: storage/base. The graphs of components and of rooms must be acyclic, and a table of
// docs/rooms.md says which rooms each room may include.

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

// The table of rooms in a Markdown text: rows `
// `room`
// question
// `room` `room`
// `, whose last column lists the rooms that may be included. Names of rooms are in backquotes.
IncludeGraph RoomTable(std::string_view markdown);

// One sentence for each difference between the includes and the table: an include that is not
// allowed, an allowance without an include, a room without a row, a row without a room.
std::vector<std::string> RoomViolations(const IncludeGraph& used, const IncludeGraph& allowed);

}  // namespace recall
