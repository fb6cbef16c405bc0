#include "tests/layering/include_graph.h"

#include <algorithm>
#include <iterator>
#include <regex>

namespace recall {
namespace {

std::string WithoutExtension(std::string_view path) {
  return std::string(path.substr(0, path.rfind('.')));
}

std::string RoomOf(std::string_view component) {
  return std::string(component.substr(0, component.rfind('/')));
}

std::vector<std::string> IncludedPaths(const std::string& text) {
  static const std::regex kInclude(R"re((?:^|\n)\s*#\s*include\s*"([^"]+)")re");
  std::vector<std::string> paths;
  for (std::sregex_iterator it(text.begin(), text.end(), kInclude), end; it != end; ++it) {
    paths.push_back((*it)[1]);
  }
  return paths;
}

std::set<std::string> Quoted(std::string_view cell) {
  std::set<std::string> names;
  for (size_t open; (open = cell.find('`')) != cell.npos;) {
    cell.remove_prefix(open + 1);
    const size_t close = std::min(cell.find('`'), cell.size());
    names.insert(std::string(cell.substr(0, close)));
    cell.remove_prefix(std::min(close + 1, cell.size()));
  }
  return names;
}

// Tarjan's algorithm: `lowest` is the smallest number on the stack that a node can reach.
class CycleSearch final {
 public:
  explicit CycleSearch(const IncludeGraph& graph) : graph_(graph) {
    for (const auto& [node, targets] : graph) {
      if (!number_.contains(node)) Visit(node);
    }
  }
  std::vector<std::vector<std::string>> Take() && { return std::move(cycles_); }

 private:
  void Visit(const std::string& node) {
    const size_t number = number_.size();
    number_[node] = lowest_[node] = number;
    stack_.push_back(node);
    on_stack_.insert(node);
    for (const std::string& target : graph_.at(node)) {
      if (!number_.contains(target)) {
        Visit(target);
        lowest_[node] = std::min(lowest_[node], lowest_[target]);
      } else if (on_stack_.contains(target)) {
        lowest_[node] = std::min(lowest_[node], number_[target]);
      }
    }
    if (lowest_[node] != number) return;
    std::vector<std::string> members;
    do {
      members.push_back(stack_.back());
      on_stack_.erase(stack_.back());
      stack_.pop_back();
    } while (members.back() != node);
    std::ranges::sort(members);
    if (members.size() > 1) cycles_.push_back(std::move(members));
  }

  const IncludeGraph& graph_;
  std::map<std::string, size_t> number_;
  std::map<std::string, size_t> lowest_;
  std::vector<std::string> stack_;
  std::set<std::string> on_stack_;
  std::vector<std::vector<std::string>> cycles_;
};

}  // namespace

IncludeGraph ComponentGraph(const std::vector<SourceFile>& files) {
  IncludeGraph graph;
  for (const SourceFile& file : files) graph[WithoutExtension(file.path)];
  for (const SourceFile& file : files) {
    const std::string component = WithoutExtension(file.path);
    for (const std::string& path : IncludedPaths(file.text)) {
      const std::string target = WithoutExtension(path);
      if (target != component && graph.contains(target)) graph[component].insert(target);
    }
  }
  return graph;
}

IncludeGraph RoomGraph(const IncludeGraph& components) {
  IncludeGraph rooms;
  for (const auto& [component, targets] : components) {
    const std::string room = RoomOf(component);
    std::set<std::string>& used = rooms[room];
    for (const std::string& target : targets) {
      if (RoomOf(target) != room) used.insert(RoomOf(target));
    }
  }
  return rooms;
}

std::vector<std::vector<std::string>> CyclesOf(const IncludeGraph& graph) {
  std::vector<std::vector<std::string>> cycles = CycleSearch(graph).Take();
  std::ranges::stable_sort(cycles, std::greater(), &std::vector<std::string>::size);
  return cycles;
}

IncludeGraph RoomTable(std::string_view markdown) {
  IncludeGraph rooms;
  while (!markdown.empty()) {
    std::string_view line = markdown.substr(0, markdown.find('\n'));
    markdown.remove_prefix(std::min(line.size() + 1, markdown.size()));
    if (!line.starts_with("| `") || !line.ends_with('|')) continue;
    line.remove_suffix(1);
    const std::set<std::string> room = Quoted(line.substr(0, line.find('|', 1)));
    if (room.size() != 1) continue;
    rooms[*room.begin()] = Quoted(line.substr(line.rfind('|')));
  }
  return rooms;
}

std::vector<std::string> RoomViolations(const IncludeGraph& used, const IncludeGraph& allowed) {
  std::vector<std::string> violations;
  for (const auto& [room, targets] : used) {
    const auto row = allowed.find(room);
    if (row == allowed.end()) {
      violations.push_back(room + " has no row in the table of rooms");
      continue;
    }
    for (const std::string& target : targets) {
      if (!row->second.contains(target)) violations.push_back(room + " may not use " + target);
    }
    for (const std::string& target : row->second) {
      if (!targets.contains(target)) violations.push_back(room + " does not use " + target);
    }
  }
  for (const auto& [room, targets] : allowed) {
    if (!used.contains(room)) violations.push_back("there is no room " + room);
  }
  return violations;
}

}  // namespace recall
