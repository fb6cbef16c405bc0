#include "tests/layering/format_tables.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <regex>

namespace recall {
namespace {

std::string Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

std::vector<std::string> Cells(std::string_view line) {
  std::vector<std::string> cells;
  line.remove_prefix(1);
  for (size_t bar; (bar = line.find('|')) != line.npos; line.remove_prefix(bar + 1)) {
    cells.push_back(Trimmed(line.substr(0, bar)));
  }
  return cells;
}

std::optional<size_t> WholeNumber(const std::string& text) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::string WithoutDigits(std::string name) {
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.pop_back();
  return name;
}

}  // namespace

std::vector<FormatTable> TablesOf(std::string_view file, std::string_view markdown) {
  std::vector<FormatTable> tables;
  bool inside = false;
  for (size_t number = 1; !markdown.empty(); ++number) {
    const std::string_view line = markdown.substr(0, markdown.find('\n'));
    markdown.remove_prefix(std::min(line.size() + 1, markdown.size()));
    const bool begins = line.starts_with("| offset | size | field |");
    if (begins) tables.push_back({std::string(file) + ":" + std::to_string(number), {}});
    inside = begins || (inside && line.starts_with('|'));
    if (!inside || begins) continue;
    const std::vector<std::string> cells = Cells(line);
    if (cells.size() < 3) continue;
    const auto offset = WholeNumber(cells[0]), bytes = WholeNumber(cells[1]);
    if (!offset || !bytes) continue;
    tables.back().fields.push_back({*offset, *bytes, WithoutDigits(cells[2])});
  }
  return tables;
}

std::vector<FormatTable> AssertedStructsOf(std::string_view file, std::string_view source) {
  static const std::regex kAssert(
      R"(static_assert\((?:offsetof\((\w+), (\w+)\)|sizeof\((\w+)\)) == (\d+)\))");
  std::map<std::string, std::vector<FormatField>> fields;
  std::map<std::string, size_t> sizes;
  const std::string text(source);
  for (std::sregex_iterator it(text.begin(), text.end(), kAssert), end; it != end; ++it) {
    const std::smatch& match = *it;
    const size_t number = std::stoul(match[4]);
    if (match[3].matched) {
      sizes[match[3]] = number;
    } else {
      fields[match[1]].push_back({number, 0, WithoutDigits(match[2])});
    }
  }
  std::vector<FormatTable> structs;
  for (auto& [name, rows] : fields) {
    if (!sizes.contains(name)) continue;
    for (size_t i = 0; i < rows.size(); ++i) {
      const size_t next = i + 1 < rows.size() ? rows[i + 1].offset : sizes[name];
      rows[i].bytes = next - rows[i].offset;
    }
    structs.push_back({std::string(file) + ": " + name, rows});
  }
  return structs;
}

std::vector<std::string> FormatDifferences(const std::vector<FormatTable>& tables,
                                           const std::vector<FormatTable>& structs) {
  std::vector<std::string> differences;
  const auto missing_in = [&](const std::vector<FormatTable>& others, const FormatTable& table) {
    return std::ranges::none_of(
        others, [&](const FormatTable& other) { return other.fields == table.fields; });
  };
  for (const FormatTable& table : tables) {
    if (!missing_in(structs, table)) continue;
    differences.push_back(table.where + " has a table that no struct asserts row by row");
  }
  for (const FormatTable& asserted : structs) {
    if (!missing_in(tables, asserted)) continue;
    differences.push_back(asserted.where + " is in no table of docs/format");
  }
  return differences;
}

}  // namespace recall
