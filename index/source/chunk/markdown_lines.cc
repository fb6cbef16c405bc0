#include "index/source/chunk/markdown_lines.h"

#include <algorithm>

#include "index/source/chunk/line_reader.h"
#include "index/source/chunk/token_scan.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr std::string_view kLineBlanks = " \t\r\v\f";

// The line without indentation, or nothing if the indentation makes it indented code.
std::optional<std::string_view> Unindented(std::string_view line) {
  const Indentation indentation = MeasureIndentation(line);
  if (indentation.columns > 3) return std::nullopt;
  return line.substr(indentation.bytes);
}

size_t RunLength(std::string_view text, char c) {
  return std::min(text.find_first_not_of(c), text.size());
}

bool IsBlankByte(char c) { return kLineBlanks.find(c) != std::string_view::npos; }

}  // namespace

std::optional<AtxHeading> ParseAtxHeading(std::string_view line) {
  const std::optional<std::string_view> text = Unindented(line);
  if (!text) return std::nullopt;
  const size_t level = RunLength(*text, '#');
  if (level < 1 || level > 6) return std::nullopt;
  if (level < text->size() && !IsBlankByte((*text)[level])) return std::nullopt;

  std::string_view title = Trim(text->substr(level), kLineBlanks);
  const size_t closing = title.find_last_not_of('#') + 1;  // 0 if the title has only number signs
  if (closing == 0 || IsBlankByte(title[closing - 1])) {
    title = Trim(title.substr(0, closing), kLineBlanks);
  }
  return AtxHeading{static_cast<int>(level), title};
}

int SetextLevel(std::string_view line) {
  const std::optional<std::string_view> text = Unindented(line);
  if (!text) return 0;
  const std::string_view marks = Trim(*text, kLineBlanks);
  if (marks.empty() || RunLength(marks, marks.front()) != marks.size()) return 0;
  if (marks.front() == '=') return 1;
  return marks.front() == '-' ? 2 : 0;
}

std::optional<Fence> OpenFence(std::string_view line, bool in_list) {
  bool indented = false;
  while (in_list) {
    const size_t marker = ListMarkerLength(line);
    if (marker == 0) break;
    line.remove_prefix(marker);
    indented = true;
  }
  const Indentation indentation = MeasureIndentation(line);
  if (indentation.columns > 3 && !in_list) return std::nullopt;
  const std::string_view text = line.substr(indentation.bytes);
  if (!text.starts_with("```") && !text.starts_with("~~~")) return std::nullopt;
  const size_t length = RunLength(text, text.front());
  // "``` code ```" is inline code.
  if (text.front() == '`' && text.find('`', length) != std::string_view::npos) return std::nullopt;
  return Fence{text.front(), length, in_list && (indented || indentation.columns > 1)};
}

bool ClosesFence(std::string_view line, const Fence& fence) {
  const Indentation indentation = MeasureIndentation(line);
  if (indentation.columns > 3 && !fence.in_list) return false;
  const std::string_view text = Trim(line, kLineBlanks);
  return text.size() >= fence.length && RunLength(text, fence.mark) == text.size();
}

size_t ListMarkerLength(std::string_view line) {
  const size_t start = MeasureIndentation(line).bytes;
  size_t end = start;
  if (end < line.size() && (line[end] == '-' || line[end] == '*' || line[end] == '+')) {
    ++end;
  } else {
    constexpr size_t kMaxDigits = 9;
    while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
    if (end == start || end - start > kMaxDigits || end == line.size()) return 0;
    if (line[end] != '.' && line[end] != ')') return 0;
    ++end;
  }
  if (end == line.size()) return end;
  if (!IsBlankByte(line[end])) return 0;
  return std::min(line.find_first_not_of(kLineBlanks, end), line.size());
}

bool IsThematicBreak(std::string_view line) {
  const std::optional<std::string_view> text = Unindented(line);
  if (!text || text->empty()) return false;
  const char mark = text->front();
  if (mark != '-' && mark != '*' && mark != '_') return false;
  size_t marks = 0;
  for (const char c : *text) {
    if (c == mark) {
      ++marks;
    } else if (!IsBlankByte(c)) {
      return false;
    }
  }
  return marks >= 3;
}

std::string_view OpenHtml(std::string_view line) {
  struct Kind {
    std::string_view open, close;
  };
  constexpr Kind kKinds[] = {{"<!--", "-->"},
                             {"<script", "</script>"},
                             {"<style", "</style>"},
                             {"<pre", "</pre>"},
                             {"<textarea", "</textarea>"}};
  const std::optional<std::string_view> text = Unindented(line);
  if (!text || !text->starts_with('<')) return {};
  for (const Kind& kind : kKinds) {
    if (text->starts_with(kind.open)) {
      const bool ends = text->find(kind.close, kind.open.size()) != std::string_view::npos;
      return ends ? std::string_view() : kind.close;
    }
  }
  return {};
}

bool StartsOtherBlock(std::string_view line) {
  return line.starts_with('>') || line.starts_with('|') || line.starts_with('<');
}

// A long word is copied one character further than fits, so that the cut finds a whole character.
std::string TidyTitle(std::string_view title) {
  std::string tidy;
  size_t position = SkipWhiteSpace(title, 0);
  while (position < title.size() && tidy.size() <= kMaxTitleBytes) {
    const size_t end = FindTokenEnd(title, position);
    if (!tidy.empty()) tidy += ' ';
    tidy += title.substr(position, std::min(end - position, kMaxTitleBytes + 4));
    position = SkipWhiteSpace(title, end);
  }
  if (tidy.size() > kMaxTitleBytes) tidy.resize(FloorToCharacter(tidy, kMaxTitleBytes));
  return tidy;
}

}  // namespace recall
