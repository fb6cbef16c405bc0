#include "tests/layering/wings.h"

#include <algorithm>
#include <functional>

#include "tests/layering/markdown_table.h"

namespace recall {
namespace {

bool IsInWing(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// Two components of the arrow, for a message.
std::string ExampleOf(const std::string& from, const std::string& to,
                      const IncludeGraph& components,
                      const std::function<std::string(const std::string&)>& node_of) {
  for (const auto& [component, targets] : components) {
    if (node_of(component) != from) continue;
    for (const std::string& target : targets) {
      if (node_of(target) == to) return " (" + component + " includes " + target + ")";
    }
  }
  return "";
}

}  // namespace

WingTables ReadWingTables(std::string_view markdown) {
  WingTables tables;
  for (const MarkdownRow& row : RowsOf(markdown)) {
    if (row.cells.size() < 3) continue;
    const std::vector<std::string> names = QuotedIn(row.cells[0]);
    if (names.size() != 1) continue;
    const std::vector<std::string> uses = QuotedIn(row.cells.back());
    if (row.section == "Wings" && row.cells.size() == 4) {
      tables.shapes[names[0]] = {std::stoul(row.cells[1]), std::stoul(row.cells[2]),
                                 std::stoul(row.cells[3])};
    } else if (row.section == "Wings") {
      tables.wings[names[0]] = {uses.begin(), uses.end()};
    } else if (const auto wing = QuotedIn(row.section); wing.size() == 1) {
      std::set<std::string>& targets = tables.rooms[wing[0] + "/" + names[0]];
      for (const std::string& room : uses) targets.insert(wing[0] + "/" + room);
    }
  }
  return tables;
}

std::string WingOf(std::string_view path, const IncludeGraph& wings) {
  std::string longest;
  for (const auto& [wing, targets] : wings) {
    if (IsInWing(path, wing) && wing.size() > longest.size()) longest = wing;
  }
  return longest;
}

IncludeGraph WingGraph(const IncludeGraph& rooms, const IncludeGraph& wings) {
  IncludeGraph graph;
  for (const auto& [room, targets] : rooms) {
    const std::string wing = WingOf(room, wings);
    if (wing.empty()) continue;
    std::set<std::string>& used = graph[wing];
    for (const std::string& target : targets) {
      const std::string other = WingOf(target, wings);
      if (!other.empty() && other != wing) used.insert(other);
    }
  }
  return graph;
}

IncludeGraph RoomsWithinWings(const IncludeGraph& rooms, const IncludeGraph& wings) {
  IncludeGraph graph;
  for (const auto& [room, targets] : rooms) {
    const std::string wing = WingOf(room, wings);
    if (wing.empty() || room == wing) continue;
    std::set<std::string>& used = graph[room];
    for (const std::string& target : targets) {
      if (WingOf(target, wings) == wing) used.insert(target);
    }
  }
  return graph;
}

StoreyShape ShapeOf(std::string_view storey, const IncludeGraph& wings) {
  StoreyShape shape;
  std::map<std::string, size_t> floors;
  const std::function<size_t(const std::string&)> floor_of = [&](const std::string& wing) {
    if (const auto known = floors.find(wing); known != floors.end()) return known->second;
    size_t highest = 0;
    for (const std::string& target : wings.at(wing)) {
      if (IsInWing(target, storey)) highest = std::max(highest, floor_of(target));
    }
    return floors[wing] = highest + 1;
  };
  for (const auto& [wing, targets] : wings) {
    if (!IsInWing(wing, storey)) continue;
    ++shape.wings;
    shape.arrows += std::ranges::count_if(
        targets, [&](const std::string& target) { return IsInWing(target, storey); });
    shape.floors = std::max(shape.floors, floor_of(wing));
  }
  return shape;
}

std::vector<std::string> WingViolations(const IncludeGraph& components, const WingTables& tables) {
  const IncludeGraph rooms = RoomGraph(components);
  std::vector<std::string> violations;
  for (const auto& [room, targets] : rooms) {
    if (WingOf(room, tables.wings).empty()) violations.push_back(room + " is in no wing");
  }
  const auto compare = [&](const IncludeGraph& used, const IncludeGraph& allowed,
                           const std::function<std::string(const std::string&)>& node_of) {
    for (std::string& difference : ArrowDifferences(used, allowed)) {
      for (const auto& [node, targets] : used) {
        for (const std::string& target : targets) {
          if (difference != node + " may not use " + target) continue;
          difference += ExampleOf(node, target, components, node_of);
        }
      }
      violations.push_back(std::move(difference));
    }
  };
  compare(WingGraph(rooms, tables.wings), tables.wings,
          [&](const std::string& component) { return WingOf(component, tables.wings); });
  compare(RoomsWithinWings(rooms, tables.wings), tables.rooms,
          [](const std::string& component) { return component.substr(0, component.rfind('/')); });
  return violations;
}

}  // namespace recall
