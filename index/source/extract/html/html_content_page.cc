#include "index/source/extract/html/html_content_page.h"

#include <algorithm>

#include "index/source/extract/html/html_contents_list.h"
#include "index/source/extract/html/html_name_flags.h"

namespace recall {
namespace {

enum HtmlTableSign : uint8_t {
  kHasTable = 1,
  kHasHeadCells = 2,  // or other elements that only tables of data have
};

}  // namespace

HtmlContentPage::HtmlContentPage(const HtmlTree& tree) : tree_(tree), nodes_(tree.nodes()) {
  const size_t count = nodes_.size();
  HtmlNameJudge judge;
  own_.resize(count);
  names_.resize(count);
  head_.assign(count, 0);
  for (size_t i = 0; i < count; ++i) {
    const HtmlNode& node = nodes_[i];
    if (node.is_text()) {
      own_[i] = FactsOfText(node.text);
      continue;
    }
    own_[i].paragraphs = node.tag == GUMBO_TAG_P;
    own_[i].images = node.tag == GUMBO_TAG_IMG;
    own_[i].items = node.tag == GUMBO_TAG_LI;
    names_[i] = judge.Flags(tree.Attribute(node, "class"));
    if (!IsNamedByTitle(node)) {
      names_[i] |= static_cast<uint16_t>(judge.Flags(tree.Attribute(node, "id")) << 8);
    }
    if (node.tag == GUMBO_TAG_BODY) body_ = static_cast<int32_t>(i);
    headings_ += IsHeadingTag(node.tag);
    if (i > 0 && node.tag == GUMBO_TAG_HEAD) head_[i] = 1;
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

// The ids of sections are made of their titles ("active-menu-items"), so they say nothing about the
// role of the section. Sphinx and Docutils write sections as divs of this class.
bool HtmlContentPage::IsNamedByTitle(const HtmlNode& node) const {
  if (node.tag == GUMBO_TAG_SECTION) return true;
  return node.tag == GUMBO_TAG_DIV && tree_.Attribute(node, "class") == "section";
}

int HtmlContentPage::NameWeight(int32_t i) const {
  int weight = 0;
  for (const int shift : {0, 8}) {
    const int flags = names_[static_cast<size_t>(i)] >> shift;
    if ((flags & kNegative) != 0) weight -= 25;
    if ((flags & kPositive) != 0) weight += 25;
  }
  return weight;
}

void HtmlContentPage::MarkDataTables() {
  is_data_.assign(nodes_.size(), 0);
  std::vector<uint8_t> holds(nodes_.size(), 0);  // HtmlTableSigns of the descendants
  for (int32_t i = Count() - 1; i > 0; --i) {
    if (At(i).is_text()) continue;
    const GumboTag tag = At(i).tag;
    uint8_t mine = holds[static_cast<size_t>(i)];
    if (tag == GUMBO_TAG_TABLE) {
      is_data_[static_cast<size_t>(i)] = LooksLikeData(i, mine);
      mine |= kHasTable;
    }
    if (tag == GUMBO_TAG_TH || tag == GUMBO_TAG_THEAD || tag == GUMBO_TAG_TFOOT ||
        tag == GUMBO_TAG_COLGROUP || tag == GUMBO_TAG_COL ||
        (tag == GUMBO_TAG_CAPTION && At(i).end > i + 1)) {
      mine |= kHasHeadCells;
    }
    holds[static_cast<size_t>(At(i).parent)] |= mine;
  }
}

// Returns whether a table with these HtmlTableSigns in it is one of data, and not a layout.
bool HtmlContentPage::LooksLikeData(int32_t table, uint8_t holds) const {
  const std::string_view role = Attribute(table, "role");
  if (role == "presentation" || role == "none") return false;
  // Doxygen writes declarations and fields as tables of these classes.
  const std::string_view classes = Attribute(table, "class");
  if (classes == "memberdecls" || classes == "fieldtable") return true;
  if ((holds & kHasHeadCells) != 0) return true;
  if ((holds & kHasTable) != 0) return false;
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

std::vector<HtmlTextFacts> HtmlContentPage::SubtreeFacts(
    const std::vector<uint8_t>& removed) const {
  std::vector<HtmlTextFacts> all = own_;
  for (int32_t i = Count() - 1; i > 0; --i) {
    HtmlTextFacts& facts = all[static_cast<size_t>(i)];
    if (removed[static_cast<size_t>(i)] != 0) {
      facts = HtmlTextFacts();
      continue;
    }
    if (!At(i).is_text()) AddOwnMeaning(i, &facts);
    all[static_cast<size_t>(At(i).parent)].Add(facts, 1);
  }
  return all;
}

// Changes the facts of the text in an element by what the element makes of it: a link, a list, a
// heading, code.
void HtmlContentPage::AddOwnMeaning(int32_t i, HtmlTextFacts* facts) const {
  const GumboTag tag = At(i).tag;
  if (tag == GUMBO_TAG_A) {
    const std::string_view target = Attribute(i, "href");
    if (target.empty()) return;
    facts->sentences = 0;
    const bool is_within = target[0] == '#';
    facts->link_tenths = is_within && IsReferenceMark(i) ? 0 : facts->length * (is_within ? 3 : 10);
  } else if (tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL) {
    facts->list_length += facts->length;
  } else if (IsHeadingTag(tag)) {
    facts->heading_length = facts->length;
  } else if (IsCode(i)) {
    facts->link_tenths = 0;
  }
}

// Returns whether the text of a link is the number or the sign of a note, a paragraph or a place:
// "[12]", "¶". Such links are parts of texts, not of menus.
bool HtmlContentPage::IsReferenceMark(int32_t link) const {
  constexpr size_t kMaxMarkBytes = 8;
  for (int32_t i = link + 1; i < At(link).end; ++i) {
    if (!At(i).is_text()) continue;
    if (At(i).text.size() > kMaxMarkBytes) return false;
    for (const char c : At(i).text) {
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return false;
    }
  }
  return true;
}

bool HtmlContentPage::SaysContent(int32_t i) const {
  if (At(i).is_text()) return false;
  if (At(i).tag == GUMBO_TAG_ARTICLE || At(i).tag == GUMBO_TAG_MAIN) return true;
  const std::string_view role = Attribute(i, "role");
  return role == "main" || role == "article" || Attribute(i, "itemprop") == "articleBody";
}

bool HtmlContentPage::IsCode(int32_t i) const {
  return Is(i, GUMBO_TAG_PRE) || (Is(i, GUMBO_TAG_DIV) && Attribute(i, "class") == "fragment");
}

bool HtmlContentPage::HoldsAllHeadings(int32_t i) const {
  if (headings_ == 0) return false;
  int64_t inside = 0;
  for (int32_t d = i + 1; d < At(i).end; ++d) {
    inside += !At(d).is_text() && IsHeadingTag(At(d).tag);
  }
  return inside == headings_;
}

}  // namespace recall
