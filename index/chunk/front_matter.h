#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace recall {

// YAML front matter: `---` alone on the first line (a byte order mark may precede it), a first
// line that is not blank, and a line `---` or `...` within kMaxFrontMatterBytes.
struct FrontMatter {
  std::string_view body;  // the lines between
  size_t end = 0;         // in the text, past the closing line
};

inline constexpr size_t kMaxFrontMatterBytes = 64 << 10;

std::optional<FrontMatter> FindFrontMatter(std::string_view text);
// Lines that would be front matter if they were not longer than kMaxFrontMatterBytes.
std::optional<FrontMatter> FindOversizedFrontMatter(std::string_view text);

// `text` without a byte order mark.
std::string_view WithoutByteOrderMark(std::string_view text);

}  // namespace recall
