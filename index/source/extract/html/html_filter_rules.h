#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recall {

// The kinds of elements that the filter treats alike.
enum class FilterTag : uint8_t {
  kUnknown,
  kHtml,
  kHead,
  kBody,
  kTitle,
  kMeta,
  kLink,
  kBr,
  kHr,
  kImg,
  kWbr,
  kDiv,
  kP,
  kHeading,
  kList,
  kItem,
  kTermList,
  kTerm,
  kTermText,
  kPre,
  kQuote,
  kTable,
  kCaption,
  kTablePart,
  kRow,
  kCell,
  kColumn,
  kAnchor,
  kCode,
  kInline,  // changes how text looks, or says what a word is
  kButton,
  kDropped,  // left out with what is in it
  kIgnored,  // left out
};

struct FilterRule {
  std::string_view name;  // of the element, in lower case
  FilterTag tag;
  std::string_view written;  // the name in the filtered page; "": the same

  std::string_view WrittenName() const { return written.empty() ? name : written; }
};

inline constexpr size_t kFilterRuleCount = 104;
// The length of the longest name that has a rule.
inline constexpr size_t kMaxFilterName = 16;

// Returns the rule of an element; null if it has none. Thread-safe.
const FilterRule* FindFilterRule(std::string_view name);
// Returns the place of a rule among all of them, below kFilterRuleCount.
size_t FilterRuleIndex(const FilterRule& rule);

}  // namespace recall
