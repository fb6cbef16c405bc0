#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A page made small and harmless for an HTML parser.
struct FilteredHtml {
  std::string html;
  // Texts that `html` refers to by marks (HtmlTextMark), in the page's own bytes.
  std::vector<std::string_view> texts;
  // The page asked for more than `kMaxHtmlElements`; `html` is incomplete.
  bool too_many_elements = false;
};

inline constexpr int64_t kMaxHtmlElements = 1'000'000;

// A mark in the text of the filtered page: kHtmlMark and kHtmlMarkDigits bytes, each kHtmlMarkZero
// plus six bits of the index in `texts`, the lowest first.
inline constexpr std::string_view kHtmlMark = "\xEF\xA3\xB3";  // U+F8F3, of private use
inline constexpr size_t kHtmlMarkDigits = 5;
inline constexpr char kHtmlMarkZero = '?';

}  // namespace recall
