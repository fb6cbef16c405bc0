#include "tests/layering/code_size.h"

#include <algorithm>
#include <optional>

namespace recall {
namespace {

struct Block {
  size_t line = 0;  // of the head, from 0
  size_t indentation = 0;
  bool is_function = false;
};

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

size_t IndentationOf(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool IsComment(std::string_view line) { return line.substr(IndentationOf(line)).starts_with("//"); }

// Whether the line after this one can be the first of a statement.
bool EndsStatement(std::string_view line) {
  const size_t indentation = IndentationOf(line);
  return indentation == line.size() || IsComment(line) || line[indentation] == '#' ||
         std::string_view(";}{:").find(line.back()) != std::string_view::npos;
}

// Whether a head that ends with '{' begins a function, and not a type, a namespace or a table.
bool IsFunctionHead(std::string_view head) {
  for (const std::string_view word : {"namespace", "class", "struct", "enum", "union", "extern"}) {
    if (head.starts_with(word) && head.substr(word.size()).starts_with(' ')) return false;
  }
  const size_t open = head.find('(');
  if (open == std::string_view::npos || head.ends_with("= {")) return false;
  return head.substr(0, open).find(" = ") == std::string_view::npos;
}

Block BlockAt(const std::vector<std::string_view>& lines, size_t line) {
  size_t first = line;
  while (first > 0 && !EndsStatement(lines[first - 1])) --first;
  std::string head;
  for (size_t at = first; at <= line; ++at) {
    head += (head.empty() ? "" : " ") + std::string(lines[at].substr(IndentationOf(lines[at])));
  }
  return {first, IndentationOf(lines[first]), IsFunctionHead(head)};
}

}  // namespace

std::vector<FunctionSize> FunctionsOf(std::string_view source) {
  const std::vector<std::string_view> lines = LinesOf(source);
  std::vector<FunctionSize> functions;
  std::vector<Block> open;
  for (size_t at = 0; at < lines.size(); ++at) {
    const size_t indentation = IndentationOf(lines[at]);
    if (indentation == lines[at].size() || IsComment(lines[at])) continue;
    const std::string_view text = lines[at].substr(indentation);
    if (!open.empty() && open.back().indentation == indentation && text.starts_with('}')) {
      const Block block = open.back();
      open.pop_back();
      if (!block.is_function) continue;
      functions.push_back({block.line + 1, at - block.line + 1,
                           std::string(lines[block.line].substr(block.indentation))});
      continue;
    }
    const bool is_inside = !open.empty() && open.back().is_function;
    if (is_inside || !text.ends_with('{') || text.starts_with('}')) continue;
    open.push_back(BlockAt(lines, at));
  }
  return functions;
}

}  // namespace recall
