#include "query/ask/passages/passage_fence.h"

#include <algorithm>
#include <array>

namespace recall {
namespace {

constexpr size_t kShortestFence = 3;
constexpr size_t kLeastHashDigits = 4;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

size_t SkipDigits(std::string_view text, size_t at) {
  while (at < text.size() && IsDigit(text[at])) ++at;
  return at;
}

// Whether lines begin at a colon: ":10-24".
bool HasLinesAt(std::string_view text, size_t colon) {
  const size_t dash = SkipDigits(text, colon + 1);
  if (dash == colon + 1 || dash == text.size() || text[dash] != '-') return false;
  return dash + 1 < text.size() && IsDigit(text[dash + 1]);
}

// Whether a hash begins at an at sign: "@1f0c39ab66e2", and then nothing that an address may have.
bool HasHashAt(std::string_view text, size_t at_sign) {
  size_t end = at_sign + 1;
  while (end < text.size() && IsHexDigit(text[end])) ++end;
  if (end - at_sign - 1 < kLeastHashDigits) return false;
  return end < text.size() && std::string_view(":],").find(text[end]) != std::string_view::npos;
}

// Whether what follows a bracket can be a citation: its lines, its hash, or its continuation.
bool HasCitation(std::string_view line) {
  for (size_t at = line.find('['); at < line.size(); ++at) {
    if (line[at] == ':' && HasLinesAt(line, at)) return true;
    if (line[at] == '@' && HasHashAt(line, at)) return true;
  }
  return line.find(", continued]") != line.npos;
}

// Members of the line of JSON that ends an answer.
constexpr std::array<std::string_view, 8> kMembersOfTotals = {
    "\"used_tokens\"", "\"total", "\"truncated\"", "\"cursor\"",
    "\"snapshot\"",    "\"next_", "\"related\"",   "\"warnings\""};

// Whether a line is JSON with the members of totals. Marks before it, such as those of quotes and
// lists, and characters that cannot be seen do not count.
bool HasTotals(std::string_view line) {
  const auto begin = std::ranges::find_if(
      line, [](char c) { return IsLetter(c) || IsDigit(c) || c == '{' || c == '['; });
  if (begin == line.end() || *begin != '{') return false;
  return std::ranges::any_of(kMembersOfTotals, [&](std::string_view member) {
    return line.find(member) != std::string_view::npos;
  });
}

// Where the line that begins at `at` ends: at a newline, or another character that is shown as one.
size_t EndOfLine(std::string_view text, size_t at) {
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n' || c == '\r' || c == '\v' || c == '\f') return at;
    const std::string_view rest = text.substr(at);
    // NEXT LINE, LINE SEPARATOR and PARAGRAPH SEPARATOR.
    if (c == '\xC2' && rest.starts_with("\xC2\x85")) return at;
    if (c == '\xE2' && (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9"))) {
      return at;
    }
  }
  return at;
}

// Whether a line is the head of a target that was not found: "[guide.md]", and below it the code of
// an error.
bool IsHeadOfError(std::string_view line, std::string_view next) {
  const size_t last = line.find_last_not_of(" \t");
  if (last == line.npos || line[last] != ']' || line.find('[') == line.npos) return false;
  const size_t code = next.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  return code != next.npos && code > 0 && next.substr(code).starts_with(": ");
}

}  // namespace

bool ResemblesAnAnswer(std::string_view text) {
  std::string_view before;
  for (size_t at = 0; at < text.size();) {
    const size_t end = EndOfLine(text, at);
    const std::string_view line = text.substr(at, end - at);
    if (HasCitation(line) || HasTotals(line) || IsHeadOfError(before, line)) return true;
    before = line;
    at = end + 1;
  }
  return false;
}

size_t LongestRunOfBackticks(std::string_view text) {
  size_t longest = 0;
  for (size_t at = text.find('`'); at != text.npos; at = text.find('`', at)) {
    const size_t end = std::min(text.find_first_not_of('`', at), text.size());
    longest = std::max(longest, end - at);
    at = end;
  }
  return longest;
}

void PassageFence::Cover(std::string_view text) {
  needed_ = needed_ || ResemblesAnAnswer(text);
  longest_run_ = std::max(longest_run_, LongestRunOfBackticks(text));
}

std::string PassageFence::Opening() const {
  if (!needed_) return {};
  return std::string(std::max(longest_run_ + 1, kShortestFence), '`') + "\n";
}

std::string PassageFence::Closing(std::string_view passage) const {
  if (!needed_) return {};
  return (passage.ends_with('\n') ? "" : "\n") +
         std::string(std::max(longest_run_ + 1, kShortestFence), '`');
}

}  // namespace recall
