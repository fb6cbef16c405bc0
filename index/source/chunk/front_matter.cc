#include "index/source/chunk/front_matter.h"

#include <algorithm>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

// The line of `text` that starts at `start`, without trailing white space.
std::string_view TrimmedLine(std::string_view text, size_t start) {
  const std::string_view line = text.substr(start, text.find('\n', start) - start);
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

size_t NextLine(std::string_view text, size_t start) {
  const size_t newline = text.find('\n', start);
  return newline == std::string_view::npos ? text.size() : newline + 1;
}

// Front matter whose closing line ends within `head`, the beginning of `text`.
std::optional<FrontMatter> FindWithin(std::string_view head, std::string_view text) {
  const size_t first = head.size() - WithoutByteOrderMark(head).size();
  if (TrimmedLine(head, first) != "---") return std::nullopt;

  const size_t body = NextLine(head, first);
  if (body == head.size() || TrimmedLine(head, body).empty()) return std::nullopt;
  for (size_t line = body; line < head.size(); line = NextLine(head, line)) {
    const std::string_view trimmed = TrimmedLine(head, line);
    if (trimmed == "---" || trimmed == "...") {
      return FrontMatter{head.substr(body, line - body), NextLine(text, line)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view WithoutByteOrderMark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

std::optional<FrontMatter> FindFrontMatter(std::string_view text) {
  return FindWithin(text.substr(0, kMaxFrontMatterBytes), text);
}

std::optional<FrontMatter> FindOversizedFrontMatter(std::string_view text) {
  if (text.size() <= kMaxFrontMatterBytes || FindFrontMatter(text)) return std::nullopt;
  return FindWithin(text, text);
}

}  // namespace recall
