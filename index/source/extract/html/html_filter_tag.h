#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "index/source/extract/html/html_filter_rules.h"

namespace recall {

inline bool IsFilterBlank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}
inline bool IsFilterLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline char FilterLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// Whether `text` without regard to the case of ASCII letters is `lower`.
bool EqualsLower(std::string_view text, std::string_view lower);

// The attributes that the filter reads. Others are left out.
enum FilterAttribute : uint8_t {
  kId,
  kName,
  kClass,
  kRole,
  kHidden,
  kAriaHidden,
  kStyle,
  kLang,
  kXmlLang,
  kHref,
  kAlt,
  kProperty,
  kContent,
  kItemprop,
  kRel,
  kStart,
  kDatetime,
  kColspan,
  kAttributes
};

// A start or end tag of the page. Its values refer to the page.
struct ParsedTag {
  std::array<char, kMaxFilterName>
      name_bytes;        // lower case; a longer name is cut and begins with "!"
  size_t name_size = 0;  // 0: the tag has no end
  uint32_t present = 0;  // a bit for each of `values`
  std::array<std::string_view, kAttributes> values;
  bool closes_itself = false;

  std::string_view name() const { return std::string_view(name_bytes.data(), name_size); }
  bool Has(FilterAttribute attribute) const { return (present >> attribute & 1) != 0; }
  // Returns "" if the tag does not have the attribute.
  std::string_view Value(FilterAttribute attribute) const { return values[attribute]; }
};

// Reads the tag of `page` whose name begins at `position`. Returns the position after it; the end
// of the page if the tag has no end.
size_t ParseFilterTag(std::string_view page, size_t position, ParsedTag* tag);

// Whether the attributes of a tag hide the element: `hidden`, `aria-hidden`, or by its style.
bool IsHiddenTag(const ParsedTag& tag);

std::string_view FilterAttributeName(FilterAttribute attribute);
// Returns the value with which an attribute of a tag is written: "" if it is left out, because it
// says nothing about text in this kind of element, or is too long to be what it should be. Long
// texts are cut.
std::string_view KeptAttribute(const FilterRule& rule, const ParsedTag& tag,
                               FilterAttribute attribute, bool in_pre);

// The longest id that is kept.
inline constexpr size_t kMaxFilterId = 256;

}  // namespace recall
