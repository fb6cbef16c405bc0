#include "index/source/note/card_edit.h"

#include <algorithm>

#include "index/source/chunk/front_matter.h"

namespace recall {
namespace {

// Whether a line begins the value of `key`: "key:" at the start of the line.
bool BeginsKey(std::string_view line, std::string_view key) {
  return line.starts_with(key) && line.substr(key.size()).starts_with(':');
}

// Whether a line belongs to the value of the key above it: it is indented, an item of a list at the
// margin, or blank.
bool ContinuesValue(std::string_view line) {
  return line.empty() || line.front() == ' ' || line.front() == '\t' || line.starts_with("- ") ||
         line == "-";
}

}  // namespace

std::string WithCardValue(std::string_view note, std::string_view key, std::string_view value) {
  const std::string wanted = std::string(key) + ": " + std::string(value) + "\n";
  const auto card = FindFrontMatter(note);
  if (!card) return "---\n" + wanted + "---\n\n" + std::string(note);
  const size_t begin = static_cast<size_t>(card->body.data() - note.data());
  const size_t end = begin + card->body.size();
  size_t from = end;
  size_t to = end;
  for (size_t at = begin; at < end;) {
    const size_t newline = std::min(note.find('\n', at), end - 1);
    const std::string_view line = note.substr(at, newline - at);
    if (from == end && BeginsKey(line, key)) {
      from = at;
      to = newline + 1;
    } else if (from != end && to == at && ContinuesValue(line) && !line.empty()) {
      to = newline + 1;
    }
    at = newline + 1;
  }
  return std::string(note.substr(0, from)) + wanted + std::string(note.substr(to));
}

}  // namespace recall
