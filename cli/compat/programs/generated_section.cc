#include "cli/compat/programs/generated_section.h"

#include <algorithm>

namespace recall {
namespace {

constexpr std::string_view kSectionStart = "<!-- bastra:auto-related:start -->";
constexpr std::string_view kSectionEnd = "<!-- bastra:auto-related:end -->";

}  // namespace

std::string WithoutGeneratedSection(std::string_view text) {
  const size_t start = text.find(kSectionStart);
  const size_t end = text.find(kSectionEnd);
  if (start == text.npos || end == text.npos || end < start) return std::string(text);
  const size_t newline = text.substr(0, start).rfind('\n');
  const size_t from = newline == text.npos ? 0 : newline + 1;
  const size_t to = std::min(text.find('\n', end), text.size() - 1) + 1;
  return std::string(text.substr(0, from)) + std::string(text.substr(to));
}

}  // namespace recall
