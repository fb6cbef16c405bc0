#include "query/ask/answer/heading_anchor.h"

#include <algorithm>
#include <map>

#include "index/base/text/case_fold.h"
#include "index/base/text/fold.h"
#include "index/base/text/utf8.h"
#include "index/source/chunk/front_matter.h"
#include "index/source/chunk/markdown_lines.h"

namespace recall {
namespace {

// "see [the docs](a.md) here" as it is shown.
std::string WithoutLinkTargets(std::string_view title) {
  std::string shown;
  while (!title.empty()) {
    const size_t target = std::min(title.find("]("), title.size());
    shown += title.substr(0, target);
    title.remove_prefix(target);
    if (title.empty()) break;
    const size_t end = title.find(')');
    title.remove_prefix(end == title.npos ? 2 : end + 1);
  }
  return shown;
}

struct Heading {
  int level = 0;
  std::string_view title;
  uint64_t start = 0;
};

// Calls visit(heading) for each heading outside of fences, until it returns false.
template <typename Visit>
void ForEachHeading(std::string_view text, Visit visit) {
  size_t at = 0;
  if (const auto front_matter = FindFrontMatter(text)) at = front_matter->end;
  std::optional<Fence> fence;
  Heading paragraph;  // the line before, which an underline makes a heading
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const uint64_t start = at;
    at = end + 1;
    if (fence) {
      if (ClosesFence(line, *fence)) fence.reset();
      continue;
    }
    const Heading above = std::exchange(paragraph, {});
    if ((fence = OpenFence(line, false))) continue;
    if (const auto atx = ParseAtxHeading(line)) {
      if (!visit(Heading{atx->level, atx->title, start})) return;
    } else if (const int level = SetextLevel(line); level > 0 && !above.title.empty()) {
      if (!visit(Heading{level, above.title, above.start})) return;
    } else if (line.find_first_not_of(" \t\r") != line.npos) {
      paragraph = {0, line, start};
    }
  }
}

}  // namespace

std::string AnchorOf(std::string_view title) {
  std::string anchor;
  const std::string shown = InOneCase(WithoutLinkTargets(title));
  for (size_t at = 0; at < shown.size();) {
    const uint32_t character = DecodeUtf8(shown, &at);
    if (character == ' ') {
      anchor += '-';
    } else if (character == '-' || character == '_' ||
               KindBeforeFolding(character) != CharacterKind::kSeparator) {
      AppendUtf8(character, &anchor);
    }
  }
  const size_t begin = std::min(anchor.find_first_not_of('-'), anchor.size());
  return anchor.substr(begin);
}

std::optional<std::pair<uint64_t, uint64_t>> FindSection(std::string_view text,
                                                         std::string_view anchor) {
  const std::string wanted = InOneCase(anchor);
  std::map<std::string, size_t> times;
  std::optional<Heading> found;
  uint64_t end = text.size();
  ForEachHeading(text, [&](const Heading& heading) {
    if (found) {
      if (heading.level > found->level) return true;
      end = heading.start;
      return false;
    }
    std::string own = AnchorOf(TidyTitle(heading.title));
    const size_t before = times[own]++;
    if (before > 0) own += '-' + std::to_string(before);
    if (own == wanted) found = heading;
    return true;
  });
  if (!found) return std::nullopt;
  return std::pair(found->start, end);
}

}  // namespace recall
