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

std::vector<std::string> ArrowDifferences(const IncludeGraph& used, const IncludeGraph& allowed) {
  std::vector<std::string> violations;
  for (const auto& [node, targets] : used) {
    const auto row = allowed.find(node);
    if (row == allowed.end()) {
      violations.push_back(node + " has no row");
      continue;
    }
    for (const std::string& target : targets) {
      if (!row->second.contains(target)) violations.push_back(node + " may not use " + target);
    }
    for (const std::string& target : row->second) {
      if (!targets.contains(target)) violations.push_back(node + " does not use " + target);
    }
  }
  for (const auto& [node, targets] : allowed) {
    if (!used.contains(node)) violations.push_back("there is no " + node);
  }
  return violations;
}

}  // namespace recall
