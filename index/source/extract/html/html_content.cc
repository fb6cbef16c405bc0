// Problem: of a page, find what it is about, and leave out menus, headers and footers.
//
// Idea: that of Mozilla's Readability 0.6 (https://github.com/mozilla/readability, Apache-2.0),
// written anew for a flat tree. Paragraphs score by their length and their commas; an element gets
// the scores of the paragraphs in it, less the farther they are, more or less by its name, and less
// by its share of text in links. The best element wins, with those of its siblings that are like
// it. From these, lists, tables and divisions that are mostly links are left out. If little is
// left, all is done again with fewer rules.
//
// It differs where Readability loses text, since that is worse than keeping a menu:
//
//   * Navigation, asides and heads of the site are known by their tags and roles. They are left out
//     of all text, too, and do not count when the winner is compared with the page.
//   * Headings stay, also the page's title above the winner.
//   * Where the winner has less than a quarter of the text and nothing vouches for it, all text is
//     taken.
//   * The winner grows to the outermost element with sentences beside it: the longest section of
//     a manual is not the manual.
//   * What the page calls its content (`main`, `article`) is not judged by its share of links, nor
//     are source code, tables of data and sentences. A header in it is its own.
//   * Ids of sections are made of their titles, and say nothing.
//
// Invariants: the statistics of a node are those of its subtree without what was removed. Scores
// are doubles made by +, -, * and / alone, so they are the same everywhere.
//
// Cost: linear in the nodes, but for each removed element its ancestors (at most the depth that the
// filter allows) are corrected.

#include "index/source/extract/html/html_content.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "index/source/extract/html/html_contents_list.h"

namespace recall {
namespace {

enum HtmlNameFlag : uint8_t {
  kUnlikely = 1,
  kMaybe = 2,
  kPositive = 4,
  kNegative = 8,
  kShare = 16,
  kHeader = 32,  // unlikely, but in what the page calls its content
};

struct HtmlNamePart {
  std::string_view part;
  uint8_t flags;
};
// Parts of classes and ids, and what they say. "and" is left out: it is a part of "brand".
constexpr HtmlNamePart kHtmlNameParts[] = {
    {"-ad-", kUnlikely | kNegative},
    {"ai2html", kUnlikely},
    {"banner", kUnlikely | kNegative},
    {"breadcrumb", kUnlikely},
    {"combx", kUnlikely | kNegative},
    {"comment", kUnlikely | kNegative},
    {"community", kUnlikely},
    {"cover-wrap", kUnlikely},
    {"disqus", kUnlikely},
    {"extra", kUnlikely},
    {"footer", kUnlikely | kNegative},
    {"gdpr", kUnlikely | kNegative},
    {"header", kHeader},
    {"legends", kUnlikely},
    {"menu", kUnlikely},
    {"related", kUnlikely | kNegative},
    {"remark", kUnlikely},
    {"replies", kUnlikely},
    {"rss", kUnlikely},
    {"shoutbox", kUnlikely | kNegative},
    {"sidebar", kUnlikely | kNegative},
    {"skyscraper", kUnlikely | kNegative},
    {"social", kUnlikely},
    {"sponsor", kUnlikely | kNegative},
    {"supplemental", kUnlikely},
    {"ad-break", kUnlikely},
    {"agegate", kUnlikely},
    {"pagination", kUnlikely | kPositive},
    {"pager", kUnlikely},
    {"popup", kUnlikely},
    {"yom-remote", kUnlikely},
    {"and", kMaybe},
    {"article", kMaybe | kPositive},
    {"body", kMaybe | kPositive},
    {"column", kMaybe},
    {"content", kMaybe | kPositive},
    {"main", kMaybe | kPositive},
    {"shadow", kMaybe},
    {"mathjax", kMaybe},
    {"entry", kPositive},
    {"page", kPositive},
    {"post", kPositive},
    {"text", kPositive},
    {"blog", kPositive},
    {"story", kPositive},
    {"hidden", kNegative},
    {"com-", kNegative},
    {"contact", kNegative},
    {"masthead", kNegative},
    {"media", kNegative},
    {"meta", kNegative},
    {"outbrain", kNegative},
    {"promo", kNegative},
    {"scroll", kNegative},
    {"share", kNegative | kShare},
    {"shopping", kNegative},
    {"tags", kNegative},
    {"widget", kNegative},
};

// Finds the parts of names; remembers names, for classes repeat.
class HtmlNameJudge final {
 public:
  HtmlNameJudge() {
    for (size_t i = std::size(kHtmlNameParts); i-- > 0;) {
      const auto first = static_cast<uint8_t>(kHtmlNameParts[i].part[0]);
      next_[i] = first_[first];
      first_[first] = static_cast<uint8_t>(i + 1);
    }
  }

  uint8_t Flags(std::string_view name) {
    if (name.empty()) return 0;
    const auto [known, is_new] = flags_.try_emplace(name, 0);
    if (is_new) known->second = Judge(name);
    return known->second;
  }

 private:
  uint8_t Judge(std::string_view name) {
    lower_.assign(name);
    for (char& c : lower_) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    }
    uint8_t flags = 0;
    const std::string_view view = lower_;
    for (size_t i = 0; i < view.size(); ++i) {
      for (uint8_t p = first_[static_cast<uint8_t>(view[i])]; p != 0; p = next_[p - 1]) {
        const HtmlNamePart& part = kHtmlNameParts[p - 1];
        if (view.substr(i, part.part.size()) == part.part) flags |= part.flags;
      }
    }
    return flags;
  }

  std::array<uint8_t, 256> first_ = {};  // by first byte: 1 + the index of a part; 0: none
  std::array<uint8_t, std::size(kHtmlNameParts)> next_ = {};
  std::unordered_map<std::string_view, uint8_t> flags_;
  std::string lower_;
};

// Facts about the text of a subtree. Lengths are in characters, with white space collapsed.
struct HtmlTextFacts {
  int64_t length = 0;
  int64_t link_tenths = 0;  // length of text in links, times ten; of those within the page times 3
  int64_t list_length = 0;  // of text in lists, once for each list around it
  int64_t heading_length = 0;
  int32_t commas = 0;
  int32_t sentences = 0;  // texts outside links that hold the end of a sentence
  int32_t paragraphs = 0;
  int32_t images = 0;
  int32_t items = 0;

  void Add(const HtmlTextFacts& other, int sign) {
    length += sign * other.length;
    link_tenths += sign * other.link_tenths;
    list_length += sign * other.list_length;
    heading_length += sign * other.heading_length;
    commas += sign * other.commas;
    sentences += sign * other.sentences;
    paragraphs += sign * other.paragraphs;
    images += sign * other.images;
    items += sign * other.items;
  }
  double LinkDensity() const {
    if (length <= 0) return 0;
    return static_cast<double>(link_tenths) / (10 * static_cast<double>(length));
  }
};

bool IsHeadingTag(GumboTag tag) { return tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6; }

bool IsPhrasingTag(GumboTag tag) {
  return tag == GUMBO_TAG_A || tag == GUMBO_TAG_SPAN || tag == GUMBO_TAG_TIME ||
         tag == GUMBO_TAG_IMG || tag == GUMBO_TAG_BR;
}

bool MakesDivABlock(GumboTag tag) {
  return tag == GUMBO_TAG_BLOCKQUOTE || tag == GUMBO_TAG_DL || tag == GUMBO_TAG_DIV ||
         tag == GUMBO_TAG_IMG || tag == GUMBO_TAG_OL || tag == GUMBO_TAG_P ||
         tag == GUMBO_TAG_PRE || tag == GUMBO_TAG_TABLE || tag == GUMBO_TAG_UL;
}

HtmlTextFacts FactsOfText(std::string_view text) {
  HtmlTextFacts facts;
  bool in_blank = true;
  char last = ' ';
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte <= 0x20) {
      if (!in_blank) ++facts.length;
      in_blank = true;
      if (last == '.') facts.sentences = 1;
      last = c;
      continue;
    }
    in_blank = false;
    last = c;
    facts.length += (byte & 0xC0) != 0x80;
    facts.commas += c == ',';
  }
  if (last == '.') facts.sentences = 1;
  return facts;
}

// What an element is for the scores.
enum class HtmlRole : uint8_t {
  kPlain,
  kParagraph,    // a div that holds text alone
  kTransparent,  // a div around one paragraph
};

class ContentSelector final {
 public:
  explicit ContentSelector(const HtmlTree& tree) : tree_(tree), nodes_(tree.nodes()) {
    const size_t count = nodes_.size();
    own_.resize(count);
    name_flags_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      const HtmlNode& node = nodes_[i];
      if (node.is_text()) {
        own_[i] = FactsOfText(node.text);
        continue;
      }
      own_[i].paragraphs = node.tag == GUMBO_TAG_P;
      own_[i].images = node.tag == GUMBO_TAG_IMG;
      own_[i].items = node.tag == GUMBO_TAG_LI;
      // Classes in the lower half, ids in the upper half.
      name_flags_[i] = judge_.Flags(tree.Attribute(node, "class"));
      if (!IsNamedByTitle(node)) {
        name_flags_[i] |= static_cast<uint16_t>(judge_.Flags(tree.Attribute(node, "id")) << 8);
      }
      if (node.tag == GUMBO_TAG_BODY) body_ = static_cast<int32_t>(i);
      headings_ += IsHeadingTag(node.tag);
    }
    base_.assign(count, 0);
    for (int32_t i = 1; i < static_cast<int32_t>(count); ++i) {
      if (At(i).tag == GUMBO_TAG_HEAD && !At(i).is_text()) base_[Index(i)] = 1;
    }
    MarkDataTables();
    in_content_.assign(count, 0);
    for (int32_t i = 1; i < Count();) {
      const int32_t end = SaysContent(i) ? At(i).end : i + 1;
      if (end > i + 1) std::fill(in_content_.begin() + i + 1, in_content_.begin() + end, 1);
      i = end;
    }
    contents_ = FindContentsHeadings(tree, true);
  }

  HtmlSelection Run() {
    HtmlSelection selection;
    if (nodes_.empty()) return selection;
    if (body_ < 0) body_ = 0;
    constexpr int64_t kEnoughText = 500;
    const std::vector<uint8_t> rest = WithoutLandmarks(kEnoughText);
    ComputeFacts(rest);
    const int64_t visible = facts_[Index(body_)].length;
    constexpr int64_t kShortestText = 25;
    std::vector<uint8_t> best;
    int64_t best_length = -1;
    struct Rules {
      bool strip, weigh, clean;
    };
    constexpr Rules kRules[] = {{true, true, true},
                                {true, true, false},
                                {false, true, true},
                                {false, false, true},
                                {false, false, false}};
    for (size_t r = 0; r < std::size(kRules); ++r) {
      // The second rules are for a short text that the page itself calls its content. They end the
      // search.
      if (r == 1 && !vouched_) continue;
      if (r == 2 && vouched_) break;
      strip_ = kRules[r].strip;
      weigh_ = kRules[r].weigh;
      clean_ = kRules[r].clean;
      std::vector<uint8_t> kept = Attempt();
      const int64_t length = selected_length_;
      if (length > best_length) {
        best = std::move(kept);
        best_length = length;
        vouched_ = selected_vouched_ && length >= kShortestText;
        density_ = selected_density_;
      }
      if (length >= std::min(kEnoughText, visible)) break;
    }
    selection.is_fallback = best_length * 4 < visible && !vouched_;
    selection.score = Confidence(best_length, visible);
    if (selection.is_fallback) {
      selection.score /= 2;
      selection.skip = rest;
      LeaveOutContents(visible - kEnoughText, &selection.skip);
    } else {
      selection.skip = std::move(best);
    }
    return selection;
  }

 private:
  // Whether the id of an element is made of its title, so that it tells nothing of its role: those
  // of sections are, "active-menu-items", in Sphinx and Docutils also of divs of this class.
  bool IsNamedByTitle(const HtmlNode& node) const {
    if (node.tag == GUMBO_TAG_SECTION) return true;
    return node.tag == GUMBO_TAG_DIV && tree_.Attribute(node, "class") == "section";
  }

  static size_t Index(int32_t i) { return static_cast<size_t>(i); }
  const HtmlNode& At(int32_t i) const { return nodes_[Index(i)]; }
  bool Is(int32_t i, GumboTag tag) const { return !At(i).is_text() && At(i).tag == tag; }
  int32_t Count() const { return static_cast<int32_t>(nodes_.size()); }

  int Confidence(int64_t length, int64_t visible) const {
    if (visible <= 0 || length <= 0) return 0;
    const auto prose = static_cast<int>(45 * (1 - std::min(1.0, density_)));
    const auto size = static_cast<int>(std::min<int64_t>(length, 2000) * 20 / 2000);
    const auto share = static_cast<int>(std::min(length, visible) * 20 / visible);
    return std::clamp(prose + size + share + (vouched_ ? 15 : 0), 0, 100);
  }

  // What is left of the page without the parts that HTML or ARIA calls navigation, search, the head
  // or the foot of the site; the whole page if that is less than `enough` characters and less than
  // a quarter of it.
  std::vector<uint8_t> WithoutLandmarks(int64_t enough) {
    ComputeFacts(base_);
    const int64_t whole = facts_[Index(body_)].length;
    std::vector<uint8_t> rest = base_;
    int64_t length = whole;
    for (int32_t i = 1; i < Count();) {
      if (rest[Index(i)] == 0 && !At(i).is_text() && IsLandmark(i)) {
        rest[Index(i)] = 1;
        length -= facts_[Index(i)].length;
      }
      i = rest[Index(i)] != 0 || SaysContent(i) ? At(i).end : i + 1;
    }
    return length < enough && length * 4 < whole ? base_ : rest;
  }

  // Outside what the page calls its content. A footer is that of the page if no section is around.
  bool IsLandmark(int32_t i) const {
    if (Is(i, GUMBO_TAG_BODY) || Is(i, GUMBO_TAG_HTML)) return false;
    bool is_landmark = Is(i, GUMBO_TAG_NAV);
    if (Is(i, GUMBO_TAG_FOOTER)) {
      is_landmark = true;
      for (int32_t a = At(i).parent; a > 0; a = At(a).parent) {
        if (Is(a, GUMBO_TAG_SECTION)) is_landmark = false;
      }
    }
    const std::string_view role = tree_.Attribute(At(i), "role");
    for (const std::string_view name :
         {"navigation", "search", "banner", "contentinfo", "menu", "menubar"}) {
      if (role == name) is_landmark = true;
    }
    return is_landmark && !HoldsOnlyHeading(i);
  }

  // Also of all text a list of contents is left out, but if it has more characters than `most`:
  // then it is what the page is about.
  void LeaveOutContents(int64_t most, std::vector<uint8_t>* skip) const {
    int64_t length = 0;
    for (int32_t i = 1; i < Count(); ++i) {
      if (contents_.empty() || contents_[Index(i)] == 0) continue;
      for (int32_t t = i; t < At(i).end; ++t) length += own_[Index(t)].length;
    }
    if (length > most) return;
    for (int32_t i = 1; i < Count(); ++i) {
      if (!contents_.empty() && contents_[Index(i)] != 0) (*skip)[Index(i)] = 1;
    }
  }

  void MarkDataTables() {
    is_data_.assign(nodes_.size(), 0);
    std::vector<uint8_t> holds(nodes_.size(), 0);  // 1: a table, 2: a sign of data
    for (int32_t i = Count() - 1; i > 0; --i) {
      if (At(i).is_text()) continue;
      const GumboTag tag = At(i).tag;
      if (tag == GUMBO_TAG_TABLE) is_data_[Index(i)] = IsDataTable(i, holds[Index(i)]);
      uint8_t mine = holds[Index(i)];
      if (tag == GUMBO_TAG_TABLE) mine |= 1;
      if (tag == GUMBO_TAG_TH || tag == GUMBO_TAG_THEAD || tag == GUMBO_TAG_TFOOT ||
          tag == GUMBO_TAG_COLGROUP || tag == GUMBO_TAG_COL ||
          (tag == GUMBO_TAG_CAPTION && At(i).end > i + 1)) {
        mine |= 2;
      }
      holds[Index(At(i).parent)] |= mine;
    }
  }

  bool IsDataTable(int32_t table, uint8_t holds) const {
    const std::string_view role = tree_.Attribute(At(table), "role");
    if (role == "presentation" || role == "none") return false;
    // Declarations and fields, as Doxygen writes them.
    const std::string_view classes = tree_.Attribute(At(table), "class");
    if (classes == "memberdecls" || classes == "fieldtable") return true;
    if ((holds & 2) != 0) return true;
    if ((holds & 1) != 0) return false;
    int64_t rows = 0;
    int64_t columns = 0;
    for (int32_t part = table + 1; part < At(table).end; part = At(part).end) {
      if (At(part).is_text()) continue;
      for (int32_t row = part + 1; row < At(part).end; row = At(row).end) {
        if (!Is(row, GUMBO_TAG_TR)) continue;
        ++rows;
        int64_t cells = 0;
        for (int32_t cell = row + 1; cell < At(row).end; cell = At(cell).end) {
          cells += !At(cell).is_text();
        }
        columns = std::max(columns, cells);
      }
    }
    if (columns <= 1 || rows <= 1) return false;
    return rows >= 10 || columns > 4 || rows * columns > 10;
  }

  // Facts of all subtrees without the removed ones.
  void ComputeFacts(const std::vector<uint8_t>& removed) {
    facts_ = own_;
    for (int32_t i = Count() - 1; i > 0; --i) {
      if (removed[Index(i)] != 0) {
        facts_[Index(i)] = HtmlTextFacts();
        continue;
      }
      HtmlTextFacts& facts = facts_[Index(i)];
      if (!At(i).is_text()) Finish(i, &facts);
      facts_[Index(At(i).parent)].Add(facts, 1);
    }
  }

  // Adds what the element itself makes of the text in it.
  void Finish(int32_t i, HtmlTextFacts* facts) const {
    const GumboTag tag = At(i).tag;
    if (tag == GUMBO_TAG_A) {
      const std::string_view target = tree_.Attribute(At(i), "href");
      if (target.empty()) return;
      facts->sentences = 0;
      const bool is_within = target[0] == '#';
      facts->link_tenths =
          is_within && IsReferenceMark(i) ? 0 : facts->length * (is_within ? 3 : 10);
    } else if (tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL) {
      facts->list_length += facts->length;
    } else if (IsHeadingTag(tag)) {
      facts->heading_length = facts->length;
    } else if (IsCode(i)) {
      facts->link_tenths = 0;
    }
  }

  // Whether the element is source code, in which links are names and no menu: `pre`, and the divs
  // in which Doxygen puts lines of code.
  bool IsCode(int32_t i) const {
    return Is(i, GUMBO_TAG_PRE) ||
           (Is(i, GUMBO_TAG_DIV) && tree_.Attribute(At(i), "class") == "fragment");
  }

  // Whether the text of a link is the number or the sign of a note, a paragraph or a place: "[12]",
  // "¶". Such links are parts of texts, not of menus.
  bool IsReferenceMark(int32_t link) const {
    constexpr size_t kLongest = 8;  // bytes
    for (int32_t i = link + 1; i < At(link).end; ++i) {
      if (!At(i).is_text()) continue;
      if (At(i).text.size() > kLongest) return false;
      for (const char c : At(i).text) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return false;
      }
    }
    return true;
  }

  void Remove(int32_t i) {
    if (removed_[Index(i)] != 0) return;
    removed_[Index(i)] = 1;
    const HtmlTextFacts facts = facts_[Index(i)];
    for (int32_t a = At(i).parent; a >= 0; a = At(a).parent) facts_[Index(a)].Add(facts, -1);
  }

  uint8_t NameFlags(int32_t i) const {
    return static_cast<uint8_t>(name_flags_[Index(i)] | name_flags_[Index(i)] >> 8);
  }

  int Weight(int32_t i) const {
    if (!weigh_) return 0;
    int weight = 0;
    for (const int shift : {0, 8}) {
      const int flags = name_flags_[Index(i)] >> shift;
      if ((flags & kNegative) != 0) weight -= 25;
      if ((flags & kPositive) != 0) weight += 25;
    }
    return weight;
  }

  static bool IsUnlikelyRole(std::string_view role) {
    for (const std::string_view unlikely :
         {"menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog",
          "banner", "contentinfo", "search"}) {
      if (role == unlikely) return true;
    }
    return false;
  }

  bool HoldsOnlyHeading(int32_t i) const {
    if (headings_ == 0) return false;
    int64_t inside = 0;
    for (int32_t d = i + 1; d < At(i).end; ++d) {
      inside += !At(d).is_text() && IsHeadingTag(At(d).tag);
    }
    return inside == headings_;
  }

  // `in_content`: it is in an element that the page calls its content, so a header is that of the
  // content.
  bool IsUnlikely(int32_t i, bool in_content) const {
    const GumboTag tag = At(i).tag;
    if (tag == GUMBO_TAG_BODY || tag == GUMBO_TAG_HTML || tag == GUMBO_TAG_A || IsHeadingTag(tag) ||
        tag == GUMBO_TAG_MAIN || tag == GUMBO_TAG_ARTICLE) {
      return false;
    }
    const uint8_t flags = NameFlags(i);
    const int unlikely = in_content ? kUnlikely : kUnlikely | kHeader;
    if ((flags & unlikely) != 0 && (flags & kMaybe) == 0) return true;
    const bool by_tag = tag == GUMBO_TAG_NAV || tag == GUMBO_TAG_ASIDE || tag == GUMBO_TAG_FOOTER ||
                        IsUnlikelyRole(tree_.Attribute(At(i), "role"));
    return by_tag && !HoldsOnlyHeading(i);
  }

  // Removes what by its name is no content. Tables keep all.
  void StripUnlikely() {
    int32_t content_end = 0;
    for (int32_t i = 1; i < Count();) {
      if (i >= content_end && SaysContent(i)) content_end = At(i).end;
      if (removed_[Index(i)] != 0 || Is(i, GUMBO_TAG_TABLE)) {
        i = At(i).end;
      } else if (!At(i).is_text() && IsUnlikely(i, i < content_end)) {
        removed_[Index(i)] = 1;
        i = At(i).end;
      } else {
        ++i;
      }
    }
  }

  // Decides which divs are paragraphs.
  void FindRoles() {
    roles_.assign(nodes_.size(), HtmlRole::kPlain);
    std::vector<uint8_t> has_block(nodes_.size(), 0);
    for (int32_t i = Count() - 1; i > 0; --i) {
      if (At(i).is_text() || removed_[Index(i)] != 0) continue;
      const bool empty_div = Is(i, GUMBO_TAG_DIV) && facts_[Index(i)].length == 0;
      if (has_block[Index(i)] != 0 || (MakesDivABlock(At(i).tag) && !empty_div)) {
        has_block[Index(At(i).parent)] = 1;
      }
    }
    for (int32_t i = 1; i < Count(); ++i) {
      if (!Is(i, GUMBO_TAG_DIV) || removed_[Index(i)] != 0) continue;
      const HtmlTextFacts& facts = facts_[Index(i)];
      if (has_block[Index(i)] == 0) {
        if (facts.length > 0 && facts.LinkDensity() < 0.25) roles_[Index(i)] = HtmlRole::kParagraph;
        continue;
      }
      int32_t children = 0;
      int32_t paragraphs = 0;
      int64_t text = 0;
      for (int32_t c = i + 1; c < At(i).end; c = At(c).end) {
        if (removed_[Index(c)] != 0) continue;
        if (At(c).is_text()) {
          text += own_[Index(c)].length;
        } else {
          ++children;
          paragraphs += At(c).tag == GUMBO_TAG_P;
        }
      }
      if (children == 1 && paragraphs == 1 && text == 0 && facts.LinkDensity() < 0.25) {
        roles_[Index(i)] = HtmlRole::kTransparent;
      }
    }
  }

  int32_t ParentOf(int32_t i) const {
    int32_t parent = At(i).parent;
    while (parent >= 0 && roles_[Index(parent)] == HtmlRole::kTransparent) {
      parent = At(parent).parent;
    }
    return parent;
  }

  bool IsParagraphTag(int32_t i) const {
    return Is(i, GUMBO_TAG_P) || roles_[Index(i)] == HtmlRole::kParagraph;
  }

  double FirstScore(int32_t i) const {
    double score = Weight(i);
    switch (At(i).tag) {
      case GUMBO_TAG_DIV:
        return roles_[Index(i)] == HtmlRole::kParagraph ? score : score + 5;
      case GUMBO_TAG_PRE:
      case GUMBO_TAG_TD:
      case GUMBO_TAG_BLOCKQUOTE:
        return score + 3;
      case GUMBO_TAG_ADDRESS:
      case GUMBO_TAG_OL:
      case GUMBO_TAG_UL:
      case GUMBO_TAG_DL:
      case GUMBO_TAG_DD:
      case GUMBO_TAG_DT:
      case GUMBO_TAG_LI:
      case GUMBO_TAG_FORM:
        return score - 3;
      case GUMBO_TAG_TH:
        return score - 5;
      default:
        return IsHeadingTag(At(i).tag) ? score - 5 : score;
    }
  }

  // Adds the score of a paragraph, of `length` characters with `commas`, to the element `first`
  // that contains it, and shares of it to the four next elements outwards.
  void ScoreParagraph(int64_t length, int64_t commas, int32_t first) {
    if (length < 25) return;
    const double score =
        2 + static_cast<double>(commas) + static_cast<double>(std::min<int64_t>(length / 100, 3));
    int level = 0;
    for (int32_t a = first; a > 0 && level < 5; a = ParentOf(a), ++level) {
      if (!is_candidate_[Index(a)]) {
        is_candidate_[Index(a)] = 1;
        scores_[Index(a)] = FirstScore(a);
        candidates_.push_back(a);
      }
      const double divider = level == 0 ? 1 : level == 1 ? 2 : level * 3;
      scores_[Index(a)] += score / divider;
    }
  }

  static bool IsScoredTag(GumboTag tag) {
    return tag == GUMBO_TAG_SECTION || tag == GUMBO_TAG_P || tag == GUMBO_TAG_TD ||
           tag == GUMBO_TAG_PRE || (IsHeadingTag(tag) && tag != GUMBO_TAG_H1);
  }

  void ScoreAll() {
    scores_.assign(nodes_.size(), 0);
    is_candidate_.assign(nodes_.size(), 0);
    candidates_.clear();
    for (int32_t i = 1; i < Count();) {
      if (removed_[Index(i)] != 0) {
        i = At(i).end;
        continue;
      }
      if (!At(i).is_text()) {
        const HtmlTextFacts& facts = facts_[Index(i)];
        if (IsScoredTag(At(i).tag) || roles_[Index(i)] == HtmlRole::kParagraph) {
          ScoreParagraph(facts.length, facts.commas, ParentOf(i));
        } else if (At(i).tag == GUMBO_TAG_DIV && roles_[Index(i)] == HtmlRole::kPlain) {
          ScoreRuns(i);
        }
      }
      ++i;
    }
    for (const int32_t i : candidates_) scores_[Index(i)] *= 1 - facts_[Index(i)].LinkDensity();
  }

  // Texts of a div between its blocks are paragraphs.
  void ScoreRuns(int32_t div) {
    int64_t length = 0;
    int64_t commas = 0;
    for (int32_t c = div + 1; c < At(div).end; c = At(c).end) {
      if (removed_[Index(c)] != 0) continue;
      if (At(c).is_text() || IsPhrasingTag(At(c).tag)) {
        length += facts_[Index(c)].length;
        commas += facts_[Index(c)].commas;
      } else {
        ScoreParagraph(length, commas, div);
        length = commas = 0;
      }
    }
    ScoreParagraph(length, commas, div);
  }

  bool IsInside(int32_t i, int32_t ancestor) const { return i > ancestor && i < At(ancestor).end; }

  // The element with the highest score; the body if no element has one.
  int32_t FindWinner() {
    constexpr size_t kTop = 5;
    std::vector<int32_t> top;
    for (const int32_t i : candidates_) {
      const auto place = std::ranges::find_if(
          top, [&](int32_t other) { return scores_[Index(i)] > scores_[Index(other)]; });
      if (place == top.end() && top.size() >= kTop) continue;
      top.insert(place, i);
      if (top.size() > kTop) top.pop_back();
    }
    if (top.empty() || top[0] <= body_) return body_;
    int32_t winner = top[0];
    std::vector<int32_t> rivals;
    for (size_t i = 1; i < top.size(); ++i) {
      if (scores_[Index(top[i])] >= 0.75 * scores_[Index(winner)]) rivals.push_back(top[i]);
    }
    constexpr int kFewRivals = 3;
    if (rivals.size() >= kFewRivals) {
      for (int32_t a = ParentOf(winner); a > body_; a = ParentOf(a)) {
        const auto inside =
            std::ranges::count_if(rivals, [&](int32_t rival) { return IsInside(rival, a); });
        if (inside < kFewRivals) continue;
        winner = a;
        break;
      }
    }
    MakeCandidate(winner);
    double last = scores_[Index(winner)];
    const double least = last / 3;
    for (int32_t a = ParentOf(winner); a > body_; a = ParentOf(a)) {
      if (!is_candidate_[Index(a)]) continue;
      const double score = scores_[Index(a)];
      if (score < least) break;
      if (score > last) {
        winner = a;
        break;
      }
      last = score;
    }
    for (int32_t a = ParentOf(winner); a > body_ && IsOnlyChild(winner, a); a = ParentOf(a)) {
      winner = a;
    }
    inner_ = winner;
    winner = Outermost(winner);
    MakeCandidate(winner);
    return winner;
  }

  // The outermost element around the winner that has text beside it.
  int32_t Outermost(int32_t winner) const {
    int32_t child = winner;
    for (int32_t a = ParentOf(winner); a > body_; child = a, a = ParentOf(a)) {
      HtmlTextFacts rest = facts_[Index(a)];
      rest.Add(facts_[Index(child)], -1);
      if (IsLongText(rest) && rest.sentences > 0) winner = a;
    }
    return winner;
  }

  static bool IsLongText(const HtmlTextFacts& facts) {
    return facts.length > 80 && facts.LinkDensity() < 0.25 &&
           (facts.paragraphs > 0 || facts.heading_length > 0);
  }

  void MakeCandidate(int32_t i) {
    if (is_candidate_[Index(i)]) return;
    is_candidate_[Index(i)] = 1;
    scores_[Index(i)] = FirstScore(i);
  }

  bool IsOnlyChild(int32_t child, int32_t parent) const {
    for (int32_t c = parent + 1; c < At(parent).end; c = At(c).end) {
      if (At(c).is_text() || removed_[Index(c)] != 0) continue;
      if (c != child && !IsInside(child, c)) return false;
    }
    return true;
  }

  static bool EndsSentence(std::string_view text) {
    for (size_t i = text.find('.'); i != text.npos; i = text.find('.', i + 1)) {
      if (i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == '\n') return true;
    }
    return false;
  }

  bool HasSentence(int32_t i) const {
    for (int32_t t = i + 1; t < At(i).end; ++t) {
      if (At(t).is_text() && EndsSentence(At(t).text)) return true;
    }
    return false;
  }

  bool JoinsWinner(int32_t sibling, int32_t winner) const {
    const double best = scores_[Index(winner)];
    double bonus = 0;
    const std::string_view classes = tree_.Attribute(At(winner), "class");
    if (!classes.empty() && tree_.Attribute(At(sibling), "class") == classes) bonus = best * 0.2;
    if (is_candidate_[Index(sibling)] &&
        scores_[Index(sibling)] + bonus >= std::max(10.0, best * 0.2)) {
      return true;
    }
    // Sections of one parent are parts of one text, with its header (HTML standard, 4.3.3).
    const GumboTag tag = At(sibling).tag;
    if (Is(winner, GUMBO_TAG_SECTION) && (tag == GUMBO_TAG_SECTION || tag == GUMBO_TAG_HEADER)) {
      return true;
    }
    const HtmlTextFacts& facts = facts_[Index(sibling)];
    if (IsLongText(facts)) return true;
    if (!IsParagraphTag(sibling) && roles_[Index(sibling)] != HtmlRole::kTransparent) return false;
    const double density = facts.LinkDensity();
    if (facts.length > 80) return density < 0.25;
    return facts.length > 0 && density == 0 && HasSentence(sibling);
  }

  // Removes the elements of one tag in the roots that are mostly links or look like no content.
  void CleanTag(GumboTag tag) {
    std::vector<uint8_t> dead(nodes_.size(), 0);     // removed, or in what is; or not in a root
    std::vector<uint8_t> in_data(nodes_.size(), 0);  // in a table of data or in source code
    for (int32_t i = 1; i < Count(); ++i) {
      const int32_t parent = At(i).parent;
      dead[Index(i)] = removed_[Index(i)] != 0 || outside_[Index(i)] != 0 ||
                       (!is_root_[Index(i)] && dead[Index(parent)] != 0);
      in_data[Index(i)] =
          in_data[Index(parent)] != 0 || is_data_[Index(parent)] != 0 || IsCode(parent);
    }
    std::vector<uint8_t> holds_data(nodes_.size(), 0);
    for (int32_t i = Count() - 1; i > 0; --i) {
      if (dead[Index(i)] != 0 || At(i).is_text()) continue;
      const bool is_data = At(i).tag == GUMBO_TAG_TABLE && is_data_[Index(i)];
      if (At(i).tag == tag && roles_[Index(i)] == HtmlRole::kPlain && !is_data &&
          in_data[Index(i)] == 0 && holds_data[Index(i)] == 0 && IsRubbish(i)) {
        Remove(i);
        continue;
      }
      holds_data[Index(At(i).parent)] |= is_data || holds_data[Index(i)] != 0;
    }
  }

  bool IsRubbish(int32_t i) const {
    const HtmlTextFacts& facts = facts_[Index(i)];
    const int weight = Weight(i);
    if (weight < 0) return true;
    if (in_content_[Index(i)] != 0) return false;
    if (facts.commas >= 10) return false;
    const GumboTag tag = At(i).tag;
    const int64_t lists = facts.list_length;
    const bool is_list = tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL ||
                         static_cast<double>(lists) > 0.9 * static_cast<double>(facts.length);
    const double density = facts.LinkDensity();
    const bool is_figure = Is(At(i).parent, GUMBO_TAG_FIGURE);
    if (!is_figure && facts.images > 1 && 2 * facts.paragraphs < facts.images) return true;
    if (!is_list && facts.items - 100 > facts.paragraphs) return true;
    if (!is_list && !is_figure && 10 * facts.heading_length < 9 * facts.length &&
        facts.length < 25 && (facts.images == 0 || facts.images > 2) && density > 0) {
      return true;
    }
    // Sentences with references in them are text, however many these are.
    const bool is_prose = facts.sentences > 0 && facts.paragraphs > 0 && density < 0.6;
    if (!is_list && weight < 25 && density > 0.2 && !is_prose) return true;
    return weight >= 25 && density > 0.5;
  }

  // Selects the main content, with or without the rules that strip_ and clean_ switch on. Returns:
  // for each node whether it is left out. Sets selected_length_ and so on, which Select judges.
  std::vector<uint8_t> Attempt() {
    removed_ = base_;
    if (strip_) StripUnlikely();
    ComputeFacts(removed_);
    FindRoles();
    ScoreAll();
    const int32_t winner = FindWinner();
    SelectRoots(winner);
    if (clean_) {
      CleanPlain();
      CleanBesideText(winner);
      CleanTag(GUMBO_TAG_FORM);
      CleanTag(GUMBO_TAG_TABLE);
      CleanTag(GUMBO_TAG_UL);
      CleanTag(GUMBO_TAG_DIV);
    }
    selected_length_ = 0;
    HtmlTextFacts sum;
    for (const int32_t root : roots_) {
      if (removed_[Index(root)] == 0) sum.Add(facts_[Index(root)], 1);
    }
    selected_length_ = sum.length;
    selected_density_ = sum.LinkDensity();
    selected_vouched_ = IsVouched(winner);
    return Skips(winner);
  }

  // The winner, and the siblings that belong to it; all of the body if that wins.
  void SelectRoots(int32_t winner) {
    roots_.clear();
    is_root_.assign(nodes_.size(), 0);
    if (winner == body_) {
      roots_.push_back(body_);
    } else {
      const int32_t parent = ParentOf(winner);
      for (int32_t c = parent + 1; c < At(parent).end; c = At(c).end) {
        if (At(c).is_text() || removed_[Index(c)] != 0) continue;
        const bool is_winner = c == winner || IsInside(winner, c);
        if (is_winner || JoinsWinner(c, winner)) roots_.push_back(c);
      }
    }
    outside_.assign(nodes_.size(), 1);
    for (const int32_t root : roots_) {
      is_root_[Index(root)] = 1;
      std::fill(outside_.begin() + root, outside_.begin() + At(root).end, 0);
    }
  }

  // Leaves out the menus that lie beside the text between the inner winner and the outermost one.
  void CleanBesideText(int32_t winner) {
    for (int32_t child = inner_; child > winner; child = At(child).parent) {
      const int32_t parent = At(child).parent;
      for (int32_t c = parent + 1; c < At(parent).end; c = At(c).end) {
        if (c == child || At(c).is_text() || IsHeadingTag(At(c).tag)) continue;
        const HtmlTextFacts& facts = facts_[Index(c)];
        const bool is_menu = facts.sentences == 0 && facts.heading_length == 0;
        if (is_menu && facts.LinkDensity() > 0.5) Remove(c);
      }
    }
  }

  // What is left out of any content.
  void CleanPlain() {
    for (const int32_t root : roots_) {
      for (int32_t i = root + 1; i < At(root).end; ++i) {
        if (At(i).is_text() || removed_[Index(i)] != 0) continue;
        const GumboTag tag = At(i).tag;
        const bool by_tag = tag == GUMBO_TAG_FOOTER || tag == GUMBO_TAG_ASIDE;
        const bool shares = (NameFlags(i) & kShare) != 0 && facts_[Index(i)].length < 500;
        const bool is_contents = !contents_.empty() && contents_[Index(i)] != 0;
        if (by_tag || shares || is_contents) {
          Remove(i);
          i = At(i).end - 1;
        }
      }
    }
  }

  bool SaysContent(int32_t i) const {
    if (At(i).is_text()) return false;
    if (At(i).tag == GUMBO_TAG_ARTICLE || At(i).tag == GUMBO_TAG_MAIN) return true;
    const std::string_view role = tree_.Attribute(At(i), "role");
    return role == "main" || role == "article" ||
           tree_.Attribute(At(i), "itemprop") == "articleBody";
  }

  // Whether the page itself says that the winner, what it is in, or most of it, is its content.
  bool IsVouched(int32_t winner) const {
    for (int32_t a = winner; a > 0; a = At(a).parent) {
      if (SaysContent(a)) return true;
    }
    const int64_t length = facts_[Index(winner)].length;
    for (int32_t i = winner + 1; i < At(winner).end; ++i) {
      if (removed_[Index(i)] == 0 && 2 * facts_[Index(i)].length >= length && SaysContent(i)) {
        return true;
      }
    }
    return false;
  }

  std::vector<uint8_t> Skips(int32_t winner) const {
    std::vector<uint8_t> skip(nodes_.size(), 1);
    for (const int32_t root : roots_) {
      std::copy(removed_.begin() + root, removed_.begin() + At(root).end, skip.begin() + root);
    }
    const int32_t title = TitleAbove(winner);
    if (title >= 0) std::fill(skip.begin() + title, skip.begin() + At(title).end, 0);
    // What is around the roots is passed through.
    for (const int32_t root : roots_) OpenPath(root, &skip);
    if (title >= 0) OpenPath(title, &skip);
    return skip;
  }

  void OpenPath(int32_t node, std::vector<uint8_t>* skip) const {
    for (int32_t a = At(node).parent; a >= 0 && (*skip)[Index(a)] != 0; a = At(a).parent) {
      (*skip)[Index(a)] = 0;
    }
  }

  // The first h1 of the page, if it is before the roots and they have none; else -1.
  int32_t TitleAbove(int32_t winner) const {
    for (int32_t i = body_ + 1; i < Count(); ++i) {
      if (!Is(i, GUMBO_TAG_H1)) continue;
      return i < winner && outside_[Index(i)] != 0 ? i : -1;
    }
    return -1;
  }

  const HtmlTree& tree_;
  const std::vector<HtmlNode>& nodes_;
  HtmlNameJudge judge_;
  std::vector<HtmlTextFacts> own_;  // of each node without its descendants
  std::vector<HtmlTextFacts> facts_;
  std::vector<uint16_t> name_flags_;
  std::vector<uint8_t> base_;        // removed whatever the rules
  std::vector<uint8_t> is_data_;     // tables of data
  std::vector<uint8_t> in_content_;  // in what the page calls its content
  std::vector<uint8_t> contents_;    // headings that are a list of contents; empty: there are none
  int64_t headings_ = 0;
  int32_t body_ = -1;

  // Of the current attempt.
  bool strip_ = true;
  bool weigh_ = true;
  bool clean_ = true;
  std::vector<uint8_t> removed_;
  std::vector<HtmlRole> roles_;
  std::vector<double> scores_;
  std::vector<uint8_t> is_candidate_;
  std::vector<int32_t> candidates_;
  int32_t inner_ = -1;  // the winner by scores, in the one that is taken
  std::vector<int32_t> roots_;
  std::vector<uint8_t> is_root_;
  std::vector<uint8_t> outside_;  // of all roots
  int64_t selected_length_ = 0;
  double selected_density_ = 0;
  bool selected_vouched_ = false;
  bool vouched_ = false;
  double density_ = 0;
};

}  // namespace

HtmlSelection SelectMainContent(const HtmlTree& tree) { return ContentSelector(tree).Run(); }

}  // namespace recall
