#include "cli/show/output/card_text.h"

#include <algorithm>
#include <array>

namespace recall {
namespace {

constexpr std::array<std::string_view, 3> kLeftOut = {"related_via", "source", "confidence"};
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The line at `at` with its newline.
std::string_view LineAt(std::string_view text, size_t at) {
  return text.substr(at, std::min(text.find('\n', at), text.size() - 1) + 1 - at);
}

std::string_view WithoutEnd(std::string_view line) {
  const size_t end = line.find_last_not_of(" \t\r\n");
  return line.substr(0, end == line.npos ? 0 : end + 1);
}

}  // namespace

size_t CardLength(std::string_view text) {
  size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  if (at >= text.size()) return 0;
  const std::string_view first = LineAt(text, at);
  if (WithoutEnd(first) != "---" || first.front() != '-') return 0;
  for (at += first.size(); at < text.size();) {
    const std::string_view line = LineAt(text, at);
    at += line.size();
    if (const std::string_view mark = WithoutEnd(line); mark == "---" || mark == "...") return at;
  }
  return 0;
}

bool IsLeftOutOfLeanCard(std::string_view key) { return std::ranges::count(kLeftOut, key) > 0; }

std::string LeanCard(std::string_view card) {
  std::string lean;
  bool skips = false;  // the lines of a key that is left out
  for (size_t at = 0; at < card.size();) {
    const std::string_view line = LineAt(card, at);
    at += line.size();
    // What is indented, a list item or blank belongs to the key before it.
    const std::string_view words = WithoutEnd(line);
    const bool continues = words.empty() || words[0] == ' ' || words[0] == '\t' || words == "-" ||
                           words.starts_with("- ");
    if (!continues) skips = IsLeftOutOfLeanCard(words.substr(0, words.find(':')));
    if (!skips) lean += line;
  }
  return lean;
}

}  // namespace recall
