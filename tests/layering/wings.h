#pragma once

// Wings: groups of rooms, and what docs/rooms.md says of them.
//
// The table of wings has a row for each wing, `index/base`, with the wings that it may use. A
// section for each wing of several rooms has a row for each room, with the rooms of the same wing
// that it may use. A wing may be a folder in another one's folder: storage/base is a wing beside
// storage. The wing of a room is the longest one whose folder has the room.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layering/include_graph.h"

namespace recall {

// The number of wings of a storey, of arrows between them, and of wings on the longest chain of
// arrows.
struct StoreyShape {
  size_t wings = 0;
  size_t arrows = 0;
  size_t floors = 0;

  friend bool operator==(const StoreyShape&, const StoreyShape&) = default;
};

struct WingTables {
  IncludeGraph wings;
  IncludeGraph rooms;  // by path; of wings with a section
  std::map<std::string, StoreyShape> shapes;
};

WingTables ReadWingTables(std::string_view markdown);

// The wing of a room or component, or "".
std::string WingOf(std::string_view path, const IncludeGraph& wings);

// The graph of rooms with each room replaced by its wing. Rooms without a wing are left out.
IncludeGraph WingGraph(const IncludeGraph& rooms, const IncludeGraph& wings);

// The rooms of wings of several rooms, with the arrows inside each wing.
IncludeGraph RoomsWithinWings(const IncludeGraph& rooms, const IncludeGraph& wings);

// Requires: an acyclic graph.
StoreyShape ShapeOf(std::string_view storey, const IncludeGraph& wings);

// One sentence for each difference between the includes and the tables. An arrow that no table
// allows is named with two components that it connects.
std::vector<std::string> WingViolations(const IncludeGraph& components, const WingTables& tables);

}  // namespace recall
