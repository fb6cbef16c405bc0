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
#include <cstring>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

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
  kInline,
  kButton,
  kDropped,
  kIgnored,
};  // clang-format off

struct FilterRule {
  std::string_view name;
  FilterTag tag;
  std::string_view written;  // the name in the filtered page, if another
};

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
};  // clang-format on

constexpr size_t kMaxFilterName = 16;

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

const FilterRules& AllFilterRules() {
  static const FilterRules rules;
  return rules;
}

bool IsFilterBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }
bool IsFilterLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char FilterLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// Whether `text` without regard to the case of ASCII letters is `lower`.
bool EqualsLower(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (FilterLower(text[i]) != lower[i]) return false;
  }
  return true;
}

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
constexpr std::string_view kAttributeNames[] = {
    "id",      "name",     "class",    "role",  "hidden",   "aria-hidden",
    "style",   "lang",     "xml:lang", "href",  "alt",      "property",
    "content", "itemprop", "rel",      "start", "datetime", "colspan"};
static_assert(std::size(kAttributeNames) == kAttributes);

constexpr size_t kMaxValue[] = {256,  256,  512, 64,   8,  8,  256, 35, 35,
                                2048, 4096, 64,  4096, 64, 64, 9,   64, 4};
static_assert(std::size(kMaxValue) == kAttributes);

struct ParsedTag {
  std::string_view name;  // lower case, in `name_bytes`
  std::array<char, kMaxFilterName> name_bytes;
  uint32_t present = 0;  // a bit for each of `values`
  std::array<std::string_view, kAttributes> values;
  bool closes_itself = false;

  bool Has(FilterAttribute attribute) const { return (present >> attribute & 1) != 0; }
};

class HtmlFilter final {
 public:
  HtmlFilter(std::string_view text, int max_depth) : text_(text), max_depth_(max_depth) {
    const std::string_view head = text.substr(0, 2048);
    is_xhtml_ = head.find("<?xml ") != head.npos || head.find("//DTD XHTML") != head.npos ||
                head.find("http://www.w3.org/1999/xhtml") != head.npos;
    result_.html.reserve(text.size() / 3 + 64);
    result_.html = "<!DOCTYPE html>";
  }

  FilteredHtml Run() {
    size_t position = 0;
    while (position < text_.size() && !result_.too_many_elements) {
      size_t mark = position;
      while (mark < text_.size()) {
        mark = std::min(text_.find('<', mark), text_.size());
        if (BeginsMarkup(mark)) break;
        mark = std::min(mark + 1, text_.size());
      }
      if (mark > position) WriteText(text_.substr(position, mark - position));
      if (mark == text_.size()) break;
      position = ReadMarkup(mark);
    }
    return std::move(result_);
  }

 private:
  struct OpenElement {
    const FilterRule* rule;
    bool written;
  };

  // Whether the "<" at `i` is more than a character of the text.
  bool BeginsMarkup(size_t i) const {
    if (i + 1 >= text_.size()) return false;
    const char next = text_[i + 1];
    return IsFilterLetter(next) || next == '/' || next == '!' || next == '?';
  }

  // Reads what begins with the "<" at `start`. Returns: the position after it.
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
      WriteLiteral(text_.substr(start + 9, size >= 3 ? size - 3 : 0));
      return end;
    }
    return After(">", start + 1);
  }

  // The position after the next `mark`, or the end of the page.
  size_t After(std::string_view mark, size_t from) const {
    const size_t found = text_.find(mark, from);
    return found == text_.npos ? text_.size() : found + mark.size();
  }

  // Reads a tag's name, and its attributes, from `position`. Returns: the position after it; the
  // end of the page if the tag has no end.
  size_t ParseTag(size_t position, ParsedTag* tag) const {
    size_t size = 0;
    size_t i = position;
    for (; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '>' || c == '/' || IsFilterBlank(c)) break;
      if (c == ':') {
        size = 0;  // a prefix of a name space
        continue;
      }
      if (size < kMaxFilterName) tag->name_bytes[size] = FilterLower(c);
      ++size;
    }
    // A name that is cut would be another one.
    if (size > kMaxFilterName) tag->name_bytes[0] = '!';
    tag->name = std::string_view(tag->name_bytes.data(), std::min(size, kMaxFilterName));
    while (i < text_.size()) {
      const char c = text_[i];
      if (c == '>') return i + 1;
      if (c == '/') {
        ++i;
        tag->closes_itself = i < text_.size() && text_[i] == '>';
      } else if (IsFilterBlank(c)) {
        ++i;
      } else {
        i = ParseAttribute(i, tag);
      }
    }
    tag->name = {};
    return text_.size();
  }

  size_t ParseAttribute(size_t i, ParsedTag* tag) const {
    const size_t name_start = i++;
    while (i < text_.size() && text_[i] != '=' && text_[i] != '>' && text_[i] != '/' &&
           !IsFilterBlank(text_[i])) {
      ++i;
    }
    const std::string_view name = text_.substr(name_start, i - name_start);
    size_t value_start = i;
    while (value_start < text_.size() && IsFilterBlank(text_[value_start])) ++value_start;
    std::string_view value;
    if (value_start < text_.size() && text_[value_start] == '=') {
      i = value_start + 1;
      while (i < text_.size() && IsFilterBlank(text_[i])) ++i;
      if (i < text_.size() && (text_[i] == '"' || text_[i] == '\'')) {
        const size_t end = std::min(text_.find(text_[i], i + 1), text_.size());
        value = text_.substr(i + 1, end - i - 1);
        i = std::min(end + 1, text_.size());
      } else {
        const size_t start = i;
        while (i < text_.size() && text_[i] != '>' && !IsFilterBlank(text_[i])) ++i;
        value = text_.substr(start, i - start);
        if (i < text_.size() && text_[i] == '>' && value.ends_with('/')) value.remove_suffix(1);
      }
    }
    for (int a = 0; a < kAttributes; ++a) {
      if (!EqualsLower(name, kAttributeNames[a])) continue;
      if (!tag->Has(static_cast<FilterAttribute>(a))) {
        tag->present |= 1u << a;
        tag->values[a] = value;
      }
      break;
    }
    return i;
  }

  size_t ReadStartTag(size_t position) {
    ParsedTag tag;
    const size_t end = ParseTag(position, &tag);
    if (tag.name.empty()) return end;
    const FilterRule* const rule = AllFilterRules().Find(tag.name);
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

  // One column stands for all of a table: that there are some says that it is a table of data. In
  // other places a column is none, or would end the cell it is in.
  void WriteColumn() {
    constexpr std::string_view kColumnTag = "<col>";
    if (open_.empty() || open_.back().rule->tag != FilterTag::kTable || !open_.back().written ||
        result_.html.ends_with(kColumnTag)) {
      return;
    }
    if (CountElement()) WriteRaw(kColumnTag);
  }

  void OpenUnknown(const ParsedTag& tag) {
    // An element of the page's own kind may be a block or not; a break between words is right for
    // both.
    if (tag.name.find('-') != tag.name.npos) WriteRaw("\n");
    WriteAnchor(tag);
  }

  // An element without text in place of one that is left out, if that has an id.
  void WriteAnchor(const ParsedTag& tag) {
    const std::string_view id = tag.Has(kId) ? tag.values[kId] : std::string_view();
    if (id.empty() || in_pre_ > 0 || id.size() > kMaxValue[kId]) return;
    if (!CountElement()) return;
    WriteRaw("<span");
    WriteAttribute("id", id);
    WriteRaw("></span>");
  }

  static bool IsHiddenTag(const ParsedTag& tag) {
    if (tag.Has(kHidden)) return true;
    if (tag.Has(kAriaHidden) && EqualsLower(tag.values[kAriaHidden], "true")) return true;
    if (!tag.Has(kStyle)) return false;
    const std::string_view style = tag.values[kStyle].substr(0, kMaxValue[kStyle]);
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
    bool write = true;
    switch (rule->tag) {
      case FilterTag::kHtml:
      case FilterTag::kHead:
      case FilterTag::kBody:
        // gumbo opens these once, wherever they are; they are closed by the end of the page.
        if (rule->tag != FilterTag::kHead) WriteStartTag(*rule, tag);
        return;
      case FilterTag::kAnchor:
        write = (tag.Has(kHref) && !tag.values[kHref].empty()) || IsHiddenTag(tag);
        if (!write) {
          ParsedTag named = tag;
          if (!tag.Has(kId) && tag.Has(kName)) named.values[kId] = tag.values[kName];
          if (tag.Has(kName)) named.present |= 1u << kId;
          WriteAnchor(named);
        }
        break;
      case FilterTag::kCode:
        write = (in_pre_ > 0 && tag.Has(kClass)) || IsHiddenTag(tag);
        if (!write) WriteAnchor(tag);
        break;
      case FilterTag::kInline:
      case FilterTag::kButton:
        write = IsHiddenTag(tag) || (rule->name == "time" && tag.Has(kDatetime)) ||
                tag.Has(kItemprop) || (tag.Has(kRole) && in_pre_ == 0);
        if (!write) WriteAnchor(tag);
        break;
      default:
        break;
    }
    write = write && depth_ < max_depth_;
    if (write) {
      WriteStartTag(*rule, tag);
      ++depth_;
    }
    open_.push_back({rule, write});
    ++open_of_[static_cast<size_t>(rule->tag)];
    if (rule->tag == FilterTag::kPre) ++in_pre_;
  }

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
      case FilterTag::kAnchor:
        CloseNearest({FilterTag::kAnchor}, {FilterTag::kDiv, FilterTag::kP, FilterTag::kItem});
        break;
      default:
        break;
    }
  }

  void CloseParagraph() { CloseNearest({FilterTag::kP}, {FilterTag::kCell, FilterTag::kCaption}); }

  static bool Contains(std::initializer_list<FilterTag> tags, FilterTag tag) {
    return std::ranges::find(tags, tag) != tags.end();
  }

  // Closes the nearest open element of `tags`, with all inside it, unless one of `bounds` or a
  // table is nearer.
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
    const size_t end = ParseTag(position, &tag);
    if (tag.name.empty()) return end;
    const FilterRule* const rule = AllFilterRules().Find(tag.name);
    if (rule == nullptr) {
      if (tag.name.find('-') != tag.name.npos) WriteRaw("\n");
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
      // An end tag in a cell closes nothing outside it, and one of a table's parts nothing outside
      // the table. The end of an inline element closes no block.
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
    if (top.rule->tag == FilterTag::kPre) --in_pre_;
    if (!top.written) return;
    --depth_;
    WriteRaw("</");
    WriteRaw(WrittenName(*top.rule));
    WriteRaw(">");
  }

  // Skips an element that is left out with all it contains. One without an end tag is none.
  size_t SkipSection(const FilterRule* rule, size_t position) {
    const size_t index = rule - kFilterRules;
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

  // A title has an end tag within some kilobytes, or is none.
  size_t ReadTitle(size_t position) {
    constexpr size_t kMaxTitle = 4096;
    const std::string_view window = text_.substr(position, kMaxTitle);
    // What was looked through for another title without an end is not looked through again.
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
      WriteRaw("<title>");
      WriteTitle(window.substr(0, end));
      WriteRaw("</title>");
    }
    return After(">", position + end);
  }

  static std::string_view WrittenName(const FilterRule& rule) {
    return rule.written.empty() ? rule.name : rule.written;
  }

  bool CountElement() {
    result_.too_many_elements = ++elements_ > kMaxHtmlElements;
    return !result_.too_many_elements;
  }

  void WriteStartTag(const FilterRule& rule, const ParsedTag& tag) {
    if (!CountElement()) return;
    WriteRaw("<");
    WriteRaw(WrittenName(rule));
    if (tag.present != 0) WriteAttributes(rule, tag);
    WriteRaw(">");
  }

  void WriteAttributes(const FilterRule& rule, const ParsedTag& tag) {
    const FilterTag kind = rule.tag;
    const bool in_head = kind == FilterTag::kMeta || kind == FilterTag::kLink;
    for (int a = 0; a < kAttributes; ++a) {
      const auto attribute = static_cast<FilterAttribute>(a);
      if (!tag.Has(attribute)) continue;
      bool keep = false;
      switch (attribute) {
        case kId:
          keep = in_pre_ == 0 && !in_head;
          break;
        case kName:
        case kProperty:
        case kContent:
          keep = kind == FilterTag::kMeta;
          break;
        case kClass:
        case kRole:
          keep = !in_head;
          break;
        case kItemprop:
          keep = true;
          break;
        case kLang:
        case kXmlLang:
          keep = kind == FilterTag::kHtml;
          break;
        case kHref:
          keep = kind == FilterTag::kAnchor || kind == FilterTag::kLink;
          break;
        case kAlt:
          keep = kind == FilterTag::kImg;
          break;
        case kRel:
          keep = kind == FilterTag::kLink || kind == FilterTag::kAnchor;
          break;
        case kStart:
          keep = kind == FilterTag::kList;
          break;
        case kColspan:
          keep = kind == FilterTag::kCell;
          break;
        case kDatetime:
          keep = rule.name == "time";
          break;
        default:
          break;
      }
      const std::string_view value = tag.values[a];
      if (!keep || value.empty()) continue;
      const bool may_be_cut = attribute == kAlt || attribute == kContent || attribute == kClass;
      if (value.size() <= kMaxValue[a]) {
        WriteAttribute(kAttributeNames[a], value);
      } else if (may_be_cut) {
        WriteAttribute(kAttributeNames[a], value.substr(0, FloorToCharacter(value, kMaxValue[a])));
      }
    }
    if (IsHiddenTag(tag)) WriteRaw(" hidden");
  }

  void WriteAttribute(std::string_view name, std::string_view value) {
    WriteRaw(" ");
    WriteRaw(name);
    WriteRaw("=\"");
    size_t run = 0;
    for (size_t i = value.find('"'); i != value.npos; i = value.find('"', i + 1)) {
      WriteRaw(value.substr(run, i - run));
      WriteRaw("&quot;");
      run = i + 1;
    }
    WriteRaw(value.substr(run));
    WriteRaw("\"");
  }

  // Text with character references, in which "<" is an ordinary character. Long pieces without
  // references, and those with "<", are replaced by marks.
  void WriteText(std::string_view text) {
    size_t position = 0;
    while (position < text.size()) {
      const size_t reference = std::min(text.find('&', position), text.size());
      WritePiece(text.substr(position, reference - position));
      if (reference == text.size()) break;
      position = WriteReference(text, reference);
    }
  }

  void WritePiece(std::string_view piece) {
    constexpr size_t kShortPiece = 12;
    if (piece.empty()) return;
    const bool is_plain = piece.find('<') == piece.npos;
    if (is_plain && (piece.size() <= kShortPiece || in_title_)) {
      WriteRaw(piece);
      return;
    }
    if (piece.find_first_not_of(" \t\r\n\f") == piece.npos) {
      if (in_pre_ == 0) {
        WriteRaw("\n");
        return;
      }
      if (piece.size() < 64) {
        WriteRaw(piece);
        return;
      }
    }
    WriteMark(piece);
  }

  void WriteMark(std::string_view piece) {
    size_t index = result_.texts.size();
    result_.texts.push_back(piece);
    char mark[kHtmlMarkDigits];
    for (size_t i = 0; i < kHtmlMarkDigits; ++i) {
      mark[i] = static_cast<char>(kHtmlMarkZero + (index & 63));
      index >>= 6;
    }
    WriteRaw(kHtmlMark);
    WriteRaw(std::string_view(mark, sizeof(mark)));
  }

  // Writes the character reference at `start`. Numbers are decoded here, because `&#xF8F3;` would
  // make a mark. Returns: the position after it.
  size_t WriteReference(std::string_view text, size_t start) {
    if (start + 1 >= text.size() || text[start + 1] != '#') return WriteName(text, start);
    size_t i = start + 2;
    const bool is_hex = i < text.size() && FilterLower(text[i]) == 'x';
    if (is_hex) ++i;
    const size_t digits = i;
    uint32_t value = 0;
    for (; i < text.size(); ++i) {
      const char c = FilterLower(text[i]);
      uint32_t digit;
      if (c >= '0' && c <= '9') {
        digit = static_cast<uint32_t>(c - '0');
      } else if (is_hex && c >= 'a' && c <= 'f') {
        digit = static_cast<uint32_t>(c - 'a' + 10);
      } else {
        break;
      }
      value = std::min<uint32_t>(value * (is_hex ? 16 : 10) + digit, 0x110000);
    }
    if (i == digits) {
      WriteRaw("&amp;");
      return start + 1;
    }
    if (i < text.size() && text[i] == ';') ++i;
    WriteNumber(value);
    return i;
  }

  // A name is written with the "&", for gumbo must see it whole; the longest has 32 bytes.
  size_t WriteName(std::string_view text, size_t start) {
    constexpr size_t kMaxName = 40;
    size_t i = start + 1;
    const auto is_name_byte = [](char c) { return IsFilterLetter(c) || (c >= '0' && c <= '9'); };
    while (i < text.size() && i - start < kMaxName && is_name_byte(text[i])) ++i;
    if (i < text.size() && text[i] == ';') ++i;
    WriteRaw(text.substr(start, i - start));
    return i;
  }

  // The 32 bytes from 80 that windows-1252 has instead of controls (HTML standard, numeric
  // character reference end state).
  void WriteNumber(uint32_t value) {
    constexpr uint16_t kWindows[32] = {
        0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    if (value >= 0x80 && value < 0xA0) value = kWindows[value - 0x80];
    if (value == '<') return WriteRaw("&lt;");
    if (value == '&') return WriteRaw("&amp;");
    if (value < 0x20 && value != '\n' && value != '\t') value = ' ';
    if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) value = 0xFFFD;
    if (value == 0xF8F3) value = ' ';  // kHtmlMark
    AppendUtf8(value, &result_.html);
  }

  // Text in which "&" and "<" are ordinary characters.
  void WriteLiteral(std::string_view text) {
    size_t position = 0;
    while (position < text.size()) {
      const size_t special = std::min(text.find('&', position), text.size());
      WritePiece(text.substr(position, special - position));
      if (special < text.size()) WriteRaw("&amp;");
      position = special + 1;
    }
  }

  // Text with references, in which "<" is an ordinary character.
  void WriteTitle(std::string_view text) {
    in_title_ = true;
    size_t position = 0;
    while (position < text.size()) {
      const size_t special = std::min(text.find('<', position), text.size());
      WriteText(text.substr(position, special - position));
      if (special < text.size()) WriteRaw("&lt;");
      position = special + 1;
    }
    in_title_ = false;
  }

  void WriteRaw(std::string_view text) { result_.html += text; }

  static constexpr size_t kMaxSearch = 512;

  const std::string_view text_;
  const int max_depth_;
  bool is_xhtml_ = false;
  FilteredHtml result_;
  std::vector<OpenElement> open_;
  int depth_ = 0;  // written elements that are open
  // How many elements of each kind are open; searches for one of none are not made.
  std::array<int64_t, static_cast<size_t>(FilterTag::kIgnored) + 1> open_of_ = {};
  int in_pre_ = 0;  // open `pre`
  bool in_title_ = false;
  bool has_title_ = false;
  size_t no_title_end_ = 0;  // no title ends before
  int64_t elements_ = 0;
  std::array<bool, std::size(kFilterRules)> never_ends_ = {};
};

}  // namespace

FilteredHtml FilterHtml(std::string_view text, int max_depth) {
  return HtmlFilter(text, max_depth).Run();
}

}  // namespace recall
