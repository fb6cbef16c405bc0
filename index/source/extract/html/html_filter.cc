// Problem: libgumbo builds the tree that the HTML standard prescribes, but it copies each character
// several times, works in time quadratic in the number of open elements and of open formatting
// elements, and frees the tree by recursion. Hostile pages make it work for hours.
//
// Idea: rewrite the page in one pass before gumbo sees it.
//
//   * Scripts, styles, comments, drawings, form fields and other things without text are left out.
//   * Elements that only change how text looks (b, i, span, ...) are left out; their text is kept.
//     This leaves no formatting elements, for which the standard has its costliest rules.
//   * Of the attributes those are kept that say something about text: ids, classes, roles, ...
//   * A longer text is replaced by a mark of eight bytes, which stands for its place in the page.
//     Character references stay in the page, so that gumbo decodes them.
//   * A stack of open elements, which follows the standard's rules on omitted end tags, bounds the
//     depth. What it closes is closed by an explicit end tag, so that gumbo's stack agrees.
//
// Invariants: each start tag that is written is on the stack; `depth_` is the number of these; an
// end tag is written only for one of them. A search in the stack looks at kMaxSearch entries.
//
// Cost: linear in the page. A section without an end is looked for once for each kind.

#include "index/source/extract/html/html_filter.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "index/source/extract/html/html_filter_output.h"
#include "index/source/extract/html/html_filter_rules.h"
#include "index/source/extract/html/html_filter_tag.h"

namespace recall {
namespace {

class HtmlFilter final {
 public:
  HtmlFilter(std::string_view text, int max_depth)
      : text_(text), max_depth_(max_depth), out_(text.size()) {
    const std::string_view head = text.substr(0, 2048);
    is_xhtml_ = head.find("<?xml ") != head.npos || head.find("//DTD XHTML") != head.npos ||
                head.find("http://www.w3.org/1999/xhtml") != head.npos;
  }

  FilteredHtml Run() {
    size_t position = 0;
    while (position < text_.size() && !out_.is_full()) {
      size_t mark = position;
      while (mark < text_.size()) {
        mark = std::min(text_.find('<', mark), text_.size());
        if (BeginsMarkup(mark)) break;
        mark = std::min(mark + 1, text_.size());
      }
      if (mark > position) out_.Text(text_.substr(position, mark - position));
      if (mark == text_.size()) break;
      position = ReadMarkup(mark);
    }
    return out_.Finish();
  }

 private:
  struct OpenElement {
    const FilterRule* rule;
    bool written;
  };

  // Whether the "<" at `i` begins markup, and is not a character of the text.
  bool BeginsMarkup(size_t i) const {
    if (i + 1 >= text_.size()) return false;
    const char next = text_[i + 1];
    return IsFilterLetter(next) || next == '/' || next == '!' || next == '?';
  }

  // Reads the markup that begins with the "<" at `start`. Returns the position after it.
  size_t ReadMarkup(size_t start) {
    const char next = start + 1 < text_.size() ? text_[start + 1] : ' ';
    if (IsFilterLetter(next)) return ReadStartTag(start + 1);
    if (next == '/' && start + 2 < text_.size() && IsFilterLetter(text_[start + 2])) {
      return ReadEndTag(start + 2);
    }
    return ReadDeclaration(start);
  }

  size_t ReadDeclaration(size_t start) {
    const std::string_view rest = text_.substr(start);
    if (rest.starts_with("<!-->")) return start + 5;
    if (rest.starts_with("<!--->")) return start + 6;
    if (rest.starts_with("<!--")) return After("-->", start + 4);
    if (is_xhtml_ && rest.starts_with("<![CDATA[")) {
      const size_t end = After("]]>", start + 9);
      const size_t size = end - start - 9;
      out_.Literal(text_.substr(start + 9, size >= 3 ? size - 3 : 0));
      return end;
    }
    return After(">", start + 1);
  }

  // Returns the position after the next `mark`; the end of the page if there is none.
  size_t After(std::string_view mark, size_t from) const {
    const size_t found = text_.find(mark, from);
    return found == text_.npos ? text_.size() : found + mark.size();
  }

  size_t ReadStartTag(size_t position) {
    ParsedTag tag;
    const size_t end = ParseFilterTag(text_, position, &tag);
    if (tag.name_size == 0) return end;
    const FilterRule* const rule = FindFilterRule(tag.name());
    if (rule == nullptr) {
      OpenUnknown(tag);
      return end;
    }
    const bool closes_itself = tag.closes_itself && is_xhtml_;
    switch (rule->tag) {
      case FilterTag::kDropped:
        return closes_itself ? end : SkipSection(rule, end);
      case FilterTag::kButton:
        if (!InHeading()) return closes_itself ? end : SkipSection(rule, end);
        break;
      case FilterTag::kTitle:
        return closes_itself ? end : ReadTitle(end);
      case FilterTag::kMeta:
      case FilterTag::kLink:
      case FilterTag::kBr:
      case FilterTag::kHr:
      case FilterTag::kImg:
        if (rule->tag == FilterTag::kHr) CloseParagraph();
        WriteStartTag(*rule, tag);
        return end;
      case FilterTag::kColumn:
        WriteColumn();
        return end;
      case FilterTag::kIgnored:
        return end;
      default:
        break;
    }
    Open(rule, tag);
    if (closes_itself) Close(rule);
    return end;
  }

  // Writes one column for all of a table: that a table has columns says that it is one of data. A
  // column elsewhere means nothing, or would end the cell around it.
  void WriteColumn() {
    constexpr std::string_view kColumnTag = "<col>";
    if (open_.empty() || open_.back().rule->tag != FilterTag::kTable || !open_.back().written ||
        out_.EndsWith(kColumnTag)) {
      return;
    }
    if (out_.CountElement()) out_.Raw(kColumnTag);
  }

  void OpenUnknown(const ParsedTag& tag) {
    // A custom element may be a block or not; white space is right for both.
    if (tag.name().find('-') != std::string_view::npos) out_.Raw("\n");
    WriteAnchor(tag);
  }

  // Writes an element without text in place of one that is left out, to keep its id. The name of an
  // `a` is an id, too.
  void WriteAnchor(const ParsedTag& tag, bool is_link = false) {
    std::string_view id = tag.Value(kId);
    if (is_link && !tag.Has(kId)) id = tag.Value(kName);
    if (id.empty() || in_pre_ > 0 || id.size() > kMaxFilterId) return;
    if (!out_.CountElement()) return;
    out_.Raw("<span");
    out_.Attribute("id", id);
    out_.Raw("></span>");
  }

  bool InHeading() const {
    const size_t least = open_.size() - std::min(open_.size(), kMaxSearch);
    for (size_t i = open_.size(); i > least; --i) {
      const FilterTag tag = open_[i - 1].rule->tag;
      if (tag == FilterTag::kHeading || open_[i - 1].rule->name == "summary") return true;
      if (tag != FilterTag::kInline && tag != FilterTag::kAnchor) return false;
    }
    return false;
  }

  void Open(const FilterRule* rule, const ParsedTag& tag) {
    CloseImplied(*rule);
    if (rule->tag == FilterTag::kHtml || rule->tag == FilterTag::kBody) WriteStartTag(*rule, tag);
    // gumbo opens these once, wherever they are, and closes them at the end of the page.
    if (rule->tag == FilterTag::kHtml || rule->tag == FilterTag::kHead ||
        rule->tag == FilterTag::kBody) {
      return;
    }
    const bool says_something = SaysSomething(*rule, tag);
    if (!says_something) WriteAnchor(tag, rule->tag == FilterTag::kAnchor);
    const bool write = says_something && depth_ < max_depth_;
    if (write) {
      WriteStartTag(*rule, tag);
      ++depth_;
    }
    open_.push_back({rule, write});
    ++open_of_[static_cast<size_t>(rule->tag)];
    if (rule->tag == FilterTag::kPre) out_.SetInPre(++in_pre_ > 0);
  }

  // Whether the element is more than a look: a link, a block, or one with an attribute that says
  // something about its text.
  bool SaysSomething(const FilterRule& rule, const ParsedTag& tag) const {
    switch (rule.tag) {
      case FilterTag::kAnchor:
        return !tag.Value(kHref).empty() || IsHiddenTag(tag);
      case FilterTag::kCode:
        return (in_pre_ > 0 && tag.Has(kClass)) || IsHiddenTag(tag);
      case FilterTag::kInline:
      case FilterTag::kButton:
        return IsHiddenTag(tag) || (rule.name == "time" && tag.Has(kDatetime)) ||
               tag.Has(kItemprop) || (tag.Has(kRole) && in_pre_ == 0);
      default:
        return true;
    }
  }

  // Closes the elements whose end tags may be omitted before this one.
  void CloseImplied(const FilterRule& rule) {
    switch (rule.tag) {
      case FilterTag::kHeading:
        CloseParagraph();
        if (!open_.empty() && open_.back().rule->tag == FilterTag::kHeading) CloseTop();
        break;
      case FilterTag::kDiv:
      case FilterTag::kP:
      case FilterTag::kList:
      case FilterTag::kTermList:
      case FilterTag::kPre:
      case FilterTag::kQuote:
      case FilterTag::kTable:
        CloseParagraph();
        break;
      case FilterTag::kItem:
        CloseNearest({FilterTag::kItem}, {FilterTag::kList});
        CloseParagraph();
        break;
      case FilterTag::kTerm:
      case FilterTag::kTermText:
        CloseNearest({FilterTag::kTerm, FilterTag::kTermText}, {FilterTag::kTermList});
        CloseParagraph();
        break;
      case FilterTag::kAnchor:
        CloseNearest({FilterTag::kAnchor}, {FilterTag::kDiv, FilterTag::kP, FilterTag::kItem});
        break;
      default:
        CloseImpliedInTable(rule.tag);
        break;
    }
  }

  void CloseImpliedInTable(FilterTag tag) {
    switch (tag) {
      case FilterTag::kCell:
        CloseNearest({FilterTag::kCell, FilterTag::kCaption}, {FilterTag::kRow});
        break;
      case FilterTag::kRow:
        CloseNearest({FilterTag::kRow, FilterTag::kCaption}, {});
        break;
      case FilterTag::kTablePart:
        CloseNearest({FilterTag::kTablePart, FilterTag::kCaption}, {});
        CloseNearest({FilterTag::kRow}, {});
        break;
      case FilterTag::kCaption:
        CloseNearest({FilterTag::kTablePart, FilterTag::kCaption, FilterTag::kRow}, {});
        break;
      default:
        break;
    }
  }

  void CloseParagraph() { CloseNearest({FilterTag::kP}, {FilterTag::kCell, FilterTag::kCaption}); }

  static bool Contains(std::initializer_list<FilterTag> tags, FilterTag tag) {
    return std::ranges::find(tags, tag) != tags.end();
  }

  // Closes the nearest open element of `tags` with everything inside it, unless one of `bounds` or
  // a table is nearer.
  void CloseNearest(std::initializer_list<FilterTag> tags,
                    std::initializer_list<FilterTag> bounds) {
    const auto is_open = [this](FilterTag t) { return open_of_[static_cast<size_t>(t)] > 0; };
    if (std::ranges::none_of(tags, is_open)) return;
    const size_t least = open_.size() - std::min(open_.size(), kMaxSearch);
    for (size_t i = open_.size(); i > least; --i) {
      const FilterTag tag = open_[i - 1].rule->tag;
      if (Contains(tags, tag)) {
        while (open_.size() >= i) CloseTop();
        return;
      }
      if (tag == FilterTag::kTable || Contains(bounds, tag)) return;
    }
  }

  size_t ReadEndTag(size_t position) {
    ParsedTag tag;
    const size_t end = ParseFilterTag(text_, position, &tag);
    if (tag.name_size == 0) return end;
    const FilterRule* const rule = FindFilterRule(tag.name());
    if (rule == nullptr) {
      if (tag.name().find('-') != std::string_view::npos) out_.Raw("\n");
    } else if (rule->tag == FilterTag::kBr) {
      WriteStartTag(*rule, ParsedTag());
    } else {
      Close(rule);
    }
    return end;
  }

  static bool IsTablePiece(FilterTag tag) {
    return tag == FilterTag::kTable || tag == FilterTag::kTablePart || tag == FilterTag::kRow ||
           tag == FilterTag::kCell || tag == FilterTag::kCaption;
  }

  void Close(const FilterRule* rule) {
    if (open_of_[static_cast<size_t>(rule->tag)] == 0) return;
    const size_t least = open_.size() - std::min(open_.size(), kMaxSearch);
    for (size_t i = open_.size(); i > least; --i) {
      const FilterRule* const open = open_[i - 1].rule;
      const bool both_headings =
          open->tag == FilterTag::kHeading && rule->tag == FilterTag::kHeading;
      if (open == rule || both_headings) {
        while (open_.size() >= i) CloseTop();
        return;
      }
      // An end tag in a cell closes nothing outside the cell, and the end tag of a part of a table
      // closes nothing outside the table. The end tag of an inline element closes no block.
      if (IsTablePiece(rule->tag) ? open->tag == FilterTag::kTable : IsTablePiece(open->tag))
        return;
      const bool is_inline = rule->tag == FilterTag::kInline || rule->tag == FilterTag::kAnchor ||
                             rule->tag == FilterTag::kCode || rule->tag == FilterTag::kButton;
      const bool open_is_inline = open->tag == FilterTag::kInline ||
                                  open->tag == FilterTag::kAnchor || open->tag == FilterTag::kCode;
      if (is_inline && !open_is_inline) return;
    }
  }

  void CloseTop() {
    const OpenElement top = open_.back();
    open_.pop_back();
    --open_of_[static_cast<size_t>(top.rule->tag)];
    if (top.rule->tag == FilterTag::kPre) out_.SetInPre(--in_pre_ > 0);
    if (!top.written) return;
    --depth_;
    out_.Raw("</");
    out_.Raw(top.rule->WrittenName());
    out_.Raw(">");
  }

  // Skips an element with everything inside it. Returns the position after it; `position` if the
  // element has no end tag, so that an unclosed one does not swallow the page.
  size_t SkipSection(const FilterRule* rule, size_t position) {
    const size_t index = FilterRuleIndex(*rule);
    if (never_ends_[index]) return position;
    for (size_t i = text_.find("</", position); i != text_.npos; i = text_.find("</", i + 2)) {
      const size_t name_end = i + 2 + rule->name.size();
      if (name_end >= text_.size()) break;
      if (!EqualsLower(text_.substr(i + 2, rule->name.size()), rule->name)) continue;
      const char c = text_[name_end];
      if (c == '>' || c == '/' || IsFilterBlank(c)) return After(">", name_end);
    }
    never_ends_[index] = true;
    return position;
  }

  // Reads the title whose text begins at `position`, and writes the first one. Returns the position
  // after it; `position` if it has no end tag within 4 KiB: then the tag is ignored.
  size_t ReadTitle(size_t position) {
    constexpr size_t kMaxTitle = 4096;
    const std::string_view window = text_.substr(position, kMaxTitle);
    // Does not search again where no end was found for an earlier title, so the cost stays linear.
    size_t end =
        window.find("</", std::min(window.size(), std::max(no_title_end_, position) - position));
    while (end != window.npos && !EqualsLower(window.substr(end + 2, 5), "title")) {
      end = window.find("</", end + 2);
    }
    if (end == window.npos) {
      no_title_end_ = position + std::max<size_t>(window.size(), 8) - 8;
      return position;
    }
    if (!has_title_) {
      has_title_ = true;
      out_.Raw("<title>");
      out_.Title(window.substr(0, end));
      out_.Raw("</title>");
    }
    return After(">", position + end);
  }

  void WriteStartTag(const FilterRule& rule, const ParsedTag& tag) {
    if (!out_.CountElement()) return;
    out_.Raw("<");
    out_.Raw(rule.WrittenName());
    if (tag.present != 0) WriteAttributes(rule, tag);
    out_.Raw(">");
  }

  void WriteAttributes(const FilterRule& rule, const ParsedTag& tag) {
    for (int a = 0; a < kAttributes; ++a) {
      const auto attribute = static_cast<FilterAttribute>(a);
      const std::string_view value = KeptAttribute(rule, tag, attribute, in_pre_ > 0);
      if (!value.empty()) out_.Attribute(FilterAttributeName(attribute), value);
    }
    if (IsHiddenTag(tag)) out_.Raw(" hidden");
  }

  static constexpr size_t kMaxSearch = 512;

  const std::string_view text_;
  const int max_depth_;
  bool is_xhtml_ = false;
  HtmlFilterOutput out_;
  std::vector<OpenElement> open_;
  int depth_ = 0;  // written elements that are open
  // Open elements by kind. A kind without any is not searched for in the stack.
  std::array<int64_t, static_cast<size_t>(FilterTag::kIgnored) + 1> open_of_ = {};
  int in_pre_ = 0;  // the number of open `pre`
  bool has_title_ = false;
  size_t no_title_end_ = 0;  // no title ends before this position
  std::array<bool, kFilterRuleCount> never_ends_ = {};
};

}  // namespace

FilteredHtml FilterHtml(std::string_view text, int max_depth) {
  return HtmlFilter(text, max_depth).Run();
}

}  // namespace recall
