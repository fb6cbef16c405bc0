#include "cli/setup/install/text_diff.h"

#include <algorithm>
#include <span>
#include <vector>

namespace recall {
namespace {

constexpr size_t kDiffContext = 3;

// The lines, each with its newline if it has one.
std::vector<std::string_view> DiffLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    lines.push_back(text.substr(0, newline == text.npos ? newline : newline + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

void AppendDiffLines(char mark, std::span<const std::string_view> lines, std::string* to) {
  for (const std::string_view line : lines) {
    *to += mark;
    *to += line;
    if (!line.ends_with('\n')) *to += "\n\\ No newline at end of file\n";
  }
}

std::string HunkRange(size_t begin, size_t count) {
  return std::to_string(count == 0 ? begin : begin + 1) + "," + std::to_string(count);
}

}  // namespace

std::string UnifiedDiff(const std::string& file, const std::optional<std::string>& before,
                        const std::optional<std::string>& after) {
  if (before == after) return "";
  const std::string old_text = before.value_or("");
  const std::string new_text = after.value_or("");
  const std::vector<std::string_view> a = DiffLines(old_text);
  const std::vector<std::string_view> b = DiffLines(new_text);
  const size_t shorter = std::min(a.size(), b.size());
  size_t head = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  size_t tail = 0;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;

  const size_t begin = head - std::min(head, kDiffContext);
  const size_t after_lines = std::min(tail, kDiffContext);
  const std::span old_lines(a);
  const std::span new_lines(b);
  const size_t old_count = a.size() - tail - head;
  const size_t new_count = b.size() - tail - head;
  std::string diff =
      "--- " + (before ? file : "/dev/null") + "\n+++ " + (after ? file : "/dev/null") + "\n";
  const size_t context = head - begin + after_lines;
  diff += "@@ -" + HunkRange(begin, old_count + context) + " +" +
          HunkRange(begin, new_count + context) + " @@\n";
  AppendDiffLines(' ', old_lines.subspan(begin, head - begin), &diff);
  AppendDiffLines('-', old_lines.subspan(head, old_count), &diff);
  AppendDiffLines('+', new_lines.subspan(head, new_count), &diff);
  AppendDiffLines(' ', old_lines.subspan(a.size() - tail, after_lines), &diff);
  return diff;
}

}  // namespace recall
