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

// Returns: the front matter at the start of `text`, as a view of it; nullopt if there is none.
std::optional<FrontMatter> FindFrontMatter(std::string_view text);
// Lines that would be front matter if they were not longer than kMaxFrontMatterBytes.
std::optional<FrontMatter> FindOversizedFrontMatter(std::string_view text);

// Returns: `text` without a leading byte order mark.
std::string_view WithoutByteOrderMark(std::string_view text);

}  // namespace recall
