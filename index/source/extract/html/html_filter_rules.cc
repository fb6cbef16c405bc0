#include "index/source/extract/html/html_filter_rules.h"

#include <array>
#include <iterator>

namespace recall {
namespace {

// clang-format off
constexpr FilterRule kFilterRules[] = {
    {"html", FilterTag::kHtml, ""},
    {"head", FilterTag::kHead, ""},
    {"body", FilterTag::kBody, ""},
    {"title", FilterTag::kTitle, ""},
    {"meta", FilterTag::kMeta, ""},
    {"link", FilterTag::kLink, ""},
    {"br", FilterTag::kBr, ""},
    {"hr", FilterTag::kHr, ""},
    {"img", FilterTag::kImg, ""},
    {"image", FilterTag::kImg, "img"},
    {"wbr", FilterTag::kIgnored, ""},
    {"div", FilterTag::kDiv, ""},
    {"section", FilterTag::kDiv, ""},
    {"article", FilterTag::kDiv, ""},
    {"aside", FilterTag::kDiv, ""},
    {"main", FilterTag::kDiv, ""},
    {"nav", FilterTag::kDiv, ""},
    {"header", FilterTag::kDiv, ""},
    {"footer", FilterTag::kDiv, ""},
    {"hgroup", FilterTag::kDiv, "div"},
    {"search", FilterTag::kDiv, "nav"},
    {"address", FilterTag::kDiv, ""},
    {"details", FilterTag::kDiv, ""},
    {"summary", FilterTag::kDiv, ""},
    {"figure", FilterTag::kDiv, ""},
    {"figcaption", FilterTag::kDiv, ""},
    {"fieldset", FilterTag::kDiv, "div"},
    {"legend", FilterTag::kDiv, "div"},
    {"form", FilterTag::kDiv, ""},
    {"dialog", FilterTag::kDiv, "dialog"},
    {"center", FilterTag::kDiv, "div"},
    {"p", FilterTag::kP, ""},
    {"h1", FilterTag::kHeading, ""},
    {"h2", FilterTag::kHeading, ""},
    {"h3", FilterTag::kHeading, ""},
    {"h4", FilterTag::kHeading, ""},
    {"h5", FilterTag::kHeading, ""},
    {"h6", FilterTag::kHeading, ""},
    {"ul", FilterTag::kList, ""},
    {"ol", FilterTag::kList, ""},
    {"menu", FilterTag::kList, "ul"},
    {"dir", FilterTag::kList, "ul"},
    {"li", FilterTag::kItem, ""},
    {"dl", FilterTag::kTermList, ""},
    {"dt", FilterTag::kTerm, ""},
    {"dd", FilterTag::kTermText, ""},
    {"pre", FilterTag::kPre, ""},
    {"listing", FilterTag::kPre, "pre"},
    {"xmp", FilterTag::kPre, "pre"},
    {"blockquote", FilterTag::kQuote, ""},
    {"table", FilterTag::kTable, ""},
    {"caption", FilterTag::kCaption, ""},
    {"thead", FilterTag::kTablePart, ""},
    {"tbody", FilterTag::kTablePart, ""},
    {"tfoot", FilterTag::kTablePart, ""},
    {"tr", FilterTag::kRow, ""},
    {"td", FilterTag::kCell, ""},
    {"th", FilterTag::kCell, ""},
    {"col", FilterTag::kColumn, ""},
    {"colgroup", FilterTag::kColumn, ""},
    {"a", FilterTag::kAnchor, "q"},
    {"code", FilterTag::kCode, "span"},
    {"span", FilterTag::kInline, "span"},
    {"b", FilterTag::kInline, "span"},
    {"i", FilterTag::kInline, "span"},
    {"em", FilterTag::kInline, "span"},
    {"strong", FilterTag::kInline, "span"},
    {"u", FilterTag::kInline, "span"},
    {"s", FilterTag::kInline, "span"},
    {"strike", FilterTag::kInline, "span"},
    {"small", FilterTag::kInline, "span"},
    {"big", FilterTag::kInline, "span"},
    {"tt", FilterTag::kInline, "span"},
    {"font", FilterTag::kInline, "span"},
    {"abbr", FilterTag::kInline, "span"},
    {"cite", FilterTag::kInline, "span"},
    {"dfn", FilterTag::kInline, "span"},
    {"kbd", FilterTag::kInline, "span"},
    {"samp", FilterTag::kInline, "span"},
    {"var", FilterTag::kInline, "span"},
    {"sub", FilterTag::kInline, "span"},
    {"sup", FilterTag::kInline, "span"},
    {"mark", FilterTag::kInline, "span"},
    {"time", FilterTag::kInline, "time"},
    {"label", FilterTag::kInline, "span"},
    {"ins", FilterTag::kInline, "span"},
    {"del", FilterTag::kInline, "span"},
    {"button", FilterTag::kButton, "span"},
    {"script", FilterTag::kDropped, ""},
    {"style", FilterTag::kDropped, ""},
    {"template", FilterTag::kDropped, ""},
    {"noscript", FilterTag::kDropped, ""},
    {"svg", FilterTag::kDropped, ""},
    {"iframe", FilterTag::kDropped, ""},
    {"noframes", FilterTag::kDropped, ""},
    {"noembed", FilterTag::kDropped, ""},
    {"textarea", FilterTag::kDropped, ""},
    {"select", FilterTag::kDropped, ""},
    {"datalist", FilterTag::kDropped, ""},
    {"canvas", FilterTag::kDropped, ""},
    {"video", FilterTag::kDropped, ""},
    {"audio", FilterTag::kDropped, ""},
    {"annotation", FilterTag::kDropped, ""},
    {"annotation-xml", FilterTag::kDropped, ""},
};
// clang-format on
static_assert(std::size(kFilterRules) == kFilterRuleCount);

// Rules by name, in a table with open addressing.
class FilterRules final {
 public:
  FilterRules() {
    for (const FilterRule& rule : kFilterRules) {
      size_t slot = Slot(rule.name);
      while (slots_[slot] != nullptr) slot = (slot + 1) % kSlots;
      slots_[slot] = &rule;
    }
  }

  const FilterRule* Find(std::string_view name) const {
    for (size_t slot = Slot(name); slots_[slot] != nullptr; slot = (slot + 1) % kSlots) {
      if (slots_[slot]->name == name) return slots_[slot];
    }
    return nullptr;
  }

 private:
  static constexpr size_t kSlots = 512;

  static size_t Slot(std::string_view name) {
    size_t hash = name.size();
    for (const char c : name) hash = hash * 31 + static_cast<uint8_t>(c);
    return hash % kSlots;
  }

  std::array<const FilterRule*, kSlots> slots_ = {};
};

}  // namespace

const FilterRule* FindFilterRule(std::string_view name) {
  static const FilterRules rules;
  return rules.Find(name);
}

size_t FilterRuleIndex(const FilterRule& rule) { return static_cast<size_t>(&rule - kFilterRules); }

}  // namespace recall
