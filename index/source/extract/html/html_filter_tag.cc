#include "index/source/extract/html/html_filter_tag.h"

#include <algorithm>
#include <iterator>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

// The elements in which an attribute says something about their text.
enum class KeptIn : uint8_t {
  kNone,  // the filter alone reads it
  kAll,
  kBody,         // all elements but `meta` and `link`
  kOutsideCode,  // the same, outside of `pre`
  kMeta,
  kHtml,
  kLinks,  // `a` and `link`
  kImages,
  kLists,
  kCells,
  kTimes,
};

struct AttributeRule {
  std::string_view name;
  size_t max_bytes;  // longer values are left out, or cut
  KeptIn kept_in;
  bool may_be_cut;
};

// By FilterAttribute.
// clang-format off
constexpr AttributeRule kAttributeRules[] = {
    {"id", kMaxFilterId, KeptIn::kOutsideCode, false},
    {"name", 256, KeptIn::kMeta, false},
    {"class", 512, KeptIn::kBody, true},
    {"role", 64, KeptIn::kBody, false},
    {"hidden", 8, KeptIn::kNone, false},
    {"aria-hidden", 8, KeptIn::kNone, false},
    {"style", 256, KeptIn::kNone, false},
    {"lang", 35, KeptIn::kHtml, false},
    {"xml:lang", 35, KeptIn::kHtml, false},
    {"href", 2048, KeptIn::kLinks, false},
    {"alt", 4096, KeptIn::kImages, true},
    {"property", 64, KeptIn::kMeta, false},
    {"content", 4096, KeptIn::kMeta, true},
    {"itemprop", 64, KeptIn::kAll, false},
    {"rel", 64, KeptIn::kLinks, false},
    {"start", 9, KeptIn::kLists, false},
    {"datetime", 64, KeptIn::kTimes, false},
    {"colspan", 4, KeptIn::kCells, false},
};
// clang-format on
static_assert(std::size(kAttributeRules) == kAttributes);

bool Keeps(KeptIn kept_in, const FilterRule& rule, bool in_pre) {
  const FilterTag kind = rule.tag;
  const bool in_head = kind == FilterTag::kMeta || kind == FilterTag::kLink;
  switch (kept_in) {
    case KeptIn::kNone:
      return false;
    case KeptIn::kAll:
      return true;
    case KeptIn::kBody:
      return !in_head;
    case KeptIn::kOutsideCode:
      return !in_head && !in_pre;
    case KeptIn::kMeta:
      return kind == FilterTag::kMeta;
    case KeptIn::kHtml:
      return kind == FilterTag::kHtml;
    case KeptIn::kLinks:
      return kind == FilterTag::kAnchor || kind == FilterTag::kLink;
    case KeptIn::kImages:
      return kind == FilterTag::kImg;
    case KeptIn::kLists:
      return kind == FilterTag::kList;
    case KeptIn::kCells:
      return kind == FilterTag::kCell;
    case KeptIn::kTimes:
      return rule.name == "time";
  }
  return false;
}

// Reads the attribute at `i`. Returns the position after it.
size_t ParseAttribute(std::string_view page, size_t i, ParsedTag* tag) {
  const size_t name_start = i++;
  while (i < page.size() && page[i] != '=' && page[i] != '>' && page[i] != '/' &&
         !IsFilterBlank(page[i])) {
    ++i;
  }
  const std::string_view name = page.substr(name_start, i - name_start);
  size_t value_start = i;
  while (value_start < page.size() && IsFilterBlank(page[value_start])) ++value_start;
  std::string_view value;
  if (value_start < page.size() && page[value_start] == '=') {
    i = value_start + 1;
    while (i < page.size() && IsFilterBlank(page[i])) ++i;
    if (i < page.size() && (page[i] == '"' || page[i] == '\'')) {
      const size_t end = std::min(page.find(page[i], i + 1), page.size());
      value = page.substr(i + 1, end - i - 1);
      i = std::min(end + 1, page.size());
    } else {
      const size_t start = i;
      while (i < page.size() && page[i] != '>' && !IsFilterBlank(page[i])) ++i;
      value = page.substr(start, i - start);
      if (i < page.size() && page[i] == '>' && value.ends_with('/')) value.remove_suffix(1);
    }
  }
  for (int a = 0; a < kAttributes; ++a) {
    if (!EqualsLower(name, kAttributeRules[a].name)) continue;
    if (!tag->Has(static_cast<FilterAttribute>(a))) {
      tag->present |= 1u << a;
      tag->values[a] = value;
    }
    break;
  }
  return i;
}

}  // namespace

bool EqualsLower(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (FilterLower(text[i]) != lower[i]) return false;
  }
  return true;
}

size_t ParseFilterTag(std::string_view page, size_t position, ParsedTag* tag) {
  size_t size = 0;
  size_t i = position;
  for (; i < page.size(); ++i) {
    const char c = page[i];
    if (c == '>' || c == '/' || IsFilterBlank(c)) break;
    if (c == ':') {
      size = 0;  // the prefix of a namespace
      continue;
    }
    if (size < kMaxFilterName) tag->name_bytes[size] = FilterLower(c);
    ++size;
  }
  // A name that is cut could be that of another element.
  if (size > kMaxFilterName) tag->name_bytes[0] = '!';
  tag->name_size = std::min(size, kMaxFilterName);
  while (i < page.size()) {
    const char c = page[i];
    if (c == '>') return i + 1;
    if (c == '/') {
      ++i;
      tag->closes_itself = i < page.size() && page[i] == '>';
    } else if (IsFilterBlank(c)) {
      ++i;
    } else {
      i = ParseAttribute(page, i, tag);
    }
  }
  tag->name_size = 0;
  return page.size();
}

bool IsHiddenTag(const ParsedTag& tag) {
  if (tag.Has(kHidden)) return true;
  if (tag.Has(kAriaHidden) && EqualsLower(tag.values[kAriaHidden], "true")) return true;
  if (!tag.Has(kStyle)) return false;
  const std::string_view style = tag.values[kStyle].substr(0, kAttributeRules[kStyle].max_bytes);
  for (const std::string_view property : {"display", "visibility"}) {
    const std::string_view value = property == "display" ? "none" : "hidden";
    for (size_t i = 0; i + property.size() < style.size(); ++i) {
      if (!EqualsLower(style.substr(i, property.size()), property)) continue;
      size_t at = i + property.size();
      while (at < style.size() && (IsFilterBlank(style[at]) || style[at] == ':')) ++at;
      if (EqualsLower(style.substr(at, value.size()), value)) return true;
    }
  }
  return false;
}

std::string_view FilterAttributeName(FilterAttribute attribute) {
  return kAttributeRules[attribute].name;
}

std::string_view KeptAttribute(const FilterRule& rule, const ParsedTag& tag,
                               FilterAttribute attribute, bool in_pre) {
  const AttributeRule& kept = kAttributeRules[attribute];
  if (!tag.Has(attribute) || !Keeps(kept.kept_in, rule, in_pre)) return {};
  const std::string_view value = tag.Value(attribute);
  if (value.size() <= kept.max_bytes) return value;
  return kept.may_be_cut ? value.substr(0, FloorToCharacter(value, kept.max_bytes))
                         : std::string_view();
}

}  // namespace recall
