#include "query/compat/memory_server/observations.h"

#include <algorithm>

#include "storage/base/json_writer.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr std::string_view kMarker = "- ";
constexpr std::string_view kIndent = "  ";

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Whether each line begins an item, is indented below one, or is blank between two such lines.
bool IsList(const std::vector<std::string_view>& lines) {
  return lines.front().starts_with(kMarker) && std::ranges::all_of(lines, [](std::string_view l) {
           return l.empty() || l.starts_with(kMarker) || l.starts_with(kIndent);
         });
}

std::vector<std::string> Paragraphs(const std::vector<std::string_view>& lines) {
  std::vector<std::string> paragraphs;
  bool open = false;
  for (const std::string_view line : lines) {
    if (Trim(line).empty()) {
      open = false;
    } else if (open) {
      paragraphs.back().append("\n").append(line);
    } else {
      paragraphs.emplace_back(line);
      open = true;
    }
  }
  return paragraphs;
}

}  // namespace

std::string ObservationList(const std::vector<std::string>& observations) {
  std::string list;
  for (const std::string& observation : observations) {
    bool first = true;
    for (const std::string_view line : LinesOf(observation)) {
      if (!first && !line.empty()) list += kIndent;
      if (first) list += kMarker;
      list.append(line).append("\n");
      first = false;
    }
  }
  return std::string(Trim(list));
}

std::vector<std::string> ObservationsOf(std::string_view text) {
  text = Trim(text);
  if (text.empty()) return {};
  const std::vector<std::string_view> lines = LinesOf(text);
  if (!IsList(lines)) return Paragraphs(lines);
  std::vector<std::string> observations;
  size_t blank = 0;  // blank lines since the last other one
  for (const std::string_view line : lines) {
    if (line.empty()) {
      ++blank;
      continue;
    }
    if (line.starts_with(kMarker)) {
      observations.emplace_back(line.substr(kMarker.size()));
    } else {
      observations.back().append(blank + 1, '\n').append(line.substr(kIndent.size()));
    }
    blank = 0;
  }
  return observations;
}

std::string PrintTexts(const std::vector<std::string>& texts) {
  std::string json;
  JsonWriter writer(&json);
  writer.BeginArray();
  for (const std::string& text : texts) writer.String(text);
  writer.EndArray();
  return json;
}

}  // namespace recall
